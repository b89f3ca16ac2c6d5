#include "src/color/color.inl"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "src/finish/finish.inl"
#include "src/prepare/prepare.inl"
#include "tests/support/stage_rig.h"

namespace cairn::color_test {
namespace {

using kernels::kColorsPerClass;
using kernels::kMaskColors;
using kernels::kNone;
using testing_support::StageRig;

/// Bodies with one shape each, of which every `fixed_every`th is static, joined at random.
struct Graph {
  std::uint32_t bodies, edges, fixed_every;
  std::uint32_t hubs{0};  ///< edges have one end among the first so many bodies
};

std::vector<std::uint64_t> edges_of(const Graph& graph, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint64_t> keys;
  for (std::uint32_t e = 0; e < graph.edges; ++e) {
    std::uint32_t a = static_cast<std::uint32_t>(random()) % (graph.hubs != 0 ? graph.hubs : graph.bodies);
    std::uint32_t b = static_cast<std::uint32_t>(random()) % graph.bodies;
    if (a == b) b = (a + 1) % graph.bodies;
    keys.push_back(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b));
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

void set_up(StageRig& rig, const Graph& graph, const std::vector<std::uint64_t>& keys) {
  for (std::uint32_t i = 0; i < graph.bodies; ++i) {
    if (graph.fixed_every != 0 && i % graph.fixed_every == 0)
      rig.make_body(i, i % 2 == 0 ? BodyType::kStatic : BodyType::kKinematic);
    rig.make_shape(i, i, kernels::ShapeKind::kSphere, {0.5f, 0, 0});
  }
  for (std::uint32_t p = 0; p < keys.size(); ++p) {
    rig.make_pair(p, keys[p]);
    kernels::Manifold& m = rig.s.pairs[0].manifold[p];
    m = {};
    m.count = p % 7 == 0 ? 0 : 1 + p % 4;
    m.normal = {0, 0, 1};
    m.color = kNone;
    for (std::uint32_t j = 0; j < m.count; ++j)
      m.points[j] = {{0.1f * static_cast<float>(j), 0, 0}, {0, 0.2f, 0}, 0, 0, 0, 0, j};
  }
  rig.s.state->pair_count[0] = static_cast<std::uint32_t>(keys.size());
}

bool pushed(const StageRig& rig, std::uint32_t body) { return kernels::is_awake_dynamic(rig.s.bodies.flags[body]); }

void run_color(StageRig& rig) {
  const kernels::PairWork& work = rig.s.work;
  StageRig::poison_all(rig.s.constants.pair_capacity, work.pending, work.edge, work.row_key, work.sorted_row_key,
                       work.row_order);
  const kernels::Bodies& b = rig.s.bodies;
  StageRig::poison_all(rig.s.constants.body_count, b.color_mask, b.static_color_mask, b.best_edge);
  for (std::uint32_t p = 0; p < rig.s.state->pair_count[0]; ++p) rig.s.pairs[0].manifold[p].flags = 0;
  begin(rig.exec, rig.s);
  color(rig.exec, rig.s);
}

/// First-fit, one edge after the other in descending priority, on top of the colours that persist.
std::vector<std::uint32_t> greedy(const StageRig& rig, const std::vector<std::uint64_t>& keys,
                                  std::vector<std::uint32_t> colors) {
  const auto mix = [](std::uint32_t a) {
    a = (a ^ a >> 16) * 0x85ebca6bu;
    a = (a ^ a >> 13) * 0xc2b2ae35u;
    return a ^ a >> 16;
  };
  std::vector<std::vector<bool>> taken[2];
  for (auto& list : taken) list.assign(rig.s.constants.body_count, std::vector<bool>(kMaskColors, false));
  const auto ends = [&](std::uint32_t p) {
    return std::pair(static_cast<std::uint32_t>(keys[p] >> 32), static_cast<std::uint32_t>(keys[p]));
  };
  const auto take = [&](std::uint32_t p) {
    const auto [a, b] = ends(p);
    auto& list = taken[pushed(rig, a) && pushed(rig, b) ? 0 : 1];
    if (colors[p] >= kMaskColors) return;
    if (pushed(rig, a)) list[a][colors[p]] = true;
    if (pushed(rig, b)) list[b][colors[p]] = true;
  };
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t p = 0; p < keys.size(); ++p) {
    const auto [a, b] = ends(p);
    if (rig.s.pairs[0].manifold[p].count == 0) colors[p] = kNone;
    if (rig.s.pairs[0].manifold[p].count == 0 || (!pushed(rig, a) && !pushed(rig, b))) continue;
    if (colors[p] == kNone) {
      wanted.push_back(p);
    } else {
      take(p);
    }
  }
  const auto priority = [&](std::uint32_t p) {
    const auto [a, b] = ends(p);
    return std::uint64_t{a % 2} << 63 | std::uint64_t{mix(mix(a) + b) >> 1} << 32 | p;
  };
  std::sort(wanted.begin(), wanted.end(), [&](std::uint32_t p, std::uint32_t q) { return priority(p) > priority(q); });
  for (const std::uint32_t p : wanted) {
    const auto [a, b] = ends(p);
    const auto& list = taken[pushed(rig, a) && pushed(rig, b) ? 0 : 1];
    std::uint32_t color = 0;
    while (color < kMaskColors && ((pushed(rig, a) && list[a][color]) || (pushed(rig, b) && list[b][color]))) ++color;
    colors[p] = color;
    take(p);
  }
  return colors;
}

std::vector<std::uint32_t> colors_of(const StageRig& rig) {
  std::vector<std::uint32_t> colors(rig.s.state->pair_count[0]);
  for (std::uint32_t p = 0; p < colors.size(); ++p) colors[p] = rig.s.pairs[0].manifold[p].color;
  return colors;
}

/// Rows of a colour share no body that can be pushed; a body's rows are in the order of the class and colour of their
/// contacts; each active pair has one row; colours begin at multiples of kRowAlign.
void expect_proper_rows(const StageRig& rig, const std::vector<std::uint64_t>& keys) {
  const kernels::StepState& state = *rig.s.state;
  const kernels::Parts& parts = rig.s.parts;
  std::vector<int> rows_of(keys.size(), 0);
  std::vector<std::uint32_t> last_of(rig.s.constants.body_count, 0);  // 1 + class and colour of the body's last row
  std::uint32_t before = 0;
  for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
    ASSERT_EQ(parts.color_begin[c], before);
    ASSERT_EQ(parts.color_row[c] % kernels::kRowAlign, 0u);
    before = parts.color_begin[c + 1];
    const std::uint32_t rows = before - parts.color_begin[c];
    ASSERT_EQ(parts.color_row[c + 1], parts.color_row[c] + (rows + 7) / 8 * 8);
    std::vector<bool> seen(rig.s.constants.body_count, false);
    std::uint32_t points = 4;
    for (std::uint32_t r = parts.color_begin[c]; r < before; ++r) {
      const std::uint32_t p = rig.s.work.row_order[r];
      ASSERT_LT(p, keys.size());
      rows_of[p] += 1;
      ASSERT_LE(rig.s.pairs[0].manifold[p].count, points) << "rows of a colour are in descending order of points";
      points = rig.s.pairs[0].manifold[p].count;
      const std::uint32_t a = static_cast<std::uint32_t>(keys[p] >> 32), b = static_cast<std::uint32_t>(keys[p]);
      const auto dynamic = [&](std::uint32_t body) { return kernels::is_dynamic(rig.s.bodies.flags[body]); };
      const std::uint32_t color = rig.s.pairs[0].manifold[p].color;
      const std::uint32_t rank = 1 + color + (dynamic(a) && dynamic(b) ? 0 : kColorsPerClass);
      for (const std::uint32_t body : {a, b}) {
        if (!pushed(rig, body)) continue;
        ASSERT_TRUE(rank > last_of[body] || (rank == last_of[body] && color == kMaskColors))
            << "rows of body " << body << " are out of order in colour " << c;
        last_of[body] = rank;
        if (c % kColorsPerClass == kMaskColors) continue;
        ASSERT_FALSE(seen[body]) << "two rows of colour " << c << " push body " << body;
        seen[body] = true;
      }
    }
  }
  ASSERT_EQ(state.row_count, parts.color_row[kernels::kColorCount]);
  ASSERT_LE(state.row_count, rig.s.row_capacity);
  for (std::uint32_t p = 0; p < keys.size(); ++p) {
    const bool active =
        rig.s.pairs[0].manifold[p].count != 0 &&
        (pushed(rig, static_cast<std::uint32_t>(keys[p] >> 32)) || pushed(rig, static_cast<std::uint32_t>(keys[p])));
    ASSERT_EQ(rows_of[p], active ? 1 : 0) << "pair " << p;
  }
}

const Graph kGraphs[] = {{2, 0, 0},         {2, 1, 0},      {300, 255, 7},       {300, 256, 7},
                         {300, 257, 7},     {40, 700, 5},   {1000, 4000, 9},     {200, 199, 0, 1},
                         {400, 3000, 3, 4}, {150, 9000, 0}, {3000, 12000, 2, 20}};

TEST(Color, is_sequential_first_fit_in_descending_priority) {
  for (const Graph& graph : kGraphs) {
    const auto keys = edges_of(graph, 1);
    for (const int threads : {1, 2, 3, 5}) {
      StageRig rig(threads, graph.bodies, graph.bodies,
                   std::max<std::uint32_t>(1, static_cast<std::uint32_t>(keys.size())));
      set_up(rig, graph, keys);
      run_color(rig);
      const auto wanted = greedy(rig, keys, std::vector<std::uint32_t>(keys.size(), kNone));
      ASSERT_EQ(colors_of(rig), wanted) << graph.bodies << " bodies, " << graph.edges << " edges, " << threads
                                        << " threads";
      ASSERT_NO_FATAL_FAILURE(expect_proper_rows(rig, keys));
    }
  }
}

// A tower whose bodies were added in their order, upwards or downwards. The ground needs a third colour only where the
// contact above the lowest body has the second.
TEST(Color, of_a_tower_are_two) {
  for (const auto& [height, lowest] :
       {std::pair(2u, 1u), {2u, 2u}, {10u, 1u}, {10u, 10u}, {33u, 1u}, {33u, 33u}, {500u, 1u}}) {
    std::vector<std::uint64_t> keys{lowest};  // the ground is body 0
    for (std::uint32_t b = 1; b < height; ++b) keys.push_back(std::uint64_t{b} << 32 | (b + 1));
    const Graph graph{height + 1, height, height + 1};
    StageRig rig(1, graph.bodies, graph.bodies, graph.edges);
    set_up(rig, graph, keys);
    for (std::uint32_t p = 0; p < keys.size(); ++p) rig.s.pairs[0].manifold[p].count = 4;
    run_color(rig);
    ASSERT_NO_FATAL_FAILURE(expect_proper_rows(rig, keys));
    const std::uint32_t third = lowest != 1 && lowest % 2 != 0 ? 1 : 0;
    EXPECT_EQ(rig.s.parts.color_begin[2], height - third) << "rows of the first two colours";
    EXPECT_EQ(rig.s.parts.color_begin[3], height);
  }
}

// a body with nearly as many rows of two dynamic bodies as there are colours: rows with others fill the rest
TEST(Color, gives_rows_with_one_dynamic_body_a_place_at_the_end_once_the_colors_are_used_up) {
  const Graph graph{80, 2000, 6, 2};
  const auto keys = edges_of(graph, 1);
  StageRig rig(1, graph.bodies, graph.bodies, static_cast<std::uint32_t>(keys.size()));
  set_up(rig, graph, keys);
  run_color(rig);
  ASSERT_NO_FATAL_FAILURE(expect_proper_rows(rig, keys));
  ASSERT_EQ(rig.s.state->counts.overflow_rows, 0u);
  std::uint32_t of_one[2] = {0, 0};  // rows of body 1, in the colours of two dynamic bodies and behind them
  for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
    for (std::uint32_t r = rig.s.parts.color_begin[c]; r < rig.s.parts.color_begin[c + 1]; ++r) {
      const std::uint64_t key = keys[rig.s.work.row_order[r]];
      const std::uint32_t a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key);
      if ((a == 1 || b == 1) && pushed(rig, a) != pushed(rig, b)) ++of_one[c < kColorsPerClass ? 0 : 1];
    }
  }
  EXPECT_GT(of_one[0], 0u);
  EXPECT_GT(of_one[1], 0u);
}

