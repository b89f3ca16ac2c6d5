#include "src/scene/rules.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace cairn::rules {
namespace {

constexpr double kNoBound = std::numeric_limits<double>::infinity();
constexpr std::array<const char*, 4> kAxis{".x", ".y", ".z", ".w"};

/// lowest and highest value; `open` leaves out the lowest
struct Range {
  double low;
  double high;
  bool open;
  const char* rule;
};

constexpr Range kAny{-kNoBound, kNoBound, false, ""};
constexpr Range kOverZero{0, kNoBound, true, "must be over 0"};
constexpr Range kNotNegative{0, kNoBound, false, "must be at least 0"};
constexpr Range kUnitInterval{0, 1, false, "must be between 0 and 1"};
constexpr Range kExtent{kMinExtent, kMaxExtent, false, "must be between 1e-06 and 1e+06 m"};
constexpr Range kPosition{-kMaxPosition, kMaxPosition, false, "must be between -1e+07 and 1e+07 m"};
constexpr Range kLocalPosition{-kMaxExtent, kMaxExtent, false, "must be between -1e+06 and 1e+06 m"};
constexpr Range kInertial{1 / kMaxInertial, kMaxInertial, false, "must be between 1e-36 and 1e+36"};

/// Keeps the first fault; later checks are skipped. Strings are made only where something is wrong.
class Checker {
 public:
  std::optional<Fault> fault;

  /// for messages about a shape; -1 is the thing itself
  void set_shape(int shape) { shape_ = shape; }

  bool good() const { return !fault; }

  void require(bool holds, std::string_view field, std::string_view pointer, const std::string& rule) {
    if (fault || holds) return;
    const std::string number = std::to_string(shape_);
    fault = Fault{shape_ < 0 ? "" : ", shape " + number, std::string(field),
                  (shape_ < 0 ? "" : "/shapes/" + number) + std::string(pointer), rule};
  }

  template <class T>
  void number(T value, std::string_view field, std::string_view pointer, const Range& range) {
    if (fault || (holds(value, range) && std::isfinite(value))) return;
    const char* rule = std::isfinite(value) ? range.rule : "must be finite";
    require(false, field, pointer, rule + std::string(", is ") + digits(value));
  }

  template <class T>
  void vector(const Vec3T<T>& v, std::string_view field, std::string_view pointer, const Range& range) {
    const std::array<T, 3> at{v.x, v.y, v.z};
    for (std::size_t k = 0; k < 3; ++k) component(at[k], k, field, pointer, range);
  }

  void quaternion(const Quat& q, std::string_view field, std::string_view pointer) {
    const std::array<float, 4> at{q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 4; ++k) component(at[k], k, field, pointer, kAny);
    require(q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0, field, pointer, "must not be the zero quaternion");
  }

  /// over zero is the rule that people know; the other bounds come after it
  void extent(float value, std::string_view field, std::string_view pointer) {
    number(value, field, pointer, kOverZero);
    number(value, field, pointer, kExtent);
  }

  void name(const std::string& name) {
    require(!name.empty(), "name", "/name", "must not be empty");
    require(fault || is_utf8(name), "name", "/name", "must be UTF-8");
  }

 private:
  int shape_{-1};

  template <class T>
  static bool holds(T value, const Range& range) {
    const double v = static_cast<double>(value);
    return (range.open ? v > range.low : v >= range.low) && v <= range.high;
  }

  template <class T>
  void component(T value, std::size_t k, std::string_view field, std::string_view pointer, const Range& range) {
    if (fault || (holds(value, range) && std::isfinite(value))) return;
    number(value, std::string(field) + kAxis[k], std::string(pointer) + "/" + std::to_string(k), range);
  }
};

struct GeometryCheck {
  Checker& check;
  BodyType type;

  void operator()(const Sphere& sphere) const { check.extent(sphere.radius, "sphere radius", "/sphere/radius"); }

  void operator()(const Box& box) const {
    const Vec3& half = box.half_extents;
    check.extent(half.x, "box half_extents.x", "/box/half_extents/0");
    check.extent(half.y, "box half_extents.y", "/box/half_extents/1");
    check.extent(half.z, "box half_extents.z", "/box/half_extents/2");
  }

  void operator()(const Capsule& capsule) const {
    check.extent(capsule.radius, "capsule radius", "/capsule/radius");
    check.extent(capsule.half_height, "capsule half_height", "/capsule/half_height");
  }

