#include "tests/reference/integrate.h"

namespace cairn::reference {
namespace {

// the rate of a motion, in the form of a motion whose quaternion isn't unit
Motion rate(const Inertia& inertia, const Mat3& inv, const Motion& s) {
  const Vec3 w = s.w_body;
  return {{s.v, 0.5 * (s.pose.q * Quat{0, w.x, w.y, w.z})}, {}, inv * -cross(w, inertia.tensor * w)};
}

Motion advanced(const Motion& s, double h, const Motion& k) {
  return {{s.pose.x + h * k.pose.x, s.pose.q + h * k.pose.q}, s.v + h * k.v, s.w_body + h * k.w_body};
}

}  // namespace

Motion integrate(const Inertia& inertia, Motion s, double h, int n) {
  const Mat3 inv = inverse(inertia.tensor);
  for (int i = 0; i < n; ++i) {
    const Motion k1 = rate(inertia, inv, s);
    const Motion k2 = rate(inertia, inv, advanced(s, h / 2, k1));
    const Motion k3 = rate(inertia, inv, advanced(s, h / 2, k2));
    const Motion k4 = rate(inertia, inv, advanced(s, h, k3));
    s = advanced(advanced(advanced(advanced(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    s.pose.q = normalized(s.pose.q);
  }
  return s;
}

double kinetic_energy(const Inertia& inertia, const Motion& s) {
  return 0.5 * inertia.mass * dot(s.v, s.v) + 0.5 * dot(s.w_body, inertia.tensor * s.w_body);
}

Vec3 spin_momentum(const Inertia& inertia, const Motion& s) { return rotate(s.pose.q, inertia.tensor * s.w_body); }

}  // namespace cairn::reference
