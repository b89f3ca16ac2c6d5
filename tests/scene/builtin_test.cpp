#include "scenes/builtin.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "scenes/random.h"
#include "tests/support/builders.h"
#include "tests/support/refusal.h"

namespace cairn::scenes {
namespace {

using testing_support::length;
using testing_support::operator-;
using testing_support::refusal_of;

std::size_t dynamic_count(const Scene& scene) {
  const auto& bodies = scene.bodies();
  return static_cast<std::size_t>(
      std::count_if(bodies.begin(), bodies.end(), [](const Body& b) { return b.type == BodyType::kDynamic; }));
}

double bounding_radius(const Shape& shape) {
  const auto length = [](double x, double y, double z) { return std::sqrt(x * x + y * y + z * z); };
  const Geometry& geometry = shape.geometry;
  if (const auto* sphere = std::get_if<Sphere>(&geometry)) return sphere->radius;
  if (const auto* capsule = std::get_if<Capsule>(&geometry)) return double{capsule->radius} + capsule->half_height;
  if (const auto* s = std::get_if<Cylinder>(&geometry)) return length(s->radius, 0, s->half_height);
  if (const auto* s = std::get_if<Cone>(&geometry)) return length(s->radius, 0, s->half_height);
  if (const auto* s = std::get_if<TaperedCylinder>(&geometry)) return length(s->bottom_radius, 0, s->half_height);
  if (const auto* s = std::get_if<Tube>(&geometry)) return length(s->outer_radius, 0, s->half_height);
  if (const auto* s = std::get_if<Ellipsoid>(&geometry)) return std::max({s->radii.x, s->radii.y, s->radii.z});
  if (const auto* s = std::get_if<RoundedBox>(&geometry))
    return length(s->half_extents.x, s->half_extents.y, s->half_extents.z);
  if (const auto* s = std::get_if<ConvexHull>(&geometry)) {
    double farthest = 0;
    for (const Vec3 v : s->vertices()) farthest = std::max(farthest, length(v.x, v.y, v.z));
    return farthest;
  }
  const Vec3 half = std::get<Box>(geometry).half_extents;
  return length(half.x, half.y, half.z);
}

std::string refusal(const std::string& spec) {
  return refusal_of([&] { make(spec, 1); });
}

TEST(Builtin, have_the_number_of_bodies_that_their_parameters_say) {
  EXPECT_EQ(dynamic_count(make("tower:height=7", 1)), 7u);
  EXPECT_EQ(dynamic_count(make("wall:base=40", 1)), 820u);
  EXPECT_EQ(dynamic_count(make("wall:base=70", 1)), 2485u);
  EXPECT_EQ(dynamic_count(make("pyramid:base=3", 1)), 9u + 4 + 1);
  EXPECT_EQ(dynamic_count(make("lattice:n=16", 1)), 4096u);
  EXPECT_EQ(dynamic_count(make("pile:count=101", 1)), 101u);
  EXPECT_EQ(dynamic_count(make("heavy:height=10,ratio=100", 1)), 11u);
  EXPECT_EQ(dynamic_count(make("slope", 1)), 3u);
  EXPECT_EQ(dynamic_count(make("conveyor:count=13", 1)), 13u);
  EXPECT_EQ(dynamic_count(make("spinner", 1)), 1u);
  EXPECT_EQ(dynamic_count(make("rain:count=77", 1)), 77u);
  EXPECT_EQ(dynamic_count(make("bricks:length=5,height=4,walls=3", 1)), 3u * (5 + 6 + 5 + 6));
  EXPECT_EQ(dynamic_count(make("boulder", 1)), 5001u);
  EXPECT_EQ(dynamic_count(make("wrecking", 1)), 4201u);
  EXPECT_EQ(dynamic_count(make("hulls:count=45,vertices=9", 1)), 45u);
  EXPECT_EQ(dynamic_count(make("arch", 1)), 7u);
  EXPECT_EQ(dynamic_count(make("cards", 1)), 15u);
  EXPECT_EQ(dynamic_count(make("terrain:count=30", 1)), 30u);
  EXPECT_EQ(dynamic_count(make("gravel:count=55", 1)), 56u);
  EXPECT_EQ(dynamic_count(make("ragdolls:count=3", 1)), 3u * 15);
  EXPECT_EQ(dynamic_count(make("chain:links=7,count=5", 1)), 7u * 5);
  EXPECT_EQ(dynamic_count(make("bridge:planks=5,count=2", 1)), 2 * 3u * 5);
  EXPECT_EQ(dynamic_count(make("four_bar", 1)), 3u);
  EXPECT_EQ(dynamic_count(make("screw_jack", 1)), 2u);
  EXPECT_EQ(dynamic_count(make("gear_train", 1)), 3u);
  EXPECT_EQ(dynamic_count(make("wheel_drop", 1)), 5u);
  EXPECT_EQ(dynamic_count(make("delta", 1)), 3u + 2);
  EXPECT_EQ(dynamic_count(make("rope:segments=7", 1)), 7u + 1);
  EXPECT_EQ(dynamic_count(make("cloth:side=9,boxes=2", 1)), 9u * 9 - 4 + 2);
  EXPECT_EQ(dynamic_count(make("flag:rows=6", 1)), 6u * 9 - 6);
  EXPECT_EQ(dynamic_count(make("rubble:count=33", 1)), 33u);
  EXPECT_EQ(dynamic_count(make("jelly:count=3,cells=2", 1)), 3u * 27);
  EXPECT_EQ(dynamic_count(make("dam_break:side=4,boxes=2", 1)), 4u * 4 * 6 + 2);
  EXPECT_EQ(dynamic_count(make("grains:count=88", 1)), 88u);
  EXPECT_EQ(dynamic_count(make("repose:count=150", 1)), 150u);
  EXPECT_EQ(dynamic_count(make("silo:count=120,height=3", 1)), 120u);
  EXPECT_EQ(dynamic_count(make("shapes", 1)), 3u * 11);
}

TEST(Builtin, are_the_same_for_the_same_seed_and_others_for_another) {
  for (const BuiltinInfo& info : list()) {
    const std::string first = scene_to_json(make(info.name, 5));
    EXPECT_EQ(first, scene_to_json(make(info.name, 5))) << info.name;
    const std::set<std::string> exact{"spinner",    "wrecking",   "arch",  "cards", "bridge", "four_bar", "screw_jack",
                                      "gear_train", "wheel_drop", "delta", "rope",  "cloth",  "jelly",    "dam_break"};
    if (exact.count(info.name) == 0) {
      EXPECT_NE(first, scene_to_json(make(info.name, 6))) << info.name;
    }
  }
}

TEST(Builtin, disturb_boxes_by_5_mm_and_half_a_degree_at_most) {
  const Scene scene = make("tower:height=1000", 2);
  double farthest = 0, max_turned = 0;
  for (std::size_t k = 1; k < scene.bodies().size(); ++k) {
    const Body& body = scene.bodies()[k];
    EXPECT_EQ(body.position.z, static_cast<double>(k) - 0.5);
    farthest = std::max({farthest, std::abs(body.position.x), std::abs(body.position.y)});
    max_turned = std::max(max_turned, 2 * std::asin(std::abs(double{body.orientation.z})) * 180 / std::acos(-1.0));
  }
  // of 2000 and 1000 uniform numbers, the largest is within 1 % of the bound with all but e^-10 chance; yaw is rounded
  // to float
  EXPECT_LE(farthest, 0.005);
  EXPECT_GE(farthest, 0.99 * 0.005);
  EXPECT_LE(max_turned, 0.5 * (1 + 0x1p-23));
  EXPECT_GE(max_turned, 0.99 * 0.5);
}

TEST(Builtin, drops_start_with_nothing_touching) {
  for (const char* spec : {"pile:count=700", "rain:count=700", "rain:count=700,kinds=3", "hulls:count=400",
                           "pile:count=1", "rain:count=2", "grains:count=700", "silo:count=700"}) {
    const Built built = build(spec, 4);
    const auto& bodies = built.scene.bodies();
    EXPECT_EQ(built.rule, FallenRule::kBin);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].type != BodyType::kDynamic) continue;
      const Vec3d& p = bodies[i].position;
      const double r = bounding_radius(bodies[i].shapes[0]);
      EXPECT_GT(std::min({p.x - built.bin_min.x, p.y - built.bin_min.y, p.z - built.bin_min.z}), r) << bodies[i].name;
      EXPECT_GT(std::min({built.bin_max.x - p.x, built.bin_max.y - p.y, built.bin_max.z - p.z}), r) << bodies[i].name;
      for (std::size_t j = i + 1; j < bodies.size(); ++j) {
        const Vec3d& q = bodies[j].position;
        ASSERT_GT(length(p - q), r + bounding_radius(bodies[j].shapes[0]))
            << bodies[i].name << " and " << bodies[j].name;
      }
    }
  }
}

