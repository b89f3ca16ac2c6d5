// Bodies, shapes and materials: adding, removing, changing.

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "src/scene/rules.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

using kernels::BodyFlag;
using kernels::ShapeGeometry;
using kernels::ShapeKind;

// planes have no bounds; large, and still finite when multiplied
constexpr float kUnbounded = 1e18f;

Vec3d turn(const QuatT<double>& q, Vec3d v) {
  const Vec3d u{q.x, q.y, q.z};
  const auto cross = [](Vec3d a, Vec3d b) { return Vec3d{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; };
  const Vec3d t = cross(u, v), s = cross(u, t);
  return {v.x + 2 * (q.w * t.x + s.x), v.y + 2 * (q.w * t.y + s.y), v.z + 2 * (q.w * t.z + s.z)};
}

struct GeometryOf {
  ShapeGeometry operator()(const Sphere& s) const { return {ShapeKind::kSphere, {s.radius, 0, 0}, {}, {}}; }
  ShapeGeometry operator()(const Box& b) const { return {ShapeKind::kBox, b.half_extents, {}, {}}; }
  ShapeGeometry operator()(const Capsule& c) const { return {ShapeKind::kCapsule, {c.radius, 0, c.half_height}, {}, {}}; }
  ShapeGeometry operator()(const Plane&) const { return {ShapeKind::kPlane, {}, {}, {}}; }
};

/// The turn that takes z to the unit vector n.
Quat turn_from_z(Vec3 n) {
  if (n.z < -0.9999999f) return {1, 0, 0, 0};
  const double x = -double{n.y}, y = double{n.x}, w = 1.0 + double{n.z};
  const double l = std::sqrt(x * x + y * y + w * w);
  return {static_cast<float>(x / l), static_cast<float>(y / l), 0, static_cast<float>(w / l)};
}

QuatT<double> widen(Quat q) { return {q.x, q.y, q.z, q.w}; }
Vec3d widen(Vec3 v) { return {v.x, v.y, v.z}; }
Vec3 narrow(Vec3d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }
QuatT<double> conjugate(const QuatT<double>& q) { return {-q.x, -q.y, -q.z, q.w}; }
QuatT<double> times(const QuatT<double>& a, const QuatT<double>& b) {
  return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}
Quat narrow(const QuatT<double>& q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// A shape in the principal frame of its body.
ShapeGeometry geometry_of(const Shape& shape, const BodySlot& slot) {
  ShapeGeometry g = std::visit(GeometryOf{}, shape.geometry);
  Vec3d position = widen(shape.position);
  QuatT<double> orientation = widen(shape.orientation);
  if (const Plane* plane = std::get_if<Plane>(&shape.geometry)) {
    // the plane's own offset along its normal, in the shape's frame
    const Vec3d up = turn(orientation, widen(plane->normal));
    position = {position.x + plane->offset * up.x, position.y + plane->offset * up.y, position.z + plane->offset * up.z};
    orientation = times(orientation, widen(turn_from_z(plane->normal)));
  }
  if (!slot.plain) {
    const QuatT<double> to_principal = conjugate(slot.mass.axes);
    const Vec3d c = slot.mass.centre_of_mass;
    position = turn(to_principal, {position.x - c.x, position.y - c.y, position.z - c.z});
    orientation = times(to_principal, orientation);
  }
  g.position = narrow(position);
  g.orientation = narrow(orientation);
  return g;
}

float reach_of(const ShapeGeometry& g) {
  const auto norm = [](Vec3 a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); };
  switch (g.kind) {
    case ShapeKind::kSphere: return norm(g.position) + g.size.x;
    case ShapeKind::kBox: return norm(g.position) + norm(g.size);
    case ShapeKind::kCapsule: return norm(g.position) + g.size.x + g.size.z;
    case ShapeKind::kPlane: break;
  }
  return kUnbounded;
}

float least_extent_of(const ShapeGeometry& g) {
  switch (g.kind) {
    case ShapeKind::kSphere: return g.size.x;
    case ShapeKind::kBox: return std::min({g.size.x, g.size.y, g.size.z});
    case ShapeKind::kCapsule: return g.size.x;
    case ShapeKind::kPlane: break;
  }
  return kUnbounded;
}

bool is_identity(const QuatT<double>& q) { return q.x == 0 && q.y == 0 && q.z == 0 && q.w == 1; }

void weigh(BodySlot& slot, const std::vector<Material>& materials) {
  slot.mass = mass_properties(slot.body, materials);
  slot.axes = narrow(slot.mass.axes);
  slot.plain = slot.mass.centre_of_mass == Vec3d{} && is_identity(slot.mass.axes);
}

std::string body_label(const Body& body) { return "body \"" + body.name + "\""; }

}  // namespace

