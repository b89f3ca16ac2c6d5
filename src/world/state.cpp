// Poses and velocities.

#include <algorithm>
#include <cmath>

#include "kernels/joints/angle.h"
#include "kernels/predict/predict.h"
#include "kernels/scale/scale.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/rules.h"
#include "src/world/motions.h"

namespace cairn {

static_assert(rules::kMaxSpeed == double{kernels::kMaxSpeed}, "what the rules allow, a step must not hold");

IndexRange World::Impl::slots_of(std::uint32_t world) const {
  const std::vector<std::uint32_t>& at = worlds[world].body_slots;
  if (at.empty()) return {0, 0};
  const auto [low, high] = std::minmax_element(at.begin(), at.end());
  return {*low, *high + 1};
}

void World::Impl::check_state(std::uint32_t at, const BodyState& wanted) {
  Body probe = scales.body_at(at);
  probe.position = wanted.position;
  probe.orientation = wanted.orientation;
  probe.linear_velocity = wanted.linear_velocity;
  probe.angular_velocity = wanted.angular_velocity;
  validate(probe, worlds[slots[at].world].materials, label(probe));
}

void World::Impl::upload_states(IndexRange range, std::span<const std::uint32_t> at,
                                std::span<const BodyState> states) {
  const kernels::Bodies& b = arrays.bodies.view();
  // bodies of other worlds may lie between
  const bool whole = at.size() == range.size();
  std::vector<BodyRecord> records;
  for (std::size_t i = 0; i < at.size(); ++i) {
    BodyState unit = states[i];
    unit.orientation = rules::unit(unit.orientation);
    records.push_back(record_of(slots[at[i]], unit, scales.of(at[i]).size));
  }
  const auto put = [&]<class T>(T* field, auto get) {
    std::vector<T> values = whole ? std::vector<T>(range.size()) : read(field + range.first, range.size());
    for (std::size_t i = 0; i < at.size(); ++i) values[at[i] - range.first] = std::invoke(get, records[i]);
    memory.put(field + range.first, values);
  };
  put_motions(b, put);
  put(b.w_known, [](const BodyRecord&) { return kernels::unknown_velocity(); });
}

BodyState World::Impl::state_at(std::uint32_t at) {
  synchronise();
  const kernels::Bodies& b = arrays.bodies.view();
  const auto get = [&](const auto* field) { return memory.get(field + at); };
  return state_of(slots[at], get(b.x), get(b.x_low), get(b.q), get(b.v), get(b.w), scales.of(at).size);
}

BodyState World::state(BodyHandle body) const {
  return impl_->call([&]() -> BodyState { return impl_->state_at(impl_->slot_of(body)); });
}

void World::set_state(BodyHandle body, const BodyState& state) {
  impl_->call([&] {
    impl_->articulations.refuse_link("set_state", impl_->slot_of(body));
    const std::uint32_t at = impl_->slot_of(body);
    impl_->check_state(at, state);
    impl_->wake_touched(at, true);
    impl_->upload_states({at, at + 1}, std::span(&at, 1), std::span(&state, 1));
    impl_->note<recording::kSetState>(body, state);
  });
}

void World::set_pose(BodyHandle body, Vec3d position, Quat orientation) {
  impl_->call([&] {
    BodyState s = state(body);
    s.position = position;
    s.orientation = orientation;
    set_state(body, s);
  });
}

void World::set_velocity(BodyHandle body, Vec3 linear, Vec3 angular) {
  impl_->call([&] {
    impl_->articulations.refuse_link("set_velocity", impl_->slot_of(body));
    const std::uint32_t at = impl_->slot_of(body);
    BodyState s = state(body);
    s.linear_velocity = linear;
    s.angular_velocity = angular;
    impl_->check_state(at, s);
    impl_->wake(at);
    const kernels::Bodies& b = impl_->arrays.bodies.view();
    impl_->memory.put(b.v + at, linear);
    impl_->memory.put(b.w + at, angular);
    impl_->note<&World::set_velocity>(body, linear, angular);
  });
}

void World::move_to(BodyHandle body, Vec3d position, Quat orientation, float dt) {
  impl_->call([&] {
    const BodySlot& slot = impl_->slots[impl_->slot_of(body)];
    if (slot.body.type != BodyType::kKinematic)
      throw InvalidArgument("move_to: " + label(slot.body) + " must be kinematic");
    if (!(dt > 0) || !std::isfinite(dt)) throw InvalidArgument("move_to: dt must be over 0 and finite");
    const BodyState now = state(body);
    BodyState then = now;
    then.position = position;
    then.orientation = orientation;
    impl_->check_state(impl_->slot_of(body), then);
    then.orientation = rules::unit(orientation);
    const kernels::BodyMotion motion =
        kernels::motion_to(slot.frame(1), {now.position, now.orientation}, {then.position, then.orientation}, dt);
    set_velocity(body, motion.v, motion.w);
  });
}

MassProperties World::mass_properties(BodyHandle body) const {
  return impl_->call([&]() -> MassProperties {
    const std::uint32_t at = impl_->slot_of(body);
    MassProperties of = impl_->slots[at].mass;
    const BodyScales by = impl_->scales.of(at);
    const kernels::InertialScales f = kernels::inertial_scales(by);
    const auto size = static_cast<double>(by.size);
    of.mass *= f.mass;
    of.centre_of_mass = {size * of.centre_of_mass.x, size * of.centre_of_mass.y, size * of.centre_of_mass.z};
    of.moments = {f.moments * of.moments.x, f.moments * of.moments.y, f.moments * of.moments.z};
    return of;
  });
}

void World::Impl::check_span(const char* call, std::size_t size, std::uint32_t bodies) const {
  if (size == bodies) return;
  throw InvalidArgument(std::string(call) + ": the span has " + std::to_string(size) + " elements, there are " +
                        std::to_string(bodies) + " bodies");
}

void World::read_states(std::span<BodyState> out) const {
  impl_->call([&] {
    impl_->check_span("read_states", out.size(), impl_->living);
    impl_->synchronise();
    const Impl::Motions all(*impl_, impl_->all_slots());
    std::size_t k = 0;
    impl_->each_body([&](std::uint32_t i) { out[k++] = all.state(i); });
  });
}

void World::read_states(std::uint32_t world, std::span<BodyState> out) const {
  impl_->call([&] {
    impl_->check_span("read_states", out.size(), impl_->world_at(world).living);
    impl_->synchronise();
    const Impl::Motions all(*impl_, impl_->slots_of(world));
    std::size_t k = 0;
    impl_->each_body(world, [&](std::uint32_t i) { out[k++] = all.state(i); });
  });
}

/// Given states, checked, of the bodies that no articulation moves; links keep the places of their joints.
struct World::Impl::FreeStates {
  FreeStates(Impl& of, std::span<const BodyState> from) : world(of), in(from) {}
  /// The next state is of the body in this slot.
  void take(std::uint32_t slot) {
    const BodyState& state = in[taken++];
    if (world.articulations.store.is_link(slot)) return;
    world.check_state(slot, state);
    at.push_back(slot);
    states.push_back(state);
  }