TEST(Builtin, bins_are_closed_up_to_where_bodies_hang) {
  const Built built = build("pile:count=3000", 1);
  const double width = built.bin_max.x - built.bin_min.x;
  // 3000 m^3 of boxes at a packing of 0.6 stand about half the width high
  EXPECT_NEAR(3000 / 0.6 / (width * width), width / 2, 0.02 * width);
  const Body& west = built.scene.bodies()[*built.scene.find_body("wall_west")];
  const Vec3 half = std::get<Box>(west.shapes[0].geometry).half_extents;
  // walls are float, bins double: half an ulp of 12 m
  EXPECT_NEAR(west.position.x + half.x, built.bin_min.x, 0x1p-20);
  double highest = 0;
  for (const Body& body : built.scene.bodies()) {
    if (body.type == BodyType::kDynamic) highest = std::max(highest, body.position.z);
  }
  EXPECT_GT(west.position.z + half.z, highest);
  EXPECT_LT(west.position.z - half.z, 0x1p-20);
}

TEST(Builtin, slope_stands_flush_on_its_ramp) {
  const Built built = build("slope:height=3,tan=0.3,friction=0.25", 1);
  EXPECT_EQ(built.scene.materials()[0].friction, 0.25f);
  const double cosine = 1 / std::sqrt(1.09), sine = 0.3 * cosine;
  const Body& ramp = built.scene.bodies()[1];
  for (std::size_t k = 2; k < 5; ++k) {
    const Body& box = built.scene.bodies()[k];
    // height over the ramp's middle plane: half its thickness and half the box, along the normal (sine, 0, cosine)
    const double above = (box.position.x - ramp.position.x) * sine + (box.position.z - ramp.position.z) * cosine;
    EXPECT_NEAR(above, 0.5 + 0.5 + static_cast<double>(k - 2), 1e-14);
    // the box's z axis is the normal: rotate (0, 0, 1)
    const Quat& q = box.orientation;
    EXPECT_NEAR(2 * (q.x * q.z + q.y * q.w), sine, 8 * 0x1p-24);
    EXPECT_NEAR(2 * (q.y * q.z - q.x * q.w), 0, 8 * 0x1p-24);
  }
}

