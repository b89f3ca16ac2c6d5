#pragma once
// Copies rows of the user's arrays on the world's device to and from the data that they describe, in the user's frame
// and order: as calls of the World for one body or joint do, without the host. Each kind of rows (exchange_states.h,
// exchange_joints.h, ...) has
//   world(r), body(r)  of row r: its world, and a body to name in reports, or kNone
//   read(r)            writes row r of the user's arrays
//   fault(r)           status bit of the rule that row r breaks, or 0; may stage the row
//   write(r)           applies row r
//   moves()            only of kinds that can move bodies: whether the user gave new poses

#include "kernels/common/state.h"
#include "kernels/exchange/columns.h"
#include "kernels/predict/predict.h"

namespace cairn::kernels {

/// Writes row r of the user's arrays. One thread per row.
template <class Rows>
struct ReadRow {
  Rows rows;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t r) const {
    if (selection(rows.world(r))) rows.read(r);
  }
};

/// Checks row r. If it breaks a rule, its world is refused as a whole, and gets a status bit, which freezes it. One
/// thread per row.
template <class Rows>
struct CheckRow {
  Rows rows;
  Selection selection;
  Worlds worlds;
  StepState* state;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t world = rows.world(r);
    if (!selection(world)) return;
    const std::uint32_t fault = rows.fault(r);
    if (fault == 0) return;
    atomic_or(&refused[world], 1u);
    raise(worlds, state, world, rows.body(r), static_cast<StatusBit>(fault));
  }
};

/// Applies row r, after CheckRow. One thread per row.
template <class Rows>
struct WriteRow {
  Rows rows;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t r) const {
    if (selection(rows.world(r))) rows.write(r);
  }
};

/// Wakes body i of a chosen world. If poses changed, values derived from them are recomputed. One thread per body slot.
struct NotifyBody {
  Bodies bodies;
  Selection selection;
  bool poses;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAlive) == 0 || !selection(bodies.world[i])) return;
    bodies.flags[i] &= ~std::uint32_t{kBodyAsleep};
    bodies.quiet_time[i] = 0.0f;
    if (poses) bodies.w_known[i] = unknown_velocity();
  }
};

/// The status bit of a number out of its range, or 0.
template <class Range>
CAIRN_HD std::uint32_t fault_of_number(float number, Range in_range) {
  return in_range(number) ? 0u : finite(number) ? kStatusOutOfBounds : kStatusNonFinite;
}
/// That of two numbers.
CAIRN_HD std::uint32_t worse(std::uint32_t a, std::uint32_t b) { return a == kStatusNonFinite || b == 0 ? a : b; }

// Kinds of single numbers have each_number(r, f), which calls f(array, column, number, InRange) for what is written.

template <class Rows>
CAIRN_HD std::uint32_t fault_of_numbers(const Rows& rows, std::uint32_t r) {
  std::uint32_t fault = 0;
  rows.each_number(r, [&](const Columns& from, int c, float, auto in_range) {
    if (from.given()) fault = worse(fault, fault_of_number(static_cast<float>(from.get(r, c)), in_range));
  });
  return fault;
}
template <class Rows>
CAIRN_HD void write_numbers(const Rows& rows, std::uint32_t r) {
  rows.each_number(r, [&](const Columns& from, int c, float& number, auto) {
    if (from.given()) number = static_cast<float>(from.get(r, c));
  });
}

}  // namespace cairn::kernels
