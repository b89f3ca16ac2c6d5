// Meshes by the divergence theorem against closed forms, and those that enclose nothing.

#include <algorithm>
#include <string>

#include "tests/mass/mass_near.h"
#include "tests/mass/meshes.h"
#include "tests/support/refusal.h"

namespace cairn::mass_test {
namespace {

using testing_support::refusal_of;

std::string why_not(const Surface& surface) {
  return refusal_of([&] { mass_properties(mesh_of(surface), 1); });
}

TEST(MassOfMeshes, box_is_the_box) {
  const MassProperties got = mass_properties(mesh_of(box_surface({0.5f, 1, 2}, {3, 5, -7})), 2);
  expect_same(got, mass_properties(Box{{0.5f, 1, 2}}, 2));
  EXPECT_EQ(got.centre_of_mass, (Vec3d{3, 5, -7}));
}

TEST(MassOfMeshes, corner_of_a_cube_has_the_tensor_of_the_integrals) {
  // over x, y, z >= 0 with x + y + z <= 1: volume 1/6, mean x 1/4, integral of x^2 1/60, of x y 1/120. About the centre
  // the squares are 1/60 - 1/96, the products 1/120 - 1/96
  const TriangleMesh mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                          {{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  const MassProperties got = mass_properties(mesh, 1);
  expect_near(got.mass, 1.0 / 6, kRelative);
  expect_near(got.centre_of_mass.x, 0.25, kRelative);
  const Inertia tensor = inertia_of(got);
  const double square = 1.0 / 60 - 1.0 / 96, product = 1.0 / 120 - 1.0 / 96;
  // to float
  expect_near(tensor.moments.x, 2 * square, 0x1p-23);
  expect_near(tensor.moments.z, 2 * square, 0x1p-23);
  expect_near(tensor.products.x, -product, 0x1p-23);
  expect_near(tensor.products.z, -product, 0x1p-23);
  // the tensor is (2 s + p) 1 - p J, J of ones: 2 s - 2 p along (1, 1, 1), 2 s + p across it; p is negative
  const auto [x, y, z] = got.moments;
  expect_near(std::max({x, y, z}), 2 * square - 2 * product, 1e-12);
  expect_near(std::min({x, y, z}), 2 * square + product, 1e-12);
}

TEST(MassOfMeshes, ball_converges_at_second_order) {
  const MassProperties want = mass_properties(Sphere{1}, 1);
  double before = 0;
  for (const std::uint32_t n : {16u, 32u, 64u}) {
    const MassProperties got = mass_properties(mesh_of(ball_surface(n, 1)), 1);
    const double off = std::abs(got.moments.z - want.moments.z);
    // the polyhedron's faces lie below the ball by (pi / n)^2 / 8 of the radius and less, five times in r^5
    EXPECT_LT(off / want.moments.z, 5 * std::pow(kPi / n, 2) / 2);
    if (before > 0) {
      EXPECT_NEAR(before / off, 4, 0.1);
    }
    before = off;
  }
}

TEST(MassOfMeshes, torus_converges_to_pappus) {
  const double ring = 2, pipe = 0.5;
  const auto place = [&](double u, double v) {
    const double r = ring + pipe * std::cos(v);
    return Vec3{static_cast<float>(r * std::cos(u)), static_cast<float>(r * std::sin(u)),
                static_cast<float>(pipe * std::sin(v))};
  };
  const double volume = 2 * kPi * kPi * ring * pipe * pipe;
  const double axial = volume * (ring * ring + 0.75 * pipe * pipe);
  const double across = volume * (0.5 * ring * ring + 0.625 * pipe * pipe);
  double before[3]{};
  for (const std::uint32_t n : {32u, 64u, 128u}) {
    const MassProperties got = mass_properties(mesh_of(closed_grid(n, n, place)), 1);
    const double off[]{volume - got.mass, axial - got.moments.z, across - got.moments.x};
    for (int k = 0; k < 3; ++k) {
      if (before[k] > 0) {
        EXPECT_NEAR(before[k] / off[k], 4, 0.1);
      }
      before[k] = off[k];
    }
  }
  EXPECT_LT(before[1] / axial, 4 * std::pow(kPi / 128, 2));
}

TEST(MassOfMeshes, open_ones_are_refused_with_the_leak) {
  Surface box = box_surface({1, 1, 1});
  box.triangles.erase(box.triangles.begin());
  EXPECT_NE(why_not(box).find("must be closed to have a mass, and the edge from vertex"), std::string::npos);
  EXPECT_NE(why_not(box).find("has no triangle on its other side"), std::string::npos) << why_not(box);
  box = box_surface({1, 1, 1});
  std::swap(box.triangles[3][0], box.triangles[3][1]);
  EXPECT_NE(why_not(box).find("has triangles that turn opposite sides outwards"), std::string::npos) << why_not(box);
}

TEST(MassOfMeshes, inside_out_and_flat_ones_are_refused) {
  Surface box = box_surface({1, 1, 1});
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(why_not(box).find("is inside out, so that its volume is -8 m^3"), std::string::npos) << why_not(box);
  const Surface sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_NE(why_not(sheet).find("encloses none"), std::string::npos);
}

TEST(MassOfMeshes, slivers_that_were_left_out_still_close) {
  // the box's top with a vertex on the edge between its two triangles, used on one side only
  Surface box = box_surface({1, 1, 1});
  box.vertices.push_back({0, 0, 1});
  // {4, 5, 7} and {4, 7, 6}: the first is cut in two at 8, and 4, 8, 7 fills the gap
  box.triangles.erase(box.triangles.begin() + 2);
  box.triangles.insert(box.triangles.end(), {{4, 5, 8}, {5, 7, 8}, {4, 8, 7}});
  const TriangleMesh mesh = mesh_of(box);
  EXPECT_EQ(mesh.dropped(), 1u);
  expect_near(mass_properties(mesh, 1).mass, 8, kRelative);
}

}  // namespace
}  // namespace cairn::mass_test
