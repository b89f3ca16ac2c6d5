#pragma once
// Impulse of a joint's axis as a function of its speed: the sum of its laws, a falling line of straight pieces, some of
// them vertical.

#include "kernels/common/joints.h"
#include "kernels/common/scalar.h"

namespace cairn::kernels {

/// [m/s, rad/s] Max speed that corrects an error, where nothing needs a higher one: a joint that starts apart must not
/// throw its bodies.
inline constexpr double kMaxJointSpeed = 10.0;

/// [1] Share of its impulse that a closing joint loses in a substep of `soft_step`: contradictory joints must not wind
/// up. With the 0.13 of trees, four welds between two bodies, 1 cm apart, wound up until they flew.
inline constexpr double kClosingLeak = 0.3;

/// [1] Max rounds in which a pass looks for the bounds that push. After that a row that still changes keeps the impulse
/// that it would take by itself.
inline constexpr int kJointRounds = 6;

/// Speed at which a law needs no impulse in this pass; x: J v before it, pushed: J u (JointSoftness). A lock without
/// contradiction gets any correction speed that it needs, so that it bears loads of any size. In closed loops the push
/// of other joints is no load: the lock yields no faster than it corrects errors. Rotating ends leave the row's
/// straight line by h^2 / 2 times their acceleration; the bias pass counters kForeseen * h / 2 of it, and `relax` takes
/// the remaining speed at the substep's end (the two halves of RATTLE, Andersen 1983). Without it the error itself had
/// to push, some substeps late, and a pendulum lost energy. Solvers that don't relax would keep the speed.
CAIRN_HD double place_of(const JointLaw& law, const JointSoftness& soft, bool relaxes, const JointTree& tree, double x,
                         double pushed) {
  const auto bias = static_cast<double>(law.bias);
  switch (law.kind) {
    case JointLaw::Kind::kHold: {
      if (relaxes) return 0.0;
      const double pull = bias > 0.0 ? x - pushed : pushed - x;
      const bool locks = law.lower < 0.0f && law.upper > 0.0f;
      const double most = locks && tree.contested == 0 ? max(kMaxJointSpeed, pull) : kMaxJointSpeed;
      const double scale = static_cast<double>(soft.scale);
      if (soft.relaxes && tree.closes != 0) {
        const double share = (1.0 - kClosingLeak) / scale;
        return fma(kClosingLeak, x - pushed, -clamp(share * bias, -most, most));
      }
      const double back = clamp(bias, -most, most) + (soft.relaxes ? static_cast<double>(law.rate) : 0.0);
      const double way = fma(1.0 - scale, x, -fma(static_cast<double>(soft.leak), pushed, back));
      return soft.relaxes && tree.contested != 0 ? clamp(way, -kMaxJointSpeed, kMaxJointSpeed) : way;
    }
    case JointLaw::Kind::kRate:
      break;
    case JointLaw::Kind::kSpring:
      // the rows are those of the substep's end; the force uses its start, and the speed that `relax` leaves
      if (relaxes) return fma(static_cast<double>(law.share), x - static_cast<double>(law.rate), -bias);
      break;
  }
  return -bias;
}

/// [m/s, rad/s] Max speed of links while errors are corrected. At the end of a linkage's reach they would otherwise
/// move without bound and correct nothing.
inline constexpr double kCalmSpeed = 1.0;

/// Speed that corrects a lock or bound where links are held, at a share of its own. Impulses start at 0 each substep,
/// so it needs no leak: it bears any load, and nothing winds up.
CAIRN_HD double way_out(const JointLaw& law, double share, double most) {
  return share * clamp(-static_cast<double>(law.bias), -most, most);
}

/// [m/s] Left and right of all bends.
inline constexpr double kFarLeft = -1e300, kFarRight = 1e300;

/// The laws of a row, in a pass.
struct JointLine {
  const JointRow& row;

  CAIRN_HD double upper(std::uint32_t i) const { return static_cast<double>(row.law[i].upper); }
  CAIRN_HD double lower(std::uint32_t i) const { return static_cast<double>(row.law[i].lower); }
  CAIRN_HD double softness(std::uint32_t i) const { return static_cast<double>(row.law[i].softness); }
  /// Speed below which law i is at its upper bound (`high` false), or above which it is at its lower one (`high` true).
  CAIRN_HD double bend(std::uint32_t i, bool high) const {
    return fma(-softness(i), high ? lower(i) : upper(i), row.place[i]);
  }

  /// Impulse of all laws at the speed x, as the limit from below or above where the line is vertical.
  CAIRN_HD double impulse(double x, bool from_above) const {
    double sum = 0.0;
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      if (row.law[i].softness > 0.0f) {
        sum = sum + clamp((row.place[i] - x) / softness(i), lower(i), upper(i));
      } else {
        const bool past = x > row.place[i] || (x == row.place[i] && from_above);
        sum = sum + (past ? lower(i) : upper(i));
      }
    }
    return sum;
  }

  /// Only one piece: a single lock, of a row that can move.
  CAIRN_HD bool straight() const {
    return row.laws == 1 && !(row.law[0].upper < 3.0e38f) && !(row.law[0].lower > -3.0e38f) &&
           row.gives != JointRow::Gives::kNever;
  }

