#include "src/picture/tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "cairn/errors.h"

namespace cairn::picture {
namespace {

using kernels::Aabb;
using kernels::component;
using kernels::PictureNode;
using kernels::PictureShape;

constexpr int kBins = 16;
constexpr std::uint32_t kLeaf = 2;  // shapes that aren't worth a split
constexpr int kHalvingFrom = 32;    // at this depth and below, only halve: 32 more levels hold 2^32 shapes
constexpr int kLevels = 3;          // of pairs in a node
constexpr float kHuge = std::numeric_limits<float>::max();
constexpr Aabb kEmpty{{kHuge, kHuge, kHuge}, {-kHuge, -kHuge, -kHuge}};

Aabb join(const Aabb& a, const Aabb& b) { return {kernels::min(a.min, b.min), kernels::max(a.max, b.max)}; }

float area(const Aabb& b) {
  const Vec3 d = kernels::operator-(b.max, b.min);
  return d.x < 0 ? 0 : d.x * d.y + d.y * d.z + d.z * d.x;
}

/// Two parts at `first` and `first + 1`; a leaf has the shapes first .. first + count - 1.
struct Pair {
  Aabb box;
  std::uint32_t first;
  std::uint32_t count;  // 0 if it isn't a leaf
};

static_assert(1 << kLevels == PictureNode::kLanes);
static_assert(kLevels * kernels::kPictureDepth >= kHalvingFrom + 32, "no tree is deeper");

struct Builder {
  std::vector<Aabb> boxes;  // of the shapes in their given order
  std::vector<Vec3> centres;
  std::vector<std::uint32_t> order;
  std::vector<Pair> pairs;
  std::vector<PictureNode> nodes;

  int bin_of(std::uint32_t shape, int axis, float low, float scale) const {
    return std::clamp(static_cast<int>((component(centres[shape], axis) - low) * scale), 0, kBins - 1);
  }

  // first index of the right half after splitting order[begin, end)
  std::uint32_t split(std::uint32_t begin, std::uint32_t end, int depth) {
    Aabb span = kEmpty;
    for (std::uint32_t i = begin; i < end; ++i) span = join(span, {centres[order[i]], centres[order[i]]});
    float best_cost = kHuge;
    int best_axis = 0, best_bin = 0;
    for (int axis = 0; axis < 3 && depth < kHalvingFrom; ++axis) {
      const float low = component(span.min, axis), size = component(span.max, axis) - low;
      if (!(size > 0)) continue;
      std::array<Aabb, kBins> box;
      std::array<float, kBins> count{};
      box.fill(kEmpty);
      for (std::uint32_t i = begin; i < end; ++i) {
        const int bin = bin_of(order[i], axis, low, kBins / size);
        box[bin] = join(box[bin], boxes[order[i]]);
        count[bin] += 1;
      }
      std::array<float, kBins> right_cost{};
      Aabb right = kEmpty;
      float number = 0;
      for (int b = kBins - 1; b > 0; --b) {
        right = join(right, box[b]);
        number += count[b];
        right_cost[b] = number > 0 ? area(right) * number : kHuge;
      }
      Aabb left = kEmpty;
      number = 0;
      for (int b = 0; b + 1 < kBins; ++b) {
        left = join(left, box[b]);
        number += count[b];
        if (number > 0 && right_cost[b + 1] < kHuge && area(left) * number + right_cost[b + 1] < best_cost) {
          best_cost = area(left) * number + right_cost[b + 1];
          best_axis = axis;
          best_bin = b;
        }
      }
    }
    if (best_cost < kHuge) {
      const float low = component(span.min, best_axis), scale = kBins / (component(span.max, best_axis) - low);
      const auto middle = std::stable_partition(order.begin() + begin, order.begin() + end, [&](std::uint32_t shape) {
        return bin_of(shape, best_axis, low, scale) <= best_bin;
      });
      return static_cast<std::uint32_t>(middle - order.begin());
    }
    return begin + (end - begin) / 2;
  }

  void build(std::uint32_t node, std::uint32_t begin, std::uint32_t end, int depth) {
    Aabb box = kEmpty;
    for (std::uint32_t i = begin; i < end; ++i) box = join(box, boxes[order[i]]);
    pairs[node] = {box, begin, end - begin};
    if (end - begin <= kLeaf) return;
    const std::uint32_t middle = split(begin, end, depth);
    const auto first = static_cast<std::uint32_t>(pairs.size());
    pairs.resize(pairs.size() + 2);
    pairs[node].first = first;
    pairs[node].count = 0;
    build(first, begin, middle, depth + 1);
    build(first + 1, middle, end, depth + 1);
  }

  // adds the parts of a pair, or their parts' parts, to a node
  void gather(std::uint32_t node, std::uint32_t pair, int levels, int& lane) {
    const Pair at = pairs[pair];
    if (at.count == 0 && levels > 0) {
      gather(node, at.first, levels - 1, lane);
      gather(node, at.first + 1, levels - 1, lane);
      return;
    }
    for (int k = 0; k < 3; ++k) {
      nodes[node].low[k][lane] = component(at.box.min, k);
      nodes[node].high[k][lane] = component(at.box.max, k);
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

}  // namespace

Vec3 half_extents(const PictureShape& s) {
  using namespace kernels;
  if (s.kind == ShapeKind::kSphere) return {s.size.x, s.size.x, s.size.x};
  if (s.kind == ShapeKind::kMesh) return max(abs(s.size), max(abs(s.size + s.axes.x), abs(s.size + s.axes.y)));
  const float r = s.kind == ShapeKind::kCapsule ? s.size.x : s.round;
  Vec3 half = s.kind == ShapeKind::kCapsule ? Vec3{0, 0, s.size.z} : s.size;
  if (s.kind == ShapeKind::kFrustum) half.x = half.y = max(s.size.x, s.size.y);
  return half.x * abs(s.axes.x) + (half.y * abs(s.axes.y) + (half.z * abs(s.axes.z) + Vec3{r, r, r}));
}

std::vector<PictureNode> build_tree(std::vector<PictureShape>& shapes) {
  using namespace kernels;
  Builder b;
  if (shapes.empty()) return {};
  if (shapes.size() > PictureNode::kMost) throw CapacityError("a picture of more than 2^30 shapes");
  b.order.resize(shapes.size());
  std::iota(b.order.begin(), b.order.end(), 0u);
  for (const PictureShape& shape : shapes) {
    // a little larger than needed, so that rounding loses no ray
    const Vec3 half = half_extents(shape);
    const Vec3 slack = 1e-5f * (half + abs(shape.centre));
    b.boxes.push_back({shape.centre - half - slack, shape.centre + half + slack});
    b.centres.push_back(shape.centre);
  }
  b.pairs.resize(1);
  b.pairs.reserve(2 * shapes.size());
  b.build(0, 0, static_cast<std::uint32_t>(shapes.size()), 0);
  b.widen(0);
  std::vector<PictureShape> sorted;
  sorted.reserve(shapes.size());
  for (const std::uint32_t i : b.order) sorted.push_back(shapes[i]);
  shapes = std::move(sorted);
  return std::move(b.nodes);
}

}  // namespace cairn::picture