std::uint32_t World::Impl::slot_of(BodyHandle handle) const {
  const std::uint32_t slot = handle.index - 1;
  if (handle.index == 0 || slot >= slots.size() || !slots[slot].alive || slots[slot].generation != handle.generation) {
    throw InvalidArgument("body handle {" + std::to_string(handle.index) + ", " + std::to_string(handle.generation) +
                          "} is null or stale: its body was removed");
  }
  return slot;
}

BodyRecord World::Impl::record_of(const BodySlot& slot, const BodyState& at) const {
  BodyRecord r{};
  r.flags = static_cast<std::uint32_t>(slot.body.type) | BodyFlag::kBodyAlive;
  Vec3d x = at.position;
  QuatT<double> q = widen(at.orientation);
  if (!slot.plain) {
    const Vec3d c = turn(q, slot.mass.centre_of_mass);
    x = {x.x + c.x, x.y + c.y, x.z + c.z};
    q = times(q, slot.mass.axes);
  }
  r.x = narrow(x);
  r.x_low = narrow(Vec3d{x.x - r.x.x, x.y - r.x.y, x.z - r.x.z});
  r.q = narrow(q);
  r.v = at.linear_velocity;
  r.w = at.angular_velocity;
  r.inertia = {1, 1, 1};
  if (slot.body.type == BodyType::kDynamic) {
    r.inv_mass = static_cast<float>(1.0 / slot.mass.mass);
    r.inertia = narrow(slot.mass.moments);
    const Vec3d m = slot.mass.moments;
    const double spread = std::max({m.x, m.y, m.z}) - std::min({m.x, m.y, m.z});
    if (spread > 1e-6 * std::max({m.x, m.y, m.z})) r.flags |= BodyFlag::kBodyGyroscopic;
  }
  r.linear_damping = slot.body.linear_damping;
  r.angular_damping = slot.body.angular_damping;
  r.least_extent = kUnbounded;
  for (const Shape& shape : slot.body.shapes) {
    const ShapeGeometry g = geometry_of(shape, slot);
    r.radius = std::max(r.radius, reach_of(g));
    r.least_extent = std::min(r.least_extent, least_extent_of(g));
  }
  return r;
}

void World::Impl::upload(std::uint32_t first, std::span<const BodyRecord> records) {
  const kernels::Bodies& b = bodies.view();
  const auto put = [&](auto* field, auto get) {
    std::vector<std::remove_pointer_t<decltype(field)>> values;
    values.reserve(records.size());
    for (const BodyRecord& r : records) values.push_back(get(r));
    memory.upload(field + first, values.data(), values.size() * sizeof(values[0]));
  };
  put(b.flags, [](const BodyRecord& r) { return r.flags; });
  put(b.x, [](const BodyRecord& r) { return r.x; });
  put(b.x_low, [](const BodyRecord& r) { return r.x_low; });
  put(b.q, [](const BodyRecord& r) { return r.q; });
  put(b.v, [](const BodyRecord& r) { return r.v; });
  put(b.w, [](const BodyRecord& r) { return r.w; });
  put(b.inv_mass, [](const BodyRecord& r) { return r.inv_mass; });
  put(b.inertia, [](const BodyRecord& r) { return r.inertia; });
  put(b.linear_damping, [](const BodyRecord& r) { return r.linear_damping; });
  put(b.angular_damping, [](const BodyRecord& r) { return r.angular_damping; });
  put(b.radius, [](const BodyRecord& r) { return r.radius; });
  put(b.least_extent, [](const BodyRecord& r) { return r.least_extent; });
  put(b.force, [](const BodyRecord&) { return Vec3{}; });
  put(b.torque, [](const BodyRecord&) { return Vec3{}; });
  put(b.quiet_time, [](const BodyRecord&) { return 0.0f; });
}

