// Pairs that outlive a step must be those that a search finds, whatever happens to bodies and shapes in between.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "src/bound/bound.inl"
#include "src/finish/finish.inl"
#include "src/pair/pair.inl"
#include "tests/support/stage_rig.h"

namespace cairn::pair_test {
namespace {

using kernels::ShapeKind;
using testing_support::StageRig;

std::vector<std::uint64_t> pairs_by(exec::CpuExec& exec, const StepContext& s) {
  StageRig::poison(s.pairs[s.constants.parity].key, s.constants.pair_capacity);
  begin(exec, s);
  bound(exec, s);
  pair(exec, s);
  const std::uint64_t* keys = s.pairs[s.constants.parity].key;
  return {keys, keys + s.state->pair_count[s.constants.parity]};
}

/// Bodies of some kinds in boxes of such an edge, one in each world but the last of several, which is empty; at rest or
/// nearly, in world 0 over a plane.
class Crowd {
 public:
  Crowd(std::uint32_t count, float edge, std::uint32_t seed, int threads, std::uint32_t worlds = 1)
      : rig(threads, count, count, count * count, worlds),
        count_(count),
        inhabited_(worlds == 1 ? 1 : worlds - 1),
        random_(seed) {
    rig.exec.reserve(count * count);
    for (std::uint32_t i = 0; i < count; ++i) put(i, edge);
    rig.make_body(0, BodyType::kStatic);
    rig.make_shape(0, 0, ShapeKind::kPlane, {0, 0, 0});
    rig.add_plane(0);
  }

  void put(std::uint32_t i, float edge) {
    rig.make_body(i, pick(8) == 0 ? BodyType::kStatic : pick(8) == 0 ? BodyType::kKinematic : BodyType::kDynamic);
    rig.s.bodies.world[i] = pick(inhabited_);
    shape(i);
    rig.s.bodies.x[i] = {uniform(0, edge), uniform(0, edge), uniform(0, edge)};
    rig.s.bodies.q[i] = kernels::normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
  }
  void shape(std::uint32_t i) {
    const float h = uniform(0.2f, 0.6f);
    if (pick(2) == 0)
      rig.make_shape(i, i, ShapeKind::kSphere, {h, 0, 0});
    else
      rig.make_shape(i, i, ShapeKind::kBox, {h, h / 2, h});
  }

  /// What may happen between two steps; `how` from calm to wild, in world 1 always wild.
  void change(int how, float edge) {
    const kernels::Bodies& b = rig.s.bodies;
    for (std::uint32_t i = 1; i < count_; ++i) {
      const float by = how == 2 || b.world[i] == 1 ? 0.3f : how == 0 ? 1e-4f : 5e-3f;
      b.x[i] = kernels::operator+(b.x[i], Vec3{uniform(-by, by), uniform(-by, by), uniform(-by, by)});
      const Quat turn{uniform(-by, by), uniform(-by, by), uniform(-by, by), 1.0f};
      if (pick(2) == 0) b.q[i] = kernels::normalized(kernels::operator*(b.q[i], turn));
      b.v[i] = {uniform(-by, by), 0, uniform(-10 * by, 0)};
    }
    if (pick(5) != 0) return;
    const std::uint32_t i = 1 + pick(count_ - 1);
    switch (pick(12)) {
      case 0:
        put(i, edge);
        break;
      case 1:
        shape(i);
        break;
      case 2:
        rig.s.shapes.body[i] = rig.s.shapes.body[i] == kernels::kNone ? i : kernels::kNone;
        break;
      case 3:
        b.flags[i] ^= kernels::kBodyDisabled;
        break;
      case 4:
        b.flags[i] = (b.flags[i] & ~std::uint32_t{kernels::kBodyTypeMask}) | pick(3);
        break;
      case 5:
        b.v[i] = {300, 0, 0};
        break;
      case 6:
        rig.s.constants.filters ^= std::uint32_t{kernels::kUseFilters};
        break;
      case 7:
        rig.s.shapes.filter[i].filter.group = static_cast<std::int32_t>(pick(3)) - 1;
        break;
      case 8:
        // the host lists no planes of bodies that are switched off
        b.flags[0] ^= kernels::kBodyDisabled;
        rig.set_planes(kernels::is_disabled(b.flags[0]) ? 0 : 1);
        break;
      case 9:
        rig.s.constants.filters |= kernels::kUseSensors;
        rig.s.shapes.filter[i].bits ^= kernels::kShapeSensor;
        break;
      case 10:
        rig.s.shapes.geometry[i].size.x *= 0.3f;
        break;
      default:
        b.x[0] = {0, 0, uniform(-1, 1)};
    }
  }

