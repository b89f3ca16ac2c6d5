#include "src/picture/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>

#include "kernels/common/exact.h"
#include "src/picture/picture_shapes.h"
#include "src/shape/data.h"
#include "src/shape/shape_parts.h"

namespace cairn::picture {
namespace {

using quality::Kind;
using quality::PlacedShape;

constexpr double kHaze = 7;                 // camera distances at which the ground ends
constexpr double kHidden = 0.05;            // max share of bodies that a static shape hides without becoming glass
constexpr std::uint32_t kFieldCells = 512;  // max cells drawn a side of a height field
constexpr double kMinMark = 0.02;           // min size of marks over the camera's distance: lines a pixel or two wide
constexpr std::size_t kProbes = 256;        // bodies tested for being hidden

// stone, clay, sand, moss and slate; sRGB
constexpr std::array<std::uint32_t, 8> kPalette{0xd9775a, 0x47658a, 0x86b39b, 0xf0cd8d,
                                                0xd8d3c5, 0xb2564a, 0x93b9cf, 0x8f8a83};
constexpr std::uint32_t kStaticColor = 0xb5b0a8;
constexpr std::uint32_t kGroundColor = 0xc4bfb6;
// water, oil, milk and slime, for the fluids of a picture in their order
constexpr std::array<std::uint32_t, 4> kFluidColors{0x4a8fb8, 0xd8a54a, 0xe6e0d2, 0x7fae5a};

// [1] max reflectance: about that of white paint. Light that never fades would bleach corners
constexpr double kMaxAlbedo = 0.95;

// The share of reflected light for the sRGB value `v` of a channel, with a gamma of 2. Its inverse, `tone` of
// kernels/picture/shading.h, is a root, which every processor rounds alike; the gamma of sRGB itself is about 2.2.
template <class T>
float albedo(T v, T brightness = 1) {
  return static_cast<float>(std::min(v * v * brightness, static_cast<T>(kMaxAlbedo)));
}

Vec3 color_of(std::uint32_t rgb, double brightness) {
  const auto channel = [&](int shift) { return albedo(static_cast<double>(rgb >> shift & 0xff) / 255, brightness); };
  return {channel(16), channel(8), channel(0)};
}

Vec3 color_of(Vec3 rgb) { return {albedo(rgb.x), albedo(rgb.y), albedo(rgb.z)}; }

std::uint64_t scattered(std::size_t slot) {
  std::uint64_t h = (slot + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93u;
  return h ^ (h >> 32);
}

bool finite(const BodyState& s) {
  const Quat q = s.orientation;
  const double sum = s.position.x + s.position.y + s.position.z;
  return std::isfinite(sum) && std::isfinite(q.x + q.y + q.z + q.w) &&
         q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w > 0;
}

double bounding_radius(const PlacedShape& s) {
  if (s.kind == Kind::kBall) return s.half.z + s.radius;
  if (s.kind == Kind::kFrustum) return extent_of(Double3{std::max(s.radius, s.top_radius), 0, s.half.z});
  if (s.kind == Kind::kEllipsoid) return std::max({s.half.x, s.half.y, s.half.z});
  return extent_of(s.half) + extent_of(s.offset) + s.radius;
}

// Faces of hulls, each hull once.
class Faces {
 public:
  explicit Faces(std::vector<kernels::PicturePlane>& all) : all_(all) {}
  std::uint32_t first_of(const detail::HullData& hull) {
    const auto [found, is_new] = first_.emplace(&hull, static_cast<std::uint32_t>(all_.size()));
    if (is_new) {
      for (const kernels::HullFace& face : hull.faces) all_.push_back({face.normal, face.offset});
    }
    return found->second;
  }

 private:
  std::vector<kernels::PicturePlane>& all_;
  std::unordered_map<const detail::HullData*, std::uint32_t> first_;
};

// For anything but a surface.
kernels::PictureShape picture_shape(const Item& item, Double3 origin, Vec3 color, Faces& faces) {
  const PlacedShape& s = item.shape;
  kernels::PictureShape p;
  p.axes = {narrow(s.axis[0]), narrow(s.axis[1]), narrow(s.axis[2])};
  p.centre = narrow(s.x - origin);
  p.color = color;
  p.size = narrow(s.half);
  switch (s.kind) {
    case Kind::kBox:
      p.kind = s.radius > 0 ? kernels::ShapeKind::kRoundedBox : kernels::ShapeKind::kBox;
      p.round = static_cast<float>(s.radius);
      break;
    case Kind::kFrustum:
      p.kind = kernels::ShapeKind::kFrustum;
      p.size = narrow({s.radius, s.top_radius, s.half.z});
      break;
    case Kind::kEllipsoid:
      p.kind = kernels::ShapeKind::kEllipsoid;
      break;
    case Kind::kHull:
      p.kind = kernels::ShapeKind::kHull;
      p.size = narrow(Double3{std::abs(s.offset.x), std::abs(s.offset.y), std::abs(s.offset.z)} + s.half);
      p.first_face = faces.first_of(*s.hull);
      p.face_count = static_cast<std::uint32_t>(s.hull->faces.size());
      break;
    default:
      p.kind = s.half.z > 0 ? kernels::ShapeKind::kCapsule : kernels::ShapeKind::kSphere;
      p.size = narrow({s.radius, 0, s.half.z});
      break;
  }
  return p;
}

// Calls f with the corners of each triangle, in the surface's own axes. A large height field is sampled more coarsely.
template <class F>
void for_each_triangle(const PlacedShape& s, F f) {
  if (s.kind == Kind::kMesh) {
    for (const kernels::MeshTriangle& t : s.mesh->triangles) f(wide(t.a), wide(t.b), wide(t.c));
    return;
  }
  const detail::FieldData& field = *s.field;
  const std::uint32_t stride = (std::max(field.columns, field.rows) - 2) / kFieldCells + 1;
  const auto corner = [&](std::uint32_t i, std::uint32_t j) {
    i = std::min(i, field.columns - 1);
    j = std::min(j, field.rows - 1);
    return Double3{double{field.spacing} * i, double{field.spacing} * j,
                   field.heights[std::size_t{j} * field.columns + i]};
  };
  for (std::uint32_t j = 0; j + 1 < field.rows; j += stride) {
    for (std::uint32_t i = 0; i + 1 < field.columns; i += stride) {
      const Double3 a = corner(i, j), b = corner(i + stride, j), c = corner(i + stride, j + stride);
      f(a, b, c);
      f(a, c, corner(i, j + stride));
    }
  }
}

void add_triangles(const PlacedShape& s, Double3 origin, Vec3 color, std::vector<kernels::PictureShape>& shapes) {
  const auto placed = [&](Double3 v) { return s.x - origin + v.x * s.axis[0] + v.y * s.axis[1] + v.z * s.axis[2]; };
  for_each_triangle(s, [&](Double3 a_local, Double3 b_local, Double3 c_local) {
    const Double3 a = placed(a_local), b = placed(b_local), c = placed(c_local);
    shapes.push_back(triangle({a, b, c}, color));
  });
}

void add_skin(const Skin& skin, Vec3 color, Double3 origin, View& view) {
  for (const SkinTriangle& t : skin.triangles) {
    kernels::PictureShape p = triangle({t.at[0] - origin, t.at[1] - origin, t.at[2] - origin}, color);
    p.first_face = static_cast<std::uint32_t>(view.faces.size());
    p.face_count = 3;
    for (const Double3& n : t.normal) view.faces.push_back({narrow(n), 0});
    view.shapes.push_back(p);
  }
  const auto add_plain = [&](kernels::PictureShape p) {
    p.plain = 1;
    view.shapes.push_back(p);
  };
  for (const auto& [from, to] : skin.tubes) add_plain(tube(from - origin, to - origin, skin.radius, color));
  for (const Double3& at : skin.drops) add_plain(ball(at - origin, skin.radius, color));
}

bool hides(const kernels::PictureShape& shape, std::span<const Item> subjects, Double3 eye, Double3 origin) {
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

// [m] a power of ten near the size of a body
double grid_spacing(double diameter) {
  double spacing = 1;
  while (spacing > 3.2 * diameter) spacing /= 10;
  while (spacing * 3.2 < diameter) spacing *= 10;
  return spacing;
}

}  // namespace

Vec3 body_color(std::size_t family, std::size_t body) {
  return color_of(kPalette[scattered(family) % kPalette.size()],
                  0.8 + 0.4 * static_cast<double>(scattered(body) >> 40 & 0xff) / 255);
}

Vec3 static_color() { return color_of(kStaticColor, 1); }

Vec3 color_of_body(const Body& body, std::size_t family, std::size_t index) {
  if (body.color) return color_of(*body.color);
  return body.type == BodyType::kDynamic ? body_color(family, index) : static_color();
}

std::array<Vec3d, 2> level_axes(Vec3 up) {
  const Frame frame = choose_frame({Item{}}, unit(wide(up)));
  return {Vec3d{frame.x.x, frame.x.y, frame.x.z}, Vec3d{frame.y.x, frame.y.y, frame.y.z}};
}

double width_of(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up) {
  double widest = 0;
  for (const Vec3d& along : level_axes(up)) {
    const Double3 axis = wide(along);
    double low = 1e300, high = -1e300;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (!bodies[i].enabled || !finite(states[i])) continue;
      for (const shape::Part& part : shape::parts_of(bodies[i])) {
        const PlacedShape placed = quality::place(part.shape, states[i]);
        if (placed.kind == Kind::kPlane) continue;
        const double at = dot(placed.x, axis), radius = bounding_radius(placed);
        low = std::min(low, at - radius);
        high = std::max(high, at + radius);
      }
    }
    widest = std::max(widest, high - low);
  }
  return widest;
}

View make_view(const Subject& of, const PictureOptions& options) {
  const double aspect = static_cast<double>(options.width) / options.height;
  const std::optional<PictureCamera>& given = options.camera;
  const auto& [bodies, states, up_float, joints, skins, family, world] = of;
  std::vector<Item> items, subjects;
  std::vector<PlacedShape> planes;
  Vec3 ground_color = color_of(kGroundColor, 1);
  // keeps the hulls of tubes alive
  std::vector<std::vector<shape::Part>> parts;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].enabled || !finite(states[i])) continue;
    parts.push_back(shape::parts_of(bodies[i]));
    for (const shape::Part& part : parts.back()) {
      const PlacedShape placed = quality::place(part.shape, states[i]);
      if (placed.kind == Kind::kPlane) {
        planes.push_back(placed);
        if (bodies[i].color) ground_color = color_of(*bodies[i].color);
        continue;
      }
      items.push_back({placed, bounding_radius(placed), i, bodies[i].type == BodyType::kDynamic, part.shape.sensor});
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

  const Double3 up = unit(wide(up_float));
  const Frame frame = choose_frame(subjects, up);
  // whole metres, so that lines on the ground don't move
  Double3 origin = subjects[subjects.size() / 2].shape.x;
  origin = {std::floor(origin.x), std::floor(origin.y), std::floor(origin.z)};
  for (Item& s : subjects) s.shape.x -= origin;
  const auto seen_from = [&] {
    if (!given) return frame_subjects(subjects, frame, aspect);
    const kernels::SinCosd half = kernels::sincos(given->field_of_view * std::numbers::pi / 360);
    return look_at(wide(given->eye) - origin, wide(given->target) - origin, half.sin / half.cos, subjects, frame);
  };
  const Camera camera = seen_from();
  for (Item& s : subjects) s.shape.x += origin;
  const Double3 eye = camera.eye + origin;

  View view;
  std::vector<bool> covered(bodies.size());
  std::size_t fluids = 0;
  for (const Skin& skin : skins) {
    for (const std::uint32_t body : skin.covered) covered[body] = true;
    const Vec3 usual =
        skin.fluid ? color_of(kFluidColors[fluids++ % kFluidColors.size()], 1) : body_color(skin.body, skin.body);
    add_skin(skin, skin.color ? color_of(*skin.color) : usual, origin, view);
  }
  const auto beside = [&](const Item& item) {
    if (of.world.empty()) return std::span<const Item>(subjects);
    const auto world_of = [&](const Item& subject) { return of.world[subject.body]; };
    return std::span<const Item>(std::ranges::lower_bound(subjects, world_of(item), {}, world_of),
                                 std::ranges::upper_bound(subjects, world_of(item), {}, world_of));
  };
  Faces faces(view.faces);
  double lowest = 1e300;
  const Double3 up_size{std::abs(up.x), std::abs(up.y), std::abs(up.z)};
  for (const Item& item : items) {
    if (!item.dynamic)
      lowest = std::min(lowest, dot(quality::middle(item.shape), up) - dot(quality::bounds(item.shape), up_size));
    if (covered[item.body]) continue;
    if (is_surface(item.shape)) {
      const std::optional<Vec3>& own = bodies[item.body].color;
      add_triangles(item.shape, origin, own ? color_of(*own) : color_of(kGroundColor, 1),
                    item.sensor ? view.glass : view.shapes);
      continue;
    }
    const Vec3 color = color_of_body(bodies[item.body], family.empty() ? item.body : family[item.body], item.body);
    const kernels::PictureShape shape = picture_shape(item, origin, color, faces);
    const bool wall =
        !item.dynamic && shape.kind == kernels::ShapeKind::kBox && hides(shape, beside(item), eye, origin);
    const bool glass = wall || item.sensor;
    (glass ? view.glass : view.shapes).push_back(shape);
  }
  bool ground = false;
  for (const PlacedShape& plane : planes) {
    const Double3 n = plane.axis[2];
    ground = ground || dot(n, up) > 0.5;
    if (dot(n, eye - plane.x) > 0) view.planes.push_back({narrow(n), static_cast<float>(dot(n, plane.x - origin))});
  }
  // a scene without ground gets one
  if (!ground && lowest < 1e300) view.planes.push_back({narrow(up), static_cast<float>(lowest - dot(origin, up))});
  view.nodes = build_tree(view.shapes);
  view.glass_nodes = build_tree(view.glass);
  std::vector<double> sizes(bodies.size(), 0.0);
  for (const Item& item : items) sizes[item.body] = std::max(sizes[item.body], item.radius);
  view.marks = marks_of(joints, states, {sizes, size, kMinMark * camera.distance}, origin);
  view.mark_nodes = build_tree(view.marks);

  const double grid = grid_spacing(2 * size);
  view.camera = {narrow(camera.eye), narrow(camera.forward), narrow(camera.right), narrow(camera.above),
                 static_cast<float>(camera.tangent)};
  const Double3 target = eye + camera.distance * camera.forward;
  view.seen_from = given ? *given : PictureCamera{{eye.x, eye.y, eye.z}, {target.x, target.y, target.z}};
  view.light.up = narrow(up);
  // from behind the camera's left shoulder
  view.light.sun = narrow(unit(options.sun ? wide(*options.sun) : up - 0.5 * camera.right + 0.6 * camera.front));
  view.light.sun_x = kernels::tangent_of(view.light.sun);
  view.light.sun_y = kernels::cross(view.light.sun, view.light.sun_x);
  view.light.ground = ground_color;
  view.light.grid_x = narrow(frame.x);
  view.light.grid_y = narrow(frame.y);
  view.light.grid_origin = narrow(std::fmod(-dot(origin, frame.x), 10 * grid) * frame.x +
                                  std::fmod(-dot(origin, frame.y), 10 * grid) * frame.y);
  view.light.grid = static_cast<float>(grid);
  view.light.size = static_cast<float>(size);
  view.light.haze = static_cast<float>(kHaze * camera.distance);
  return view;
}

bool has_less_than_pixels(const View& view, const PictureOptions& options) {
  constexpr float kPixels = 1.5f;  // this width contains a pixel's middle in any direction
  const float pixel = 2 * view.camera.tangent / static_cast<float>(options.height);
  const auto thin = [&](const kernels::PictureShape& shape) {
    if (shape.kind == kernels::ShapeKind::kMesh) return false;
    const Vec3 s = shape.size;
    const bool round = shape.kind == kernels::ShapeKind::kSphere || shape.kind == kernels::ShapeKind::kCapsule;
    const bool frustum = shape.kind == kernels::ShapeKind::kFrustum;
    const float half = round     ? s.x
                       : frustum ? std::min(std::max(s.x, s.y), s.z)
                                 : kernels::min_component(s) + shape.round;
    return 2 * half < kPixels * pixel * kernels::length(kernels::operator-(shape.centre, view.camera.eye));
  };
  return std::ranges::any_of(view.shapes, thin) || std::ranges::any_of(view.marks, thin);
}

}  // namespace cairn::picture