void World::Impl::add_bodies(std::span<const Body> added, std::vector<BodyHandle>* handles) {
  synchronise();
  std::size_t new_shapes = 0;
  for (const Body& body : added) new_shapes += body.shapes.size();
  // room first, so that running out of memory changes nothing
  const auto room = [&](auto& table, std::size_t used, std::size_t more, std::size_t spare) {
    if (used + more + spare > table.capacity()) table.reserve(used + more + spare + (used == 0 ? 0 : (used + more) / 2));
  };
  const std::size_t reused = std::min(free_slots.size(), added.size());
  room(bodies, slots.size(), added.size() - reused, 1);
  room(shapes, shape_slots, new_shapes - std::min(free_shapes.size(), new_shapes), 0);

  std::uint32_t run_first = 0;
  std::vector<BodyRecord> run;
  const auto flush = [&] {
    if (!run.empty()) upload(run_first, run);
    run.clear();
  };
  std::vector<ShapeGeometry> geometry;
  std::vector<std::uint32_t> owner, material;
  const std::uint32_t first_shape = shape_slots;
  for (const Body& body : added) {
    std::uint32_t at = static_cast<std::uint32_t>(slots.size());
    if (free_slots.empty()) {
      slots.emplace_back();
    } else {
      at = free_slots.back();
      free_slots.pop_back();
    }
    BodySlot& slot = slots[at];
    slot.generation += 1;
    slot.alive = true;
    slot.body = body;
    weigh(slot, materials);
    if (run.empty() || at != run_first + run.size()) {
      flush();
      run_first = at;
    }
    run.push_back(record_of(slot, {body.position, body.orientation, body.linear_velocity, body.angular_velocity}));
    slot.shapes.clear();
    bool one_by_one = false;
    for (const Shape& shape : body.shapes) {
      if (free_shapes.empty()) {
        slot.shapes.push_back(shape_slots++);
        geometry.push_back(geometry_of(shape, slot));
        owner.push_back(at);
        material.push_back(shape.material);
      } else {
        slot.shapes.push_back(free_shapes.back());
        free_shapes.pop_back();
        one_by_one = true;
      }
    }
    if (one_by_one) upload_shapes(at);
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      if (std::holds_alternative<Plane>(body.shapes[i].geometry)) plane_slots.push_back(slot.shapes[i]);
    }
    living += 1;
    living_shapes += static_cast<std::uint32_t>(body.shapes.size());
    if (handles != nullptr) handles->push_back({at + 1, slot.generation});
  }
  flush();
  if (!geometry.empty()) {
    const kernels::Shapes& s = shapes.view();
    memory.upload(s.geometry + first_shape, geometry.data(), geometry.size() * sizeof(geometry[0]));
    memory.upload(s.body + first_shape, owner.data(), owner.size() * sizeof(owner[0]));
    memory.upload(s.material + first_shape, material.data(), material.size() * sizeof(material[0]));
  }
  upload_planes();
  high_water.bodies = std::max(high_water.bodies, living);
  high_water.shapes = std::max(high_water.shapes, living_shapes);
}

void World::Impl::upload_shapes(std::uint32_t at) {
  const kernels::Shapes& s = shapes.view();
  const BodySlot& slot = slots[at];
  for (std::size_t i = 0; i < slot.shapes.size(); ++i) {
    const std::uint32_t shape = slot.shapes[i];
    const ShapeGeometry g = geometry_of(slot.body.shapes[i], slot);
    memory.upload(s.geometry + shape, &g, sizeof g);
    memory.upload(s.body + shape, &at, sizeof at);
    memory.upload(s.material + shape, &slot.body.shapes[i].material, sizeof(std::uint32_t));
  }
}

void World::Impl::upload_planes() {
  planes.reserve(plane_slots.size());
  if (!plane_slots.empty()) memory.upload(planes.data(), plane_slots.data(), plane_slots.size() * sizeof(std::uint32_t));
}

void World::Impl::upload_materials() {
  std::vector<kernels::ContactMaterial> table;
  for (const Material& m : materials) table.push_back({m.friction, m.restitution, m.rolling_friction});
  material_table.reserve(table.size());
  memory.upload(material_table.data(), table.data(), table.size() * sizeof(table[0]));
}

void World::Impl::remove_body(std::uint32_t at) {
  drop_contacts(at);
  BodySlot& slot = slots[at];
  const kernels::Shapes& s = shapes.view();
  for (const std::uint32_t shape : slot.shapes) {
    memory.upload(s.body + shape, &kernels::kNone, sizeof kernels::kNone);
    free_shapes.push_back(shape);
    std::erase(plane_slots, shape);
  }
  upload_planes();
  const std::uint32_t dead = 0;
  memory.upload(bodies.view().flags + at, &dead, sizeof dead);
  living -= 1;
  living_shapes -= static_cast<std::uint32_t>(slot.shapes.size());
  slot.alive = false;
  slot.shapes.clear();
  slot.body = {};
  free_slots.push_back(at);
}

