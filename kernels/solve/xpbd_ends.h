#pragma once
// Row ends by body: the count of rows that may push a body, and, for Jacobi sweeps, a fixed order in which the body
// gathers their pushes.

#include "kernels/solve/row_ends.h"

namespace cairn::kernels {

/// [1] Over-relaxation of the sweeps. With shares of 1 / n no Jacobi sweep can overshoot, below 2 / n none can gain
/// energy. Towers and piles rest three times nearer to their places with 1.5 than with 1, and at 1.9 piles begin to
/// hop.
inline constexpr float kXpbdRelaxation = 1.5f;

/// Counts the ends, and the bodies to colour. Once.
struct EndCount {
  StepConstants k;
  StepState* state;
  CAIRN_HD void operator()() const {
    state->end_count = 2 * state->row_count;
    state->bodies_wanted = k.body_count;
    state->bodies_colored = 0;
  }
};

/// Lists the bodies that row `slot` pushes; those that can't be pushed, and padding lanes, sort to the end. Writes two
/// entries of body. One thread per row slot.
struct EndList {
  StepConstants k;
  const BodySolve* solve;
  Rows rows;
  RowEnds ends;

  CAIRN_HD void operator()(std::uint32_t slot) const {
    const RowBlock& row = rows[slot / kRowLanes];
    const std::uint32_t lane = slot % kRowLanes;
    ends.body[2 * slot] = pushed(row.body_a[lane]);
    ends.body[2 * slot + 1] = pushed(row.body_b[lane]);
  }

 private:
  CAIRN_HD std::uint32_t pushed(std::uint32_t body) const { return solve[body].movable > 0.0f ? body : k.body_count; }
};

/// Finds the ends of body i among the sorted ones, and its share. All ends count, whether they push in a substep or
/// not. If only overlapping ones counted, shares would change with every tremble of a resting body. Each change moves
/// the places of rest, and heaps would never be still. Writes begin, end and share of body i. One thread per body slot,
/// and one for the immovable body.
struct EndFind {
  StepConstants k;
  RowEnds ends;
  BodyEnds of_body;
  const StepState* state;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const auto first = [&](std::uint32_t body) { return first_from(ends.sorted_body, state->end_count, body); };
    of_body.begin[i] = first(i);
    of_body.end[i] = i == k.body_count ? of_body.begin[i] : first(i + 1);
    const auto n = static_cast<float>(of_body.end[i] - of_body.begin[i]);
    of_body.share[i] = min(kXpbdRelaxation / max(n, 1.0f), 1.0f);
  }
};

}  // namespace cairn::kernels
