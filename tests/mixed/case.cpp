// A random batch, by its seed.

#include <algorithm>
#include <numeric>

#include "tests/mixed/mixed.h"

namespace cairn::mixed {

std::string any_body(Dice& dice, const Scene& around) {
  return around.bodies().empty() ? "" : dice.of(around.bodies()).name;
}

StepParams with_own(Dice& dice, StepParams params) {
  if (dice.chance(0.5)) params.restitution_threshold = dice.number(0, 2);
  if (dice.chance(0.3)) params.recycle_tolerance = dice.of({0.0f, 0.01f, 0.1f});
  if (dice.chance(0.3)) params.friction_mix = dice.of({MixRule::kMin, MixRule::kMax, MixRule::kProduct});
  if (dice.chance(0.3)) params.restitution_mix = dice.of({MixRule::kMin, MixRule::kGeometricMean, MixRule::kProduct});
  if (dice.chance(0.3)) params.rolling_mix = dice.of({MixRule::kMin, MixRule::kGeometricMean, MixRule::kProduct});
  // a run is a fraction of a second: what sleeps does so early
  params.sleep_speed = dice.of({0.05f, 0.5f, 5.0f});
  params.sleep_time = dice.of({0.0f, 0.02f, 0.1f});
  return params;
}

namespace {

/// What worlds of one batch have in common.
StepParams random_shared(Dice& dice) {
  StepParams params;
  const std::uint32_t kind = dice.below(100);
  if (kind < 30) {
    params.solver = SolverKind::kSoftStep;
  } else if (kind < 65) {
    params.solver = SolverKind::kXpbd;
    if (dice.chance(0.35)) params.sweep = SweepKind::kJacobi;
  } else if (kind < 78) {
    params.solver = SolverKind::kSequentialImpulse;
  } else if (kind < 90) {
    params.solver = SolverKind::kAvbd;
  } else {
    params.solver = SolverKind::kHertzMindlin;
  }
  params.substeps = dice.whole(1, 4);
  params.particle_iterations = dice.whole(1, 2);
  params.fluid_iterations = dice.whole(1, 3);
  params.dt = dice.of({1.0f / 60, 1.0f / 120, 0.01f, 1.0f / 30});
  if (params.solver == SolverKind::kHertzMindlin) {
    params.dt = dice.of({0.001f, 0.002f});
    params.substeps = dice.whole(6, 10);
  }
  if (dice.chance(0.2)) params.contact_frequency_ratio = dice.number(0.05, 0.25);
  if (dice.chance(0.2)) params.contact_damping_ratio = dice.number(0.5, 5);
  if (dice.chance(0.2)) params.max_depenetration_speed = dice.number(0, 10);
  if (dice.chance(0.3)) {
    params.direct_bodies = dice.whole(1, 40);
    params.direct_mass_ratio = dice.chance(0.5) ? 1.0f : dice.number(1, 40);
  }
  if (dice.chance(0.2)) params.residual_target = dice.of({1e-2f, 1e-3f, 1e-4f});
  params.ccd = dice.chance(0.9);
  params.sleeping = dice.chance(0.4);
  return params;
}

bool takes_joints(const StepParams& p) { return p.solver != SolverKind::kAvbd; }
bool takes_robots(const StepParams& p) {
  return takes_joints(p) && p.solver != SolverKind::kHertzMindlin && p.sweep != SweepKind::kJacobi;
}

/// Balls that outnumber the cells' short cuts, around a box that touches most of them.
void fill_crowd(Dice& dice, WorldPlan& plan) {
  const int count = dice.whole(70, 140);
  for (int i = 0; i < count; ++i) {
    Body ball{.name = "c" + std::to_string(i), .shapes = {{.geometry = Sphere{0.06f}}}, .mass = 0.5f};
    ball.position = {0.13 * (i % 12 - 6), 0.13 * (i / 12 % 12 - 6), 1 + 0.13 * (i / 144)};
    plan.bodies.push_back({ball});
  }
  Body lid{.name = "lid", .position = {0, 0, 1.1}, .shapes = {{.geometry = Box{{0.8f, 0.8f, 0.05f}}}}, .mass = 5};
  if (plan.own.solver == SolverKind::kHertzMindlin) lid.type = BodyType::kKinematic, lid.mass.reset();
  plan.bodies.push_back({lid});
}

WorldPlan random_world(Dice& dice, const StepParams& shared, int steps) {
  WorldPlan plan;
  plan.style = dice.of({"pile", "pile", "pile", "machine", "machine", "cloth", "fluid", "mix", "mix", "balls"});
  if (dice.chance(0.02)) plan.style = dice.of({"crowd", "hub"});
  if (dice.chance(0.03)) plan.style = "empty";
  const auto is = [&](std::initializer_list<const char*> styles) {
    return std::ranges::any_of(styles, [&](const char* s) { return plan.style == s; });
  };
  plan.own = with_own(dice, shared);
  plan.gravity = dice.chance(0.7) ? Vec3{0, 0, -9.81f} : dice.vector(15);
  if (dice.chance(0.1)) plan.limits = random_limits(dice);
  for (int i = 0, n = dice.whole(1, 3); i < n; ++i) {
    plan.materials.push_back(random_material(dice, "m" + std::to_string(i), shared));
  }
  if (is({"empty"})) return plan;

  Scene around = scene_of(plan);
  if (dice.chance(0.7)) {
    plan.bodies.push_back({Body{.name = "floor", .type = BodyType::kStatic, .shapes = {{.geometry = Plane{}}}}});
    around = scene_of(plan);
  }
  if (is({"crowd"})) fill_crowd(dice, plan);
  const int most = is({"cloth", "fluid", "crowd", "hub"}) ? 3 : 7;
  for (int i = 0, n = dice.whole(1, most); i < n; ++i) {
    plan.bodies.push_back({random_body(dice, "b" + std::to_string(i), plan, around)});
    around = scene_of(plan);
  }
  if (takes_robots(shared) && (is({"machine", "mix"}) ? dice.chance(0.6) : dice.chance(0.05))) {
    for (int i = 0, n = dice.whole(1, 2); i < n; ++i) {
      plan.robots.push_back({random_robot(dice, "r" + std::to_string(i), plan)});
    }
    around = scene_of(plan);
  }
  if (is({"cloth", "mix", "hub"})) {
    for (int i = 0, n = is({"cloth"}) ? dice.whole(1, 3) : 1; i < n; ++i) {
      plan.sets.push_back({random_set(dice, "s" + std::to_string(i), plan, around)});
    }
  }
  if (is({"fluid"})) {
    const int side = dice.chance(0.05) ? 5 : dice.whole(2, 3);
    plan.sets.push_back({random_fluid(dice, "f0", plan, side)});
    if (dice.chance(0.2)) plan.sets.push_back({random_fluid(dice, "f1", plan, 2)});
  }
  around = scene_of(plan);
  if (takes_joints(shared) && !around.bodies().empty()) {
    int joints = is({"machine"}) ? dice.whole(1, 8) : (is({"mix", "pile"}) && dice.chance(0.3) ? 2 : 0);
    std::vector<PlannedJoint> others;
    for (int i = 0; i < joints; ++i) {
      plan.joints.push_back({random_joint(dice, "j" + std::to_string(i), others, around)});
      others.push_back(plan.joints.back().what);
    }
    for (int i = 0; is({"hub"}) && i < 70; ++i) {
      // joints of one body that close loops with the world, more than there are colours
      PlannedJoint made = random_joint(dice, "h" + std::to_string(i), {}, around);
      made.a = "";
      made.b = around.bodies()[0].name;
      plan.joints.push_back({made});
    }
  }
  if (dice.chance(0.2) && around.bodies().size() > 1) {
    plan.ignored.push_back({{any_body(dice, around), any_body(dice, around)}});
  }
  while (dice.chance(0.15)) plan.fields.push_back({random_field(dice, around)});
  if (dice.chance(0.7)) add_edits(dice, plan, around, steps, dice.whole(1, 6));
  return plan;
}

Tuning random_tuning(Dice& dice) {
  return {.small_world = dice.of({0u, 0u, 128u, 128u, 128u, 6u, 12u, 4096u}),
          .part_bodies = dice.of({0u, 0u, 1u, 16u})};
}

/// All together, or cut in two, in a random order.
Setup random_setup(Dice& dice, std::size_t worlds, bool cut) {
  Setup setup{.threads = dice.of({1, 1, 1, 2, 3}), .tuning = random_tuning(dice)};
  if (dice.chance(0.3)) setup.capacity.pairs = dice.of({1u, 8u, 40u});
  setup.capturable = dice.chance(0.2);
  std::vector<std::uint32_t> order(worlds);
  std::iota(order.begin(), order.end(), 0u);
  for (std::size_t i = worlds; i > 1; --i) std::swap(order[i - 1], order[dice.below(i)]);
  const std::size_t first = cut && worlds > 2 ? worlds / 2 : worlds;
  setup.groups.emplace_back(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first));
  if (first < worlds) setup.groups.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(first), order.end());
  return setup;
}

}  // namespace