TEST(Builtin, spinner_is_free_and_has_the_inertia_of_the_textbook) {
  const Built built = build("spinner", 1);
  EXPECT_EQ(built.rule, FallenRule::kNever);
  EXPECT_EQ(built.scene.gravity(), Vec3{});
  EXPECT_EQ(built.scene.bodies()[0].inertia->moments, (Vec3{1, 2, 3}));
  EXPECT_EQ(built.scene.bodies()[0].angular_velocity, (Vec3{0.01f, 10, 0.01f}));
}

TEST(Builtin, rain_falls_in_every_kind_unless_told_otherwise) {
  const auto kinds_of = [](const char* spec) {
    std::set<std::size_t> kinds;
    const Scene scene = make(spec, 1);
    for (const Body& body : scene.bodies()) {
      if (body.type == BodyType::kDynamic) kinds.insert(body.shapes[0].geometry.index());
    }
    return kinds.size();
  };
  EXPECT_EQ(kinds_of("rain:count=200"), 10u);
  EXPECT_EQ(kinds_of("rain:count=200,kinds=3"), 3u);
}

TEST(Builtin, hulls_have_the_vertices_that_the_parameter_says) {
  for (const auto& [spec, vertices] : {std::pair{"hulls:count=64,vertices=32", std::size_t{32}},
                                       std::pair{"hulls:count=16,vertices=256", std::size_t{256}}}) {
    const Scene scene = make(spec, 2);
    for (const Body& body : scene.bodies()) {
      if (body.type != BodyType::kDynamic) continue;
      EXPECT_EQ(std::get<ConvexHull>(body.shapes[0].geometry).vertices().size(), vertices) << body.name;
    }
  }
}

