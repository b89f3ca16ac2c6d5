#include "src/world/masses.h"

#include <algorithm>

#include "kernels/scale/scale.h"

namespace cairn {

void MassRanges::restart(std::size_t worlds) {
  of_.assign(worlds, {});
  widest_ = 1;
}

void MassRanges::take(const BodySlot& slot) {
  if (!slot.alive || slot.link || slot.body.type != BodyType::kDynamic) return;
  Range& range = of_[slot.world];
  range.min = std::min(range.min, slot.mass.mass);
  range.max = std::max(range.max, slot.mass.mass);
  widest_ = std::max(widest_, range.max / range.min);
}

void MassRanges::take_own(const BodyScales& least, const BodyScales& most) {
  own_min_ = std::min(own_min_, kernels::inertial_scales(least).mass);
  own_max_ = std::max(own_max_, kernels::inertial_scales(most).mass);
}

void MassRanges::take_any_own() { own_max_ = std::numeric_limits<double>::infinity(); }

double MassRanges::ratio() const {
  // the device compares floats, and rounds the scales too
  constexpr double kRounding = 1 + 1e-5;
  return kRounding * widest_ * (own_max_ / own_min_);
}

}  // namespace cairn
