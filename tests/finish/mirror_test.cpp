// Steps that may be captured leave a copy of their contacts. It was of whole manifolds, where those of worlds of balls
// end behind their first point: each copy overwrote the head of the next manifold, and the last one memory of others.

#include "kernels/finish/mirror.h"

#include <array>
#include <cstring>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/builders.h"

namespace cairn::finish_test {
namespace {

using namespace testing_support;
using kernels::Manifold;

TEST(Mirror, copies_no_more_of_a_manifold_than_it_has) {
  constexpr std::uint32_t kPairs = 3;
  const std::uint32_t bytes = kernels::bytes_of_manifold(1);
  // room behind the last one, to see what is written there
  std::vector<unsigned char> from(kPairs * bytes + sizeof(Manifold), 0), to(from.size(), 0xab);
  std::array<std::uint64_t, kPairs> keys{}, keys_to{};
  std::array<std::uint32_t, kPairs> numbers{}, b_to{}, triangle_to{};
  const kernels::Pairs source{
      keys.data(), numbers.data(), numbers.data(), {reinterpret_cast<Manifold*>(from.data()), bytes}};
  const kernels::Pairs copy{
      keys_to.data(), b_to.data(), triangle_to.data(), {reinterpret_cast<Manifold*>(to.data()), bytes}};
  for (std::uint32_t i = 0; i < kPairs; ++i) {
    source.manifold[i].count = 1;
    source.manifold[i].color = i + 1;
    source.manifold[i].points[0].impulse = static_cast<float>(i);
  }
  // threads take them in any order
  for (std::uint32_t i = kPairs; i-- > 0;) kernels::MirrorTable<kernels::Pairs>{source, copy}(i);
  EXPECT_EQ(std::memcmp(from.data(), to.data(), kPairs * bytes), 0);
  for (std::size_t i = kPairs * bytes; i < to.size(); ++i) ASSERT_EQ(to[i], 0xab) << i - kPairs * bytes << " past";
}

TEST(Mirror, of_worlds_of_balls_changes_no_bit) {
  Scene scene;
  scene.add_body(plane());
  for (int i = 0; i < 200; ++i) {
    scene.add_body(ball("ball" + std::to_string(i), {0.9 * (i % 6), 0.9 * (i / 6 % 6), 0.5 + 0.9 * (i / 36)}));
  }
  World plain(scene, cpu(1));
  run(plain, 30);
  for (const int threads : {1, 3}) {
    WorldOptions options = cpu(threads);
    options.capturable = true;
    World mirrored(scene, options);
    run(mirrored, 30);
    EXPECT_EQ(mirrored.state_hash(), plain.state_hash()) << threads << " threads";
  }
}

}  // namespace
}  // namespace cairn::finish_test
