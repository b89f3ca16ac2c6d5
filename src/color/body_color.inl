#pragma once

#include <bit>

#include "kernels/color/body_color.h"
#include "src/step_context.h"

namespace cairn {

/// Rows and their ends -> colours of bodies, and bodies in their order.
template <class Exec>
void color_bodies(Exec& exec, const StepContext& s) {
  const std::uint32_t n = s.constants.body_count;
  const kernels::BodyColoring coloring{s.constants, s.bodies,    s.parts,       s.rows,
                                       s.row_ends,  s.body_ends, s.body_colors, s.state};
  exec.for_each(n, kernels::BodyColorStart{coloring});
  exec.rounds(&s.state->bodies_wanted, n, false, &s.state->bodies_colored, kernels::BodyColorBid{},
              kernels::BodyColorTake{coloring}, kernels::BodyColorBid{});
  exec.for_each(n, kernels::BodyColorKey{coloring});
  exec.sort(s.body_colors.color, s.body_colors.sorted_color, s.body_colors.order, n,
            std::bit_width(s.parts.count * kernels::kBodyColors));
  exec.for_each(n, kernels::BodyColorBegin{coloring, s.body_color_begin});
}

}  // namespace cairn
