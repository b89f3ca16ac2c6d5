// Ground that isn't flat, and bodies whose sizes are far apart.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr double kSolidReach = 0.9;  ///< [m] over the largest bounding radius of a solid, except boxes: they have 1.04
constexpr double kSolidPitch = 2.2;  ///< [m] between dropped solids

/// Hills: random heights every `stride` cells, with a smooth surface between them.
std::vector<float> hills(int samples, int stride, double height, std::uint64_t seed) {
  const int knots = samples / stride + 2;
  const auto knot = [&](int i, int j) {
    return height * Random(seed, 1ull << 33).symmetric(static_cast<std::uint64_t>(j * knots + i));
  };
  const auto ease = [](double t) { return t * t * (3 - 2 * t); };
  std::vector<float> heights;
  heights.reserve(static_cast<std::size_t>(samples) * static_cast<std::size_t>(samples));
  for (int j = 0; j < samples; ++j) {
    for (int i = 0; i < samples; ++i) {
      const double u = ease(static_cast<double>(i % stride) / stride);
      const double v = ease(static_cast<double>(j % stride) / stride);
      const int a = i / stride, b = j / stride;
      const double low = knot(a, b) + u * (knot(a + 1, b) - knot(a, b));
      const double high = knot(a, b + 1) + u * (knot(a + 1, b + 1) - knot(a, b + 1));
      heights.push_back(static_cast<float>(low + v * (high - low)));
    }
  }
  return heights;
}

/// Two triangles a cell of a square grid centred on the origin.
TriangleMesh grid_mesh(int cells, float spacing, const std::vector<float>& heights) {
  std::vector<Vec3> vertices;
  std::vector<TriangleMesh::Triangle> triangles;
  const int samples = cells + 1;
  for (int j = 0; j < samples; ++j) {
    for (int i = 0; i < samples; ++i) {
      vertices.push_back({spacing * (static_cast<float>(i) - 0.5f * static_cast<float>(cells)),
                          spacing * (static_cast<float>(j) - 0.5f * static_cast<float>(cells)),
                          heights[static_cast<std::size_t>(j * samples + i)]});
    }
  }
  for (int j = 0; j < cells; ++j) {
    for (int i = 0; i < cells; ++i) {
      const auto a = static_cast<std::uint32_t>(j * samples + i), b = a + static_cast<std::uint32_t>(samples);
      triangles.push_back({a, a + 1, b + 1});
      triangles.push_back({a, b + 1, b});
    }
  }
  return {vertices, triangles};
}

Body solid_body(std::uint64_t seed, int index, int kind, Vec3d place) {
  const Random random(seed, static_cast<std::uint64_t>(index));
  Body body = make_body(numbered(solid_name(kind), index), BodyType::kDynamic, place, solid(kind, random));
  body.orientation = random.rotation(kRotation);
  return body;
}

}  // namespace

Built terrain(const Spec& spec, std::uint64_t seed) {
  constexpr double kHigh = 2;        ///< [m] of the hills, up or down
  constexpr int kStride = 8;         ///< [1] cells between tops
  constexpr std::uint32_t kRim = 4;  ///< [m] width of the terrain's rim, which rises; nothing is dropped there
  constexpr double kSteep = 1;       ///< [1] slope of the rim
  const int count = spec.whole("count"), size = spec.whole("size");
  Built built;
  built.scene.add_material(stone());
  const auto samples = static_cast<std::uint32_t>(size) + 1;
  std::vector<float> heights = hills(size + 1, kStride, kHigh, seed);
  // a rim, so that rolling bodies stay
  for (std::uint32_t j = 0; j < samples; ++j) {
    for (std::uint32_t i = 0; i < samples; ++i) {
      const std::uint32_t from_edge = std::min({i, j, samples - 1 - i, samples - 1 - j});
      if (from_edge < kRim) heights[j * samples + i] += static_cast<float>(kSteep * (kRim - from_edge));
    }
  }
  const HeightField field(samples, samples, 1, heights);
  built.scene.add_body(make_body("ground", BodyType::kStatic, {-0.5 * size, -0.5 * size, 0}, field));
  const int across = std::max(1, static_cast<int>((size - 2.0 * kRim) / kSolidPitch));
  for (int k = 0; k < count; ++k) {
    const int layer = k / (across * across), in_layer = k % (across * across);
    const auto kind = static_cast<int>(Random(seed, static_cast<std::uint64_t>(k)).bits(kKind) % kSolidKinds);
    const double middle = 0.5 * (across - 1);
    const Vec3d place{(in_layer % across - middle) * kSolidPitch, (in_layer / across - middle) * kSolidPitch,
                      kHigh + kSolidPitch * (layer + 0.5)};
    built.scene.add_body(solid_body(seed, k, kind, place));
  }
  built.rule = FallenRule::kBin;
  built.bin_min = {-0.5 * size, -0.5 * size, -kHigh};
  built.bin_max = {0.5 * size, 0.5 * size, kHigh + kSolidPitch * (count / (across * across) + 2)};
  return built;
}

