// Materials through arrays on the device end in the same bits as through the host.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/device_arrays.h"
#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

constexpr std::uint32_t kYards = 3, kMaterials = 3;
constexpr std::size_t kRows = kYards * kMaterials;

/// A belt and a floor that end at a wall, with boxes and balls on both: of materials that neither bounce, resist
/// rolling nor move.
Scene yard(const StepParams& params = {}) {
  Scene scene;
  scene.set_params(params);
  for (const auto& [name, friction] : {std::pair{"load", 0.5f}, std::pair{"belt", 0.4f}, std::pair{"ball", 0.6f}})
    scene.add_material({.name = name, .density = 500, .friction = friction});
  Body belt = body("belt", Box{{3, 1, 0.2f}}, {0, 0, -0.2}, BodyType::kKinematic);
  belt.shapes[0].material = 1;
  scene.add_body(belt);
  scene.add_body(plane("floor", {0, 0, 1}, -0.4f));
  scene.add_body(plane("wall", {-1, 0, 0}, -5));
  for (int i = 0; i < 6; ++i) {
    const Vec3d at{-2 + 0.8 * i, 0.1 * (i % 3), 0.4 + 0.1 * i};
    const std::string name = "load" + std::to_string(i);
    Body load = i % 2 == 0 ? body(name, Box{{0.25f, 0.2f, 0.25f}}, at) : ball(name, at, 0.25f);
    load.shapes[0].material = i % 2 == 0 ? 0 : 2;
    load.linear_velocity = {1, 0.1f * static_cast<float>(i), 0};
    scene.add_body(load);
  }
  return scene;
}
World yards(int steps = 10) {
  World world = World::copies(yard(), kYards, cpu(2));
  run(world, steps);
  return world;
}

/// Other materials: each world's of its own.
struct Stuff {
  explicit Stuff(std::size_t rows = kRows) : friction(rows, 1), restitution(rows, 1), rolling(rows, 1), moves(rows, 3) {
    for (std::size_t r = 0; r < rows; ++r) {
      friction.data[r] = 0.2f + 0.1f * static_cast<float>(r % 7);
      restitution.data[r] = 0.1f * static_cast<float>(r % 6);
      rolling.data[r] = r % kMaterials == 2 ? 0.01f * static_cast<float>(r) : 0;
      if (r % kMaterials == 1) moves.at(r, 0) = 0.5f + static_cast<float>(r);
      moves.at(r, 1) = r == 4 ? -0.25f : 0;
      if (r % kMaterials == 1) moves.at(r, 2) = 0.125f * static_cast<float>(r);
    }
  }
  MaterialArrays arrays() { return {friction.view(), restitution.view(), rolling.view(), moves.view()}; }
  Material of(Material m, std::size_t r) {
    m.friction = friction.data[r];
    m.restitution = restitution.data[r];
    m.rolling_friction = rolling.data[r];
    m.surface_velocity = {moves.at(r, 0), moves.at(r, 1), moves.at(r, 2)};
    return m;
  }
  void set_by_host(World& world, std::uint32_t in) {
    for (std::uint32_t m = 0; m < kMaterials; ++m)
      world.set_material(m, of(world.materials(in)[m], kMaterials * in + m), in);
  }

  HostArray<float> friction, restitution, rolling, moves;
};

TEST(ExchangeMaterials, set_materials_is_set_material_of_each) {
  World by_host = yards(), by_arrays = yards();
  Stuff stuff;
  by_arrays.arrays().set_materials(stuff.arrays());
  for (std::uint32_t w = 0; w < kYards; ++w) stuff.set_by_host(by_host, w);
  EXPECT_TRUE(go_on_alike(by_arrays, by_host, 60));
  EXPECT_NE(by_arrays.state_hashes()[0], by_arrays.state_hashes()[1]);
  for (std::uint32_t w = 0; w < kYards; ++w) EXPECT_EQ(by_arrays.materials(w), by_host.materials(w)) << w;
  // steps after the host has looked
  EXPECT_TRUE(go_on_alike(by_arrays, by_host, 30));
}