  StageRig rig;

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  std::uint32_t count_, inhabited_;
  std::mt19937 random_;
};

TEST(Candidates, are_the_pairs_that_a_search_finds_whatever_has_changed) {
  constexpr std::uint32_t kAlone = 12, kSeeds = 18, kSteps = kAlone * 200;
  std::uint32_t kept = 0, found = 0, some_sought = 0, few_sought = 0, mixed = 0;
  for (std::uint32_t seed = 0; seed < kSeeds; ++seed) {
    const std::uint32_t count = seed % 3 == 0 ? 40 : 300, worlds = seed < kAlone ? 1 : 4;
    const float edge = seed % 2 == 0 ? 4.0f : 7.0f;
    Crowd crowd(count, edge, seed, seed % 4 == 3 ? 3 : 1, worlds);
    const StepContext& s = crowd.rig.s;
    // as one cell, in cells, and in cells where no share is ever exceeded
    std::fill_n(s.worlds.shape_count, worlds, seed % 3 == 1 ? 100 : seed % 3 == 2 ? count : kernels::kNone);
    crowd.rig.exec.reserve_candidates(count, worlds, s.constants.pair_capacity);
    exec::CpuExec searching(1);
    searching.reserve(s.constants.pair_capacity);
    for (int step = 0; step < 200; ++step) {
      crowd.change(step / 40 % 4 == 3 ? 2 : step / 20 % 2, edge);
      const std::vector<std::uint64_t> wanted = pairs_by(searching, s);
      ASSERT_EQ(pairs_by(crowd.rig.exec, s), wanted) << "seed " << seed << ", step " << step;
      const kernels::PairCandidates of = crowd.rig.exec.candidates();
      for (std::uint32_t w = 1; w < worlds; ++w) mixed += of.world_flags[w] != of.world_flags[0] ? 1 : 0;
      if (worlds != 1) continue;
      if (!crowd.rig.exec.grid_stands()) ++kept;
      if (of.world_flags[0] == kernels::kWorldSpared && of.world_stale[0] != 0) ++some_sought;
      if (of.counts->whole == 0 && of.counts->left > 0 && of.counts->left <= kernels::kFewStale) ++few_sought;
      found += static_cast<std::uint32_t>(wanted.size());
    }
  }
  EXPECT_GT(kept, kSteps / 4);
  EXPECT_GT(some_sought, kSteps / 8);
  EXPECT_GT(few_sought, kSteps / 16);
  EXPECT_GT(some_sought, few_sought + kSteps / 16);
  EXPECT_GT(found, kSteps * 20);
  EXPECT_GT(mixed, 6 * 200 / 2u);
}

/// Boxes of many sizes, close to each other, that hardly move; now and then something happens to one.
class Boxes {
 public:
  static constexpr std::uint32_t kCount = 90;

  Boxes(std::uint32_t seed, float far) : rig(1, kCount, kCount, kCount * kCount), far_(far), random_(seed) {
    rig.exec.reserve(kCount * kCount);
    for (std::uint32_t i = 0; i < kCount; ++i) put(i);
    rig.make_body(0, BodyType::kStatic);
    rig.exec.reserve_candidates(kCount, 1, kCount * kCount);
  }

