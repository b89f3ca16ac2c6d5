#include "cairn/quality.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "cairn/errors.h"
#include "cairn/world.h"
#include "src/exec/exact_floats.h"
#include "src/joints/compile_joint.h"
#include "src/quality/neighbours.h"
#include "src/quality/penetration.h"
#include "src/shape/shape_parts.h"

namespace cairn {
namespace {

using Double3 = reference::Vec3;
using quality::wide;

// limits of the fallen rules (docs/cli.md repeats them)
constexpr double kSideways = 0.5;        // [m]
constexpr double kBelow = 0.5;           // [m]
constexpr double kBelowOfHeight = 0.02;  // [1] of the start's height
constexpr double kOffLayer = 0.5;        // [m]

bool finite(const BodyState& s) {
  const auto all = [](const auto& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
  return all(s.position) && all(s.orientation) && std::isfinite(s.orientation.w) && all(s.linear_velocity) &&
         all(s.angular_velocity);
}

std::vector<BodyState> states_of(const World& world) {
  std::vector<BodyState> states(world.body_count());
  world.read_states(states);
  return states;
}

}  // namespace

struct QualityMeter::Impl {
  struct Item {
    bool dynamic{false};
    bool enabled{true};          ///< in the scene
    Double3 start;               ///< [m]
    double mass{0};              ///< [kg]
    double gravity_scale{1};     ///< [1]
    Double3 centre_of_mass;      ///< [m]      in the body's frame
    Double3 moments;             ///< [kg m^2] principal
    reference::Quat axes;        ///< [1]      principal frame to body frame
    std::size_t first_shape{0};  ///< [1]
    std::size_t shape_count{0};  ///< [1]
  };
  QualityRules rules;
  Double3 gravity;                                        ///< [m/s^2]
  Double3 up{0, 0, 1};                                    ///< [1]
  std::vector<Item> items;                                ///< (bodies)
  std::vector<Shape> shapes;                              ///< (shapes) tubes as their parts; no sensors
  std::set<std::pair<std::size_t, std::size_t>> ignored;  ///< bodies that don't touch, the lower first
  double max_excursion{0};                                ///< [m]

  void check(std::size_t size) const {
    if (size != items.size()) {
      throw InvalidArgument("quality: " + std::to_string(size) + " states given for a scene of " +
                            std::to_string(items.size()) + " bodies");
    }
  }

  /// (bodies) Which take part, by the scene, or by a World.
  std::vector<bool> enabled() const {
    std::vector<bool> on;
    for (const Item& item : items) on.push_back(item.enabled);
    return on;
  }
  static std::vector<bool> enabled(const World& world) {
    std::vector<bool> on;
    for (const BodyHandle body : world.bodies()) on.push_back(world.description(body).enabled);
    return on;
  }

  double farthest(std::span<const BodyState> states, const std::vector<bool>& on) const {
    double far = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (items[i].dynamic && on[i]) far = std::max(far, length(wide(states[i].position) - items[i].start));
    }
    return far;
  }

  static Double3 centre_of_mass(const Item& item, const BodyState& state) {
    return wide(state.position) + rotate(reference::normalized(wide(state.orientation)), item.centre_of_mass);
  }

  bool fell(std::size_t i, const BodyState& state) const {
    const Double3 x = wide(state.position);
    const Double3 moved = x - items[i].start;
    const double rise = dot(moved, up);
    switch (rules.fallen) {
      case FallenRule::kDefault:
        return length(moved - rise * up) > kSideways ||
               -rise > kBelow + kBelowOfHeight * std::max(dot(items[i].start, up), 0.0);
      case FallenRule::kLayer:
        return std::abs(dot(x, up) - rules.layer_height[i]) > kOffLayer;
      case FallenRule::kBin: {
        // tests the centre of mass, since a body's origin may be outside it. A heap may rise above the rim: the bin is
        // open along `up` only
        const Double3 centre = centre_of_mass(items[i], state);
        for (int k = 0; k < 3; ++k) {
          const double low = wide(rules.bin_min)[k], high = wide(rules.bin_max)[k];
          if (centre[k] < low && up[k] > -0.5) return true;
          if (centre[k] > high && up[k] < 0.5) return true;
        }
        return false;
      }
      case FallenRule::kNever:
        return false;
    }
    return false;
  }

  /// A shape in its place.
  struct Seen {
    quality::PlacedShape shape;
    std::size_t body;
    Filter filter;
  };

  // whether two shapes push each other
  bool touch(const Seen& a, const Seen& b) const {
    if (!items[a.body].dynamic && !items[b.body].dynamic) return false;
    if (a.body == b.body || ignored.count(std::minmax(a.body, b.body)) != 0) return false;
    if (a.filter.group != 0 && a.filter.group == b.filter.group) return a.filter.group > 0;
    return (a.filter.category & b.filter.mask) != 0 && (b.filter.category & a.filter.mask) != 0;
  }

  void add_overlaps(std::span<const BodyState> states, const std::vector<bool>& on, Quality& q) const {
    std::vector<Seen> seen, planes;
    std::vector<quality::Bounds> boxes;
    for (std::size_t i = 0; i < items.size(); ++i) {
      for (std::size_t s = 0; on[i] && s < items[i].shape_count; ++s) {
        const Shape& described = shapes[items[i].first_shape + s];
        const auto shape = quality::place(described, states[i]);
        const bool plane = shape.kind == quality::Kind::kPlane;
        (plane ? planes : seen).push_back({shape, i, described.filter});
        if (!plane) boxes.push_back({quality::middle(shape), quality::bounds(shape)});
      }
    }
    double sum = 0;
    const auto meet = [&](const Seen& a, const Seen& b) {
      const double depth = touch(a, b) ? quality::penetration(a.shape, b.shape) : 0;
      if (!(depth > 0)) return;
      sum += depth;
      ++q.overlaps;
      q.max_penetration = std::max(q.max_penetration, depth);
    };
    quality::for_each_overlap(boxes, [&](std::uint32_t a, std::uint32_t b) { meet(seen[a], seen[b]); });
    for (const Seen& plane : planes) {
      for (const Seen& other : seen) meet(plane, other);
    }
    if (q.overlaps > 0) q.mean_penetration = sum / static_cast<double>(q.overlaps);
  }

