// The surface of a fluid: a smooth density of its particles on a grid, and triangles where it crosses a level, from
// tetrahedra (Doi and Koide 1991), which have no ambiguous case.

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "src/picture/skins.h"

namespace cairn::picture {
namespace {

constexpr double kReach = 2;     // [spacings] of a particle's density, (1 - r^2 / reach^2)^3
constexpr double kLevel = 2.54;  // [1] the density half a spacing above a flat surface; inside it is twice that
constexpr double kCell = 0.5;    // [spacings] of the grid
constexpr double kFar = 1e12;    // [cells] from the world's origin, beyond which positions have too few digits for a
                                 // surface
constexpr int kSide = 8;         // [nodes] of a block of the grid

using Index3 = std::array<std::int64_t, 3>;

struct HashOfIndex {
  std::size_t operator()(const Index3& i) const {
    std::uint64_t h = 0;
    for (const std::int64_t k : i) h = (h ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
  }
};

struct Block {
  std::array<double, kSide * kSide * kSide> density{};
};

constexpr std::size_t node_of(int x, int y, int z) { return (static_cast<std::size_t>(z) * kSide + y) * kSide + x; }

/// Density on the nodes of blocks near particles.
class Grid {
 public:
  Grid(double spacing, ParticlePlaces at) : cell_(kCell * spacing), reach_(kReach * spacing) {
    for (const auto& x : at) {
      if (x && holds(*x)) add(*x);
    }
  }

  bool holds(Double3 x) const { return std::max({std::abs(x.x), std::abs(x.y), std::abs(x.z)}) < kFar * cell_; }

  double cell() const { return cell_; }
  /// Sorted, since a hash's order isn't fixed.
  std::vector<Index3> blocks() const {
    std::vector<Index3> all;
    for (const auto& [at, block] : blocks_) all.push_back(at);
    std::ranges::sort(all);
    return all;
  }
  const Block* find(const Index3& at) const {
    const auto found = blocks_.find(at);
    return found == blocks_.end() ? nullptr : &found->second;
  }
  /// Density at the node nearest to x.
  double near(Double3 x) const {
    Index3 block;
    std::array<int, 3> in{};
    for (int k = 0; k < 3; ++k) std::tie(block[k], in[k]) = split(std::llround(x[k] / cell_));
    const Block* found = find(block);
    return found == nullptr ? 0 : found->density[node_of(in[0], in[1], in[2])];
  }

 private:
  static std::pair<std::int64_t, int> split(std::int64_t node) {
    const std::int64_t block = node >= 0 ? node / kSide : -((kSide - 1 - node) / kSide);
    return {block, static_cast<int>(node - block * kSide)};
  }
  void add(Double3 x) {
    Index3 low, high;
    for (int k = 0; k < 3; ++k) {
      low[k] = static_cast<std::int64_t>(std::ceil((x[k] - reach_) / cell_));
      high[k] = static_cast<std::int64_t>(std::floor((x[k] + reach_) / cell_));
    }
    for (std::int64_t k = low[2]; k <= high[2]; ++k) {
      const auto [block_z, z] = split(k);
      for (std::int64_t j = low[1]; j <= high[1]; ++j) {
        const auto [block_y, y] = split(j);
        Block* block = nullptr;
        for (std::int64_t i = low[0]; i <= high[0]; ++i) {
          const auto [block_x, n] = split(i);
          if (block == nullptr || n == 0) block = &blocks_[{block_x, block_y, block_z}];
          const Double3 d{cell_ * static_cast<double>(i) - x.x, cell_ * static_cast<double>(j) - x.y,
                          cell_ * static_cast<double>(k) - x.z};
          const double share = 1 - dot(d, d) / (reach_ * reach_);
          if (share > 0) block->density[node_of(n, y, z)] += share * share * share;
        }
      }
    }
  }

  double cell_, reach_;
  std::unordered_map<Index3, Block, HashOfIndex> blocks_;
};

constexpr int kAround = 1;  // nodes before a block for gradients; after it one more, for its last cells
constexpr int kWindow = kSide + 2 * kAround + 1;

/// A block and the nodes around it.
struct Window {
  std::array<double, kWindow * kWindow * kWindow> density{};

  Window(const Grid& grid, const Index3& at) {
    for (int bz = -1; bz <= 1; ++bz) {
      for (int by = -1; by <= 1; ++by) {
        for (int bx = -1; bx <= 1; ++bx) {
          if (const Block* block = grid.find({at[0] + bx, at[1] + by, at[2] + bz})) copy(*block, {bx, by, bz});
        }
      }
    }
  }
  /// Density of nodes -1 to kSide + 1.
  double operator()(const std::array<int, 3>& n) const { return density[index(n[0], n[1], n[2])]; }
  Double3 gradient(const std::array<int, 3>& n) const {
    Double3 g;
    for (int k = 0; k < 3; ++k) {
      std::array<int, 3> before = n, behind = n;
      --before[k];
      ++behind[k];
      g[k] = (*this)(behind) - (*this)(before);
    }
    return g;
  }

