// Islands that are solved directly: what they hold, what they sink in by, and who is one.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/world_scales.h"
#include "kernels/direct/solve.h"
#include "scenes/builtin.h"
#include "tests/mixed/dice.h"
#include "tests/support/builders.h"

namespace cairn::direct_test {
namespace {

using namespace testing_support;

constexpr double kG = 9.81;  ///< [m/s^2]

StepParams direct(int bodies = 256) { return {.direct_bodies = bodies, .direct_mass_ratio = 1}; }
Scene made(const std::string& spec, const StepParams& params) {
  Scene scene = scenes::make(spec, 1);
  scene.set_params(params);
  return scene;
}
std::uint64_t hash_after(const Scene& scene, int steps) {
  World world(scene, cpu());
  run(world, steps);
  return world.state_hash();
}
/// [m] How far bodies are from where they were.
double moved(const std::vector<BodyState>& before, const World& world) {
  const std::vector<BodyState> now = states(world);
  double most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) most = std::max(most, length(now[i].position - before[i].position));
  return most;
}

TEST(Direct, a_contact_sinks_in_by_what_its_law_says) {
  constexpr int kHeight = 10;
  World world(tower(kHeight, direct()), cpu());
  run(world, 240);
  EXPECT_LT(fastest(world), 1e-5);
  // at rest kDirectPush s / h = -R l. Of the corner of a unit box 1 / m_eff = (1 + 2 (1/2)^2 / (1/6)) / m, and twice
  // that between two boxes; each of four carries a quarter of what is above
  const double h = double{world.params().dt} / world.params().substeps;
  const double unit = kernels::kDirectSoftness / kernels::kDirectPush * kG * h * h;
  const std::vector<Contact> contacts = world.contacts();
  ASSERT_EQ(contacts.size(), std::size_t{kHeight});
  for (int i = 0; i < kHeight; ++i) {
    const Contact& contact = contacts[static_cast<std::size_t>(i)];
    ASSERT_EQ(contact.count, 4);
    double mean = 0;
    for (int j = 0; j < 4; ++j) mean -= double{contact.points[static_cast<std::size_t>(j)].separation} / 4;
    const double wanted = (i == 0 ? 1 : 2) * (kHeight - i) * unit;
    // separations of floats as large as the tower
    EXPECT_NEAR(mean, wanted, 0.02 * wanted + 2e-7) << i;
  }
  EXPECT_NEAR(support(world, world.bodies()[0]), kHeight * 1000 * kG, 1e-4 * kHeight * 1000 * kG);
}

TEST(Direct, holds_what_sweeps_do_not) {
  struct Case {
    const char* spec;
    int substeps;
    double moves;  ///< [m]
  };
  // at 6 substeps sweeps let all of these fall within 10 s
  for (const Case& c : {Case{"tower:height=200", 6, 0.1}, Case{"heavy:height=5,ratio=1000", 6, 0.01},
                        Case{"heavy:height=5,ratio=1000", 3, 0.04}, Case{"tower:height=100", 3, 0.1}}) {
    StepParams params = direct();
    params.substeps = c.substeps;
    World world(made(c.spec, params), cpu());
    const std::vector<BodyState> before = states(world);
    run(world, 600);
    EXPECT_LT(moved(before, world), c.moves) << c.spec << ", " << c.substeps << " substeps";
  }
}

TEST(Direct, comes_to_rest_where_it_was_built) {
  for (const char* spec : {"arch", "cards", "wall:base=8"}) {
    World world(made(spec, direct()), cpu()), swept(made(spec, {}), cpu());
    const std::vector<BodyState> before = states(world);
    run(world, 300);
    run(swept, 300);
    EXPECT_NE(world.state_hash(), swept.state_hash()) << spec;
    EXPECT_LT(fastest(world), 1e-5) << spec;
    EXPECT_LT(moved(before, world), 2e-4) << spec;
  }
}

/// What a tower may not have on it, or between its boxes.
struct Unfit {
  const char* name;
  void (*add)(Scene&);
};
void add_top(Scene& scene, const Material& of) {
  Body top = box("top", {0, 0, 6.5});
  top.shapes[0].material = scene.add_material(of);
  scene.add_body(top);
}
constexpr Unfit kUnfit[] = {
    {"too_large",
     [](Scene& s) {
       for (int i = 0; i < 4; ++i) s.add_body(box("top" + std::to_string(i), {0, 0, 6.5 + i}));
     }},
    {"jointed",
     [](Scene& s) {
       s.add_joint({.name = "rod", .body_a = 1, .body_b = 3, .kind = DistanceJoint{2, 2}});
     }},
    {"bounces", [](Scene& s) { add_top(s, {.name = "rubber", .restitution = 0.5f}); }},
    {"rolls", [](Scene& s) { add_top(s, {.name = "soft", .rolling_friction = 0.01f}); }},
};

TEST(Direct, leaves_islands_that_it_cant_solve_to_sweeps) {
  for (const Unfit& unfit : kUnfit) {
    const auto hash_with = [&](int bodies) {
      Scene scene = tower(6, direct(bodies));
      unfit.add(scene);
      return hash_after(scene, 60);
    };
    EXPECT_EQ(hash_with(9), hash_with(0)) << unfit.name;
  }
}

/// Boxes on a floor, the highest of so many times the mass of the others.
Scene loaded(int height, float ratio) {
  Scene scene = tower(height);
  Body top = box("load", {0, 0, height + 0.5f});
  top.density = {};
  top.mass = 1000 * ratio;
  scene.add_body(top);
  return scene;
}

TEST(Direct, is_for_unlike_masses_by_default) {
  const auto run_with = [](float ratio, bool never) {
    Scene scene = loaded(4, ratio);
    StepParams params;
    if (never) params.direct_bodies = 0;
    scene.set_params(params);
    return hash_after(scene, 60);
  };
  EXPECT_EQ(run_with(29.9f, false), run_with(29.9f, true));
  EXPECT_NE(run_with(30, false), run_with(30, true));
  // a light body on heavy ones, and a heavy one beside a light one
  const auto hashes_with = [](int bodies) {
    Scene scene = tower(3, {.direct_bodies = bodies});
    Body pebble = ball("pebble", {0, 0, 3.1f}, 0.1f), beside = box("beside", {-5, 0, 0.5f});
    pebble.density = beside.density = {};
    pebble.mass = 1;
    beside.mass = 1e5f;
    beside.linear_velocity = {1, 0, 0};
    scene.add_body(pebble);
    scene.add_body(beside);
    scene.add_body(box("light", {-3.9f, 0, 0.5f}));
    return hash_after(scene, 60);
  };
  EXPECT_EQ(hashes_with(64), hashes_with(0));
  World world(made("heavy:height=5,ratio=1000", {}), cpu());
  const std::vector<BodyState> before = states(world);
  run(world, 600);
  EXPECT_LT(moved(before, world), 0.01);
}

TEST(Direct, that_no_world_needs_it_changes_no_bit) {
  // what makes masses unlike in world 0, alone and beside a world where they are from the start
  struct Case {
    const char* name;
    void (*change)(World&);
  };
  const Case cases[] = {
      {"nothing", [](World&) {}},
      {"set_mass", [](World& w) { w.set_mass(w.bodies(0)[2], 1e5f); }},
      {"set_mass_and_back",
       [](World& w) {
         w.set_mass(w.bodies(0)[2], 1e5f);
         run(w, 20);
         w.set_mass(w.bodies(0)[2], 1000);
       }},
      {"set_scales",
       [](World& w) {
         w.scales().set(BodyScales{1, 0.02f}, w.bodies(0)[1]);
       }},
      {"randomise",
       [](World& w) {
         std::vector<std::uint8_t> chosen(w.world_count(), 0);
         chosen[0] = 1;
         w.scales().randomise(chosen, {.body_mass = {0.01f, 100}});
       }},
      {"add_body",
       [](World& w) {
         Body light = box("light", {0.1f, 0, 3.5f});
         light.density = 20;
         light.shapes[0].material = 0;
         w.add_body(light, 0);
       }},
      {"remove_body",
       [](World& w) {
         w.set_mass(w.bodies(0)[2], 1e5f);
         run(w, 20);
         w.remove_body(w.bodies(0)[2]);
       }},
  };
  for (const Case& c : cases) {
    const std::vector<Scene> scenes{tower(3), loaded(2, 50)};
    World alone(scenes[0], cpu()), batch(scenes, cpu());
    for (World* world : {&alone, &batch}) {
      run(*world, 20);
      c.change(*world);
      run(*world, 40);
    }
    SCOPED_TRACE(c.name);
    EXPECT_EQ(batch.state_hashes()[0], alone.state_hash());
    expect_to_go_on_restored(alone, 40);
  }
}

TEST(Direct, has_room_for_as_many_islands_as_there_are) {
  // more bodies and rows than a World has room for at first
  const Scene scene = loaded(2, 100);
  const std::uint64_t alone = hash_after(scene, 40);
  for (const std::uint32_t small : {0u, 1000u}) {
    WorldOptions options = cpu(2);
    options.tuning.small_world = small;
    World batch = World::copies(scene, 700, options);
    run(batch, 40);
    for (const std::uint64_t hash : batch.state_hashes()) ASSERT_EQ(hash, alone) << small;
    EXPECT_EQ(batch.report().status, 0u);
  }
}

TEST(Direct, heaps_that_fall_never_have_more_energy_than_at_first) {
  // mass ratios to 1e4, friction to 2, one substep to eight: Newton's method doesn't always end
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    mixed::Dice dice(seed);
    Scene scene;
    StepParams params = direct();
    params.substeps = dice.whole(1, 8);
    scene.set_params(params);
    const std::uint32_t material = scene.add_material({.name = "m", .density = 1000, .friction = dice.number(0, 2)});
    scene.add_body(plane());
    std::vector<double> masses;
    const int count = dice.whole(2, 16);
    for (int i = 0; i < count; ++i) {
      // far enough apart that no two overlap
      Body one = box("b" + std::to_string(i), {dice.number(-0.3, 0.3), dice.number(-0.3, 0.3), 0.9 + 1.75 * i});
      one.orientation = {dice.number(-1, 1), dice.number(-1, 1), dice.number(-1, 1), 1};
      one.shapes[0].material = material;
      one.density = {};
      one.mass = static_cast<float>(std::pow(10.0, double{dice.number(0, 4)}));
      masses.push_back(double{*one.mass});
      scene.add_body(one);
    }
    World world(scene, cpu());
    const auto energy = [&] {
      double sum = 0;
      const std::vector<BodyState> all = states(world);
      for (std::size_t b = 0; b < masses.size(); ++b) {
        const BodyState& state = all[b + 1];
        const double v = length(state.linear_velocity), w = length(state.angular_velocity);
        // of a cube of side 1, inertia m / 6
        sum += masses[b] * (v * v / 2 + w * w / 12 + kG * state.position.z);
      }
      return sum;
    };
    const double start = energy();
    for (int i = 0; i < 240; ++i) {
      world.step();
      ASSERT_LT(energy(), start) << seed << ", step " << i;
    }
    EXPECT_EQ(world.report().status, 0u) << seed;
    EXPECT_TRUE(sound(world)) << seed;
  }
}

TEST(Direct, may_be_turned_on_and_off_between_steps) {
  World world(tower(12), cpu());
  run(world, 60);
  for (int i = 0; i < 6; ++i) {
    StepParams params = world.params();
    params.direct_bodies = i % 2 == 0 ? 64 : 0;
    params.direct_mass_ratio = 1;
    world.set_params(params);
    run(world, 60);
    EXPECT_LT(fastest(world), 0.02) << i;
  }
  EXPECT_EQ(world.report().status, 0u);
}

TEST(ResidualTarget, is_reached_where_the_passes_suffice) {
  const auto residual = [](float target) {
    // a tower that sways
    World world(made("tower:height=40", {.residual_target = target}), cpu());
    double most = 0;
    for (int i = 0; i < 60; ++i) {
      world.step();
      if (i >= 20) most = std::max(most, double{world.residual().signorini});
    }
    return most;
  };
  const double once = residual(0), coarse = residual(1e-3f), fine = residual(1e-4f);
  // a pass that changes nothing by more than that leaves what it could not see: a few times as much
  EXPECT_LT(coarse, 5e-3);
  EXPECT_LT(fine, 1e-3);
  EXPECT_LT(fine, 0.1 * once);
}

}  // namespace
}  // namespace cairn::direct_test
