// The pictures of docs/fields.md, drawn again and compared with those in git. CAIRN_GOLDEN=write writes them.

#include <algorithm>

#include "tests/fields/systems.h"
#include "tests/support/svg.h"

namespace cairn::fields_test {
namespace {

using namespace testing_support;

/// One arrowhead a boid, in a square of `side` pixels that holds them all.
void draw_flock(Svg& svg, const ParticleStates& s, double left, double side, const char* title) {
  Vec3d low = s.position[0], high = low;
  for (const Vec3d& x : s.position) {
    low = {std::min(low.x, x.x), std::min(low.y, x.y), 0};
    high = {std::max(high.x, x.x), std::max(high.y, x.y), 0};
  }
  const double span = std::max(high.x - low.x, high.y - low.y), scale = 0.9 * side / span;
  svg.add("<text x=\"%.1f\" y=\"18\">%s: %.1f m across</text>\n", left + 8, title, span);
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const double x = left + side / 2 + scale * (s.position[i].x - 0.5 * (low.x + high.x));
    const double y = 24 + side / 2 - scale * (s.position[i].y - 0.5 * (low.y + high.y));
    const Vec3d& v = s.velocity[i];
    const double speed = distance(v, {}), c = v.x / speed, d = -v.y / speed;
    svg.add("<path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" fill=\"#0072b2\"/>\n", x + 5 * c, y + 5 * d, x - 3 * c - 2 * d,
            y - 3 * d + 2 * c, x - 3 * c + 2 * d, y - 3 * d - 2 * c);
  }
}

TEST(Pictures, show_boids_before_and_after) {
  ParticleSystem system(flock(300, 16), Device::cpu(2));
  system.add(fields::Boids{.radius = 3,
                           .separation_radius = 1,
                           .separation = 4,
                           .alignment = 2,
                           .cohesion = 0.5,
                           .cruise_speed = 1,
                           .cruise = 2});
  Svg svg(860, 460);
  draw_flock(svg, system.state(), 0, 430, "at first");
  system.integrate(15, 0.02, Integrator::kTrapezoid);
  draw_flock(svg, system.state(), 430, 430, "after 15 s");
  expect_picture("boids.svg", svg.done());
}

TEST(Pictures, show_tracks_in_curl_noise) {
  constexpr int kRows = 18, kPoints = 24;
  ParticleStates s;
  for (int i = 0; i < kRows * kRows; ++i) s.position.push_back({(i % kRows + 0.5) / 2, (i / kRows + 0.5) / 2, 0});
  ParticleSystem system(s, Device::cpu(2));
  system.add(fields::CurlNoise{.rate = 50, .speed = 1, .scale = 3, .octaves = 2, .seed = 4});
  std::vector<ParticleStates> track{system.state()};
  for (int k = 1; k < kPoints; ++k) {
    system.integrate(0.03 * k, 0.005, Integrator::kRungeKutta4);
    track.push_back(system.state());
  }
  Svg svg(620, 620);
  constexpr double kScale = 60, kMargin = 40;  // [1/m, 1] pixels
  for (std::size_t i = 0; i < s.position.size(); ++i) {
    const double z = track.back().position[i].z;
    svg.add("<polyline fill=\"none\" stroke=\"%s\" points=\"", z > 0 ? "#d55e00" : "#0072b2");
    for (const ParticleStates& at : track) {
      svg.add("%.1f,%.1f ", kMargin + kScale * at.position[i].x, kMargin + kScale * (9 - at.position[i].y));
    }
    svg.add("\"/>\n");
    const Vec3d& end = track.back().position[i];
    svg.add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"1.6\"/>\n", kMargin + kScale * end.x, kMargin + kScale * (9 - end.y));
  }
  expect_picture("curl_noise.svg", svg.done());
}

}  // namespace
}  // namespace cairn::fields_test