/// Bodies that sleep, or wait in a frozen world, keep the colours of their contacts; what comes beside them takes
/// others, for they may all push one day.
TEST(Color, of_contacts_of_what_rests_is_taken_by_none_that_comes_beside_it) {
  for (const Graph& graph : kGraphs) {
    const auto keys = edges_of(graph, 4);
    for (const std::uint32_t rest : {std::uint32_t{kernels::kBodyFrozen}, std::uint32_t{kernels::kBodyAsleep}}) {
      StageRig rig(2, graph.bodies, graph.bodies, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(keys.size())));
      set_up(rig, graph, keys);
      // at first every third contact alone
      std::vector<std::uint32_t> counts;
      for (std::uint32_t p = 0; p < keys.size(); ++p) {
        counts.push_back(rig.s.pairs[0].manifold[p].count);
        if (p % 3 != 0) rig.s.pairs[0].manifold[p].count = 0;
      }
      run_color(rig);
      for (std::uint32_t i = 0; i < graph.bodies; ++i) {
        if (i % 2 == 0) rig.s.bodies.flags[i] |= rest;
      }
      for (std::uint32_t p = 0; p < keys.size(); ++p) rig.s.pairs[0].manifold[p].count = counts[p];
      run_color(rig);
      ASSERT_NO_FATAL_FAILURE(expect_proper_rows(rig, keys));
      std::vector<std::uint64_t> taken[2];
      for (auto& list : taken) list.assign(graph.bodies, 0);
      const auto dynamic = [&](std::uint32_t body) { return kernels::is_dynamic(rig.s.bodies.flags[body]); };
      for (std::uint32_t p = 0; p < keys.size(); ++p) {
        const std::uint32_t a = static_cast<std::uint32_t>(keys[p] >> 32), b = static_cast<std::uint32_t>(keys[p]);
        const std::uint32_t color = rig.s.pairs[0].manifold[p].color;
        if (counts[p] == 0 || color >= kMaskColors) continue;
        for (const std::uint32_t body : {a, b}) {
          std::uint64_t& of = taken[dynamic(a) && dynamic(b) ? 0 : 1][body];
          if (!dynamic(body)) continue;
          ASSERT_EQ(of >> color & 1, 0u) << "body " << body << " has two contacts of colour " << color;
          of |= std::uint64_t{1} << color;
        }
      }
    }
  }
}

