// A tree of boxes over triangles, split where the surface area heuristic is lowest among a few places (Wald 2007, On
// fast construction of SAH-based bounding volume hierarchies). The same triangles give the same tree.

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "kernels/common/vec.h"
#include "src/shape/mesh_parts.h"

namespace cairn::shape {
namespace {

constexpr std::uint32_t kLeaf = 4;  ///< [1] max triangles of a leaf
constexpr int kBins = 16;           ///< [1] places tried on each axis
/// [1] Below this depth halves are equal. 2^26 triangles in leaves of 4 take another 24 levels.
constexpr int kFreeDepth = 20;
static_assert(kFreeDepth + 25 <= kernels::kMeshDepth);

struct Bounds {
  Vec3 lower{std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};
  Vec3 upper{std::numeric_limits<float>::lowest(), std::numeric_limits<float>::lowest(),
             std::numeric_limits<float>::lowest()};

  void take(const Bounds& b) {
    lower = kernels::min(lower, b.lower);
    upper = kernels::max(upper, b.upper);
  }
  /// [m^2] Half the surface area; in double, since floats may be up to 1e38.
  double area() const {
    const Vec3d d = kernels::operator-(kernels::widen(upper), kernels::widen(lower));
    return d.x * d.y + d.y * d.z + d.z * d.x;
  }
};

double along(const Vec3d& v, int axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

struct Item {
  Bounds bounds;
  Vec3d centre;  ///< [m]
};

class Grower {
 public:
  explicit Grower(std::vector<Item> items) : items_(std::move(items)) {
    tree_.order.resize(items_.size());
    std::iota(tree_.order.begin(), tree_.order.end(), 0u);
  }

  MeshTree grow() {
    struct Job {
      std::uint32_t node, begin, end;
      int depth;
    };
    tree_.nodes.emplace_back();
    std::vector<Job> jobs{{0, 0, static_cast<std::uint32_t>(items_.size()), 0}};
    while (!jobs.empty()) {
      const Job job = jobs.back();
      jobs.pop_back();
      Bounds bounds;
      for (std::uint32_t i = job.begin; i < job.end; ++i) bounds.take(items_[tree_.order[i]].bounds);
      kernels::MeshNode& node = tree_.nodes[job.node];
      node.lower = bounds.lower;
      node.upper = bounds.upper;
      if (job.end - job.begin <= kLeaf) {
        node.first = job.begin;
        node.count = job.end - job.begin;
        continue;
      }
      const auto children = static_cast<std::uint32_t>(tree_.nodes.size());
      node.first = children;
      node.count = 0;
      tree_.nodes.resize(tree_.nodes.size() + 2);
      const std::uint32_t middle = split(job.begin, job.end, job.depth);
      jobs.push_back({children + 1, middle, job.end, job.depth + 1});
      jobs.push_back({children, job.begin, middle, job.depth + 1});
    }
    return std::move(tree_);
  }

 private:
  struct Bin {
    Bounds bounds;
    std::uint32_t count{0};
  };

  static int bin_of(double x, double low, double high) {
    return std::min(kBins - 1, static_cast<int>(kBins * ((x - low) / (high - low))));
  }

  /// Reorders a range and returns the start of its second half.
  std::uint32_t split(std::uint32_t begin, std::uint32_t end, int depth) {
    constexpr double kMax = std::numeric_limits<double>::max();
    Vec3d low{kMax, kMax, kMax}, high{-kMax, -kMax, -kMax};
    for (std::uint32_t i = begin; i < end; ++i) {
      const Vec3d& c = items_[tree_.order[i]].centre;
      low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
      high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
    }
    double best = kMax;
    int best_axis = -1, best_bin = 0;
    for (int axis = 0; axis < 3 && depth < kFreeDepth; ++axis) {
      const double l = along(low, axis), h = along(high, axis);
      if (!(h > l)) continue;
      std::array<Bin, kBins> bins{};
      for (std::uint32_t i = begin; i < end; ++i) {
        const Item& item = items_[tree_.order[i]];
        Bin& bin = bins[static_cast<std::size_t>(bin_of(along(item.centre, axis), l, h))];
        bin.bounds.take(item.bounds);
        ++bin.count;
      }
      std::array<double, kBins> below{};
      Bounds sum;
      std::uint32_t count = 0;
      for (std::size_t k = 0; k + 1 < kBins; ++k) {
        sum.take(bins[k].bounds);
        count += bins[k].count;
        below[k] = count == 0 ? kMax : sum.area() * count;
      }
      sum = {};
      count = 0;
      for (std::size_t k = kBins - 1; k > 0; --k) {
        sum.take(bins[k].bounds);
        count += bins[k].count;
        if (count == 0 || below[k - 1] == kMax) continue;
        const double cost = below[k - 1] + sum.area() * count;
        if (cost >= best) continue;
        best = cost;
        best_axis = axis;
        best_bin = static_cast<int>(k);
      }
    }
    const auto first = tree_.order.begin() + begin, last = tree_.order.begin() + end;
    if (best_axis >= 0) {
      const double l = along(low, best_axis), h = along(high, best_axis);
      const auto middle = std::stable_partition(
          first, last, [&](std::uint32_t t) { return bin_of(along(items_[t].centre, best_axis), l, h) < best_bin; });
      return static_cast<std::uint32_t>(middle - tree_.order.begin());
    }
    // all at one place, or too deep: equal halves along the longest axis
    const Vec3d size = kernels::operator-(high, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
      const double x = along(items_[a].centre, axis), y = along(items_[b].centre, axis);
      return x != y ? x < y : a < b;
    });
    return begin + (end - begin) / 2;
  }

  std::vector<Item> items_;
  MeshTree tree_;
};

}  // namespace

MeshTree grow_tree(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles) {
  std::vector<Item> items;
  items.reserve(triangles.size());
  for (const auto& triangle : triangles) {
    Item item;
    for (const std::uint32_t corner : triangle) item.bounds.take({vertices[corner], vertices[corner]});
    item.centre = kernels::operator*(
        0.5, kernels::operator+(kernels::widen(item.bounds.lower), kernels::widen(item.bounds.upper)));
    items.push_back(item);
  }
  return Grower(std::move(items)).grow();
}

}  // namespace cairn::shape
