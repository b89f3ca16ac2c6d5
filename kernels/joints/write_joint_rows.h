#pragma once
// The rows of one joint: written at the start of a substep from its coordinates.

#include "kernels/joints/coordinates.h"
#include "kernels/joints/push.h"

namespace cairn::kernels {

/// [1] A turn is redundant where the squared sine between it and the turns before it is smaller: there angles have a
/// pole.
inline constexpr float kMinTurn = 1e-5f;
inline constexpr float kUnbounded = 3.0e38f;  ///< [N s] no bound of an impulse
/// [1] Share of the centripetal term that a lock counters; the rest is left to the error, which loses energy: with all
/// of it pendulums gained 0.03 % in 10 s at 6 substeps and 5 % at one.
inline constexpr float kForeseen = 0.75f;

/// The laws of an axis.
struct JointLaws {
  float way_out;   ///< [1/s] rate at which errors are corrected
  float h, inv_h;  ///< [s, 1/s]

  CAIRN_HD static bool rubs(const JointAxis& x) { return x.friction > 0.0f; }
  CAIRN_HD static bool driven(const JointAxis& x) { return x.drive_max > 0.0f; }
  CAIRN_HD static bool acts(const JointAxis& x) { return x.mode != AxisMode::kFree || rubs(x) || driven(x); }

  CAIRN_HD static void put(JointRow& to, const JointLaw& law) { to.law[to.laws++] = law; }

  /// Holds `error` at 0, as stiff as the solver can.
  CAIRN_HD JointLaw hold(float error, float bend, float lower, float upper) const {
    return {JointLaw::Kind::kHold, way_out * error, 0.0f, 0.0f, kForeseen * (0.5f * h * bend), lower, upper};
  }

  /// A spring and damper, taken at the substep's end (implicit Euler; Catto 2011): l = -h (k (C + h C') + c C').
  CAIRN_HD JointLaw spring(float error, float stiffness, float damping, float lower, float upper) const {
    const float softness = softness_of(stiffness, damping);
    const float share = softness * h * stiffness;
    return {JointLaw::Kind::kSpring, share * error, softness, h * share, 0.0f, lower, upper};
  }
  CAIRN_HD float softness_of(float stiffness, float damping) const { return 1.0f / (h * fma(h, stiffness, damping)); }

  /// The bound, friction and drive of an axis.
  CAIRN_HD void axis(JointRow& to, const JointAxis& x, double value, float bend, float ahead) const {
    const bool springy = x.stiffness > 0.0f || x.damping > 0.0f;
    if (x.mode == AxisMode::kLocked) {
      const auto error = static_cast<float>(value - static_cast<double>(x.lower));
      put(to, springy ? spring(error, x.stiffness, x.damping, -kUnbounded, kUnbounded)
                      : hold(error, bend, -kUnbounded, kUnbounded));
      return;
    }
    if (x.mode != AxisMode::kFree) limit(to, x, value, bend, springy);
    if (rubs(x)) put(to, {JointLaw::Kind::kRate, 0.0f, 0.0f, 0.0f, 0.0f, -h * x.friction, h * x.friction});
    if (driven(x)) put(to, drive(x, value, ahead));
  }

  /// Both bounds: in a substep an axis may move farther than the range between them.
  CAIRN_HD void limit(JointRow& to, const JointAxis& x, double value, float bend, bool springy) const {
    const double below = value - static_cast<double>(x.lower), above = static_cast<double>(x.upper) - value;
    if (finite(x.lower)) put(to, bound(x, static_cast<float>(below), bend, springy, true));
    if (finite(x.upper)) put(to, bound(x, static_cast<float>(-above), bend, springy, false));
  }
  /// An open bound may just be reached in the substep, like a contact.
  CAIRN_HD JointLaw bound(const JointAxis& x, float error, float bend, bool springy, bool low) const {
    const bool open = low ? error > 0.0f : error < 0.0f;
    const float lower = low ? 0.0f : -kUnbounded, upper = low ? kUnbounded : 0.0f;
    if (open) {
      const float softness = springy ? softness_of(x.stiffness, x.damping) : 0.0f;
      return {JointLaw::Kind::kRate, inv_h * error, softness, 0.0f, 0.0f, lower, upper};
    }
    return springy ? spring(error, x.stiffness, x.damping, lower, upper) : hold(error, bend, lower, upper);
  }