  Impl& world;
  std::span<const BodyState> in;
  std::size_t taken{0};
  std::vector<std::uint32_t> at;  ///< [1] slots
  std::vector<BodyState> states;
};

void World::write_states(std::span<const BodyState> in) {
  impl_->call([&] {
    impl_->check_span("write_states", in.size(), impl_->living);
    Impl::FreeStates free(*impl_, in);
    impl_->each_body([&](std::uint32_t i) { free.take(i); });
    impl_->drop_all_contacts();
    impl_->upload_states(impl_->all_slots(), free.at, free.states);
    impl_->note<recording::kWriteAllStates>(in);
  });
}

void World::write_states(std::uint32_t world, std::span<const BodyState> in) {
  impl_->call([&] {
    impl_->check_span("write_states", in.size(), impl_->world_at(world).living);
    Impl::FreeStates free(*impl_, in);
    impl_->each_body(world, [&](std::uint32_t i) { free.take(i); });
    std::vector<std::uint8_t> chosen(impl_->worlds.size(), 0);
    chosen[world] = 1;
    impl_->synchronise();
    impl_->context(impl_->params.dt);
    impl_->wake_all(world);
    impl_->upload_states(impl_->slots_of(world), free.at, free.states);
    impl_->note<recording::kWriteStates>(world, in);
    // last, since it runs a kernel
    impl_->reset(chosen, true);
  });
}

}  // namespace cairn
