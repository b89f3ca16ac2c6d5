#pragma once
// The motion of bodies through a step.

#include "kernels/bound/reach.h"
#include "kernels/finish/finish.h"

namespace cairn::kernels {

/// True for a body that moves in a step, by itself or with the velocity that its user sets.
CAIRN_HD bool moves(std::uint32_t flags) { return takes_part(flags) && (is_dynamic(flags) || is_kinematic(flags)); }

/// [m] Motion by rotation of the parts of body i outside its inner ball.
CAIRN_HD float turned_way(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  const Vec3 w = bodies.solve[i].w;
  const float speed = length(is_dynamic(bodies.flags[i]) ? bodies.inv_sqrt_inertia[i] * w : w);
  return farthest_move(bodies, i, 0.0f, speed * k.dt);
}

/// [m] Motion of the surface of body i.
CAIRN_HD float way_of_surface(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return length(bodies.solve[i].dx) + turned_way(k, bodies, i);
}

/// False if the length of a body's motion overflows a float. `ccd` ignores such a body: it freezes its world, and
/// whether `ccd` runs at all depends on the other worlds of the batch.
CAIRN_HD bool has_way(const StepConstants& k, const Bodies& bodies, std::uint32_t i) {
  return !moves(bodies.flags[i]) || finite(way_of_surface(k, bodies, i));
}

/// [m] Motion beyond its box: something kicked the body within the step.
CAIRN_HD float way_past_box(const StepConstants& k, const Bodies& bodies, const Worlds& worlds, std::uint32_t i) {
  if (!is_awake_free(bodies.flags[i])) return 0.0f;
  const float way = way_of_surface(k, bodies, i);
  return finite(way) && way > far_move(bodies, i) ? max(way - reach_of_step(k, bodies, worlds, i), 0.0f) : 0.0f;
}

/// The fraction of the step's motion that a body completes, from its mark.
CAIRN_HD float share_of(std::uint32_t stop) { return stop != 0 ? float_of(~stop) : 1.0f; }

/// Motion of one of two bodies through a step.
struct Way {
  Vec3d x0, dx;  ///< [m] relative to body A's start
  bool far;      ///< x0 has more digits than a float
  Quatd q0, q1;  ///< [1]
  double turn;   ///< [m] max motion of its surface by rotation
  double end;    ///< [1] fraction of the motion at which it stops
};

/// Interpolates two orientations, the shorter way round.
CAIRN_HD Quat between(const Quatd& a, const Quatd& b, double t) {
  const double s = dot(a, b) < 0.0 ? -t : t;
  const double r = 1.0 - t;
  const Quatd q{fma(r, a.x, s * b.x), fma(r, a.y, s * b.y), fma(r, a.z, s * b.z), fma(r, a.w, s * b.w)};
  const double l = sqrt(dot(q, q));
  return narrow(Quatd{q.x / l, q.y / l, q.z / l, q.w / l});
}

}  // namespace cairn::kernels
