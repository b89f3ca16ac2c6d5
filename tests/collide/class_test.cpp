// The classes that pairs go through the narrow phase in: how they are listed, and that they change no bit.

#include <cstring>
#include <random>

#include "kernels/collide/epa.h"
#include "src/collide/collide.inl"
#include "tests/collide/oracle.h"
#include "tests/support/stage_rig.h"

namespace cairn::collide_test {
namespace {

using kernels::Manifold;
using kernels::PairClass;
using kernels::ShapeKind;
using testing_support::StageRig;

constexpr std::uint32_t kClasses = kernels::kListedClasses + 1;

/// Lists pairs of these classes, and looks for each pair once in its own class's list, in the order of the pairs.
void expect_listed(const std::vector<std::uint32_t>& classes, int threads) {
  const auto n = static_cast<std::uint32_t>(classes.size());
  StageRig rig(threads, 0, 0, std::max(n, 1u));
  rig.s.state->pair_count[0] = n;
  StageRig::poison_all(std::max(n, 1u), rig.s.work.row_key, rig.s.work.sorted_row_key, rig.s.work.row_order);
  StageRig::poison_all(kernels::kListedClasses, rig.s.state->class_begin, rig.s.state->class_count);
  std::copy(classes.begin(), classes.end(), rig.s.work.row_key);
  list_classes(rig.exec, rig.s);
  for (std::uint32_t c = 0; c < kernels::kListedClasses; ++c) {
    std::vector<std::uint32_t> wanted, got;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (classes[i] == c) wanted.push_back(i);
    }
    const kernels::ClassPairs listed{rig.s.work.row_order, rig.s.state, static_cast<PairClass>(c)};
    for (std::uint32_t i = 0; i < listed.count(); ++i) got.push_back(listed[i]);
    ASSERT_EQ(got, wanted) << "class " << c << " of " << n << " pairs, " << threads << " threads";
  }
}

TEST(PairClasses, list_each_pair_once_in_its_class_and_in_order) {
  std::mt19937 random(1);
  for (const std::uint32_t n : {0u, 1u, 2u, 255u, 256u, 257u, 5000u}) {
    // which classes there are: all but the ones of a mask
    for (std::uint32_t absent = 0; absent + 1 < 1u << kClasses; ++absent) {
      std::vector<std::uint32_t> classes;
      while (classes.size() < n) {
        const std::uint32_t c = random() % kClasses;
        if ((absent >> c & 1u) == 0) classes.push_back(c);
      }
      ASSERT_NO_FATAL_FAILURE(expect_listed(classes, 1 + static_cast<int>(absent % 3)));
    }
  }
}

/// The stage in one piece: what Collide leaves is done pair by pair, whatever its class.
struct Undivided {
  kernels::ManifoldUpdate renewal;
  kernels::Solids solids;

  void operator()(std::uint32_t i) const {
    const kernels::Meeting at = renewal.meeting(i);
    renewal.renew(i, at, [&](const auto& ga, const auto& pa, const auto& gb, const auto& pb, float m) {
      kernels::Epa epa;
      return is_surface(gb.kind) ? collide_surface(ga, pa, gb, pb, renewal.pairs.triangle[i], solids, m, epa)
                                 : kernels::collide_shapes(ga, pa, gb, pb, m, solids, at.old);
    });
  }
};

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere,     ShapeKind::kBox,     ShapeKind::kCapsule,
                                ShapeKind::kPlane,      ShapeKind::kFrustum, ShapeKind::kEllipsoid,
                                ShapeKind::kRoundedBox, ShapeKind::kHull,    ShapeKind::kHeightField};
constexpr std::uint32_t kShapes = 180, kPairs = 1500;

/// Shapes of all kinds, many of which overlap, and pairs of any two of which one is convex.
struct Crowd {
  StageRig rig;
  const std::vector<float> height;
  const kernels::HeightGrid grid{4, 4, 0, 0.7f, 0, 0.5f};
  const std::uint32_t first{kernels::kFirstTriangle}, field;

  Crowd(int threads, std::uint32_t workers)
      : rig(threads, kShapes, kShapes, kPairs), height(make_height()), field(kShapes - 1) {
    oracle::Dice dice(5);
    rig.set_pair_classes();
    rig.s.workers.count = std::min(workers, rig.s.workers.count);
    rig.s.solids = oracle::some_hulls().solids();
    rig.s.solids.grid = &grid;
    rig.s.solids.height = height.data();
    rig.s.surfaces = {&first, &field, 1};
    for (std::uint32_t i = 0; i < kShapes; ++i) {
      const ShapeKind kind = i == field ? ShapeKind::kHeightField : kKinds[i % 8];
      rig.make_shape(i, i, kind, {});
      rig.s.shapes.geometry[i] = dice.shape(kind);
      if (i == field) rig.s.shapes.geometry[i] = {kind, {1, 0, 0}, {-1, -1, -0.3f}, {}};
      if (kind == ShapeKind::kPlane) rig.s.shapes.geometry[i].size = {};
      rig.s.bodies.x[i] = dice.vector(0.6f);
      rig.s.bodies.q[i] = i == field ? Quat{} : dice.orientation();
      rig.s.bodies.v[i] = dice.vector(1);
    }
    for (std::uint32_t p = 0; p < kPairs; ++p) {
      rig.s.pairs[0].key[p] = rig.s.pairs[1].key[p] = key(dice);
      rig.s.work.match[p] = kernels::kNone;
    }
    rig.s.state->pair_count[0] = rig.s.state->pair_count[1] = kPairs;
  }

