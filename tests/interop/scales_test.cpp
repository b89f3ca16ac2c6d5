// Scales from arrays on the device end in the same bits as through the host.

#include <limits>

#include "tests/interop/arrays.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

/// Scales that differ from world to world and from body to body.
Scales of_world(std::size_t w) { return {0.9f + 0.1f * static_cast<float>(w), 2, 0.5f, 0.75f}; }
BodyScales of_body(std::size_t row) {
  return {1.0f - 0.01f * static_cast<float>(row % 5), 0.5f + 0.125f * row, 1 + 0.05f * static_cast<float>(row % 7)};
}

std::vector<float> row(const Scales& s) { return {s.size, s.mass, s.friction, s.restitution}; }

struct Given {
  explicit Given(const World& world) : worlds(world.world_count(), 4), bodies(world.body_count(), 3) {
    for (std::size_t w = 0; w < world.world_count(); ++w) worlds.set_row(w, row(of_world(w)));
    for (std::size_t i = 0; i < world.body_count(); ++i)
      bodies.set_row(i, std::vector{of_body(i).size, of_body(i).mass, of_body(i).inertia});
  }
  HostArray<double> worlds;
  HostArray<float> bodies;
};

TEST(GivenScales, of_worlds_and_bodies_are_what_the_calls_for_each_make) {
  World by_host = settled(10), by_device = settled(10);
  std::size_t row = 0;
  for (const BodyHandle body : by_host.bodies()) {
    if (by_host.description(body).type == BodyType::kDynamic) by_host.scales().set(of_body(row), body);
    ++row;
  }
  for (std::uint32_t w = 0; w < by_host.world_count(); ++w) by_host.scales().set(of_world(w), w);
  Given given(by_device);
  by_device.arrays().set_scales({given.worlds.view(), given.bodies.view()});
  for (const BodyHandle body : by_host.bodies()) {
    EXPECT_EQ(by_device.scales().get(body), by_host.scales().get(body));
    EXPECT_EQ(by_device.scales().description(body), by_host.scales().description(body));
  }
  EXPECT_TRUE(go_on_alike(by_device, by_host, 60));
  const ArrayView shown = by_device.arrays().get("world_scales"), own = by_device.arrays().get("body_scales");
  EXPECT_EQ(shown.shape[1], 4);
  EXPECT_EQ(static_cast<const float*>(shown.data)[shown.strides[0] * 2], of_world(2).size);
  EXPECT_EQ(own.shape[0], by_device.arrays().get("inv_mass").shape[0]);
}

TEST(GivenScales, of_worlds_outside_the_mask_mean_nothing) {
  World one = settled(10), masked = settled(10);
  one.scales().set(of_world(1), 1);
  Given given(masked);
  given.worlds.at(0, 0) = -1;
  const std::vector<std::uint8_t> mask{0, 1, 0};
  masked.arrays().set_scales({given.worlds.view(), {}}, mask.data());
  EXPECT_EQ(masked.report().status, 0u);
  EXPECT_EQ(masked.scales().get(0), Scales{});
  EXPECT_TRUE(go_on_alike(masked, one, 40));
}

TEST(GivenScales, that_are_out_of_range_freeze_their_world_alone_as_it_was) {
  struct Bad {
    std::size_t column;
    double value;
    std::uint32_t status;
  };
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const Bad& bad :
       {Bad{0, 0.009, kStatusOutOfBounds}, Bad{0, 101, kStatusOutOfBounds}, Bad{1, 1e-7, kStatusOutOfBounds},
        Bad{1, kNan, kStatusNonFinite}, Bad{2, 1001, kStatusOutOfBounds}, Bad{3, 1.5, kStatusOutOfBounds},
        Bad{3, 1e300, kStatusNonFinite}}) {
    World world = settled(10);
    const World as_it_was = settled(10);
    Given given(world);
    given.worlds.at(1, bad.column) = bad.value;
    world.arrays().set_scales({given.worlds.view(), given.bodies.view()});
    EXPECT_EQ(world.report(1).status, bad.status) << bad.column << " " << bad.value;
    EXPECT_EQ(world.report(0).status + world.report(2).status, 0u);
    EXPECT_EQ(world.scales().get(1), Scales{});
    EXPECT_EQ(world.scales().get(2), of_world(2));
    run(world, 20);
    EXPECT_EQ(world.state_hashes()[1], as_it_was.state_hashes()[1]);
  }
  // of one body: the world's name is the body's
  World world = settled(10);
  Given given(world);
  const std::uint32_t row = world.body_count(0) + 2;
  given.bodies.at(row, 0) = 1000;
  world.arrays().set_scales({{}, given.bodies.view()});
  EXPECT_EQ(world.report(1).status, kStatusOutOfBounds);
  EXPECT_EQ(world.report(1).first_bad, world.bodies()[row]);
  EXPECT_EQ(world.scales().get(world.bodies()[row - 1]), BodyScales{}) << "all of the world is left alone";
}

TEST(GivenScales, at_the_ends_of_their_ranges_are_good_both_ways) {
  for (const Scales& ends : {Scales{0.01f, 1e-6f, 0, 0}, Scales{100, 1e6f, 1000, 1}}) {
    World world = settled(10);
    EXPECT_NO_THROW(world.scales().set(ends, 0));
    HostArray<float> worlds(world.world_count(), 4);
    for (std::size_t w = 0; w < world.world_count(); ++w) worlds.set_row(w, row(ends));
    world.arrays().set_scales({worlds.view(), {}});
    EXPECT_EQ(world.report().status, 0u);
  }
}

TEST(GivenScales, in_arrays_of_another_shape_are_refused) {
  World world = settled(10);
  HostArray<float> narrow(world.world_count(), 3), few(world.body_count() - 1, 3);
  EXPECT_TRUE(refused(world,
                      [&] {
                        world.arrays().set_scales({narrow.view(), {}});
                      },
                      {"ScaleArrays::world", "(3, 4)"}));
  EXPECT_TRUE(refused(world, [&] { world.arrays().set_scales({{}, few.view()}); }, {"ScaleArrays::body"}));
}

}  // namespace
}  // namespace cairn::interop_test
