// The tree against a look at every shape, for many rays.

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "src/picture/picture_shapes.h"

namespace cairn::picture {
namespace {

using kernels::PictureGeometry;
using kernels::PictureHit;
using kernels::PictureNode;
using kernels::PictureShape;

class Tree : public testing::Test {
 protected:
  float uniform(float low, float high) { return std::uniform_real_distribution<float>(low, high)(random_); }
  Vec3 point(float reach) { return {uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach)}; }
  std::vector<PictureShape> shapes(int count, float space) {
    std::vector<PictureShape> made;
    for (int i = 0; i < count; ++i) {
      PictureShape s;
      s.axes = kernels::matrix_of(
          kernels::normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(0.1f, 1)}));
      s.centre = point(space);
      s.size = {uniform(0.05f, 0.5f), uniform(0.05f, 0.5f), uniform(0.05f, 0.5f)};
      using enum kernels::ShapeKind;
      constexpr kernels::ShapeKind kKinds[] = {kSphere,    kBox,        kCapsule, kFrustum,
                                               kEllipsoid, kRoundedBox, kHull,    kMesh};
      s.kind = kKinds[i % 8];
      if (s.kind == kRoundedBox) s.round = 0.1f;
      if (s.kind == kHull) {
        // an octahedron within its box
        s.first_face = static_cast<std::uint32_t>(faces_.size());
        s.face_count = 8;
        for (int k = 0; k < 8; ++k) {
          const Vec3 n{(k & 1) != 0 ? 1.0f : -1.0f, (k & 2) != 0 ? 1.0f : -1.0f, (k & 4) != 0 ? 1.0f : -1.0f};
          faces_.push_back({kernels::normalized(n, n), kernels::min_component(s.size) / std::sqrt(3.0f)});
        }
      }
      made.push_back(s);
    }
    return made;
  }
  std::mt19937 random_{11};
  std::vector<kernels::PicturePlane> faces_;
};

/// Calls f(first shape, shapes) of each leaf, and returns the depth.
template <class F>
int walk(const std::vector<PictureNode>& nodes, std::uint32_t at, const F& f) {
  int deepest = 0;
  for (int lane = 0; lane < PictureNode::kLanes; ++lane) {
    if (nodes[at].low[0][lane] == PictureNode::kNowhere) continue;
    const std::uint32_t part = nodes[at].part[lane], count = PictureNode::count_of(part);
    if (count == 0)
      deepest = std::max(deepest, walk(nodes, part, f));
    else
      f(PictureNode::first_of(part), count);
  }
  return 1 + deepest;
}
int depth_of(const std::vector<PictureNode>& nodes) {
  return walk(nodes, 0, [](std::uint32_t, std::uint32_t) {});
}

TEST_F(Tree, finds_what_a_look_at_every_shape_finds) {
  for (const int count : {1, 2, 3, 255, 256, 257}) {
    auto all = shapes(count, 4);
    const auto nodes = build_tree(all);
    const PictureGeometry scene{all.data(), nodes.data(), nullptr, static_cast<std::uint32_t>(all.size()),
                                0,          faces_.data()};
    int hits = 0;
    for (int k = 0; k < 2000; ++k) {
      const auto ray = kernels::make_ray(point(6), kernels::normalized(point(1), Vec3{1, 0, 0}));
      PictureHit want{1e9f, {}, kernels::kNone, false};
      for (std::uint32_t i = 0; i < all.size(); ++i) kernels::meet_shape(all[i], i, ray, want, faces_.data());
      const PictureHit got = kernels::trace(scene, ray, 1e9f, false);
      ASSERT_EQ(got.any, want.any) << "ray " << k << " of " << count << " shapes";
      EXPECT_EQ(got.t, want.t);
      EXPECT_EQ(got.shape, want.shape);
      EXPECT_EQ(kernels::trace(scene, ray, 1e9f, true).any, want.any);
      hits += want.any ? 1 : 0;
    }
    EXPECT_GT(hits, count > 200 ? 200 : 0);
  }
}

TEST_F(Tree, holds_every_shape_once) {
  auto all = shapes(257, 4);
  const auto nodes = build_tree(all);
  std::vector<int> seen(all.size());
  walk(nodes, 0, [&](std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t k = 0; k < count; ++k) ++seen[first + k];
  });
  EXPECT_EQ(seen, std::vector<int>(all.size(), 1));
}

TEST_F(Tree, of_shapes_in_one_place_is_no_deeper_than_the_stack) {
  auto all = shapes(5000, 0);
  EXPECT_LE(depth_of(build_tree(all)), kernels::kPictureDepth);
  // distances that grow by a factor: each split by area takes off one shape
  auto apart = shapes(5000, 0);
  float far = 1e-3f;
  for (PictureShape& s : apart) s.centre.x = far *= 1.01f;
  EXPECT_LE(depth_of(build_tree(apart)), kernels::kPictureDepth);
}

TEST_F(Tree, of_nothing_is_nothing) {
  std::vector<PictureShape> none;
  EXPECT_TRUE(build_tree(none).empty());
}

}  // namespace
}  // namespace cairn::picture