  /// A step later most bodies have hardly moved.
  void go_on() {
    oracle::Dice dice(6);
    rig.s.constants.parity ^= 1u;
    for (std::uint32_t p = 0; p < kPairs; ++p) rig.s.work.match[p] = p;
    for (std::uint32_t i = 0; i < kShapes; ++i) {
      if (i % 3 == 0) rig.s.bodies.x[i] = kernels::operator+(rig.s.bodies.x[i], dice.vector(0.05f));
    }
  }

  std::vector<Manifold> run() {
    Manifold* manifold = rig.s.pairs[rig.s.constants.parity].manifold.first;
    StageRig::poison(manifold, kPairs);
    StageRig::poison(rig.s.workers.epa, rig.s.workers.count);
    collide(rig.exec, rig.s);
    return {manifold, manifold + kPairs};
  }

 private:
  static std::vector<float> make_height() {
    oracle::Dice dice(7);
    std::vector<float> all;
    for (int k = 0; k < 16; ++k) all.push_back(dice.uniform(0, 0.5f));
    return all;
  }
  std::uint64_t key(oracle::Dice& dice) const {
    for (;;) {
      const auto a = static_cast<std::uint32_t>(dice.uniform(0, kShapes - 1)),
                 b = dice.uniform(0, 1) < 0.2f ? field : static_cast<std::uint32_t>(dice.uniform(0, kShapes - 1));
      if (a == b || (a % 8 == 3 && (b % 8 == 3 || b == field))) continue;
      if (b == field) return std::uint64_t{a} << 32 | (first + static_cast<std::uint32_t>(dice.uniform(0, 17.9f)));
      return std::uint64_t{std::min(a, b)} << 32 | std::max(a, b);
    }
  }
};

bool same(const Manifold& a, const Manifold& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// Of a run, how many pairs of each class have points, and how many were kept.
void expect_undivided(Crowd& crowd, std::uint32_t (&touching)[kClasses], std::uint32_t& kept) {
  StepContext& s = crowd.rig.s;
  const std::uint32_t now = s.constants.parity;
  const std::vector<Manifold> got = crowd.run();
  const Undivided undivided{
      {s.constants, s.bodies, s.shapes, s.worlds, s.pairs[now], s.pairs[now ^ 1u].manifold, s.work.match}, s.solids};
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    if ((got[i].flags & kernels::kManifoldRecycled) != 0) {
      ++kept;
      continue;
    }
    Manifold& m = s.pairs[now].manifold[i];
    StageRig::poison(&m, 1);
    undivided(i);
    const ShapeKind a = s.shapes.geometry[s.pairs[now].key[i] >> 32].kind,
                    b = s.shapes.geometry[s.pairs[now].shape_b[i]].kind;
    ASSERT_TRUE(same(m, got[i])) << "pair " << i << " of kinds " << static_cast<int>(a) << ", " << static_cast<int>(b);
    touching[static_cast<std::uint32_t>(class_of(a, b))] += m.count != 0 ? 1 : 0;
  }
}

TEST(PairClasses, give_the_manifolds_of_the_undivided_stage_bit_for_bit) {
  Crowd crowd(1, 7);
  std::uint32_t touching[kClasses] = {}, kept = 0;
  ASSERT_NO_FATAL_FAILURE(expect_undivided(crowd, touching, kept));
  EXPECT_EQ(kept, 0u);
  for (std::uint32_t c = 0; c < kClasses; ++c) EXPECT_GT(touching[c], 10u) << "class " << c;
  crowd.go_on();
  ASSERT_NO_FATAL_FAILURE(expect_undivided(crowd, touching, kept));
  EXPECT_GT(kept, 10u);
}

TEST(PairClasses, give_the_same_bits_for_any_number_of_threads_and_workers) {
  const auto both_steps = [](int threads, std::uint32_t workers) {
    Crowd crowd(threads, workers);
    std::vector<Manifold> all = crowd.run();
    crowd.go_on();
    const std::vector<Manifold> next = crowd.run();
    all.insert(all.end(), next.begin(), next.end());
    return all;
  };
  const std::vector<Manifold> wanted = both_steps(1, 1);
  for (const int threads : {1, 2, 3, 5}) {
    for (const std::uint32_t workers : {1u, 2u, 3u, 12u}) {
      const std::vector<Manifold> got = both_steps(threads, workers);
      ASSERT_EQ(std::memcmp(got.data(), wanted.data(), wanted.size() * sizeof wanted[0]), 0)
          << threads << " threads, " << workers << " workers";
    }
  }
}

TEST(PairClasses, have_polytopes_that_are_counted_where_some_may_take_one) {
  exec::CpuMemory cpu;
  exec::Journal memory(cpu);
  Arrays arrays(memory);
  arrays.workers = 2000;
  StepContext s;
  for (const std::uint32_t pairs : {0u, 1u, 1999u, 2000u, 2001u, 100'000u}) {
    s.constants.pair_capacity = pairs;
    const std::uint64_t before = memory.held();
    arrays.set_pair_classes(s, bit_of(PairClass::kBoxes));
    EXPECT_EQ(memory.held(), before);
    EXPECT_EQ(s.workers.count, 0u);
    const std::uint64_t had = arrays.polytopes.bytes();
    arrays.set_pair_classes(s, bit_of(PairClass::kTriangle));
    EXPECT_EQ(s.workers.count, std::min(pairs, arrays.workers)) << "never more than that";
    EXPECT_EQ(memory.held() - before, s.workers.count * sizeof(kernels::Epa) - had);
  }
}

}  // namespace
}  // namespace cairn::collide_test
