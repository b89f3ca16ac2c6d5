// Residuals of the contact laws in the last step.

#include <algorithm>
#include <bit>

#include "src/exec/exact_floats.h"
#include "src/world/impl.h"

namespace cairn {

std::vector<ContactResidual> World::residuals() const {
  return impl_->call([&]() -> std::vector<ContactResidual> {
    impl_->synchronise();
    std::vector<ContactResidual> all(impl_->worlds.size());
    if (impl_->steps == 0) return all;
    impl_->arrays.residuals.reserve(all.size());
    StepContext s = impl_->context(impl_->params.dt);
    s.constants.inv_h = 1.0f / impl_->last_h;
    s.rows = impl_->arrays.rows(impl_->next_parity() ^ 1u);
    const kernels::Residuals& of = impl_->arrays.residuals.view();
    impl_->launch().run(s, of);
    const auto signorini = impl_->read(of.signorini, all.size()), coulomb = impl_->read(of.coulomb, all.size());
    const auto twist = impl_->read(of.twist, all.size()), cone = impl_->read(of.cone, all.size());
    const auto penetration = impl_->read(of.penetration, all.size()), points = impl_->read(of.points, all.size());
    const auto number = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = {number(signorini[i]), number(coulomb[i]),     number(twist[i]),
                number(cone[i]),      number(penetration[i]), points[i]};
    }
    return all;
  });
}

ContactResidual World::residual(std::uint32_t world) const {
  return impl_->call([&]() -> ContactResidual {
    impl_->world_at(world);
    return residuals()[world];
  });
}

ContactResidual World::residual() const {
  return impl_->call([&]() -> ContactResidual {
    ContactResidual worst;
    for (const ContactResidual& r : residuals()) {
      worst.signorini = std::max(worst.signorini, r.signorini);
      worst.coulomb = std::max(worst.coulomb, r.coulomb);
      worst.twist = std::max(worst.twist, r.twist);
      worst.cone = std::max(worst.cone, r.cone);
      worst.penetration = std::max(worst.penetration, r.penetration);
      worst.points += r.points;
    }
    return worst;
  });
}

}  // namespace cairn
