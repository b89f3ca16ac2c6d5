#include "src/picture/skins.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace cairn::picture {
namespace {

using Triangle = std::array<std::uint32_t, 3>;
using Edge = std::pair<std::uint32_t, std::uint32_t>;

Edge edge_of(std::uint32_t a, std::uint32_t b) { return std::minmax(a, b); }
Edge edge_of(const Triangle& t, int k) { return edge_of(t[k], t[(k + 1) % 3]); }
Triangle sorted(Triangle t) {
  std::ranges::sort(t);
  return t;
}

/// Calls f(group, particles of one constraint, its number in the set).
template <class F>
void for_each_constraint(const ParticleSet& set, F f) {
  std::size_t number = 0;
  for (const ConstraintGroup& group : set.constraints) {
    const std::size_t each = particles_of(group);
    for (std::size_t i = 0; i + each <= group.particles.size(); i += each)
      f(group, std::span(group.particles).subspan(i, each), number++);
  }
}

/// Each triangle once, even if several bends have it.
std::vector<Triangle> triangles_of_bends(const ParticleSet& set, const std::set<Edge>& broken) {
  std::vector<Triangle> all;
  std::set<Triangle> known;
  const auto add = [&](Triangle t) {
    for (int k = 0; k < 3; ++k) {
      if (broken.contains(edge_of(t, k))) return;
    }
    if (known.insert(sorted(t)).second) all.push_back(t);
  };
  for_each_constraint(set, [&](const ConstraintGroup& group, std::span<const std::uint32_t> p, std::size_t) {
    if (group.kind != ConstraintKind::kBend) return;
    add({p[0], p[1], p[2]});
    add({p[0], p[3], p[1]});
  });
  return all;
}

/// The faces of tetrahedra that belong to only one, outwards.
std::vector<Triangle> outside_of_tetrahedra(const ParticleSet& set) {
  std::map<Triangle, std::pair<Triangle, int>> sides;
  std::vector<Triangle> order;
  for_each_constraint(set, [&](const ConstraintGroup& group, std::span<const std::uint32_t> p, std::size_t) {
    if (group.kind != ConstraintKind::kVolume && group.kind != ConstraintKind::kElastic) return;
    const auto from_a = [&](std::uint32_t i) { return wide(set.positions[i]) - wide(set.positions[p[0]]); };
    const bool mirrored = dot(cross(from_a(p[1]), from_a(p[2])), from_a(p[3])) < 0;
    for (const Triangle& side :
         {Triangle{p[0], p[2], p[1]}, {p[0], p[1], p[3]}, {p[0], p[3], p[2]}, {p[1], p[2], p[3]}}) {
      const auto [found, is_new] =
          sides.try_emplace(sorted(side), mirrored ? Triangle{side[0], side[2], side[1]} : side, 0);
      if (is_new) order.push_back(found->first);
      ++found->second.second;
    }
  });
  std::vector<Triangle> outside;
  for (const Triangle& side : order) {
    if (const auto& [turned, count] = sides.at(side); count == 1) outside.push_back(turned);
  }
  return outside;
}

/// Gives neighbours the same orientation, as far as the surface has two sides.
void orient(std::vector<Triangle>& triangles) {
  std::map<Edge, std::vector<std::size_t>> at_edge;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) at_edge[edge_of(triangles[i], k)].push_back(i);
  }
  const auto runs_along = [](const Triangle& t, std::uint32_t from, std::uint32_t to) {
    for (int k = 0; k < 3; ++k) {
      if (t[k] == from && t[(k + 1) % 3] == to) return true;
    }
    return false;
  };
  std::vector<bool> seen(triangles.size());
  std::vector<std::size_t> next;
  for (std::size_t first = 0; first < triangles.size(); ++first) {
    if (seen[first]) continue;
    seen[first] = true;
    next.assign(1, first);
    while (!next.empty()) {
      const Triangle t = triangles[next.back()];
      next.pop_back();
      for (int k = 0; k < 3; ++k) {
        for (const std::size_t other : at_edge[edge_of(t, k)]) {
          if (seen[other]) continue;
          seen[other] = true;
          if (runs_along(triangles[other], t[k], t[(k + 1) % 3])) std::swap(triangles[other][1], triangles[other][2]);
          next.push_back(other);
        }
      }
    }
  }
}

constexpr double kHem = 0.2;  // [1] of a cloth's thickness along its edges; otherwise it would look like a mat

