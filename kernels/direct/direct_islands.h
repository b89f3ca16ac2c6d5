#pragma once
// Finds the islands that are solved directly: sets of awake dynamic bodies that contacts connect. An island qualifies
// if it is small enough, and if a body in it rests on one of a small part of its mass. It doesn't if joints or
// articulations hold one of its bodies, if materials there bounce or resist rolling, if a body has more contacts than
// there are colours, or if its matrix would be too wide. No result depends on slots: lists in any order are sorted by
// the world's own ids.

#include "kernels/color/row_order.h"
#include "kernels/common/direct.h"
#include "kernels/common/mix.h"
#include "kernels/common/trees.h"
#include "kernels/prepare/prepare.h"

namespace cairn::kernels {

/// Bits of Direct::size.
inline constexpr std::uint32_t kDirectRefused = 1u << 31, kDirectWanted = 1u << 30;

/// Data that these functors share.
struct Islands {
  StepConstants k;
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  Pairs pairs;
  Parts parts;
  Direct direct;
  std::uint32_t* end;        ///< [1] (2 pairs) 2 pair + side, then 2 row slot + side, of the contacts of each body
  std::uint32_t max_bodies;  ///< [1] max size of an island
  float mass_ratio;          ///< [1] of a body to one that it rests on; at most 1: all islands qualify

  CAIRN_HD bool active(std::uint32_t pair) const { return (pairs.manifold[pair].flags & kManifoldActive) != 0; }
  CAIRN_HD EdgeEnds ends(std::uint32_t pair) const { return awake_ends_of(pairs, pair, bodies, shapes); }
  CAIRN_HD void note(std::uint32_t body, std::uint32_t bit) const { atomic_or(&direct.size[direct.parent[body]], bit); }
};

/// Makes each body an island of its own, and resets the rest. One thread per body slot, and one.
struct IslandStart : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    direct.parent[i] = i;
    direct.of_root[i] = kNone;
    direct.size[i] = direct.taken[i] = direct.end_begin[i] = direct.listed[i] = direct.number[i] = direct.room[i] = 0;
  }
};

/// Joins the islands of the two ends of a contact. Integer min. One thread per pair.
struct IslandJoin : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!active(i)) return;
    const EdgeEnds e = ends(i);
    if (e.push_a && e.push_b) join_trees(direct.parent, e.a, e.b);
  }
};

/// Sets the root of body i's island, and counts the body there. Other threads may race with the store: it is to an
/// ancestor. One thread per body slot.
struct IslandLabel : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i])) return;
    const std::uint32_t root = root_of(direct.parent, i);
    atomic_store(&direct.parent[i], root);
    atomic_add(&direct.size[root], 1u);
  }
};

/// Counts the contacts of each body, and marks islands as wanted or refused by their contacts. One thread per pair.
struct IslandCount : Islands {
  const ContactMaterial* materials;
  bool restitution, rolling;  ///< some material has it

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!active(i)) return;
    const std::uint32_t shape_a = pairs.shape_a(i), shape_b = pairs.shape_b[i];
    const bool linked = is_link(bodies.flags[shapes.body[shape_a]]) || is_link(bodies.flags[shapes.body[shape_b]]);
    const bool no = linked || pairs.manifold[i].color == kMaskColors || unfit(shape_a, shape_b);
    const EdgeEnds e = ends(i);
    if (e.push_a) count(e.a, no);
    if (e.push_b) count(e.b, no);
    if (mass_ratio <= 1.0f || (e.push_a && e.push_b && loads(i, e))) note(e.push_a ? e.a : e.b, kDirectWanted);
  }

 private:
  CAIRN_HD void count(std::uint32_t body, bool no) const {
    atomic_add(&direct.end_begin[body], 1u);
    if (no) note(body, kDirectRefused);
  }
  /// True if one of the two has mass_ratio times the mass of the other and lies on it: the normal is within 60 degrees
  /// of the vertical.
  CAIRN_HD bool loads(std::uint32_t pair, const EdgeEnds& e) const {
    const float a = bodies.inv_mass[e.a], b = bodies.inv_mass[e.b];
    if (!(mass_ratio * min(a, b) <= max(a, b))) return false;
    const Vec3 gravity = bodies.gravity_scale[a < b ? e.a : e.b] * worlds.gravity[bodies.world[e.a]];
    const float along = dot(pairs.manifold[pair].normal, gravity), down = a < b ? along : -along;
    return down > 0.0f && 4.0f * down * down > dot(gravity, gravity);
  }
  CAIRN_HD bool unfit(std::uint32_t shape_a, std::uint32_t shape_b) const {
    if (!restitution && !rolling) return false;
    const WorldParams& params = worlds.params[bodies.world[shapes.body[shape_a]]];
    const ContactMaterial a = materials[shapes.material[shape_a]], b = materials[shapes.material[shape_b]];
    return mix(params.restitution_mix, a.restitution, b.restitution) > 0.0f ||
           mix(params.rolling_mix, a.rolling_friction, b.rolling_friction) > 0.0f;
  }
};

