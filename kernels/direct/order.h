#pragma once

#include "kernels/direct/direct_islands.h"

namespace cairn::kernels {

/// Orders the bodies of island g so that bodies in contact are near to each other: breadth first, from the one that
/// such a walk reaches last (Cuthill and McKee 1969; George and Liu 1981). Then row i of its matrix, of 6 x 6 blocks,
/// is zero before the lowest place that touches i, which never falls with i; and factoring keeps it so. An island that
/// would need more than kDirectBlocks blocks per body is refused after all. Writes order, place, first, last and block
/// of its bodies. One team per island.
struct IslandOrder : Islands {
  template <class Team>
  CAIRN_BOTH void operator()(const Team& team, std::uint32_t g) const {
    const std::uint32_t begin = direct.begin[g], n = direct.begin[g + 1] - begin;
    const std::uint32_t* const found = direct.found + begin;
    std::uint32_t* const order = direct.order + begin;
    // by ids, which are a world's own
    team.each(n, [&](std::uint32_t i) {
      std::uint32_t before = 0;
      const std::uint32_t id = bodies.id[found[i]];
      for (std::uint32_t j = 0; j < n; ++j) before += bodies.id[found[j]] < id ? 1 : 0;
      order[before] = found[i];
      direct.place[found[i]] = kNone;
    });
    team.one([&] { walk(begin, n); });
    team.each(n, [&](std::uint32_t i) { direct.first[begin + i] = lowest_neighbour(order[i], i); });
    team.one([&] { lay_out(begin, n); });
  }

 private:
  /// The other body of an end, or kNone if that doesn't move.
  CAIRN_HD std::uint32_t neighbour(std::uint32_t of) const {
    const std::uint32_t pair = of / 2;
    const std::uint32_t body = shapes.body[(of & 1u) != 0 ? pairs.shape_a(pair) : pairs.shape_b[pair]];
    return is_awake_dynamic(bodies.flags[body]) ? body : kNone;
  }

  /// Walks from `start` on, breadth first.
  CAIRN_HD_CALL void spread(std::uint32_t start, std::uint32_t* queue) const {
    std::uint32_t n = 1;
    queue[0] = start;
    direct.place[start] = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t e0 = direct.end_begin[queue[i]], e1 = e0 + direct.listed[queue[i]];
      for (std::uint32_t e = e0; e < e1; ++e) {
        const std::uint32_t body = neighbour(end[e]);
        if (body == kNone || direct.place[body] != kNone) continue;
        direct.place[body] = n;
        queue[n++] = body;
      }
    }
  }
  CAIRN_HD_CALL void walk(std::uint32_t begin, std::uint32_t n) const {
    std::uint32_t* const found = direct.found + begin;
    spread(direct.order[begin], found);
    for (std::uint32_t i = 0; i < n; ++i) direct.place[found[i]] = kNone;
    spread(found[n - 1], direct.order + begin);
  }

  CAIRN_HD std::uint32_t lowest_neighbour(std::uint32_t body, std::uint32_t place) const {
    std::uint32_t lowest = place;
    const std::uint32_t e0 = direct.end_begin[body], e1 = e0 + direct.listed[body];
    for (std::uint32_t e = e0; e < e1; ++e) {
      const std::uint32_t other = neighbour(end[e]);
      if (other != kNone && direct.place[other] < lowest) lowest = direct.place[other];
    }
    return lowest;
  }

  CAIRN_HD_CALL void lay_out(std::uint32_t begin, std::uint32_t n) const {
    const std::uint32_t* const first = direct.first + begin;
    std::uint32_t blocks = 0, last = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
      direct.block[begin + i] = blocks;
      blocks += i - first[i] + 1;
      while (last + 1 < n && first[last + 1] <= i) ++last;
      direct.last[begin + i] = last;
    }
    if (blocks > kDirectBlocks * n) direct.of_root[direct.parent[direct.order[begin]]] = kNone;
  }
};

}  // namespace cairn::kernels
