#include "scenes/builtin.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/random.h"
#include "scenes/spec.h"

namespace cairn::scenes {
namespace {

constexpr float kDensity = 1000;                     ///< [kg/m^3]
constexpr float kFriction = 0.6f;                    ///< [1]
constexpr double kShift = 0.005;                     ///< [m]   disturbance in x and y
constexpr double kHalfYaw = 0.00436332312998582394;  ///< [rad] half of the 0.5 degrees by which yaw is disturbed
constexpr double kSpread = 0.2;                      ///< [1]   spread of sizes in pile and rain
constexpr double kMaxBodies = 3'999'990;             ///< [1]   leaves room for floor and walls in 4 million

/// What each random number of a body is for.
enum Channel : std::uint64_t { kX, kY, kYaw, kSizeX, kSizeY, kSizeZ, kKind, kRotation = 16 };

Material stone(float density = kDensity, float friction = kFriction) {
  return {.name = "stone", .density = density, .friction = friction};
}

Body body(std::string name, BodyType type, Vec3d position, Geometry geometry, std::uint32_t material = 0) {
  Body made;
  made.name = std::move(name);
  made.type = type;
  made.position = position;
  made.shapes.push_back({.geometry = geometry, .position = {}, .orientation = {}, .material = material});
  return made;
}

std::string numbered(const char* kind, int index) { return kind + std::to_string(index); }

void add_floor(Scene& scene) { scene.add_body(body("floor", BodyType::kStatic, {}, Plane{})); }

/// A turn about z by the disturbance of yaw. The sine by its series: the next term is under 1e-21.
Quat disturbed_yaw(const Random& random) {
  const double a = kHalfYaw * random.symmetric(kYaw);
  const double s = a * (1 - a * a / 6 * (1 - a * a / 20));
  return {0, 0, static_cast<float>(s), static_cast<float>(std::sqrt(1 - s * s))};
}

/// A unit box, disturbed from its ideal place.
void add_box(Scene& scene, std::uint64_t seed, int index, Vec3d ideal, std::uint32_t material = 0) {
  const Random random(seed, static_cast<std::uint64_t>(index));
  const Vec3d place{ideal.x + kShift * random.symmetric(kX), ideal.y + kShift * random.symmetric(kY), ideal.z};
  Body made = body(numbered("box", index), BodyType::kDynamic, place, Box{}, material);
  made.orientation = disturbed_yaw(random);
  scene.add_body(std::move(made));
}

Built tower(const Spec& spec, std::uint64_t seed) {
  const int height = spec.whole("height");
  Built built;
  built.scene.add_material(stone());
  add_floor(built.scene);
  for (int k = 0; k < height; ++k) add_box(built.scene, seed, k, {0, 0, k + 0.5});
  built.nominal_height = height - 0.5;
  return built;
}

Built wall(const Spec& spec, std::uint64_t seed) {
  const int base = spec.whole("base");
  const double pitch = spec["pitch"];
  Built built;
  built.scene.add_material(stone());
  add_floor(built.scene);
  for (int row = 0, index = 0; row < base; ++row) {
    const int count = base - row;
    for (int i = 0; i < count; ++i, ++index) {
      add_box(built.scene, seed, index, {(i - 0.5 * (count - 1)) * pitch, 0, row + 0.5});
    }
  }
  built.nominal_height = base - 0.5;
  return built;
}

Built pyramid(const Spec& spec, std::uint64_t seed) {
  const int base = spec.whole("base");
  const double pitch = spec["pitch"];
  Built built;
  built.scene.add_material(stone());
  add_floor(built.scene);
  for (int layer = 0, index = 0; layer < base; ++layer) {
    const int count = base - layer;
    const double middle = 0.5 * (count - 1);
    for (int j = 0; j < count; ++j) {
      for (int i = 0; i < count; ++i, ++index) {
        add_box(built.scene, seed, index, {(i - middle) * pitch, (j - middle) * pitch, layer + 0.5});
      }
    }
  }
  built.nominal_height = base - 0.5;
  return built;
}

Built lattice(const Spec& spec, std::uint64_t seed) {
  constexpr double kGap = 0.05;    ///< [m] below each layer
  constexpr double kAside = 0.05;  ///< [m] disturbance in x and y
  const int n = spec.whole("n");
  const double pitch = spec["pitch"];
  const double middle = 0.5 * (n - 1);
  Built built;
  built.scene.add_material(stone());
  add_floor(built.scene);
  for (int k = 0, index = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i, ++index) {
        const Random random(seed, static_cast<std::uint64_t>(index));
        const Vec3d place{(i - middle) * pitch + kAside * random.symmetric(kX),
                          (j - middle) * pitch + kAside * random.symmetric(kY), 0.5 + kGap + k * (1 + kGap)};
        built.scene.add_body(body(numbered("box", index), BodyType::kDynamic, place, Box{}));
      }
    }
  }
  built.rule = FallenRule::kLattice;
  built.nominal_height = n - 0.5;
  return built;
}

