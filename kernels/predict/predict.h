#pragma once

#include "kernels/common/body_pack.h"
#include "kernels/common/exact.h"
#include "kernels/common/state.h"
#include "kernels/predict/gyroscope.h"

namespace cairn::kernels {

inline constexpr float kMaxSpeed = 1.0e5f;  ///< [m/s] of a body, and of its surface as it turns

/// True where the bounding sphere's surface turns no faster than a body may move; w in rad/s.
CAIRN_HD bool turns_in_range(Vec3 w, float radius) { return length(w) * radius <= kMaxSpeed; }
CAIRN_HD bool moves_in_range(Vec3 v, Vec3 w) { return max_component(abs(v)) <= kMaxSpeed && finite(v) && finite(w); }

/// Sets up the solver's state for the step's start. Writes solve, jointed, q1, w_body, w_seen, sqrt_inertia and
/// inv_sqrt_inertia of body i, and radius of the last, and records whether there are gainers. One thread per body slot,
/// and one for the immovable body of the padding lanes.
struct PredictStart {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    BodySolve& s = bodies.solve[i];
    s = BodySolve{};
    if (i == k.body_count) {
      // padding lanes read it
      bodies.radius[i] = 0.0f;
      return;
    }
    bodies.jointed[i] = 0;
    const std::uint32_t flags = bodies.flags[i];
    // rows read it of both their bodies
    if (!takes_part(flags) || !is_dynamic(flags)) bodies.inv_sqrt_inertia[i] = Sym3{};
    if (!takes_part(flags)) return;
    if (!keeps_q1(bodies, i)) bodies.q1[i] = widen(bodies.q[i]);
    s.v = bodies.v[i];
    s.w = bodies.w[i];
    if (!is_dynamic(flags)) return;
    s.rows = colored_rows(i);
    const Vec3 gravity = bodies.gravity_scale[i] * worlds.gravity[bodies.world[i]];
    if ((flags & kBodyGyroscopic) != 0 || !(dot(gravity, gravity) > 0.0f)) note_gainer();
    if (never_turns(flags)) {
      bodies.sqrt_inertia[i] = Sym3{1, 1, 1, 0, 0, 0};
      bodies.inv_sqrt_inertia[i] = Sym3{};
      s.inv_mass = bodies.inv_mass[i];
      s.movable = 1.0f;
      s.w = bodies.w_seen[i] = Vec3{0, 0, 0};
      return;
    }
    const Vec3 moments = bodies.inertia[i];
    const Vec3 root{sqrt(moments.x), sqrt(moments.y), sqrt(moments.z)};
    if ((flags & kBodyGyroscopic) != 0 && !keeps_w_body(bodies, i)) {
      bodies.w_body[i] = to_principal(bodies.q[i], s.w);
    }
    const Mat3 r = matrix_of(bodies.q[i]);
    const Sym3 scale = turned_diagonal(r, root);
    bodies.sqrt_inertia[i] = scale;
    bodies.inv_sqrt_inertia[i] = turned_diagonal(r, Vec3{1.0f / root.x, 1.0f / root.y, 1.0f / root.z});
    s.inv_mass = bodies.inv_mass[i];
    s.movable = 1.0f;
    s.w = scale * s.w;
    bodies.w_seen[i] = s.w;
  }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies that are awake, dynamic and turn, and whose orientation and spin are known.
  std::uint32_t pack(std::uint32_t first) const {
    if (first + kPackLanes > k.body_count) return 0;
    constexpr std::uint32_t kAmong = (kFreeBits & ~kBodyLink) | kBodyFixedRotation;
    std::uint32_t lanes = lanes_with(bodies.flags + first, kAmong, kFreeFlags);
    if (lanes == 0) return 0;
    const Vec3T<Pack> w = load3(bodies.w + first), known = load3(bodies.w_known + first);
    const QuatT<Pack> q = load4(bodies.q + first), q1 = narrow(load4(bodies.q1 + first));
    lanes &= lanes_of(known.x == known.x && q1.x == q.x && q1.y == q.y && q1.z == q.z && q1.w == q.w);
    lanes &= lanes_with(bodies.flags + first, kBodyGyroscopic, 0) |
             lanes_of(known.x == w.x && known.y == w.y && known.z == w.z);
    const Vec3T<Pack> moments = load3(bodies.inertia + first), v = load3(bodies.v + first);
    const Vec3T<Pack> root{sqrt(moments.x), sqrt(moments.y), sqrt(moments.z)};
    const Mat3T<Pack> r = matrix_of(q);
    const Pack one(1.0f), none(0.0f);
    const Sym3T<Pack> scale = turned_diagonal(r, root);
    const Vec3T<Pack> turning = scale * w;
    store6(bodies.sqrt_inertia + first, lanes, scale);
    store6(bodies.inv_sqrt_inertia + first, lanes, turned_diagonal(r, {one / root.x, one / root.y, one / root.z}));
    store3(bodies.w_seen + first, mask_of(lanes), turning);
    Pack moving[8] = {v.x, v.y, v.z, load<Pack>(bodies.inv_mass, first), turning.x, turning.y, turning.z, one};
    const Pack rows = of_lanes<Pack>([&](std::uint32_t i) { return float_of(colored_rows(first + i)); });
    Pack still[8] = {none, none, none, none, none, none, none, rows};
    store_half(&bodies.solve[first].v, lanes, moving);
    store_half(&bodies.solve[first].dx, lanes, still);
    for (std::uint32_t i = 0; i < kPackLanes; ++i) bodies.jointed[first + i] = 0;
    const Vec3T<Pack> gravity =
        load<Pack>(bodies.gravity_scale, first) *
        of_worlds(bodies.world + first, lanes, [&](std::uint32_t i) { return worlds.gravity[i]; });
    const std::uint32_t calm =
        lanes_with(bodies.flags + first, kBodyGyroscopic, 0) & lanes_of(none < dot(gravity, gravity));
    if ((lanes & ~calm) != 0) note_gainer();
    return lanes;
  }
#endif

