// Triangle meshes and height fields: welding, edges, trees, and what is refused.

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "cairn/mass.h"
#include "kernels/common/vec.h"
#include "src/shape/data.h"
#include "tests/support/grid_mesh.h"
#include "tests/support/refusal.h"

namespace cairn::shape_test {
namespace {

using Triangle = TriangleMesh::Triangle;
using testing_support::refusal_of;

std::string why_not(const std::vector<Vec3>& vertices, const std::vector<Triangle>& triangles) {
  return refusal_of([&] { const TriangleMesh mesh(vertices, triangles); });
}

const std::vector<Vec3> kTetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const std::vector<Triangle> kTetrahedronSides{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

float bend(const kernels::MeshTriangle& triangle, int side) { return kernels::component(triangle.bend, side); }

/// n x n cells over the unit square, heights by a function.
template <class Height>
TriangleMesh grid(std::uint32_t n, const Height& height) {
  return testing_support::grid_mesh(n + 1, n + 1, [&](std::uint32_t i, std::uint32_t j) {
    const float x = static_cast<float>(i) / static_cast<float>(n), y = static_cast<float>(j) / static_cast<float>(n);
    return Vec3{x, y, height(x, y)};
  });
}

void expect_sound_tree(const TriangleMesh& mesh) {
  const detail::MeshData& data = *mesh.data();
  std::vector<int> seen(data.triangles.size(), 0);
  struct Job {
    std::uint32_t node;
    int depth;
  };
  std::vector<Job> jobs{{0, 0}};
  std::size_t visited = 0;
  const auto holds = [](const kernels::MeshNode& node, const Vec3& lower, const Vec3& upper) {
    return kernels::min(node.lower, lower) == node.lower && kernels::max(node.upper, upper) == node.upper;
  };
  while (!jobs.empty()) {
    const Job job = jobs.back();
    jobs.pop_back();
    ++visited;
    ASSERT_LE(job.depth, kernels::kMeshDepth);
    const kernels::MeshNode& node = data.nodes.at(job.node);
    if (node.count == 0) {
      for (const std::uint32_t child : {node.first, node.first + 1}) {
        ASSERT_TRUE(holds(node, data.nodes.at(child).lower, data.nodes.at(child).upper));
        jobs.push_back({child, job.depth + 1});
      }
    }
    ASSERT_LE(node.count, 4u);
    for (std::uint32_t t = node.first; node.count > 0 && t < node.first + node.count; ++t) {
      const kernels::MeshTriangle& triangle = data.triangles.at(t);
      ++seen[t];
      for (const Vec3& p : {triangle.a, triangle.b, triangle.c}) ASSERT_TRUE(holds(node, p, p));
      const Triangle& given = data.indices.at(data.given[t]);
      EXPECT_EQ(data.vertices[given[0]], triangle.a);
      EXPECT_EQ(data.vertices[given[2]], triangle.c);
    }
  }
  EXPECT_EQ(visited, data.nodes.size());
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
}

TEST(Mesh, of_a_tetrahedron_has_convex_edges_and_inside_out_inner_ones) {
  const TriangleMesh mesh(kTetrahedron, kTetrahedronSides);
  for (const auto& triangle : mesh.data()->triangles) {
    for (int k = 0; k < 3; ++k) EXPECT_LT(bend(triangle, k), 0.999f);
  }
  auto turned = kTetrahedronSides;
  for (Triangle& t : turned) std::swap(t[0], t[1]);
  for (const auto& triangle : TriangleMesh(kTetrahedron, turned).data()->triangles) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(bend(triangle, k), 1.0f);
  }
  expect_sound_tree(mesh);
}

TEST(Mesh, of_a_flat_grid_has_inner_edges_but_for_its_border) {
  for (const float tilt : {0.0f, 0.37f}) {
    const TriangleMesh mesh = grid(17, [&](float x, float y) { return tilt * x - 0.5f * tilt * y; });
    for (const auto& triangle : mesh.data()->triangles) {
      const Vec3 corners[]{triangle.a, triangle.b, triangle.c};
      for (int k = 0; k < 3; ++k) {
        const Vec3 p = corners[k], q = corners[(k + 1) % 3];
        const auto at = [&](float v, float w) { return v == w && (v == 0 || v == 1); };
        EXPECT_EQ(bend(triangle, k), at(p.x, q.x) || at(p.y, q.y) ? 0.0f : 1.0f);
      }
    }
    expect_sound_tree(mesh);
  }
}

TEST(Mesh, edges_that_three_triangles_share_or_that_turn_over_are_outer) {
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}};
  const TriangleMesh three(vertices, std::vector<Triangle>{{0, 1, 2}, {1, 0, 3}, {0, 1, 4}});
  for (const auto& triangle : three.data()->triangles) EXPECT_EQ(triangle.bend, Vec3{});
  const TriangleMesh turned(vertices, std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}});
  for (const auto& triangle : turned.data()->triangles) EXPECT_EQ(triangle.bend, Vec3{});
}

