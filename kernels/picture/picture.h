#pragma once
// A picture in two passes. TracePixel sends rays on a square of sub-pixels. Each lights what it meets by a sun with soft
// shadow and by one ray of light from the sky. One of each row and column goes first; where these agree, but for how open
// the sky is, the others are left out. ShowPixel takes how open the sky is from the pixels around that show the same
// surface.

#include "kernels/common/exact.h"
#include "kernels/picture/shading.h"
#include "kernels/picture/trace.h"

namespace cairn::kernels {

struct PictureCamera {
  Vec3 eye;                    ///< [m] from the picture's origin
  Vec3 forward, right, above;  ///< [1] unit
  float tangent;               ///< [1] of half the vertical angle of view
};

/// What a pixel, or a ray, sees: light + open x sky.
struct PixelLight {
  Vec3 light;             ///< [1] but for the open sky's
  Vec3 sky;               ///< [1] of a sky that nothing hides
  float open;             ///< [1] how much of it is open, 0 to 1
  std::uint32_t surface;  ///< [1] a shape, kNone for planes, kTriangles; kMixed where the pixel's rays differ: then
                          ///<     `light` is all
  Vec3 normal;            ///< [1] of that surface
};
inline constexpr std::uint32_t kMixed = kNone - 1;      ///< [1] also what a ray meets that leaves the scene
inline constexpr std::uint32_t kTriangles = kNone - 2;  ///< [1] of any surface of triangles

/// Equation: light = colour x (sun x max(n.l, 0) x [nothing between] + light of the sky in one cosine-weighted
/// direction), with a specular term after Blinn (1977). The directions of a pixel's rays follow the R2 sequence
/// (Roberts 2018) from a place of its own. Writes pixel i only. One thread per pixel.
struct TracePixel {
  PictureGeometry scene;
  PictureCamera camera;
  PictureLight light;
  PictureGeometry marks;                 ///< drawn over what lies before them
  PictureGeometry panes{};               ///< surfaces that do so
  const PictureShape* glass;             ///< (glass_count) shapes that only tint what lies behind them
  std::uint32_t glass_count;             ///< [1]
  std::uint32_t width, height, samples;  ///< [1]
  PixelLight* pixels;                    ///< (width height)

  /// A ray that meets the surface of `like`, another of the pixel, takes over how open its sky is.
  CAIRN_HD PixelLight shade(const Ray& ray, const PictureHit& hit, float u, float v, const PixelLight* like) const {
    if (!hit.any) return {sky(dot(ray.direction, light.up)), {}, 1.0f, kMixed, {}};
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

    Vec3 sun{};
    const float facing = dot(n, light.sun);
    if (facing > 0.0f && dot(hit.normal, to_sun) > 0.0f && !trace(scene, make_ray(point, to_sun), 1e9f, true).any) {
      const Vec3 half = normalized(light.sun - ray.direction, n);
      float shine = max(dot(n, half), 0.0f);
      for (int k = 0; k < 5; ++k) shine = shine * shine;
      sun = (facing * 2.0f + (hit.shape == kNone ? 0.0f : 0.35f) * shine) * Vec3{1.0f, 0.93f, 0.82f};
    }
    const bool triangle = hit.shape != kNone && scene.shapes[hit.shape].kind == ShapeKind::kMesh;
    const std::uint32_t surface = triangle ? kTriangles : hit.shape;
    float open = 1.0f;
    if (like != nullptr && like->surface == surface) {
      open = like->open;
    } else {
      const float reach = 24.0f * light.size;
      const PictureHit blocked = trace(scene, make_ray(point, to_sky), reach, false);
      // what the sky doesn't light, its neighbours do, the less the nearer they are
      const float near = blocked.any ? clamp(blocked.t / reach, 0.0f, 1.0f) : 1.0f;
      open = near * near;
    }
    const Vec3 neighbours{0.10f, 0.09f, 0.08f};
    // the ground fades into the sky at its edge
    const float far = hit.shape == kNone ? smooth(clamp(hit.t / light.haze, 0.0f, 1.0f)) : 0.0f;
    return {mix(mul(color, sun + neighbours), sky(0.0f), far),
            (1.0f - far) * mul(color, 0.58f * sky_above(dot(n, light.up)) - neighbours), open, surface, n};
  }

  CAIRN_HD static void cover(PixelLight& seen, Vec3 color, float share) {
    seen.light = mix(seen.light, color, share);
    seen.sky = (1.0f - share) * seen.sky;
  }

  /// A pane where the ray enters, clearer in the middle than along its edges; of what is round, than along its outline.
  CAIRN_HD void through_glass(const Ray& ray, float reach, PixelLight& seen) const {
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
      cover(seen, {1.05f, 1.12f, 1.15f}, on_edge ? 0.35f : 0.05f);
    }
  }

  /// The same of surfaces, front and back, as far as the first few.
  CAIRN_HD void through_panes(const Ray& ray, float reach, PixelLight& seen) const {
    constexpr int kMaxPanes = 8;
    float from = 0.0f;
    for (int k = 0; k < kMaxPanes && from < reach; ++k) {
      const Ray on = make_ray(fma(from, ray.direction, ray.origin), ray.direction);
      const PictureHit pane = trace(panes, on, reach - from, false);
      if (!pane.any) return;
      cover(seen, {1.05f, 1.12f, 1.15f}, abs(dot(pane.normal, ray.direction)) < 0.2f ? 0.35f : 0.05f);
      from += pane.t + max(5e-4f * light.size, 1e-5f * pane.t);
    }
  }

