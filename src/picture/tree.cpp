#include <algorithm>
#include <utility>

#include "cairn/errors.h"
#include "src/picture/picture_shapes.h"
#include "src/shape/box_tree.h"

namespace cairn::picture {
namespace {

using kernels::component;
using kernels::PictureNode;
using kernels::PictureShape;

constexpr std::uint32_t kLeaf = 2;  // shapes that aren't worth a split
constexpr int kLevels = 3;          // of pairs in a node

static_assert(1 << kLevels == PictureNode::kLanes);
static_assert(kLevels * kernels::kPictureDepth >= shape::kFreeDepth + 32, "no tree is deeper");

/// Nodes of eight parts from pairs.
struct Widener {
  const std::vector<kernels::MeshNode>& pairs;
  std::vector<PictureNode> nodes{};

  // adds the parts of a pair, or their parts' parts, to a node
  void gather(std::uint32_t node, std::uint32_t pair, int levels, int& lane) {
    const kernels::MeshNode& at = pairs[pair];
    if (at.count == 0 && levels > 0) {
      gather(node, at.first, levels - 1, lane);
      gather(node, at.first + 1, levels - 1, lane);
      return;
    }
    for (int k = 0; k < 3; ++k) {
      nodes[node].low[k][lane] = component(at.lower, k);
      nodes[node].high[k][lane] = component(at.upper, k);
    }
    // (this may move the nodes)
    const std::uint32_t part = at.count > 0 ? at.first | at.count << PictureNode::kCount : widen(pair);
    nodes[node].part[lane++] = part;
  }

  // returns the node's index
  std::uint32_t widen(std::uint32_t pair) {
    const auto node = static_cast<std::uint32_t>(nodes.size());
    nodes.emplace_back();
    for (int k = 0; k < 3; ++k) {
      std::ranges::fill(nodes[node].low[k], PictureNode::kNowhere);
      std::ranges::fill(nodes[node].high[k], PictureNode::kNowhere);
    }
    int lane = 0;
    gather(node, pair, kLevels, lane);
    return node;
  }
};

/// [m] Half extents of the box along the world's axes that holds the shape.
Vec3 half_extents(const PictureShape& s) {
  using namespace kernels;
  if (s.kind == ShapeKind::kSphere) return {s.size.x, s.size.x, s.size.x};
  if (s.kind == ShapeKind::kMesh) return max(abs(s.size), max(abs(s.size + s.axes.x), abs(s.size + s.axes.y)));
  const float r = s.kind == ShapeKind::kCapsule ? s.size.x : s.round;
  Vec3 half = s.kind == ShapeKind::kCapsule ? Vec3{0, 0, s.size.z} : s.size;
  if (s.kind == ShapeKind::kFrustum) half.x = half.y = max(s.size.x, s.size.y);
  return half.x * abs(s.axes.x) + (half.y * abs(s.axes.y) + (half.z * abs(s.axes.z) + Vec3{r, r, r}));
}

}  // namespace

std::vector<PictureNode> build_tree(std::vector<PictureShape>& shapes) {
  using namespace kernels;
  if (shapes.empty()) return {};
  if (shapes.size() > PictureNode::kMaxShapes) throw CapacityError("a picture of more than 2^30 shapes");
  std::vector<shape::Bounds> boxes;
  boxes.reserve(shapes.size());
  for (const PictureShape& shape : shapes) {
    // a little larger than needed, so that rounding loses no ray
    const Vec3 half = half_extents(shape);
    const Vec3 slack = 1e-5f * (half + abs(shape.centre));
    boxes.push_back({shape.centre - half - slack, shape.centre + half + slack});
  }
  const shape::BoxTree tree = shape::grow_tree(boxes, kLeaf);
  Widener widener{tree.nodes};
  widener.widen(0);
  std::vector<PictureShape> sorted;
  sorted.reserve(shapes.size());
  for (const std::uint32_t i : tree.order) sorted.push_back(shapes[i]);
  shapes = std::move(sorted);
  return std::move(widener.nodes);
}

}  // namespace cairn::picture
