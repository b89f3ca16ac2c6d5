// The narrow phase of every pair with a shape of the general kind, and of every solid with a triangle: what holds for
// each manifold, and its depth against a search over directions. CAIRN_DRAWS sets how many random pairs of kinds are
// tried; a million were.

#include "src/quality/convex.h"
#include "tests/collide/oracle.h"

namespace cairn::oracle {
namespace {

constexpr double kExact = 1e-4;  // [1] of the smaller shape's size, as the issue asks for
const double kNearFace = std::acos(kernels::kNearFaceCosine);

/// A finite shape's smallest half extent as the narrow phase has it; a plane's is none of the smaller.
double min_of(const ShapeGeometry& g) {
  return g.kind == ShapeKind::kPlane ? 1e9 : kernels::convex_of(g, {}, some_hulls().solids()).min_extent;
}
double tolerance_of(const Case& c) { return kernels::kAxisTolerance * std::min(min_of(c.ga), min_of(c.gb)); }
/// Faces are clipped a hair outside, half the tolerance, and a corner there lies deeper than the face's own edge by up
/// to as much.
double hair_of(const Case& c) { return 0.5 * tolerance_of(c); }
double reach_of(const ShapeGeometry& g) {
  return g.kind == ShapeKind::kPlane ? 1e9 : kernels::convex_of(g, {}, some_hulls().solids()).reach;
}
double size_of(const Case& c) { return std::min(reach_of(c.ga), reach_of(c.gb)); }

struct Best {
  double separation;
  V n;
};

/// What the figures of quality make of two solids, by a polytope of their own: also a separation along some direction.
double distance_of(const kernels::Convex& a, const kernels::Convex& b) {
  const auto support_of = [](const kernels::Convex& shape) {
    return [&shape](reference::Vec3 d) {
      const kernels::Vec3d p = kernels::support(shape, {d.x, d.y, d.z});
      return reference::Vec3{p.x, p.y, p.z};
    };
  };
  const double radii = a.round + b.round;
  return quality::distance(support_of(a), support_of(b), 1e-7, radii + 1) - radii;
}

/// Climbs from a direction to where the separation along it is largest. Flat sides make ridges, which only steps in
/// many directions climb.
template <class Separation>
Best climb(const Separation& separation, Best at, double step) {
  constexpr int kTries = 14;
  std::uint32_t seed = 1;
  while (step > 1e-7) {
    const V e = std::abs(at.n.x) < 0.7 ? V{1, 0, 0} : V{0, 1, 0};
    V u = cross(at.n, e);
    u = (1 / length(u)) * u;
    const V w = cross(at.n, u);
    bool up = false;
    for (int k = 0; k < kTries && !up; ++k) {
      seed = seed * 1664525u + 1013904223u;
      const double turn = (k + 0x1p-32 * seed) * 6.283185307179586 / kTries;
      V n = at.n + step * std::cos(turn) * u + step * std::sin(turn) * w;
      n = (1 / length(n)) * n;
      const double value = separation(n);
      if (value > at.separation) at = {value, n}, up = true;
    }
    if (!up) step *= 0.5;
  }
  return at;
}

/// The direction of the largest separation, by climbing from the best few of a spiral of directions.
template <class Separation>
Best search(const Separation& separation, std::size_t climbs = 3) {
  constexpr int kSpiral = 160;
  std::vector<Best> starts;
  for (int k = 0; k < kSpiral; ++k) {
    const double z = 1 - 2 * (k + 0.5) / kSpiral, r = std::sqrt(1 - z * z), turn = k * 2.399963229728653;
    const V n{r * std::cos(turn), r * std::sin(turn), z};
    starts.push_back({separation(n), n});
  }
  std::sort(starts.begin(), starts.end(), [](const Best& a, const Best& b) { return a.separation > b.separation; });
  Best best = starts[0];
  for (std::size_t s = 0; s < climbs; ++s) {
    const Best at = climb(separation, starts[s], 0.15);
    if (at.separation > best.separation) best = at;
  }
  return best;
}

/// The largest separation within an angle of a direction.
template <class Separation>
double best_within(const Separation& separation, V middle, double angle) {
  const double min_cosine = std::cos(angle);
  const auto capped = [&](V n) { return dot(n, middle) >= min_cosine ? separation(n) : -1e9; };
  double best = separation(middle);
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 40; ++k) {
    const V aside{normal(engine), normal(engine), normal(engine)};
    V n = middle + 0.4 * angle * aside;
    n = (1 / length(n)) * n;
    if (!(dot(n, middle) >= min_cosine)) continue;
    best = std::max(best, climb(capped, {separation(n), n}, 0.3 * angle).separation);
  }
  return best;
}

constexpr ShapeKind kSolids[] = {kS, kB, kC, kF, kE, kR, kH};
const char* name_of(ShapeKind kind) {
  constexpr const char* kNames[] = {"sphere", "box", "capsule", "plane", "frustum", "ellipsoid", "rounded_box", "hull"};
  return kNames[static_cast<int>(kind)];
}

using Kinds = std::pair<ShapeKind, ShapeKind>;
std::vector<Kinds> general_pairs(bool with_plane) {
  std::vector<Kinds> all;
  for (const ShapeKind a : {kS, kB, kC, kP, kF, kE, kR, kH}) {
    for (const ShapeKind b : {kF, kE, kR, kH}) {
      if (static_cast<int>(a) <= static_cast<int>(b) && (a != kP || with_plane)) all.emplace_back(a, b);
    }
  }
  return all;
}
std::string name_of_pair(const testing::TestParamInfo<Kinds>& row) {
  return std::string(name_of(row.param.first)) + "_" + name_of(row.param.second);
}

class GeneralPair : public testing::TestWithParam<Kinds> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GeneralPair, testing::ValuesIn(general_pairs(true)), name_of_pair);
class GeneralSolids : public testing::TestWithParam<Kinds> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GeneralSolids, testing::ValuesIn(general_pairs(false)), name_of_pair);
class GeneralTwins : public testing::TestWithParam<ShapeKind> {};
INSTANTIATE_TEST_SUITE_P(Shapes, GeneralTwins, testing::Values(kF, kE, kR, kH),
                         [](const auto& row) { return name_of(row.param); });

