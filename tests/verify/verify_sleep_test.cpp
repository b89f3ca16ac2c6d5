// Sleeping is exact: what sleeps doesn't move, and what wakes moves as if it had never slept.

#include "tests/verify/lab.h"

namespace cairn::verify {
namespace {

class ExactSleep : public EachSolver {};

/// A tower of three, and a box apart.
struct Yard {
  explicit Yard(const Method& method, bool sleeping) : lab(on_floor(method, 0.6)) {
    lab.params.sleeping = sleeping;
    for (int i = 0; i < 3; ++i) tower[i] = lab.add(lab.make(Box{}, {0, 0, 0.5 + i}));
    apart = lab.add(lab.make(Box{}, {5, 0, 0.5}));
  }
  Lab lab;
  std::uint32_t tower[3], apart;
};

TEST_P(ExactSleep, what_rests_falls_asleep_and_then_does_not_move_at_all) {
  Yard yard(GetParam(), true);
  Lab& lab = yard.lab;
  // it rests from the start, but for what contacts sink in the first steps
  lab.run(lab.params.sleep_time + 0.5);
  ASSERT_EQ(lab.world().report().asleep, 4u);
  std::vector<BodyState> before(lab.world().body_count()), after(before.size());
  lab.world().read_states(before);
  const std::uint64_t hash = lab.world().state_hash();
  lab.run(5);
  lab.world().read_states(after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(lab.world().state_hash(), hash);
  for (const std::uint32_t body : {yard.tower[0], yard.tower[1], yard.tower[2], yard.apart}) {
    EXPECT_EQ(length(lab.v(body)) + length(lab.w(body)), 0);
  }
}

TEST_P(ExactSleep, nothing_sleeps_unless_asked) {
  Yard yard(GetParam(), false);
  yard.lab.run(3);
  EXPECT_EQ(yard.lab.world().report().asleep, 0u);
}

TEST_P(ExactSleep, what_moves_slowly_in_free_fall_does_not_sleep) {
  Lab lab = on_floor(GetParam(), 0.6);
  lab.params.sleeping = true;
  const std::uint32_t box = lab.launch(Box{}, {0, 0, 5}, {0, 0, 3});
  lab.run(1);
  EXPECT_FALSE(lab.world().asleep(lab.handle(box)));
  EXPECT_LT(lab.v(box).z, -5);
}

TEST_P(ExactSleep, a_tower_whose_lowest_box_is_taken_falls_as_if_it_had_never_slept) {
  Yard slept(GetParam(), true), awake(GetParam(), false);
  for (Yard* yard : {&slept, &awake}) {
    yard->lab.run(2);
    yard->lab.world().remove_body(yard->lab.handle(yard->tower[0]));
  }
  // body indices have moved up by one: tower[1] is now where tower[0] was
  // it falls 1 m, and lands after 27 steps, on corners that rounding chooses: until then the two are the same
  for (int i = 0; i < 25; ++i) {
    slept.lab.step();
    awake.lab.step();
    for (const std::uint32_t body : {slept.tower[0], slept.tower[1]}) {
      // but for what the sleeper had still to sink
      const double tolerance = soft_sink(slept.lab, 3) + rounded_distance(kG, 360, slept.lab.h());
      ASSERT_LT(length(slept.lab.x(body) - awake.lab.x(body)), tolerance) << i;
    }
  }
  slept.lab.run(2);
  // at rest: each substep g h^2 is fallen and corrected, in a sweep of `xpbd` only the half of it that each of two
  // contacts of a body takes, so that up to twice that is left for each box above
  const double left = 2 * kG * slept.lab.h() * slept.lab.h();
  EXPECT_NEAR(slept.lab.x(slept.tower[0]).z, 0.5, 2 * left);
  EXPECT_NEAR(slept.lab.x(slept.tower[1]).z, 1.5, 3 * left);
  // the box apart was no part of it
  EXPECT_TRUE(slept.lab.world().asleep(slept.lab.handle(slept.apart - 1)));
}

TEST_P(ExactSleep, a_box_that_is_hit_slides_as_far_as_if_it_had_never_slept) {
  const auto hit = [&](bool sleeping) {
    Lab lab = on_floor(GetParam(), 0.3);
    lab.params.sleeping = sleeping;
    const std::uint32_t box = lab.add(lab.make(Box{{0.5f, 0.5f, 0.3f}}, {0, 0, 0.3}));
    lab.run(2);
    EXPECT_EQ(lab.world().asleep(lab.handle(box)), sleeping);
    Body ball = lab.make(Sphere{0.3f}, {-2, 0, 0.3});
    ball.name = "ball";
    ball.linear_velocity = {6, 0, 0};
    lab.world().add_body(ball);
    lab.run(4);
    return lab.x(box);
  };
  const ref::Vec3 slept = hit(true), awake = hit(false);
  EXPECT_GT(awake.x, 0.1);
  // it was met at the same place, but for rounding, and by the same ball: an impact that comes a substep sooner or
  // later is worth its speed times that
  EXPECT_LT(length(slept - awake), 6 * 1.0 / 360);
}

TEST_P(ExactSleep, a_whole_island_wakes_at_one_touch) {
  Lab lab = on_floor(GetParam(), 0.6);
  lab.params.sleeping = true;
  std::vector<std::uint32_t> row;
  for (int i = 0; i < 10; ++i) row.push_back(lab.add(lab.make(Box{}, {1.0 * i, 0, 0.5})));
  lab.run(2);
  for (const std::uint32_t body : row) ASSERT_TRUE(lab.world().asleep(lab.handle(body)));
  lab.world().add_force(lab.handle(row[0]), {2e4f, 0, 0});
  for (const std::uint32_t body : row) EXPECT_FALSE(lab.world().asleep(lab.handle(body)));
  lab.step();
  EXPECT_GT(lab.v(row[0]).x, 0);
}

TEST_P(ExactSleep, a_kinematic_body_that_starts_to_move_wakes_what_stands_on_it) {
  Lab lab(GetParam());
  lab.params.sleeping = true;
  lab.material(0.6);
  const std::uint32_t lift = lab.add(lab.make(Box{{2, 2, 0.5f}}, {0, 0, -0.5}, {}, BodyType::kKinematic));
  const std::uint32_t box = lab.add(lab.make(Box{}, {0, 0, 0.5}));
  lab.run(2);
  ASSERT_TRUE(lab.world().asleep(lab.handle(box)));
  lab.world().set_velocity(lab.handle(lift), {0.3f, 0, 0.5f}, {});
  lab.run(1);
  EXPECT_FALSE(lab.world().asleep(lab.handle(box)));
  // friction speeds it up within 0.3 / (mu g) of time, over which it lags; the rest is the lift's own way
  const double lag = 0.3 * 0.3 / (2 * 0.6 * kG) + 0.3 * 2 * lab.h();
  EXPECT_NEAR(lab.x(box).x, 0.3 * lab.time() - 0.6, lag);
  EXPECT_NEAR(lab.x(box).z, 0.5 + 0.5, 2 * soft_sink(lab) + 0.5 * lab.h());
}

CAIRN_VERIFY_EACH(ExactSleep);

}  // namespace
}  // namespace cairn::verify