  /// A mark covers what is behind it and shines through what is before it. No shadow falls on it.
  CAIRN_HD void under_marks(const Ray& ray, float reach, PixelLight& seen) const {
    constexpr float kOver = 0.95f, kThrough = 0.6f;
    const PictureHit mark = trace(marks, ray, 1e9f, false);
    if (!mark.any) return;
    const float facing = max(-dot(mark.normal, ray.direction), 0.0f);
    cover(seen, (0.5f + facing) * marks.shapes[mark.shape].color, mark.t < reach ? kOver : kThrough);
  }

  /// Of the k-th sub-pixel.
  CAIRN_HD PixelLight sample(std::uint32_t i, std::uint32_t k, const PixelLight* like = nullptr) const {
    const float fx = static_cast<float>(i % width), fy = static_cast<float>(i / width);
    const std::uint32_t seed = scramble(i), other = scramble(seed);
    const float step = 1.0f / static_cast<float>(samples);
    const float scale = 2.0f * camera.tangent / static_cast<float>(height);
    const float px = fx + step * (static_cast<float>(k % samples) + 0.5f) - 0.5f * static_cast<float>(width);
    const float py = 0.5f * static_cast<float>(height) - fy - step * (static_cast<float>(k / samples) + 0.5f);
    const Vec3 toward = fma(scale * px, camera.right, fma(scale * py, camera.above, camera.forward));
    const Ray ray = make_ray(camera.eye, normalized(toward, camera.forward));
    // 32-bit fractions wrap around by themselves
    const float u = 0x1p-24f * static_cast<float>((seed + k * 3242174889u) >> 8);
    const float v = 0x1p-24f * static_cast<float>((other + k * 2447445414u) >> 8);
    const PictureHit hit = trace(scene, ray, 1e9f, false);
    PixelLight seen = shade(ray, hit, u, v, like);
    through_glass(ray, hit.t, seen);
    through_panes(ray, hit.t, seen);
    under_marks(ray, hit.t, seen);
    return seen;
  }

  CAIRN_HD void operator()(std::uint32_t i) const {
    constexpr float kAlike = 3.0f / 255.0f;
    const PixelLight first = sample(i, 0);
    Vec3 low = tone(first.light + first.sky), high = low;
    PixelLight sum = first;
    Vec3 all = fma(first.open, first.sky, first.light);
    bool alike = true;
    for (std::uint32_t row = 1; row < samples; ++row) {
      const PixelLight more = sample(i, row * samples + samples - row, &first);
      const Vec3 seen = tone(more.light + more.sky);
      low = min(low, seen);
      high = max(high, seen);
      alike = alike && more.surface == first.surface;
      sum.light = sum.light + more.light;
      sum.sky = sum.sky + more.sky;
      sum.open += more.open;
      all = all + fma(more.open, more.sky, more.light);
    }
    const float share = 1.0f / static_cast<float>(samples);
    if (alike && max_component(high - low) <= kAlike) {
      pixels[i] = {share * sum.light, share * sum.sky, share * sum.open, first.surface, first.normal};
      return;
    }
    for (std::uint32_t k = 0; k < samples * samples; ++k) {
      if (k % samples == (samples - k / samples) % samples) continue;
      const PixelLight more = sample(i, k);
      all = all + fma(more.open, more.sky, more.light);
    }
    pixels[i] = {(share * share) * all, {}, 0.0f, kMixed, {}};
  }
};

/// Equation: light + (mean of `open` over the pixels around that show the same surface) x sky. Writes the bytes of
/// pixel i only. One thread per pixel.
struct ShowPixel {
  const PixelLight* pixels;     ///< (width height)
  std::uint32_t width, height;  ///< [1]
  std::uint8_t* rgb;            ///< [1] (3 width height) 0..255

  CAIRN_HD void operator()(std::uint32_t i) const {
    constexpr std::uint32_t kAround = 2;
    const PixelLight own = pixels[i];
    float open = own.open, count = 1.0f;
    if (own.surface != kMixed) {
      open = 0.0f;
      count = 0.0f;
      const std::uint32_t x = i % width, y = i / width;
      const std::uint32_t left = x < kAround ? 0 : x - kAround, top = y < kAround ? 0 : y - kAround;
      for (std::uint32_t v = top; v <= y + kAround && v < height; ++v) {
        for (std::uint32_t u = left; u <= x + kAround && u < width; ++u) {
          const PixelLight& other = pixels[v * width + u];
          if (other.surface != own.surface || dot(other.normal, own.normal) < 0.95f) continue;
          open += other.open;
          count += 1.0f;
        }
      }
    }
    const Vec3 seen = tone(fma(open / count, own.sky, own.light));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const float share = component(seen, static_cast<int>(k));
      rgb[3 * i + k] = static_cast<std::uint8_t>(floor_to_int(fma(255.0f, share, 0.5f)));
    }
  }
};

}  // namespace cairn::kernels
