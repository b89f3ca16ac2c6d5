// The scenes whose boxes meet their neighbours: what rests on what, and how far apart the rest is.

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenes/builtin.h"
#include "tests/support/builders.h"

namespace cairn::scenes {
namespace {

/// [m] sizes and orientations are float: half an ulp of a metre for each of two boxes
constexpr double kRounding = 0x1p-23;

Quality at_start(const Scene& scene) { return QualityMeter(scene).measure(testing_support::starts(scene.bodies())); }

Vec3 half_extents(const Body& body) { return std::get<Box>(body.shapes[0].geometry).half_extents; }

/// [m] of the gap in x between the boxes `a` and `b`, as if they weren't turned
double gap(const Body& a, const Body& b) {
  return std::abs(a.position.x - b.position.x) - double{half_extents(a).x} - double{half_extents(b).x};
}

TEST(Bricks, touch_at_a_pitch_of_one_and_are_not_disturbed) {
  const Scene scene = make("wall:base=6,pitch=1", 7);
  for (std::size_t i = 1; i < scene.bodies().size(); ++i) {
    const Body& box = scene.bodies()[i];
    EXPECT_EQ(box.orientation, (Quat{0, 0, 0, 1}));
    EXPECT_EQ(box.position.y, 0);
    // halves of whole numbers: exact
    EXPECT_EQ(2 * box.position.x, std::round(2 * box.position.x));
  }
  EXPECT_EQ(gap(scene.bodies()[1], scene.bodies()[2]), 0);
  EXPECT_LE(at_start(scene).max_penetration, kRounding);
}

TEST(Bricks, are_disturbed_by_as_much_as_their_gaps_leave_room_for) {
  const Scene whole = make("wall:base=6,pitch=1.02", 7), half = make("wall:base=6,pitch=1.01", 7);
  for (std::size_t i = 1; i < whole.bodies().size(); ++i) {
    // half of 2 cm; the pitch is not exact in binary
    EXPECT_NEAR(half.bodies()[i].position.y, 0.5 * whole.bodies()[i].position.y, 1e-15);
  }
  EXPECT_LE(at_start(whole).max_penetration, kRounding);
  EXPECT_LE(at_start(half).max_penetration, kRounding);
}

TEST(Bricks, in_running_bond_keep_apart_and_rest_on_two_below) {
  constexpr int kLength = 5, kHeight = 4;
  const Scene scene = make("bricks:length=5,height=4,walls=2", 3);
  EXPECT_LE(at_start(scene).max_penetration, kRounding);
  const auto& bodies = scene.bodies();
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const bool whole = half_extents(bodies[i]).x == 0.5f;
    const bool shifted = std::lround(bodies[i].position.z - 0.5) % 2 == 1;
    EXPECT_TRUE(whole || shifted) << bodies[i].name;
    if (bodies[i].position.z < 1) continue;
    int below = 0;
    for (std::size_t j = 1; j < bodies.size(); ++j) {
      below += bodies[j].position.z == bodies[i].position.z - 1 &&
               std::abs(bodies[j].position.y - bodies[i].position.y) < 1 && gap(bodies[i], bodies[j]) < 0;
    }
    // a half brick rests on the end of a whole one
    EXPECT_EQ(below, whole ? 2 : 1) << bodies[i].name;
  }
  // the ends of all rows are flush, but for the disturbance
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const double end = std::abs(bodies[i].position.x) + double{half_extents(bodies[i]).x};
    if (end > 0.5 * kLength) {
      least = std::min(least, end);
      most = std::max(most, end);
    }
  }
  EXPECT_LE(most - least, 2 * 0.005);
  EXPECT_EQ(build("bricks:length=5,height=4", 1).nominal_height, kHeight - 0.5);
}

TEST(Bricks, under_a_boulder_all_touch_it) {
  for (const int grains : {1, 7, 30}) {
    const Scene scene = make("boulder:grains=" + std::to_string(grains), 3);
    EXPECT_LE(at_start(scene).max_penetration, kRounding);
    const Body& boulder = scene.bodies().back();
    const Vec3 half = half_extents(boulder);
    for (std::size_t i = 1; i + 1 < scene.bodies().size(); ++i) {
      const Vec3d p = scene.bodies()[i].position;
      EXPECT_EQ(p.z + 0.5, boulder.position.z - double{half.z});
      // the block covers all of each, but for the disturbance
      EXPECT_LT(std::abs(p.x) + 0.49, double{half.x}) << grains;
      EXPECT_LT(std::abs(p.y) + 0.49, double{half.y}) << grains;
    }
  }
}

TEST(Bricks, of_the_wrecking_scene_are_as_newtons_example_says) {
  const Scene scene = make("wrecking", 1);
  EXPECT_EQ(scene.params().dt, 0.01f);
  EXPECT_LE(at_start(scene).max_penetration, kRounding);
  const Body& ball = scene.bodies()[*scene.find_body("ball")];
  const Body& box = scene.bodies()[*scene.find_body("box0")];
  EXPECT_EQ(std::get<Sphere>(ball.shapes[0].geometry).radius, 2.0f);
  EXPECT_EQ(half_extents(box), (Vec3{0.4f, 0.4f, 0.4f}));
  // the ball hangs over the ramp, which falls towards the boxes: its upper face at the ball is below by less than the
  // ball's 2 m and more
  const Body& ramp = scene.bodies()[*scene.find_body("ramp")];
  EXPECT_GT(ball.position.y, ramp.position.y);
  EXPECT_GT(ramp.orientation.x, 0);
  // rows drop by 4 cm each, and the boxes below stand on the floor
  EXPECT_NEAR(scene.bodies()[*scene.find_body("box20")].position.z - box.position.z, 0.84, 1e-12);
  EXPECT_NEAR(box.position.z, 0.4, 1e-12);
}

}  // namespace
}  // namespace cairn::scenes
