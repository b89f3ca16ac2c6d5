// The same bits alone and in company, for any number of threads; and what descriptions must keep.

#include <functional>

#include "tests/articulations/models.h"
#include "tests/support/float_mode.h"
#include "tests/support/golden_file.h"
#include "tests/support/refusal.h"

namespace cairn::articulations_test {
namespace {

using testing_support::refuses;

constexpr double kDt = 1.0 / 60;  // [s]
constexpr std::uint32_t kSubsteps = 4;

Articulations batch_of(const Articulation& tree, std::uint32_t count, std::uint32_t first, int threads) {
  Articulations batch(tree, count, Device::cpu(threads));
  State all;
  for (std::uint32_t i = 0; i < count; ++i) {
    Random random(first + i);
    all.append(random_state(batch, random));
  }
  // no more than friction and drives can hold: nothing is spun up without end
  for (double& f : all.force) f *= 0.05;
  batch.set_state(all.q, all.v);
  batch.set_forces(all.force);
  return batch;
}

TEST(ArticulationBatch, bits_hang_neither_on_threads_nor_on_company) {
  const Articulation tree = busy(true);
  Articulations many = batch_of(tree, 1000, 0, 1);
  for (int i = 0; i < 20; ++i) many.step(kDt, kSubsteps);
  for (const int threads : {2, 3}) {
    Articulations again = batch_of(tree, 1000, 0, threads);
    for (int i = 0; i < 20; ++i) again.step(kDt, kSubsteps);
    EXPECT_EQ(again.state_hash(), many.state_hash()) << threads;
    EXPECT_EQ(again.forward_dynamics(), many.forward_dynamics()) << threads;
  }
  for (const std::uint32_t i : {0u, 31u, 32u, 999u}) {
    Articulations alone = batch_of(tree, 1, i, 1);
    for (int s = 0; s < 20; ++s) alone.step(kDt, kSubsteps);
    EXPECT_EQ(alone.positions(), slice(many.positions(), i, many.coordinates())) << i;
    EXPECT_EQ(alone.rates(), slice(many.rates(), i, many.dofs())) << i;
  }
}

TEST(ArticulationBatch, hashes_are_the_golden_ones) {
  nlohmann::ordered_json got;
  for (const bool floating : {false, true}) {
    Articulations batch = batch_of(busy(floating), 40, 100, 2);
    for (int i = 1; i <= 100; ++i) {
      batch.step(kDt, kSubsteps);
      ASSERT_TRUE(batch.stopped().empty());
      if (i % 25 != 0) continue;
      got[floating ? "floating" : "fixed"].push_back(testing_support::hex(batch.state_hash()));
    }
  }
  const auto wanted = testing_support::golden("articulations/articulation_golden.json", got);
  if (!wanted) GTEST_SKIP() << "written";
  EXPECT_EQ(got, *wanted);
}

TEST(ArticulationBatch, what_would_leave_all_numbers_stops_alone_and_stays_as_it_was) {
  Articulation wheel{.name = "wheel", .links = {link("wheel", kWorldLink, Kind::kRevolute)}, .gravity = {}};
  Articulations batch(wheel, 3, Device::cpu(1));
  batch.set_forces(std::vector{1.0, 1e300, 1.0});
  for (int i = 0; i < 2; ++i) batch.step(kDt);
  EXPECT_EQ(batch.stopped(), std::vector{1u});
  EXPECT_EQ(batch.positions()[1], 0);
  EXPECT_EQ(batch.rates()[1], 0);
  Articulations alone = started(wheel, {0}, {0}, {1});
  for (int i = 0; i < 2; ++i) alone.step(kDt);
  EXPECT_EQ(batch.positions()[2], alone.positions()[0]);
  batch.set_state(std::vector(3, 0.0), std::vector(3, 0.0));
  batch.set_forces(std::vector(3, 1.0));
  for (int i = 0; i < 2; ++i) batch.step(kDt);
  EXPECT_TRUE(batch.stopped().empty());
  EXPECT_EQ(batch.positions(), std::vector(3, alone.positions()[0]));
}

TEST(ArticulationBatch, what_stops_within_a_step_goes_back_to_its_start) {
  Articulation wheel{.name = "wheel", .links = {link("wheel", kWorldLink, Kind::kRevolute)}, .gravity = {}};
  // 4e8 rad/s a substep: the third one would go past 1e9
  Articulations batch = started(wheel, {1}, {2}, {0.004 * 4e8 / 0.25});
  batch.step(1, 4);
  EXPECT_EQ(batch.stopped(), std::vector{0u});
  EXPECT_EQ(batch.positions()[0], 1);
  EXPECT_EQ(batch.rates()[0], 2);
}

TEST(ArticulationBatch, states_that_were_read_can_be_written_back) {
  Articulations batch = batch_of(random_tree(12, 5, true), 200, 0, 2);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t before = batch.state_hash();
    batch.set_state(batch.positions(), batch.rates());
    ASSERT_EQ(batch.state_hash(), before) << i;
    batch.step(kDt, kSubsteps);
  }
}

TEST(ArticulationBatch, a_caller_that_rounds_upwards_or_flushes_gets_the_same_bits) {
  Articulations plain = batch_of(busy(true), 3, 0, 1);
  // 7 substeps: h of one is rounded
  for (int i = 0; i < 20; ++i) plain.step(kDt, 7);
  for (const testing_support::FloatMode mode : testing_support::float_modes()) {
    Articulations other = batch_of(busy(true), 3, 0, 1);
    testing_support::in_mode(mode, [&] {
      for (int i = 0; i < 20; ++i) other.step(kDt, 7);
    });
    EXPECT_EQ(other.state_hash(), plain.state_hash()) << name_of(mode);
  }
}

TEST(ArticulationBatch, substeps_are_steps) {
  const Articulation tree = coupled(true);
  Articulations a = batch_of(tree, 2, 0, 1), b = batch_of(tree, 2, 0, 1);
  a.step(0.02, 4);
  for (int i = 0; i < 4; ++i) b.step(0.005);
  EXPECT_EQ(a.state_hash(), b.state_hash());
}

TEST(ArticulationBatch, Gpu_gives_the_bits_of_the_cpu) {
  const std::vector<DeviceInfo> all = devices();
  if (all.size() < 2) GTEST_SKIP() << "no CUDA device";
  for (const Articulation& tree : {busy(false), busy(true), coupled(true)}) {
    for (const std::uint32_t count : {1u, 31u, 100u}) {
      if (count == 100 && !tree.couplings.empty()) continue;
      Articulations cpu = batch_of(tree, count, 0, 2);
      Articulations gpu(cpu.description(), count, all[1].device);
      gpu.set_state(cpu.positions(), cpu.rates());
      const std::vector<double> pulls(std::size_t{count} * cpu.dofs(), 0.5);
      cpu.set_forces(pulls);
      gpu.set_forces(pulls);
      for (int i = 0; i < 60; ++i) {
        cpu.step(kDt, kSubsteps);
        gpu.step(kDt, kSubsteps);
      }
      EXPECT_EQ(gpu.state_hash(), cpu.state_hash());
      EXPECT_EQ(gpu.forward_dynamics(), cpu.forward_dynamics());
      EXPECT_EQ(gpu.inverse_dynamics(pulls), cpu.inverse_dynamics(pulls));
      EXPECT_EQ(gpu.mass_matrix(), cpu.mass_matrix());
      EXPECT_EQ(gpu.jacobian(5, {0.1, 0.2, 0.3}), cpu.jacobian(5, {0.1, 0.2, 0.3}));
      EXPECT_EQ(gpu.link_states(), cpu.link_states());
    }
  }
}

TEST(ArticulationRules, faults_name_the_articulation_the_link_and_the_rule) {
  const auto with = [](const std::function<void(Articulation&)>& change) {
    return [change] {
      Articulation tree = random_tree(4, 1, false);
      tree.links[2].joint = {.kind = Kind::kRevolute};
      change(tree);
      Articulations(tree, 1, Device::cpu(1));
    };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto of_link = [&](const std::function<void(ArticulationLink&)>& change, const char* rule) {
    EXPECT_TRUE(refuses(with([&](Articulation& t) { change(t.links[2]); }), {"\"tree\"", "number 2", rule}));
  };
  of_link([](auto& l) { l.parent = 2; }, "parent");
  of_link([](auto& l) { l.parent = 9; }, "parent");
  of_link([](auto& l) { l.name = "link0"; }, "unique");
  of_link([](auto& l) { l.name = ""; }, "name");
  of_link([](auto& l) { l.mass = 0; }, "mass");
  of_link([&](auto& l) { l.mass = nan; }, "mass");
  of_link([](auto& l) { l.inertia.moments = {1, 1, 3}; }, "inertia");
  of_link([](auto& l) { l.inertia.moments.x = 0; }, "inertia");
  of_link([&](auto& l) { l.centre_of_mass.y = nan; }, "centre_of_mass");
  of_link([](auto& l) { l.frame_in_link.orientation = {0, 0, 0, 0}; }, "frame_in_link");
  of_link([&](auto& l) { l.frame_in_parent.position.z = nan; }, "frame_in_parent");
  of_link([](auto& l) { l.joint.armature = -1; }, "armature");
  of_link([&](auto& l) { l.joint.damping = nan; }, "damping");
  of_link([](auto& l) { l.joint.friction = -0.1; }, "friction");
  of_link([&](auto& l) { l.joint.drive_stiffness = nan; }, "drive_stiffness");
  of_link([](auto& l) { l.joint.drive_max_force = -1; }, "drive_max_force");
  of_link(
      [](auto& l) {
        l.joint.lower = 1;
        l.joint.upper = 0;
      },
      "lower");
  of_link([&](auto& l) { l.joint.upper = nan; }, "upper");
  of_link([](auto& l) { l.joint = {.kind = Kind::kBall, .lower = -1, .upper = 1}; }, "revolute");
  of_link([](auto& l) { l.joint = {.kind = Kind::kFree}; }, "free");
  of_link([](auto& l) { l.joint = {.kind = Kind::kFixed, .friction = 1}; }, "fixed");
  EXPECT_TRUE(refuses(with([](Articulation& t) { t.name = ""; }), {"name"}));
  EXPECT_TRUE(refuses(with([](Articulation& t) { t.links.clear(); }), {"\"tree\"", "links"}));
  EXPECT_TRUE(refuses(with([&](Articulation& t) { t.gravity.x = nan; }), {"\"tree\"", "gravity"}));
}

TEST(ArticulationRules, calls_refuse_what_has_not_their_shape_and_change_nothing) {
  Articulations batch(random_tree(6, 2, true), 2, Device::cpu(1));
  const std::uint64_t before = batch.state_hash();
  std::vector<double> q = batch.positions(), v(2 * batch.dofs(), 0.0);
  const std::vector<double> few(3, 0.0);
  EXPECT_TRUE(refuses([&] { batch.set_state(few, v); }, {"\"tree\"", "coordinates", "3"}));
  EXPECT_TRUE(refuses([&] { batch.set_state(q, few); }, {"rates"}));
  EXPECT_TRUE(refuses([&] { batch.set_forces(few); }, {"forces"}));
  EXPECT_TRUE(refuses([&] { batch.set_targets(q, few); }, {"target rates"}));
  EXPECT_TRUE(refuses([&] { (void)batch.inverse_dynamics(few); }, {"accelerations"}));
  EXPECT_TRUE(refuses([&] { (void)batch.jacobian(6, {}); }, {"link 6"}));
  EXPECT_TRUE(refuses([&] { batch.step(0); }, {"h must be over 0"}));
  for (std::size_t k = 3; k < 7; ++k) q[batch.coordinates() + k] = 0;
  EXPECT_TRUE(refuses([&] { batch.set_state(q, v); }, {"quaternion", "articulation 1"}));
  q[0] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(refuses([&] { batch.set_state(q, v); }, {"1e9", "articulation 0"}));
  EXPECT_EQ(batch.state_hash(), before);
}

TEST(ArticulationRules, none_at_all_and_nothing_that_moves_are_no_faults) {
  Articulations none(random_tree(3, 1, false), 0, Device::cpu(1));
  none.step(0.01);
  EXPECT_TRUE(none.positions().empty());
  EXPECT_TRUE(none.link_states().empty());
  Articulation still{.name = "still", .links = {link("a", kWorldLink, Kind::kFixed), link("b", 0, Kind::kFixed)}};
  still.links[1].frame_in_parent.position = {1, 2, 3};
  Articulations fixed(still, 2, Device::cpu(1));
  fixed.step(0.01);
  EXPECT_EQ(fixed.dofs(), 0u);
  EXPECT_EQ(fixed.link_states()[3].position, (Vec3d{1, 2, 3}));
}

}  // namespace
}  // namespace cairn::articulations_test