TEST(Mesh, a_sheet_of_two_sides_has_convex_rims) {
  const TriangleMesh sheet({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {{{0, 1, 2}, {0, 2, 1}}});
  for (const auto& triangle : sheet.data()->triangles) {
    for (int k = 0; k < 3; ++k) EXPECT_LT(bend(triangle, k), 0.999f);
  }
}

TEST(Mesh, welds_what_lies_at_one_place_so_that_soups_have_inner_edges) {
  std::vector<Vec3> soup;
  std::vector<Triangle> triangles;
  const TriangleMesh flat = grid(4, [](float, float) { return 0.0f; });
  for (const Triangle& t : flat.triangles()) {
    const auto first = static_cast<std::uint32_t>(soup.size());
    for (const std::uint32_t corner : t) {
      Vec3 p = flat.vertices()[corner];
      if (t[0] % 2 == 0) p.z = -0.0f;
      soup.push_back(p);
    }
    triangles.push_back({first, first + 1, first + 2});
  }
  const TriangleMesh mesh(soup, triangles);
  EXPECT_EQ(mesh.vertices().size(), 25u);
  EXPECT_EQ(mesh.triangles().size(), 32u);
  for (std::size_t t = 0; t < 32; ++t) EXPECT_EQ(mesh.data()->triangles[t].bend, flat.data()->triangles[t].bend);
  EXPECT_EQ(TriangleMesh(mesh.vertices(), mesh.triangles()), mesh);
}

TEST(Mesh, leaves_out_triangles_without_area_and_sees_past_them) {
  // a square of two triangles with a corner on the diagonal of one, and the sliver that fills the gap
  const std::vector<Vec3> vertices{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5f, 0.5f, 0}, {9, 9, 9}};
  const std::vector<Triangle> triangles{{0, 1, 4}, {1, 2, 4}, {0, 4, 2}, {0, 2, 3}, {5, 5, 5}};
  const TriangleMesh mesh(vertices, triangles);
  EXPECT_EQ(mesh.dropped(), 2u);
  EXPECT_EQ(mesh.triangles().size(), 3u);
  EXPECT_EQ(mesh.vertices().size(), 5u);
  EXPECT_EQ(mesh.data()->upper, (Vec3{1, 1, 0}));
  int inner = 0, outer = 0;
  for (const auto& triangle : mesh.data()->triangles) {
    for (int k = 0; k < 3; ++k) {
      inner += bend(triangle, k) == 1.0f;
      outer += bend(triangle, k) == 0.0f;
    }
  }
  EXPECT_EQ(outer, 4);
  EXPECT_EQ(inner, 5);
}

