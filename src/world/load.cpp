// Forces and torques.

#include <cmath>

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

}  // namespace

void World::Impl::add_load(std::uint32_t at, Vec3 force, Vec3 torque) {
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
  impl_->call([&] {
    const std::uint32_t at = impl_->slot_of(body);
    check_vector(impl_->slots[at].body, "force", force);
    impl_->add_load(at, force, {});
    impl_->note<&World::add_force>(body, force);
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

void World::add_force_at(BodyHandle body, Vec3 force, Vec3d point) {
  impl_->call([&] {
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
  });
}

}  // namespace cairn
