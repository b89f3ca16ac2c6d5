// What holds for every pair of shapes in every pose, measured against an independent oracle in double.

#include "tests/collide/oracle.h"

namespace cairn::oracle {
namespace {

ContactPoints collide(const Case& c, float margin = kMargin) { return touch(c.ga, c.pa, c.gb, c.pb, margin); }

double min_size(const ShapeGeometry& g) {
  return g.kind == ShapeKind::kBox     ? std::min({g.size.x, g.size.y, g.size.z})
         : g.kind == ShapeKind::kPlane ? 1
                                       : g.size.x;
}
double min_size(const Case& c) { return std::min(min_size(c.ga), min_size(c.gb)); }

/// How far a manifold's point may be off a surface. Boxes: half the axis tolerance both ways, by which faces are
/// clipped outside; capsules on boxes: the whole of it. Capsules: a point amid a stretch that isn't at right
/// angles to the normal n lies r (1 - sqrt(1 - (n.axis)^2)) inside; with two points, those of capsules at an angle are
/// aside by length x sine, and from an edge of a box by length x its sine limit.
double surface_tolerance(const Case& c, const ContactPoints& m) {
  const V n = of(m.normal);
  double sagitta = 0;
  if (m.count == 2 && c.ga.kind == ShapeKind::kCapsule && c.gb.kind == ShapeKind::kCapsule) {
    const double aside = length(cross(axes_of(c.pa.q)[2], axes_of(c.pb.q)[2])) * 2 * std::min(c.ga.size.z, c.gb.size.z);
    sagitta = aside * aside / std::min(c.ga.size.x, c.gb.size.x);
  } else if (m.count == 2) {
    for (const ShapeGeometry& g : {c.ga, c.gb})
      sagitta += 2 * g.size.z * std::sqrt(double(kernels::kAlongEdgeSine2)) * (g.kind == ShapeKind::kCapsule);
  }
  for (const auto& [g, p] : {std::pair{c.ga, c.pa}, {c.gb, c.pb}}) {
    if (g.kind != ShapeKind::kCapsule) continue;
    const double s = dot(axes_of(p.q)[2], n);
    sagitta = std::max(sagitta, g.size.x * (1 - std::sqrt(std::max(0.0, 1 - s * s))));
  }
  const double hair = (c.ga.kind == c.gb.kind ? 0.5 : 1) * kernels::kAxisTolerance * min_size(c);
  return kRounding + std::sqrt(2) * hair + sagitta;
}

/// Least signed distance from the segment of a capsule (or the centre of a sphere) to the other shape, less the radius:
/// the distance is convex in the position, so ternary search finds it. Exact while the segment is outside.
double round_separation(const ShapeGeometry& round, const ShapePose& at, const ShapeGeometry& other,
                        const ShapePose& other_at) {
  const V axis = axes_of(at.q)[2];
  double low = -round.size.z, high = round.size.z;
  for (int i = 0; i < 100; ++i) {
    const double t0 = low + (high - low) / 3, t1 = high - (high - low) / 3;
    const bool left = distance(other, other_at, of(at.x) + t0 * axis) < distance(other, other_at, of(at.x) + t1 * axis);
    (left ? high : low) = left ? t1 : t0;
  }
  return distance(other, other_at, of(at.x) + low * axis) - round.size.x;
}

/// By how much a face may be deeper than an edge pair that nears it: along axes f and e, overlaps differ by |f - e|
/// times the boxes' reach at most. Zero where no edge pair is near.
double near_face_cost(const Case& c, const ContactPoints& m) {
  if (m.point[0].feature >> 16 >= 6) return 0;
  double cost = 0;
  for (const V& ea : axes_of(c.pa.q)) {
    for (const V& eb : axes_of(c.pb.q)) {
      const V across = cross(ea, eb);
      const double sine = length(cross(across, of(m.normal))) / length(across);
      if (!(sine * sine <= kernels::kNearFaceSine2)) continue;
      const double reach = length(of(c.pb.x) - of(c.pa.x)) + length(of(c.ga.size)) + length(of(c.gb.size));
      cost = std::max(cost, 2 * std::sin(std::asin(sine) / 2) * reach);
    }
  }
  return cost;
}

/// How much deeper than at the least two boxes may overlap along a manifold's normal: two preferences may add up.
double preferred(const Case& c, const ContactPoints& m) {
  return 2 * kernels::kAxisTolerance * min_size(c) + kRounding + near_face_cost(c, m);
}

class EveryPair : public testing::TestWithParam<std::pair<ShapeKind, ShapeKind>> {
 protected:
  const int draws_ = draws(20000);
  template <class Check>
  void for_each_draw(Check check) {
    Dice dice(1);
    for (int i = 0; i < draws_ && !HasFatalFailure(); ++i) {
      SCOPED_TRACE(i);
      check(draw(dice, GetParam().first, GetParam().second));
    }
  }
};

TEST_P(EveryPair, manifold_is_sound) {
  int touching = 0;
  for_each_draw([&](const Case& c) {
    const ContactPoints m = collide(c);
    touching += m.count > 0;
    ASSERT_NO_FATAL_FAILURE(expect_sound(m, kMargin));
    const V n = of(m.normal);
    ASSERT_NEAR(length(n), 1, 1e-6);
    for (std::uint32_t i = 0; i < m.count; ++i) {
      ASSERT_LT(std::abs(distance(c.ga, c.pa, of(m.point[i].a))), surface_tolerance(c, m));
      ASSERT_LT(std::abs(distance(c.gb, c.pb, of(m.point[i].b))), surface_tolerance(c, m));
    }
    // no point lies deeper than the shapes overlap along the normal
    if (m.count > 0) {
      ASSERT_GE(deepest(m), separation_along(c.ga, c.pa, c.gb, c.pb, n) - kRounding);
    }
  });
  EXPECT_GT(touching, draws_ / 20);
}

TEST_P(EveryPair, exchanging_the_shapes_exchanges_the_manifold_to_the_bit) {
  for_each_draw([&](const Case& c) { ASSERT_TRUE(mirror(collide(c), collide({c.gb, c.ga, c.pb, c.pa}))); });
}

/// Shapes of one kind and size: the one called A comes first.
class EveryTwin : public EveryPair {};

TEST_P(EveryTwin, exchanging_the_shapes_exchanges_the_manifold_but_for_the_preferences) {
  const bool boxes = GetParam().first == ShapeKind::kBox;
  int different = 0;
  for_each_draw([&](const Case& drawn) {
    const Case c{drawn.ga, drawn.ga, drawn.pa, drawn.pb};
    const ContactPoints m = collide(c), w = collide({c.gb, c.ga, c.pb, c.pa});
    if (m.count == 0 || w.count == 0) {
      different += m.count != w.count;
      return;
    }
    // Two boxes: an axis within the preferences may win one way and lose the other. Both depths are that of the best
    // axis but for what they cost: no point is deeper than the overlap along the normal, and the depth parts the boxes.
    const double tolerance = boxes ? preferred(c, m) + preferred(c, w) : 0;
    const double change = std::abs(deepest(m) - deepest(w));
    different += change > kRounding || length(of(m.normal) + of(w.normal)) > 1e-4;
    ASSERT_LE(change, kRounding + tolerance);
  });
  // of 1,000,000 pairs of boxes 956, and 66 of capsules, of which the axes all but meet
  EXPECT_LE(different, boxes ? draws_ / 500 : draws_ / 5000);
}

TEST_P(EveryPair, turning_everything_turns_the_manifold) {
  Dice dice(2);
  int different = 0;
  for_each_draw([&](const Case& c) {
    const Quat q = dice.orientation();
    Case turned = c;
    turned.pa = {kernels::rotate(q, c.pa.x), kernels::operator*(q, c.pa.q)};
    turned.pb = {kernels::rotate(q, c.pb.x), kernels::operator*(q, c.pb.q)};
    const ContactPoints m = collide(c), w = collide(turned);
    bool same = m.count == w.count;
    for (std::uint32_t i = 0; same && i < m.count; ++i) {
      same = m.point[i].feature == w.point[i].feature &&
             std::abs(m.point[i].separation - w.point[i].separation) < kRounding &&
             length(of(kernels::rotate(q, m.point[i].a)) - of(w.point[i].a)) < 1e-3;
    }
    different += !same;
  });
  // rounding decides the choice of an axis or a point in up to 11 of 1,000,000
  EXPECT_LE(different, draws_ / 10000);
}

INSTANTIATE_TEST_SUITE_P(Shapes, EveryPair,
                         testing::Values(std::pair{kS, kS}, std::pair{kS, kB}, std::pair{kS, kC}, std::pair{kS, kP},
                                         std::pair{kB, kB}, std::pair{kB, kC}, std::pair{kB, kP}, std::pair{kC, kC},
                                         std::pair{kC, kP}, std::pair{kC, kB}));

INSTANTIATE_TEST_SUITE_P(Shapes, EveryTwin, testing::Values(std::pair{kS, kS}, std::pair{kB, kB}, std::pair{kC, kC}));

TEST(Round, separation_is_the_distance) {
  Dice dice(3);
  for (const ShapeKind a : {kS, kC}) {
    for (const ShapeKind b : {kS, kB, kC, kP}) {
      for (int i = 0; i < 20000; ++i) {
        const Case c = draw(dice, a, b);
        const double s = round_separation(c.ga, c.pa, c.gb, c.pb);
        // a segment inside of the other shape's core has no single answer
        const double core = c.gb.kind == kB || c.gb.kind == kP ? c.ga.size.x : c.ga.size.x + c.gb.size.x;
        if (s < -0.99 * core) continue;
        const ContactPoints m = collide(c);
        // snapping a normal to a face or an edge turns it by 1/500, and moves the separation by the square of that
        if (std::abs(s - kMargin) > 2e-5) {
          ASSERT_EQ(m.count > 0, s < kMargin) << "draw " << i << " separation " << s;
        }
        if (m.count > 0) {
          ASSERT_NEAR(deepest(m), s, 2e-5) << "draw " << i << " kinds " << int(a) << int(b);
        }
      }
    }
  }
}

TEST(Boxes, depth_and_axis_are_those_of_the_separating_axis_theorem) {
  Dice dice(4);
  const int count = draws(100000);
  int touching = 0;
  for (int i = 0; i < count; ++i) {
    const Case c = draw(dice, kB, kB);
    const double s = box_separation(c.ga, c.pa, c.gb, c.pb), tolerance = kernels::kAxisTolerance * min_size(c);
    const ContactPoints m = collide(c);
    if (s > kMargin + kRounding) {
      ASSERT_EQ(m.count, 0u) << i;
    }
    if (s > -tolerance) continue;
    ASSERT_GT(m.count, 0u) << "draw " << i << " overlaps by " << -s;
    ++touching;
    // the axis is the best but for the preferences
    const double along = separation_along(c.ga, c.pa, c.gb, c.pb, of(m.normal)), allowed = preferred(c, m);
    ASSERT_GE(along, s - allowed) << i;
    ASSERT_LE(along, s + kRounding) << i;
    // an edge pair has the whole depth in its point
    if (m.point[0].feature >> 16 >= 6) {
      ASSERT_NEAR(m.point[0].separation, along, kRounding) << i;
    }
    // pushed apart by the depth of the deepest point, the boxes overlap by no more than the preferences cost
    const auto d = static_cast<float>(-deepest(m));
    const ShapePose pushed{kernels::fma(d, m.normal, c.pb.x), c.pb.q};
    ASSERT_GE(box_separation(c.ga, c.pa, c.gb, pushed), -allowed) << i;
  }
  EXPECT_GT(touching, 3 * (count / 10));
}

TEST(Boxes, four_points_carry_a_face) {
  // yawed boxes of random sizes stacked flat: the four points span most of the overlap's area
  Dice dice(5);
  double worst = 1;
  for (int i = 0; i < 20000; ++i) {
    const ShapeGeometry a = dice.shape(kB), b = dice.shape(kB);
    const float yaw = dice.uniform(-1.6f, 1.6f);
    const ShapePose pb{{dice.uniform(-0.3f, 0.3f), dice.uniform(-0.3f, 0.3f),
                        a.size.z + b.size.z - 1e-3f * std::min(a.size.z, b.size.z)},
                       {0, 0, std::sin(yaw / 2), std::cos(yaw / 2)}};
    const ContactPoints m = touch(a, {{0, 0, 0}, {}}, b, pb, 0.02f);
    if (m.normal.z < 0.999f) continue;  // a thin overlap sideways
    // the overlap, by cutting B's rectangle with A's four sides
    const auto r = axes_of(pb.q);
    std::vector<V> polygon;
    for (const auto& [s, t] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      polygon.push_back(of(pb.x) + double(s * b.size.x) * r[0] + double(t * b.size.y) * r[1]);
    }
    for (const V side : {V{1, 0, 0}, V{-1, 0, 0}, V{0, 1, 0}, V{0, -1, 0}}) {
      const double reach = side.x != 0 ? a.size.x : a.size.y;
      std::vector<V> kept;
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const V p = polygon[k], q = polygon[(k + 1) % polygon.size()];
        const double hp = dot(side, p) - reach, hq = dot(side, q) - reach;
        if (hp <= 0) kept.push_back(p);
        if ((hp < 0) != (hq < 0) && hp != hq) kept.push_back(p + (hp / (hp - hq)) * (q - p));
      }
      polygon = kept;
    }
    double area = 0;
    for (std::size_t k = 0; k < polygon.size(); ++k)
      area += 0.5 * cross(polygon[k], polygon[(k + 1) % polygon.size()]).z;
    if (area < 1e-2) continue;
    // hull of the four: half the larger sum of the triangles on a diagonal, over the three ways to pair the points
    double hull = 0;
    if (m.count == 4) {
      for (const auto& [p, q, s, t] : {std::array{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}}) {
        hull = std::max(
            hull, 0.5 * std::abs(cross(of(m.point[q].a) - of(m.point[p].a), of(m.point[t].a) - of(m.point[s].a)).z));
      }
    } else if (m.count == 3) {
      hull = 0.5 * std::abs(cross(of(m.point[1].a) - of(m.point[0].a), of(m.point[2].a) - of(m.point[0].a)).z);
    }
    worst = std::min(worst, hull / area);
  }
  // the best four of a regular octagon span 1/sqrt(2) of it; a greedy choice in a polygon of up to 8 loses more:
  // 0.42 of it at the worst of these
  EXPECT_GT(worst, 0.55);
  RecordProperty("min_share_of_the_area", std::to_string(worst));
}

}  // namespace
}  // namespace cairn::oracle
