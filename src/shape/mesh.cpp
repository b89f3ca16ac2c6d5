// Triangle meshes: welded, without triangles of no area, with a tree and the bend at each edge.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "cairn/errors.h"
#include "kernels/common/index.h"
#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/scene/text.h"
#include "src/shape/box_tree.h"
#include "src/shape/data.h"
#include "src/shape/hash.h"
#include "src/shape/mesh_parts.h"

namespace cairn {
namespace shape {
namespace {

using kernels::kNone;

constexpr std::uint32_t kLeaf = 4;  ///< [1] max triangles of a leaf of the tree
// 2^26 triangles in leaves of 4 take 24 levels of equal halves
static_assert(kFreeDepth + 25 <= kernels::kMeshDepth);

struct PlaceHash {
  std::size_t operator()(const Vec3& p) const { return XXH3_64bits(&p, sizeof p); }
};

void check(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles) {
  const auto fail = [](const std::string& what) { throw InvalidArgument("triangle mesh: " + what); };
  if (triangles.empty() || triangles.size() > TriangleMesh::kMaxTriangles) {
    fail("must have 1 to " + std::to_string(TriangleMesh::kMaxTriangles) + " triangles, has " +
         std::to_string(triangles.size()));
  }
  if (vertices.size() > 3 * TriangleMesh::kMaxTriangles) {
    fail("must have at most " + std::to_string(3 * TriangleMesh::kMaxTriangles) + " vertices, has " +
         std::to_string(vertices.size()));
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (kernels::finite(vertices[i])) continue;
    fail("vertex " + std::to_string(i) + " must be finite, is " + rules::digits(vertices[i]));
  }
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (const std::uint32_t corner : triangles[t]) {
      if (corner < vertices.size()) continue;
      fail("triangle " + std::to_string(t) + " must be of vertices 0 to " + std::to_string(vertices.size() - 1) +
           ", has a corner at vertex " + std::to_string(corner));
    }
  }
}

}  // namespace

Welded weld(std::span<const Vec3> vertices, std::span<const TriangleMesh::Triangle> triangles,
            std::vector<std::uint32_t>* now_of) {
  std::vector<bool> used(vertices.size());
  for (const auto& triangle : triangles) {
    for (const std::uint32_t corner : triangle) used[corner] = true;
  }
  Welded out;
  std::vector<std::uint32_t> now(vertices.size(), kNone);
  std::unordered_map<Vec3, std::uint32_t, PlaceHash> first;
  first.reserve(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (!used[i]) continue;
    // -0 and 0 are the same place
    const Vec3 place{vertices[i].x + 0.0f, vertices[i].y + 0.0f, vertices[i].z + 0.0f};
    const auto [it, is_new] = first.emplace(place, static_cast<std::uint32_t>(out.vertices.size()));
    if (is_new) out.vertices.push_back(place);
    now[i] = it->second;
  }
  out.triangles.reserve(triangles.size());
  for (const auto& [a, b, c] : triangles) out.triangles.push_back({now[a], now[b], now[c]});
  if (now_of != nullptr) *now_of = std::move(now);
  return out;
}

bool has_area(const Vec3& a, const Vec3& b, const Vec3& c) {
  const auto [p, q, r] = std::array{kernels::widen(a), kernels::widen(b), kernels::widen(c)};
  const Vec3d u = kernels::operator-(q, p), v = kernels::operator-(r, p), w = kernels::operator-(r, q);
  const double longest = std::sqrt(std::max({kernels::dot(u, u), kernels::dot(v, v), kernels::dot(w, w)}));
  const Vec3d n = kernels::cross(u, v);
  const double most =
      std::max({double{kernels::max_component(kernels::abs(a))}, double{kernels::max_component(kernels::abs(b))},
                double{kernels::max_component(kernels::abs(c))}});
  // twice the area is the height over the longest side times that side
  return std::sqrt(kernels::dot(n, n)) > 0x1p-24 * most * longest;
}

std::shared_ptr<const detail::MeshData> make_mesh(std::span<const Vec3> vertices,
                                                  std::span<const TriangleMesh::Triangle> triangles) {
  const exec::ExactFloats exact;
  check(vertices, triangles);
  Welded welded = weld(vertices, triangles);
  const auto corner = [&](std::size_t t, int k) -> const Vec3& { return welded.vertices[welded.triangles[t][k]]; };
  std::vector<bool> solid(welded.triangles.size());
  for (std::size_t t = 0; t < solid.size(); ++t) solid[t] = has_area(corner(t, 0), corner(t, 1), corner(t, 2));
  const std::vector<Vec3> all_bends = edge_bends(welded, solid);

  auto data = std::make_shared<detail::MeshData>();
  std::vector<TriangleMesh::Triangle> kept;
  std::vector<Vec3> bends;
  for (std::size_t t = 0; t < solid.size(); ++t) {
    if (!solid[t]) continue;
    kept.push_back(welded.triangles[t]);
    bends.push_back(all_bends[t]);
  }
  data->dropped = solid.size() - kept.size();
  if (kept.empty()) {
    throw InvalidArgument("triangle mesh: must have a triangle with an area, and none of its " +
                          std::to_string(solid.size()) + " has one");
  }
  // vertices used only by dropped triangles are removed too
  std::vector<std::uint32_t> now;
  Welded last = weld(welded.vertices, kept, &now);
  data->vertices = std::move(last.vertices);
  data->indices = std::move(last.triangles);
  for (std::size_t t = 0; t < solid.size(); ++t) {
    if (solid[t]) continue;
    const auto& [a, b, c] = welded.triangles[t];
    const TriangleMesh::Triangle seam{now[a], now[b], now[c]};
    if (a != b && b != c && c != a && std::ranges::find(seam, kNone) == seam.end()) data->seams.push_back(seam);
  }

  std::vector<Bounds> boxes(data->indices.size());
  for (std::size_t t = 0; t < boxes.size(); ++t) {
    for (const std::uint32_t at : data->indices[t]) boxes[t].take(data->vertices[at]);
  }
  BoxTree tree = grow_tree(boxes, kLeaf);
  data->nodes = std::move(tree.nodes);
  data->given = std::move(tree.order);
  data->triangles.reserve(data->given.size());
  for (const std::uint32_t t : data->given) {
    const auto& [a, b, c] = data->indices[t];
    data->triangles.push_back({data->vertices[a], data->vertices[b], data->vertices[c], bends[t]});
  }
  data->lower = data->nodes[0].lower;
  data->upper = data->nodes[0].upper;
  data->hash = hash_of(std::span<const TriangleMesh::Triangle>(data->indices),
                       hash_of(std::span<const Vec3>(data->vertices), 0));
  return data;
}

}  // namespace shape

TriangleMesh::TriangleMesh(std::span<const Vec3> vertices, std::span<const Triangle> triangles)
    : data_(shape::make_mesh(vertices, triangles)) {}

}  // namespace cairn