 private:
  /// Rows of body i, by the colours that they have taken: those of a link have taken them at another body (ends_of).
  CAIRN_HD std::uint32_t colored_rows(std::uint32_t i) const {
    return is_awake_free(bodies.flags[i]) ? popcount(bodies.color_mask[i]) + popcount(bodies.static_color_mask[i]) : 0;
  }
  CAIRN_HD void note_gainer() const {
    if (atomic_load(&state->gainers) == 0) atomic_store(&state->gainers, 1u);
  }
};

/// The velocity from which the solver starts a substep.
enum class Guess {
  kForces,  ///< that after forces
  kCarry,   ///< that after forces, plus the contact impulses of the substep before
  kKeep,    ///< unchanged for bodies that contacts pushed in the substep before; for others that after forces
};

/// [1] Share of a velocity that remains after damping in a substep.
template <class T>
CAIRN_HD T kept_by_damping(const StepConstants& k, T damping) {
  return T(1.0f) / fma(T(k.h), damping, T(1.0f));
}
/// [m/s] A velocity after the forces of a substep.
template <class T>
CAIRN_HD Vec3T<T> forced(const StepConstants& k, Vec3T<T> v, T inv_mass, Vec3T<T> force, T gravity_scale,
                         Vec3T<T> gravity, T damping) {
  const Vec3T<T> acceleration = fma(inv_mass, force, gravity_scale * gravity);
  return kept_by_damping(k, damping) * fma(T(k.h), acceleration, v);
}

/// Forces of a substep: v1 = (v + h (g + f/m)) / (1 + h c), the same for w with torque; the gyroscopic torque acts
/// while the body moves (Advance). Then, with kCarry, the velocity by the contact impulses of the substep before (v_end
/// - v1 there) is carried over. That is a warm start of all contacts at once: their anchors are fixed for the step, so
/// the impulses correspond to the same velocity. With kKeep a body that contacts pushed starts from the velocity of the
/// substep before. Writes solve.v, solve.w, v1, w1, w_body and w_seen of body i. One thread per body slot.
struct Predict {
  StepConstants k;
  Bodies bodies;
  Worlds worlds;
  StepState* state;
  Guess guess;  ///< kForces in the first substep

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i];
    if (!is_awake_free(flags)) return;
    BodySolve& s = bodies.solve[i];
    const Vec3 before_v = s.v, before_w = s.w;
    const Vec3 carry_v = guess != Guess::kForces ? s.v - bodies.v1[i] : Vec3{0, 0, 0};
    const Vec3 carry_w = guess != Guess::kForces ? s.w - bodies.w1[i] : Vec3{0, 0, 0};

    const Vec3 v1 = forced(k, s.v, s.inv_mass, force_on(bodies, i), bodies.gravity_scale[i],
                           worlds.gravity[bodies.world[i]], bodies.linear_damping[i]);
    const float damp = kept_by_damping(k, bodies.angular_damping[i]);
    Vec3 w1 = s.w;
    const Vec3 torque = bodies.torque[i];
    const bool turned = !never_turns(flags) && (torque.x != 0.0f || torque.y != 0.0f || torque.z != 0.0f);
    if (turned || (flags & kBodyGyroscopic) != 0) {
      const Quat q = narrow(bodies.q1[i]);
      const Vec3 moments = bodies.inertia[i];
      const Vec3 t = rotate_inverse(q, torque);
      const Vec3 spun = k.h * Vec3{t.x / moments.x, t.y / moments.y, t.z / moments.z};
      if ((flags & kBodyGyroscopic) != 0) {
        Vec3d w = with_change(bodies.w_body[i], q, bodies.inv_sqrt_inertia[i], s.w - bodies.w_seen[i]);
        w = static_cast<double>(damp) * (w + widen(spun));
        bodies.w_body[i] = w;
        w1 = bodies.sqrt_inertia[i] * to_world(q, w);
      } else {
        w1 = damp * (s.w + bodies.sqrt_inertia[i] * rotate(q, spun));
      }
    } else {
      w1 = damp * w1;
    }
    bodies.w_seen[i] = w1;

    bodies.v1[i] = v1;
    bodies.w1[i] = w1;
    const bool pushed = !(carry_v == Vec3{0, 0, 0}) || !(carry_w == Vec3{0, 0, 0});
    const bool keeps = guess == Guess::kKeep && pushed;
    s.v = keeps ? before_v : v1 + carry_v;
    s.w = keeps ? before_w : w1 + carry_w;
    // checked before contacts pass it on. The step before left w in range, and only a torque makes it leap
    const bool leaps = turned && !turns_in_range(bodies.inv_sqrt_inertia[i] * s.w, bodies.radius[i]);
    if (!finite(s.v) || !finite(s.w)) {
      raise(worlds, state, bodies.world[i], i, kStatusNonFinite);
    } else if (leaps || !moves_in_range(s.v, s.w)) {
      raise(worlds, state, bodies.world[i], i, kStatusTooFast);
    }
  }

