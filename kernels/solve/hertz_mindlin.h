#pragma once

#include "kernels/common/hertz.h"
#include "kernels/solve/row_friction.h"

namespace cairn::kernels {

/// Impulses of elastic spheres over a substep, explicit: all rows read the velocities and positions at the end of the
/// substep before, before any force of this one. With the depth d of the overlap, P = h F for each:
/// Normal (Hertz 1882): F = 4/3 E* sqrt(R*) d^3/2 - c d^1/4 vn >= 0, c from the coefficient of restitution
/// (kernels/prepare/prepare_hertz.h).
/// Tangential (Mindlin 1949, without slip): dF = -k ds, k = 8 G* sqrt(R* d); where the contact shrinks, F shrinks with
/// k (Thornton, Cummins and Cleary 2013); within |F| <= mu F_n; with a damper as far as the cone has room.
/// Rolling, a spring of k R*^2 with its damper, |M| <= lever F_n (model C of Ai et al. 2011).
/// Both springs are stored as impulses, and turn with the normal by losing their part along it: in a substep the normal
/// turns by 1e-5, so their lengths are kept to 1e-10.
/// The distance of two spheres is exact in the step: with v the displacement since its start, q = 2 n.v + v^2 / D, |n D
/// + v| - D = q / (1 + sqrt(1 + q / D)), which loses no digits; a flat side is the case 1 / D = 0.
/// Writes the lane's impulses, reads bodies: no row waits for another. One thread per row slot.
struct HertzForce {
  StepConstants k;
  const BodySolve* solve;
  Rows rows;
  HertzBlock* blocks;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    RowBlock& row = rows[slot / kRowLanes];
    HertzBlock& block = blocks[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    const T zero(0.0f), one(1.0f), h(k.h);
    RowBody<T> a, b;
    RowDelta<T> from_a, from_b;
    gather_ends(solve, row, lane, a, b);
    gather_ends(solve, row, lane, from_a, from_b);
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane), t1 = cross(n, t0);

    // positions
    const Vec3T<T> moved = in_frame(from_b.dx - from_a.dx, n, t0, t1);
    const Vec3T<T> g_a = load3<T>(block.centre_a, lane), g_b = load3<T>(block.centre_b, lane);
    const Vec3T<T> lag_a = cross(turned(row.axes_a, lane, from_a.dtheta), g_a);
    const Vec3T<T> lag_b = cross(turned(row.axes_b, lane, from_b.dtheta), g_b);
    const Vec3T<T> v = moved + lag_b - lag_a;
    const T curvature = load<T>(block.curvature, lane);
    const T q = fma(T(2.0f), v.x, curvature * dot(v, v));
    const T stretch = sqrt(max(fma(curvature, q, one), T(1e-12f)));
    const T s = load<T>(row.point[0].separation, lane) + q / (one + stretch);
    const T inverse = one / stretch;
    const Vec3T<T> now{inverse * fma(curvature, v.x, one), inverse * (curvature * v.y), inverse * (curvature * v.z)};
    const T depth = max(-s, zero), root = sqrt(depth), quarter = sqrt(root);

    // arms to one point, so that no angular momentum is lost: half way between the surfaces of spheres
    const T ra = load<T>(block.radius_a, lane), rb = load<T>(block.radius_b, lane), half = T(0.5f) * s;
    const Vec3T<T> round_a = fma(ra + half, now, g_a + lag_a), round_b = fma(-(rb + half), now, g_b + lag_b);
    const Vec3T<T> flat_a = g_a + (moved + lag_b), flat_b = g_b - (moved - lag_a);
    const Vec3T<T> arm_a = select(ra > zero, round_a, flat_a), arm_b = select(rb > zero, round_b, flat_b);
    const Vec3T<T> w_a = turned(row.axes_a, lane, a.w);
    const Vec3T<T> w_b = turned(row.axes_b, lane, b.w);
    const Vec3T<T> speed = in_frame(b.v - a.v, n, t0, t1) + cross(w_b, arm_b) - cross(w_a, arm_a);
    const T vn = dot(speed, now);
    Vec3T<T> slip = speed - vn * now;
    if (k.belts) {
      const Along<T> along = with_belt<T>(row, lane, {zero, zero});
      const Vec3T<T> belt{zero, along.x, along.y};
      const auto moves = dot(along, along) > zero;
      slip = select(moves, slip + (belt - dot(belt, now) * now), slip);
    }