TEST_P(GeneralPair, manifold_is_sound_and_the_same_with_the_shapes_exchanged) {
  Dice dice(1);
  const int count = draws(1500);
  int touching = 0;
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    const Case c = draw(dice, GetParam().first, GetParam().second);
    const ContactPoints m = touch(c.ga, c.pa, c.gb, c.pb, kMargin);
    expect_sound(m, kMargin);
    ASSERT_TRUE(mirror(m, touch(c.gb, c.pb, c.ga, c.pa, kMargin)));
    if (m.count == 0) continue;
    ++touching;
    // no point lies deeper than the shapes overlap along the normal
    const double along = separation_along(c.ga, c.pa, c.gb, c.pb, of(m.normal));
    if (std::isfinite(along)) {
      ASSERT_GE(deepest(m), along - kRounding - hair_of(c));
    }
  }
  EXPECT_GT(touching, count / 20);
}

/// Of two shapes of one kind and size the one called A comes first.
TEST_P(GeneralTwins, exchanged_have_another_face_only_within_the_preferences) {
  Dice dice(1);
  const int count = draws(1500);
  int different = 0;
  for (int i = 0; i < count && !HasFatalFailure(); ++i) {
    SCOPED_TRACE(i);
    Case c = draw(dice, GetParam(), GetParam());
    c.gb = c.ga;
    const ContactPoints m = touch(c.ga, c.pa, c.gb, c.pb, kMargin), w = touch(c.gb, c.pb, c.ga, c.pa, kMargin);
    if (m.count == 0 || w.count == 0) {
      different += m.count != w.count ? 1 : 0;
      continue;
    }
    const V n = of(m.normal);
    const bool same = std::abs(deepest(m) - deepest(w)) <= kRounding && length(n + of(w.normal)) < 1e-4;
    different += same ? 0 : 1;
    if (same) continue;
    const double along = separation_along(c.ga, c.pa, c.gb, c.pb, n);
    const double other = separation_along(c.ga, c.pa, c.gb, c.pb, -1.0 * of(w.normal));
    const double turned = std::acos(std::clamp(-dot(n, of(w.normal)), -1.0, 1.0));
    ASSERT_TRUE(std::abs(along - other) <= 2 * tolerance_of(c) + kExact * size_of(c) || turned <= 2 * kNearFace)
        << along << " and " << other << ", " << turned << " rad apart";
  }
  EXPECT_LE(different, count / 5);
}

TEST_P(GeneralSolids, depth_is_that_of_a_search_over_directions) {
  Dice dice(2);
  const int count = std::min(draws(250), 10000);
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const Case c = draw(dice, GetParam().first, GetParam().second);
    const ContactPoints m = touch(c.ga, c.pa, c.gb, c.pb, kMargin);
    const auto separation = [&](V n) { return separation_along(c.ga, c.pa, c.gb, c.pb, n); };
    const Best best = search(separation);
    const double exact = kExact * size_of(c);
    if (m.count == 0) {
      ASSERT_GT(best.separation, -exact) << "lost";
      continue;
    }
    const double along = separation(of(m.normal));
    const double truth = std::max({best.separation, along,
                                   distance_of(kernels::convex_of(c.ga, c.pa, some_hulls().solids()),
                                               kernels::convex_of(c.gb, c.pb, some_hulls().solids()))});
    ASSERT_LE(deepest(m), truth + exact) << "not as deep as it is";
    ASSERT_GE(deepest(m), along - kRounding - hair_of(c)) << "deeper than along its own normal";
    // a face that separates nearly as well as the best; or one within 3 degrees of what does, where both sides have
    // faces
    const double enough = best.separation - 2 * tolerance_of(c) - exact;
    if (along >= enough) continue;
    const double nearby = best_within(separation, of(m.normal), kNearFace + 1e-3);
    ASSERT_GE(nearby, enough) << along << " along the normal, " << best.separation << " along the best";
  }
}

