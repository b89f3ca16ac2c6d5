#pragma once

#include <bit>

#include "kernels/fields/field_bodies.h"
#include "kernels/fields/integrate.h"
#include "src/fields/term.h"
#include "src/step_context.h"

namespace cairn {

/// Poses and velocities at the step's start -> forces of the fields, and islands that these wake.
template <class Exec>
void field(Exec& exec, const StepContext& s) {
  exec.enter(Stage::kField);
  const kernels::FieldRows& f = s.fields->rows;
  // clears the values of a discarded step
  exec.for_each(s.constants.body_count, kernels::Fill<std::uint32_t>{s.bodies.wake, 0});
  exec.for_each(f.systems, kernels::FieldClock{f, s.worlds});
  exec.for_each(f.rows, kernels::GatherBody<double>{s.bodies, f.slot, f.x, f.v, f.mass});
  exec.for_each(f.rows, kernels::Fill<Vec3d>{f.force, {}});
  if (f.near_rows != 0) {
    const kernels::NearArrays<double>& near = f.near;
    exec.for_each(f.near_rows, kernels::FieldKey{f});
    exec.sort(near.key, near.sorted_key, near.order, f.near_rows, std::bit_width(f.buckets - 1));
    exec.for_each(f.near_rows, kernels::FieldSort{f});
    exec.find_begins(near.sorted_key, f.near_rows, f.buckets, near.begin);
  }
  for (const FieldTree& t : s.fields->trees) ode::build_tree(exec, t.tree, t.count, f.x + t.first, f.mass + t.first);
  const auto add = [&]<class L>(const kernels::FieldLaws<L>& laws) {
    if (laws.count != 0) exec.for_each(f.rows, kernels::FieldForce<L>{f, laws});
  };
  std::apply([&](const auto&... laws) { (add(laws), ...); }, s.fields->laws);
  exec.for_each(s.constants.body_count, kernels::FieldTake{f, s.bodies, s.worlds});
  exec.mark(Stage::kField);
}

}  // namespace cairn