/// Refuses islands with jointed bodies, which are solved between passes. One thread per joint slot.
struct IslandRefuseJoint : Islands {
  Joints joints;
  CAIRN_HD void operator()(std::uint32_t i) const {
    each_held(joints, i, bodies, [&](std::uint32_t body) { note(body, kDirectRefused); });
  }
};

/// Marks the begins of islands, and their sizes, in the order of the parts. One thread per body slot, which is at least
/// the number of the order's entries.
struct IslandMark : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (parts.body != nullptr && i >= parts.body_begin[parts.swept]) return;
    const std::uint32_t body = parts.body == nullptr ? i : parts.body[i];
    if (direct.parent[body] != body || (direct.size[body] & kDirectWanted) == 0) return;
    const std::uint32_t bodies_of = direct.size[body] & ~kDirectWanted;
    if (bodies_of > max_bodies) return;
    direct.number[i] = 1;
    direct.room[i] = bodies_of;
  }
};

/// Turns the sums of these into the begin of each island. One thread per body slot, and one.
struct IslandBegin : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t count = k.body_count;
    if (i != count && direct.number[i + 1] == direct.number[i]) return;
    direct.begin[direct.number[i]] = direct.room[i];
    if (i != count) direct.of_root[parts.body == nullptr ? i : parts.body[i]] = direct.number[i];
  }
};

/// Gives body i a place in its island, in any order (IslandOrder sorts them). One thread per body slot.
struct IslandBodies : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i]) || !direct.has(i)) return;
    const std::uint32_t root = direct.parent[i];
    direct.found[direct.begin[direct.of_root[root]] + atomic_next(&direct.taken[root])] = i;
  }
};

/// Lists the contacts of each body, in any order. One thread per pair.
struct IslandEnds : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!active(i)) return;
    const EdgeEnds e = ends(i);
    if (e.push_a) list(e.a, 2 * i);
    if (e.push_b) list(e.b, 2 * i + 1);
  }

 private:
  CAIRN_HD void list(std::uint32_t body, std::uint32_t of) const {
    if (direct.has(body)) end[direct.end_begin[body] + atomic_next(&direct.listed[body])] = of;
  }
};

/// Sorts the contacts of body i by colour, which are all different: so sums over them have a fixed order. One thread
/// per body slot.
struct IslandSort : Islands {
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i]) || !direct.has(i)) return;
    const std::uint32_t begin = direct.end_begin[i], n = direct.listed[i];
    for (std::uint32_t e = begin + 1; e < begin + n; ++e) {
      const std::uint32_t moved = end[e], key = key_of(moved);
      std::uint32_t at = e;
      for (; at != begin && key_of(end[at - 1]) > key; --at) end[at] = end[at - 1];
      end[at] = moved;
    }
  }

 private:
  CAIRN_HD std::uint32_t key_of(std::uint32_t of) const { return color_of(pairs, of / 2, bodies, shapes); }
};

/// Replaces the pairs by the slots of their rows, once these are known. One thread per body slot.
struct IslandRows : Islands {
  const std::uint32_t* slot_of;  ///< [1] (pairs)
  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!is_awake_dynamic(bodies.flags[i]) || !direct.has(i)) return;
    const std::uint32_t begin = direct.end_begin[i], n = direct.listed[i];
    for (std::uint32_t e = begin; e < begin + n; ++e) end[e] = 2 * slot_of[end[e] / 2] + (end[e] & 1u);
  }
};
/// The row slot of each pair. One thread per row, in row_order.
struct IslandSlots {
  PairWork work;
  Parts parts;
  std::uint32_t* slot_of;  ///< [1] (pairs)
  CAIRN_HD void operator()(std::uint32_t i) const { slot_of[work.row_order[i]] = row_slot(work, parts, i); }
};

}  // namespace cairn::kernels