  void operator()(const Plane& plane) const {
    check.require(type == BodyType::kStatic, "plane", "/plane", "must be on a static body");
    check.vector(plane.normal, "plane normal", "/plane/normal", kAny);
    const Vec3& n = plane.normal;
    check.require(n.x != 0 || n.y != 0 || n.z != 0, "plane normal", "/plane/normal", "must not be the zero vector");
    check.number(plane.offset, "plane offset", "/plane/offset", kPosition);
  }
};

void check_shapes(Checker& check, const Body& body, const std::vector<Material>& materials) {
  check.require(!body.shapes.empty(), "shapes", "/shapes", "must have at least one shape");
  for (std::size_t k = 0; k < body.shapes.size() && check.good(); ++k) {
    const Shape& shape = body.shapes[k];
    check.set_shape(static_cast<int>(k));
    std::visit(GeometryCheck{check, body.type}, shape.geometry);
    check.vector(shape.position, "position", "/position", kLocalPosition);
    check.quaternion(shape.orientation, "orientation", "/orientation_xyzw");
    if (shape.material >= materials.size()) {
      check.require(false, "material", "/material",
                    "must be the index of a material (there are " + std::to_string(materials.size()) + "), is " +
                        std::to_string(shape.material));
    }
  }
  check.set_shape(-1);
}

void check_inertia(Checker& check, const Body& body, const std::vector<Material>& materials) {
  if (body.mass) check.number(*body.mass, "mass", "/mass", kOverZero);
  if (body.mass) check.number(*body.mass, "mass", "/mass", kInertial);
  if (body.density) check.number(*body.density, "density", "/density", kOverZero);
  if (body.inertia && check.good()) {
    const Vec3& m = body.inertia->moments;
    check.require(body.mass.has_value(), "inertia", "/inertia", "needs a mass beside it");
    check.vector(m, "inertia", "/inertia", kOverZero);
    check.vector(m, "inertia", "/inertia", kInertial);
    // a flat plate has I_z = I_x + I_y exactly, and each of the three was rounded to float
    const double slack = 1 + 4 * static_cast<double>(std::numeric_limits<float>::epsilon());
    const double x = m.x, y = m.y, z = m.z;
    if (x > slack * (y + z) || y > slack * (x + z) || z > slack * (x + y)) {
      check.require(false, "inertia", "/inertia",
                    "must have no moment above the sum of the other two, is (" + digits(m.x) + ", " + digits(m.y) +
                        ", " + digits(m.z) + ")");
    }
  }
  if (body.type != BodyType::kDynamic || !check.good()) return;

  if (!body.mass && !body.density) {
    for (const Shape& shape : body.shapes) {
      const Material& material = materials[shape.material];
      if (material.density > 0) continue;
      check.require(false, "mass or density", "",
                    "must be given on a dynamic body, or a density on the materials of all its shapes; material \"" +
                        material.name + "\" has none");
      return;
    }
  }
  const MassProperties got = mass_properties(body, materials);
  check.number(got.mass, "mass from its shapes", "", kInertial);
  check.vector(got.moments, "principal inertia from its shapes", "", kInertial);
}

}  // namespace

std::string digits(float value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

std::string digits(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = [&](std::size_t k) -> unsigned {
      return i + k < text.size() ? static_cast<unsigned char>(text[i + k]) : 0;
    };
    const unsigned lead = byte(0);
    std::size_t length = 1;
    // the second byte's bounds shut out overlong forms, surrogates and what lies past U+10FFFF
    unsigned low = 0x80, high = 0xBF;
    if (lead >= 0x80) {
      if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
      } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        if (lead == 0xE0) low = 0xA0;
        if (lead == 0xED) high = 0x9F;
      } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        if (lead == 0xF0) low = 0x90;
        if (lead == 0xF4) high = 0x8F;
      } else {
        return false;
      }
      if (byte(1) < low || byte(1) > high) return false;
      for (std::size_t k = 2; k < length; ++k) {
        if (byte(k) < 0x80 || byte(k) > 0xBF) return false;
      }
    }
    i += length;
  }
  return true;
}

namespace {

/// Whether a squared length is 1 up to the rounding of the components to float: each is off by half an ulp at most, relative
/// 2^-24, so the squared length by 2 * 2^-24; twice that leaves room for the reader's own arithmetic.
bool is_unit(double squared_length) { return std::abs(squared_length - 1) <= 4 * 0x1p-24; }

}  // namespace

Quat unit(Quat q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  const double squared = x * x + y * y + z * z + w * w;
  if (is_unit(squared)) return q;
  const double length = std::sqrt(squared);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length),
          static_cast<float>(w / length)};
}

Vec3 unit(Vec3 v) {
  const double x = v.x, y = v.y, z = v.z;
  const double squared = x * x + y * y + z * z;
  if (is_unit(squared)) return v;
  const double length = std::sqrt(squared);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length)};
}

