#pragma once
// A contact in direct solves: its Jacobian, and its law.

#include "kernels/common/direct.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// [1] Share of an approach that a contact leaves, for the impulse that would stop it alone: of normals; of friction
/// and twist, which start from their last impulses and so don't creep. Stiffer normals take more Newton steps.
inline constexpr double kDirectSoftness = 1e-4, kDirectFrictionSoftness = 1e-2;

/// Jacobian of a contact: the effect on its bodies of impulses along its rows.
struct DirectJacobian {
  Vec3 linear[kDirectRows], a[kDirectRows], b[kDirectRows];  ///< [1, kg^-1/2] linear of both, and angular of each body

  CAIRN_HD DirectJacobian(const RowBlock& row, std::uint32_t lane, const float (&centre)[2]) {
    const Vec3 n = load3<float>(row.normal, lane), none{0, 0, 0};
    const RowArms<float> arms(row, lane);
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      const bool some = j < row.count[lane];
      const Along<float> at = some ? load2<float>(row.point[j].place, lane) : Along<float>{0.0f, 0.0f};
      linear[j] = some ? n : none;
      a[j] = some ? arms.a.normal(at) : none;
      b[j] = some ? arms.b.normal(at) : none;
    }
    const Slide<float> slide(row, lane, n, {centre[0], centre[1]});
    linear[kFrictionRow] = slide.t0;
    a[kFrictionRow] = slide.a0;
    b[kFrictionRow] = slide.b0;
    linear[kFrictionRow + 1] = slide.t1;
    a[kFrictionRow + 1] = slide.a1;
    b[kFrictionRow + 1] = slide.b1;
    linear[kTwistRow] = none;
    a[kTwistRow] = arms.a.axes[2];
    b[kTwistRow] = arms.b.axes[2];
  }

  /// Row c for one body, with the sign of impulses on it.
  CAIRN_HD void at(std::uint32_t c, bool side_b, double (&j)[6]) const {
    const double sign = side_b ? 1.0 : -1.0;
    const Vec3 angular = side_b ? b[c] : a[c];
    for (int i = 0; i < 3; ++i) {
      j[i] = sign * double{component(linear[c], i)};
      j[3 + i] = sign * double{component(angular, i)};
    }
  }
};

/// The impulses l of a contact at velocities y, and D = -dl/dy (DirectSolve).
struct DirectLaw {
  const DirectRow& w;
  const RowBlock& row;
  std::uint32_t lane, points;
  double l[kDirectRows];                             ///< [N s, N s m]
  double normal[kManifoldPoints], xx, xy, yy, turn;  ///< [kg, kg m^2] D

  CAIRN_HD DirectLaw(const DirectRow& of, const RowBlock& in, std::uint32_t in_lane)
      : w(of), row(in), lane(in_lane), points(in.count[in_lane]) {}

  CAIRN_HD void at(const double (&y)[kDirectRows]) {
    for (std::uint32_t j = 0; j < kManifoldPoints; ++j) {
      const double stiffness = j < points ? double{row.point[j].mass[lane]} / kDirectSoftness : 0.0;
      l[j] = max(-stiffness * y[j], 0.0);
      normal[j] = y[j] < 0.0 ? stiffness : 0.0;
    }
    slide(y[kFrictionRow], y[kFrictionRow + 1]);
    const double t = w.held[2] - w.turn_hold * y[kTwistRow];
    l[kTwistRow] = clamp(t, -w.turn_bound, w.turn_bound);
    turn = w.turn_bound > 0.0 && l[kTwistRow] == t ? w.turn_hold : 0.0;
  }
  /// D x.
  CAIRN_HD double stiff(std::uint32_t c, const double (&x)[kDirectRows]) const {
    if (c < kManifoldPoints) return normal[c] * x[c];
    if (c == kTwistRow) return turn * x[c];
    return c == kFrictionRow ? fma(xx, x[c], xy * x[c + 1]) : fma(xy, x[c - 1], yy * x[c]);
  }

 private:
  CAIRN_HD void slide(double u0, double u1) {
    double x = w.held[0] - w.hold * u0, z = w.held[1] - w.hold * u1;
    const double size = sqrt(fma(x, x, z * z));
    xx = yy = w.hold;
    xy = 0.0;
    if (!(w.bound > 0.0)) {
      xx = yy = x = z = 0.0;
    } else if (size > w.bound) {
      const double e0 = x / size, e1 = z / size, over = w.bound / size;
      xx = over * w.hold * e1 * e1;
      xy = -over * w.hold * e0 * e1;
      yy = over * w.hold * e0 * e0;
      x = over * x;
      z = over * z;
    }
    l[kFrictionRow] = x;
    l[kFrictionRow + 1] = z;
  }
};

}  // namespace cairn::kernels
