#include "src/picture/view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "src/picture/camera.h"
#include "src/picture/tree.h"

namespace cairn::picture {
namespace {

using quality::Kind;
using quality::PlacedShape;

constexpr double kHaze = 7;       // distances of the camera at which the ground ends
constexpr double kHidden = 0.05;  // share of the bodies that a static shape may hide without being turned into glass
constexpr std::size_t kProbes = 256;  // bodies asked whether they are hidden

// stone, clay, sand, moss and slate; sRGB, with a gamma of 2 as in the kernel
constexpr std::array<std::uint32_t, 8> kPalette{0xd9775a, 0x47658a, 0x86b39b, 0xf0cd8d,
                                                0xd8d3c5, 0xb2564a, 0x93b9cf, 0x8f8a83};
constexpr std::uint32_t kStaticColor = 0xb5b0a8;
constexpr std::uint32_t kGroundColor = 0xc4bfb6;

Vec3 narrow(Double3 v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

Vec3 color_of(std::uint32_t rgb, double brightness) {
  const auto channel = [&](int shift) {
    const double v = static_cast<double>(rgb >> shift & 0xff) / 255;
    return static_cast<float>(std::min(v * v * brightness, 0.95));
  };
  return {channel(16), channel(8), channel(0)};
}

Vec3 body_color(std::size_t slot, bool dynamic) {
  if (!dynamic) return color_of(kStaticColor, 1);
  std::uint64_t h = (slot + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return color_of(kPalette[h % kPalette.size()], 0.8 + 0.4 * static_cast<double>(h >> 40 & 0xff) / 255);
}

bool finite(const BodyState& s) {
  const Quat q = s.orientation;
  const double sum = s.position.x + s.position.y + s.position.z;
  return std::isfinite(sum) && std::isfinite(q.x + q.y + q.z + q.w) &&
         q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0;
}

double bounding_radius(const PlacedShape& s) { return s.kind == Kind::kBox ? extent_of(s.half) : s.half.z + s.radius; }

kernels::PictureShape picture_shape(const Item& item, Double3 origin) {
  const PlacedShape& s = item.shape;
  kernels::PictureShape p;
  p.axes = {narrow(s.axis[0]), narrow(s.axis[1]), narrow(s.axis[2])};
  p.centre = narrow(s.x - origin);
  p.color = body_color(item.body, item.dynamic);
  if (s.kind == Kind::kBox) {
    p.kind = kernels::ShapeKind::kBox;
    p.size = narrow(s.half);
  } else {
    p.kind = s.half.z > 0 ? kernels::ShapeKind::kCapsule : kernels::ShapeKind::kSphere;
    p.size = narrow({s.radius, 0, s.half.z});
  }
  return p;
}

bool hides(const kernels::PictureShape& shape, const std::vector<Item>& subjects, Double3 eye, Double3 origin) {
  const std::size_t stride = (subjects.size() + kProbes - 1) / kProbes;
  std::size_t asked = 0, hidden = 0;
  for (std::size_t i = 0; i < subjects.size(); i += stride, ++asked) {
    const Double3 toward = subjects[i].shape.x - eye;
    const double distance = extent_of(toward) - subjects[i].radius;
    if (!(distance > 0)) continue;
    kernels::PictureHit hit{static_cast<float>(distance), {}, kernels::kNone, false};
    kernels::meet_shape(shape, 0, kernels::make_ray(narrow(eye - origin), narrow(unit(toward))), hit);
    hidden += hit.any ? 1 : 0;
  }
  return static_cast<double>(hidden) > kHidden * static_cast<double>(asked);
}

// [m] a power of ten that is near the size of a body
double grid_spacing(double diameter) {
  double spacing = 1;
  while (spacing > 3.2 * diameter) spacing /= 10;
  while (spacing * 3.2 < diameter) spacing *= 10;
  return spacing;
}

}  // namespace

View make_view(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up_float, double aspect) {
  std::vector<Item> items, subjects;
  std::vector<PlacedShape> planes;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!finite(states[i])) continue;
    for (const Shape& shape : bodies[i].shapes) {
      const PlacedShape placed = quality::place(shape, states[i]);
      if (placed.kind == Kind::kPlane) {
        planes.push_back(placed);
        continue;
      }
      items.push_back({placed, bounding_radius(placed), i, bodies[i].type == BodyType::kDynamic});
      if (items.back().dynamic) subjects.push_back(items.back());
    }
  }
  if (subjects.empty()) subjects = items;
  if (subjects.empty()) subjects.push_back({{}, 1, 0, false});

  std::vector<double> radii;
  for (const Item& s : subjects) radii.push_back(s.radius);
  std::nth_element(radii.begin(), radii.begin() + radii.size() / 2, radii.end());
  const double size = radii[radii.size() / 2];
  subjects = without_strays(subjects, size);

  const Double3 up = unit(Double3{up_float.x, up_float.y, up_float.z});
  const Frame frame = choose_frame(subjects, up);
  // whole metres, so that lines on the ground stay where they are
  Double3 origin = subjects[subjects.size() / 2].shape.x;
  origin = {std::floor(origin.x), std::floor(origin.y), std::floor(origin.z)};
  for (Item& s : subjects) s.shape.x -= origin;
  const Camera camera = frame_subjects(subjects, frame, aspect);
  for (Item& s : subjects) s.shape.x += origin;
  const Double3 eye = camera.eye + origin;

  View view;
  double lowest = 1e300;
  const Double3 up_size{std::abs(up.x), std::abs(up.y), std::abs(up.z)};
  for (const Item& item : items) {
    const kernels::PictureShape shape = picture_shape(item, origin);
    if (!item.dynamic) lowest = std::min(lowest, dot(item.shape.x, up) - dot(quality::bounds(item.shape), up_size));
    const bool glass = !item.dynamic && hides(shape, subjects, eye, origin);
    (glass ? view.glass : view.shapes).push_back(shape);
  }
  bool ground = false;
  for (const PlacedShape& plane : planes) {
    const Double3 n = plane.axis[2];
    ground = ground || dot(n, up) > 0.5;
    if (dot(n, eye - plane.x) > 0) view.planes.push_back({narrow(n), static_cast<float>(dot(n, plane.x - origin))});
  }
  // what stands on nothing is shown on a ground of its own
  if (!ground && lowest < 1e300) view.planes.push_back({narrow(up), static_cast<float>(lowest - dot(origin, up))});
  view.nodes = build_tree(view.shapes);

  const double grid = grid_spacing(2 * size);
  const Double3 grid_x = frame.x, grid_y = frame.y;
  view.camera = {narrow(camera.eye), narrow(camera.forward), narrow(camera.right), narrow(camera.above),
                 static_cast<float>(kTangent)};
  view.light.up = narrow(up);
  view.light.sun = narrow(unit(up - 0.5 * frame.side + 0.6 * frame.front));
  view.light.ground = color_of(kGroundColor, 1);
  view.light.grid_x = narrow(grid_x);
  view.light.grid_y = narrow(grid_y);
  view.light.grid_origin =
      narrow(std::fmod(-dot(origin, grid_x), 10 * grid) * grid_x + std::fmod(-dot(origin, grid_y), 10 * grid) * grid_y);
  view.light.grid = static_cast<float>(grid);
  view.light.size = static_cast<float>(size);
  view.light.haze = static_cast<float>(kHaze * camera.distance);
  return view;
}

}  // namespace cairn::picture
