// A tree of boxes over boxes, split where the surface area heuristic is lowest among a few places (Wald 2007, On
// fast construction of SAH-based bounding volume hierarchies). The same boxes give the same tree.

#include "src/shape/box_tree.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/common/vec.h"

namespace cairn::shape {
namespace {

using kernels::component;
using kernels::widen;

constexpr int kBins = 16;  ///< [1] places tried on each axis

/// [m^2] Half the surface area; in double, since floats may be up to 1e38.
double area(const Bounds& b) {
  const Vec3d d = kernels::operator-(widen(b.upper), widen(b.lower));
  return d.x * d.y + d.y * d.z + d.z * d.x;
}

class Grower {
 public:
  explicit Grower(std::span<const Bounds> boxes) : boxes_(boxes), order_(boxes.size()) {
    std::iota(order_.begin(), order_.end(), 0u);
    centre_.reserve(boxes.size());
    for (const Bounds& b : boxes)
      centre_.push_back(kernels::operator*(0.5, kernels::operator+(widen(b.lower), widen(b.upper))));
  }

  BoxTree grow(std::uint32_t leaf) {
    struct Job {
      std::uint32_t node, begin, end;
      int depth;
    };
    std::vector<kernels::MeshNode> nodes(1);
    std::vector<Job> jobs{{0, 0, static_cast<std::uint32_t>(boxes_.size()), 0}};
    while (!jobs.empty()) {
      const Job job = jobs.back();
      jobs.pop_back();
      Bounds bounds;
      for (std::uint32_t i = job.begin; i < job.end; ++i) bounds.take(boxes_[order_[i]]);
      const std::uint32_t count = job.end - job.begin;
      if (count <= leaf) {
        nodes[job.node] = {bounds.lower, bounds.upper, job.begin, count};
        continue;
      }
      const auto children = static_cast<std::uint32_t>(nodes.size());
      nodes[job.node] = {bounds.lower, bounds.upper, children, 0};
      nodes.resize(nodes.size() + 2);
      const std::uint32_t middle = split(job.begin, job.end, job.depth);
      jobs.push_back({children + 1, middle, job.end, job.depth + 1});
      jobs.push_back({children, job.begin, middle, job.depth + 1});
    }
    return {std::move(nodes), std::move(order_)};
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
      const Vec3d& c = centre_[order_[i]];
      low = {std::min(low.x, c.x), std::min(low.y, c.y), std::min(low.z, c.z)};
      high = {std::max(high.x, c.x), std::max(high.y, c.y), std::max(high.z, c.z)};
    }
    double best = kMax;
    int best_axis = -1, best_bin = 0;
    for (int axis = 0; axis < 3 && depth < kFreeDepth; ++axis) {
      const double l = component(low, axis), h = component(high, axis);
      if (!(h > l)) continue;
      std::array<Bin, kBins> bins{};
      for (std::uint32_t i = begin; i < end; ++i) {
        Bin& bin = bins[static_cast<std::size_t>(bin_of(component(centre_[order_[i]], axis), l, h))];
        bin.bounds.take(boxes_[order_[i]]);
        ++bin.count;
      }
      std::array<double, kBins> below{};
      Bounds sum;
      std::uint32_t count = 0;
      for (std::size_t k = 0; k + 1 < kBins; ++k) {
        sum.take(bins[k].bounds);
        count += bins[k].count;
        below[k] = count == 0 ? kMax : area(sum) * count;
      }
      sum = {};
      count = 0;
      for (std::size_t k = kBins - 1; k > 0; --k) {
        sum.take(bins[k].bounds);
        count += bins[k].count;
        if (count == 0 || below[k - 1] == kMax) continue;
        const double cost = below[k - 1] + area(sum) * count;
        if (cost >= best) continue;
        best = cost;
        best_axis = axis;
        best_bin = static_cast<int>(k);
      }
    }
    const auto first = order_.begin() + begin, last = order_.begin() + end;
    if (best_axis >= 0) {
      const double l = component(low, best_axis), h = component(high, best_axis);
      const auto middle = std::stable_partition(
          first, last, [&](std::uint32_t t) { return bin_of(component(centre_[t], best_axis), l, h) < best_bin; });
      return static_cast<std::uint32_t>(middle - order_.begin());
    }
    // all at one place, or too deep: equal halves along the longest axis
    const Vec3d size = kernels::operator-(high, low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : (size.y >= size.z ? 1 : 2);
    std::sort(first, last, [&](std::uint32_t a, std::uint32_t b) {
      const double x = component(centre_[a], axis), y = component(centre_[b], axis);
      return x != y ? x < y : a < b;
    });
    return begin + (end - begin) / 2;
  }

  std::span<const Bounds> boxes_;
  std::vector<Vec3d> centre_;  ///< [m] (boxes)
  std::vector<std::uint32_t> order_;
};

}  // namespace

BoxTree grow_tree(std::span<const Bounds> boxes, std::uint32_t leaf) { return Grower(boxes).grow(leaf); }

}  // namespace cairn::shape
