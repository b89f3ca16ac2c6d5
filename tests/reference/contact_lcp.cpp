#include "tests/reference/contact_lcp.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace cairn::reference {
namespace {

// An extrapolation across a change of case (stick, slip, apart) can be worse than plain sweeps. If it is this much
// worse than the best residual, the extrapolation restarts.
constexpr double kWorse = 10;

// rows: normal, then two tangents
Mat3 frame_of(Vec3 normal) {
  const Vec3 t = any_perpendicular(normal);
  return {{normal, t, cross(normal, t)}};
}

// change of the contact's velocity by a unit impulse there, for one body: 1/m - [r] I^-1 [r]
Mat3 mobility(const ContactBody& body, Vec3 r) {
  const Mat3 r_cross{{Vec3{0, -r.z, r.y}, Vec3{r.z, 0, -r.x}, Vec3{-r.y, r.x, 0}}};
  return body.inv_mass * diagonal({1, 1, 1}) + r_cross * body.inv_inertia * transpose(r_cross);
}

// W in the contact's frame: u = W p + u_free
Mat3 contact_mobility(const std::vector<ContactBody>& bodies, const ContactPoint& c, const Mat3& frame) {
  const Mat3 world = mobility(bodies[c.a], c.arm_a) + mobility(bodies[c.b], c.arm_b);
  return frame * world * transpose(frame);
}

// The impulse of one contact alone, with u = W p + q in its frame (q.x holds the bias).
Vec3 solve_block(const Mat3& w, Vec3 q, double mu) {
  if (q.x >= 0) return {};
  if (mu == 0) return {-q.x / w.row[0].x, 0, 0};
  const Vec3 stick = -(inverse(w) * q);
  if (stick.x >= 0 && std::hypot(stick.y, stick.z) <= mu * stick.x) return stick;

  // Slip: u_n = 0 gives p_n; u_t = -alpha p_t leaves (S + alpha 1) p_t = -r with S the Schur complement of W_nn. At
  // alpha = 0 the impulse is outside the cone, for alpha -> infinity it is (-q_n/W_nn, 0), inside: so the cone's
  // surface is crossed in between.
  const double wn = w.row[0].x, w1 = w.row[0].y, w2 = w.row[0].z;
  const double s11 = w.row[1].y - w1 * w1 / wn, s12 = w.row[1].z - w1 * w2 / wn, s22 = w.row[2].z - w2 * w2 / wn;
  const double r1 = q.y - w1 * q.x / wn, r2 = q.z - w2 * q.x / wn;
  const auto at = [&](double alpha) {
    const double d1 = s11 + alpha, d2 = s22 + alpha, det = d1 * d2 - s12 * s12;
    const double p1 = (s12 * r2 - d2 * r1) / det, p2 = (s12 * r1 - d1 * r2) / det;
    return Vec3{-(q.x + w1 * p1 + w2 * p2) / wn, p1, p2};
  };
  // alpha = scale t/(1-t) maps the half line to 0..1; bisect to the last bit
  const double scale = s11 + s22;
  double low = 0, high = 1;
  while (true) {
    const double t = 0.5 * (low + high);
    if (t <= low || t >= high) return at(scale * low / (1 - low));
    const Vec3 p = at(scale * t / (1 - t));
    (std::hypot(p.y, p.z) > mu * p.x ? low : high) = t;
  }
}

using Vector = std::vector<double>;

double inner(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
Vector minus(Vector a, double s, const Vector& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= s * b[i];
  return a;
}

// Anderson's extrapolation of a fixed-point iteration p -> g(p) (Anderson, J. ACM 12, 1965; Walker & Ni, 2011): the
// combination of past sweeps whose changes f = g(p) - p cancel best. While no contact changes its case, a sweep is
// linear and this is GMRES: as many sweeps as there are degrees of freedom solve it, for any height of the stack and
// any ratio of masses.
class Anderson {
 public:
  explicit Anderson(std::size_t most) : max_(most) {}
  void clear() { f_.clear(), g_.clear(); }

  Vector next(const Vector& p, Vector g) {
    Vector f = minus(g, 1, p);
    f_.push_front(f);
    g_.push_front(g);
    if (f_.size() > max_ + 1) f_.pop_back(), g_.pop_back();
    // least squares by Gram and Schmidt, newest difference first; differences that depend on earlier ones are left out
    std::vector<Vector> df, dg;
    for (std::size_t i = 0; i + 1 < f_.size(); ++i) {
      Vector u = minus(f_[i], 1, f_[i + 1]), v = minus(g_[i], 1, g_[i + 1]);
      const double size = std::sqrt(inner(u, u));
      for (int twice = 0; twice < 2; ++twice) {
        for (std::size_t j = 0; j < df.size(); ++j) {
          const double along = inner(df[j], u);
          u = minus(u, along, df[j]);
          v = minus(v, along, dg[j]);
        }
      }
      const double left = std::sqrt(inner(u, u));
      if (left <= kDependent * size) continue;
      df.push_back(minus(Vector(u.size()), -1 / left, u));
      dg.push_back(minus(Vector(v.size()), -1 / left, v));
    }
    for (std::size_t j = 0; j < df.size(); ++j) g = minus(g, inner(df[j], f), dg[j]);
    return g;
  }

 private:
  static constexpr double kDependent = 1e-8;
  std::size_t max_;
  std::deque<Vector> f_, g_;
};

}  // namespace

Vec3 relative_velocity(const std::vector<ContactBody>& bodies, const ContactPoint& c) {
  const ContactBody &a = bodies[c.a], &b = bodies[c.b];
  return b.v + cross(b.w, c.arm_b) - a.v - cross(a.w, c.arm_a) + c.belt;
}

void apply_impulse(std::vector<ContactBody>& bodies, const ContactPoint& c, Vec3 p) {
  ContactBody &a = bodies[c.a], &b = bodies[c.b];
  a.v -= a.inv_mass * p;
  a.w -= a.inv_inertia * cross(c.arm_a, p);
  b.v += b.inv_mass * p;
  b.w += b.inv_inertia * cross(c.arm_b, p);
}

ContactResidual contact_residual(const std::vector<ContactBody>& bodies, const std::vector<ContactPoint>& contacts) {
  ContactResidual worst;
  for (const ContactPoint& c : contacts) {
    const Mat3 frame = frame_of(c.normal);
    const Mat3 w = contact_mobility(bodies, c, frame);
    const double scale = std::max({w.row[0].x, w.row[1].y, w.row[2].z});
    const Vec3 u = frame * relative_velocity(bodies, c), p = frame * c.impulse;
    const double normal = p.x - std::max(0.0, p.x - (u.x + c.bias) / scale);
    const double t1 = p.y - u.y / scale, t2 = p.z - u.z / scale;
    const double bound = c.friction * std::max(0.0, p.x), size = std::hypot(t1, t2);
    const double inward = size > bound ? bound / size : 1;
    worst.signorini = std::max(worst.signorini, std::abs(normal) * scale);
    worst.coulomb = std::max(worst.coulomb, std::hypot(p.y - inward * t1, p.z - inward * t2) * scale);
  }
  return worst;
}

ContactSolution solve_contacts(std::vector<ContactBody>& bodies, std::vector<ContactPoint>& contacts, double tolerance,
                               int max_sweeps) {
  std::vector<Mat3> frames, mobilities;
  for (const ContactPoint& c : contacts) {
    frames.push_back(frame_of(c.normal));
    mobilities.push_back(contact_mobility(bodies, c, frames.back()));
  }
  const std::vector<ContactBody> free = bodies;
  const auto set_impulses = [&](const Vector& p) {
    bodies = free;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      contacts[k].impulse = {p[3 * k], p[3 * k + 1], p[3 * k + 2]};
      apply_impulse(bodies, contacts[k], contacts[k].impulse);
    }
  };
  const auto impulses = [&] {
    Vector p;
    for (const ContactPoint& c : contacts) p.insert(p.end(), {c.impulse.x, c.impulse.y, c.impulse.z});
    return p;
  };
  const auto sweep = [&] {
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      ContactPoint& c = contacts[k];
      // u without this contact's own impulse, including the bias
      const Vec3 own = mobilities[k] * (frames[k] * c.impulse);
      const Vec3 q = frames[k] * relative_velocity(bodies, c) - own + Vec3{c.bias, 0, 0};
      const Vec3 p = transpose(frames[k]) * solve_block(mobilities[k], q, c.friction);
      apply_impulse(bodies, c, p - c.impulse);
      c.impulse = p;
    }
  };

  ContactSolution solution;
  Anderson extrapolation(6 * bodies.size());
  Vector start = impulses();
  set_impulses(start);
  double best = std::numeric_limits<double>::infinity();
  while (true) {
    // checked after a sweep, before the extrapolation, so that the solution is within its cones to the last bit
    solution.residual = contact_residual(bodies, contacts);
    const double now = solution.residual.largest();
    if (now <= tolerance) return solution;
    if (solution.sweeps == max_sweeps) {
      std::ostringstream message;
      message << "solve_contacts: residual " << now << " m/s after " << max_sweeps << " sweeps, allowed " << tolerance;
      throw std::runtime_error(message.str());
    }
    if (now > kWorse * best) {
      extrapolation.clear();
      best = std::numeric_limits<double>::infinity();
    } else if (solution.sweeps > 0) {
      best = std::min(best, now);
      set_impulses(extrapolation.next(start, impulses()));
    }
    start = impulses();
    sweep();
    ++solution.sweeps;
  }
}

}  // namespace cairn::reference
