// Poses, velocities, forces and the hash of the state.

#include <algorithm>
#include <cmath>

#include <xxhash.h>

#include "kernels/predict/predict.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/scene/text.h"
#include "src/world/impl.h"

namespace cairn {

static_assert(rules::kMaxSpeed == double{kernels::kMostSpeed}, "what the rules allow, a step must not hold");

/// The poses and velocities of a range of body slots, read at once.
struct World::Impl::Motions {
  Motions(Impl& world, SlotRange range)
      : of(world),
        first(range.first),
        x(world.read(world.arrays.bodies.view().x + first, range.size())),
        low(world.read(world.arrays.bodies.view().x_low + first, range.size())),
        v(world.read(world.arrays.bodies.view().v + first, range.size())),
        w(world.read(world.arrays.bodies.view().w + first, range.size())),
        q(world.read(world.arrays.bodies.view().q + first, range.size())) {}
  BodyState state(std::uint32_t at) const {
    const std::uint32_t i = at - first;
    return state_of(of.slots[at], x[i], low[i], q[i], v[i], w[i], of.scales_at(at).size);
  }

  /// What is hashed of a body.
  struct Entry;
  Entry entry(std::uint32_t at) const;

  Impl& of;
  std::uint32_t first;
  std::vector<Vec3> x, low, v, w;
  std::vector<Quat> q;
};

World::Impl::SlotRange World::Impl::slots_of(std::uint32_t world) const {
  const std::vector<std::uint32_t>& at = worlds[world].body_slots;
  if (at.empty()) return {0, 0};
  const auto [low, high] = std::minmax_element(at.begin(), at.end());
  return {*low, *high + 1};
}

void World::Impl::check_state(std::uint32_t at, const BodyState& wanted) {
  Body probe = scaled_body(at);
  probe.position = wanted.position;
  probe.orientation = wanted.orientation;
  probe.linear_velocity = wanted.linear_velocity;
  probe.angular_velocity = wanted.angular_velocity;
  validate(probe, worlds[slots[at].world].materials, label(probe));
}

void World::Impl::upload_states(SlotRange range, std::span<const std::uint32_t> at,
                                std::span<const BodyState> states) {
  const exec::ExactFloats exact;
  const kernels::Bodies& b = arrays.bodies.view();
  // bodies of others may lie between
  const bool whole = at.size() == range.size();
  const auto now = [&](const auto* field) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(field)>>;
    return whole ? std::vector<T>(range.size()) : read(field + range.first, range.size());
  };
  std::vector<Vec3> x = now(b.x), low = now(b.x_low), v = now(b.v), w = now(b.w), known = now(b.w_known);
  std::vector<Quat> q = now(b.q);
  for (std::size_t i = 0; i < at.size(); ++i) {
    BodyState unit = states[i];
    unit.orientation = rules::unit(unit.orientation);
    const BodyRecord r = record_of(slots[at[i]], unit, scales_at(at[i]).size);
    const std::uint32_t k = at[i] - range.first;
    x[k] = r.x;
    low[k] = r.x_low;
    q[k] = r.q;
    v[k] = r.v;
    w[k] = r.w;
    known[k] = kernels::unknown_velocity();
  }
  const auto put = [&](auto* field, const auto& values) {
    memory.upload(field + range.first, values.data(), values.size() * sizeof(values[0]));
  };
  put(b.x, x);
  put(b.x_low, low);
  put(b.q, q);
  put(b.v, v);
  put(b.w, w);
  put(b.w_known, known);
}

BodyState World::state(BodyHandle body) const {
  const exec::ExactFloats exact;
  const std::uint32_t at = impl_->slot_of(body);
  impl_->synchronise();
  const kernels::Bodies& b = impl_->arrays.bodies.view();
  const auto get = [&](const auto* field) {
    std::remove_cv_t<std::remove_pointer_t<decltype(field)>> value;
    impl_->memory.download(&value, field + at, sizeof value);
    return value;
  };
  return state_of(impl_->slots[at], get(b.x), get(b.x_low), get(b.q), get(b.v), get(b.w),
                  impl_->scales_at(at).size);
}