Built heavy(const Spec& spec, std::uint64_t seed) {
  const int height = spec.whole("height");
  Built built;
  built.scene.add_material(stone());
  Material lead = stone(static_cast<float>(kDensity * spec["ratio"]));
  lead.name = "heavy";
  built.scene.add_material(lead);
  add_floor(built.scene);
  for (int k = 0; k <= height; ++k) add_box(built.scene, seed, k, {0, 0, k + 0.5}, k < height ? 0 : 1);
  built.nominal_height = height + 0.5;
  return built;
}

/// A tower on a ramp that rises from the floor and falls towards +x. The tower is disturbed along the ramp.
Built slope(const Spec& spec, std::uint64_t seed) {
  constexpr Vec3 kRamp{8, 4, 0.5f};  ///< [m] half extents
  constexpr double kUphill = 4;      ///< [m] from the ramp's middle to the tower, so that it has 12 m to slide
  const int height = spec.whole("height");
  const double tangent = spec["tan"];
  const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
  // a turn about y, by half-angle formulas that keep their digits for small slopes
  const double half_cosine = std::sqrt(0.5 * (1 + cosine)), half_sine = 0.5 * sine / half_cosine;
  const Quat ramp_turn{0, static_cast<float>(half_sine), 0, static_cast<float>(half_cosine)};
  // from (along, across, above), measured from the middle of the ramp's upper face, whose foot touches the floor
  const auto place = [&](double along, double across, double above) {
    return Vec3d{along * cosine + above * sine, across, (double{kRamp.x} - along) * sine + above * cosine};
  };

  Built built;
  built.scene.add_material(stone(kDensity, static_cast<float>(spec["friction"])));
  add_floor(built.scene);
  Body ramp = body("ramp", BodyType::kStatic, place(0, 0, -double{kRamp.z}), Box{kRamp});
  ramp.orientation = ramp_turn;
  built.scene.add_body(std::move(ramp));
  for (int k = 0; k < height; ++k) {
    const Random random(seed, static_cast<std::uint64_t>(k));
    const Vec3d centre = place(kShift * random.symmetric(kX) - kUphill, kShift * random.symmetric(kY), k + 0.5);
    Body box = body(numbered("box", k), BodyType::kDynamic, centre, Box{});
    // ramp_turn * yaw, written out for turns about y and z
    const Quat yaw = disturbed_yaw(random);
    const double yaw_sine = yaw.z, yaw_cosine = yaw.w;
    box.orientation = {static_cast<float>(half_sine * yaw_sine), static_cast<float>(half_sine * yaw_cosine),
                       static_cast<float>(half_cosine * yaw_sine), static_cast<float>(half_cosine * yaw_cosine)};
    built.scene.add_body(std::move(box));
  }
  built.nominal_height = place(-kUphill, 0, height - 0.5).z;
  return built;
}