  void put(std::uint32_t i) {
    rig.make_body(i, BodyType::kDynamic);
    const auto at = [&](std::uint32_t n) { return 0.8f * static_cast<float>(n) + uniform(-0.2f, 0.2f); };
    rig.s.bodies.x[i] = {far_ + at(i % 5), at(i / 5 % 5), at(i / 25)};
    const float by = pick(2) == 0 ? 0.02f : 1.0f;
    rig.s.bodies.q[i] = kernels::normalized(Quat{uniform(-by, by), uniform(-by, by), uniform(-by, by), 1});
    size(i);
  }
  void size(std::uint32_t i) {
    const auto edge = [&] { return pick(6) == 0 ? uniform(0.01f, 0.05f) : uniform(0.2f, 0.45f); };
    rig.make_shape(i, i, ShapeKind::kBox, {edge(), edge(), edge()});
    if (pick(3) != 0) return;
    // on the arm of a body that is far away, too
    const Vec3 arm{pick(4) == 0 ? uniform(-50, 50) : uniform(-0.1f, 0.1f), 0, uniform(-0.1f, 0.1f)};
    rig.s.shapes.geometry[i].position = arm;
    rig.s.bodies.x[i] = kernels::operator-(rig.s.bodies.x[i], kernels::rotate(rig.s.bodies.q[i], arm));
  }

  void change() {
    const kernels::Bodies& b = rig.s.bodies;
    const float by = pick(8) == 0 ? 2e-3f : pick(2) == 0 ? 1e-4f : 1e-6f;
    const auto any = [&] { return Vec3{uniform(-by, by), uniform(-by, by), uniform(-by, by)}; };
    for (std::uint32_t i = 1; i < kCount; ++i) {
      if (pick(3) == 0) continue;
      b.x[i] = kernels::operator+(b.x[i], any());
      // float32 is as coarse as that at 3 km
      if (far_ > 0.0f) b.x_low[i] = kernels::operator*(0.1f, any());
      const Vec3 turn = any();
      b.q[i] = kernels::normalized(kernels::operator*(b.q[i], Quat{turn.x, turn.y, turn.z, 1}));
      b.v[i] = kernels::operator*(10.0f, any());
      b.w[i] = kernels::operator*(10.0f, any());
    }
    if (pick(4) != 0) return;
    const std::uint32_t i = 1 + pick(kCount - 1);
    switch (pick(11)) {
      case 0:
        put(i);
        break;
      case 1:
        rig.s.shapes.geometry[i].size.y *= uniform(0.9f, 1.1f);
        break;
      case 2:
        rig.s.shapes.geometry[i].orientation = kernels::normalized(Quat{uniform(-1, 1), uniform(-1, 1), 0, 1});
        break;
      case 3:
        b.q[i] = {-b.q[i].x, -b.q[i].y, -b.q[i].z, -b.q[i].w};
        break;
      case 4:
        b.q[i].w *= 1.1f;
        break;
      case 5:
        b.w[i] = {0, 0, 40};
        break;
      case 6:
        rig.s.worlds.params[0].recycle_tolerance = uniform(0.0f, 0.02f);
        break;
      case 7:
        b.min_extent[i] = uniform(0.02f, 0.5f);
        break;
      case 8:
        // and in a later step the same place in other words
        b.x_low[i] = Vec3{uniform(-0.3f, 0.3f), 0, 0};
        break;
      case 9:
        for (std::uint32_t j = 1; j < kCount; ++j) {
          b.x[j] = kernels::operator+(b.x[j], b.x_low[j]);
          b.x_low[j] = Vec3{0, 0, 0};
        }
        break;
      default:
        b.x[i] = {std::numeric_limits<float>::quiet_NaN(), 0, 0};
    }
  }

  StageRig rig;

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }

