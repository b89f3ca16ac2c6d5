#pragma once
// The rows of one joint: written at the start of a substep from what it measures.

#include "kernels/joints/coordinates.h"
#include "kernels/joints/push.h"

namespace cairn::kernels {

/// [1] A turn says nothing that those before it don't where the square of the sine between it and them is less: there
/// angles have a pole.
inline constexpr float kMinTurn = 1e-5f;
inline constexpr float kUnbounded = 3.0e38f;  ///< [N s] no bound of an impulse
/// [1] Of the bend of its way that a lock goes against; the rest is left to the error, which loses energy: with all of
/// it pendulums gained 0.03 % in 10 s at 6 substeps and 5 % at one.
inline constexpr float kForeseen = 0.75f;

/// Writes the rows of one joint, one for each axis along which it does something.
struct JointWriter {
  JointRow* row;
  const JointEnd &a, &b;
  float way_out;           ///< [1/s] rate at which errors are led out
  float h, inv_h;          ///< [s, 1/s]
  float max_carried;       ///< [m/s] that an impulse of the substep before may be worth to its row
  std::uint32_t rows{0};   ///< [1] so far
  std::uint32_t turns{0};  ///< [1] of `turn`
  Vec3 turn[3]{};          ///< [1] unit, square to each other: they span the rows of turns so far

  /// A row without laws. Null where the rows before it say the same, or nothing moves.
  CAIRN_HD JointRow* add(const JointGradient& g, std::uint32_t axis, float impulse) {
    if (axis >= 3 && !is_new(g.angular_b)) return nullptr;
    JointRow& to = row[rows];
    const Vec3 none{0, 0, 0};
    const bool moves_a = a.movable > 0.0f, moves_b = b.movable > 0.0f;
    to.linear_a = g.linear_a;
    to.linear_b = g.linear_b;
    to.angular_a = moves_a ? a.inv_root * g.angular_a : g.angular_a;
    to.angular_b = moves_b ? b.inv_root * g.angular_b : g.angular_b;
    if (a.body == b.body) {
      // both ends push one body
      to.linear_b = to.linear_a + to.linear_b;
      to.angular_b = to.angular_a + to.angular_b;
      to.linear_a = to.angular_a = none;
    }
    const Vec3 turned = a.body == b.body ? g.angular_a + g.angular_b : g.angular_b;
    to.turn_a = moves_a && a.body != b.body ? a.root * (a.inv_inertia * g.angular_a) : none;
    to.turn_b = moves_b ? b.root * (b.inv_inertia * turned) : none;
    to.inv_mass =
        fma(a.inv_mass, dot(to.linear_a, to.linear_a),
            fma(b.inv_mass, dot(to.linear_b, to.linear_b), dot(to.angular_a, to.turn_a, dot(to.angular_b, to.turn_b))));
    if (!(to.inv_mass > 0.0f)) return nullptr;
    to.alone = to.inv_mass;
    to.gives = JointRow::Gives::kWay;
    const float most = max_carried / to.inv_mass;
    to.impulse = clamp(impulse, -most, most);
    to.total = 0.0f;
    to.axis = axis;
    to.laws = 0;
    to.change = to.speed = 0.0;
    to.piece = {};
    rows += 1;
    return &to;
  }

  CAIRN_HD static void put(JointRow& to, const JointLaw& law) { to.law[to.laws++] = law; }

  /// Holds `error` at 0, as stiff as the solver can.
  CAIRN_HD void lock(const JointGradient& g, std::uint32_t axis, float error, float bend, float impulse) {
    JointRow* const to = add(g, axis, impulse);
    if (to != nullptr) put(*to, hold(error, bend, -kUnbounded, kUnbounded));
  }
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

  /// The row of one axis: its bound, what rubs and what drives it.
  CAIRN_HD void axis(const JointAxis& x, std::uint32_t i, const JointGradient& g, double value, float bend, float ahead,
                     float impulse) {
    const bool rubs = x.friction > 0.0f, driven = x.drive_max > 0.0f;
    if (x.mode == AxisMode::kFree && !rubs && !driven) return;
    JointRow* const to = add(g, i, impulse);
    if (to == nullptr) return;
    const bool springy = x.stiffness > 0.0f || x.damping > 0.0f;
    if (x.mode == AxisMode::kLocked) {
      const auto error = static_cast<float>(value - static_cast<double>(x.lower));
      put(*to, springy ? spring(error, x.stiffness, x.damping, -kUnbounded, kUnbounded)
                       : hold(error, bend, -kUnbounded, kUnbounded));
      return;
    }
    if (x.mode != AxisMode::kFree) limit(*to, x, value, bend, springy);
    if (rubs) put(*to, {JointLaw::Kind::kRate, 0.0f, 0.0f, 0.0f, 0.0f, -h * x.friction, h * x.friction});
    if (driven) put(*to, drive(x, value, ahead));
  }

  /// Both bounds: a substep's way may be longer than what is between them.
  CAIRN_HD void limit(JointRow& to, const JointAxis& x, double value, float bend, bool springy) const {
    const double below = value - static_cast<double>(x.lower), above = static_cast<double>(x.upper) - value;
    if (finite(x.lower)) put(to, bound(x, static_cast<float>(below), bend, springy, true));
    put(to, bound(x, static_cast<float>(-above), bend, springy, false));
  }
  /// While apart it may just be reached, like a contact.
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
      // a force alone, or gains that no motion makes more of: both bounds are the impulse
      const float given = clamp(h * pull, -most, most);
      return {JointLaw::Kind::kRate, 0.0f, 0.0f, 0.0f, 0.0f, given, given};
    }
    return {JointLaw::Kind::kSpring, bias, softness, softness * h * h * x.drive_stiffness, x.rate, -most, most};
  }

 private:
  /// Whether a turn is one that those before it can't make up; then it counts among them.
  CAIRN_HD bool is_new(Vec3 g) {
    if (turns == 3) return false;
    const Vec3 whole = normalized(g, Vec3{0, 0, 0});
    Vec3 rest = whole;
    for (std::uint32_t i = 0; i < turns; ++i) rest = fma(-dot(whole, turn[i]), turn[i], rest);
    if (!(dot(rest, rest) > kMinTurn)) return false;
    turn[turns++] = normalized(rest, whole);
    return true;
  }
};

}  // namespace cairn::kernels
