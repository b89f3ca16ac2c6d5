#pragma once
// Rays against round and straight shapes, by closed forms, in the shape's own frame. A ray that begins inside hits at
// once, with a normal against its direction.

#include "kernels/collide/convex.h"

namespace cairn::kernels {

struct RayHit {
  bool hit;
  double t;  ///< [m]
  Vec3d n;   ///< [1] unit, off the shape
};
CAIRN_HD RayHit no_hit() { return {false, 0.0, {0, 0, 0}}; }
CAIRN_HD RayHit hit_inside(Vec3d d) { return {true, 0.0, -d}; }
CAIRN_HD RayHit hit_at(double t, Vec3d n) { return {true, t, (1.0 / length(n)) * n}; }

/// Entry of the ray o + t d, d unit, into a ball about the origin.
CAIRN_HD RayHit ray_ball(Vec3d o, Vec3d d, double radius) {
  const double r2 = radius * radius;
  if (dot(o, o) <= r2) return hit_inside(d);
  const double towards = -dot(o, d);
  if (!(towards > 0.0)) return no_hit();
  // from the nearest point of the line, so that a ball far away is as round as a near one
  const Vec3d foot = fma(towards, d, o);
  const double h2 = r2 - dot(foot, foot);
  if (!(h2 >= 0.0)) return no_hit();
  const double t = max(towards - sqrt(h2), 0.0);
  return hit_at(t, fma(t, d, o));
}

CAIRN_HD RayHit ray_box(Vec3d o, Vec3d d, Vec3d half) {
  double in = 0.0, out = 1e300;
  int axis = -1;
  for (int i = 0; i < 3; ++i) {
    const double oi = component(o, i), di = component(d, i), h = component(half, i);
    if (di == 0.0) {
      if (abs(oi) > h) return no_hit();
      continue;
    }
    const double a = (-h - oi) / di, b = (h - oi) / di;
    if (min(a, b) > in) in = min(a, b), axis = i;
    out = min(out, max(a, b));
  }
  if (in > out || out < 0.0) return no_hit();
  if (axis < 0) return hit_inside(d);
  const double side = component(d, axis) > 0.0 ? -1.0 : 1.0;
  return {true, in, {axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0}};
}

/// The first of two.
CAIRN_HD RayHit first_of(RayHit x, RayHit y) { return x.hit && (!y.hit || x.t <= y.t) ? x : y; }

/// The wall x^2 + y^2 = (middle + slope z)^2 where |z| <= half, from outside.
CAIRN_HD RayHit ray_wall(Vec3d o, Vec3d d, double middle, double slope, double half) {
  // from the point of the line that is nearest to the origin
  const double shift = -dot(o, d);
  const Vec3d p = fma(shift, d, o);
  const double rp = fma(slope, p.z, middle), rd = slope * d.z;
  const double a = fma(d.x, d.x, fma(d.y, d.y, -(rd * rd)));
  const double b = fma(p.x, d.x, fma(p.y, d.y, -(rp * rd)));
  const double c = fma(p.x, p.x, fma(p.y, p.y, -(rp * rp)));
  double roots[2];
  int count = 0;
  if (abs(a) < 1e-14) {
    if (b != 0.0) roots[count++] = -c / (2.0 * b);
  } else {
    const double under = fma(b, b, -(a * c));
    if (under < 0.0) return no_hit();
    // without a difference of near numbers
    const double q = -(b + (b < 0.0 ? -sqrt(under) : sqrt(under)));
    roots[count++] = q / a;
    if (q != 0.0) roots[count++] = c / q;
  }
  RayHit best = no_hit();
  for (int i = 0; i < count; ++i) {
    const double t = roots[i] + shift;
    const Vec3d at = fma(t, d, o);
    const double radius = fma(slope, at.z, middle);
    const Vec3d n{at.x, at.y, -slope * radius};
    if (!(t >= 0.0) || abs(at.z) > half || radius < 0.0 || !(dot(n, d) < 0.0)) continue;
    best = first_of(best, hit_at(t, n));
  }
  return best;
}

/// The disc of a radius at height z, hit from its side `up`.
CAIRN_HD RayHit ray_disc(Vec3d o, Vec3d d, double radius, double z, double up) {
  if (!(d.z * up < 0.0)) return no_hit();
  const double t = (z - o.z) / d.z;
  const Vec3d at = fma(t, d, o);
  if (!(t >= 0.0) || fma(at.x, at.x, at.y * at.y) > radius * radius) return no_hit();
  return {true, t, {0, 0, up}};
}

CAIRN_HD RayHit ray_frustum(Vec3d o, Vec3d d, double bottom, double top, double half) {
  const double middle = 0.5 * (bottom + top), slope = (top - bottom) / (2.0 * half);
  const double own = fma(slope, o.z, middle);
  if (abs(o.z) <= half && fma(o.x, o.x, o.y * o.y) <= own * own) return hit_inside(d);
  RayHit best = ray_wall(o, d, middle, slope, half);
  best = first_of(best, ray_disc(o, d, bottom, -half, -1.0));
  return first_of(best, ray_disc(o, d, top, half, 1.0));
}

CAIRN_HD RayHit ray_capsule(Vec3d o, Vec3d d, double radius, double half) {
  const Vec3d from{o.x, o.y, o.z - clamp(o.z, -half, half)};
  if (dot(from, from) <= radius * radius) return hit_inside(d);
  RayHit best = ray_wall(o, d, radius, 0.0, half);
  best = first_of(best, ray_ball({o.x, o.y, o.z - half}, d, radius));
  return first_of(best, ray_ball({o.x, o.y, o.z + half}, d, radius));
}

CAIRN_HD RayHit ray_ellipsoid(Vec3d o, Vec3d d, Vec3d radii) {
  const Vec3d scaled_o{o.x / radii.x, o.y / radii.y, o.z / radii.z};
  const Vec3d scaled_d{d.x / radii.x, d.y / radii.y, d.z / radii.z};
  const double l = length(scaled_d);
  RayHit hit = ray_ball(scaled_o, (1.0 / l) * scaled_d, 1.0);
  if (!hit.hit) return hit;
  if (hit.t == 0.0 && dot(scaled_o, scaled_o) <= 1.0) return hit_inside(d);
  return hit_at(hit.t / l, {hit.n.x / radii.x, hit.n.y / radii.y, hit.n.z / radii.z});
}

/// a x b without fma: b x a is its exact opposite.
CAIRN_HD Vec3d even_cross(Vec3d a, Vec3d b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// A triangle, hit from its front.
CAIRN_HD RayHit ray_triangle(Vec3d o, Vec3d d, Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d ab = b - a, ac = c - a;
  const Vec3d n = cross(ab, ac);
  const double facing = -dot(n, d);
  if (!(facing > 0.0)) return no_hit();
  const Vec3d from = o - a;
  const double t = dot(n, from) / facing;
  if (!(t >= 0.0)) return no_hit();
  // edges by volumes that are equal for both triangles of an edge, so that no ray slips between them
  const Vec3d oa = a - o, ob = b - o, oc = c - o;
  const double u = dot(d, even_cross(oc, ob)), v = dot(d, even_cross(oa, oc)), w = dot(d, even_cross(ob, oa));
  if (u < 0.0 || v < 0.0 || w < 0.0) return no_hit();
  return hit_at(t, n);
}

}  // namespace cairn::kernels
