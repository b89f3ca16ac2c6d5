#pragma once
// A picture in two passes. TracePixel sends one ray per pixel, lights its hit by a sun with soft shadow, and samples
// the openness of the sky there by another ray. ShowPixel sends more rays where pixels differ, on a square of
// sub-pixels: first one of each row and column, and the others where these differ. It takes the openness of the sky
// from the pixels around that show the same surface.

#include "kernels/common/exact.h"
#include "kernels/picture/shading.h"
#include "kernels/picture/trace.h"

namespace cairn::kernels {

struct PictureCamera {
  Vec3 eye;                    ///< [m] from the picture's origin
  Vec3 forward, right, above;  ///< [1] unit
  float tangent;               ///< [1] of half the vertical angle of view
};

/// Result of a ray: light + open x sky.
struct PixelLight {
  Vec3 light;             ///< [1] without that of the open sky
  Vec3 sky;               ///< [1] of an unobstructed sky
  float open;             ///< [1] openness of the sky, 0 to 1
  std::uint32_t surface;  ///< [1] a shape, kNone for planes, kTriangles, kSky
  Vec3 normal;            ///< [1] of that surface
};
inline constexpr std::uint32_t kSky = kNone - 1;        ///< [1] hit of a ray that leaves the scene
inline constexpr std::uint32_t kTriangles = kNone - 2;  ///< [1] of any surface of triangles

/// Equation: light = colour x (sun x max(n.l, 0) x [nothing between] + light of the sky in one cosine-weighted
/// direction), with a specular term after Blinn (1977). Directions follow the R2 sequence (Roberts 2018): to the sun
/// from a place of each pixel, to the sky over squares of 4 x 4 pixels, so that the mean over any such square has all.
/// Writes pixel i only. One thread per pixel.
struct TracePixel {
  PictureGeometry scene;
  PictureCamera camera;
  PictureLight light;
  PictureGeometry marks;                 ///< drawn over anything in front of them
  PictureGeometry glass;                 ///< only tints the scene behind it
  std::uint32_t width, height, samples;  ///< [1]
  PixelLight* pixels;                    ///< (width height)

  /// The k-th point of the R2 sequence on the unit disc, shifted by `seed`.
  struct DiscPoint {
    CAIRN_HD DiscPoint(std::uint32_t k, std::uint32_t seed)
        // 32-bit fractions wrap around by themselves
        : u(0x1p-24f * static_cast<float>((seed + k * 3242174889u) >> 8)),
          radius(sqrt(u)),
          angle(sincos(6.28318531f * 0x1p-24f * static_cast<float>((mix32(seed) + k * 2447445414u) >> 8))) {}
    CAIRN_HD float x() const { return radius * angle.cos; }
    CAIRN_HD float y() const { return radius * angle.sin; }
    float u, radius;  ///< [1] radius squared, and radius
    SinCos angle;
  };

  /// All but the openness of the sky, for which `to_sky` is set.
  CAIRN_HD PixelLight shade(const Ray& ray, const PictureHit& hit, DiscPoint at_sun, DiscPoint at_sky,
                            Ray& to_sky) const {
    if (!hit.any) return {sky(dot(ray.direction, light.up)), {}, 1.0f, kSky, {}};
    Vec3 point = fma(hit.t, ray.direction, ray.origin);
    Vec3 n = hit.normal;
    const float footprint =
        2.0f * camera.tangent * hit.t / (static_cast<float>(height) * max(-dot(n, ray.direction), 0.02f));
    const Vec3 color = hit.shape == kNone ? ground_color(light, point, footprint)
                                          : detail(scene.shapes[hit.shape], scene.faces, point, n);
    point = fma(max(5e-4f * light.size, 1e-5f * hit.t), hit.normal, point);

    // a point of the sun's disc, and a direction of the sky
    const Vec3 in_disc = fma(0.035f * at_sun.x(), light.sun_x, fma(0.035f * at_sun.y(), light.sun_y, light.sun));
    const Vec3 to_sun = (1.0f / length(in_disc)) * in_disc;
    const Vec3 a = tangent_of(n), b = cross(n, a);
    to_sky = make_ray(point, fma(at_sky.x(), a, fma(at_sky.y(), b, sqrt(max(1.0f - at_sky.u, 0.0f)) * n)));

    Vec3 sun{};
    const float facing = dot(n, light.sun);
    if (facing > 0.0f && dot(hit.normal, to_sun) > 0.0f && !trace(scene, make_ray(point, to_sun), 1e9f, true).any) {
      const Vec3 half = normalized(light.sun - ray.direction, n);
      float shine = max(dot(n, half), 0.0f);
      for (int k = 0; k < 5; ++k) shine = shine * shine;
      sun = (facing * 2.0f + (hit.shape == kNone ? 0.0f : 0.35f) * shine) * Vec3{1.0f, 0.93f, 0.82f};
    }
    const bool triangle = hit.shape != kNone && scene.shapes[hit.shape].kind == ShapeKind::kMesh;
    const Vec3 neighbours{0.10f, 0.09f, 0.08f};
    // the ground fades into the sky at its edge
    const float far = hit.shape == kNone ? smooth(clamp(hit.t / light.haze, 0.0f, 1.0f)) : 0.0f;
    return {mix(mul(color, sun + neighbours), sky(0.0f), far),
            (1.0f - far) * mul(color, 0.58f * sky_above(dot(n, light.up)) - neighbours), 1.0f,
            triangle ? kTriangles : hit.shape, n};
  }

