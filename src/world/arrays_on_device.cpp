// The list of a world's arrays, for programs on the same device.

#include <string>

#include "src/world/impl.h"

namespace cairn {
namespace {

/// Structs of floats only.
template <class T>
inline constexpr bool kIsFloats =
    std::is_same_v<T, Vec3> || std::is_same_v<T, Quat> || std::is_same_v<T, WorldLimits> || std::is_same_v<T, Scales> ||
    std::is_same_v<T, BodyScales>;
static_assert(sizeof(WorldLimits) == 8 * sizeof(float) && sizeof(Scales) == 4 * sizeof(float) &&
              sizeof(BodyScales) == 3 * sizeof(float));
/// Numbers, and vectors of them.
template <class T>
inline constexpr bool kIsNumbers =
    kIsFloats<T> || std::is_arithmetic_v<T> || std::is_same_v<T, Vec3d> || std::is_same_v<T, QuatT<double>>;

template <class T>
constexpr ElementType element_of() {
  static_assert(kIsNumbers<T>);
  if constexpr (std::is_same_v<T, std::uint32_t>) {
    return ElementType::kUint32;
  } else if constexpr (std::is_same_v<T, std::uint64_t>) {
    return ElementType::kUint64;
  } else {
    return kIsFloats<T> || std::is_same_v<T, float> ? ElementType::kFloat32 : ElementType::kFloat64;
  }
}

/// Collects arrays with their descriptions.
class ArrayList {
 public:
  ArrayList(const Device& device, std::vector<NamedArray>& to) : device_(device), to_(to) {}

  /// Sets the meaning and number of rows of the arrays added from here on.
  void of(const char* what, std::size_t rows) {
    what_ = what;
    rows_ = rows;
  }
  /// Adds elements, or vectors without gaps.
  template <class T>
  ArrayView& add(const char* name, const char* unit, const char* meaning, T* data) {
    constexpr std::size_t kColumns = sizeof(T) / bytes_of(element_of<T>());
    ArrayView view = dense_view(data, element_of<T>(), device_, static_cast<std::int64_t>(rows_),
                                kColumns == 1 ? 0 : static_cast<std::int64_t>(kColumns));
    view.writable = false;
    to_.push_back({name, unit, what_, meaning, view});
    return to_.back().view;
  }
  /// Adds the public arrays of a table.
  template <class View>
  void add_table(const View& view) {
    kernels::each_array(view, [&](auto* array, const auto& row) {
      const kernels::PublicArray& seen = row.seen;
      if constexpr (kIsNumbers<std::remove_pointer_t<decltype(array)>>) {
        if (seen.name != nullptr) add(seen.name, seen.unit, seen.meaning, array).writable = seen.writable;
      }
    });
  }