  float far_;
  std::mt19937 random_;
};

TEST(Candidates, of_boxes_that_hardly_moved_are_not_tested_and_yet_the_pairs_of_a_search) {
  std::size_t all = 0, apart = 0, pairs = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Boxes boxes(seed, seed % 4 == 3 ? 3000.0f : 0.0f);
    const StepContext& s = boxes.rig.s;
    exec::CpuExec searching(1);
    searching.reserve(s.constants.pair_capacity);
    for (int step = 0; step < 150; ++step) {
      boxes.change();
      // those that aren't finite are put back by the step after
      for (std::uint32_t i = 1; i < Boxes::kCount; ++i) {
        if (!kernels::finite(s.bodies.x[i]) && s.bodies.v[i].x == 7.0f) boxes.put(i);
        if (!kernels::finite(s.bodies.x[i])) s.bodies.v[i].x = 7.0f;
      }
      const std::vector<std::uint64_t> wanted = pairs_by(searching, s);
      ASSERT_EQ(pairs_by(boxes.rig.exec, s), wanted) << "seed " << seed << ", step " << step;
      const kernels::PairCandidates of = boxes.rig.exec.candidates();
      if (boxes.rig.exec.grid_stands()) continue;
      all += of.counts->candidates;
      for (std::uint32_t i = 0; i < of.counts->candidates; ++i) {
        apart += of.limit[i] > 0.0f ? 1 : 0;
        pairs += of.limit[i] < 0.0f ? 1 : 0;
      }
    }
  }
  EXPECT_GT(apart, all / 4);
  EXPECT_GT(pairs, all / 10);
}

/// Pairs of boxes of a millimetre on arms of 30 m, of which the second ones come nearer by less than a float resolves
/// there: their gaps, as computed, jump by a hundred times as much.
class LongArms {
 public:
  static constexpr std::uint32_t kPairs = 40, kCount = 2 * kPairs;

  explicit LongArms(std::uint32_t seed) : rig(1, kCount, kCount, kCount * kCount) {
    rig.exec.reserve(kCount * kCount);
    rig.exec.reserve_candidates(kCount, 1, kCount * kCount);
    rig.s.worlds.gravity[0] = {0, 0, 0};
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> over(0.0f, 1e-5f);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const float arm = i % 2 == 0 ? 30.0f : -30.0f;
      rig.make_body(i, BodyType::kDynamic);
      rig.s.bodies.radius[i] = 30;
      rig.s.bodies.min_extent[i] = kHalf;
      rig.make_shape(i, i, ShapeKind::kBox, {kHalf, kHalf, kHalf});
      // faces meet at half a right angle to the axes, so that axis-aligned boxes overlap
      rig.s.shapes.geometry[i].orientation = {0, std::sin(0.125f * 3.14159f), 0, std::cos(0.125f * 3.14159f)};
      rig.s.shapes.geometry[i].position = {0, 0, arm};
      rig.s.bodies.x[i] = {0, 0.005f * static_cast<float>(i / 2), -arm};
    }
    for (std::uint32_t i = 1; i < kCount; i += 2) {
      // kernels::recycle_length is a quarter of the half extent, and the margin twice that
      const float apart = (2.5f * kHalf + over(random)) / std::sqrt(2.0f);
      rig.s.bodies.x[i].x = rig.s.bodies.x_low[i].z = apart;
    }
  }
  void change() {
    for (std::uint32_t i = 1; i < kCount; i += 2) rig.s.bodies.x_low[i].z -= 2e-8f;
  }

  StageRig rig;

 private:
  static constexpr float kHalf = 5e-4f;
};