TEST(Color, persists_and_new_edges_take_what_is_free) {
  for (const Graph& graph : kGraphs) {
    const auto keys = edges_of(graph, 2);
    StageRig rig(2, graph.bodies, graph.bodies, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(keys.size())));
    set_up(rig, graph, keys);
    run_color(rig);
    std::mt19937 random(3);
    for (int step = 0; step < 5; ++step) {
      std::vector<std::uint32_t> before = colors_of(rig);
      for (std::uint32_t p = 0; p < keys.size(); ++p) {
        kernels::Manifold& m = rig.s.pairs[0].manifold[p];
        // a contact ends, or begins
        if (random() % 10 == 0) m.count = m.count == 0 ? 2 : 0;
        if (m.count == 0 && random() % 2 == 0) m.color = before[p] = kNone;
      }
      const auto wanted = greedy(rig, keys, before);
      run_color(rig);
      ASSERT_EQ(colors_of(rig), wanted) << "step " << step;
      ASSERT_NO_FATAL_FAILURE(expect_proper_rows(rig, keys));
    }
    // from scratch when asked to
    rig.s.worlds.steps[0] = kernels::kRecolorPeriod;
    run_color(rig);
    ASSERT_EQ(colors_of(rig), greedy(rig, keys, std::vector<std::uint32_t>(keys.size(), kNone)));
  }
}

