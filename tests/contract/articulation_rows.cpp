// Articulations: in heaps, driven, with joints of the World that close their loops, asleep.

#include "cairn/world_articulations.h"
#include "tests/articulations/closing_draw.h"
#include "tests/contract/contract.h"
#include "tests/memory/sample_worlds.h"

namespace cairn::contract {
namespace {

using namespace testing_support;
using articulations_test::laid;
using articulations_test::snake;
using articulations_test::standing;
using articulations_test::table;

/// Snakes that fall on each other and on boxes.
Scene snakes() {
  Scene scene = scene_of({plane()});
  for (int i = 0; i < 4; ++i) {
    ArticulationState start;
    start.q = {0.1 * i, 0.15 * i, 0.6 + 0.3 * i, 0, 0.65, 0, 0.76, 0.3, 0.2, 0.4, 0.1, 0.3, 0.5, 0.1};
    scene.add_articulation(snake("snake" + std::to_string(i), 8, 0.02, 1.5), start);
  }
  for (int i = 0; i < 12; ++i) {
    scene.add_body(body("box" + std::to_string(i), Box{{0.1f, 0.1f, 0.1f}},
                        {0.3 * (i % 5) - 0.2, 0.2 * (i / 5) - 0.3, 2.1 + 0.3 * i}));
  }
  return scene;
}

/// Pushes joints and moves what drives go to, each articulation by its number in its world; later one is put elsewhere.
void drive(World& world, std::uint32_t in, int step) {
  if (step == 35) {
    const ArticulationHandle other = world.articulations().list(in)[1];
    ArticulationState state = world.state(other);
    state.q[2] += 0.5;
    state.v[3] = 1;
    world.set_state(other, state);
  }
  if (step % 20 != 0) return;
  double k = 1 + 0.5 * step;
  for (const ArticulationHandle h : world.articulations().list(in)) {
    const ArticulationState there = world.state(h);
    world.articulations().set_forces(h, std::vector<double>(there.v.size(), 0.1 * k));
    ArticulationState to{there.q, std::vector<double>(there.v.size(), 0.05)};
    to.q.back() = 0.1 * k;
    world.articulations().set_targets(h, to);
    k += 1;
  }
}

/// Moves what tendons pull to.
void pull(World& world, std::uint32_t in, int step) {
  if (step % 20 != 10) return;
  for (const ArticulationHandle h : world.articulations().list(in)) {
    const ArticulationState there = world.state(h);
    ArticulationState to{there.q, std::vector<double>(there.v.size(), 0.0)};
    to.q.back() = 0.02 * step;
    world.articulations().set_targets(h, to);
  }
}

/// One comes from above, one goes with what lay on it, and another takes its place.
void come_and_go(World& world, std::uint32_t in, int step) {
  const auto add = [&](const char* name, double height) {
    ArticulationState start;
    start.q = {0.2, 0.1, height, 0, 0, 0, 1, 0.3, 0.2, 0.4};
    world.articulations().add(snake(name, 4, 0.02, 1.5), start, in);
  };
  if (step == 4) add("late", 3);
  if (step == 12) world.articulations().remove(*world.articulations().find("snake1", in));
  if (step == 18) add("last", 2);
  if (step == 24) world.articulations().remove(*world.articulations().find("late", in));
}

/// The box goes and comes back, and a floor under the legs.
void switch_load(World& world, std::uint32_t in, int step) {
  if (step == 10 || step == 30) world.set_enabled(*world.find_body("load", in), step == 30);
  if (step == 40 || step == 45) world.set_enabled(*world.find_body("floor", in), step == 45);
}

/// A table on driven legs with a box on it, on a belt.
Scene carried() {
  Scene scene;
  scene.add_material({.name = "plain", .density = 1000, .friction = 0.7f});
  scene.add_material({.name = "belt", .density = 1000, .friction = 0.7f, .surface_velocity = {1, 0.2f, 0}});
  Body floor = plane();
  floor.shapes[0].material = 1;
  scene.add_body(floor);
  scene.add_articulation(table(10, 0.5, {.drive_stiffness = 200, .drive_damping = 5}), standing(0));
  scene.add_body(body("load", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, 0.6}));
  return scene;
}
bool moved(const World& world) { return world.state(world.bodies().back()).linear_velocity.x > 0.1f; }

}  // namespace

std::vector<SceneRow> articulation_rows() {
  std::vector<SceneRow> rows{
      {.name = "snakes", .make = snakes, .steps = 50, .lively = true},
      {.name = "snakes_come_and_go", .make = snakes, .steps = 40, .edit = come_and_go},
      {.name = "driven_tables", .make = articulations_test::tables_and_rod, .edit = drive, .lively = true},
      {.name = "coupled_snakes", .make = articulations_test::coupled_snakes, .steps = 60, .edit = pull, .lively = true},
      {.name = "carried_table", .make = carried, .happened = moved},
      {.name = "laid_table",
       .make = laid,
       .steps = 120,
       .happened = [](const World& world) { return world.report().asleep != 0; }},
      {.name = "switched_load", .make = laid, .steps = 70, .edit = switch_load},
      {.name = "furnished_with_arm", .make = [] { return furnished_with_arm(); }, .steps = 40},
  };
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    rows.push_back({.name = "closed_loops_" + std::to_string(seed),
                    .make = [seed] { return articulations_test::Closed(seed, SolverKind::kSoftStep).scene; },
                    .steps = 30});
  }
  return rows;
}

}  // namespace cairn::contract
