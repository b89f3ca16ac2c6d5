#pragma once
// Where a query may find something, and the triangles of a surface there.

#include "kernels/collide/convex.h"

namespace cairn::kernels {

/// A box that moves along a line, with all within `near` of it: the region where a query may find something.
struct Sweep {
  Vec3d lower, upper;  ///< [m] at the start
  Vec3d d;             ///< [1] direction; 0 without motion
  double limit;        ///< [m] length of the motion
  double near;         ///< [m]
};

/// [m] Motion until the sweep first meets a box, or its distance from it; -1 if it doesn't meet it. At most the result
/// of the narrow tests in the box, for any rounding of both.
CAIRN_HD double enters(const Sweep& s, Vec3d lower, Vec3d upper) {
  double in = 0.0, out = s.limit, apart2 = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double d = component(s.d, i);
    // from where its upper side meets the box's lower one to where its lower side leaves the upper one
    const double to = component(lower - s.upper, i) - s.near, past = component(upper - s.lower, i) + s.near;
    if (d == 0.0) {
      if (to > 0.0 || past < 0.0) return -1.0;
    } else {
      const double a = to / d, b = past / d;
      in = max(in, min(a, b));
      out = min(out, max(a, b));
    }
    const double gap = max(max(to + s.near, s.near - past), 0.0);
    apart2 = fma(gap, gap, apart2);
  }
  // a share of the motion for rounding
  in -= 1e-12 * (in + 1e-3);
  if (in > out) return -1.0;
  if (s.near == 0.0) return max(in, 0.0);
  const double apart = sqrt(apart2);
  return apart <= s.near ? (1.0 - 1e-12) * apart : -1.0;
}

/// Sweep of a convex shape, in a frame with origin x and axes r. Grown by its rounding error.
CAIRN_HD Sweep sweep_of(const Convex& a, Vec3d x, const Mat3d& r, Vec3d d, double limit, double near) {
  const double slack = a.round + 1e-6 * a.reach + 1e-12 * length(a.x - x);
  const auto side = [&](Vec3d axis) { return dot(axis, support(a, axis) - x) + slack; };
  return {{-side(-r.x), -side(-r.y), -side(-r.z)}, {side(r.x), side(r.y), side(r.z)}, transpose_mul(r, d), limit, near};
}

/// A triangle of a surface, in the surface's frame.
struct Corners {
  Vec3d a, b, c;  ///< [m] counter-clockwise seen from the front
};

CAIRN_HD Vec3d lower_of(const Corners& t) {
  return {min(min(t.a.x, t.b.x), t.c.x), min(min(t.a.y, t.b.y), t.c.y), min(min(t.a.z, t.b.z), t.c.z)};
}
CAIRN_HD Vec3d upper_of(const Corners& t) {
  return {max(max(t.a.x, t.b.x), t.c.x), max(max(t.a.y, t.b.y), t.c.y), max(max(t.a.z, t.b.z), t.c.z)};
}

/// Calls found(triangle) for each triangle of a mesh that the sweep enters. The sweep may shrink meanwhile.
template <class F>
CAIRN_HD void sweep_mesh(const Mesh& mesh, const Solids& solids, double scale, const Sweep& sweep, F&& found) {
  const auto reaches = [&](Vec3d lower, Vec3d upper) { return enters(sweep, lower, upper) >= 0.0; };
  const auto box = [&](Vec3 lower, Vec3 upper) { return reaches(scale * widen(lower), scale * widen(upper)); };
  descend_mesh(mesh, solids, box, [&](std::uint32_t, const MeshTriangle& t) {
    const Corners corners{scale * widen(t.a), scale * widen(t.b), scale * widen(t.c)};
    if (reaches(lower_of(corners), upper_of(corners))) found(corners);
  });
}

/// Cells from `first` to `last` of the `cells` that an interval touches along one side of a height field.
struct CellRange {
  std::int64_t first, last;  ///< [1] last below first: none

