#pragma once
// The rows of one joint: written at the start of a substep from what it measures.

#include "kernels/link/coordinates.h"

namespace cairn::kernels {

/// [m/s, rad/s] Fastest way back out of an error: a joint that starts apart must not throw its bodies.
inline constexpr float kMostJointSpeed = 10.0f;
/// [1] A hard row whose pivot is a smaller part of its diagonal says nothing that the rows before it don't.
inline constexpr float kLeastPivot = 1e-5f;
inline constexpr float kUnbounded = 3.0e38f;  ///< [N s] no bound of an impulse

CAIRN_HD void put3(float (&field)[3][kRowLanes], std::uint32_t lane, Vec3 v) {
  field[0][lane] = v.x;
  field[1][lane] = v.y;
  field[2][lane] = v.z;
}
CAIRN_HD Vec3 get3(const float (&field)[3][kRowLanes], std::uint32_t lane) {
  return {field[0][lane], field[1][lane], field[2][lane]};
}

/// A velocity and a w~ of two bodies, or what impulses make of them.
struct JointPush {
  Vec3 v_a{0, 0, 0}, v_b{0, 0, 0};  ///< [m/s]
  Vec3 w_a{0, 0, 0}, w_b{0, 0, 0};  ///< [kg^1/2 m/s] w~
};

/// Sums of impulses on b: linear, and angular about the centre of mass, in w~ units.
struct JointSum {
  Vec3 linear{0, 0, 0};   ///< [N s]
  Vec3 angular{0, 0, 0};  ///< [kg^1/2 m/s] I^-1/2 times it
};

/// What the rows' impulses do to bodies of these inverse masses.
CAIRN_HD JointPush push_of(const JointRow* row, std::uint32_t count, std::uint32_t lane, float inv_mass_a,
                           float inv_mass_b) {
  JointPush push;
  for (std::uint32_t r = 0; r < count; ++r) {
    const JointRow& from = row[r];
    const float l = from.impulse[lane];
    push.v_a = fma(l * inv_mass_a, get3(from.linear_a, lane), push.v_a);
    push.w_a = fma(l, get3(from.turn_a, lane), push.w_a);
    push.v_b = fma(l * inv_mass_b, get3(from.linear_b, lane), push.v_b);
    push.w_b = fma(l, get3(from.turn_b, lane), push.w_b);
  }
  return push;
}

/// What they were worth in the substep that ended.
CAIRN_HD JointSum sum_of(const JointRow* row, std::uint32_t count, std::uint32_t lane) {
  JointSum sum;
  for (std::uint32_t r = 0; r < count; ++r) {
    sum.linear = fma(row[r].total[lane], get3(row[r].linear_b, lane), sum.linear);
    sum.angular = fma(row[r].total[lane], get3(row[r].angular_b, lane), sum.angular);
  }
  return sum;
}

/// Writes the rows of one lane, hard ones from 0 on, the others from `hard_rows` on.
struct JointWriter {
  JointBlock& block;
  JointRow* row;
  std::uint32_t lane;
  const JointEnd &a, &b;
  JointSoftness soft;
  float h, inv_h;              ///< [s, 1/s]
  std::uint32_t hard{0}, free{0};  ///< [1] rows so far
  float diagonal[kHardRows]{};     ///< [1/kg] J M^-1 J^T

  /// Jacobian of a row; returns J M^-1 J^T.
  CAIRN_HD float put(JointRow& to, const JointGradient& g) const {
    const Vec3 j_a = a.turnable > 0.0f ? a.inv_root * g.angular_a : g.angular_a;
    const Vec3 j_b = b.turnable > 0.0f ? b.inv_root * g.angular_b : g.angular_b;
    const Vec3 none{0, 0, 0};
    const Vec3 turn_a = a.turnable > 0.0f ? a.root * (a.inv_inertia * g.angular_a) : none;
    const Vec3 turn_b = b.turnable > 0.0f ? b.root * (b.inv_inertia * g.angular_b) : none;
    put3(to.linear_a, lane, g.linear_a);
    put3(to.linear_b, lane, g.linear_b);
    put3(to.angular_a, lane, j_a);
    put3(to.angular_b, lane, j_b);
    put3(to.turn_a, lane, turn_a);
    put3(to.turn_b, lane, turn_b);
    to.total[lane] = 0.0f;
    return fma(a.inv_mass, dot(g.linear_a, g.linear_a),
               fma(b.inv_mass, dot(g.linear_b, g.linear_b), dot(j_a, turn_a, dot(j_b, turn_b))));
  }