void World::Impl::rebuild(std::uint32_t at, const BodyState& now) {
  BodySlot& slot = slots[at];
  weigh(slot, materials);
  const BodyRecord record = record_of(slot, now);
  upload(at, std::span(&record, 1));
  upload_shapes(at);
}

void World::Impl::drop_contacts(std::uint32_t at) {
  synchronise();
  wake(at);
  const std::uint32_t last = next_parity() ^ 1u;
  if (index_step != steps || index_begin.size() != std::size_t{shape_slots} + 1) {
    index_key = read(pairs[last].view().key, state.get(0).pair_count[last]);
    index_begin.assign(std::size_t{shape_slots} + 1, 0);
    const auto each_end = [&](auto f) {
      for (std::uint32_t p = 0; p < index_key.size(); ++p) {
        f(static_cast<std::uint32_t>(index_key[p] >> 32), p);
        f(static_cast<std::uint32_t>(index_key[p]), p);
      }
    };
    each_end([&](std::uint32_t shape, std::uint32_t) { ++index_begin[shape + 1]; });
    for (std::size_t i = 1; i < index_begin.size(); ++i) index_begin[i] += index_begin[i - 1];
    index_pair.resize(index_begin.back());
    std::vector<std::uint32_t> next(index_begin.begin(), index_begin.end() - 1);
    each_end([&](std::uint32_t shape, std::uint32_t p) { index_pair[next[shape]++] = p; });
    index_step = steps;
  }
  kernels::Manifold* manifolds = pairs[last].view().manifold;
  const std::uint32_t none = 0;
  for (const std::uint32_t shape : slots[at].shapes) {
    for (std::uint32_t i = index_begin[shape]; i < index_begin[shape + 1]; ++i) {
      const std::uint32_t pair = index_pair[i];
      std::uint32_t count = 0;
      memory.download(&count, &manifolds[pair].count, sizeof count);
      if (count == 0) continue;
      memory.upload(&manifolds[pair].count, &none, sizeof none);
      const std::uint32_t a = static_cast<std::uint32_t>(index_key[pair] >> 32), b = static_cast<std::uint32_t>(index_key[pair]);
      std::uint32_t other = 0;
      memory.download(&other, shapes.view().body + (a == shape ? b : a), sizeof other);
      if (other != kernels::kNone) wake(other);
    }
  }
}

void World::Impl::drop_all_contacts() {
  synchronise();
  const std::uint32_t none = 0;
  memory.upload(&state.data()->pair_count[next_parity() ^ 1u], &none, sizeof none);
  index_step = ~std::uint64_t{0};
  wake_all();
}

void World::Impl::wake(std::uint32_t at) {
  const kernels::Bodies& b = bodies.view();
  std::uint32_t flags = 0, island = 0;
  memory.download(&flags, b.flags + at, sizeof flags);
  if ((flags & BodyFlag::kBodyAsleep) == 0) {
    const float zero = 0;
    memory.upload(b.quiet_time + at, &zero, sizeof zero);
    return;
  }
  memory.download(&island, b.island + at, sizeof island);
  std::vector<std::uint32_t> all_flags = read(b.flags, slots.size());
  const std::vector<std::uint32_t> islands = read(b.island, slots.size());
  std::vector<float> quiet = read(b.quiet_time, slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if ((all_flags[i] & BodyFlag::kBodyAsleep) == 0 || islands[i] != island) continue;
    all_flags[i] &= ~std::uint32_t{BodyFlag::kBodyAsleep};
    quiet[i] = 0;
  }
  memory.upload(b.flags, all_flags.data(), all_flags.size() * sizeof(all_flags[0]));
  memory.upload(b.quiet_time, quiet.data(), quiet.size() * sizeof(quiet[0]));
}

void World::Impl::wake_all() {
  if (slots.empty()) return;
  const kernels::Bodies& b = bodies.view();
  std::vector<std::uint32_t> flags = read(b.flags, slots.size());
  for (std::uint32_t& f : flags) f &= ~std::uint32_t{BodyFlag::kBodyAsleep};
  memory.upload(b.flags, flags.data(), flags.size() * sizeof(flags[0]));
  memory.zero(b.quiet_time, slots.size() * sizeof(float));
}

