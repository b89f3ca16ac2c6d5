#pragma once

#include "cairn/params.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// Coefficient of a pair of materials.
CAIRN_HD float mix(MixRule rule, float a, float b) {
  switch (rule) {
    case MixRule::kGeometricMean:
      return sqrt(a * b);
    case MixRule::kMin:
      return min(a, b);
    case MixRule::kMax:
      return max(a, b);
    case MixRule::kProduct:
      return a * b;
  }
  return 0.0f;
}

}  // namespace cairn::kernels