  CAIRN_HD float bias_of(float error) const {
    return clamp(soft.rate * error, -kMostJointSpeed, kMostJointSpeed);
  }

  /// A row that holds `error` at 0, as stiff as the solver can.
  CAIRN_HD void lock(const JointGradient& g, float error, float impulse) {
    JointRow& to = row[hard];
    diagonal[hard] = put(to, g);
    to.bias[lane] = bias_of(error);
    to.impulse[lane] = diagonal[hard] > 0.0f ? impulse : 0.0f;
    hard += 1;
  }

  struct Row {
    float bias{0.0f};              ///< [m/s]
    float scale{1.0f}, leak{0.0f}; ///< [1] as in JointRow
    float softness{0.0f};          ///< [1/kg] added to J M^-1 J^T
    bool relaxes{false};           ///< the relaxation looks at it, too
    float relax_bias{0.0f};        ///< [m/s]
    float lower, upper;            ///< [N s]
  };
  CAIRN_HD void add(const JointGradient& g, const Row& r, float impulse) {
    JointRow& to = row[block.hard + free];
    const float k = put(to, g);
    // nothing moves what has no inverse mass
    const float mass = k > 0.0f ? 1.0f / (k + r.softness) : 0.0f;
    to.mass[lane] = mass;
    to.bias[lane] = r.bias;
    to.scale[lane] = r.scale;
    to.leak[lane] = r.softness > 0.0f ? mass * r.softness : r.leak;
    to.relax_mass[lane] = r.relaxes ? mass : 0.0f;
    to.relax_bias[lane] = r.relax_bias;
    to.lower[lane] = r.lower;
    to.upper[lane] = r.upper;
    to.impulse[lane] = k > 0.0f ? clamp(impulse, r.lower, r.upper) : 0.0f;
    free += 1;
  }

  /// A spring and damper, taken at the substep's end (implicit Euler; Catto 2011): l = -h (k (C + h C') + c C'). Its
  /// force belongs to the substep; to relax it, at other poses, would be another integrator.
  CAIRN_HD void spring(const JointGradient& g, float error, float stiffness, float damping, float lower, float upper,
                       float impulse) {
    const float softness = 1.0f / (h * fma(h, stiffness, damping));
    const float bias = softness * h * stiffness * error;
    add(g, {.bias = bias, .softness = softness, .lower = lower, .upper = upper}, impulse);
  }

  /// Rows of one axis, in the order in which their impulses are remembered.
  CAIRN_HD void axis(const JointAxis& x, const JointGradient& g, double value, float ahead, const JointMemory& memory,
                     float warm) {
    const bool springy = x.stiffness > 0.0f || x.damping > 0.0f;
    if (x.mode == AxisMode::kLocked) {
      const auto error = static_cast<float>(value - static_cast<double>(x.lower));
      if (springy) {
        spring(g, error, x.stiffness, x.damping, -kUnbounded, kUnbounded, warm * memory.impulse[kHardRows + free]);
      } else {
        lock(g, error, warm * memory.impulse[hard]);
      }
      return;
    }
    if (x.mode != AxisMode::kFree) limit(x, g, value, springy, warm * memory.impulse[kHardRows + free]);
    if (x.friction > 0.0f) {
      add(g, {.relaxes = true, .lower = -h * x.friction, .upper = h * x.friction},
          warm * memory.impulse[kHardRows + free]);
    }
    if (x.drive_most > 0.0f) drive(x, g, value, ahead, warm * memory.impulse[kHardRows + free]);
  }

