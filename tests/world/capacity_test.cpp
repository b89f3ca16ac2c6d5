// Room: growing, fixed, and running out of memory.

#include "kernels/common/contacts.h"
#include "src/exec/cpu_memory.h"
#include "tests/support/builders.h"
#include "tests/support/builtin.h"
#include "tests/support/refusal.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

Body crate(Vec3d at, BodyType type = BodyType::kDynamic) { return body("crate", Box{{0.1f, 0.1f, 0.1f}}, at, type); }

/// Balls that fall into a bin of boxes.
constexpr const char* kBallsInABin = "grains:count=60,rolling=0.1";

TEST(Capacity, contacts_of_balls_have_room_for_one_point) {
  const Capacity capacity{.bodies = 80, .shapes = 80, .pairs = 300};
  const auto bytes = [&](const Scene& scene) { return World(scene, cpu(1, capacity)).memory_bytes(); };
  const Scene balls = scenes::make(kBallsInABin, 1);
  Scene mixed = balls, still = balls, tumbling = balls;
  mixed.add_body(crate({0, 0, 3}));
  tumbling.add_body(crate({0, 0, 3}, BodyType::kKinematic));
  still.add_body(crate({0, 0, 3}, BodyType::kStatic));
  EXPECT_EQ(bytes(still), bytes(balls));
  EXPECT_EQ(bytes(tumbling), bytes(mixed));
  // two manifolds, whose memory rows share
  const std::size_t manifold = sizeof(kernels::Manifold) - kernels::bytes_of_manifold(1);
  EXPECT_GE(bytes(mixed), bytes(balls) + 300 * 2 * manifold);
}

/// What becomes of the grains of two worlds, of which one had room for all points from the start.
TEST(Capacity, contacts_that_get_room_for_more_points_go_on_as_they_were) {
  for (const SolverKind solver :
       {SolverKind::kSoftStep, SolverKind::kXpbd, SolverKind::kSequentialImpulse, SolverKind::kAvbd}) {
    Scene scene = scene_by(solver, kBallsInABin), wide = scene;
    // far above the others, and kept there
    scene.add_body(body("aloft", Sphere{0.1f}, {0, 0, 100}, BodyType::kKinematic));
    wide.add_body(body("aloft", Box{{0.1f, 0.1f, 0.1f}}, {0, 0, 100}, BodyType::kKinematic));
    World a(scene, cpu()), b(wide, cpu(3));
    const auto expect_alike = [&](const char* when) {
      for (std::size_t i = 0; i < a.bodies().size(); ++i)
        ASSERT_EQ(a.state(a.bodies()[i]), b.state(b.bodies()[i])) << when << ", body " << i;
    };
    run(a, 80);
    run(b, 80);
    expect_alike("before");
    ASSERT_GE(a.report().manifolds, 60u);
    const std::size_t contacts = a.contacts().size();
    for (World* world : {&a, &b}) world->add_body(crate({0, 0, 0.6}));
    EXPECT_EQ(a.contacts().size(), contacts);
    run(a, 80);
    run(b, 80);
    expect_alike("with a crate");
    // its faces lie on the floor or on grains
    EXPECT_EQ(a.report().points, b.report().points);
    // what was the floor falls
    for (World* world : {&a, &b}) world->set_type(world->bodies()[0], BodyType::kDynamic);
    EXPECT_EQ(a.report().status, 0u);
  }
}

TEST(Capacity, snapshots_of_one_point_and_of_all_go_into_each_other) {
  const Scene balls = scenes::make(kBallsInABin, 1);
  World narrow(balls, cpu());
  run(narrow, 80);
  const Snapshot of_balls = narrow.snapshot();
  World back(of_balls, cpu(2));
  EXPECT_EQ(back.memory_bytes(), World(balls, cpu()).memory_bytes());
  for (World* world : {&narrow, &back}) world->add_body(crate({0, 0, 0.6}));
  EXPECT_EQ(hashes_of(back, 60), hashes_of(narrow, 60));
  const Snapshot of_all = narrow.snapshot();
  World again(of_balls, cpu(2));
  again.restore(of_all);
  EXPECT_EQ(hashes_of(again, 30), hashes_of(narrow, 30));
  again.restore(of_balls);
  World first(of_balls, cpu());
  EXPECT_EQ(hashes_of(again, 30), hashes_of(first, 30));
}

