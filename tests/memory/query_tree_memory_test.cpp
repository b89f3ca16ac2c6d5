// The tree that queries go down is of the World as it is, whatever call was made since it was built.

#include "cairn/queries.h"
#include "tests/memory/trial.h"
#include "tests/support/builders.h"

namespace cairn::memory_test {
namespace {

using namespace testing_support;

class QueryTree : public testing::TestWithParam<SampleWorld> {};
INSTANTIATE_TEST_SUITE_P(Worlds, QueryTree, testing::ValuesIn(sample_worlds()),
                         [](const auto& row) { return std::string(row.param.name); });

std::vector<QueryHits> found(World& world, bool by_all) {
  world.queries().set_brute(by_all);
  std::vector<QueryHits> hits;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    std::vector<RayQuery> rays;
    for (int i = 0; i < 400; ++i) {
      rays.push_back({.origin = {0.7 * (i % 20) - 4, 0.7 * (i / 20) - 4, 12}, .direction = {0, 0, -1}, .world = w});
    }
    hits.push_back(world.queries().cast_rays_all(rays));
  }
  world.queries().set_brute(false);
  return hits;
}

TEST_P(QueryTree, is_of_the_world_as_it_is_after_every_call) {
  for (const WorldCall& call : world_calls()) {
    World world = GetParam().make(cpu());
    // bodies fly off from where they began, so that a reset moves them
    try {
      for (const BodyHandle body : world.bodies()) {
        if (world.description(body).type == BodyType::kDynamic) world.set_velocity(body, {0, 30, 20}, {});
      }
      run(world, 3);
    } catch (const InvalidArgument&) {
      // links, and avbd with a joint
    }
    const std::optional<Ready> ready = prepared(call, world, 3);
    if (!ready) continue;
    found(world, false);
    try {
      (*ready)();
    } catch (const InvalidArgument&) {
      continue;
    }
    EXPECT_EQ(found(world, false), found(world, true)) << call.name;
  }
}

}  // namespace
}  // namespace cairn::memory_test
