#include "src/pair/pair.inl"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "src/bound/bound.inl"
#include "src/finish/finish.inl"
#include "tests/support/stage_rig.h"

namespace cairn::pair_test {
namespace {

using kernels::key_of_pair, kernels::ShapeKind;
using testing_support::StageRig;
using Keys = std::vector<std::uint64_t>;

/// [1] room for every pair that n shapes can make
constexpr std::uint32_t room_for(std::uint32_t n) { return n * n / 2 + 1; }

/// Runs bound and pair, all outputs poisoned first.
Keys found_by(StageRig& rig) {
  const StepContext& s = rig.s;
  StageRig::poison_all(s.constants.shape_count, s.shapes.box, s.shapes.cell, s.shapes.bucket, s.shapes.sorted,
                       s.shapes.sorted_cell, s.shapes.sorted_box, s.shapes.pair_count, s.shapes.pair_notes);
  StageRig::poison(s.bucket_begin, s.constants.bucket_count + 3);
  StageRig::poison_all(s.constants.pair_capacity, s.pairs[s.constants.parity].key, s.work.unsorted_key);
  begin(rig.exec, s);
  bound(rig.exec, s);
  pair(rig.exec, s);
  const std::uint64_t* keys = s.pairs[s.constants.parity].key;
  return {keys, keys + s.state->pair_count[s.constants.parity]};
}

bool boxes_overlap(const kernels::Aabb& a, const kernels::Aabb& b) {
  return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y && a.min.z <= b.max.z &&
         b.min.z <= a.max.z;
}

/// Every shape against every other. Boxes that only just touch a plane's surface may go either way: `either`.
struct BruteForce {
  std::set<std::uint64_t> must, either;

  explicit BruteForce(const StageRig& rig) {
    const StepContext& s = rig.s;
    const auto type = [&](std::uint32_t shape) {
      return s.bodies.flags[s.shapes.body[shape]] & kernels::kBodyTypeMask;
    };
    const auto dynamic = [&](std::uint32_t shape) {
      return type(shape) == static_cast<std::uint32_t>(BodyType::kDynamic);
    };
    for (std::uint32_t i = 0; i < s.constants.shape_count; ++i) {
      if (s.shapes.body[i] == kernels::kNone) continue;
      for (std::uint32_t j = i + 1; j < s.constants.shape_count; ++j) {
        if (s.shapes.body[j] == kernels::kNone || s.shapes.body[i] == s.shapes.body[j] || (!dynamic(i) && !dynamic(j)))
          continue;
        const bool i_plane = s.shapes.geometry[i].kind == ShapeKind::kPlane,
                   j_plane = s.shapes.geometry[j].kind == ShapeKind::kPlane;
        if (i_plane && j_plane) continue;
        if (i_plane || j_plane) {
          against_plane(s, i_plane ? j : i, i_plane ? i : j);
        } else if (boxes_overlap(s.shapes.box[i], s.shapes.box[j])) {
          const bool balls =
              s.shapes.geometry[i].kind == ShapeKind::kSphere && s.shapes.geometry[j].kind == ShapeKind::kSphere;
          if (balls) {
            of_balls(s, i, j);
          } else {
            must.insert(key_of_pair(i, j));
          }
        }
      }
    }
  }

 private:
  /// Of two balls whose boxes overlap those that are apart by no more than both margins.
  void of_balls(const StepContext& s, std::uint32_t i, std::uint32_t j) {
    const kernels::Aabb &a = s.shapes.box[i], &b = s.shapes.box[j];
    const double apart[3] = {0.5 * (double{b.min.x} + b.max.x - a.min.x - a.max.x),
                             0.5 * (double{b.min.y} + b.max.y - a.min.y - a.max.y),
                             0.5 * (double{b.min.z} + b.max.z - a.min.z - a.max.z)};
    const double distance = std::hypot(apart[0], apart[1], apart[2]);
    const double reach = 0.5 * (double{a.max.x} - a.min.x + b.max.x - b.min.x);
    // a few roundings of numbers of this size, and the slack
    double size = reach;
    for (const Vec3 corner : {a.min, a.max, b.min, b.max})
      size = std::max({size, std::abs(double{corner.x}), std::abs(double{corner.y}), std::abs(double{corner.z})});
    const double doubt = 8 * 0x1p-24 * size + 2e-6 * reach;
    if (distance < reach - doubt) must.insert(key_of_pair(i, j));
    if (std::abs(distance - reach) <= doubt) either.insert(key_of_pair(i, j));
  }

