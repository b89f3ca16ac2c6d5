// Feeds arbitrary floats to the narrow phase: two shapes of any kinds, sizes, poses and margin. Whatever comes in, the
// manifold must be sound; for inputs of a sane scale the figures must fit together too.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "kernels/collide/collide_shapes.h"

namespace {

using namespace cairn::kernels;

struct Input {
  std::uint8_t kinds, lattice, padding[2];
  Vec3 size[2];
  Vec3 x[2];
  Quat q[2];
  float margin;
};
static_assert(sizeof(Input) == 4 + 2 * 40 + 4);

void require(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "unsound manifold: %s\n", what);
  std::abort();
}

/// A multiple of 1/64 in -2..2: on such numbers shapes align, coincide and touch exactly, which arbitrary floats hardly
/// ever do.
float on_lattice(float a) { return static_cast<float>(static_cast<int>(bits_of(a) >> 8 & 0xffu) - 128) / 64.0f; }
Vec3 on_lattice(Vec3 a) { return {on_lattice(a.x), on_lattice(a.y), on_lattice(a.z)}; }

/// Sizes and places that a scene could have, with which rounding is a known share of the largest number.
bool sane(const Input& in) {
  bool good = std::abs(in.margin) <= 1e3f;
  for (int s = 0; s < 2; ++s) {
    good = good && max_component(abs(in.x[s])) <= 1e3f;
    for (const float h : {in.size[s].x, in.size[s].y, in.size[s].z}) good = good && h >= 1e-2f && h <= 1e3f;
  }
  return good;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Input in{};
  std::memcpy(static_cast<void*>(&in), data, size < sizeof in ? size : sizeof in);
  if ((in.lattice & 1) != 0) {
    for (Vec3& h : in.size) h = abs(on_lattice(h)) + Vec3{1 / 64.0f, 1 / 64.0f, 1 / 64.0f};
    for (Vec3& x : in.x) x = on_lattice(x);
    if ((in.lattice & 2) != 0) {
      for (Quat& q : in.q) q = {on_lattice(q.x), on_lattice(q.y), on_lattice(q.z), on_lattice(q.w)};
    }
    in.margin = on_lattice(in.margin);
  }
  const auto kind_a = static_cast<ShapeKind>(in.kinds & 3), kind_b = static_cast<ShapeKind>(in.kinds >> 2 & 3);
  const ShapeGeometry ga{kind_a, in.size[0], {}, {}}, gb{kind_b, in.size[1], {}, {}};
  const ContactPoints m = collide_shapes(ga, {in.x[0], in.q[0]}, gb, {in.x[1], in.q[1]}, in.margin);

  require(m.count <= 4, "more than four points");
  bool all_finite = finite(in.margin);
  for (int s = 0; s < 2; ++s) all_finite = all_finite && finite(in.size[s]) && finite(in.x[s]) && finite(in.q[s]);
  if (!all_finite || (kind_a == ShapeKind::kPlane && kind_b == ShapeKind::kPlane))
    require(m.count == 0, "points from nothing");
  if (m.count == 0) return 0;

  require(std::abs(dot(m.normal, m.normal) - 1.0f) <= 1e-3f, "normal is not unit");
  for (std::uint32_t i = 0; i < m.count; ++i) {
    const ContactPoint& p = m.point[i];
    require(finite(p.a) && finite(p.b) && finite(p.separation), "a point is not finite");
    require(p.separation <= in.margin, "a point is past the margin");
    for (std::uint32_t j = 0; j < i; ++j) require(m.point[j].feature != p.feature, "two points of one feature");
    // numbers up to 1e3 times a few round by 1e-7 of that, some tens of times
    if (sane(in)) require(std::abs(dot(m.normal, p.b - p.a) - p.separation) <= 2e-2f, "points and separation disagree");
  }

  // the same again gives the same bits
  const ContactPoints again = collide_shapes(ga, {in.x[0], in.q[0]}, gb, {in.x[1], in.q[1]}, in.margin);
  require(again.count == m.count && again.normal == m.normal, "a second call differs");
  return 0;
}
