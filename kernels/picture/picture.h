#pragma once
// A pixel: rays on a square of sub-pixels; each lights what it meets by a sun with soft shadow and by one ray of light from the sky.

#include "kernels/common/exact.h"
#include "kernels/picture/trace.h"

namespace cairn::kernels {

struct PictureCamera {
  Vec3 eye;                    ///< [m] from the picture's origin
  Vec3 forward, right, above;  ///< [1] unit
  float tangent;               ///< [1] of half the vertical angle of view
};

struct PictureLight {
  Vec3 up;              ///< [1] unit
  Vec3 sun;             ///< [1] unit, towards the sun
  Vec3 ground;          ///< [1] colour of planes
  Vec3 grid_x, grid_y;  ///< [1] unit, directions of the lines on planes
  Vec3 grid_origin;     ///< [m] a crossing of lines
  float grid;           ///< [m] distance between lines
  float size;           ///< [m] bounding radius of a typical body
  float haze;           ///< [m] distance at which the ground has become the sky
};

CAIRN_HD Vec3 mix(Vec3 a, Vec3 b, float t) { return fma(t, b - a, a); }
CAIRN_HD float smooth(float t) { return t * t * (3.0f - 2.0f * t); }
/// The finaliser of MurmurHash3 (Appleby 2011).
CAIRN_HD std::uint32_t scramble(std::uint32_t h) {
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}
CAIRN_HD float fraction(float a) { return a - static_cast<float>(floor_to_int(a)); }

/// Light of the sky in a direction whose height (dot with up) is given.
CAIRN_HD Vec3 sky(float height) {
  return mix({1.42f, 1.40f, 1.36f}, {0.50f, 0.80f, 1.20f}, smooth(clamp(1.25f * height, 0.0f, 1.0f)));
}

/// How much of a line at distance `from` is seen by a pixel `footprint` wide, both in units of the distance between lines.
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

/// Rounds the edges of boxes by turning the normal, and draws rings on round shapes, so that one sees them roll.
CAIRN_HD Vec3 detail(const PictureShape& shape, Vec3 point, Vec3& normal) {
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
  const float z = abs(p.z) - (shape.kind == ShapeKind::kCapsule ? shape.size.z : 0.0f);
  return abs(z) < 0.12f * shape.size.x ? mix(shape.color, {0.86f, 0.83f, 0.76f}, 0.75f) : shape.color;
}

/// Equation: light = colour x (sun x max(n.l, 0) x [nothing between] + light of the sky in one cosine-weighted direction), with a
/// specular term after Blinn (1977). The directions of a pixel's rays follow the R2 sequence (Roberts 2018) from a place of its own.
/// Writes pixel i only. One thread per pixel.
struct DrawPixel {
  PictureGeometry scene;
  PictureCamera camera;
  PictureLight light;
  std::uint32_t width, height, samples;  ///< [1]
  std::uint8_t* rgb;                     ///< (3 width height)

  CAIRN_HD Vec3 shade(const Ray& ray, const PictureHit& hit, float u, float v) const {
    const Vec3 backdrop = sky(dot(ray.direction, light.up));
    if (!hit.any) return backdrop;
    Vec3 point = fma(hit.t, ray.direction, ray.origin);
    Vec3 n = hit.normal;
    const float footprint =
        2.0f * camera.tangent * hit.t / (static_cast<float>(height) * max(-dot(n, ray.direction), 0.02f));
    const Vec3 color =
        hit.shape == kNone ? ground_color(light, point, footprint) : detail(scene.shapes[hit.shape], point, n);
    point = fma(max(5e-4f * light.size, 1e-5f * hit.t), hit.normal, point);

    // a point of the sun's disc and a direction of the sky from the same two numbers
    const float radius = sqrt(u);
    const SinCos turn = sincos(6.28318531f * v);
    const Vec3 s = tangent_of(light.sun), t = cross(light.sun, s);
    const Vec3 to_sun =
        normalized(fma(0.035f * radius * turn.cos, s, fma(0.035f * radius * turn.sin, t, light.sun)), light.sun);
    const Vec3 a = tangent_of(n), b = cross(n, a);
    const Vec3 to_sky = fma(radius * turn.cos, a, fma(radius * turn.sin, b, sqrt(max(1.0f - u, 0.0f)) * n));

    Vec3 received{};
    const float facing = dot(n, to_sun);
    if (facing > 0.0f && dot(hit.normal, to_sun) > 0.0f && !trace(scene, make_ray(point, to_sun), 1e9f, true).any) {
      const Vec3 half = normalized(to_sun - ray.direction, n);
      float shine = max(dot(n, half), 0.0f);
      for (int k = 0; k < 5; ++k) shine = shine * shine;
      received = (facing * 2.0f + (hit.shape == kNone ? 0.0f : 0.35f) * shine) * Vec3{1.0f, 0.93f, 0.82f};
    }
    const PictureHit blocked = trace(scene, make_ray(point, to_sky), 24.0f * light.size, false);
    // what the sky doesn't light, its neighbours do, the less the nearer they are
    const float near = blocked.any ? clamp(blocked.t / (24.0f * light.size), 0.0f, 1.0f) : 1.0f;
    const Vec3 open = 0.58f * sky(max(dot(to_sky, light.up), 0.0f));
    received = received + (blocked.any ? mix({0.10f, 0.09f, 0.08f}, open, near * near) : open);
    const Vec3 lit = mul(color, received);
    // the ground fades into the sky at its edge
    const float far = hit.shape == kNone ? smooth(clamp(hit.t / light.haze, 0.0f, 1.0f)) : 0.0f;
    return mix(lit, sky(0.0f), far);
  }

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t x = i % width, y = i / width;
    const float fx = static_cast<float>(x), fy = static_cast<float>(y);
    const std::uint32_t seed = scramble(i), other = scramble(seed);
    const float step = 1.0f / static_cast<float>(samples);
    const float scale = 2.0f * camera.tangent / static_cast<float>(height);
    Vec3 sum{};
    for (std::uint32_t k = 0; k < samples * samples; ++k) {
      const float px = fx + step * (static_cast<float>(k % samples) + 0.5f) - 0.5f * static_cast<float>(width);
      const float py = 0.5f * static_cast<float>(height) - fy - step * (static_cast<float>(k / samples) + 0.5f);
      const Vec3 toward = fma(scale * px, camera.right, fma(scale * py, camera.above, camera.forward));
      const Ray ray = make_ray(camera.eye, normalized(toward, camera.forward));
      // 32-bit fractions wrap around by themselves
      const float u = 0x1p-24f * static_cast<float>((seed + k * 3242174889u) >> 8);
      const float v = 0x1p-24f * static_cast<float>((other + k * 2447445414u) >> 8);
      sum = sum + shade(ray, trace(scene, ray, 1e9f, false), u, v);
    }
    const Vec3 mean = (step * step) * sum;
    for (std::uint32_t k = 0; k < 3; ++k) {
      // Reinhard et al. 2002, equation 4, white at 2.2; then a gamma of 2
      const float c = component(mean, static_cast<int>(k));
      const float shown = c * (1.0f + c * (1.0f / 4.84f)) / (1.0f + c);
      rgb[3 * i + k] = static_cast<std::uint8_t>(floor_to_int(fma(255.0f, sqrt(clamp(shown, 0.0f, 1.0f)), 0.5f)));
    }
  }
};

}  // namespace cairn::kernels