TEST(Builtin, wedges_of_the_arch_share_their_faces) {
  const Scene scene = make("arch:thickness=0.2", 1);
  const auto corners = [&](std::size_t body) {
    const Body& b = scene.bodies()[body];
    std::vector<Vec3d> all;
    for (const Vec3 v : std::get<ConvexHull>(b.shapes[0].geometry).vertices())
      all.push_back({b.position.x + v.x, b.position.y + v.y, b.position.z + v.z});
    return all;
  };
  for (std::size_t k = 1; k < 7; ++k) {
    int shared = 0;
    for (const Vec3d& p : corners(k)) {
      for (const Vec3d& q : corners(k + 1)) {
        // floats of half a metre from each side
        shared += std::max({std::abs(p.x - q.x), std::abs(p.y - q.y), std::abs(p.z - q.z)}) < 0x1p-23 ? 1 : 0;
      }
    }
    EXPECT_EQ(shared, 4) << "wedges " << k << " and " << k + 1;
  }
  double lowest = 1;
  for (const Vec3d& p : corners(1)) lowest = std::min(lowest, p.z);
  EXPECT_NEAR(lowest, 0, 0x1p-24);
}

TEST(Builtin, gravel_starts_clear_of_the_boulder) {
  const Scene scene = make("gravel:count=300", 1);
  for (const Body& body : scene.bodies()) {
    if (body.name.rfind("piece", 0) != 0) continue;
    EXPECT_GT(length(body.position - Vec3d{0, 0, 10}), 10 + bounding_radius(body.shapes[0]));
  }
}

TEST(Builtin, specs_that_are_wrong_say_what_exists) {
  EXPECT_EQ(
      refusal("tover"),
      "no built-in scene is named \"tover\"; there are: tower, wall, pyramid, lattice, pile, heavy, slope, conveyor, "
      "spinner, rain, bricks, boulder, wrecking, hulls, arch, cards, terrain, gravel, ragdolls, "
      "chain, bridge, four_bar, screw_jack, gear_train, wheel_drop, quadrupeds, delta, rope, cloth, flag, "
      "rubble, jelly, "
      "dam_break, grains, repose, silo, shapes");
  EXPECT_EQ(refusal("wall:bas=4"), "scene wall has no parameter \"bas\"; there are: base, pitch");
  EXPECT_EQ(refusal("spinner:x=1"), "scene spinner has no parameter \"x\"; there are: none");
  EXPECT_EQ(refusal("silo:friction=0"), "scene silo: wall_friction must be 0 where friction is 0");
  EXPECT_EQ(refusal("tower:height=3,height=3"), "scene tower: parameter height is given twice");
  for (const char* value : {"0", "2.5", "-1", "4000000", "nan", "inf", "1e400", "", "3x", " 3"}) {
    EXPECT_EQ(refusal(std::string("tower:height=") + value),
              std::string("scene tower: parameter height must be a whole number between 1 and 3999990, is \"") + value +
                  "\"");
  }
  EXPECT_EQ(refusal("tower:height"),
            "scene tower: parameter height must be a whole number between 1 and 3999990, is \"\"");
  EXPECT_EQ(refusal("tower:"), "scene tower has no parameter \"\"; there are: height");
  EXPECT_EQ(refusal("wall:pitch=0.99"), "scene wall: parameter pitch must be a number between 1 and 1.9, is \"0.99\"");
  // 100 walls of 500 rows of 100 bricks; every other row has a brick more
  EXPECT_EQ(refusal("bricks:length=100,height=500,walls=100"),
            "scene bricks would have 5025000 boxes; at most 3999990");
  EXPECT_EQ(refusal("wrecking:pyramids=8,rows=1000"), "scene wrecking would have 4004000 boxes; at most 3999990");
}

TEST(Random, has_the_published_values_of_splitmix64) {
  // the first outputs of SplitMix64 seeded with 0
  EXPECT_EQ(mix(0), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(mix(0x9E3779B97F4A7C15u), 0x6E789E6AA1B965F4u);
}

TEST(Random, rotations_cover_the_sphere) {
  // each squared component of a uniform unit quaternion has a mean of 1/4
  constexpr int kCount = 20000;
  double sum[4] = {};
  for (std::uint64_t k = 0; k < kCount; ++k) {
    const Quat q = Random(9, k).rotation(16);
    const double parts[4] = {q.x, q.y, q.z, q.w};
    double squared = 0;
    for (int c = 0; c < 4; ++c) {
      sum[c] += parts[c] * parts[c];
      squared += parts[c] * parts[c];
    }
    ASSERT_NEAR(squared, 1, 4 * 0x1p-24);
  }
  // six standard deviations of the mean: Beta(1/2, 3/2) has variance (1/2)(3/2) / (4 * 3) = 1/16
  for (const double each : sum) EXPECT_NEAR(each / kCount, 0.25, 6 * std::sqrt(1.0 / 16 / kCount));
}

}  // namespace
}  // namespace cairn::scenes