  /// Where the sky doesn't shine, neighbours do; the nearer they are, the less.
  CAIRN_HD float open(const PixelLight& seen, const Ray& to_sky) const {
    if (seen.surface == kSky) return 1.0f;
    const float reach = 24.0f * light.size;
    const PictureHit blocked = trace(scene, to_sky, reach, false);
    const float near = blocked.any ? clamp(blocked.t / reach, 0.0f, 1.0f) : 1.0f;
    return near * near;
  }

  CAIRN_HD static void cover(PixelLight& seen, Vec3 color, float share) {
    seen.light = mix(seen.light, color, share);
    seen.sky = (1.0f - share) * seen.sky;
  }

  /// Glass where the ray enters it, up to the first few panes. It is clearer in the middle than along its edges; round
  /// shapes are clearer than along their outline.
  CAIRN_HD void through_glass(const Ray& ray, float reach, PixelLight& seen) const {
    constexpr int kMaxPanes = 8;
    float from = 0.0f;
    for (int k = 0; k < kMaxPanes && from < reach; ++k) {
      const Ray on = make_ray(fma(from, ray.direction, ray.origin), ray.direction);
      const PictureHit pane = trace(glass, on, reach - from, false);
      if (!pane.any) return;
      const PictureShape& shape = glass.shapes[pane.shape];
      bool on_edge = -dot(pane.normal, ray.direction) < 0.2f;
      if (shape.kind == ShapeKind::kBox) {
        const Vec3 p = abs(transpose_mul(shape.axes, fma(pane.t, on.direction, on.origin) - shape.centre));
        const Vec3 inside = shape.size - p;
        // the second smallest distance from a face is that from the nearest edge
        const float edge = max(min(inside.x, inside.y), min(max(inside.x, inside.y), inside.z));
        on_edge = edge < 0.05f * min_component(shape.size);
      }
      cover(seen, {1.05f, 1.12f, 1.15f}, on_edge ? 0.35f : 0.05f);
      from += pane.t + max(5e-4f * light.size, 1e-5f * pane.t);
    }
  }

  /// A mark covers the scene behind it and shines through the scene in front of it. No shadow falls on it.
  CAIRN_HD void under_marks(const Ray& ray, float reach, PixelLight& seen) const {
    constexpr float kOver = 0.95f, kThrough = 0.6f;
    const PictureHit mark = trace(marks, ray, 1e9f, false);
    if (!mark.any) return;
    const float facing = max(-dot(mark.normal, ray.direction), 0.0f);
    cover(seen, (0.5f + facing) * marks.shapes[mark.shape].color, mark.t < reach ? kOver : kThrough);
  }

  /// Light of the k-th sub-pixel.
  CAIRN_HD PixelLight sample(std::uint32_t i, std::uint32_t k, Ray& to_sky) const {
    const std::uint32_t x = i % width, y = i / width;
    const float step = 1.0f / static_cast<float>(samples);
    const float scale = 2.0f * camera.tangent / static_cast<float>(height);
    const float px =
        static_cast<float>(x) + step * (static_cast<float>(k % samples) + 0.5f) - 0.5f * static_cast<float>(width);
    const float py =
        0.5f * static_cast<float>(height) - static_cast<float>(y) - step * (static_cast<float>(k / samples) + 0.5f);
    const Vec3 toward = fma(scale * px, camera.right, fma(scale * py, camera.above, camera.forward));
    const Ray ray = make_ray(camera.eye, (1.0f / length(toward)) * toward);
    const DiscPoint at_sun(k, mix32(i)), at_sky(16 * k + x % 4 * 4 + (x ^ y) % 4, 0);
    const PictureHit hit = trace(scene, ray, 1e9f, false);
    PixelLight seen = shade(ray, hit, at_sun, at_sky, to_sky);
    through_glass(ray, hit.t, seen);
    under_marks(ray, hit.t, seen);
    return seen;
  }
  /// [1] The sub-pixel of the first ray.
  CAIRN_HD std::uint32_t first() const { return samples / 2 * (samples + 1); }