/// A free body that spins about its middle axis and flips again and again (Dzhanibekov).
Built spinner(const Spec&, std::uint64_t) {
  Built built;
  built.scene.add_material(stone());
  built.scene.set_gravity({});
  Body made = body("spinner", BodyType::kDynamic, {}, Box{{0.3f, 0.2f, 0.05f}});
  made.mass = 1.0f;
  made.inertia = PrincipalInertia{{1, 2, 3}};
  made.angular_velocity = {0.01f, 10, 0.01f};
  built.scene.add_body(std::move(made));
  built.rule = FallenRule::kNone;
  return built;
}

/// [m] the least width in whole decimetres, at least `least`, whose cube holds `volume`: a heap half as high as it is
/// wide fills half of it. By trial, for cube roots differ between maths libraries.
double bin_width(double volume, double least) {
  int decimetres = static_cast<int>(std::ceil(10 * least));
  while (0.001 * decimetres * decimetres * decimetres < volume) ++decimetres;
  return 0.1 * decimetres;
}

/// A square bin with `count` bodies hung in layers above it, all inside its walls, none within reach of another.
template <class MakeBody>
Built binful(int count, double mean_volume, std::uint64_t seed, Scene scene, const MakeBody& make_body) {
  constexpr double kPacking = 0.6;  ///< [1] share of a settled heap that is solid
  constexpr double kReach = 1.04;   ///< [m] over the largest bounding radius, 0.6 sqrt(3)
  constexpr double kAside = 0.01;   ///< [m] disturbance, so that layers don't land face on face
  constexpr double kPitch = 2 * (kReach + kAside);
  constexpr double kWall = 2;  ///< [m] thickness of floor and walls
  const double width = bin_width(2 * count * mean_volume / kPacking, 2 * kPitch);
  const int across = static_cast<int>(width / kPitch);
  const double spacing = width / across;
  const double middle = 0.5 * (across - 1);
  const int layers = (count + across * across - 1) / (across * across);

  Built built;
  built.scene = std::move(scene);
  const auto add_static = [&](const char* name, Vec3d centre, double x, double y, double z) {
    const Box box{{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}};
    built.scene.add_body(body(name, BodyType::kStatic, centre, box));
  };
  const double half = 0.5 * width, thick = 0.5 * kWall;
  // up to where the topmost body hangs, so that none can leave on its way down
  const double tall = 0.5 * std::max(width, (layers + 1) * kPitch);
  add_static("floor", {0, 0, -thick}, half + kWall, half + kWall, thick);
  add_static("wall_west", {-half - thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_east", {half + thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_south", {0, -half - thick, tall}, half, thick, tall);
  add_static("wall_north", {0, half + thick, tall}, half, thick, tall);

  for (int index = 0; index < count; ++index) {
    const Random random(seed, static_cast<std::uint64_t>(index));
    const int layer = index / (across * across), in_layer = index % (across * across);
    const Vec3d place{(in_layer % across - middle) * spacing + kAside * random.symmetric(kX),
                      (in_layer / across - middle) * spacing + kAside * random.symmetric(kY),
                      kReach + kAside + layer * kPitch};
    Body made = make_body(random, index);
    made.position = place;
    made.orientation = random.rotation(kRotation);
    built.scene.add_body(std::move(made));
  }
  built.rule = FallenRule::kBin;
  built.bin_min = {-half, -half, 0};
  built.bin_max = {half, half, 2 * tall};
  return built;
}

/// [m] a size, spread at random
float spread(double size, const Random& random, Channel channel) {
  return static_cast<float>(size * (1 + kSpread * random.symmetric(channel)));
}

Box spread_box(const Random& random) {
  return {{spread(0.5, random, kSizeX), spread(0.5, random, kSizeY), spread(0.5, random, kSizeZ)}};
}

Built pile(const Spec& spec, std::uint64_t seed) {
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), 1.0, seed, std::move(scene), [](const Random& random, int index) {
    return body(numbered("box", index), BodyType::kDynamic, {}, spread_box(random));
  });
}

