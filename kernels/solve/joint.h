#pragma once

#include "kernels/common/joints.h"
#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

enum class JointPass {
  kStart,  ///< gives the bodies what the start of the substep owes them
  kBias,   ///< leads out of errors
  kRelax,  ///< takes back the speed that this gave
};

/// One pass over the rows of a joint: soft ones one after the other (limits, friction, drives, springs), then all hard
/// ones at once, dl = -(J M^-1 J^T)^-1 (scale J v + bias) - leak l: what a joint locks is exact at the end of its turn,
/// however long its arms are. Writes the rows' impulses, and v and w~ of the bodies (owner by colour). One thread per
/// joint slot.
template <JointPass kPass>
struct SolveJoint {
  BodySolve* solve;
  JointLayout layout;
  JointSoftness soft;

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    JointBlock& block = layout.block[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    RowBody<T> a, b;
    gather(solve, &block.body_a[lane], a);
    gather(solve, &block.body_b[lane], b);
    if constexpr (kPass != JointPass::kRelax) {
      start<T>(block.ahead_a, lane, a);
      start<T>(block.ahead_b, lane, b);
    }
    if constexpr (kPass != JointPass::kStart) {
      JointRow* const rows = layout.row + block.first;
      for (std::uint32_t r = block.hard; r < block.rows; ++r) soft_row(rows[r], lane, a, b);
      hard_rows(block, rows, lane, a, b);
    }
    scatter(solve, &block.body_a[lane], a);
    scatter(solve, &block.body_b[lane], b);
  }

 private:
  /// Once: nothing is owed after that.
  template <class T>
  CAIRN_HD static void start(float (&ahead)[6][kRowLanes], std::uint32_t lane, RowBody<T>& body) {
    body.v = body.v + Vec3T<T>{load<T>(ahead[0], lane), load<T>(ahead[1], lane), load<T>(ahead[2], lane)};
    body.w = body.w + Vec3T<T>{load<T>(ahead[3], lane), load<T>(ahead[4], lane), load<T>(ahead[5], lane)};
    for (auto& field : ahead) store(field, lane, T(0.0f));
  }

  template <class T>
  CAIRN_HD static T speed(const JointRow& row, std::uint32_t lane, const RowBody<T>& a, const RowBody<T>& b) {
    return dot(load3<T>(row.linear_a, lane), a.v,
               dot(load3<T>(row.linear_b, lane), b.v,
                   dot(load3<T>(row.angular_a, lane), a.w, dot(load3<T>(row.angular_b, lane), b.w))));
  }

  template <class T>
  CAIRN_HD static void push(const JointRow& row, std::uint32_t lane, T l, RowBody<T>& a, RowBody<T>& b) {
    a.v = fma(l * a.inv_mass, load3<T>(row.linear_a, lane), a.v);
    a.w = fma(l, load3<T>(row.turn_a, lane), a.w);
    b.v = fma(l * b.inv_mass, load3<T>(row.linear_b, lane), b.v);
    b.w = fma(l, load3<T>(row.turn_b, lane), b.w);
  }

  template <class T>
  CAIRN_HD void soft_row(JointRow& row, std::uint32_t lane, RowBody<T>& a, RowBody<T>& b) const {
    const T l = load<T>(row.impulse, lane), c = speed(row, lane, a, b);
    T wanted;
    if constexpr (kPass == JointPass::kRelax) {
      wanted = fma(-load<T>(row.relax_mass, lane), c + load<T>(row.relax_bias, lane), l);
    } else {
      const T rate = fma(load<T>(row.scale, lane), c, load<T>(row.bias, lane));
      wanted = l - fma(load<T>(row.mass, lane), rate, load<T>(row.leak, lane) * l);
    }
    const T next = min(max(wanted, load<T>(row.lower, lane)), load<T>(row.upper, lane));
    store(row.impulse, lane, next);
    note(row, lane, next);
    push(row, lane, next - l, a, b);
  }

  /// The last pass of a substep leaves its impulse. Sequential impulses have several passes, and one substep.
  template <class T>
  CAIRN_HD void note(JointRow& row, std::uint32_t lane, T impulse) const {
    if (kPass == JointPass::kRelax || !soft.relaxes) store(row.total, lane, impulse);
  }

  template <class T>
  CAIRN_HD void hard_rows(const JointBlock& block, JointRow* rows, std::uint32_t lane, RowBody<T>& a,
                          RowBody<T>& b) const {
    T x[kHardRows];
    // L y = what is wanted, z = D^-1 y, L^T x = z
    for (std::uint32_t i = 0; i < block.hard; ++i) {
      x[i] = speed(rows[i], lane, a, b);
      if constexpr (kPass == JointPass::kBias) x[i] = fma(T(soft.scale), x[i], load<T>(rows[i].bias, lane));
      for (std::uint32_t k = 0; k < i; ++k) x[i] = fma(-load<T>(block.factor[i * (i - 1) / 2 + k], lane), x[k], x[i]);
    }
    for (std::uint32_t i = 0; i < block.hard; ++i) x[i] = x[i] * load<T>(block.pivot[i], lane);
    for (std::uint32_t i = block.hard; i-- > 0;) {
      for (std::uint32_t k = i + 1; k < block.hard; ++k)
        x[i] = fma(-load<T>(block.factor[k * (k - 1) / 2 + i], lane), x[k], x[i]);
    }
    for (std::uint32_t i = 0; i < block.hard; ++i) {
      const T l = load<T>(rows[i].impulse, lane);
      T dl = -x[i];
      if constexpr (kPass == JointPass::kBias) dl = fma(-T(soft.leak), l, dl);
      store(rows[i].impulse, lane, l + dl);
      note(rows[i], lane, l + dl);
      push(rows[i], lane, dl, a, b);
    }
  }
};

}  // namespace cairn::kernels