  /// A bound of the coordinate, from the nearer side: bias C / h while apart, like a contact.
  CAIRN_HD void limit(const JointAxis& x, const JointGradient& g, double value, bool springy, float impulse) {
    const double below = value - static_cast<double>(x.lower), above = static_cast<double>(x.upper) - value;
    const bool low = below <= above;
    const auto error = static_cast<float>(low ? below : -above);
    const bool open = low ? error > 0.0f : error < 0.0f;
    const float lower = low ? 0.0f : -kUnbounded, upper = low ? kUnbounded : 0.0f;
    if (open) {
      const float gap = inv_h * error;
      add(g, {.bias = gap, .relaxes = true, .relax_bias = gap, .lower = lower, .upper = upper}, impulse);
    } else if (springy) {
      spring(g, error, x.stiffness, x.damping, lower, upper, impulse);
    } else {
      add(g, {.bias = bias_of(error), .scale = soft.scale, .leak = soft.leak, .relaxes = true, .lower = lower,
              .upper = upper},
          impulse);
    }
  }

  /// tau = kp (target - c) + kd (rate - c') + force, taken at the substep's end.
  CAIRN_HD void drive(const JointAxis& x, const JointGradient& g, double value, float ahead, float impulse) {
    const float most = h * x.drive_most;
    if (!finite(x.drive_damping)) {
      add(g, {.bias = -x.rate, .relaxes = true, .relax_bias = -x.rate, .lower = -most, .upper = most}, impulse);
      return;
    }
    const float stiff = h * fma(h, x.drive_stiffness, x.drive_damping);
    if (!(stiff > 0.0f)) {
      // a force alone: both bounds are the impulse
      const float given = clamp(h * x.force, -most, most);
      add(g, {.lower = given, .upper = given}, given);
      return;
    }
    const auto way = static_cast<float>(static_cast<double>(x.target) - value) - ahead * x.rate;
    const float pull = fma(x.drive_stiffness, way, fma(x.drive_damping, x.rate, x.force));
    add(g, {.bias = -(h / stiff) * pull, .softness = 1.0f / stiff, .lower = -most, .upper = most}, impulse);
  }

  /// L D L^T of J M^-1 J^T of the hard rows.
  CAIRN_HD void factor() const {
    float d[kHardRows];
    for (std::uint32_t i = 0; i < kHardRows; ++i) {
      if (i >= hard) {
        block.pivot[i][lane] = 0.0f;
        for (std::uint32_t j = 0; j < i; ++j) block.factor[i * (i - 1) / 2 + j][lane] = 0.0f;
        continue;
      }
      float pivot = diagonal[i];
      for (std::uint32_t j = 0; j < i; ++j) {
        float x = product(row[i], row[j]);
        for (std::uint32_t k = 0; k < j; ++k) {
          x = fma(-(block.factor[i * (i - 1) / 2 + k][lane] * d[k]), block.factor[j * (j - 1) / 2 + k][lane], x);
        }
        const float l = x * block.pivot[j][lane];
        block.factor[i * (i - 1) / 2 + j][lane] = l;
        pivot = fma(-l * l, d[j], pivot);
      }
      const bool superfluous = !(pivot > kLeastPivot * diagonal[i]);
      d[i] = superfluous ? 0.0f : pivot;
      block.pivot[i][lane] = superfluous ? 0.0f : 1.0f / pivot;
    }
  }

 private:
  /// J_i M^-1 J_j^T
  CAIRN_HD float product(const JointRow& i, const JointRow& j) const {
    const float linear = fma(a.inv_mass, dot(get3(i.linear_a, lane), get3(j.linear_a, lane)),
                             b.inv_mass * dot(get3(i.linear_b, lane), get3(j.linear_b, lane)));
    return dot(get3(i.angular_a, lane), get3(j.turn_a, lane),
               dot(get3(i.angular_b, lane), get3(j.turn_b, lane), linear));
  }
};

}  // namespace cairn::kernels
