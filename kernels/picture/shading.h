#pragma once
// Colours of surfaces before lighting, and the sky.

#include "kernels/picture/trace_shape.h"

namespace cairn::kernels {

struct PictureLight {
  Vec3 up;              ///< [1] unit
  Vec3 sun;             ///< [1] unit, towards the sun
  Vec3 sun_x, sun_y;    ///< [1] unit, across it
  Vec3 ground;          ///< [1] colour of planes
  Vec3 grid_x, grid_y;  ///< [1] unit, directions of the lines on planes
  Vec3 grid_origin;     ///< [m] a crossing of lines
  float grid;           ///< [m] distance between lines
  float size;           ///< [m] bounding radius of a typical body
  float haze;           ///< [m] distance at which the ground has become the sky
};

CAIRN_HD Vec3 mix(Vec3 a, Vec3 b, float t) { return fma(t, b - a, a); }
CAIRN_HD float smooth(float t) { return t * t * (3.0f - 2.0f * t); }
CAIRN_HD float fraction(float a) { return a - static_cast<float>(floor_to_int(a)); }

/// Light of the sky in a direction whose height (dot with up) is given.
CAIRN_HD Vec3 sky(float height) {
  return mix({1.42f, 1.40f, 1.36f}, {0.50f, 0.80f, 1.20f}, smooth(clamp(1.25f * height, 0.0f, 1.0f)));
}

/// The mean over directions about a normal of a height, each by its cosine: a parabola through its values upwards,
/// level and downwards.
CAIRN_HD Vec3 sky_above(float height) {
  const float blue = fma(height, fma(height, 0.154f, 0.404f), 0.25f);
  return mix({1.42f, 1.40f, 1.36f}, {0.50f, 0.80f, 1.20f}, blue);
}

/// Light as a screen shows it, 0 to 1: Reinhard et al. 2002, equation 4, white at 2.2; then a gamma of 2.
CAIRN_HD Vec3 tone(Vec3 light) {
  const auto channel = [](float c) { return sqrt(clamp(c * (1.0f + c * (1.0f / 4.84f)) / (1.0f + c), 0.0f, 1.0f)); };
  return {channel(light.x), channel(light.y), channel(light.z)};
}

/// Coverage of a pixel `footprint` wide by a line at distance `from`, both in units of the distance between lines.
CAIRN_HD float line(float from, float width, float footprint) {
  const float edge = max(footprint, 1e-4f);
  return clamp((0.5f * width - from) / edge + 0.5f, 0.0f, 1.0f) * clamp(2.0f - 8.0f * footprint, 0.0f, 1.0f);
}

CAIRN_HD Vec3 ground_color(const PictureLight& light, Vec3 point, float footprint) {
  float ink = 0.0f;
  for (int k = 0; k < 4; ++k) {
    // each tenth line is wider
    const float spacing = k < 2 ? light.grid : 10.0f * light.grid;
    const float u = dot(point - light.grid_origin, k % 2 == 0 ? light.grid_x : light.grid_y) / spacing;
    const float from = abs(fraction(clamp(u, -1e8f, 1e8f) + 0.5f) - 0.5f);
    ink = max(ink, (k < 2 ? 0.16f : 0.26f) * line(from, k < 2 ? 0.03f : 0.006f, footprint / spacing));
  }
  return (1.0f - ink) * light.ground;
}

/// The mean of a triangle's three normals at a point of it, on the side of `normal`.
CAIRN_HD Vec3 smooth_normal(const PictureShape& triangle, const PicturePlane* normals, Vec3 point, Vec3 normal) {
  const Vec3 e = triangle.axes.x, f = triangle.axes.y, q = point - triangle.centre - triangle.size;
  const float ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), qe = dot(q, e), qf = dot(q, f);
  const float det = fma(ee, ff, -(ef * ef));
  if (!(det > 0.0f)) return normal;
  const float u = fma(ff, qe, -(ef * qf)) / det, v = fma(ee, qf, -(ef * qe)) / det;
  const Vec3 n =
      normalized(fma(1.0f - u - v, normals[0].normal, fma(u, normals[1].normal, v * normals[2].normal)), normal);
  return dot(n, normal) < 0.0f ? -n : n;
}

/// Rounds the edges of boxes, and surfaces that triangles approximate, by turning the normal. Draws rings or stripes on
/// round shapes, so that one sees them roll. `faces` are PictureGeometry's.
CAIRN_HD Vec3 detail(const PictureShape& shape, const PicturePlane* faces, Vec3 point, Vec3& normal) {
  if (shape.kind == ShapeKind::kMesh) {
    if (shape.face_count > 0) normal = smooth_normal(shape, faces + shape.first_face, point, normal);
    return shape.color;
  }
  const Vec3 p = transpose_mul(shape.axes, point - shape.centre);
  if (shape.kind == ShapeKind::kBox) {
    const float bevel = 0.07f * min_component(shape.size);
    Vec3 n = normal;
    for (int k = 0; k < 3; ++k) {
      const float inside = component(shape.size, k) - abs(component(p, k));
      const float turn = clamp(1.0f - inside / bevel, 0.0f, 1.0f);
      const float side = component(p, k) < 0.0f ? -1.0f : 1.0f;
      if (inside > 1e-3f * bevel) n = fma(0.7f * turn * turn * side, column(shape.axes, k), n);
    }
    normal = normalized(n, normal);
    return shape.color;
  }
  if (shape.plain != 0) return shape.color;
  if (shape.kind != ShapeKind::kSphere && shape.kind != ShapeKind::kCapsule && shape.kind != ShapeKind::kEllipsoid &&
      shape.kind != ShapeKind::kFrustum)
    return shape.color;
  // a frustum has a stripe along its side, since a ring about its axis would turn into itself
  if (shape.kind == ShapeKind::kFrustum)
    return abs(p.y) < 0.12f * max(shape.size.x, shape.size.y) ? mix(shape.color, {0.86f, 0.83f, 0.76f}, 0.75f)
                                                              : shape.color;
  const float z = abs(p.z) - (shape.kind == ShapeKind::kCapsule ? shape.size.z : 0.0f);
  return abs(z) < 0.12f * shape.size.x ? mix(shape.color, {0.86f, 0.83f, 0.76f}, 0.75f) : shape.color;
}

}  // namespace cairn::kernels