Body made_unit(Body body) {
  body.orientation = unit(body.orientation);
  for (Shape& shape : body.shapes) {
    shape.orientation = unit(shape.orientation);
    if (auto* plane = std::get_if<Plane>(&shape.geometry)) plane->normal = unit(plane->normal);
  }
  return body;
}

Material default_material() {
  Material material;
  material.name = "default";
  return material;
}

std::optional<Fault> find_fault(const Material& material) {
  Checker check;
  check.name(material.name);
  check.number(material.density, "density", "/density", kNotNegative);
  check.number(material.friction, "friction", "/friction", {0, 1e6, false, "must be between 0 and 1e6"});
  check.number(material.restitution, "restitution", "/restitution", kUnitInterval);
  check.number(material.rolling_friction, "rolling_friction", "/rolling_friction", {0, 1e6, false, "must be between 0 and 1e6 m"});
  return check.fault;
}

std::optional<Fault> find_fault(const Body& body, const std::vector<Material>& materials) {
  Checker check;
  check.name(body.name);
  check.require(static_cast<unsigned>(body.type) <= static_cast<unsigned>(BodyType::kDynamic), "type", "/type",
                "must be static, kinematic or dynamic");
  check.vector(body.position, "position", "/position", kPosition);
  check.quaternion(body.orientation, "orientation", "/orientation_xyzw");
  check.vector(body.linear_velocity, "linear_velocity", "/linear_velocity", kAny);
  check.vector(body.angular_velocity, "angular_velocity", "/angular_velocity", kAny);
  if (body.type == BodyType::kStatic) {
    check.require(body.linear_velocity == Vec3{}, "linear_velocity", "/linear_velocity", "must be 0 on a static body");
    check.require(body.angular_velocity == Vec3{}, "angular_velocity", "/angular_velocity",
                  "must be 0 on a static body");
  }
  check.number(body.linear_damping, "linear_damping", "/linear_damping", kNotNegative);
  check.number(body.angular_damping, "angular_damping", "/angular_damping", kNotNegative);
  check_shapes(check, body, materials);
  check_inertia(check, body, materials);
  return check.fault;
}

std::optional<Fault> find_fault(const StepParams& params) {
  const auto at_most = [](auto last, auto value) {
    return static_cast<unsigned>(value) <= static_cast<unsigned>(last);
  };
  Checker check;
  check.require(at_most(SolverKind::kXpbd, params.solver), "kind", "/kind", "must be soft_step or xpbd");
  check.require(at_most(SweepKind::kJacobi, params.sweep), "sweep", "/sweep", "must be gauss_seidel or jacobi");
  check.require(params.sweep != SweepKind::kJacobi || params.solver == SolverKind::kXpbd, "sweep", "/sweep",
                "must be gauss_seidel unless the solver is xpbd, is jacobi");
  check.number(static_cast<double>(params.substeps), "substeps", "/substeps",
               {1, 1000, false, "must be between 1 and 1000"});
  check.number(params.dt, "dt", "/dt", {0, 1, true, "must be over 0 and at most 1 s"});
  check.require(params.dt >= 1e-7f * static_cast<float>(params.substeps), "dt", "/dt",
                "must be at least 1e-7 s a substep, is " + digits(params.dt));
  check.number(params.contact_frequency, "contact_frequency", "/contact_frequency",
               {0, 0.25, true, "must be over 0 and at most 0.25"});
  check.number(params.contact_damping_ratio, "contact_damping_ratio", "/contact_damping_ratio",
               {0, 100, true, "must be over 0 and at most 100"});
  check.number(params.push_out_speed, "push_out_speed", "/push_out_speed", kNotNegative);
  check.number(params.restitution_threshold, "restitution_threshold", "/restitution_threshold", kNotNegative);
  check.number(params.recycle_tolerance, "recycle_tolerance", "/recycle_tolerance", kUnitInterval);
  check.require(at_most(MixRule::kProduct, params.friction_mix), "friction_mix", "/friction_mix",
                "must be geometric_mean, min, max or product");
  check.require(at_most(MixRule::kProduct, params.restitution_mix), "restitution_mix", "/restitution_mix",
                "must be geometric_mean, min, max or product");
  check.require(at_most(MixRule::kProduct, params.rolling_mix), "rolling_mix", "/rolling_mix",
                "must be geometric_mean, min, max or product");
  check.number(params.sleep_speed, "sleep_speed", "/sleep_speed", kNotNegative);
  check.number(params.sleep_time, "sleep_time", "/sleep_time", kNotNegative);
  return check.fault;
}

std::optional<Fault> find_fault(Vec3 gravity) {
  Checker check;
  check.vector(gravity, "gravity", "", kAny);
  return check.fault;
}

}  // namespace cairn::rules