TEST(ExchangeMaterials, each_column_alone_is_set_material_by_each_solver_of_boxes) {
  for (const SolverKind solver :
       {SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kAvbd, SolverKind::kSequentialImpulse}) {
    for (int column = 0; column < 4; ++column) {
      StepParams params;
      params.solver = solver;
      World by_host(yard(params), cpu()), by_arrays(yard(params), cpu());
      Stuff stuff(kMaterials);
      MaterialArrays one;
      const MaterialArrays all = stuff.arrays();
      for (std::uint32_t m = 0; m < kMaterials; ++m) {
        Material to = by_host.materials()[m];
        const Material from = stuff.of(to, m);
        if (column == 0) to.friction = from.friction;
        if (column == 1) to.restitution = from.restitution;
        if (column == 2) to.rolling_friction = from.rolling_friction;
        if (column == 3) to.surface_velocity = from.surface_velocity;
        by_host.set_material(m, to);
      }
      if (column == 0) one.friction = all.friction;
      if (column == 1) one.restitution = all.restitution;
      if (column == 2) one.rolling_friction = all.rolling_friction;
      if (column == 3) one.surface_velocity = all.surface_velocity;
      by_arrays.arrays().set_materials(one);
      EXPECT_TRUE(go_on_alike(by_arrays, by_host, 60)) << word_of(solver) << ", column " << column;
    }
  }
}

TEST(ExchangeMaterials, arrays_may_be_of_doubles_and_strided_and_come_back) {
  World by_floats = yards(), by_doubles = yards();
  Stuff stuff;
  by_floats.arrays().set_materials(stuff.arrays());
  // all in one table, a row of which is a material
  HostArray<double> table(kRows, 7);
  const auto column = [&](std::int64_t first, std::int64_t columns) {
    ArrayView view = table.view();
    view.data = table.data.data() + first;
    view.shape[1] = columns;
    return view;
  };
  const MaterialArrays wrong_width{column(3, 1), column(6, 1), column(0, 1), column(1, 2)};
  MaterialArrays good = wrong_width;
  good.surface_velocity = column(3, 3);
  good.friction = column(0, 1);
  good.restitution = column(1, 1);
  good.rolling_friction = column(2, 1);
  EXPECT_THROW(by_doubles.arrays().set_materials(wrong_width), InvalidArgument);
  by_floats.arrays().get_materials(good);
  for (std::size_t r = 0; r < kRows; ++r) {
    EXPECT_EQ(table.at(r, 0), double{stuff.friction.data[r]});
    EXPECT_EQ(table.at(r, 1), double{stuff.restitution.data[r]});
    EXPECT_EQ(table.at(r, 2), double{stuff.rolling.data[r]});
    EXPECT_EQ(table.at(r, 3), double{stuff.moves.at(r, 0)});
    EXPECT_EQ(table.at(r, 4), double{stuff.moves.at(r, 1)});
    EXPECT_EQ(table.at(r, 5), double{stuff.moves.at(r, 2)});
    EXPECT_EQ(table.at(r, 6), 0);
  }
  by_doubles.arrays().set_materials(good);
  EXPECT_TRUE(go_on_alike(by_doubles, by_floats, 30));
}

TEST(ExchangeMaterials, a_mask_chooses_and_a_world_out_of_range_is_frozen_as_it_was) {
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), -0.5f, 2e6f};
  for (const float value : bad) {
    World world = yards(), alone = yards();
    Stuff stuff;
    stuff.friction.data[7] = value;
    const std::vector<std::uint8_t> mask{0, 1, 1};
    world.arrays().set_materials(stuff.arrays(), mask.data());
    EXPECT_EQ(world.report(0).status, 0u);
    EXPECT_EQ(world.report(1).status, 0u);
    const std::uint32_t status = std::isfinite(value) ? kStatusOutOfBounds : kStatusNonFinite;
    EXPECT_EQ(world.report(2).status, status);
    EXPECT_EQ(world.materials(0), alone.materials(0));
    EXPECT_EQ(world.materials(2), alone.materials(2));
    EXPECT_EQ(world.materials(1)[1], stuff.of(alone.materials(1)[1], 4));
    const std::vector<std::uint64_t> before = world.state_hashes();
    run(world, 5);
    stuff.set_by_host(alone, 1);
    run(alone, 5);
    EXPECT_EQ(world.state_hashes()[0], alone.state_hashes()[0]);
    EXPECT_EQ(world.state_hashes()[1], alone.state_hashes()[1]);
    EXPECT_EQ(world.state_hashes()[2], before[2]);
  }
  // the ranges of the others
  World world = yards(1);
  Stuff stuff;
  const auto out_of_range = [&](float& number, float value) {
    const float was = std::exchange(number, value);
    world.clear_status();
    world.arrays().set_materials(stuff.arrays());
    number = was;
    return world.report().status == std::uint32_t{kStatusOutOfBounds};
  };
  EXPECT_TRUE(out_of_range(stuff.restitution.data[0], 1.5f));
  EXPECT_TRUE(out_of_range(stuff.rolling.data[3], -1e-6f));
  EXPECT_TRUE(out_of_range(stuff.moves.at(8, 2), -2e4f));
  EXPECT_FALSE(out_of_range(stuff.moves.at(8, 2), -1e4f));
}

