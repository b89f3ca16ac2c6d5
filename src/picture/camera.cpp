#include "src/picture/camera.h"

#include <algorithm>

namespace cairn::picture {
namespace {

constexpr double kMargin = 0.84;  // share of the picture's width and height that the bodies may fill

/// [m] Of the bounding spheres along an axis.
double extent_along(Double3 axis, const std::vector<Item>& subjects) {
  double low = 1e300, high = -1e300;
  for (const Item& s : subjects) {
    low = std::min(low, dot(s.shape.x, axis) - s.radius);
    high = std::max(high, dot(s.shape.x, axis) + s.radius);
  }
  return high - low;
}

}  // namespace

Frame choose_frame(const std::vector<Item>& subjects, Double3 up) {
  const Double3 hint = std::abs(up.x) < 0.9 ? Double3{1, 0, 0} : Double3{0, 1, 0};
  const Double3 x = unit(hint - dot(hint, up) * up), y = cross(up, x);
  const bool along_y = extent_along(y, subjects) <= 1.2 * extent_along(x, subjects);
  const Double3 depth = along_y ? -y : x, width = along_y ? x : y;
  const Double3 front = unit(depth + 0.6 * width);
  return {up, cross(up, front), front, x, y};
}

Camera frame_subjects(const std::vector<Item>& subjects, const Frame& frame, double aspect) {
  double across = 0;
  for (const Item& s : subjects) {
    for (const Item& t : {subjects.front(), subjects.back()})
      across = std::max(across, extent_of(s.shape.x - t.shape.x));
  }
  // tall scenes are seen from the side, flat ones from above
  const double lift = std::clamp(0.05 + 0.25 * across / extent_along(frame.up, subjects), 0.2, 0.5);
  Camera c;
  c.forward = -unit(frame.front + lift * frame.up);
  c.right = frame.side;
  c.above = cross(c.right, c.forward);
  c.front = frame.front;
  // a plane through the eye bounds each side; its offset is the farthest of the spheres', and two opposite planes meet
  // at the eye
  struct Fit {
    double centre, depth;
  };
  const auto fit = [&](Double3 axis, double tangent) {
    const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
    double plus = -1e300, minus = -1e300;
    for (const Item& s : subjects) {
      const double a = dot(s.shape.x, axis), z = dot(s.shape.x, c.forward);
      plus = std::max(plus, cosine * a - sine * z + s.radius);
      minus = std::max(minus, -cosine * a - sine * z + s.radius);
    }
    return Fit{(plus - minus) / (2 * cosine), -(plus + minus) / (2 * sine)};
  };
  const double tangent_x = kMargin * kTangent * aspect, tangent_y = kMargin * kTangent;
  const double z = std::min(fit(c.right, tangent_x).depth, fit(c.above, tangent_y).depth);
  // the axis with free space takes the narrower angle that fits at this depth, so that both margins are equal
  const auto centre = [&](Double3 axis, double widest) {
    double low_t = 1e-3 * widest, high_t = widest;
    for (int k = 0; k < 24; ++k) {
      const double middle = 0.5 * (low_t + high_t);
      (fit(axis, middle).depth < z ? low_t : high_t) = middle;
    }
    return fit(axis, high_t).centre;
  };
  c.eye = centre(c.right, tangent_x) * c.right + centre(c.above, tangent_y) * c.above + z * c.forward;
  for (const Item& s : subjects) c.distance = std::max(c.distance, dot(s.shape.x - c.eye, c.forward));
  return c;
}

Camera look_at(Double3 eye, Double3 target, double tangent, const std::vector<Item>& subjects, const Frame& frame) {
  Camera c;
  c.eye = eye;
  c.forward = unit(target - eye);
  const Double3 across = cross(c.forward, frame.up);
  c.right = extent_of(across) > 1e-6 ? unit(across) : unit(frame.x - dot(frame.x, c.forward) * c.forward);
  c.above = cross(c.right, c.forward);
  c.front = cross(c.right, frame.up);
  c.tangent = tangent;
  // haze and marks use the distance: at least that of the target
  c.distance = extent_of(target - eye);
  for (const Item& s : subjects) c.distance = std::max(c.distance, dot(s.shape.x - eye, c.forward));
  return c;
}

std::vector<Item> without_strays(const std::vector<Item>& all, double size) {
  double spread = 0;
  Double3 low, high;
  for (int k = 0; k < 3; ++k) {
    std::vector<double> at;
    for (const Item& s : all) at.push_back(s.shape.x[k]);
    std::sort(at.begin(), at.end());
    low[k] = at[at.size() / 10];
    high[k] = at[at.size() - 1 - at.size() / 10];
    spread = std::max(spread, high[k] - low[k]);
  }
  const double reach = 2 * spread + 8 * size;
  std::vector<Item> near;
  for (const Item& s : all) {
    bool stray = false;
    for (int k = 0; k < 3; ++k) stray = stray || s.shape.x[k] < low[k] - reach || s.shape.x[k] > high[k] + reach;
    if (!stray) near.push_back(s);
  }
  return near;
}

}  // namespace cairn::picture