/// Adds triangles to a skin, moved along their normals; at free edges by `hem` times as much.
class Shell {
 public:
  Shell(Skin& skin, ParticlePlaces at, const std::vector<Triangle>& triangles, double hem = 1)
      : skin_(skin), at_(at), hem_(hem) {
    for (const Triangle& t : triangles) {
      if (std::ranges::any_of(t, [&](std::uint32_t i) { return !at[i]; })) continue;
      kept_.push_back(t);
      const Double3 area = cross(*at[t[1]] - *at[t[0]], *at[t[2]] - *at[t[0]]);
      for (const std::uint32_t i : t) normal_[i] = normal_[i] + area;
    }
    std::map<Edge, std::pair<int, Edge>> edges;
    for (const Triangle& t : kept_) {
      for (int k = 0; k < 3; ++k) {
        auto& [count, directed] = edges[edge_of(t, k)];
        ++count;
        directed = {t[k], t[(k + 1) % 3]};
      }
    }
    for (const auto& [edge, found] : edges) {
      if (found.first != 1) continue;
      ends_.push_back(found.second);
      on_end_.insert({edge.first, edge.second});
    }
    for (auto& [i, sum] : normal_) {
      const double length = extent_of(sum);
      sum = length > 0 ? sum / length : Double3{0, 0, 1};
      skin.covered.push_back(i);
    }
  }
  void sheet(double out) {
    for (const Triangle& t : kept_) {
      add({place(t[0], out), place(t[1], out), place(t[2], out)}, {normal_[t[0]], normal_[t[1]], normal_[t[2]]});
    }
  }
  /// Closes the gap between two sheets at the free edges.
  void rim(double out) {
    for (const auto& [a, b] : ends_) {
      const Double3 a_up = place(a, out), a_down = place(a, -out), b_up = place(b, out), b_down = place(b, -out);
      const Double3 across = cross(b_up - a_down, b_down - a_up);
      const double length = extent_of(across);
      if (!(length > 0)) continue;
      const Double3 n = across / length;
      add({a_up, a_down, b_down}, {n, n, n});
      add({a_up, b_down, b_up}, {n, n, n});
    }
  }

 private:
  Double3 place(std::uint32_t i, double out) const {
    return *at_[i] + (on_end_.contains(i) ? hem_ * out : out) * normal_.at(i);
  }
  void add(const std::array<Double3, 3>& at, const std::array<Double3, 3>& normal) {
    skin_.triangles.push_back({at, normal});
  }

  Skin& skin_;
  ParticlePlaces at_;
  double hem_;
  std::vector<Triangle> kept_;
  std::vector<Edge> ends_;  ///< edges of only one triangle, in its direction
  std::set<std::uint32_t> on_end_;
  std::map<std::uint32_t, Double3> normal_;
};

}  // namespace

Skin skin_of(const ParticleSet& set, double radius, ParticlePlaces at, std::span<const std::uint8_t> broken) {
  std::set<Edge> torn, held;
  for_each_constraint(set, [&](const ConstraintGroup& group, std::span<const std::uint32_t> p, std::size_t number) {
    if (group.kind != ConstraintKind::kStretch) return;
    (number < broken.size() && broken[number] != 0 ? torn : held).insert(edge_of(p[0], p[1]));
  });
  Skin skin;
  std::vector<Triangle> cloth = triangles_of_bends(set, torn);
  orient(cloth);
  Shell sheets(skin, at, cloth, kHem);
  sheets.sheet(radius);
  sheets.sheet(-radius);
  sheets.rim(radius);
  Shell(skin, at, outside_of_tetrahedra(set)).sheet(radius);

  // the inside of tetrahedra isn't visible, and shears of a cloth lie in its triangles
  std::set<std::uint32_t> solid(skin.covered.begin(), skin.covered.end());
  for_each_constraint(set, [&](const ConstraintGroup& group, std::span<const std::uint32_t> p, std::size_t) {
    if (group.kind == ConstraintKind::kVolume || group.kind == ConstraintKind::kElastic)
      solid.insert(p.begin(), p.end());
  });
  std::set<std::uint32_t> covered = solid;
  skin.radius = radius;
  for (const auto& [a, b] : held) {
    if ((solid.contains(a) && solid.contains(b)) || !at[a] || !at[b]) continue;
    if (extent_of(*at[b] - *at[a]) > 0) skin.tubes.push_back({*at[a], *at[b]});
    covered.insert({a, b});
  }
  skin.covered.clear();
  for (const std::uint32_t i : covered) {
    if (at[i]) skin.covered.push_back(i);
  }
  return skin;
}

}  // namespace cairn::picture