std::vector<BodyHandle> World::bodies() const {
  std::vector<BodyHandle> handles;
  handles.reserve(impl_->living);
  for (std::uint32_t i = 0; i < impl_->slots.size(); ++i) {
    if (impl_->slots[i].alive) handles.push_back({i + 1, impl_->slots[i].generation});
  }
  return handles;
}

std::uint32_t World::body_count() const { return impl_->living; }

bool World::alive(BodyHandle body) const {
  return body.index != 0 && body.index <= impl_->slots.size() && impl_->slots[body.index - 1].alive &&
         impl_->slots[body.index - 1].generation == body.generation;
}

const Body& World::description(BodyHandle body) const { return impl_->slots[impl_->slot_of(body)].body; }

BodyHandle World::add_body(const Body& body) {
  validate(body, impl_->materials, body_label(body));
  std::vector<BodyHandle> handles;
  const Body unit = rules::made_unit(body);
  impl_->add_bodies(std::span(&unit, 1), &handles);
  return handles[0];
}

void World::remove_body(BodyHandle body) { impl_->remove_body(impl_->slot_of(body)); }

const std::vector<Material>& World::materials() const { return impl_->materials; }

std::uint32_t World::add_material(const Material& material) {
  validate(material, "material \"" + material.name + "\"");
  for (const Material& m : impl_->materials) {
    if (m.name == material.name) throw InvalidArgument("material \"" + material.name + "\": the name is taken");
  }
  impl_->synchronise();
  impl_->materials.push_back(material);
  impl_->upload_materials();
  return static_cast<std::uint32_t>(impl_->materials.size() - 1);
}

void World::set_material(std::uint32_t index, const Material& material) {
  if (index >= impl_->materials.size()) {
    throw InvalidArgument("material index " + std::to_string(index) + ": there are " + std::to_string(impl_->materials.size()));
  }
  validate(material, "material \"" + material.name + "\"");
  impl_->synchronise();
  impl_->materials[index] = material;
  impl_->upload_materials();
  impl_->wake_all();
}

void World::set_mass(BodyHandle body, float mass) {
  const std::uint32_t at = impl_->slot_of(body);
  Body changed = impl_->slots[at].body;
  if (changed.inertia && changed.mass) {
    const float scale = mass / *changed.mass;
    changed.inertia->moments = {changed.inertia->moments.x * scale, changed.inertia->moments.y * scale,
                                changed.inertia->moments.z * scale};
  }
  changed.mass = mass;
  validate(changed, impl_->materials, body_label(changed));
  const BodyState now = state(body);
  impl_->wake(at);
  impl_->slots[at].body = changed;
  impl_->rebuild(at, now);
}

void World::set_body_material(BodyHandle body, std::uint32_t material) {
  const std::uint32_t at = impl_->slot_of(body);
  BodySlot& slot = impl_->slots[at];
  Body changed = slot.body;
  // the mass stays what it was
  if (changed.type == BodyType::kDynamic && !changed.mass) changed.mass = static_cast<float>(slot.mass.mass);
  for (Shape& shape : changed.shapes) shape.material = material;
  validate(changed, impl_->materials, body_label(changed));
  impl_->synchronise();
  impl_->wake(at);
  slot.body = changed;
  impl_->upload_shapes(at);
}

void World::set_type(BodyHandle body, BodyType type) {
  const std::uint32_t at = impl_->slot_of(body);
  Body changed = impl_->slots[at].body;
  BodyState now = state(body);
  changed.type = type;
  if (type == BodyType::kStatic) {
    changed.linear_velocity = changed.angular_velocity = {};
    now.linear_velocity = now.angular_velocity = {};
  }
  validate(changed, impl_->materials, body_label(changed));
  impl_->drop_contacts(at);
  impl_->slots[at].body = changed;
  impl_->rebuild(at, now);
}

void World::wake(BodyHandle body) {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->synchronise();
  impl_->wake(at);
}

bool World::asleep(BodyHandle body) const {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->synchronise();
  std::uint32_t flags = 0;
  impl_->memory.download(&flags, impl_->bodies.view().flags + at, sizeof flags);
  return (flags & BodyFlag::kBodyAsleep) != 0;
}

}  // namespace cairn
