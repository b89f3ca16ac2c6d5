// Built-in scenes, and bodies that are edited, filtered, scaled, put to sleep and watched.

#include <cmath>

#include "cairn/world_scales.h"
#include "scenes/builtin.h"
#include "tests/contract/contract.h"
#include "tests/hertz/hertz_scenes.h"
#include "tests/memory/sample_worlds.h"
#include "tests/support/builders.h"

namespace cairn::contract {
namespace {

using namespace testing_support;

/// A built-in scene in small: as few of everything as it takes, up to four.
std::string small(const scenes::BuiltinInfo& scene) {
  std::string spec = scene.name;
  char separator = ':';
  for (const scenes::ParameterInfo& p : scene.parameters) {
    if (!p.whole || p.value <= 4) continue;
    spec += separator + p.name + "=" + std::to_string(std::lround(std::max(p.low, 4.0)));
    separator = ',';
  }
  return spec;
}

/// One call of each kind that changes a world, over its first 50 steps.
void edit_everything(World& world, std::uint32_t in, int step) {
  const std::vector<BodyHandle> bodies = world.bodies(in);
  if (step == 2) world.add_force(bodies[1], {50, 0, 0});
  if (step == 2) world.add_torque(bodies[3], {0, 5, 2});
  if (step == 4) world.remove_body(bodies[2]);
  if (step == 6) world.add_body(box("new", {0, 0, 12}), in);
  if (step == 6) world.add_body(box("newer", {0, 0, 14}), in);
  if (step == 8) world.set_gravity({1, 0, -5}, in);
  if (step == 10) world.set_velocity(bodies[1], {0, 1, 0}, {0, 0, 1});
  if (step == 12) world.set_material(0, {.name = "ice", .density = 900, .friction = 0.01f}, in);
  if (step == 14) {
    world.set_material(bodies[3], world.add_material({.name = "felt", .density = 300, .friction = 0.9f}, in));
  }
  if (step == 16) {
    std::vector<BodyState> all(world.body_count(in));
    world.read_states(in, all);
    all[3].linear_velocity.x += 0.1f;
    world.write_states(in, all);
  }
  if (step == 18) world.set_pose(bodies[4], {3, 1, 2}, {0.1f, 0, 0, 1});
  if (step == 20) {
    Body changed = world.description(bodies[1]);
    changed.gravity_scale = -0.5f;
    changed.user_data = 5;
    changed.color = Vec3{1, 0.5f, 0};
    changed.linear_damping = 0.1f;
    world.set_body(bodies[1], changed);
  }
  if (step == 22) world.add_impulse(bodies[1], {0, 0, 300});
  if (step == 24) world.set_mass(bodies[3], 777);
  if (step == 26) world.set_type(bodies[4], BodyType::kKinematic);
  if (step == 26) world.set_limits({.speed = 400}, in);
  if (step == 28) {
    world.scales().set_seed(77, in);
    world.scales().randomise(only(world, in),
                             {.size = {0.9f, 1.1f}, .body_mass = {0.5f, 2}, .position = {0.01f, 0.01f, 0}});
  }
  if (step == 30) {
    world.scales().set({.size = 0.9f, .mass = 2, .friction = 0.5f, .restitution = 0.5f}, in);
    world.scales().set(BodyScales{.size = 1.1f, .mass = 0.5f}, bodies[1]);
    world.set_origin({10, 20, 1e9}, in);
  }
  if (step == 34) {
    StepParams own = world.params(in);
    own.restitution_threshold = 0.5f;
    own.friction_mix = MixRule::kMin;
    world.set_params(own, in);
  }
}

/// Boxes and balls of several categories, some of which ignore each other.
Scene crowd() {
  Scene scene = tower(0);
  for (int i = 0; i < 12; ++i) {
    const double x = 0.3 * (i % 3), z = 0.6 + 0.7 * i;
    Body body = i % 2 == 0 ? box("b" + std::to_string(i), {x, 0.1 * i, z}) : ball("b" + std::to_string(i), {x, 0, z});
    body.shapes[0].filter = {.category = 1u << (i % 3), .mask = ~(2u << (i % 2)), .group = i % 5 == 0 ? 7 : 0};
    scene.add_body(body);
  }
  scene.ignore(1, 4);
  scene.ignore(3, 2);
  return scene;
}
void change_filters(World& world, std::uint32_t in, int step) {
  if (step != 10) return;
  const std::vector<BodyHandle> bodies = world.bodies(in);
  world.ignore(bodies[1], bodies[4], false);
  world.ignore(bodies[5], bodies[0]);
  world.set_filter(bodies[7], {.mask = 1});
}

/// A tower on a table, a door, a sensor and a pool of bodies that start off; all of them are switched off and on.
Scene switched(const StepParams& params) {
  Scene scene = scene_of({plane(), box("table", {0, 0, 0.5}, BodyType::kStatic)}, params);
  for (int i = 0; i < 3; ++i) scene.add_body(box("b" + std::to_string(i), {0.1 * i, 0, 1.5 + i}));
  Body door = box("door", {1.2, 0, 1.6}, BodyType::kKinematic);
  door.linear_velocity = {-0.3f, 0, 0};
  scene.add_body(door);
  Body gate = box("gate", {0, 0, 2}, BodyType::kStatic);
  gate.shapes[0].sensor = true;
  scene.add_body(gate);
  for (int i = 0; i < 3; ++i) {
    Body spare = i == 0 ? ball("spare ball", {0, 0.1, 4.2})
                        : body("spare" + std::to_string(i), Box{{0.2f, 0.3f, 0.7f}}, {0.4 * i, 0.3, 2.0 + i});
    spare.enabled = false;
    spare.angular_velocity = {1, 2, 3};
    scene.add_body(spare);
  }
  scene.add_body(plane("ramp", {0.1f, 0, 1}, -0.2f));
  return scene;
}
void switch_bodies(World& world, std::uint32_t in, int step) {
  struct Switch {
    int step;
    std::size_t body;
    bool on;
  };
  constexpr Switch kSwitches[] = {{4, 7, true},   {4, 3, false},  {9, 6, false}, {9, 1, false},
                                  {9, 10, false}, {13, 0, false}, {16, 0, true}, {16, 8, true},
                                  {16, 5, false}, {16, 10, true}, {22, 3, true}, {22, 1, true},
                                  {22, 6, true},  {22, 7, false}, {28, 5, true}, {28, 8, false}};
  const std::vector<BodyHandle> b = world.bodies(in);
  if (step == 28) world.remove_body(b[7]);
  for (const Switch& each : kSwitches) {
    if (each.step == step) world.set_enabled(b[each.body], each.on);
  }
  if (step == 13) world.set_pose(b[3], {0.2, 0.1, 5}, {0.1f, 0, 0, 1});
  if (step == 23) {
    Body changed = world.description(b[9]);
    changed.enabled = true;
    changed.linear_damping = 0.1f;
    world.set_body(b[9], changed);
  }
  if (step == 34) {
    Body late = box("late", {0, 0.2, 6});
    late.enabled = false;
    world.add_body(late, in);
  }
}

/// A tower of which more is put to the side than touches it: by direct solution two islands.
Scene islands(int height) {
  Scene scene = tower(height);
  scene.add_body(box("far", {40, 0, 0.5}));
  scene.add_body(box("on_far", {40.2, 0, 1.5}));
  return scene;
}

/// Several hulls, meshes and height fields, and articulations.
Scene surfaces() {
  Scene scene;
  for (int i = 0; i < 3; ++i) {
    const float h = 0.5f + 0.1f * static_cast<float>(i);
    const std::vector<Vec3> corners{{-2, -2, 0}, {2, -2, 0}, {0, 2, h}};
    const std::vector<Vec3> wedge{{-0.5f, -0.5f, -0.25f}, {0.5f, -0.5f, -0.25f}, {0, 0.5f, -0.25f}, {0, 0, h}};
    const std::string number = std::to_string(i);
    scene.add_body(body("mesh" + number, TriangleMesh(corners, std::vector<TriangleMesh::Triangle>{{0, 1, 2}}),
                        {9.0 * i, 0, 0}, BodyType::kStatic));
    scene.add_body(body("field" + number, HeightField(2, 2, 1, std::vector<float>{0, 0, 0, h}), {9.0 * i, 5, 0},
                        BodyType::kStatic));
    scene.add_body(body("hull" + number, ConvexHull(wedge), {9.0 * i, 0, 1}));
    Articulation arm{.name = "arm" + number};
    arm.links.push_back({.name = "link", .mass = 1, .inertia = {.moments = {1, 1, 1}}});
    arm.links[0].joint.kind = ArticulationJointKind::kRevolute;
    arm.links[0].shapes = {testing_support::shape(Sphere{0.1f}, {4, 0, 0})};
    scene.add_articulation(arm);
  }
  return scene;
}

/// Boxes and balls that one belt takes to another, which takes them against a wall, up a slope or round a corner; a
/// cart that drives by its own surface.
Scene belts(const StepParams& params) {
  Scene scene;
  scene.set_params(params);
  scene.add_material({.name = "box", .density = 500, .friction = 0.7f});
  scene.add_material({.name = "first", .density = 500, .friction = 0.7f, .surface_velocity = {2, 0, 0}});
  scene.add_material({.name = "second", .density = 500, .friction = 0.5f, .surface_velocity = {0.3f, 1.5f, 0.2f}});
  Body first = body("first", Box{{3, 1, 0.2f}}, {0, 0, -0.2}, BodyType::kStatic);
  first.shapes[0].material = 1;
  scene.add_body(first);
  Body second = body("second", Box{{1.5f, 3, 0.2f}}, {4.5, 1, -0.2}, BodyType::kKinematic);
  second.orientation = {0.05f, 0, 0, 1};
  second.shapes[0].orientation = {0, 0, 0.1f, 1};
  second.shapes[0].material = 2;
  scene.add_body(second);
  scene.add_body(plane("wall", {-1, 0, 0}, -6));
  scene.add_body(plane("floor", {0, 0, 1}, -2));
  for (int i = 0; i < 8; ++i) {
    const Vec3d at{-2 + 0.8 * i, 0.1 * (i % 3), 0.3 + 0.05 * i};
    const std::string name = "load" + std::to_string(i);
    scene.add_body(i % 3 == 2 ? ball(name, at, 0.25f) : body(name, Box{{0.25f, 0.2f, 0.25f}}, at));
  }
  Body cart = body("cart", Box{{0.4f, 0.3f, 0.2f}}, {-1, 0.2, 1.2});
  cart.shapes.push_back(shape(Box{{0.1f, 0.1f, 0.1f}}, {0.2f, 0.1f, 0.25f}));
  cart.shapes[0].material = 2;
  scene.add_body(cart);
  return scene;
}
/// Stops, turns round and goes on.
void change_belts(World& world, std::uint32_t in, int step) {
  Material first = world.materials(in)[1], second = world.materials(in)[2];
  first.surface_velocity = step == 20 ? Vec3{} : Vec3{-3, 0.5f, 0};
  second.surface_velocity = step == 40 ? Vec3{} : Vec3{1, -1, 0};
  if (step == 20 || step == 55) world.set_material(1, first, in);
  if (step == 30 || step == 40) world.set_material(2, second, in);
  if (step == 33) world.add_body(body("late", Box{{0.3f, 0.2f, 0.2f}}, {-1, 0, 1.5}), in);
  if (step == 45) world.set_material(world.bodies(in)[5], 1);
  if (step == 48) world.remove_body(world.bodies(in)[6]);
  if (step == 50) world.scales().set({.size = 0.9f, .mass = 2, .friction = 0.8f}, in);
}
/// The same by arrays with rows of all worlds; the mask leaves out those of others, which are NaN.
void change_belts_by_arrays(World& world, std::uint32_t in, int step) {
  if (step % 20 != 15) return;
  const auto [rows, first] = rows_of(world, in, [&](std::uint32_t w) { return world.materials(w).size(); });
  std::vector<float> friction(rows, NAN), restitution(rows, NAN), rolling(rows, NAN), moves(3 * rows, NAN);
  for (std::size_t m = 0; m < world.materials(in).size(); ++m) {
    friction[first + m] = 0.3f + 0.1f * static_cast<float>(m);
    restitution[first + m] = step < 30 ? 0.4f : 0.0f;
    rolling[first + m] = 0.01f * static_cast<float>(m);
    for (std::size_t c = 0; c < 3; ++c)
      moves[3 * (first + m) + c] = m == 0 || c == 2 ? 0.0f : 1.5f - static_cast<float>(c);
  }
  const auto count = static_cast<std::int64_t>(rows);
  world.arrays().set_materials(
      {view(friction, count), view(restitution, count), view(rolling, count), view(moves, count, 3)},
      only(world, in).data());
  if (step == 35) world.scales().set({.friction = 1.5f, .restitution = 0.5f}, in);
}

/// Grains on a belt, which runs the other way after a while.
Scene belt_of_grains(const StepParams& params) {
  Scene scene = hertz_test::swarm(3, params);
  Material material = scene.materials()[0];
  material.name = "belt";
  material.surface_velocity = {0.5f, 0.1f, 0};
  const std::uint32_t belt = scene.add_material(material);
  Body floor = plane("belt", {0, 0, 1}, -0.05f);
  floor.shapes[0].material = belt;
  floor.density.reset();
  scene.add_body(floor);
  return scene;
}
void turn_belt(World& world, std::uint32_t in, int step) {
  if (step % 20 != 10) return;
  Material belt = world.materials(in).back();
  belt.surface_velocity.x = step == 30 ? 0.0f : -0.5f;
  belt.surface_velocity.y = 0;
  world.set_material(static_cast<std::uint32_t>(world.materials(in).size() - 1), belt, in);
}

bool touching(const World& world) { return world.report().manifolds > 10; }
bool asleep(const World& world) { return world.report().asleep != 0; }

}  // namespace

std::vector<SceneRow> builtin_rows() {
  std::vector<SceneRow> rows;
  for (const scenes::BuiltinInfo& scene : scenes::list()) {
    const auto make = [spec = small(scene)] { return scenes::make(spec, kSeed); };
    rows.push_back({.name = scene.name, .make = make, .steps = 24, .builtin = true});
  }
  return rows;
}

std::vector<SceneRow> body_rows() {
  const auto elastic = [] { return hertz_test::elastic(2e-5, 25); };
  return {
      {.name = "edited_tower",
       .make = [] { return scenes::make("tower:height=6", 1); },
       .edit = edit_everything,
       .draws = true,
       .lively = true},
      {.name = "filters", .make = crowd, .edit = change_filters, .lively = true},
      {.name = "switched",
       .make = [] { return switched({}); },
       .steps = 50,
       .edit = switch_bodies,
       .happened = [](const World& world) { return !world.description(*world.find_body("late")).enabled; },
       .events = true,
       .lively = true},
      {.name = "switched_in_its_sleep",
       .make = [] { return tower(3, sleepy({})); },
       .steps = 130,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 45 || step == 50) world.set_enabled(world.bodies(in)[2], step == 50);
           },
       .happened = asleep},
      {.name = "low_islands", .make = [] { return islands(7); }},
      {.name = "high_islands", .make = [] { return islands(25); }, .steps = 30},
      {.name = "removed_mesh",
       .make = boxes_on_meshes,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 29) world.remove_body(world.bodies(in)[0]);
           }},
      {.name = "surfaces", .make = surfaces, .steps = 30},
      {.name = "rain_that_is_watched",
       .make = [] { return scenes::make("rain:count=60", 5); },
       .steps = 50,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 25) world.remove_body(world.bodies(in)[20]);
           },
       .happened = [](const World& world) { return !world.contact_events().persisting.empty(); },
       .events = true,
       .lively = true},
      {.name = "furnished", .make = [] { return furnished(); }, .lively = true},
      {.name = "tower_that_sleeps",
       .make = [] { return tower(3, sleepy({})); },
       .steps = 100,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 45) world.wake(world.bodies(in)[1]);
             if (step == 46) world.set_velocity(world.bodies(in)[1], {0, 0, 0}, {});
           },
       .happened = asleep},
      {.name = "belts",
       .make = [] { return belts({}); },
       .steps = 70,
       .edit = change_belts,
       .happened = [](const World& world) { return world.report().manifolds > 4; },
       .lively = true},
      {.name = "belts_where_loads_sleep", .make = [] { return belts(sleepy({})); }, .steps = 90, .edit = change_belts},
      {.name = "belts_changed_by_arrays",
       .make = [] { return belts({}); },
       .steps = 50,
       .edit = change_belts_by_arrays,
       .happened = [](const World& world) { return world.materials()[1].surface_velocity.x == 1.5f; }},
      {.name = "belt_of_grains", .make = [elastic] { return belt_of_grains(elastic()); }, .edit = turn_belt},
      {.name = "grains_on_a_post",
       .make = [elastic] { return hertz_test::heap(elastic()); },
       .steps = hertz_test::kHeapSteps,
       .happened = touching},
      {.name = "switched_grains",
       .make = [elastic] { return hertz_test::heap(elastic()); },
       .steps = hertz_test::kHeapSteps,
       .edit =
           [](World& world, std::uint32_t in, int step) {
             if (step == 5 || step == 20) world.set_enabled(world.bodies(in).back(), step == 20);
           }},
      {.name = "swarm", .make = [elastic] { return hertz_test::swarm(3, elastic()); }},
  };
}

const std::vector<SceneRow>& scene_rows() {
  static const std::vector<SceneRow> all = [] {
    std::vector<SceneRow> rows;
    for (const auto& part :
         {builtin_rows(), body_rows(), joint_rows(), particle_rows(), articulation_rows(), field_rows()})
      rows.insert(rows.end(), part.begin(), part.end());
    return rows;
  }();
  return all;
}

}  // namespace cairn::contract