TEST(Candidates, on_long_arms_are_tested_again_before_rounding_moves_their_boxes) {
  std::size_t untested = 0, changes = 0;
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    LongArms boxes(seed);
    const StepContext& s = boxes.rig.s;
    exec::CpuExec searching(1);
    searching.reserve(s.constants.pair_capacity);
    std::vector<std::uint64_t> before;
    for (int step = 0; step < 300; ++step) {
      boxes.change();
      const std::vector<std::uint64_t> wanted = pairs_by(searching, s);
      ASSERT_EQ(pairs_by(boxes.rig.exec, s), wanted) << "seed " << seed << ", step " << step;
      changes += step != 0 && wanted != before ? 1 : 0;
      before = wanted;
      if (boxes.rig.exec.grid_stands()) continue;
      const kernels::PairCandidates of = boxes.rig.exec.candidates();
      for (std::uint32_t i = 0; i < of.counts->candidates; ++i) untested += of.limit[i] > 0.0f ? 1 : 0;
    }
  }
  EXPECT_GT(untested, 4u * 300 * LongArms::kPairs / 4);
  EXPECT_GT(changes, 20u);
}

// a ball that takes the place of a larger one may come nearer to others while its box stays in that one's
TEST(Candidates, are_searched_again_for_a_ball_of_another_radius) {
  StageRig rig(1, 2, 2, 16);
  const StepContext& s = rig.s;
  for (std::uint32_t i = 0; i < 2; ++i) {
    rig.make_body(i, i == 0 ? BodyType::kDynamic : BodyType::kStatic);
    rig.make_shape(i, i, ShapeKind::kSphere, {0.5f, 0, 0});
    s.bodies.q[i] = Quat{};
  }
  s.bodies.x[0] = {0, 0, 0};
  s.bodies.x[1] = {0.83f, 0.83f, 0.83f};
  rig.exec.reserve(16);
  rig.exec.reserve_candidates(2, 1, 16);
  for (int step = 0; step < 3; ++step) EXPECT_TRUE(pairs_by(rig.exec, s).empty());
  EXPECT_FALSE(rig.exec.grid_stands());
  rig.make_shape(0, 0, ShapeKind::kSphere, {0.05f, 0, 0});
  s.bodies.x[0] = {0.53f, 0.53f, 0.53f};
  EXPECT_EQ(pairs_by(rig.exec, s), std::vector{kernels::key_of_pair(0, 1)});
}

/// What the grid holds of each shape.
std::vector<std::uint64_t> grid_of(const StepContext& s) {
  std::vector<std::uint64_t> all(s.shapes.cell, s.shapes.cell + s.constants.shape_count);
  all.insert(all.end(), s.shapes.sorted_cell, s.shapes.sorted_cell + s.constants.shape_count);
  all.insert(all.end(), s.state->level_count, s.state->level_count + kernels::kLevels);
  return all;
}

// Candidates that find no room are sought again with more, and not at all where they are too many. `ccd` searches the
// grid of the boxes as they are.
TEST(Candidates, without_room_give_the_same_pairs_and_leave_the_grid_that_a_search_leaves) {
  for (const float edge : {2.0f, 4.0f}) {
    for (const std::size_t room : {10u, 100000u}) {
      Crowd crowd(200, edge, 5, 1);
      const StepContext& s = crowd.rig.s;
      exec::CpuExec searching(1);
      searching.reserve(s.constants.pair_capacity);
      std::size_t kept = 0;
      for (int step = 0; step < 20; ++step) {
        crowd.change(0, edge);
        const std::vector<std::uint64_t> wanted = pairs_by(searching, s), grid = grid_of(s);
        ASSERT_GT(wanted.size(), 10u);
        crowd.rig.exec.reserve_candidates(200, 1, room);
        ASSERT_EQ(pairs_by(crowd.rig.exec, s), wanted) << room << ", step " << step;
        if (!crowd.rig.exec.grid_stands()) {
          ++kept;
          if (step % 2 != 0) continue;  // the next step finds no grid
          renew_grid(crowd.rig.exec, s);
        }
        ASSERT_EQ(grid_of(s), grid) << room << ", step " << step;
      }
      EXPECT_EQ(kept > 0, edge > 2.0f || room > 10) << edge << " m, " << room;
    }
  }
}

}  // namespace
}  // namespace cairn::pair_test