  void against_plane(const StepContext& s, std::uint32_t shape, std::uint32_t plane) {
    const Quat q = s.shapes.geometry[plane].orientation;
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double n[3] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    const Vec3 p = s.shapes.geometry[plane].position, low = s.shapes.box[shape].min, high = s.shapes.box[shape].max;
    const double a[3] = {low.x, low.y, low.z}, b[3] = {high.x, high.y, high.z}, o[3] = {p.x, p.y, p.z};
    double distance = 0, size = 0;
    for (int i = 0; i < 3; ++i) {
      distance += n[i] * ((n[i] > 0 ? a[i] : b[i]) - o[i]);
      size += std::abs(a[i]) + std::abs(o[i]);
    }
    // a dozen float operations on numbers of this size
    const double doubt = 12 * 0x1p-24 * size;
    if (distance < -doubt) must.insert(key_of_pair(shape, plane));
    if (std::abs(distance) <= doubt) either.insert(key_of_pair(shape, plane));
  }
};

/// What `ccd` sees: everything that its boxes reach.
Keys seen_by_ccd(const StageRig& rig) {
  const kernels::PairQuery query = pair_query(rig.s, kernels::PairUse::kStops);
  Keys keys;
  for (std::uint32_t i = 0; i < rig.s.constants.shape_count; ++i)
    query.visit(i, [&](std::uint32_t a, std::uint32_t b) { keys.push_back(key_of_pair(a, b)); });
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool both(const StepContext& s, std::uint32_t i, std::uint32_t j, ShapeKind kind) {
  return s.shapes.geometry[i].kind == kind && s.shapes.geometry[j].kind == kind;
}

/// How far apart two shapes are at the step's start, at least, and how far contacts look, as docs/pipeline.md has it.
struct Gap {
  double apart, margin, doubt;  ///< [m]

  Gap(const StageRig& rig, std::uint32_t i, std::uint32_t j) {
    const StepContext& s = rig.s;
    double c[2][3], half[2][3], ball[2] = {0, 0}, axis[2][3][3], size = 0;
    const std::uint32_t shape[2] = {i, j};
    for (int k = 0; k < 2; ++k) {
      const kernels::ShapeGeometry& g = s.shapes.geometry[shape[k]];
      const Vec3 x = s.bodies.x[s.shapes.body[shape[k]]];
      const Quat q = s.bodies.q[s.shapes.body[shape[k]]];
      const kernels::Mat3 r = kernels::matrix_of(q);
      const double at[3] = {x.x, x.y, x.z}, e[3] = {g.size.x, g.size.y, g.size.z};
      for (int d = 0; d < 3; ++d) {
        const Vec3 column = kernels::column(r, d);
        for (int to = 0; to < 3; ++to) axis[k][d][to] = kernels::component(column, to);
      }
      for (int d = 0; d < 3; ++d) {
        c[k][d] = at[d];
        if (g.kind == ShapeKind::kSphere) half[k][d] = ball[k] = e[0];
        const double of[3] = {std::abs(kernels::component(r.x, d)), std::abs(kernels::component(r.y, d)),
                              std::abs(kernels::component(r.z, d))};
        if (g.kind == ShapeKind::kCapsule) half[k][d] = e[0] + of[2] * e[2];
        if (g.kind == ShapeKind::kBox) half[k][d] = of[0] * e[0] + of[1] * e[1] + of[2] * e[2];
        size = std::max(size, std::abs(at[d]) + half[k][d]);
      }
    }
    const bool balls = ball[0] > 0 && ball[1] > 0;
    apart = -1e30;
    for (int d = 0; d < 3; ++d) apart = std::max(apart, std::abs(c[1][d] - c[0][d]) - half[0][d] - half[1][d]);
    if (balls) apart = std::hypot(c[1][0] - c[0][0], c[1][1] - c[0][1], c[1][2] - c[0][2]) - ball[0] - ball[1];
    if (both(s, i, j, ShapeKind::kBox)) {
      // along the normals of their faces
      apart = -1e30;
      for (int side = 0; side < 2; ++side) {
        for (const auto& n : axis[side]) {
          double distance = 0;
          for (int d = 0; d < 3; ++d) distance += n[d] * (c[1][d] - c[0][d]);
          double gap = std::abs(distance);
          for (int k = 0; k < 2; ++k) {
            const Vec3 h = s.shapes.geometry[shape[k]].size;
            for (int e = 0; e < 3; ++e) {
              const auto& of = axis[k][e];
              gap -= kernels::component(h, e) * std::abs(n[0] * of[0] + n[1] * of[1] + n[2] * of[2]);
            }
          }
          apart = std::max(apart, gap);
        }
      }
    }
    const std::uint32_t a = s.shapes.body[i], b = s.shapes.body[j];
    const auto moves = [&](std::uint32_t body) {
      return (s.bodies.flags[body] & kernels::kBodyTypeMask) != static_cast<std::uint32_t>(BodyType::kStatic);
    };
    const double least =
        std::min(moves(a) ? double{s.bodies.min_extent[a]} : 1e18, moves(b) ? double{s.bodies.min_extent[b]} : 1e18);
    const kernels::WorldParams& params = s.worlds.params[0];
    const double tolerance =
        std::min(double{params.recycle_tolerance} * std::min(s.bodies.radius[a], s.bodies.radius[b]), 0.25 * least);
    const Vec3 g = s.worlds.gravity[0];
    const double dt = s.constants.dt, fall = std::hypot(double{g.x}, double{g.y}, double{g.z}) * dt;
    const double speed = std::abs(double{s.bodies.v[b].x} - s.bodies.v[a].x) + fall;
    margin = std::max(std::min(speed * dt + 2 * tolerance, least), 1.25 * tolerance);
    doubt = 16 * 0x1p-24 * size + 4e-6 * (margin + half[0][0] + half[1][0]);
  }
};

void expect_all_pairs_once(StageRig& rig, const char* scene) {
  const Keys found = found_by(rig);
  ASSERT_EQ(rig.s.state->overflow, 0u) << scene << " needs " << rig.s.state->pairs_needed;
  const BruteForce wanted(rig);
  const Keys seen = seen_by_ccd(rig);
  for (std::size_t i = 1; i < seen.size(); ++i) ASSERT_LT(seen[i - 1], seen[i]) << scene << ": twice, at " << i;
  const std::set<std::uint64_t> all(seen.begin(), seen.end());
  for (const std::uint64_t key : wanted.must)
    ASSERT_TRUE(all.count(key)) << scene << ": missing " << (key >> 32) << ", " << (key & 0xffffffff);
  for (const std::uint64_t key : all) {
    ASSERT_TRUE(wanted.must.count(key) || wanted.either.count(key))
        << scene << ": too many: " << (key >> 32) << ", " << (key & 0xffffffff);
  }

  // of those, contacts need what may have points
  for (std::size_t i = 1; i < found.size(); ++i)
    ASSERT_LT(found[i - 1], found[i]) << scene << ": not sorted, or twice, at " << i;
  const std::set<std::uint64_t> got(found.begin(), found.end());
  for (const std::uint64_t key : got) ASSERT_TRUE(all.count(key)) << scene;
  const auto kind = [&](std::uint64_t shape) { return rig.s.shapes.geometry[shape & 0xffffffff].kind; };
  for (const std::uint64_t key : all) {
    const auto i = static_cast<std::uint32_t>(key >> 32), j = static_cast<std::uint32_t>(key);
    if (kind(i) == ShapeKind::kPlane || kind(j) == ShapeKind::kPlane) {
      ASSERT_TRUE(got.count(key)) << scene;
      continue;
    }
    const Gap gap(rig, i, j);
    if (gap.apart < gap.margin - gap.doubt) {
      ASSERT_TRUE(got.count(key)) << scene << ": " << i << " and " << j << " are " << gap.apart
                                  << " m apart, with a margin of " << gap.margin;
    }
    const bool exact = both(rig.s, i, j, ShapeKind::kSphere) || both(rig.s, i, j, ShapeKind::kBox);
    // pairs with a far static body stay
    const bool far = kernels::far_pair(rig.s.bodies, rig.s.shapes.body[i], rig.s.shapes.body[j]).any;
    if (exact && !far && gap.apart > gap.margin + gap.doubt) {
      ASSERT_FALSE(got.count(key)) << scene << ": " << i << " and " << j << " are " << gap.apart
                                   << " m apart, with a margin of " << gap.margin;
    }
  }
}

struct Recipe {
  const char* name;
  double spread;      ///< [m]  positions within +- this of the middle
  Vec3d middle;       ///< [m]
  double size_ratio;  ///< [1]  largest over smallest
  double size;        ///< [m]  largest half extent
  int planes;
  int clusters;  ///< 0: spread evenly
};

void fill(StageRig& rig, const Recipe& recipe, unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967296.0);
  };
  const StepContext& s = rig.s;
  for (std::uint32_t i = 0; i < s.constants.shape_count; ++i) {
    const double half = recipe.size * std::pow(recipe.size_ratio, -uniform(0, 1));
    rig.make_body(i, static_cast<BodyType>(random() % 8 < 6 ? 2 : random() % 2));
    const double where = recipe.clusters == 0 ? 0
                                              : static_cast<double>(random() % static_cast<unsigned>(recipe.clusters)) *
                                                    10 * recipe.spread;
    s.bodies.x[i] = {static_cast<float>(recipe.middle.x + where + uniform(-recipe.spread, recipe.spread)),
                     static_cast<float>(recipe.middle.y - where + uniform(-recipe.spread, recipe.spread)),
                     static_cast<float>(recipe.middle.z + uniform(-recipe.spread, recipe.spread))};
    s.bodies.v[i] = {static_cast<float>(uniform(-5, 5)), 0, 0};
    const Quat q{static_cast<float>(uniform(-1, 1)), static_cast<float>(uniform(-1, 1)),
                 static_cast<float>(uniform(-1, 1)), 0.5f};
    s.bodies.q[i] = kernels::normalized(q);
    s.bodies.radius[i] = static_cast<float>(2 * half);
    s.bodies.min_extent[i] = static_cast<float>(half / 2);
    const float h = static_cast<float>(half);
    const unsigned kind = random() % 3;
    if (kind == 0) rig.make_shape(i, i, ShapeKind::kSphere, {h, 0, 0});
    if (kind == 1) rig.make_shape(i, i, ShapeKind::kBox, {h, h / 2, h * 0.7f});
    if (kind == 2) rig.make_shape(i, i, ShapeKind::kCapsule, {h / 2, 0, h / 2});
    if (random() % 16 == 0) s.shapes.body[i] = kernels::kNone;
    // two shapes of one body never meet
    if (i > 0 && random() % 8 == 0) s.shapes.body[i] = i - 1;
    if (static_cast<int>(i) < recipe.planes) {
      rig.make_body(i, BodyType::kStatic);
      rig.make_shape(i, i, ShapeKind::kPlane, {0, 0, 0});
      s.shapes.geometry[i].orientation = kernels::normalized(q);
      s.shapes.geometry[i].position = {static_cast<float>(recipe.middle.x), static_cast<float>(recipe.middle.y),
                                       static_cast<float>(recipe.middle.z)};
      rig.add_plane(i);
    }
  }
}

const Recipe kRecipes[] = {
    {"loose", 10, {}, 4, 0.5, 0, 0},
    {"dense", 3, {}, 2, 0.5, 2, 0},
    {"mixed sizes 1000:1", 10, {}, 1000, 2, 1, 0},
    {"mixed sizes 1e6:1", 10, {}, 1e6, 20, 1, 0},
    {"all in one cell", 0.05, {0.6, 0.6, 0.6}, 1.5, 0.3, 0, 0},
    {"negative coordinates", 8, {-40, -30, -20}, 10, 0.5, 2, 0},
    {"clusters", 2, {-500, 500, 0}, 3, 0.4, 1, 5},
    {"a million metres away", 20, {1e6, -1e6, 1e6}, 10, 1, 2, 0},
    {"at the end of the world", 20, {1e7, -1e7, 1e7}, 10, 2, 0, 0},
    {"tiny", 1e-4, {}, 20, 2e-5, 1, 0},
    {"on a line", 10, {0, 0, 0}, 1, 0.5, 0, 1},
};

TEST(Pair, finds_what_all_pairs_of_boxes_find_each_once_and_sorted) {
  for (const Recipe& recipe : kRecipes) {
    for (const std::uint32_t n : {0u, 1u, 2u, 9u, 255u, 256u, 257u}) {
      StageRig rig(1, n, n, room_for(n));
      fill(rig, recipe, n);
      ASSERT_NO_FATAL_FAILURE(expect_all_pairs_once(rig, recipe.name)) << recipe.name << ", " << n << " shapes";
      // as one cell
      rig.s.worlds.shape_count[0] = 1;
      ASSERT_NO_FATAL_FAILURE(expect_all_pairs_once(rig, recipe.name)) << recipe.name << ", " << n << " shapes";
    }
  }
}

TEST(Pair, gives_the_same_keys_for_every_number_of_threads) {
  for (const Recipe& recipe : kRecipes) {
    StageRig one(1, 257, 257, room_for(257));
    fill(one, recipe, 7);
    const Keys wanted = found_by(one);
    for (const int threads : {2, 3, 5}) {
      StageRig rig(threads, 257, 257, room_for(257));
      fill(rig, recipe, 7);
      ASSERT_EQ(found_by(rig), wanted) << recipe.name << ", " << threads << " threads";
    }
  }
}

// the buckets of a row of cells are consecutive, and cells wrap after 2^19: whatever the number of buckets, a pair
// across the wrap (at x = 0, where it always is) or across the last bucket must be found
TEST(Pair, finds_pairs_whatever_the_number_of_buckets) {
  for (const std::uint32_t buckets : {16u, 64u, 1u << 19, 1u << 20, 1u << 22}) {
    for (const Recipe& recipe : {kRecipes[0], kRecipes[1], kRecipes[5]}) {
      StageRig rig(1, 200, 200, room_for(200));
      fill(rig, recipe, 3);
      rig.set_buckets(buckets);
      ASSERT_NO_FATAL_FAILURE(expect_all_pairs_once(rig, recipe.name)) << recipe.name << ", " << buckets << " buckets";
    }
  }
}

TEST(Pair, fills_its_capacity_to_the_last_and_overflows_past_it) {
  StageRig counted(1, 200, 200, room_for(200));
  fill(counted, kRecipes[1], 1);
  const Keys wanted = found_by(counted);
  const std::uint32_t needed = static_cast<std::uint32_t>(wanted.size());
  ASSERT_GT(needed, 100u);
  for (const std::uint32_t room : {1u, needed - 1, needed, needed + 1}) {
    StageRig rig(1, 200, 200, room);
    fill(rig, kRecipes[1], 1);
    rig.s.state->pair_count[0] = 0;
    const Keys found = found_by(rig);
    EXPECT_EQ(rig.s.state->pairs_needed, needed);
    EXPECT_EQ(rig.s.state->overflow, room < needed ? 1u : 0u);
    EXPECT_EQ(found, room < needed ? Keys{} : wanted);
  }
}

TEST(Pair, leaves_out_what_can_not_move) {
  StageRig rig(1, 3, 3, 8);
  rig.make_body(0, BodyType::kStatic);
  rig.make_body(1, BodyType::kKinematic);
  for (std::uint32_t i = 0; i < 3; ++i) rig.make_shape(i, i, ShapeKind::kSphere, {0.5f, 0, 0});
  EXPECT_EQ(found_by(rig), (Keys{key_of_pair(0, 2), key_of_pair(1, 2)}));
}

}  // namespace
}  // namespace cairn::pair_test