  CAIRN_HD CellRange(double low, double high, double spacing, std::uint32_t cells) {
    const double most = static_cast<double>(cells);
    // a share of a cell for rounding
    const double from = clamp(low / spacing - 1e-6, 0.0, most), to = clamp(high / spacing + 1e-6, -1.0, most - 1.0);
    first = static_cast<std::int64_t>(from);
    last = to < 0.0 ? -1 : static_cast<std::int64_t>(to);
  }
};

/// The same for a height field: row by row, the cells under the part of the sweep that is over the row.
template <class F>
CAIRN_HD void sweep_grid(const HeightGrid& grid, const float* heights, double scale, const Sweep& s, F&& found) {
  const double spacing = scale * static_cast<double>(grid.spacing);
  const std::uint32_t columns = grid.columns - 1, rows = grid.rows - 1;
  const Vec3d lower{0, 0, scale * static_cast<double>(grid.lowest)};
  const Vec3d upper{spacing * columns, spacing * rows, scale * static_cast<double>(grid.highest)};
  if (enters(s, lower, upper) < 0.0) return;
  const auto height = [&](std::int64_t i, std::int64_t j) {
    return scale *
           static_cast<double>(
               heights[grid.height + static_cast<std::uint64_t>(j) * grid.columns + static_cast<std::uint64_t>(i)]);
  };
  // the part of the sweep over the field's width and height: for a long ray that is short
  double in = 0.0, out = s.limit;
  const auto narrow_to = [&](double low, double high, double own_low, double own_high, double d, double& from,
                             double& to) {
    if (d == 0.0) return;
    const double a = (low - s.near - own_high) / d, b = (high + s.near - own_low) / d;
    from = max(from, min(a, b));
    to = min(to, max(a, b));
  };
  narrow_to(lower.x, upper.x, s.lower.x, s.upper.x, s.d.x, in, out);
  narrow_to(lower.z, upper.z, s.lower.z, s.upper.z, s.d.z, in, out);
  const auto reaches = [&](double own_low, double own_high, double d, double from, double to, std::uint32_t cells) {
    return CellRange(min(fma(from, d, own_low), fma(to, d, own_low)) - s.near,
                     max(fma(from, d, own_high), fma(to, d, own_high)) + s.near, spacing, cells);
  };
  const CellRange over = reaches(s.lower.y, s.upper.y, s.d.y, in, out, rows);
  for (std::int64_t j = over.first; j <= over.last; ++j) {
    double row_in = in, row_out = out;
    const double y = spacing * static_cast<double>(j), slack = 1e-6 * spacing;
    narrow_to(y - slack, y + spacing + slack, s.lower.y, s.upper.y, s.d.y, row_in, row_out);
    if (row_in > row_out) continue;
    const CellRange along = reaches(s.lower.x, s.upper.x, s.d.x, row_in, row_out, columns);
    for (std::int64_t i = along.first; i <= along.last; ++i) {
      const double x = spacing * static_cast<double>(i);
      const Vec3d p{x, y, height(i, j)}, q{x + spacing, y, height(i + 1, j)};
      const Vec3d r{x + spacing, y + spacing, height(i + 1, j + 1)}, t{x, y + spacing, height(i, j + 1)};
      const Corners right{p, q, r}, left{p, r, t};
      if (enters(s, lower_of(right), upper_of(right)) >= 0.0) found(right);
      if (enters(s, lower_of(left), upper_of(left)) >= 0.0) found(left);
    }
  }
}

/// The same for any surface.
template <class F>
CAIRN_HD void sweep_surface(const ShapeGeometry& g, const Solids& solids, const Sweep& sweep, F&& found) {
  const double scale = static_cast<double>(g.size.x);
  if (g.kind == ShapeKind::kMesh) {
    sweep_mesh(solids.mesh[g.data], solids, scale, sweep, found);
  } else {
    sweep_grid(solids.grid[g.data], solids.height, scale, sweep, found);
  }
}

}  // namespace cairn::kernels