MixedCase random_case(std::uint64_t seed) {
  Dice dice(seed * 0x9e3779b97f4a7c15u + 1);
  MixedCase mixed{.seed = seed, .shared = random_shared(dice)};
  mixed.contact_events = dice.chance(0.2);
  mixed.steps = dice.whole(6, 16);
  mixed.dt.assign(static_cast<std::size_t>(mixed.steps), mixed.shared.dt);
  if (dice.chance(0.1)) {
    for (float& dt : mixed.dt) dt *= dice.of({1.0f, 0.5f, 0.75f});
  }
  for (int i = 0; i < 4; ++i) mixed.worlds.push_back(random_world(dice, mixed.shared, mixed.steps));
  // some are the same world twice, with edits of their own
  if (dice.chance(0.15)) {
    const Items<Edit> edits = mixed.worlds[1].edits;
    mixed.worlds[1] = mixed.worlds[0];
    if (dice.chance(0.5)) mixed.worlds[1].edits = edits;
  }
  add_common_edits(dice, mixed);
  mixed.setups = {random_setup(dice, mixed.worlds.size(), false), random_setup(dice, mixed.worlds.size(), true)};
  mixed.alone = random_tuning(dice);
  return mixed;
}

Scene scene_of(const WorldPlan& plan, std::vector<std::string>* refused) {
  Scene scene;
  const auto attempt = [&](const char* what, const auto& f) {
    try {
      f();
    } catch (const InvalidArgument& error) {
      if (refused != nullptr) refused->push_back(std::string(what) + ": " + error.what());
    }
  };
  scene.set_params(plan.own);
  scene.set_gravity(plan.gravity);
  attempt("limits", [&] { scene.set_limits(plan.limits); });
  for (const Material& material : plan.materials) scene.add_material(material);
  // bindings can't be captured by clang++ 14
  for (const auto& [planned, on] : plan.bodies) {
    const auto& body = planned;
    if (on) attempt("body", [&] { scene.add_body(body); });
  }
  for (const auto& [planned, on] : plan.robots) {
    const auto& robot = planned;
    if (on) attempt("articulation", [&] { scene.add_articulation(robot.robot, robot.start); });
  }
  for (const auto& [planned, on] : plan.sets) {
    if (!on) continue;
    ParticleSet set = planned.set;
    set.attachments.clear();
    for (std::size_t i = 0; i < planned.held_by.size(); ++i) {
      const auto body = scene.find_body(planned.held_by[i]);
      if (!body) continue;
      set.attachments.push_back(planned.set.attachments[i]);
      set.attachments.back().body = *body;
    }
    attempt("particles", [&] { scene.add_particles(set); });
  }
  const auto body = [&](const std::string& name) { return scene.find_body(name); };
  const auto joint = [&](const std::string& name) { return scene.find_joint(name); };
  for (const auto& [planned, on] : plan.joints) {
    const auto made = on ? joint_of(planned, joint, body) : std::nullopt;
    if (made) attempt("joint", [&] { scene.add_joint(*made); });
  }
  for (const auto& [pair, on] : plan.ignored) {
    const auto a = scene.find_body(pair.first), b = scene.find_body(pair.second);
    if (on && a && b) attempt("ignore", [&] { scene.ignore(*a, *b); });
  }
  for (const auto& [planned, on] : plan.fields) {
    const auto made = on ? field_of(planned, body) : std::nullopt;
    if (made) attempt("field", [&] { scene.add_field(*made); });
  }
  return scene;
}

}  // namespace cairn::mixed
