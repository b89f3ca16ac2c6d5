// Disabling bodies, and enabling them again.

#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

using kernels::BodyFlag;

void World::Impl::check_switched(const char* call, std::uint32_t at) const {
  articulations.refuse_link(call, at);
  particles.refuse_particle(call, at);
}

void World::Impl::forget_enabled(std::uint32_t at) {
  joints.let_go(at);
  if (particles.constraints.has(at)) particles.known = false;
  if (!worlds[slots[at].world].fields.empty()) fields.known = false;
  grains_known = false;
  if (planes_of(slots[at].body) != 0) upload_planes();
}

void World::Impl::set_enabled(std::uint32_t at, bool enabled) {
  // bodies that lay on it or are joined to it move
  wake_touched(at, true);
  memory.replace(slots[at].body.enabled, enabled);
  forget_enabled(at);
  const kernels::Bodies& b = arrays.bodies.view();
  const std::uint32_t flags = memory.get(b.flags + at), off = BodyFlag::kBodyDisabled;
  memory.put(b.flags + at, enabled ? flags & ~off : flags | off);
  memory.put(b.w_known + at, kernels::unknown_velocity());
  memory.clear(b.quiet_time + at);
  clear_readings(at);
}

void World::Impl::clear_readings(std::uint32_t at) {
  memory.clear(arrays.bodies.view().field_force + at);
  // constraints on it carry no load from now on
  if (particles.constraints.has(at)) (void)context(params.dt);
}

void World::set_enabled(BodyHandle body, bool enabled) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    impl_->check_switched("set_enabled", at);
    if (impl_->slots[at].body.enabled != enabled) impl_->set_enabled(at, enabled);
    impl_->note<&World::set_enabled>(body, enabled);
  });
}

}  // namespace cairn
