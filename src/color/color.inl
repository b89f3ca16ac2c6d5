#pragma once

#include <bit>

#include "kernels/color/body_color.h"
#include "kernels/color/row_order.h"
#include "src/direct/direct.inl"
#include "src/step_context.h"

namespace cairn {

/// Manifolds -> colours that persist, colours for new edges, and the order and place of the rows.
template <class Exec>
void color(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kColor);
  const kernels::Pairs& pairs = s.pairs[s.constants.parity];
  const std::uint32_t* count = &s.state->pair_count[s.constants.parity];
  const std::uint32_t capacity = s.constants.pair_capacity;

  exec.for_each(s.constants.body_count, kernels::ColorClear{s.bodies});
  exec.for_each(count, capacity, kernels::ColorKeep{s.bodies, s.shapes, s.worlds, pairs, s.work.pending, s.state});
  exec.exclusive_scan(s.work.pending, count, capacity, &s.state->edge_count);
  exec.for_each(count, capacity, kernels::ColorList{pairs, s.work.pending, s.work.edge});
  const kernels::ColorRound round{s.bodies, s.shapes, pairs, s.work.edge, s.state};
  exec.rounds(&s.state->edge_count, capacity, s.few_edges, &s.state->edges_colored, kernels::ColorBid{round},
              kernels::ColorTake{round}, kernels::ColorWipe{round});

  if (s.direct.max_bodies != 0) find_islands(exec, s);

  // the edges are coloured: their arrays are free for counts
  exec.for_each(count, capacity,
                kernels::ColorKey{s.bodies, s.shapes, pairs, s.parts, s.direct.bodies, s.work.row_key, s.work.pending,
                                  s.work.edge, s.state});
  exec.exclusive_scan(s.work.pending, count, capacity, &s.state->counts.points);
  exec.exclusive_scan(s.work.edge, count, capacity, &s.state->counts.recycled);
  const std::uint32_t bands = s.parts.bands();
  exec.sort(s.work.row_key, s.work.sorted_row_key, s.work.row_order, count, capacity,
            kernels::kRowKeyBits + std::bit_width(s.parts.count));
  exec.find_begins(s.work.sorted_row_key, count, capacity, kernels::BandOf{}, bands, s.parts.color_begin);
  exec.for_each(bands + 1, kernels::ColorSize{s.parts, s.state});
  exec.exclusive_scan(s.parts.color_row, bands + 1, &s.state->row_count);
  const std::uint32_t* places = s.direct.max_bodies == 0 ? nullptr : s.direct.bodies.room + s.constants.body_count;
  exec.single(
      kernels::ColorCheck{s.parts, s.row_capacity, places, s.direct.place_capacity, s.direct.row_capacity, s.state});
  if (s.direct.max_bodies != 0) list_island_rows(exec, s);
  exec.mark(Stage::kColor);
}

/// Rows and their ends -> colours of bodies, and bodies in their order.
template <class Exec>
void color_bodies(Exec& exec, const StepContext& s) {
  const std::uint32_t n = s.constants.body_count;
  const kernels::BodyColoring coloring{s.bodies, s.parts, s.rows, s.row_ends, s.body_ends, s.body_colors, s.state};
  exec.for_each(n, kernels::BodyColorStart{coloring});
  exec.rounds(&s.state->bodies_wanted, n, false, &s.state->bodies_colored, kernels::BodyColorBid{},
              kernels::BodyColorTake{coloring}, kernels::BodyColorBid{});
  exec.for_each(n, kernels::BodyColorKey{coloring});
  exec.sort(s.body_colors.color, s.body_colors.sorted_color, s.body_colors.order, n,
            std::bit_width(s.parts.count * kernels::kBodyColors));
  exec.find_begins(s.body_colors.sorted_color, n, s.parts.count * kernels::kBodyColors, s.body_color_begin);
}

}  // namespace cairn