Built rain(const Spec& spec, std::uint64_t seed) {
  constexpr double kMeanVolume = 0.62;  ///< [m^3] of box, sphere and capsule: 1, 0.52 and 0.34
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), kMeanVolume, seed, std::move(scene), [](const Random& random, int index) {
    switch (random.bits(kKind) % 3) {
      case 0:
        return body(numbered("sphere", index), BodyType::kDynamic, {}, Sphere{spread(0.5, random, kSizeX)});
      case 1:
        return body(numbered("box", index), BodyType::kDynamic, {}, spread_box(random));
      default:
        return body(numbered("capsule", index), BodyType::kDynamic, {},
                    Capsule{spread(0.3, random, kSizeX), spread(0.4, random, kSizeY)});
    }
  });
}

using Builder = Built (*)(const Spec&, std::uint64_t);

struct Entry {
  BuiltinInfo info;
  Builder builder;
};

const std::vector<Entry>& entries() {
  // disturbed bricks keep apart from a pitch of 1.02 on, and bridge a gap up to just under 2
  static const ParameterInfo kBrickPitch{"pitch", 1.05, "m", 1.02, 1.9, false, "distance between neighbours in a row"};
  static const std::vector<Entry> kEntries{
      {{"tower", "boxes on top of each other", {{"height", 20, "1", 1, kMaxBodies, true, "boxes"}}}, tower},
      {{"wall",
        "a brick pyramid one box deep; each row has a brick less than the one below",
        {{"base", 40, "1", 1, 2827, true, "boxes in the lowest row"}, kBrickPitch}},
       wall},
      {{"pyramid",
        "a square-based pyramid of bricks",
        {{"base", 30, "1", 1, 228, true, "boxes along a side of the lowest layer"}, kBrickPitch}},
       pyramid},
      {{"lattice",
        "a cube of boxes with gaps, which drops and settles into columns",
        {{"n", 16, "1", 1, 158, true, "boxes along an edge"},
         {"pitch", 1.10, "m", 1.1, 3, false, "distance between columns"}}},
       lattice},
      {{"pile", "boxes of mixed sizes dropped into a bin", {{"count", 3000, "1", 1, kMaxBodies, true, "boxes"}}}, pile},
      {{"heavy",
        "a tower with a heavy box on top",
        {{"height", 10, "1", 1, kMaxBodies, true, "boxes below the heavy one"},
         {"ratio", 100, "1", 0.001, 1e6, false, "mass of the heavy box over that of another"}}},
       heavy},
      {{"slope",
        "a tower on a ramp",
        {{"height", 3, "1", 1, 1000, true, "boxes"},
         {"tan", 0.3, "1", 0, 2, false, "tangent of the ramp's angle"},
         {"friction", 0.6, "1", 0, 10, false, "coefficient of friction"}}},
       slope},
      {{"spinner", "a free body that spins about its middle axis and flips, without gravity", {}}, spinner},
      {{"rain",
        "spheres, boxes and capsules of mixed sizes dropped into a bin",
        {{"count", 1000, "1", 1, kMaxBodies, true, "bodies"}}},
       rain},
  };
  return kEntries;
}

}  // namespace

const std::vector<BuiltinInfo>& list() {
  static const std::vector<BuiltinInfo> kList = [] {
    std::vector<BuiltinInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return kList;
}

Built build(const std::string& spec_text, std::uint64_t seed) {
  const Spec spec = parse_spec(spec_text);
  for (const Entry& entry : entries()) {
    if (entry.info.name != spec.info->name) continue;
    Built built = entry.builder(spec, seed);
    built.scene.name = spec_text;
    return built;
  }
  throw InvalidArgument("no built-in scene is named \"" + spec.info->name + "\"");
}

Scene make(const std::string& spec, std::uint64_t seed) { return std::move(build(spec, seed).scene); }

}  // namespace cairn::scenes