  /// Intersection of the line with another, which rises through (speed, impulse) by 1 / inv_mass: the piece that a
  /// single impulse along the row would reach.
  CAIRN_HD JointPiece piece(double speed, double impulse_now) const {
    if (row.gives == JointRow::Gives::kNever) return {0.0, impulse_now, 1, speed, speed};
    if (straight()) return {softness(0), row.place[0], 0, row.place[0], row.place[0]};
    const double steep = 1.0 / static_cast<double>(row.inv_mass);
    double left = kFarLeft, right = kFarRight;
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      for (int side = 0; side < 2; ++side) {
        const double x = bend(i, side == 1);
        if (x <= left || x >= right) continue;
        const double rising = fma(x - speed, steep, impulse_now);
        if (impulse(x, true) > rising) {
          left = max(left, x);
        } else if (impulse(x, false) < rising) {
          right = min(right, x);
        } else if (!(row.law[i].softness > 0.0f)) {
          return upright(x);
        }
      }
    }
    return between(left, right);
  }

  /// True where `piece` would find this one again: the falling line meets the rising one between these two bends, and
  /// so at no others. False in some further cases, such as an intersection on a bend.
  CAIRN_HD bool meets_on(const JointPiece& piece, double speed, double impulse_now) const {
    if (!(piece.left < piece.right)) return false;
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      for (const bool high : {false, true}) {
        const double x = bend(i, high);
        if (x > piece.left && x < piece.right) return false;
      }
    }
    const double steep = 1.0 / static_cast<double>(row.inv_mass);
    const auto rising = [&](double x) { return fma(x - speed, steep, impulse_now); };
    return (piece.left == kFarLeft || impulse(piece.left, true) > rising(piece.left)) &&
           (piece.right == kFarRight || impulse(piece.right, false) < rising(piece.right));
  }

  /// The next piece to try where the result on piece `from` lies on piece `to`: the piece midway between the two, if
  /// there is one. The speed after a bound lets go depends on the whole tree, but the other bound was found by one row:
  /// without the piece between, rows jumped from bound to bound and never rested between them.
  CAIRN_HD JointPiece toward(const JointPiece& from, const JointPiece& to) const {
    const bool rises = from.right <= to.left;
    const double low = rises ? from.right : to.right, high = rises ? to.left : from.left;
    const double mid = 0.5 * (low + high);
    double left = kFarLeft, right = kFarRight;
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      for (int side = 0; side < 2; ++side) {
        const double x = bend(i, side == 1);
        if (x < mid) {
          left = max(left, x);
        } else if (x > mid) {
          right = min(right, x);
        } else if (!(row.law[i].softness > 0.0f)) {
          return low == high && from.left == from.right ? to : upright(x);
        }
      }
    }
    return low < high ? between(left, right) : to;
  }

  /// The impulse at the intersection.
  CAIRN_HD double meeting(const JointPiece& piece, double speed, double impulse_now) const {
    if (piece.held != 0) return piece.goal;
    // x = speed + w (l - impulse_now), x + softness l = goal
    const auto w = static_cast<double>(row.inv_mass);
    return (piece.goal - fma(-w, impulse_now, speed)) / (w + piece.softness);
  }

 private:
  CAIRN_HD static JointPiece upright(double x) { return {0.0, x, 0, x, x}; }
  /// The piece between two adjacent bends.
  CAIRN_HD JointPiece between(double left, double right) const {
    double slope = 0.0, sum = 0.0;
    for (std::uint32_t i = 0; i < row.laws; ++i) {
      if (bend(i, false) >= right) {
        sum = sum + upper(i);
      } else if (bend(i, true) <= left) {
        sum = sum + lower(i);
      } else {
        slope = slope + 1.0 / softness(i);
        sum = sum + row.place[i] / softness(i);
      }
    }
    if (slope > 0.0) return {1.0 / slope, sum / slope, 0, left, right};
    return {0.0, sum, 1, left, right};
  }
};

/// A motor doesn't push past a bound.
CAIRN_HD void keep_within(JointRow& row) {
  if (row.laws < 2 || row.law[row.laws - 1].kind != JointLaw::Kind::kRate) return;
  double& place = row.place[row.laws - 1];
  for (std::uint32_t l = 0; l + 1 < row.laws; ++l) {
    const JointLaw& law = row.law[l];
    if (law.lower == 0.0f) place = max(place, row.place[l]);
    if (law.upper == 0.0f) place = min(place, row.place[l]);
  }
}

/// True if that changes the matrix.
CAIRN_HD bool take_piece(JointRow& row, const JointPiece& piece) {
  const bool changes = row.piece.held != piece.held || row.piece.softness != piece.softness;
  row.piece = piece;
  if (changes) row.stale = 1;
  return changes;
}

/// Change of a row's piece after a result.
enum class Went { kNowhere, kToOtherGoal, kToOtherMatrix };

/// Moves a row to the piece that its result lies on, or towards it.
CAIRN_HD Went go_on(JointRow& row, double speed, double impulse, bool last) {
  const JointLine line{row};
  const JointPiece& now = row.piece;
  if (row.gives == JointRow::Gives::kNever) return Went::kNowhere;
  if (line.meets_on(now, speed, impulse)) return Went::kNowhere;
  JointPiece piece = line.piece(speed, impulse);
  if (piece.held == now.held && piece.softness == now.softness && piece.goal == now.goal) return Went::kNowhere;
  piece = last ? JointPiece{0.0, line.meeting(piece, speed, impulse), 1, speed, speed} : line.toward(now, piece);
  return take_piece(row, piece) ? Went::kToOtherMatrix : Went::kToOtherGoal;
}

}  // namespace cairn::kernels