TEST(Gjk, shapes_that_a_sliver_of_a_simplex_took_for_overlapping_are_apart) {
  // poses of a random search: near the end of the descent the four points lie in a plane up to rounding
  const ShapeGeometry tip{ShapeKind::kFrustum, {0, 0.96723783f, 0.340725929f}, {}, {}};
  const ShapeGeometry can{ShapeKind::kFrustum, {0.565172017f, 0.565172017f, 0.5942536f}, {}, {}};
  const ShapePose at{{0.0546870679f, 0.172326699f, 0.131003812f},
                     {0.958695292f, -0.170769319f, 0.211343482f, 0.0841135606f}};
  const ShapePose near{{0.853990316f, -1.00169981f, 0.764129996f},
                       {-0.356510192f, 0.8106215f, -0.142916054f, -0.44200483f}};
  const ContactPoints m = touch(tip, at, can, near, kMargin);
  ASSERT_EQ(m.count, 1u);
  EXPECT_NEAR(m.point[0].separation, 0.0347868, 1e-6);
  EXPECT_NEAR(m.point[0].separation, separation_along(tip, at, can, near, of(m.normal)), 1e-6);

  const ShapeGeometry cone{ShapeKind::kFrustum, {0, 0.525207698f, 0.682826936f}, {}, {}};
  const ShapeGeometry egg{ShapeKind::kEllipsoid, {0.757533908f, 0.407837927f, 0.742233336f}, {}, {}};
  const ShapePose here{{0.0537696034f, 0.149431154f, 0.0698975474f},
                       {-0.110695928f, 0.885928571f, 0.0517072529f, 0.447440833f}};
  const ShapePose there{{0.11583066f, -0.660498559f, -0.734621048f},
                        {-0.149466708f, -0.190606892f, 0.0565491319f, 0.968571603f}};
  EXPECT_EQ(touch(cone, here, egg, there, kMargin).count, 0u) << "they are 57 mm apart";
}

TEST(GeneralPlane, depth_is_the_support) {
  Dice dice(3);
  for (const ShapeKind kind : {kF, kE, kR, kH}) {
    for (int i = 0; i < draws(2000); ++i) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(i));
      const Case c = draw(dice, kind, kP);
      const V up = axes_of(c.pb.q)[2];
      const double truth = -support(c.ga, c.pa, -1.0 * up) - dot(up, of(c.pb.x));
      const ContactPoints m = touch(c.ga, c.pa, c.gb, c.pb, kMargin);
      if (std::abs(truth - kMargin) > kRounding) {
        ASSERT_EQ(m.count > 0, truth < kMargin) << truth;
      }
      if (m.count > 0) {
        ASSERT_NEAR(deepest(m), truth, kExact * size_of(c));
        ASSERT_NEAR(dot(of(m.normal), up), -1, 1e-6);
      }
    }
  }
}

struct OnTriangle {
  ShapeGeometry g;
  ShapePose at;
  kernels::MeshTriangle triangle;
  ShapePose surface;
  V corner[3];  ///< [m] world
  V face;       ///< [1] its normal
};
OnTriangle draw_on_triangle(Dice& dice, ShapeKind kind) {
  OnTriangle t{dice.shape(kind), {dice.vector(0.2f), dice.orientation()}, {}, {}, {}, {}};
  do {
    t.triangle = {dice.vector(1), dice.vector(1), dice.vector(1), {}};
    const V n = cross(of(t.triangle.b) - of(t.triangle.a), of(t.triangle.c) - of(t.triangle.a));
    if (length(n) > 0.05) break;
  } while (true);
  t.surface = {dice.vector(0.8f), dice.orientation()};
  const auto r = axes_of(t.surface.q);
  const Vec3 local[3] = {t.triangle.a, t.triangle.b, t.triangle.c};
  for (int k = 0; k < 3; ++k) {
    const V v = of(local[k]);
    t.corner[k] = of(t.surface.x) + v.x * r[0] + v.y * r[1] + v.z * r[2];
  }
  const V n = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
  t.face = (1 / length(n)) * n;
  return t;
}

