// Forces, torques and impulses.

#include <cmath>

#include "kernels/common/frame.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/scene/text.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

void check_vector(const Body& body, const char* what, Vec3 a) {
  if (!std::isfinite(a.x) || !std::isfinite(a.y) || !std::isfinite(a.z)) {
    throw InvalidArgument(label(body) + ": " + what + " must be finite, is (" + rules::digits(a.x) + ", " +
                          rules::digits(a.y) + ", " + rules::digits(a.z) + ")");
  }
}

/// r x f
Vec3d moment_of(Vec3d r, Vec3 f) { return {r.y * f.z - r.z * f.y, r.z * f.x - r.x * f.z, r.x * f.y - r.y * f.x}; }

/// An impulse at the centre of mass [N s] and an angular one [N m s], at once.
void push(World& world, BodyHandle body, Vec3 impulse, Vec3d angular) {
  using kernels::operator+;
  using kernels::operator*;
  const MassProperties mass = world.mass_properties(body);
  const BodyState s = world.state(body);
  const QuatT<double> axes = kernels::widen(s.orientation) * mass.axes;
  Vec3d spin = kernels::turn(kernels::conjugate(axes), angular);
  const bool turns = !world.description(body).fixed_rotation;
  const auto over = [turns](double a, double moment) { return turns && moment > 0 ? a / moment : 0; };
  spin = {over(spin.x, mass.moments.x), over(spin.y, mass.moments.y), over(spin.z, mass.moments.z)};
  world.set_velocity(body,
                     kernels::narrow(kernels::widen(s.linear_velocity) + (1 / mass.mass) * kernels::widen(impulse)),
                     kernels::narrow(kernels::widen(s.angular_velocity) + kernels::turn(axes, spin)));
}

}  // namespace

void World::Impl::add_load(std::uint32_t at, Vec3 force, Vec3 torque) {
  synchronise();
  wake(at);
  const kernels::Bodies& b = arrays.bodies.view();
  const auto add = [&](Vec3* field, Vec3 a) {
    const Vec3 now = memory.get(field + at);
    memory.put(field + at, Vec3{now.x + a.x, now.y + a.y, now.z + a.z});
  };
  add(b.force, force);
  add(b.torque, torque);
}

Vec3d World::Impl::arm_of(std::uint32_t at, const BodyState& s, Vec3d point) {
  const Vec3d c = slots[at].centre_offset(s.orientation, scales.of(at).size);
  return {point.x - s.position.x - c.x, point.y - s.position.y - c.y, point.z - s.position.z - c.z};
}

const BodySlot& World::Impl::check_pushed(BodyHandle body, const char* call, Vec3 impulse) const {
  const std::uint32_t at = slot_of(body);
  articulations.refuse_link(call, at);
  const BodySlot& slot = slots[at];
  if (slot.body.type != BodyType::kDynamic) {
    throw InvalidArgument(std::string(call) + ": " + label(slot.body) + " must be dynamic");
  }
  check_vector(slot.body, "impulse", impulse);
  return slot;
}

void World::add_force(BodyHandle body, Vec3 force) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    check_vector(impl_->slots[at].body, "force", force);
    impl_->add_load(at, force, {});
    impl_->note<recording::kAddForce>(body, force);
  });
}

void World::add_torque(BodyHandle body, Vec3 torque) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    check_vector(impl_->slots[at].body, "torque", torque);
    impl_->add_load(at, {}, torque);
    impl_->note<&World::add_torque>(body, torque);
  });
}

void World::add_force(BodyHandle body, Vec3 force, Vec3d point) {
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    check_vector(impl_->slots[at].body, "force", force);
    check_vector(impl_->slots[at].body, "point", kernels::narrow(point));
    impl_->add_load(at, force, kernels::narrow(moment_of(impl_->arm_of(at, state(body), point), force)));
    impl_->note<recording::kAddForceAt>(body, force, point);
  });
}

void World::add_impulse(BodyHandle body, Vec3 impulse) {
  impl_->call([&] {
    impl_->check_pushed(body, "add_impulse", impulse);
    push(*this, body, impulse, {});
  });
}

void World::add_impulse(BodyHandle body, Vec3 impulse, Vec3d point) {
  impl_->call([&] {
    const BodySlot& slot = impl_->check_pushed(body, "add_impulse", impulse);
    check_vector(slot.body, "point", kernels::narrow(point));
    push(*this, body, impulse, moment_of(impl_->arm_of(impl_->slot_of(body), state(body), point), impulse));
  });
}

void World::add_angular_impulse(BodyHandle body, Vec3 impulse) {
  impl_->call([&] {
    impl_->check_pushed(body, "add_angular_impulse", impulse);
    push(*this, body, {}, kernels::widen(impulse));
  });
}

}  // namespace cairn