#if CAIRN_BODY_PACKS
  /// The same for eight bodies without torque that raise nothing.
  std::uint32_t pack(std::uint32_t first) const {
    if (guess == Guess::kKeep) return 0;
    std::uint32_t lanes = lanes_with(bodies.flags + first, kFreeBits, kFreeFlags);
    if (lanes == 0) return 0;
    const std::uint32_t spins = lanes & lanes_with(bodies.flags + first, kBodyGyroscopic, kBodyGyroscopic);
    const Vec3T<Pack> torque = load3(bodies.torque + first);
    const Pack none(0.0f);
    lanes &= lanes_of(torque.x == none && torque.y == none && torque.z == none);

    Pack s[8];
    load_half(&bodies.solve[first].v, s);
    const Vec3T<Pack> v{s[0], s[1], s[2]}, w{s[4], s[5], s[6]};
    const Vec3T<Pack> gravity =
        of_worlds(bodies.world + first, lanes, [&](std::uint32_t i) { return worlds.gravity[i]; });
    const Vec3T<Pack> v1 =
        forced(k, v, s[3], load3(bodies.force + first) + load3(bodies.field_force + first),
               load<Pack>(bodies.gravity_scale, first), gravity, load<Pack>(bodies.linear_damping, first));
    const Pack damp = kept_by_damping(k, load<Pack>(bodies.angular_damping, first));
    Vec3T<Pack> w1 = damp * w;
    Vec3T<Packd> w_body;
    if (spins != 0) {
      const QuatT<Pack> q = narrow(load4(bodies.q1 + first));
      const Vec3T<Pack> moments = load3(bodies.inertia + first), t = rotate_inverse(q, torque);
      const Vec3T<Pack> spun = Pack(k.h) * Vec3T<Pack>{t.x / moments.x, t.y / moments.y, t.z / moments.z};
      w_body = with_change(load3(bodies.w_body + first), q, load6(bodies.inv_sqrt_inertia + first),
                           w - load3(bodies.w_seen + first));
      w_body = widen(damp) * (w_body + widen(spun));
      w1 = select(mask_of(spins), load6(bodies.sqrt_inertia + first) * to_world(q, w_body), w1);
    }
    Vec3T<Pack> carry_v{none, none, none}, carry_w = carry_v;
    if (guess == Guess::kCarry) {
      carry_v = v - load3(bodies.v1 + first);
      carry_w = w - load3(bodies.w1 + first);
    }
    const Vec3T<Pack> next_v = v1 + carry_v, next_w = w1 + carry_w;
    lanes &= lanes_of(max_component(abs(next_v)) <= Pack(kMaxSpeed) && finite(next_v) && finite(next_w));

    if ((spins & lanes) != 0) store3(bodies.w_body + first, spins & lanes, w_body);
    const Pack::Mask mask = mask_of(lanes);
    store3(bodies.w_seen + first, mask, w1);
    store3(bodies.v1 + first, mask, v1);
    store3(bodies.w1 + first, mask, w1);
    Pack to[8] = {next_v.x, next_v.y, next_v.z, s[3], next_w.x, next_w.y, next_w.z, s[7]};
    store_half(&bodies.solve[first].v, lanes, to);
    return lanes;
  }
#endif
};

}  // namespace cairn::kernels