void World::set_state(BodyHandle body, const BodyState& state) {
  const std::uint32_t at = impl_->slot_of(body);
  impl_->check_state(at, state);
  impl_->wake_touched(at, true);
  impl_->upload_states({at, at + 1}, std::span(&at, 1), std::span(&state, 1));
  impl_->note<&World::set_state>(body, state);
}

void World::set_pose(BodyHandle body, Vec3d position, Quat orientation) {
  BodyState s = state(body);
  s.position = position;
  s.orientation = orientation;
  set_state(body, s);
}

void World::set_velocity(BodyHandle body, Vec3 linear, Vec3 angular) {
  const std::uint32_t at = impl_->slot_of(body);
  BodyState s = state(body);
  s.linear_velocity = linear;
  s.angular_velocity = angular;
  impl_->check_state(at, s);
  impl_->wake(at);
  const kernels::Bodies& b = impl_->arrays.bodies.view();
  impl_->memory.upload(b.v + at, &linear, sizeof linear);
  impl_->memory.upload(b.w + at, &angular, sizeof angular);
  impl_->note<&World::set_velocity>(body, linear, angular);
}

void World::Impl::check_span(const char* call, std::size_t size, std::uint32_t bodies) const {
  if (size == bodies) return;
  throw InvalidArgument(std::string(call) + ": the span has " + std::to_string(size) + " elements, there are " +
                        std::to_string(bodies) + " bodies");
}

void World::read_states(std::span<BodyState> out) const {
  const exec::ExactFloats exact;
  impl_->check_span("read_states", out.size(), impl_->living);
  impl_->synchronise();
  const Impl::Motions all(*impl_, impl_->all_slots());
  std::size_t k = 0;
  impl_->each_body([&](std::uint32_t i) { out[k++] = all.state(i); });
}

void World::read_states(std::uint32_t world, std::span<BodyState> out) const {
  const exec::ExactFloats exact;
  impl_->check_span("read_states", out.size(), impl_->world_at(world).living);
  impl_->synchronise();
  const Impl::Motions all(*impl_, impl_->slots_of(world));
  std::size_t k = 0;
  impl_->each_body(world, [&](std::uint32_t i) { out[k++] = all.state(i); });
}

void World::write_states(std::span<const BodyState> in) {
  impl_->check_span("write_states", in.size(), impl_->living);
  std::vector<std::uint32_t> at;
  impl_->each_body([&](std::uint32_t i) { at.push_back(i); });
  for (std::size_t k = 0; k < at.size(); ++k) impl_->check_state(at[k], in[k]);
  impl_->drop_all_contacts();
  impl_->upload_states(impl_->all_slots(), at, in);
  impl_->note<recording::kWriteAllStates>(in);
}

void World::write_states(std::uint32_t world, std::span<const BodyState> in) {
  impl_->check_span("write_states", in.size(), impl_->world_at(world).living);
  std::vector<std::uint32_t> at;
  impl_->each_body(world, [&](std::uint32_t i) { at.push_back(i); });
  for (std::size_t k = 0; k < at.size(); ++k) impl_->check_state(at[k], in[k]);
  std::vector<std::uint8_t> chosen(impl_->worlds.size(), 0);
  chosen[world] = 1;
  impl_->reset(chosen, true);
  impl_->synchronise();
  impl_->wake_all(world);
  impl_->upload_states(impl_->slots_of(world), at, in);
  impl_->note<recording::kWriteStates>(world, in);
}

namespace {

void check_vector(const Body& body, const char* what, Vec3 a) {
  if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(a.z)) {
    throw InvalidArgument(label(body) + ": " + what + " must be finite, is (" + rules::digits(a.x) + ", " +
                          rules::digits(a.y) + ", " + rules::digits(a.z) + ")");
  }
}

}  // namespace