/// Pieces of gravel in four layers about the foot of a ball of 10 m, wherever they fit below it.
Built gravel(const Spec& spec, std::uint64_t seed) {
  constexpr double kBoulder = 10;  ///< [m] radius
  constexpr int kLayers = 4;
  constexpr double kRoom = 2.6;  ///< [1] distance between pieces over their size: more than their diagonals
  constexpr int kForms = 16;
  const int count = spec.whole("count");
  const double size = kBoulder / spec["ratio"], pitch = kRoom * size;
  Built built = on_floor();
  const Sphere boulder{static_cast<float>(kBoulder)};
  built.scene.add_body(make_body("boulder", BodyType::kDynamic, {0, 0, kBoulder}, boulder));
  std::vector<ConvexHull> forms;
  for (int k = 0; k < kForms; ++k) forms.push_back(random_hull(Random(seed, (1ull << 32) + k), 12, size));
  int made = 0;
  const auto add = [&](int i, int j) {
    for (int layer = 0; layer < kLayers && made < count; ++layer) {
      const Vec3d place{i * pitch, j * pitch, (layer + 0.5) * pitch};
      const double x = place.x, y = place.y, z = place.z - kBoulder;
      if (std::sqrt(x * x + y * y + z * z) < kBoulder + 1.3 * size) continue;
      const Random random(seed, static_cast<std::uint64_t>(made));
      Body body = make_body(numbered("piece", made), BodyType::kDynamic, place, forms[random.bits(kKind) % kForms]);
      body.orientation = random.rotation(kRotation);
      built.scene.add_body(std::move(body));
      ++made;
    }
  };
  // squares of growing size about the foot
  int ring = 0;
  while (made < count) {
    ++ring;
    for (int k = -ring; k < ring; ++k) {
      add(k, -ring);
      add(ring, k);
      add(-k, ring);
      add(-ring, -k);
    }
  }
  built.rule = FallenRule::kNever;
  return built;
}

Built shapes(const Spec&, std::uint64_t seed) {
  constexpr int kCells = 12;     ///< [1] a side of the mesh
  constexpr double kRaised = 1;  ///< [m] of mesh and field over the plane
  constexpr double kApart = 16;  ///< [m] between the grounds
  constexpr double kHigh = 0.2;  ///< [m] of the hills, up or down
  Built built = on_floor();
  const std::vector<float> mesh_heights = hills(kCells + 1, 3, kHigh, seed + 1);
  built.scene.add_body(make_body("mesh", BodyType::kStatic, {kApart, 0, kRaised}, grid_mesh(kCells, 1, mesh_heights)));
  const HeightField field(kCells + 1, kCells + 1, 1, hills(kCells + 1, 3, kHigh, seed + 2));
  built.scene.add_body(make_body("field", BodyType::kStatic, {-kApart - 0.5 * kCells, -0.5 * kCells, kRaised}, field));
  int index = 0;
  for (const double ground : {0.0, kApart, -kApart}) {
    for (int k = 0; k <= kSolidKinds; ++k, ++index) {
      const Vec3d place{ground + (k % 4 - 1.5) * kSolidPitch, (k / 4 - 1) * kSolidPitch,
                        kRaised + kHigh + kSolidReach + 0.2};
      Body body = solid_body(seed, index, std::min(k, kSolidKinds - 1), place);
      if (k == kSolidKinds) {
        // a compound: an L of a box and a cylinder
        body.name = numbered("compound", index);
        body.shapes = {{.geometry = Box{{0.5f, 0.2f, 0.2f}}},
                       {.geometry = Cylinder{0.2f, 0.4f}, .position = {0.4f, 0, 0.5f}}};
      }
      built.scene.add_body(std::move(body));
    }
  }
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
