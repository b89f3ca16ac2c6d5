#pragma once
// Shapes of a picture that are no body's shapes, about its origin: triangles, balls, tubes, and marks of joints; and
// the tree of boxes around all shapes, which rays walk (tree.cpp).

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/picture/trace.h"
#include "src/picture/camera.h"

namespace cairn::picture {

inline Vec3 narrow(Double3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

inline kernels::PictureShape triangle(const std::array<Double3, 3>& at, Vec3 color) {
  const auto& [a, b, c] = at;
  Double3 middle;
  for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (std::min({a[k], b[k], c[k]}) + std::max({a[k], b[k], c[k]}));
  kernels::PictureShape p;
  p.kind = kernels::ShapeKind::kMesh;
  p.centre = narrow(middle);
  p.size = narrow(a - middle);
  p.axes = {narrow(b - a), narrow(c - a), {}};
  p.color = color;
  return p;
}

inline kernels::PictureShape ball(Double3 at, double radius, Vec3 color) {
  kernels::PictureShape p;
  p.kind = kernels::ShapeKind::kSphere;
  p.axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  p.centre = narrow(at);
  p.size = {static_cast<float>(radius), 0, 0};
  p.color = color;
  return p;
}

/// A capsule from one point to another, which differ.
inline kernels::PictureShape tube(Double3 from, Double3 to, double radius, Vec3 color) {
  const Double3 along = to - from;
  const double length = extent_of(along);
  const Double3 z = along / length;
  const Double3 least = std::abs(z.x) < 0.7 ? Double3{1, 0, 0} : Double3{0, 1, 0};
  const Double3 x = unit(cross(least, z));
  kernels::PictureShape p;
  p.kind = kernels::ShapeKind::kCapsule;
  p.axes = {narrow(x), narrow(cross(z, x)), narrow(z)};
  p.centre = narrow(0.5 * (from + to));
  p.size = {static_cast<float>(radius), 0, static_cast<float>(0.5 * length)};
  p.color = color;
  return p;
}

/// Sizes of the bodies of a picture.
struct MarkSizes {
  std::span<const double> bodies;  ///< [m] (bodies) bounding radii of their shapes; 0 where none is drawn
  double usual{0};                 ///< [m] for joints of bodies without shapes
  double min_visible{0};           ///< [m] min visible size
};

/// Marks of joints, over the bodies: a ball at the anchor, a bar along each axis, and thin lines to the bodies; a line
/// along a rod, a rope or a pulley's rope. Sized by the smaller body of each joint. None for gears, and for joints with
/// a body that isn't finite. The joints' bodies are indices of `states`.
std::vector<kernels::PictureShape> marks_of(std::span<const Joint> joints, std::span<const BodyState> states,
                                            const MarkSizes& sizes, Double3 origin);

/// Puts the shapes into the tree's order and returns its nodes. No tree is deeper than kPictureDepth.
std::vector<kernels::PictureNode> build_tree(std::vector<kernels::PictureShape>& shapes);

}  // namespace cairn::picture