TEST(ExchangeMaterials, a_mask_chooses_what_is_read) {
  World world = yards();
  HostArray<float> friction(kRows, 1);
  std::fill(friction.data.begin(), friction.data.end(), -1.0f);
  const std::vector<std::uint8_t> mask{1, 0, 1};
  world.arrays().get_materials({.friction = friction.view()}, mask.data());
  for (std::size_t r = 0; r < kRows; ++r) {
    const std::uint32_t w = static_cast<std::uint32_t>(r / kMaterials);
    EXPECT_EQ(friction.data[r], w == 1 ? -1.0f : world.materials(w)[r % kMaterials].friction) << r;
  }
}

TEST(ExchangeMaterials, worlds_are_refused_each_for_itself_and_for_the_worst_of_their_numbers) {
  World world = yards(), alone = yards();
  Stuff stuff;
  HostArray<double> restitution(kRows, 1);
  restitution.data[1] = 1e300;  // no float
  stuff.rolling.data[2] = std::numeric_limits<float>::quiet_NaN();
  stuff.friction.data[6] = -1;
  MaterialArrays from = stuff.arrays();
  from.restitution = restitution.view();
  world.arrays().set_materials(from);
  EXPECT_EQ(world.report(0).status, std::uint32_t{kStatusNonFinite});
  EXPECT_EQ(world.report(1).status, 0u);
  EXPECT_EQ(world.report(2).status, std::uint32_t{kStatusOutOfBounds});
  for (const std::uint32_t w : {0u, 2u}) EXPECT_EQ(world.materials(w), alone.materials(w)) << w;
}

TEST(ExchangeMaterials, what_was_written_outlives_a_reset_and_worlds_with_fewer_materials) {
  World world = yards(), same = yards();
  const Snapshot fewer = world.snapshot();
  for (World* w : {&world, &same}) w->add_material({.name = "new", .density = 200, .friction = 0.9f}, 1);
  world.restore(fewer);
  same.restore(fewer);
  Stuff stuff;
  world.arrays().set_materials(stuff.arrays());
  for (std::uint32_t w = 0; w < kYards; ++w) stuff.set_by_host(same, w);
  HostArray<float> friction(kRows, 1);
  world.arrays().get_materials({.friction = friction.view()});
  EXPECT_EQ(friction.data, stuff.friction.data);
  for (World* w : {&world, &same}) {
    run(*w, 5);
    w->reset();
    run(*w, 20);
  }
  EXPECT_EQ(world.state_hashes(), same.state_hashes());
  for (std::uint32_t w = 0; w < kYards; ++w) EXPECT_EQ(world.materials(w), same.materials(w)) << w;
  world.arrays().set_materials({});
  EXPECT_EQ(world.materials(1), same.materials(1));
}