TEST(Capacity, fixed_pairs_raise_and_leave_the_world_as_it_was) {
  // two balls apart, one pair when they meet; room for none but one, and then three balls meet
  World world(scene_of({plane(), ball("a", {0, 0, 0.5}), ball("b", {5, 0, 0.5}), ball("c", {0, 0, 4})}),
              cpu(1, {.pairs = 2, .on_overflow = OnOverflow::kError}));
  run(world, 10);
  const StepReport before = world.report();
  ASSERT_EQ(before.pairs, 2u);
  // c falls on a: a third pair
  StepReport last;
  const auto fall = [&] {
    for (int i = 0; i < 200; ++i) {
      last = world.report();
      world.step();
    }
  };
  ASSERT_THROW(fall(), CapacityError);
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(refused<CapacityError>(world, [&] { world.step(); }, {"Capacity::pairs is fixed at 2", "needs 3"}));
    EXPECT_EQ(world.report().steps, last.steps);
    EXPECT_EQ(world.report().time, last.time);
    EXPECT_EQ(world.report().status, kStatusOverflow);
    EXPECT_EQ(world.contacts().size(), 2u) << "contacts of the last step taken";
  }
  // usable: with the third out of the way it goes on
  world.remove_body(world.bodies()[3]);
  world.clear_status();
  EXPECT_NO_THROW(run(world, 30));
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_TRUE(sound(world));
  EXPECT_NEAR(world.state(world.bodies()[1]).position.z, 0.5, 0.01);
}

TEST(Capacity, fixed_step_that_failed_goes_on_as_if_it_had_not_been_tried) {
  const Scene scene = scene_of({plane(), ball("a", {0, 0, 0.5}), ball("c", {0.1, 0, 3})});
  World tried(scene, cpu(1, {.pairs = 1, .on_overflow = OnOverflow::kError})), never(scene, cpu());
  int taken = 0;
  try {
    for (; taken < 200; ++taken) tried.step();
  } catch (const CapacityError&) {
  }
  ASSERT_LT(taken, 200);
  EXPECT_THROW(tried.step(), CapacityError);
  run(never, taken);
  ASSERT_EQ(tried.state_hash(), never.state_hash());
  for (World* world : {&tried, &never}) {
    world->remove_body(world->bodies()[2]);
    run(*world, 30);
  }
  EXPECT_EQ(tried.state_hash(), never.state_hash());
}

TEST(Capacity, fixed_bodies_and_shapes_refuse_more) {
  World world(tower(2), cpu(1, {.bodies = 4, .shapes = 5, .on_overflow = OnOverflow::kError}));
  Body two = box("two", {5, 0, 1});
  two.shapes.push_back(shape(Sphere{}, {0, 0, 1}));
  two.shapes.push_back(shape(Sphere{}, {0, 0, -1}));
  EXPECT_TRUE(refused<CapacityError>(world, [&] { world.add_body(two); }, {"Capacity::shapes", "5", "6"}));
  EXPECT_NO_THROW(world.add_body(box("third", {3, 0, 0.5})));
  const Body fourth = box("fourth", {6, 0, 0.5});
  EXPECT_TRUE(refused<CapacityError>(world, [&] { world.add_body(fourth); }, {"Capacity::bodies", "4", "5"}));
  EXPECT_NO_THROW(run(world, 10));
  world.remove_body(world.bodies()[3]);
  EXPECT_NO_THROW(world.add_body(fourth));
  EXPECT_THROW(World(tower(5), cpu(1, {.bodies = 4, .on_overflow = OnOverflow::kError})), CapacityError);
}

