// Feeds arbitrary vertices and indices to triangle meshes, and arbitrary samples to height fields. They are refused, or
// a World can hold them: a body falls on them, and rays meet them, with finite answers.
//
// The first byte of an input tells what it is and how its numbers are in it; the next two how many vertices, or columns
// and rows, follow.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "cairn/queries.h"
#include "cairn/world.h"
#include "src/shape/data.h"
#include "tests/fuzz/require.h"

namespace {

using namespace cairn;
using fuzz::require;

struct Input {
  const std::uint8_t* data;
  std::size_t size;

  std::uint8_t byte() {
    if (size == 0) return 0;
    --size;
    return *data++;
  }
  template <class T>
  T raw() {
    T value{};
    const std::size_t n = size < sizeof value ? size : sizeof value;
    std::memcpy(&value, data, n);
    data += n;
    size -= n;
    return value;
  }
  /// Any float, or one of a lattice: only on that do corners coincide, and triangles lie in one plane.
  float number(bool any) { return any ? raw<float>() : 0.125f * static_cast<float>(byte()) - 16; }
};

/// A ball dropped on it and a ray cast at it, if it can be a body.
void use(const Geometry& surface) {
  Scene scene;
  scene.add_material({.name = "stuff"});
  try {
    scene.add_body({.name = "surface", .type = BodyType::kStatic, .shapes = {{.geometry = surface}}});
  } catch (const InvalidArgument&) {
    return;  // larger than a shape may be
  }
  scene.add_body({.name = "ball",
                  .position = {0.5, 0.5, 1},
                  .linear_velocity = {0, 0, -10},
                  .shapes = {{.geometry = Sphere{1}}},
                  .density = 1000.0f});
  World world(scene, {.device = Device::cpu(1)});
  world.step();
  world.step();
  const BodyState state = world.state(world.bodies()[1]);
  require(std::isfinite(state.position.x + state.position.y + state.position.z));
  require(std::isfinite(state.linear_velocity.x + state.linear_velocity.y + state.linear_velocity.z));
  const std::vector<RayQuery> rays{{.origin = {0.5, 0.5, 20}}, {.origin = {-20, 0.25, 0.25}, .direction = {1, 0, 0}}};
  const std::vector<QueryHit> hits = world.queries().cast_rays(rays);
  world.queries().set_brute(true);
  require(world.queries().cast_rays(rays) == hits);
}

void mesh(Input input, bool any) {
  const std::uint8_t count = input.byte();
  const bool far = (input.byte() & 1u) != 0;
  std::vector<Vec3> vertices;
  for (int i = 0; i < count; ++i) {
    const float x = input.number(any), y = input.number(any), z = input.number(any);
    vertices.push_back({x, y, z});
  }
  std::vector<TriangleMesh::Triangle> triangles;
  const auto index = [&] {
    return far ? input.raw<std::uint32_t>() : static_cast<std::uint32_t>(input.byte()) % (count + 1u);
  };
  while (input.size != 0) {
    const std::uint32_t a = index(), b = index(), c = index();
    triangles.push_back({a, b, c});
  }
  const TriangleMesh made(vertices, triangles);
  require(made.triangles().size() + made.dropped() <= triangles.size());
  require(TriangleMesh(made.vertices(), made.triangles()).triangles().size() == made.triangles().size());
  use(made);
}

void field(Input input, bool any) {
  const std::uint8_t columns = input.byte() % 32, rows = input.byte() % 32;
  const float spacing = any ? input.raw<float>() : 0.125f * static_cast<float>(input.byte());
  std::vector<float> heights;
  for (int i = 0; i < columns * rows && input.size != 0; ++i) heights.push_back(input.number(any));
  const HeightField made(columns, rows, spacing, heights);
  require(made.heights().size() == heights.size());
  use(made);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input input{data, size};
  const std::uint8_t kind = input.byte();
  try {
    ((kind & 1u) != 0 ? field : mesh)(input, (kind & 2u) != 0);
  } catch (const InvalidArgument&) {
    // refused, with a reason
  }
  return 0;
}