  /// tau = kp (target - c) + kd (rate - c') + force, taken at the substep's end. A motor's rate ends at a bound.
  CAIRN_HD JointLaw drive(const JointAxis& x, double value, float ahead) const {
    const float most = h * x.drive_max;
    if (!finite(x.drive_damping)) {
      double rate = static_cast<double>(x.rate);
      if (x.mode != AxisMode::kFree) {
        const auto per_second = static_cast<double>(inv_h);
        rate = clamp(rate, per_second * (static_cast<double>(x.lower) - value),
                     per_second * (static_cast<double>(x.upper) - value));
      }
      return {JointLaw::Kind::kRate, -static_cast<float>(rate), 0.0f, 0.0f, 0.0f, -most, most};
    }
    const float stiff = h * fma(h, x.drive_stiffness, x.drive_damping);
    const auto way = static_cast<float>(static_cast<double>(x.target) - value) - ahead * x.rate;
    const float pull = fma(x.drive_stiffness, way, fma(x.drive_damping, x.rate, x.force));
    const float softness = 1.0f / stiff, bias = -(h / stiff) * pull;
    if (!finite(softness) || !finite(bias)) {
      // only a force, or gains whose result no motion changes: both bounds are the impulse
      const float given = clamp(h * pull, -most, most);
      return {JointLaw::Kind::kRate, 0.0f, 0.0f, 0.0f, 0.0f, given, given};
    }
    return {JointLaw::Kind::kSpring, bias, softness, softness * h * h * x.drive_stiffness, x.rate, -most, most};
  }
};

/// Writes the rows of a joint, or of one a lane.
template <class T>
struct JointWriter {
  static constexpr std::uint32_t kLanes = kLanesOf<T>;

  const JointEndT<T>&a, &b;
  MaskT<T> one_body;             ///< [1] both ends push one body
  T max_carried;                 ///< [m/s] max speed of its row by an impulse of the substep before
  JointRow* row[kLanes];         ///< the next one to write
  std::uint32_t rows[kLanes]{};  ///< [1] so far
  JointPushT<T> push{};          ///< velocity changes by their impulses
  Vec3T<T> turn[3]{};            ///< [1] unit, orthogonal to each other: the turns so far, or 0

  /// A row without laws, in those lanes. Returns them without those where it is redundant or immovable.
  CAIRN_HD std::uint32_t add(std::uint32_t lanes, const JointGradientT<T>& g, std::uint32_t axis, T impulse) {
    if (axis >= 3) lanes &= new_turns(lanes, g.angular_b, axis - 3);
    if (lanes == 0) return 0;
    JointWayT<T> way = way_of(g);
    lanes &= lanes_of(way.inv_mass > T(0.0f));
    if (lanes == 0) return 0;
    way.alone = way.inv_mass;
    const T most = max_carried / way.inv_mass;
    way.impulse = clamp(impulse, -most, most);
    way.total = T(0.0f);
    store_way(row, lanes, way);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      JointRow& to = *row[i];
      to.axis = axis;
      to.laws = 0;
      to.gives = JointRow::Gives::kWay;
      to.change = to.speed = 0.0;
      to.piece = {};
      to.stale = 0;
      row[i] += 1;
      rows[i] += 1;
    }
    push = select(mask_in<T>(lanes), with_push(way, way.impulse, a.inv_mass, b.inv_mass, push), push);
    return lanes;
  }

 private:
  CAIRN_HD JointWayT<T> way_of(const JointGradientT<T>& g) const {
    const Vec3T<T> zero{};
    JointWayT<T> way;
    const Vec3T<T> angular_a = select(a.moves, a.inv_root * g.angular_a, g.angular_a);
    const Vec3T<T> angular_b = select(b.moves, b.inv_root * g.angular_b, g.angular_b);
    way.linear_a = select(one_body, zero, g.linear_a);
    way.linear_b = select(one_body, g.linear_a + g.linear_b, g.linear_b);
    way.angular_a = select(one_body, zero, angular_a);
    way.angular_b = select(one_body, angular_a + angular_b, angular_b);
    const Vec3T<T> turned = select(one_body, g.angular_a + g.angular_b, g.angular_b);
    way.turn_a = select(one_body, zero, select(a.moves, a.root * (a.inv_inertia * g.angular_a), zero));
    way.turn_b = select(b.moves, b.root * (b.inv_inertia * turned), zero);
    way.inv_mass = fma(a.inv_mass, dot(way.linear_a, way.linear_a),
                       fma(b.inv_mass, dot(way.linear_b, way.linear_b),
                           dot(way.angular_a, way.turn_a, dot(way.angular_b, way.turn_b))));
    return way;
  }

  /// The lanes in which a turn is independent of those before it; it is then kept among them.
  CAIRN_HD std::uint32_t new_turns(std::uint32_t lanes, Vec3T<T> g, std::uint32_t which) {
    const Vec3T<T> whole = normalized(g, Vec3T<T>{});
    Vec3T<T> rest = whole;
    for (std::uint32_t i = 0; i < which; ++i) rest = fma(-dot(whole, turn[i]), turn[i], rest);
    lanes &= lanes_of(dot(rest, rest) > T(kMinTurn));
    turn[which] = select(mask_in<T>(lanes), normalized(rest, whole), Vec3T<T>{});
    return lanes;
  }
};

}  // namespace cairn::kernels