TEST(ExchangeMaterials, what_was_written_outlives_edits_snapshots_and_recordings) {
  World world = yards(), same = yards();
  Stuff stuff;
  world.start_recording();
  ASSERT_TRUE(go_on_alike(world, same, 2));
  world.arrays().set_materials(stuff.arrays());
  for (std::uint32_t w = 0; w < kYards; ++w) stuff.set_by_host(same, w);
  for (World* w : {&world, &same}) {
    run(*w, 5);
    // whatever has all materials uploaded again
    w->add_material({.name = "new", .density = 200, .friction = 0.9f}, 1);
    run(*w, 5);
    Material first = w->materials(0)[0];
    first.friction = 0.75f;
    w->set_material(0, first, 0);
    run(*w, 5);
  }
  EXPECT_EQ(world.state_hash(), same.state_hash());
  const Snapshot there = Snapshot::from_bytes(world.snapshot().to_bytes(), "here");
  EXPECT_EQ(there.to_bytes(), same.snapshot().to_bytes());
  EXPECT_FALSE(replay(world.stop_recording(), cpu()).difference.has_value());
  World other(there, cpu());
  run(same, 10);
  EXPECT_TRUE(go_on_alike(other, world, 10));
  EXPECT_EQ(same.state_hash(), world.state_hash());
  // rows of a world that has one more
  Stuff more(kRows + 1);
  EXPECT_THROW(world.arrays().set_materials(stuff.arrays()), InvalidArgument);
  world.arrays().set_materials(more.arrays());
  EXPECT_EQ(world.materials(1)[3].friction, more.friction.data[6]);
  EXPECT_EQ(world.materials(2)[0].friction, more.friction.data[7]);
  // one world goes back, the others keep what they were given
  world.restore(there, 0, 2);
  EXPECT_EQ(world.materials(2), other.materials(0));
  EXPECT_EQ(world.materials(1)[3].friction, more.friction.data[6]);
  world.restore(there);
  EXPECT_EQ(world.materials(1), other.materials(1));
  run(world, 10);
  EXPECT_EQ(world.state_hash(), other.state_hash());
}

TEST(ExchangeMaterials, scales_of_worlds_apply_on_top) {
  World by_host = yards(), by_arrays = yards(), late = yards();
  Stuff stuff;
  const Scales scales{.friction = 0.5f, .restitution = 0.75f};
  late.arrays().set_materials(stuff.arrays());
  for (World* world : {&by_host, &by_arrays, &late}) {
    world->scales().set(scales, 1);
    run(*world, 3);
  }
  by_arrays.arrays().set_materials(stuff.arrays());
  for (std::uint32_t w = 0; w < kYards; ++w) stuff.set_by_host(by_host, w);
  HostArray<double> friction(kRows, 1);
  by_arrays.arrays().get_materials({.friction = friction.view()});
  EXPECT_EQ(friction.data[4], double{stuff.friction.data[4]});
  EXPECT_EQ(by_arrays.materials(1), by_host.materials(1));
  EXPECT_EQ(late.materials(1), by_host.materials(1));
  EXPECT_TRUE(go_on_alike(by_arrays, by_host, 40));
  for (World* world : {&by_host, &by_arrays}) {
    world->scales().set({.friction = 2}, 1);
    run(*world, 20);
  }
  EXPECT_EQ(by_arrays.state_hashes(), by_host.state_hashes());
  EXPECT_EQ(by_arrays.snapshot().to_bytes(), by_host.snapshot().to_bytes());
}

TEST(ExchangeMaterials, zeros_move_no_bit) {
  World world = yards(), written = yards();
  HostArray<float> zeros(kRows, 1), still(kRows, 3);
  written.arrays().set_materials(
      {.restitution = zeros.view(), .rolling_friction = zeros.view(), .surface_velocity = still.view()});
  EXPECT_TRUE(go_on_alike(written, world, 40));
  EXPECT_EQ(written.snapshot().to_bytes(), world.snapshot().to_bytes());
}

TEST(ExchangeMaterials, wakes_the_worlds_that_it_changes) {
  World world = World::copies(yard(with_sleeping()), kYards, cpu());
  const std::uint32_t of_world = world.body_count(0);
  const auto asleep = [&](std::uint32_t w) { return world.asleep(world.bodies()[of_world * w + 3]); };
  for (int i = 0; i < 1200 && !asleep(0); ++i) world.step();
  for (std::uint32_t w = 0; w < kYards; ++w) ASSERT_TRUE(asleep(w));
  HostArray<float> friction(kRows, 1);
  friction.data[8] = -1;
  const std::vector<std::uint8_t> mask{0, 1, 1};
  world.arrays().set_materials({.friction = friction.view()}, mask.data());
  EXPECT_TRUE(asleep(0));
  EXPECT_FALSE(asleep(1));
  EXPECT_TRUE(asleep(2));  // refused
}

TEST(ExchangeMaterials, refuses_arrays_of_the_wrong_shape) {
  World world = yards(1);
  HostArray<double> few(kRows - 1, 1), flat(kRows, 1);
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_materials({.friction = few.view()}); },
                      {"MaterialArrays::friction must have the shape (9), has (8, 1)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().get_materials({.surface_velocity = flat.view()}); },
                      {"MaterialArrays::surface_velocity must have the shape (9, 3)"}));
}

}  // namespace
}  // namespace cairn::interop_test
