#pragma once
// A pixel: rays on a square of sub-pixels; each lights what it meets by a sun with soft shadow and by one ray of light
// from the sky.

#include "kernels/common/exact.h"
#include "kernels/picture/shading.h"
#include "kernels/picture/trace.h"

namespace cairn::kernels {

struct PictureCamera {
  Vec3 eye;                    ///< [m] from the picture's origin
  Vec3 forward, right, above;  ///< [1] unit
  float tangent;               ///< [1] of half the vertical angle of view
};

/// Equation: light = colour x (sun x max(n.l, 0) x [nothing between] + light of the sky in one cosine-weighted
/// direction), with a specular term after Blinn (1977). The directions of a pixel's rays follow the R2 sequence
/// (Roberts 2018) from a place of its own. Writes pixel i only. One thread per pixel.
struct DrawPixel {
  PictureGeometry scene;
  PictureCamera camera;
  PictureLight light;
  PictureGeometry marks;                 ///< drawn over what lies before them
  const PictureShape* glass;             ///< (glass_count) shapes that only tint what lies behind them
  std::uint32_t glass_count;             ///< [1]
  std::uint32_t width, height, samples;  ///< [1]
  std::uint8_t* rgb;                     ///< [1] (3 width height) 0..255

  CAIRN_HD Vec3 shade(const Ray& ray, const PictureHit& hit, float u, float v) const {
    const Vec3 backdrop = sky(dot(ray.direction, light.up));
    if (!hit.any) return backdrop;
    Vec3 point = fma(hit.t, ray.direction, ray.origin);
    Vec3 n = hit.normal;
    const float footprint =
        2.0f * camera.tangent * hit.t / (static_cast<float>(height) * max(-dot(n, ray.direction), 0.02f));
    const Vec3 color = hit.shape == kNone ? ground_color(light, point, footprint)
                                          : detail(scene.shapes[hit.shape], scene.faces, point, n);
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

  /// A pane where the ray enters, clearer in the middle than along its edges; of what is round, than along its outline.
  CAIRN_HD Vec3 through_glass(const Ray& ray, float reach, Vec3 seen) const {
    for (std::uint32_t k = 0; k < glass_count; ++k) {
      PictureHit pane{reach, {}, kNone, false};
      meet_shape(glass[k], k, ray, pane, scene.faces);
      if (!pane.any) continue;
      bool on_edge = -dot(pane.normal, ray.direction) < 0.2f;
      if (glass[k].kind == ShapeKind::kBox) {
        const Vec3 p = abs(transpose_mul(glass[k].axes, fma(pane.t, ray.direction, ray.origin) - glass[k].centre));
        const Vec3 inside = glass[k].size - p;
        // the second least distance from a face is that from the nearest edge
        const float edge = max(min(inside.x, inside.y), min(max(inside.x, inside.y), inside.z));
        on_edge = edge < 0.05f * min_component(glass[k].size);
      }
      seen = mix(seen, {1.05f, 1.12f, 1.15f}, on_edge ? 0.35f : 0.05f);
    }
    return seen;
  }

  /// A mark covers what is behind it and shines through what is before it. No shadow falls on it.
  CAIRN_HD Vec3 under_marks(const Ray& ray, float reach, Vec3 seen) const {
    constexpr float kOver = 0.95f, kThrough = 0.6f;
    const PictureHit mark = trace(marks, ray, 1e9f, false);
    if (!mark.any) return seen;
    const float facing = max(-dot(mark.normal, ray.direction), 0.0f);
    return mix(seen, (0.5f + facing) * marks.shapes[mark.shape].color, mark.t < reach ? kOver : kThrough);
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
      const PictureHit hit = trace(scene, ray, 1e9f, false);
      sum = sum + under_marks(ray, hit.t, through_glass(ray, hit.t, shade(ray, hit, u, v)));
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