 private:
  static std::size_t index(int x, int y, int z) {
    return (static_cast<std::size_t>(z + kAround) * kWindow + (y + kAround)) * kWindow + (x + kAround);
  }
  void copy(const Block& block, const std::array<int, 3>& offset) {
    std::array<int, 3> low{}, high{};
    for (int k = 0; k < 3; ++k) {
      low[k] = std::max(-kAround - kSide * offset[k], 0);
      high[k] = std::min(kSide + kAround - kSide * offset[k], kSide - 1);
    }
    for (int z = low[2]; z <= high[2]; ++z) {
      for (int y = low[1]; y <= high[1]; ++y) {
        for (int x = low[0]; x <= high[0]; ++x) {
          density[index(x + kSide * offset[0], y + kSide * offset[1], z + kSide * offset[2])] =
              block.density[node_of(x, y, z)];
        }
      }
    }
  }
};

/// Triangles of the cells whose lowest node is in a block.
class Cells {
 public:
  Cells(const Window& window, double cell, const Index3& block, Skin& skin)
      : window_(window), cell_(cell), block_(block), skin_(skin) {
    for (int z = 0; z < kSide; ++z) {
      for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) visit({x, y, z});
      }
    }
  }

 private:
  using Node = std::array<int, 3>;
  struct Crossing {
    Double3 at, normal;
  };

  void visit(const Node& low) {
    std::array<Node, 8> corner;
    int inside = 0;
    for (int k = 0; k < 8; ++k) {
      corner[k] = {low[0] + (k & 1), low[1] + (k >> 1 & 1), low[2] + (k >> 2)};
      inside += window_(corner[k]) > kLevel ? 1 : 0;
    }
    if (inside == 0 || inside == 8) return;
    // from one corner to the opposite one, along each of the six ways of three edges
    constexpr std::array<std::array<int, 2>, 6> kWays{{{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}}};
    for (const auto& way : kWays) cut({corner[0], corner[way[0]], corner[way[1]], corner[7]});
  }
  void cut(const std::array<Node, 4>& t) {
    std::array<Node, 4> in, out;
    int ins = 0, outs = 0;
    for (const Node& n : t) (window_(n) > kLevel ? in[ins++] : out[outs++]) = n;
    if (ins == 1) add(crossing(in[0], out[0]), crossing(in[0], out[1]), crossing(in[0], out[2]));
    if (ins == 3) add(crossing(in[0], out[0]), crossing(in[1], out[0]), crossing(in[2], out[0]));
    if (ins != 2) return;
    const Crossing a = crossing(in[0], out[0]), b = crossing(in[0], out[1]);
    const Crossing c = crossing(in[1], out[1]), d = crossing(in[1], out[0]);
    add(a, b, c);
    add(a, c, d);
  }
  Double3 place(const Node& n) const {
    Double3 x;
    for (int k = 0; k < 3; ++k) x[k] = cell_ * static_cast<double>(block_[k] * kSide + n[k]);
    return x;
  }
  Crossing crossing(const Node& in, const Node& out) const {
    const double high = window_(in), low = window_(out), share = (high - kLevel) / (high - low);
    const Double3 a = place(in), b = place(out), n = window_.gradient(in), m = window_.gradient(out);
    const Double3 slope = n + share * (m - n);
    const double length = extent_of(slope);
    return {a + share * (b - a), length > 0 ? -1 / length * slope : Double3{0, 0, 1}};
  }
  void add(const Crossing& a, const Crossing& b, const Crossing& c) {
    skin_.triangles.push_back({{a.at, b.at, c.at}, {a.normal, b.normal, c.normal}});
  }

  const Window& window_;
  double cell_;
  Index3 block_;
  Skin& skin_;
};

}  // namespace

Skin surface_of(const Fluid& fluid, ParticlePlaces at) {
  const Grid grid(static_cast<double>(fluid.spacing), at);
  Skin skin;
  skin.fluid = true;
  for (const Index3& block : grid.blocks()) Cells(Window(grid, block), grid.cell(), block, skin);
  skin.radius = 0.5 * static_cast<double>(fluid.spacing);
  for (std::uint32_t i = 0; i < at.size(); ++i) {
    if (!at[i]) continue;
    skin.covered.push_back(i);
    if (!grid.holds(*at[i]) || grid.near(*at[i]) <= kLevel) skin.drops.push_back(*at[i]);
  }
  return skin;
}

}  // namespace cairn::picture
