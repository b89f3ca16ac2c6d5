// Conditions for the inertia of a rigid body, and the nearest one that meets them.

#include <algorithm>
#include <cmath>
#include <limits>

#include "cairn/mass.h"
#include "src/exec/exact_floats.h"
#include "src/mass/tensor.h"
#include "src/scene/text.h"

namespace cairn {
namespace {

using mass::Matrix;
using mass::Vector;

constexpr double kRounding = 0x1p-24;
/// [1] of the largest moment: min moment of a repaired inertia
constexpr double kMinMoment = 1e-6;

bool finite(const Vec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// [kg m^2] Possible error of principal moments by rounding of the tensor's entries to float; 0 if they are given
/// directly.
double slack_of(const Inertia& inertia) {
  if (inertia.products == Vec3{}) return 0;
  const Vec3& m = inertia.moments;
  return 4 * kRounding * (std::abs(double{m.x}) + std::abs(double{m.y}) + std::abs(double{m.z}));
}

std::string text(const Vector& v) {
  const auto f = [](double x) { return rules::digits(static_cast<float>(x)); };
  return "(" + f(v[0]) + ", " + f(v[1]) + ", " + f(v[2]) + ")";
}

double square(double v) { return v * v; }

/// The nearest point to `moments` of the cone where no moment exceeds the sum of the other two: tries the cone itself,
/// its sides and its edges. Its edges are the moments of rods, such as (0, 1, 1).
Vector nearest(const Vector& moments) {
  // in terms of rods along each axis, s_i = (sum - 2 moment_i) / 2, the cone is s >= 0
  const double half = (moments[0] + moments[1] + moments[2]) / 2;
  if (half - moments[0] >= 0 && half - moments[1] >= 0 && half - moments[2] >= 0) return moments;
  Vector best{};
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](const Vector& v) {
    const double d = square(v[0] - moments[0]) + square(v[1] - moments[1]) + square(v[2] - moments[2]);
    if (d < least) {
      least = d;
      best = v;
    }
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    // the side where moment i is the sum of the other two, if its foot lies between that side's edges
    const double excess = (moments[i] - moments[j] - moments[k]) / 3;
    Vector foot{};
    foot[i] = moments[i] - excess;
    foot[j] = moments[j] + excess;
    foot[k] = moments[k] + excess;
    if (foot[j] >= 0 && foot[k] >= 0) offer(foot);
    // the edge of rods along i
    const double along = std::max(0.0, (moments[j] + moments[k]) / 2);
    Vector rod{};
    rod[j] = rod[k] = along;
    offer(rod);
  }
  return best;
}

}  // namespace

std::string fault_of(const Inertia& inertia) {
  const exec::ExactFloats exact;
  if (!finite(inertia.moments) || !finite(inertia.products)) return "must be finite";
  Matrix tensor = mass::tensor_of(inertia);
  if (inertia.products != Vec3{}) mass::diagonalise(tensor);
  const Vector m = mass::diagonal(tensor);
  const double slack = slack_of(inertia);
  const bool principal = inertia.products == Vec3{};
  const std::string kind = principal ? "moment" : "principal moment";
  if (std::ranges::any_of(m, [&](double v) { return !(v > 0); }))
    return "must have no " + kind + " that isn't over 0, is " + text(m);
  // a flat plate has I_z = I_x + I_y exactly, and each of the three was rounded to float
  const double share = 1 + 8 * kRounding;
  if (m[0] > share * (m[1] + m[2]) + slack || m[1] > share * (m[0] + m[2]) + slack ||
      m[2] > share * (m[0] + m[1]) + slack) {
    return "must have no " + kind + " above the sum of the other two, is " + text(m);
  }
  return {};
}

Inertia repaired(const Inertia& inertia) {
  const exec::ExactFloats exact;
  if (fault_of(inertia).empty()) return inertia;
  if (!finite(inertia.moments) || !finite(inertia.products))
    throw InvalidArgument("inertia: can't be repaired, since it isn't finite");
  Matrix tensor = mass::tensor_of(inertia);
  const Matrix axes = mass::diagonalise(tensor);
  Vector m = nearest(mass::diagonal(tensor));
  const double most = std::max({m[0], m[1], m[2]});
  if (!(most > 0)) throw InvalidArgument("inertia: can't be repaired, since no principal moment of it is over 0");
  for (double& v : m) v = std::max(v, kMinMoment * most);
  return mass::inertia_of(mass::turned(axes, m));
}

}  // namespace cairn
