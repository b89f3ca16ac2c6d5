#pragma once
// Queries in the user's arrays on the device, a row each, with the results in others.

#include "kernels/exchange/columns.h"
#include "kernels/queries/query_rules.h"
#include "kernels/queries/visit.h"

namespace cairn::kernels {

/// A column of whole numbers from a user, any stride.
struct Words {
  std::uint32_t* data{nullptr};  ///< [1] null if the user gave none
  std::int64_t row{0};           ///< [1] elements from one to the next
  friend bool operator==(const Words&, const Words&) = default;

  CAIRN_HD std::uint32_t get(std::uint32_t r) const { return data[static_cast<std::int64_t>(r) * row]; }
  CAIRN_HD void set(std::uint32_t r, std::uint32_t value) const {
    if (data != nullptr) data[static_cast<std::int64_t>(r) * row] = value;
  }
};

/// Columns that replace members of the common query in each row.
struct QueryColumns {
  Columns position;     ///< [m] world
  Columns orientation;  ///< [1] shape to world
  Columns direction;    ///< [1]
  Columns distance;     ///< [m]
  Words world;          ///< [1] index
  Words ignored;        ///< [1] slot of a body to ignore, or all bits set
};

/// Columns of results; any may be left out.
struct HitColumns {
  Words body;        ///< [1] slot, or all bits set
  Words shape;       ///< [1] index among the body's shapes
  Columns distance;  ///< [m]
  Columns position;  ///< [m] world
  Columns normal;    ///< [1] world
};

struct QueryRows {
  Query like;
  QueryColumns from;
  HitColumns to;
};

/// The nearest result of row i. A row that breaks a rule finds nothing, and its distance is -1. Writes row i of the
/// user's arrays. One thread per row.
template <QueryKind kind>
struct QueryRow {
  QueryScene s;
  QueryRows rows;

  CAIRN_HD void operator()(std::uint32_t i) const {
    Query q = rows.like;
    const bool good = read(i, q);
    const QueryFound found = good ? first_found<kind>(s, q) : QueryFound{0.0, {0, 0, 0}, {0, 0, 0}, kNone};
    const bool any = found.shape != kNone;
    rows.to.body.set(i, any ? s.shapes.body[found.shape] : kNone);
    rows.to.shape.set(i, any ? index_in_body(s.shapes.filter[found.shape]) : 0u);
    rows.to.position.set(i, any ? q.origin + found.point : Vec3d{0, 0, 0});
    rows.to.normal.set(i, widen(found.normal));
    if (rows.to.distance.data == nullptr) return;
    rows.to.distance.set(i, 0, !good ? -1.0 : any ? found.distance : q.reach);
  }

 private:
  CAIRN_HD bool read(std::uint32_t i, Query& q) const {
    const QueryColumns& from = rows.from;
    if (!place_query(q, from.position.vector(i))) return false;
    if (kind != QueryKind::kOverlap && from.distance.data != nullptr && !reach_query(q, from.distance.get(i, 0)))
      return false;
    if ((kind == QueryKind::kRay || kind == QueryKind::kCast) && from.direction.data != nullptr &&
        !aim_query(q, from.direction.vector(i)))
      return false;
    if (from.orientation.data != nullptr && kind != QueryKind::kRay) {
      const Columns& c = from.orientation;
      if (!turn_query(q, c.get(i, 0), c.get(i, 1), c.get(i, 2), c.get(i, 3))) return false;
    }
    if (from.world.data != nullptr) q.world = from.world.get(i);
    if (from.ignored.data != nullptr) q.ignored = from.ignored.get(i);
    return q.world < s.world_count;
  }
};

}  // namespace cairn::kernels