  void add_motion(std::span<const BodyState> states, const std::vector<bool>& on, Quality& q) const {
    double squares = 0, highest = -std::numeric_limits<double>::infinity();
    std::uint64_t dynamic = 0;
    Double3 momentum;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      if (!item.dynamic || !on[i]) continue;
      ++dynamic;
      const Double3 v = wide(states[i].linear_velocity);
      const reference::Quat body = reference::normalized(wide(states[i].orientation));
      const Double3 w = rotate(conjugate(body * item.axes), wide(states[i].angular_velocity));
      const Double3 x = wide(states[i].position);
      squares += dot(v, v);
      q.kinetic_energy += 0.5 * item.mass * dot(v, v) +
                          0.5 * (item.moments.x * w.x * w.x + item.moments.y * w.y * w.y + item.moments.z * w.z * w.z);
      q.potential_energy -= item.gravity_scale * item.mass * dot(gravity, centre_of_mass(item, states[i]));
      momentum += item.mass * v;
      highest = std::max(highest, dot(x, up));
      q.max_drift = std::max(q.max_drift, length(x - item.start));
      q.fallen += fell(i, states[i]) ? 1u : 0u;
    }
    q.momentum = {momentum.x, momentum.y, momentum.z};
    if (dynamic == 0) return;
    q.rms_speed = std::sqrt(squares / static_cast<double>(dynamic));
    if (rules.nominal_height) q.height_loss = *rules.nominal_height - highest;
  }

  void observe(std::span<const BodyState> states, const std::vector<bool>& on) {
    check(states.size());
    max_excursion = std::max(max_excursion, farthest(states, on));
  }

  Quality measure(std::span<const BodyState> states, const std::vector<bool>& on) const {
    check(states.size());
    Quality q;
    q.finite = std::all_of(states.begin(), states.end(), finite);
    if (!q.finite) return q;
    add_overlaps(states, on, q);
    add_motion(states, on, q);
    q.max_excursion = std::max(max_excursion, q.max_drift);
    return q;
  }
};

QualityMeter::QualityMeter(const Scene& scene, QualityRules rules) : impl_(std::make_unique<Impl>()) {
  const exec::ExactFloats exact;
  Impl& m = *impl_;
  m.rules = std::move(rules);
  if (m.rules.fallen == FallenRule::kLayer && m.rules.layer_height.size() != scene.bodies().size()) {
    throw InvalidArgument("quality: layer_height has " + std::to_string(m.rules.layer_height.size()) +
                          " entries; the scene has " + std::to_string(scene.bodies().size()) + " bodies");
  }
  m.gravity = wide(scene.gravity());
  if (length(m.gravity) > 0) m.up = -normalized(m.gravity);
  for (const Body& body : scene.bodies()) {
    Impl::Item item;
    item.dynamic = body.type == BodyType::kDynamic;
    item.enabled = body.enabled;
    item.start = wide(body.position);
    if (item.dynamic) {
      const MassProperties mass = mass_properties(body, scene.materials());
      item.mass = mass.mass;
      item.gravity_scale = double{body.gravity_scale};
      item.centre_of_mass = wide(mass.centre_of_mass);
      item.moments = wide(mass.moments);
      item.axes = wide(mass.axes);
    }
    item.first_shape = m.shapes.size();
    // sensors push nothing and have no penetration
    for (shape::Part& part : shape::parts_of(body)) {
      if (!part.shape.sensor) m.shapes.push_back(std::move(part.shape));
    }
    item.shape_count = m.shapes.size() - item.first_shape;
    m.items.push_back(item);
  }
  for (const BodyPair& pair : scene.ignored()) m.ignored.emplace(pair.a, pair.b);
  for (const Joint& joint : scene.joints()) {
    if (keeps_apart(joint))
      m.ignored.emplace(std::min(joint.body_a, joint.body_b), std::max(joint.body_a, joint.body_b));
  }
}

QualityMeter::~QualityMeter() = default;
QualityMeter::QualityMeter(QualityMeter&&) noexcept = default;
QualityMeter& QualityMeter::operator=(QualityMeter&&) noexcept = default;

void QualityMeter::observe(std::span<const BodyState> states) {
  const exec::ExactFloats exact;
  impl_->observe(states, impl_->enabled());
}

void QualityMeter::observe(double excursion) { impl_->max_excursion = std::max(impl_->max_excursion, excursion); }

double QualityMeter::max_excursion() const { return impl_->max_excursion; }

Quality QualityMeter::measure(std::span<const BodyState> states) const {
  const exec::ExactFloats exact;
  return impl_->measure(states, impl_->enabled());
}

void QualityMeter::observe(const World& world) {
  const exec::ExactFloats exact;
  impl_->observe(states_of(world), Impl::enabled(world));
}

Quality QualityMeter::measure(const World& world) const {
  const exec::ExactFloats exact;
  return impl_->measure(states_of(world), Impl::enabled(world));
}

}  // namespace cairn