/// Prepares the rows over what a step before may have left: NaN in all lanes.
void run_prepare(StageRig& rig) {
  rig.s.rolling = true;
  StageRig::poison(rig.s.rows.first, rig.s.row_capacity / kernels::kRowLanes);
  StageRig::poison(rig.s.bodies.solve, std::size_t{rig.s.constants.body_count} + 1);
  prepare(rig.exec, rig.s);
}

/// Each row in its lane and counted at the bodies that it may push, and padding behind the rows of each colour.
void expect_rows(const StageRig& rig, const std::vector<std::uint64_t>& keys) {
  const std::uint32_t bodies = rig.s.constants.body_count;
  const kernels::Parts& parts = rig.s.parts;
  std::vector<std::uint32_t> rows_of(bodies + 1, 0);
  for (std::uint32_t c = 0; c < kernels::kColorCount; ++c) {
    const std::uint32_t rows = parts.color_begin[c + 1] - parts.color_begin[c];
    for (std::uint32_t slot = parts.color_row[c]; slot < parts.color_row[c + 1]; ++slot) {
      const kernels::RowBlock& row = rig.s.rows[slot / kernels::kRowLanes];
      const std::uint32_t lane = slot % kernels::kRowLanes, at = slot - parts.color_row[c];
      const bool padding = at >= rows;
      const std::uint32_t p = padding ? kNone : rig.s.work.row_order[parts.color_begin[c] + at];
      ASSERT_EQ(row.count[lane], padding ? 0 : rig.s.pairs[0].manifold[p].count);
      ASSERT_EQ(row.body_a[lane], padding ? bodies : static_cast<std::uint32_t>(keys[p] >> 32));
      ASSERT_EQ(row.body_b[lane], padding ? bodies : static_cast<std::uint32_t>(keys[p]));
      for (const std::uint32_t body : {row.body_a[lane], row.body_b[lane]}) {
        if (!padding && pushed(rig, body)) ++rows_of[body];
      }
      // every float that a pack of lanes reads is a number, and nought in padding
      const float* field = &row.normal[0][0];
      const std::size_t fields =
          (sizeof(kernels::RowBlock) - offsetof(kernels::RowBlock, normal)) / sizeof(row.normal[0]);
      for (std::size_t f = 0; f < fields; ++f) {
        const float value = field[f * kernels::kRowLanes + lane];
        ASSERT_TRUE(std::isfinite(value)) << "field " << f << " of slot " << slot << " of colour " << c;
        ASSERT_TRUE(!padding || value == 0.0f);
      }
    }
  }
  for (std::uint32_t i = 0; i <= bodies; ++i) ASSERT_EQ(rig.s.bodies.solve[i].rows, rows_of[i]) << "body " << i;
}

