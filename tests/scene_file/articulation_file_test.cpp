// Articulations in scene files: what is written reads back equal, bit for bit, among whatever bodies.

#include <set>
#include <string>
#include <vector>

#include "tests/scene_file/draw.h"
#include "tests/scene_file/round_trip.h"
#include "tests/support/builders.h"

namespace cairn::scene_file_test {
namespace {

using Kind = ArticulationJointKind;

JointFrame draw_frame(Draw& draw) {
  JointFrame frame;
  if (draw.coin()) frame.position = {draw.real_within(1), -0.0, draw.real_within(1e-300)};
  if (draw.coin()) frame.orientation = {draw.signed_within(1), -0.0f, draw.signed_within(1), draw.scaled(9)};
  return frame;
}

ArticulationJoint draw_joint(Draw& draw, Kind kind) {
  ArticulationJoint joint{.kind = kind};
  if (kind == Kind::kFixed) return joint;
  const auto gain = [&] { return draw.coin() ? draw.real_within(1) + 1 : 0.0; };
  joint.armature = gain();
  joint.damping = gain();
  if (kind == Kind::kFree) return joint;
  joint.friction = gain();
  joint.drive_stiffness = gain() * 10;
  joint.drive_damping = gain();
  if (draw.coin()) joint.drive_max_force = draw.coin() ? 0 : gain() * 100;
  if (kind == Kind::kBall) return joint;
  if (draw.coin()) joint.lower = draw.coin() ? -0.0 : draw.real_within(1) - 3;
  if (draw.coin()) joint.upper = draw.real_within(1) + 3;
  return joint;
}

std::vector<Shape> draw_shapes(Draw& draw, std::uint32_t materials, bool moves) {
  std::vector<Shape> shapes;
  for (std::uint64_t s = draw.below(3); s > 0; --s) {
    Shape shape;
    if (draw.coin()) {
      shape.geometry = Box{{draw.scaled(3), draw.scaled(3), draw.scaled(3)}};
    } else if (moves || draw.coin()) {
      shape.geometry = Sphere{draw.scaled(3)};
    } else {
      shape.geometry = Plane{draw.scaled3(9), draw.signed_within(9)};
    }
    if (draw.coin()) shape.position = draw.within(1);
    // not unit: an articulation's description keeps what was given, its bodies have it made unit
    if (draw.coin()) shape.orientation = {draw.signed_within(1), 0, -0.0f, draw.scaled(9)};
    shape.material = static_cast<std::uint32_t>(draw.below(materials));
    if (draw.coin()) shape.filter.group = static_cast<int>(draw.below(5)) - 2;
    shapes.push_back(shape);
  }
  return shapes;
}

Articulation draw_articulation(Draw& draw, std::uint64_t number, std::uint32_t materials) {
  Articulation of{.name = draw_name(draw, number)};
  if (draw.coin()) of.gravity = {draw.real_within(9), -0.0, draw.real_within(1e-300)};
  std::vector<bool> moves;
  // some links, and more until one that moves can touch
  const std::uint64_t count = 1 + draw.below(7);
  bool touches = false;
  for (std::uint64_t i = 0; i < count || !touches; ++i) {
    ArticulationLink link{.name = draw_name(draw, i)};
    if (i > 0 && draw.below(4) != 0) link.parent = static_cast<std::uint32_t>(draw.below(i));
    const bool on_world = link.parent == kWorldLink;
    link.joint = draw_joint(draw, static_cast<Kind>(draw.below(on_world ? 5 : 4)));
    link.frame_in_parent = draw_frame(draw);
    link.frame_in_link = draw_frame(draw);
    moves.push_back(link.joint.kind != Kind::kFixed || (!on_world && moves[link.parent]));
    if (link.joint.kind != Kind::kFixed || draw.coin()) {
      link.mass = 2 + draw.real_within(1);
      link.inertia.moments = {draw.scaled(1.4), draw.scaled(1.4), draw.scaled(1.4)};
      if (draw.coin()) link.inertia.products = {0.01f, -0.0f, draw.signed_within(0.01)};
      if (draw.coin()) link.centre_of_mass = {draw.real_within(1), -0.0, draw.real_within(1e-9)};
    }
    if (link.mass > 0 || !moves[i]) link.shapes = draw_shapes(draw, materials, moves[i]);
    touches = touches || (moves[i] && !link.shapes.empty());
    of.links.push_back(link);
  }
  for (std::uint64_t k = draw.below(3); k > 0; --k) {
    ArticulationCoupling coupling{.name = "c" + std::to_string(k)};
    for (std::uint32_t i = 0; i < of.links.size(); ++i) {
      const Kind kind = of.links[i].joint.kind;
      if ((kind == Kind::kRevolute || kind == Kind::kPrismatic) && draw.coin())
        coupling.terms.push_back({i, draw.coin() ? 1 : 1.5 + draw.real_within(1)});
    }
    if (coupling.terms.empty()) continue;
    const ArticulationJoint joint = draw_joint(draw, Kind::kRevolute);
    coupling.damping = joint.damping;
    coupling.lower = joint.lower;
    coupling.upper = joint.upper;
    coupling.drive_stiffness = joint.drive_stiffness;
    coupling.drive_max_force = joint.drive_max_force;
    of.couplings.push_back(coupling);
  }
  return of;
}

/// As many numbers as the joints have, quaternions of any length.
ArticulationState draw_start(Draw& draw, const Articulation& of) {
  ArticulationState start;
  if (draw.coin()) return start;
  const auto add = [&](std::vector<double>& list, int count) {
    for (; count > 0; --count) list.push_back(draw.coin() ? draw.real_within(3) : -0.0);
  };
  for (const ArticulationLink& link : of.links) {
    const Kind kind = link.joint.kind;
    const bool one = kind == Kind::kRevolute || kind == Kind::kPrismatic;
    add(start.q, one ? 1 : kind == Kind::kBall ? 3 : kind == Kind::kFree ? 6 : 0);
    if (kind == Kind::kBall || kind == Kind::kFree) start.q.push_back(0.1 + std::abs(draw.real_within(5)));
    add(start.v, one ? 1 : kind == Kind::kBall ? 3 : kind == Kind::kFree ? 6 : 0);
  }
  return start;
}

/// Bodies and articulations in turn, some joints to what stands still, and pairs of any bodies that ignore each other.
Scene draw_scene(std::uint64_t seed) {
  Draw draw(seed);
  Scene scene;
  const auto materials = static_cast<std::uint32_t>(1 + draw.below(3));
  for (std::uint32_t k = 0; k < materials; ++k) scene.add_material({.name = draw_name(draw, k)});
  for (std::uint64_t k = draw.below(8); k > 0; --k) {
    if (draw.coin()) {
      const Articulation of = draw_articulation(draw, k, materials);
      scene.add_articulation(of, draw_start(draw, of));
    } else {
      Body body{.name = draw_name(draw, 10 + k), .position = {draw.real_within(9), draw.real_within(9), 2}};
      body.mass = draw.scaled(9);
      body.shapes = {{.geometry = Sphere{draw.scaled(2)}}};
      scene.add_body(body);
    }
  }
  const std::vector<Body>& bodies = scene.bodies();
  const auto any = [&] { return static_cast<std::uint32_t>(draw.below(bodies.size())); };
  for (std::uint64_t k = draw.below(4); k > 0 && bodies.size() > 1; --k) {
    const std::uint32_t a = any(), b = any();
    if (a == b) continue;
    if (draw.coin()) {
      scene.ignore(a, b);
    } else if (bodies[a].type != bodies[b].type) {
      const bool is_link = bodies[bodies[a].type == BodyType::kDynamic ? a : b].inertia.has_value();
      if (!is_link) scene.add_joint({.name = std::to_string(k), .body_a = a, .body_b = b, .kind = BallJoint{}});
    }
  }
  return scene;
}

TEST(SceneFileArticulations, read_back_equal_for_random_scenes) {
  std::set<Kind> kinds;
  int among_bodies = 0, own_pairs = 0, joints = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Scene scene = draw_scene(seed);
    const std::string text = scene_to_json(scene);
    ASSERT_TRUE(reads_back(scene, text)) << seed;
    for (const SceneArticulation& of : scene.articulations())
      for (const ArticulationLink& link : of.description.links) kinds.insert(link.joint.kind);
    among_bodies += text.find("\"first_body\"") != std::string::npos ? 1 : 0;
    own_pairs += text.find("\"ignore\"") != std::string::npos && !scene.articulations().empty() ? 1 : 0;
    joints += scene.joints().empty() ? 0 : 1;
  }
  EXPECT_EQ(kinds.size(), EnumWords<ArticulationJointKind>::all.size());
  for (const int count : {among_bodies, own_pairs, joints}) EXPECT_GT(count, 20);
}

TEST(SceneFileArticulations, read_back_move_alike_bit_for_bit) {
  int moved = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Scene scene = draw_scene(seed);
    if (scene.articulations().empty()) continue;
    World world(scene, testing_support::cpu());
    World again(parse_scene(scene_to_json(scene), "written"), testing_support::cpu());
    const std::uint64_t start = world.state_hash();
    testing_support::run(world, 3);
    testing_support::run(again, 3);
    ASSERT_EQ(again.state_hash(), world.state_hash()) << scene_to_json(scene);
    moved += world.state_hash() != start ? 1 : 0;
  }
  EXPECT_GT(moved, 20);
}

}  // namespace
}  // namespace cairn::scene_file_test
