#pragma once
// A tetrahedron of an elastic solid: its strain, the gradients by its particles, and its compliance.

#include "kernels/common/constraints.h"
#include "kernels/common/frame.h"
#include "kernels/particles/shape_matching.h"

namespace cairn::kernels {

/// The strain of a tetrahedron: R^T F - 1, with F its deformation and R the nearest rotation. It is symmetric.
struct ElementMeasure {
  double strain[kElementStrains];              ///< [1]
  Vec3d by[kElementStrains][kConstraintEnds];  ///< [1/m] gradients by the positions of its particles, turned back by R
  Quatd turn;                                  ///< [1] R
};

/// [1] Min determinant of tr(S) - S, over its trace cubed. Below it two rotations are equally near, and the change of R
/// by a strain is unknown.
inline constexpr double kMinDeterminant = 1e-9;

/// The inverse of tr(S) - S; 0 if there is none.
CAIRN_HD Mat3d inverse_of_turn(const Mat3d& s) {
  const double trace = s.x.x + s.y.y + s.z.z;
  const Vec3d x{trace - s.x.x, -s.x.y, -s.x.z}, y{-s.x.y, trace - s.y.y, -s.y.z}, z{-s.x.z, -s.y.z, trace - s.z.z};
  const Vec3d yz = cross(y, z), zx = cross(z, x), xy = cross(x, y);
  const double det = dot(x, yz), least = kMinDeterminant * (8.0 * trace * trace * trace);
  if (!(trace > 0.0) || !(det > least)) return {};
  const double by = 1.0 / det;
  return {by * yz, by * zx, by * xy};
}

/// From positions relative to particle 0. The strain is S - 1 with S = R^T F. R turns with F so that S stays symmetric:
/// with d the change of R^T F while R is held, R turns by (tr(S) - S)^-1 w(d), where w(d) is twice the axial vector of
/// d. For a strain T : S, T = e_i e_j^T + e_j e_i^T or e_i e_i^T, the part of R is subtracted: its gradient is T b - u
/// x b instead of T b, with u = (tr(S) - S)^-1 w(T S). So a rotation of all particles changes no strain, and their
/// impulses have no moment.
CAIRN_HD ElementMeasure measure_element(const ConstraintElement& e, const Vec3d (&r)[kConstraintEnds]) {
  Vec3d f[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};  // columns of F
  for (int i = 0; i < 3; ++i) {
    f[0] = fma(e.by[i].x, r[i + 1] - r[0], f[0]);
    f[1] = fma(e.by[i].y, r[i + 1] - r[0], f[1]);
    f[2] = fma(e.by[i].z, r[i + 1] - r[0], f[2]);
  }
  ElementMeasure m;
  m.turn = nearest_rotation(f);
  const Quatd back = conjugate(m.turn);
  const Vec3d x = rotate(back, f[0]), y = rotate(back, f[1]), z = rotate(back, f[2]);
  const double xy = 0.5 * (y.x + x.y), yz = 0.5 * (z.y + y.z), zx = 0.5 * (x.z + z.x);
  const double strain[kElementStrains] = {x.x - 1.0, y.y - 1.0, z.z - 1.0, 2.0 * xy, 2.0 * yz, 2.0 * zx};
  const Mat3d turning = inverse_of_turn({{x.x, xy, zx}, {xy, y.y, yz}, {zx, yz, z.z}});
  const Vec3d w[kElementStrains] = {{0, zx, -xy},         {-yz, 0, xy},         {yz, -zx, 0},
                                    {-zx, yz, x.x - y.y}, {y.y - z.z, -xy, zx}, {xy, z.z - x.x, -yz}};
  for (int a = 0; a < kElementStrains; ++a) {
    m.strain[a] = strain[a];
    const Vec3d u{dot(turning.x, w[a]), dot(turning.y, w[a]), dot(turning.z, w[a])};
    m.by[a][0] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
      const Vec3d b = e.by[i];
      const Vec3d along[kElementStrains] = {{b.x, 0, 0},   {0, b.y, 0},   {0, 0, b.z},
                                            {b.y, b.x, 0}, {0, b.z, b.y}, {b.z, 0, b.x}};
      m.by[a][i + 1] = along[a] - cross(u, b);
      m.by[a][0] = m.by[a][0] - m.by[a][i + 1];
    }
  }
  return m;
}

/// [1] Hooke's law: the strains of an isotropic solid under stresses p, times its Young's modulus.
CAIRN_HD void hooke(double poisson_ratio, const double (&p)[kElementStrains], double (&strain)[kElementStrains]) {
  const double sum = p[0] + p[1] + p[2], own = 1.0 + poisson_ratio;
  for (int a = 0; a < 3; ++a) {
    strain[a] = fma(own, p[a], -(poisson_ratio * sum));
    strain[a + 3] = 2.0 * own * p[a + 3];
  }
}

/// Von Mises stress.
CAIRN_HD double von_mises(const double (&p)[kElementStrains]) {
  const double xy = p[0] - p[1], yz = p[1] - p[2], zx = p[2] - p[0];
  const double shear = p[3] * p[3] + p[4] * p[4] + p[5] * p[5];
  return sqrt(0.5 * (xy * xy + yz * yz + zx * zx) + 3.0 * shear);
}

/// Solves a x = b for a symmetric positive definite a, of which the lower half is read, by L D L^T; x is returned in b.
/// False if a isn't positive definite.
CAIRN_HD bool solve_element(double (&a)[kElementStrains][kElementStrains], double (&b)[kElementStrains]) {
  for (int i = 0; i < kElementStrains; ++i) {
    for (int j = 0; j < i; ++j) {
      // a[i][j] is L D there, and becomes L once its column is done
      for (int k = 0; k < j; ++k) a[i][j] = fma(-a[i][k], a[j][k] * a[k][k], a[i][j]);
      a[i][j] = a[i][j] / a[j][j];
    }
    for (int k = 0; k < i; ++k) a[i][i] = fma(-a[i][k], a[i][k] * a[k][k], a[i][i]);
    if (!(a[i][i] > 0.0)) return false;
  }
  for (int i = 0; i < kElementStrains; ++i) {
    for (int k = 0; k < i; ++k) b[i] = fma(-a[i][k], b[k], b[i]);
  }
  for (int i = kElementStrains; i-- > 0;) {
    b[i] = b[i] / a[i][i];
    for (int k = i + 1; k < kElementStrains; ++k) b[i] = fma(-a[k][i], b[k], b[i]);
  }
  return true;
}

}  // namespace cairn::kernels
