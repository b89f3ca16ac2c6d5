#pragma once
// Shape matching: the nearest pose of a cluster's initial shape to its particles.

#include "kernels/common/constraints.h"

namespace cairn::kernels {

/// A symmetric matrix of four rows; the eigenvectors found so far are the columns of `v`.
struct Eigen4 {
  double a[4][4];  ///< [m^2]
  double v[4][4];  ///< [1]

  /// Rotates rows p and q so that a[p][q] is 0 (Jacobi 1846; Golub and Van Loan, Matrix Computations, 8.5).
  CAIRN_HD void rotate_away(int p, int q) {
    if (a[p][q] == 0.0) return;
    const double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    const double t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(fma(theta, theta, 1.0)));
    const double c = 1.0 / sqrt(fma(t, t, 1.0)), s = t * c;
    const auto turn = [&](double& of_p, double& of_q) {
      const double x = of_p, y = of_q;
      of_p = c * x - s * y;
      of_q = s * x + c * y;
    };
    for (int k = 0; k < 4; ++k) turn(a[k][p], a[k][q]);
    for (int k = 0; k < 4; ++k) turn(a[p][k], a[q][k]);
    a[p][q] = a[q][p] = 0.0;
    for (int k = 0; k < 4; ++k) turn(v[k][p], v[k][q]);
  }
};

/// [1] Sweeps of Jacobi's method, which converges quadratically: four reduce any matrix of four rows to rounding, with
/// rare exceptions.
inline constexpr int kEigenSweeps = 8;

/// The rotation R that minimizes the sum of share |r - R q|^2, from the sums of share q.x r, share q.y r and share q.z
/// r about the centres. Its quaternion is the eigenvector of Horn's matrix with the largest eigenvalue (Horn 1987,
/// "Closed-form solution of absolute orientation using unit quaternions"). A function of the points alone, so that
/// nothing is kept from one step to the next. It never mirrors. Points on a plane, on a line or at one place have one,
/// too, though perhaps not a unique one.
CAIRN_HD Quatd nearest_rotation(const Vec3d (&s)[3]) {
  const Vec3d x = s[0], y = s[1], z = s[2];
  // by w, x, y, z
  Eigen4 m{{{x.x + y.y + z.z, y.z - z.y, z.x - x.z, x.y - y.x},
            {y.z - z.y, x.x - y.y - z.z, x.y + y.x, z.x + x.z},
            {z.x - x.z, x.y + y.x, y.y - x.x - z.z, y.z + z.y},
            {x.y - y.x, z.x + x.z, y.z + z.y, z.z - x.x - y.y}},
           {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  for (int sweep = 0; sweep < kEigenSweeps; ++sweep) {
    for (int p = 0; p < 3; ++p) {
      for (int q = p + 1; q < 4; ++q) m.rotate_away(p, q);
    }
  }
  int most = 0;
  for (int i = 1; i < 4; ++i) {
    if (m.a[i][i] > m.a[most][most]) most = i;
  }
  return {m.v[1][most], m.v[2][most], m.v[3][most], m.v[0][most]};
}

/// The nearest pose of a shape to its particles.
struct Matched {
  Vec3d centre;  ///< [m]
  Quatd turn;    ///< [1] from their initial orientation

  /// [m] Distance vector of a particle at r from its place.
  CAIRN_HD Vec3d off(const ClusterMember& member, Vec3d r) const { return (r - centre) - rotate(turn, member.rest); }
};

/// For `count` particles, with place(i) the position of the i-th [m]. Sums are in order.
template <class Place>
CAIRN_HD Matched match_shape(const ClusterMember* members, std::uint32_t count, const Place& place) {
  Vec3d centre{0, 0, 0}, s[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3d q = members[i].rest, r = members[i].share * place(i);
    centre = centre + r;
    // the centre needn't be subtracted: shares of the rest add up to 0
    s[0] = fma(q.x, r, s[0]);
    s[1] = fma(q.y, r, s[1]);
    s[2] = fma(q.z, r, s[2]);
  }
  return {centre, nearest_rotation(s)};
}

}  // namespace cairn::kernels