 private:
  static constexpr std::size_t bytes_of(ElementType type) {
    return type == ElementType::kUint32 || type == ElementType::kFloat32 ? 4 : 8;
  }
  const Device& device_;
  std::vector<NamedArray>& to_;
  const char* what_{""};
  std::size_t rows_{0};
};

/// Makes a view of single elements one of elements in larger structs, `bytes` apart; `inner` of them in each,
/// `inner_bytes` apart.
void spread(ArrayView& view, std::size_t bytes, std::int64_t inner = 0, std::size_t inner_bytes = 0) {
  const auto elements = [&](std::size_t b) { return static_cast<std::int64_t>(b / bytes_of(view.type)); };
  if (inner == 0) {
    view.strides[0] = elements(bytes);
    return;
  }
  // the vector's own dimension, if it has one, comes last
  view.shape = {view.shape[0], inner, view.shape[1]};
  view.strides = {elements(bytes), elements(inner_bytes), 1};
  view.rank += 1;
}

/// None before residuals were first used.
void add_residuals(ArrayList& list, const kernels::Residuals& r, std::size_t n) {
  if (n == 0) return;
  list.of("worlds", n);
  // numbers that aren't negative are stored as their bits
  const auto add = [&](const char* name, const char* unit, std::uint32_t* bits) {
    list.add(name, unit, "of the step before residual() was called last", reinterpret_cast<float*>(bits));
  };
  add("residual_signorini", "m/s", r.signorini);
  add("residual_coulomb", "m/s", r.coulomb);
  add("residual_twist", "rad/s", r.twist);
  add("residual_cone", "N s", r.cone);
  add("residual_penetration", "m", r.penetration);
  list.add("residual_points", "1", "contact points that were looked at", r.points);
}

void add_state(ArrayList& list, kernels::StepState* s, std::uint32_t last) {
  list.of("one", 1);
  list.add("status", "1", "StatusBit of all worlds, until clear_status", &s->status);
  list.add("steps", "1", "taken since the World was made", &s->steps);
  list.add("time", "s", "simulated since the World was made", &s->time);
  list.add("overflow", "1", "1: a step needs more room for pairs or rows; nothing is done until the host looks",
           &s->overflow);
  list.add("pairs_needed", "1", "pairs that may touch, last step", &s->pairs_needed);
  list.add("pair_count", "1", "rows in use of the contact arrays", &s->pair_count[last]);
  list.add("manifold_count", "1", "pairs with contact points, last step", &s->taken.manifolds);
  list.add("point_count", "1", "contact points, last step", &s->taken.points);
  list.add("recycled_count", "1", "manifolds kept from the step before", &s->taken.recycled);
  list.add("asleep_count", "1", "bodies, last step", &s->taken.asleep);
}

void add_contacts(ArrayList& list, const kernels::Pairs& p, std::size_t n) {
  using kernels::Manifold, kernels::ManifoldPoint;
  static_assert(sizeof(Manifold) % sizeof(float) == 0 && sizeof(ManifoldPoint) % sizeof(float) == 0);
  static constexpr const char* kAnchor =
      "of each point, from the body's centre of mass, world; of a static body that is far away, from a point of it "
      "near "
      "the other (docs/pipeline.md#collide)";
  list.of("pairs", n);
  // the key's high word is the lower shape slot, a; machines with CUDA store the low word first
  auto* key = reinterpret_cast<std::uint32_t*>(p.key);
  spread(list.add("contact_shape_a", "1", "shape slot; the normal points away from it", key + (key == nullptr ? 0 : 1)),
         sizeof(std::uint64_t));
  spread(list.add("contact_shape_b", "1", "shape slot", key), sizeof(std::uint64_t));
  constexpr std::size_t kPoint = sizeof(ManifoldPoint);
  const std::size_t row = p.manifold.bytes, points = kernels::manifold_points(p.manifold);
  Manifold* m = p.manifold.first;
  spread(list.add("contact_points", "1", "how many, 0..4", &m->count), row);
  spread(list.add("contact_flags", "1", "bit 3: one of the shapes is a sensor, which pushes nothing", &m->flags), row);
  spread(list.add("contact_normal", "1", "world, from a to b", &m->normal), row);
  spread(list.add("contact_anchor_a", "m", kAnchor, &m->points[0].r_a), row, points, kPoint);
  spread(list.add("contact_anchor_b", "m", kAnchor, &m->points[0].r_b), row, points, kPoint);
  spread(list.add("contact_separation", "m", "of each point, at the step's start", &m->points[0].separation), row,
         points, kPoint);
  spread(list.add("contact_impulse", "N s", "of each point, along the normal, over the step", &m->points[0].total), row,
         points, kPoint);
  spread(list.add("contact_friction", "N s", "impulse on b over the step, world", &m->friction_total), row);
}

/// None unless events are recorded.
void add_events(ArrayList& list, const Arrays& arrays, std::uint32_t last) {
  if (!arrays.contact_events) return;
  const std::size_t n = arrays.work.capacity();
  kernels::EventCounts* counts = arrays.event_counts.data();
  list.of("one", 1);
  list.add("event_count", "1", "rows in use of the event arrays", &counts->events[last]);
  list.add("ended_count", "1", "rows in use of the arrays of what no longer touches", &counts->ended);
  list.of("pairs", n);
  list.add_table(arrays.events[last].view());
  list.add_table(arrays.ended.view());
}

void refuse_stream(const Device& device, const char* call, const void* stream) {
  const bool cuda = device.kind == Device::Kind::kCuda;
  if (cuda == (stream != nullptr)) return;
  throw InvalidArgument(std::string(call) + (cuda ? ": the stream is null; the default stream is (void*)1"
                                                  : ": a World on the CPU has no stream to be in order with"));
}

}  // namespace

std::vector<NamedArray> DeviceArrays::list() const {
  return world_.call([&]() -> std::vector<NamedArray> {
    World::Impl& w = world_;
    w.settle();
    w.upload_frames();
    std::vector<NamedArray> all;
    ArrayList list(w.options.device, all);
    list.of("slots", w.slots.size());
    list.add_table(w.arrays.bodies.view());
    list.add_table(w.arrays.frames.view());
    if (w.scales.begun()) list.add_table(w.arrays.body_bases.view());
    list.of("bodies", w.living);
    list.add("row_slot", "1", "slot of each living body, in the order of bodies()", w.arrays.frames.view().row_slot);
    list.of("worlds + 1", w.worlds.size() + 1);
    list.add("row_begin", "1", "first row of each world, and one past the last of all", w.arrays.row_begin.data());
    list.of("shape slots", w.shape_slots);
    list.add_table(w.arrays.shapes.view());
    list.of("worlds", w.worlds.size());
    list.add_table(w.arrays.worlds.view());
    add_residuals(list, w.arrays.residuals.view(), w.arrays.residuals.capacity() == 0 ? 0 : w.worlds.size());
    const std::uint32_t last = w.next_parity() ^ 1u;
    add_state(list, w.arrays.state.data(), last);
    add_contacts(list, w.arrays.pairs[last].view(), w.arrays.work.capacity());
    add_events(list, w.arrays, last);
    return all;
  });
}

std::shared_ptr<const void> DeviceArrays::keep() const {
  return world_.call([&]() -> std::shared_ptr<const void> { return world_.memory.keep(); });
}

void* DeviceArrays::stream() const {
  return world_.call([&] { return world_.backend->stream(); });
}

void DeviceArrays::wait_stream(void* stream) {
  world_.call([&] {
    refuse_stream(world_.options.device, "DeviceArrays::wait_stream", stream);
    world_.backend->wait_stream(stream, world_.options.capturable && world_.pending.empty());
  });
}

void DeviceArrays::stream_waits(void* stream) const {
  world_.call([&] {
    refuse_stream(world_.options.device, "DeviceArrays::stream_waits", stream);
    if (world_.capturing() || !world_.pending.empty()) world_.settle();
    world_.backend->stream_waits(stream);
  });
}

ArrayView DeviceArrays::get(std::string_view name) const {
  return world_.call([&]() -> ArrayView {
    const std::vector<NamedArray> all = list();
    for (const NamedArray& a : all) {
      if (a.name == name) return a.view;
    }
    std::string names;
    for (const NamedArray& a : all) names += (names.empty() ? "" : ", ") + std::string(a.name);
    throw InvalidArgument("array \"" + std::string(name) + "\": there is none of this name; there are " + names);
  });
}

}  // namespace cairn
