#pragma once
// Closed forms of mechanics, as references for tests. Angles in radians, SI units.
// Sources: [L] Landau & Lifshitz, Mechanics, 3rd ed.; [G] Goldstein, Poole, Safko, Classical Mechanics, 3rd ed.;
// [S] Stronge, Impact Mechanics, 2000; [R] Routh, Dynamics of a System of Rigid Bodies, part I, 1905;
// [P] Paterson & Zwick, Overhang, Amer. Math. Monthly 116 (2009); [A] Abramowitz & Stegun, Handbook, ch. 16, 17.

#include <cmath>
#include <numbers>

#include "tests/reference/math.h"

namespace cairn::reference {

/// Position after t seconds under a constant acceleration: free fall and the projectile without air [G, section 1.1].
inline Vec3 projectile(Vec3 x0, Vec3 v0, Vec3 g, double t) { return x0 + t * v0 + 0.5 * t * t * g; }

/// The same by n steps of semi-implicit Euler (v += h g, then x += h v), whose sum is exact: t^2/2 becomes t (t + h)/2.
inline Vec3 projectile_stepped(Vec3 x0, Vec3 v0, Vec3 g, double h, int n) {
  const double t = h * n;
  return x0 + t * v0 + 0.5 * t * (t + h) * g;
}

/// Distance and time in which Coulomb friction stops a block that slides at v: the deceleration is mu g.
inline double sliding_stop_distance(double v, double mu, double g) { return v * v / (2 * mu * g); }
inline double sliding_stop_time(double v, double mu, double g) { return v / (mu * g); }

/// Acceleration down an incline: zero while tan(theta) <= mu, else g (sin - mu cos).
inline double incline_acceleration(double theta, double mu, double g) {
  return std::tan(theta) <= mu ? 0 : g * (std::sin(theta) - mu * std::cos(theta));
}

/// A solid sphere that rolls down without slipping: 5/7 g sin(theta) [R, art. 144]; possible for tan(theta) <= 7/2 mu.
inline double rolling_acceleration(double theta, double g) { return 5.0 / 7.0 * g * std::sin(theta); }
inline double rolling_limit_angle(double mu) { return std::atan(3.5 * mu); }

/// A solid sphere set down sliding at v0 without spin: friction mu m g spins it up until v = w r.
/// Angular momentum about the contact is conserved, 7/5 v1 = v0 [R, art. 147].
inline double slip_to_roll_speed(double v0) { return 5.0 / 7.0 * v0; }
inline double slip_to_roll_time(double v0, double mu, double g) { return 2 * v0 / (7 * mu * g); }
inline double slip_to_roll_distance(double v0, double mu, double g) { return 12 * v0 * v0 / (49 * mu * g); }

/// Height of the n-th bounce after a drop from h: speed falls by e at every impact, so height by e^2 [S, section 2.5].
inline double bounce_height(double h, double e, int n) { return h * std::pow(e, 2 * n); }

/// Speeds after a central impact of two bodies: momentum is conserved, the relative speed is multiplied by -e [S, 2.5].
struct ImpactSpeeds {
  double a, b;  ///< [m/s]
};
inline ImpactSpeeds central_impact(double ma, double va, double mb, double vb, double e) {
  const double p = (1 + e) * (va - vb) / (1 / ma + 1 / mb);
  return {va - p / ma, vb + p / mb};
}

/// Tilt at which a column of n cubes topples over its lower edge: the centre of mass, n/2 high, passes the edge at 1/2.
inline double topple_angle(int n) { return std::atan(1.0 / n); }
/// The same for a block of given half width and half height.
inline double topple_angle(double half_width, double half_height) { return std::atan(half_width / half_height); }

/// Spin at which a body at radius r slides off a turntable: w^2 r = mu g.
inline double turntable_limit(double mu, double g, double r) { return std::sqrt(mu * g / r); }

/// Max overhang of n equal bricks of length 1, stacked one by one, past a table's edge: sum of 1/(2i) [P].
inline double harmonic_overhang(int n) {
  double sum = 0;
  for (int i = 1; i <= n; ++i) sum += 1 / (2.0 * i);
  return sum;
}

/// Complete elliptic integral K of the first kind, from the complementary modulus k' = sqrt(1 - k^2):
/// pi / (2 agm(1, k')) [A, 17.6.3]. Near k = 1, k' keeps the digits that 1 - k^2 would lose.
inline double elliptic_k(double k_complement) {
  double a = 1, b = k_complement;
  while (std::abs(a - b) > 1e-15 * a) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (a + b);
}

/// Jacobi's elliptic functions at u, by the descending arithmetic-geometric mean [A, 16.4]. Needs k' > 0.
struct Jacobi {
  double sn, cn, dn;  ///< [1]
};
inline Jacobi jacobi(double u, double k, double k_complement) {
  constexpr int kMax = 32;  // the mean converges quadratically: 8 rounds serve even for k' = 1e-8
  double a[kMax], c[kMax];
  a[0] = 1;
  c[0] = k;
  double b = k_complement;
  int n = 0;
  while (std::abs(c[n]) > 1e-16 * a[n] && n + 1 < kMax) {
    a[n + 1] = 0.5 * (a[n] + b);
    c[n + 1] = 0.5 * (a[n] - b);
    b = std::sqrt(a[n] * b);
    ++n;
  }
  double phi = std::ldexp(a[n] * u, n);
  for (; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  const double sn = std::sin(phi);
  // dn^2 = k'^2 + k^2 cn^2 has no cancellation
  const double cn = std::cos(phi);
  return {sn, cn, std::hypot(k_complement, k * cn)};
}

/// Torque-free spin of a body with three different principal moments [L, section 37]. The form below has i1 < i2 < i3
/// and L^2 > 2 E i2; for smaller L^2 the first and third axes are swapped.
struct TorqueFreeSpin {
  double rate;          ///< [1/s] argument of the elliptic functions a second
  double k;             ///< [1]   modulus
  double k_complement;  ///< [1]   sqrt(1 - k^2)
  bool swapped;         ///< first and third axes have changed places
};

/// `moments` increasing, `w` in body axes. L^2 - 2 E i_j = sum of i (i - i_j) w^2, written so that nothing cancels.
inline TorqueFreeSpin torque_free_spin(Vec3 moments, Vec3 w) {
  const auto excess = [&](double m) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += moments[i] * (moments[i] - m) * w[i] * w[i];
    return sum;
  };
  const bool swapped = excess(moments.y) < 0;
  const double i1 = swapped ? moments.z : moments.x, i2 = moments.y, i3 = swapped ? moments.x : moments.z;
  const double d = (i3 - i2) * excess(i1);
  return {std::sqrt(d / (i1 * i2 * i3)), std::sqrt(-(i2 - i1) * excess(i3) / d), std::sqrt((i3 - i1) * excess(i2) / d),
          swapped};
}

/// Period of the angular velocity in the body's frame: 4 K / rate. A spin about the middle axis reverses twice in it,
/// so flips of the Dzhanibekov effect come every half period. (The orientation in space isn't periodic at all.)
inline double torque_free_period(Vec3 moments, Vec3 w) {
  const TorqueFreeSpin s = torque_free_spin(moments, w);
  return 4 * elliptic_k(s.k_complement) / s.rate;
}

/// Angular velocity in body axes, t seconds after it was `w`, for w.y = 0, w.x and w.z > 0 [L, equation 37.10].
inline Vec3 torque_free_velocity(Vec3 moments, Vec3 w, double t) {
  const TorqueFreeSpin s = torque_free_spin(moments, w);
  const Jacobi j = jacobi(s.rate * t, s.k, s.k_complement);
  const double i1 = s.swapped ? moments.z : moments.x, i3 = s.swapped ? moments.x : moments.z;
  const double w1 = s.swapped ? w.z : w.x;
  // the second amplitude follows from the first: i1 (i3 - i1) w1^2 = i2 (i3 - i2) w2^2 (by eliminating w3 at its
  // maximum)
  const double w2 = w1 * std::sqrt(i1 * (i3 - i1) / (moments.y * (i3 - moments.y)));
  return s.swapped ? Vec3{w.x * j.dn, w2 * j.sn, w.z * j.cn} : Vec3{w.x * j.cn, w2 * j.sn, w.z * j.dn};
}

/// Period of a pendulum of length l released at `amplitude` from the vertical: 4 sqrt(l/g) K(sin(amplitude/2)) [L,
/// section 11].
inline double pendulum_period(double length, double g, double amplitude) {
  return 4 * std::sqrt(length / g) * elliptic_k(std::cos(amplitude / 2));
}

}  // namespace cairn::reference