TEST(Color, rows_stand_where_their_colour_does_and_padding_is_harmless) {
  for (const Graph& graph : kGraphs) {
    const auto keys = edges_of(graph, 4);
    StageRig rig(3, graph.bodies, graph.bodies, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(keys.size())));
    set_up(rig, graph, keys);
    run_color(rig);
    run_prepare(rig);
    ASSERT_NO_FATAL_FAILURE(expect_rows(rig, keys));
    const kernels::BodySolve& immovable = rig.s.bodies.solve[graph.bodies];
    EXPECT_EQ(immovable.inv_mass, 0.0f);
    EXPECT_EQ(immovable.movable, 0.0f);
    EXPECT_EQ(immovable.v, Vec3{});
  }
}

TEST(Color, rows_of_links_and_of_sleepers_are_counted_at_the_bodies_that_they_may_push) {
  for (const Graph& graph : kGraphs) {
    const auto keys = edges_of(graph, 5);
    StageRig rig(2, graph.bodies, graph.bodies, std::max<std::uint32_t>(1, static_cast<std::uint32_t>(keys.size())));
    set_up(rig, graph, keys);
    std::uint32_t first = kNone;
    for (std::uint32_t i = 0; i < graph.bodies; ++i) {
      std::uint32_t& flags = rig.s.bodies.flags[i];
      if (i % 5 == 2) flags |= kernels::kBodyAsleep;
      if (i % 3 != 1 || !kernels::is_dynamic(flags)) continue;
      // all of one articulation, whose first link takes the colours of all
      if (first == kNone) first = i;
      flags |= kernels::kBodyLink;
      rig.s.bodies.owner[i] = first;
    }
    run_color(rig);
    run_prepare(rig);
    ASSERT_NO_FATAL_FAILURE(expect_rows(rig, keys));
  }
}