void World::Impl::add_load(std::uint32_t at, Vec3 force, Vec3 torque) {
  const exec::ExactFloats exact;
  synchronise();
  wake(at);
  const kernels::Bodies& b = arrays.bodies.view();
  const auto add = [&](Vec3* field, Vec3 a) {
    Vec3 sum;
    memory.download(&sum, field + at, sizeof sum);
    sum = {sum.x + a.x, sum.y + a.y, sum.z + a.z};
    memory.upload(field + at, &sum, sizeof sum);
  };
  add(b.force, force);
  add(b.torque, torque);
}

void World::add_force(BodyHandle body, Vec3 force) {
  const std::uint32_t at = impl_->slot_of(body);
  check_vector(impl_->slots[at].body, "force", force);
  impl_->add_load(at, force, {});
  impl_->note<&World::add_force>(body, force);
}

void World::add_torque(BodyHandle body, Vec3 torque) {
  const std::uint32_t at = impl_->slot_of(body);
  check_vector(impl_->slots[at].body, "torque", torque);
  impl_->add_load(at, {}, torque);
  impl_->note<&World::add_torque>(body, torque);
}

void World::add_force_at(BodyHandle body, Vec3 force, Vec3d point) {
  const exec::ExactFloats exact;
  const std::uint32_t at = impl_->slot_of(body);
  check_vector(impl_->slots[at].body, "force", force);
  const Vec3 p{static_cast<float>(point.x), static_cast<float>(point.y), static_cast<float>(point.z)};
  check_vector(impl_->slots[at].body, "point", p);
  const BodyState s = state(body);
  const Vec3d c = impl_->slots[at].centre_offset(s.orientation, impl_->scales_at(at).size);
  const Vec3d r{point.x - s.position.x - c.x, point.y - s.position.y - c.y, point.z - s.position.z - c.z};
  const Vec3 torque{static_cast<float>(r.y * force.z - r.z * force.y),
                    static_cast<float>(r.z * force.x - r.x * force.z),
                    static_cast<float>(r.x * force.y - r.y * force.x)};
  impl_->add_load(at, force, torque);
  impl_->note<&World::add_force_at>(body, force, point);
}

struct World::Impl::Motions::Entry {
  std::uint32_t id;
  Vec3 x, x_low;
  Quat q;
  Vec3 v, w;
};

World::Impl::Motions::Entry World::Impl::Motions::entry(std::uint32_t at) const {
  static_assert(sizeof(Entry) == 17 * sizeof(float), "no padding: the bytes are hashed");
  const std::uint32_t i = at - first;
  return {of.slots[at].id, x[i], low[i], q[i], v[i], w[i]};
}

std::vector<std::uint64_t> World::state_hashes() const {
  impl_->synchronise();
  const Impl::Motions all(*impl_, impl_->all_slots());
  std::vector<std::uint64_t> hashes;
  std::vector<Impl::Motions::Entry> entries;
  for (std::uint32_t world = 0; world < impl_->worlds.size(); ++world) {
    entries.clear();
    impl_->each_body(world, [&](std::uint32_t i) { entries.push_back(all.entry(i)); });
    hashes.push_back(XXH3_64bits(entries.data(), entries.size() * sizeof(entries[0])));
  }
  return hashes;
}

std::vector<std::uint32_t> World::Impl::body_hashes() {
  const Motions all(*this, all_slots());
  std::vector<std::uint32_t> hashes;
  each_body([&](std::uint32_t i) {
    const Motions::Entry entry = all.entry(i);
    hashes.push_back(static_cast<std::uint32_t>(XXH3_64bits(&entry, sizeof entry)));
  });
  return hashes;
}

std::uint64_t World::state_hash() const {
  const std::vector<std::uint64_t> hashes = state_hashes();
  return hashes.size() == 1 ? hashes[0] : XXH3_64bits(hashes.data(), hashes.size() * sizeof(hashes[0]));
}

}  // namespace cairn