TEST(Capacity, a_size_that_nobody_fixed_grows_while_others_are_fixed) {
  // more pairs than a world sets out with: balls that all overlap
  constexpr std::uint32_t kBalls = 40;
  Scene scene;
  for (std::uint32_t i = 0; i < kBalls; ++i) scene.add_body(ball("ball" + std::to_string(i), {0.01 * i, 0, 0}));
  World world(scene, cpu(1, {.bodies = kBalls, .on_overflow = OnOverflow::kError})), free(scene, cpu());
  EXPECT_EQ(hashes_of(world, 10), hashes_of(free, 10));
  EXPECT_EQ(world.report().high_water.pairs, kBalls * (kBalls - 1) / 2);
  EXPECT_EQ(world.report().status, 0u);
  EXPECT_THROW(world.add_body(ball("one more", {5, 0, 0})), CapacityError);
}

// every size at none, one less than needed, as needed, and one more
TEST(Capacity, sizes_around_what_is_needed_give_the_same_bits_or_are_refused_by_name) {
  const Scene scene = scenes::make("rain:count=40", 1);
  World counted(scene, cpu());
  const auto wanted = hashes_of(counted, 80);
  const HighWater need = counted.report().high_water;
  EXPECT_GE(need.rows, counted.report().manifolds);
  for (const auto& [name, member, needed] : {std::tuple{"bodies", &Capacity::bodies, need.bodies},
                                             {"shapes", &Capacity::shapes, need.shapes},
                                             {"pairs", &Capacity::pairs, need.pairs}}) {
    for (const std::uint32_t size : {0u, needed - 1, needed, needed + 1}) {
      SCOPED_TRACE(name + (" " + std::to_string(size)));
      Capacity capacity;
      capacity.*member = size;
      World grows(scene, cpu(1, capacity));
      EXPECT_EQ(hashes_of(grows, 80), wanted);
      EXPECT_EQ(grows.report().high_water, need);
      EXPECT_EQ(grows.report().time, counted.report().time);
      capacity.on_overflow = OnOverflow::kError;
      const auto keeps = [&] {
        World world(scene, cpu(1, capacity));
        EXPECT_EQ(hashes_of(world, 80), wanted);
      };
      if (size == needed - 1) {
        EXPECT_TRUE(refuses<CapacityError>(keeps, {std::string("Capacity::") + name, std::to_string(needed)}));
      } else {
        EXPECT_NO_THROW(keeps());
      }
    }
  }
}

TEST(Capacity, more_than_indices_can_count_is_refused_before_any_memory_is_taken) {
  for (const Capacity& capacity :
       {Capacity{.bodies = (1u << 30) + 1}, Capacity{.shapes = (1u << 30) + 1}, Capacity{.pairs = (1u << 30) + 1}}) {
    EXPECT_TRUE(refuses<CapacityError>([&] { World world(tower(1), cpu(1, capacity)); },
                                       {"1073741824 at most, and would need 1073741825"}));
    EXPECT_THROW(estimate_memory(tower(1), 1, {.capacity = capacity}), CapacityError);
  }
}

TEST(Capacity, memory_is_reported_and_grows_with_what_the_world_holds) {
  World small(tower(1), cpu()), large(tower(200), cpu());
  EXPECT_GT(small.memory_bytes(), 0u);
  EXPECT_GT(large.memory_bytes(), small.memory_bytes());
  const std::uint64_t before = small.memory_bytes();
  for (int i = 0; i < 100; ++i) small.add_body(ball("ball" + std::to_string(i), {5.0 + i, 0, 3}));
  EXPECT_GT(small.memory_bytes(), before);
}

TEST(Capacity, a_size_that_no_machine_has_is_refused_with_its_bytes) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "skipped: the sanitizer ends the program at such a size";
#endif
  exec::CpuMemory memory;
  exec::Buffer<std::uint64_t> buffer(memory);
  EXPECT_TRUE(refuses<CapacityError>([&] { buffer.reserve(std::size_t{1} << 58); }, {"2305843009213693952 bytes"}));
}

}  // namespace
}  // namespace cairn::world_test