    const T force = fma(load<T>(block.stiffness, lane), depth * root, -(load<T>(block.damping, lane) * quarter * vn));
    const T l = select(depth > zero, h * max(force, zero), zero);
    // stiffness now over that before the contact shrank
    const T shrinks = select(vn > zero, sqrt(depth / max(fma(h, vn, depth), T(1e-30f))), one);

    Vec3T<T> spring = load3<T>(block.spring, lane), roll = load3<T>(block.roll, lane);
    const Vec3T<T> f = respond(spring, slip, now, shrinks, h * (h * (load<T>(block.shear, lane) * root)),
                               h * (load<T>(block.shear_damping, lane) * quarter), load<T>(row.mu, lane) * l);
    const Vec3T<T> turn = w_b - w_a;
    const Vec3T<T> m =
        respond(roll, turn - dot(turn, now) * now, now, shrinks, h * (h * (load<T>(block.rolling, lane) * root)),
                h * (load<T>(block.rolling_damping, lane) * quarter), load<T>(row.rolling_reach, lane) * l);
    const Vec3T<T> push = fma(l, now, f);
    store3(block.spring, lane, spring);
    store3(block.roll, lane, roll);
    store3(block.push, lane, push);
    store3(block.turn_a, lane, -(cross(arm_a, push) + m));
    store3(block.turn_b, lane, cross(arm_b, push) + m);

    store(row.point[0].impulse, lane, l);
    store(row.point[0].total, lane, load<T>(row.point[0].total, lane) + l);
    store(row.friction_impulse[0], lane, f.y);
    store(row.friction_impulse[1], lane, f.z);
    store(row.friction_total[0], lane, load<T>(row.friction_total[0], lane) + f.y);
    store(row.friction_total[1], lane, load<T>(row.friction_total[1], lane) + f.z);
  }

 private:
  /// A rotation, or its rate, from its value times I^1/2.
  template <class T>
  CAIRN_HD static Vec3T<T> turned(const float (&axes)[3][3][kRowLanes], std::uint32_t lane, Vec3T<T> w) {
    return {dot(load3<T>(axes[2], lane), w), dot(load3<T>(axes[0], lane), w), dot(load3<T>(axes[1], lane), w)};
  }
  /// Updates a spring, as an impulse within `bound`, by its rate of stretching; returns the impulse of spring and
  /// damper.
  template <class T>
  CAIRN_HD static Vec3T<T> respond(Vec3T<T>& spring, Vec3T<T> rate, Vec3T<T> n, T shrinks, T stiffness, T damping,
                                   T bound) {
    const Vec3T<T> across = spring - dot(spring, n) * n;
    spring = within(bound, fma(-stiffness, rate, shrinks * across));
    return within(bound, fma(-damping, rate, spring));
  }
  template <class T>
  CAIRN_HD static Vec3T<T> within(T bound, Vec3T<T> f) {
    // in units of the bound: squares of the impulse of a grain of dust are below the smallest float
    const T one(1.0f);
    const Vec3T<T> u = (one / max(bound, T(1e-30f))) * f;
    return select(bound > T(0.0f), one / sqrt(max(dot(u, u), one)), T(0.0f)) * f;
  }
};

/// Applies the impulses of HertzForce. Writes v and w~ of the row's bodies (owner by colour: a body's sum is in the
/// order of colours). One thread per row slot.
struct HertzPush {
  BodySolve* solve;
  Rows rows;
  const HertzBlock* blocks;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const HertzBlock& block = blocks[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    FreeEnds<T> ends(solve, row, lane);
    const Vec3T<T> n = load3<T>(row.normal, lane), t0 = load3<T>(row.tangent, lane), t1 = cross(n, t0);
    const Vec3T<T> p = load3<T>(block.push, lane);
    const Vec3T<T> push = fma(p.x, n, fma(p.y, t0, p.z * t1));
    ends.a.v = fma(-ends.a.inv_mass, push, ends.a.v);
    ends.b.v = fma(ends.b.inv_mass, push, ends.b.v);
    turn(ends.a, row.axes_a, block.turn_a, lane);
    turn(ends.b, row.axes_b, block.turn_b, lane);
    ends.keep(solve, row, lane);
  }

 private:
  template <class T>
  CAIRN_HD static void turn(RowBody<T>& end, const float (&axes)[3][3][kRowLanes], const float (&l)[3][kRowLanes],
                            std::uint32_t lane) {
    end.turn(load<T>(l[0], lane), load3<T>(axes[2], lane));
    end.turn(load<T>(l[1], lane), load3<T>(axes[0], lane));
    end.turn(load<T>(l[2], lane), load3<T>(axes[1], lane));
  }
};

}  // namespace cairn::kernels