  CAIRN_HD void operator()(std::uint32_t i) const {
    Ray to_sky;
    PixelLight seen = sample(i, first(), to_sky);
    seen.open = open(seen, to_sky);
    pixels[i] = seen;
  }
};

/// Equation: the mean over the pixel's rays of light + (mean of `open` over the pixels around that show the same
/// surface) x sky. Writes the bytes of pixel i only. One thread per pixel.
struct ShowPixel {
  TracePixel first_pass;
  bool all_differ;    ///< [1] one ray may miss details of a pixel: all pixels get more
  std::uint8_t* rgb;  ///< [1] (3 width height) 0..255

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t n = first_pass.samples, first = first_pass.first(), diagonal = (first / n + first % n) % n;
    const PixelLight& own = first_pass.pixels[i];
    Vec3 sum = fma(open_around(i, own), own.sky, own.light), low = unhidden(own), high = low;
    float count = 1.0f;
    bool differ = n > 1 && (all_differ || differs(i, own, low));
    for (const bool early : {true, false}) {
      if (!differ) break;
      differ = false;
      for (std::uint32_t k = 0; k < n * n; ++k) {
        if (k == first || ((k / n + k % n) % n == diagonal) != early) continue;
        Ray to_sky;
        const PixelLight seen = first_pass.sample(i, k, to_sky);
        const float known = open_around(i, seen);
        sum = sum + fma(known < 0.0f ? first_pass.open(seen, to_sky) : known, seen.sky, seen.light);
        count += 1.0f;
        low = min(low, unhidden(seen));
        high = max(high, unhidden(seen));
        differ = differ || seen.surface != own.surface || max_component(high - low) > kWithin;
      }
    }
    const Vec3 shown = tone((1.0f / count) * sum);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const float share = component(shown, static_cast<int>(k));
      rgb[3 * i + k] = static_cast<std::uint8_t>(floor_to_int(fma(255.0f, share, 0.5f)));
    }
  }

 private:
  // differences that count, between rays of a pixel and between neighbouring pixels
  static constexpr float kWithin = 4.0f / 255.0f, kBeside = 12.0f / 255.0f;

  /// As a screen shows it under an unobstructed sky.
  CAIRN_HD static Vec3 unhidden(const PixelLight& seen) { return tone(seen.light + seen.sky); }

  /// True if it differs from a neighbouring pixel.
  CAIRN_HD bool differs(std::uint32_t i, const PixelLight& own, Vec3 shown) const {
    const std::uint32_t x = i % first_pass.width, y = i / first_pass.width;
    const auto from = [&](std::uint32_t at) {
      const PixelLight& other = first_pass.pixels[at];
      return other.surface != own.surface || max_component(abs(unhidden(other) - shown)) > kBeside;
    };
    return (x > 0 && from(i - 1)) || (x + 1 < first_pass.width && from(i + 1)) ||
           (y > 0 && from(i - first_pass.width)) || (y + 1 < first_pass.height && from(i + first_pass.width));
  }

  /// Negative if no pixel around shows the surface.
  CAIRN_HD float open_around(std::uint32_t i, const PixelLight& of) const {
    float open = 0.0f, count = 0.0f;
    const std::uint32_t x = i % first_pass.width, y = i / first_pass.width;
    const std::uint32_t left = x < 1 ? 0 : x - 1, top = y < 1 ? 0 : y - 1;
    for (std::uint32_t v = top; v < top + 4 && v < first_pass.height; ++v) {
      for (std::uint32_t u = left; u < left + 4 && u < first_pass.width; ++u) {
        const PixelLight& other = first_pass.pixels[v * first_pass.width + u];
        if (other.surface != of.surface || dot(other.normal, of.normal) < 0.95f) continue;
        open += other.open;
        count += 1.0f;
      }
    }
    return count > 0.0f ? open / count : -1.0f;
  }
};

}  // namespace cairn::kernels
