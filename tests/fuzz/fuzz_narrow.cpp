// Feeds arbitrary floats to the narrow phase: two shapes of any kinds, or a shape and a triangle, with any sizes, poses
// and margin; hulls are some of a fixed set. Whatever comes in, the
// manifold must be sound; for inputs of a sane scale the figures must fit together too.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cairn/geometry.h"
#include "kernels/collide/collide_shapes.h"
#include "kernels/collide/triangle.h"
#include "src/shape/data.h"

namespace {

using namespace cairn::kernels;

/// Hulls of which the input names one: a cube, a tetrahedron, a plate, and points of a ball.
struct Hulls {
  std::vector<Hull> hulls;
  std::vector<Vec3> vertices;
  std::vector<HullFace> faces;
  std::vector<std::uint16_t> corners;

  Hulls() {
    std::vector<Vec3> cube, plate, ball;
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner{(k & 1) != 0 ? 1.0f : -1.0f, (k & 2) != 0 ? 1.0f : -1.0f, (k & 4) != 0 ? 1.0f : -1.0f};
      cube.push_back(corner);
      plate.push_back({corner.x, corner.y, 0.0625f * corner.z});
    }
    std::uint32_t seed = 1;
    const auto draw = [&] {
      seed = seed * 1664525u + 1013904223u;
      return static_cast<float>(seed >> 8) * 0x1p-23f - 1.0f;
    };
    for (int k = 0; k < 40; ++k) ball.push_back(normalized(Vec3{draw(), draw(), draw()}, {1, 0, 0}));
    add(cube);
    add({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
    add(plate);
    add(ball);
  }
  void add(const std::vector<Vec3>& points) {
    const cairn::ConvexHull hull(points);
    const cairn::detail::HullData& d = *hull.data();
    hulls.push_back({static_cast<std::uint32_t>(vertices.size()), static_cast<std::uint32_t>(d.vertices.size()),
                     static_cast<std::uint32_t>(faces.size()), static_cast<std::uint32_t>(d.faces.size()),
                     static_cast<std::uint32_t>(corners.size()), d.centre, d.radius, d.thickness});
    vertices.insert(vertices.end(), d.vertices.begin(), d.vertices.end());
    faces.insert(faces.end(), d.faces.begin(), d.faces.end());
    corners.insert(corners.end(), d.corners.begin(), d.corners.end());
  }
  Solids solids() const {
    Solids s{};
    s.hull = hulls.data();
    s.hull_vertex = vertices.data();
    s.hull_face = faces.data();
    s.hull_corner = corners.data();
    return s;
  }
};

constexpr ShapeKind kKinds[] = {ShapeKind::kSphere,  ShapeKind::kBox,       ShapeKind::kCapsule,    ShapeKind::kPlane,
                                ShapeKind::kFrustum, ShapeKind::kEllipsoid, ShapeKind::kRoundedBox, ShapeKind::kHull};

struct Input {
  std::uint8_t kinds;  ///< low and high four bits: of A and B; B of 8 or more is a triangle
  std::uint8_t lattice;
  std::uint8_t hulls;  ///< low and high four bits
  std::uint8_t padding;
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
  static const Hulls kHulls;
  const Solids solids = kHulls.solids();
  const bool triangle = (in.kinds & 0x80u) != 0;
  ShapeGeometry ga{kKinds[in.kinds & 7u], in.size[0], {}, {}}, gb{kKinds[in.kinds >> 4 & 7u], in.size[1], {}, {}};
  const auto finish = [&](ShapeGeometry& g, unsigned hull) {
    g.data = hull & 3u;
    if (g.kind == ShapeKind::kRoundedBox) g.round = g.size.x;
    if (g.kind == ShapeKind::kHull || g.kind == ShapeKind::kSphere) g.size = {g.size.x, 0, 0};
  };
  finish(ga, in.hulls);
  finish(gb, in.hulls >> 4);
  if (triangle && ga.kind == ShapeKind::kPlane) return 0;
  // its corners are sizes and places of the input, in the pose of B
  const Vec3 s = in.size[1];
  const MeshTriangle corners{s, {s.y, s.z, -s.x}, {-s.z, s.x, 0}, {}};
  const auto collide = [&] {
    if (!triangle) return collide_shapes(ga, {in.x[0], in.q[0]}, gb, {in.x[1], in.q[1]}, in.margin, solids);
    // what calls it for triangles has looked at the numbers before, and meshes have no triangles without area
    if (!sane(in) || !finite(in.q[0]) || !finite(in.q[1])) return no_contact();
    if (!(length(cross(corners.b - corners.a, corners.c - corners.a)) > 1e-4f)) return no_contact();
    const Convex shape = convex_of(ga, {in.x[0], in.q[0]}, solids);
    Epa epa;
    return usable(collide_triangle(shape, corners, 1, {in.x[1], in.q[1]}, in.margin, epa), in.margin);
  };
  const ContactPoints m = collide();

  require(m.count <= 4, "more than four points");
  bool all_finite = finite(in.margin);
  all_finite = all_finite && finite(ga, {in.x[0], in.q[0]}) && (triangle || finite(gb, {in.x[1], in.q[1]}));
  if (!all_finite || (!triangle && ga.kind == ShapeKind::kPlane && gb.kind == ShapeKind::kPlane))
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
  const ContactPoints again = collide();
  require(again.count == m.count && again.normal == m.normal, "a second call differs");
  return 0;
}