TEST(Mesh, trees_are_sound_for_soups_heaps_and_copies_at_one_place) {
  std::mt19937 random(5);
  std::vector<Vec3> vertices;
  std::vector<Triangle> triangles;
  for (std::uint32_t t = 0; t < 5000; ++t) {
    const float spread = std::exp2(static_cast<float>(random() % 30) - 15);
    for (int k = 0; k < 3; ++k) {
      const auto next = [&] { return spread * static_cast<float>(random()) * 0x1p-32f; };
      vertices.push_back({next(), next(), next()});
    }
    triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  expect_sound_tree(TriangleMesh(vertices, triangles));
  triangles.assign(1000, {0, 1, 2});
  const TriangleMesh copies(vertices, triangles);
  EXPECT_EQ(copies.triangles().size(), 1000u);
  expect_sound_tree(copies);
}

TEST(Mesh, that_cuts_through_itself_is_made_and_weighs_what_lies_in_it_twice_twice) {
  std::vector<Vec3> vertices = kTetrahedron;
  std::vector<Triangle> sides = kTetrahedronSides;
  for (const Vec3& v : kTetrahedron) vertices.push_back({v.x + 0.25f, v.y + 0.125f, v.z + 0.0625f});
  for (const Triangle& t : kTetrahedronSides) sides.push_back({t[0] + 4, t[1] + 4, t[2] + 4});
  const TriangleMesh mesh(vertices, sides);
  expect_sound_tree(mesh);
  EXPECT_EQ(mesh.triangles().size(), 8u);
  const MassProperties mass = mass_properties(mesh, 6);
  // a tetrahedron of these corners has a sixth of their cube, and its middle at a quarter; sums of doubles
  EXPECT_NEAR(mass.mass, 2, 1e-12);
  EXPECT_NEAR(mass.centre_of_mass.x, 0.25 + 0.125, 1e-12);
  EXPECT_NEAR(mass.centre_of_mass.z, 0.25 + 0.03125, 1e-12);
}

TEST(Mesh, refuses_what_is_not_a_surface) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NE(why_not(kTetrahedron, {}).find("must have 1 to 67108864 triangles, has 0"), std::string::npos);
  EXPECT_NE(why_not(kTetrahedron, {{0, 1, 2}, {0, 1, 1u << 31}})
                .find("triangle 1 must be of vertices 0 to 3, has a corner at vertex 2147483648"),
            std::string::npos);
  EXPECT_NE(why_not({{0, 0, 0}, {1, 0, kNan}, {0, 1, 0}}, {{0, 1, 2}}).find("vertex 1 must be finite, is (1, 0, nan)"),
            std::string::npos);
  EXPECT_NE(why_not({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}, {0, 0, 1}}).find("none of its 2"),
            std::string::npos);
}

TEST(HeightField, keeps_what_it_is_given_and_refuses_the_rest) {
  const std::vector<float> heights{0, 1, 2, -3, -0.0f, 5};
  const HeightField field(3, 2, 0.5f, heights);
  EXPECT_EQ(field.data()->lowest, -3);
  EXPECT_EQ(field.data()->highest, 5);
  EXPECT_EQ(field.heights()[4], 0);
  EXPECT_EQ(field, HeightField(3, 2, 0.5f, {{0, 1, 2, -3, 0, 5}}));
  EXPECT_NE(field, HeightField(2, 3, 0.5f, heights));
  EXPECT_NE(field, HeightField(3, 2, 0.25f, heights));
  const auto why = [](std::uint32_t columns, std::uint32_t rows, float spacing, std::vector<float> list) {
    return refusal_of([&] { const HeightField made(columns, rows, spacing, list); });
  };
  EXPECT_EQ(why(1, 2, 1, {0, 0}), "height field: must have 2 to 8192 columns, has 1");
  EXPECT_EQ(why(2, 8193, 1, {0, 0}), "height field: must have 2 to 8192 rows, has 8193");
  EXPECT_EQ(why(2, 2, 0, {0, 0, 0, 0}), "height field: spacing must be over 0 and finite, is 0");
  EXPECT_EQ(why(2, 2, 1, {0, 0, 0}), "height field: must have columns * rows = 4 heights, has 3");
  EXPECT_EQ(why(2, 2, 1, {0, 0, 0, std::numeric_limits<float>::infinity()}),
            "height field: height 3 (column 1, row 1) must be finite, is inf");
}

}  // namespace
}  // namespace cairn::shape_test