TEST(Color, every_number_of_rows_is_padded_in_every_place) {
  constexpr std::uint32_t kCounts[] = {0, 1, 7, 8, 9};
  constexpr std::uint32_t kPlaces[] = {0, 1, kMaskColors - 1, kMaskColors, kColorsPerClass, kernels::kColorCount - 1};
  // by turns, so that each colour, both overflow colours among them, has each number of rows
  for (std::uint32_t turn = 0; turn < 5 * 5; ++turn) {
    std::vector<std::uint32_t> rows_of(kernels::kColorCount, 0), color_of;
    for (const std::uint32_t c : kPlaces) {
      rows_of[c] = kCounts[(turn + c * (turn / 5)) % 5];
      color_of.insert(color_of.end(), rows_of[c], c);
    }
    // pairs of bodies that meet nobody else, in the colours of the step before
    const std::uint32_t pairs = static_cast<std::uint32_t>(color_of.size());
    std::vector<std::uint64_t> keys;
    for (std::uint32_t p = 0; p < pairs; ++p) keys.push_back(std::uint64_t{2 * p} << 32 | (2 * p + 1));
    StageRig rig(3, 2 * pairs, 2 * pairs, std::max(pairs, 1u));
    set_up(rig, {2 * pairs, pairs, 0}, keys);
    for (std::uint32_t p = 0; p < pairs; ++p) {
      if (color_of[p] >= kColorsPerClass) rig.make_body(2 * p, BodyType::kStatic);
      rig.s.pairs[0].manifold[p].count = 1 + p % 4;
      rig.s.pairs[0].manifold[p].color = color_of[p] % kColorsPerClass;
    }
    run_color(rig);
    run_prepare(rig);
    const std::uint32_t* begin = rig.s.parts.color_begin;
    // what has one dynamic body, and no row before, is of the first colour
    if (rows_of[kMaskColors] == 0) rows_of[0] += std::exchange(rows_of[kColorsPerClass], 0);
    for (const std::uint32_t c : kPlaces) ASSERT_EQ(begin[c + 1] - begin[c], rows_of[c]) << "colour " << c;
    ASSERT_NO_FATAL_FAILURE(expect_rows(rig, keys)) << "turn " << turn;
    // padding ends with the last colour
    const std::uint32_t past = rig.s.state->row_count;
    if (past == rig.s.row_capacity) continue;
    ASSERT_EQ(rig.s.rows[past / kernels::kRowLanes].count[past % kernels::kRowLanes], kNone);
  }
}

}  // namespace
}  // namespace cairn::color_test