/// Whether a point lies over the inside of the triangle, seen along its normal.
bool is_over(const OnTriangle& t, V p) {
  for (int k = 0; k < 3; ++k) {
    const V from = t.corner[k], to = t.corner[(k + 1) % 3];
    if (dot(cross(to - from, p - from), t.face) <= kRounding) return false;
  }
  return true;
}

TEST(Triangle, manifolds_are_sound_and_as_deep_as_a_search_says) {
  Dice dice(4);
  for (const ShapeKind kind : kSolids) {
    int touching = 0;
    const int count = draws(1500);
    for (int i = 0; i < count && !HasFatalFailure(); ++i) {
      SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(i));
      const OnTriangle t = draw_on_triangle(dice, kind);
      const kernels::Convex shape = kernels::convex_of(t.g, t.at, some_hulls().solids());
      kernels::Epa epa;
      const ContactPoints m = kernels::collide_triangle(shape, t.triangle, 1, t.surface, kMargin, epa);
      expect_sound(m, kMargin);
      touching += m.count > 0 ? 1 : 0;
      const V middle = {shape.x.x, shape.x.y, shape.x.z}, n = of(m.normal);
      // what pushes is in front
      if (m.count > 0) {
        ASSERT_LT(dot(n, t.face), 1e-3);
      }
      if (i >= 300 && std::getenv("CAIRN_DRAWS") == nullptr) continue;
      if (i >= 10000 || kind == kH) continue;  // a hull's own middle isn't its origin
      const auto separation = [&](V d) {
        const double a = dot(t.corner[0], d), b = dot(t.corner[1], d), c = dot(t.corner[2], d);
        return std::min({a, b, c}) - support(t.g, t.at, d);
      };
      if (dot(t.face, middle - t.corner[0]) < 0) {
        ASSERT_EQ(m.count, 0u) << "its middle is behind";
        continue;
      }
      const Best best = search(separation);
      const double exact = kExact * shape.reach;
      const double polytope = distance_of(shape, kernels::convex_of(t.triangle, 1, t.surface));
      const auto front = [&](V d) { return dot(d, t.face) < 0 ? separation(d) : -1e9; };
      if (m.count == 0) {
        if (best.separation > -exact) continue;
        const kernels::Vec3d low = kernels::support(shape, {-t.face.x, -t.face.y, -t.face.z});
        ASSERT_FALSE(is_over(t, middle) && is_over(t, {low.x, low.y, low.z})) << "it lies over the triangle";
        // what beside it is parted best by a push from behind passes: no push from the front parts it as well
        ASSERT_GT(polytope, search(front, 40).separation) << "lost";
        continue;
      }
      if (deepest(m) > std::max({best.separation, separation(n), polytope}) + exact) {
        // of what lies over the triangle, and is parted best from behind, that part counts which is over it
        ASSERT_LT(length(n + t.face), 1e-5);
        ASSERT_GT(polytope, search(front, 40).separation) << "not as deep as it is";
      }
      ASSERT_GE(deepest(m), separation(n) - kRounding);
    }
    EXPECT_GT(touching, count / 50) << name_of(kind);
  }
}

TEST(Triangle, is_as_good_a_floor_whatever_its_size) {
  Dice dice(5);
  for (const ShapeKind kind : kSolids) {
    for (int i = 0; i < draws(300); ++i) {
      const ShapeGeometry g = dice.shape(kind);
      const auto reach = static_cast<float>(reach_of(g));
      const ShapePose at{{0, 0, dice.uniform(0.05f, 1.0f) * reach}, dice.orientation()};
      const double lowest = -support(g, at, {0, 0, -1});
      const kernels::Convex shape = kernels::convex_of(g, at, some_hulls().solids());
      if (shape.x.z + kernels::operator*(shape.r, shape.centre).z < 0) continue;  // a hull's middle isn't its origin
      for (const float size : {4.0f, 400.0f, 40000.0f}) {
        SCOPED_TRACE(std::string(name_of(kind)) + " " + std::to_string(i) + " on " + std::to_string(size) + " m");
        const kernels::MeshTriangle triangle{{-size, -size, 0}, {2 * size, -size, 0}, {-size, 2 * size, 0}, {}};
        kernels::Epa epa;
        const ContactPoints m = kernels::collide_triangle(shape, triangle, 1, {{0, 0, 0}, {}}, kMargin, epa);
        ASSERT_EQ(m.count > 0, lowest <= kMargin);
        if (m.count == 0) continue;
        ASSERT_NEAR(deepest(m), lowest, kExact * reach);
        ASSERT_NEAR(m.normal.z, -1, 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace cairn::oracle
