// Families of structures with a known limit.

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "cairn/geometry.h"
#include "scenes/random.h"
#include "tools/cairn/planar.h"

namespace cairn::cli {
namespace {

constexpr double kG = 9.81;          ///< [m/s^2]
constexpr double kDensity = 1000;    ///< [kg/m^3]
constexpr double kHalfDepth = 0.25;  ///< [m]
constexpr double kDegree = std::numbers::pi / 180;

/// Numbers of a case, by their uses.
struct Choice {
  scenes::Random random;
  Choice(std::uint64_t seed, std::uint64_t family) : random(seed, family) {}
  double number(std::uint64_t channel, double low, double high) const {
    return low + 0.5 * (high - low) * (1 + random.symmetric(channel));
  }
  int whole(std::uint64_t channel, int low, int high) const {
    return low + static_cast<int>(random.bits(channel) % static_cast<std::uint64_t>(high - low + 1));
  }
};

class Builder {
 public:
  explicit Builder(double friction) : friction_(friction) {
    scene().add_material({.name = "stone", .density = kDensity, .friction = static_cast<float>(friction)});
    plane({0, 0, 1}, {0, 0, 0});
  }
  Scene& scene() { return made_.scene; }

  void plane(Vec3 normal, Vec3d at) { ground(at, Plane{normal, 0}); }
  void ground(Vec3d at, Geometry geometry) {
    Body body;
    body.name = "ground" + std::to_string(grounds_++);
    body.type = BodyType::kStatic;
    body.position = at;
    body.shapes.push_back({.geometry = std::move(geometry)});
    scene().add_body(std::move(body));
  }
  int block(double x, double z, double mass, Geometry geometry, double lean = 0) {
    Body body;
    body.name = "block" + std::to_string(made_.blocks.size());
    body.type = BodyType::kDynamic;
    body.position = {x, 0, z};
    body.orientation = {0, static_cast<float>(std::sin(lean / 2)), 0, static_cast<float>(std::cos(lean / 2))};
    body.shapes.push_back({.geometry = std::move(geometry)});
    scene().add_body(std::move(body));
    made_.blocks.push_back({x, z, mass});
    return static_cast<int>(made_.blocks.size()) - 1;
  }
  /// A box with these half extents, turned about y.
  int box(double x, double z, double half_x, double half_z, double lean = 0) {
    const Box shape{{static_cast<float>(half_x), static_cast<float>(kHalfDepth), static_cast<float>(half_z)}};
    return block(x, z, 8 * kDensity * half_x * kHalfDepth * half_z, shape, lean);
  }
  void touch(int a, int b, double x, double z, double nx = 0, double nz = 1) {
    made_.contacts.push_back({a, b, x, z, nx, nz, friction_});
  }
  /// b lies on a, from x = `from` to x = `to`.
  void lay(int a, int b, double from, double to, double z) {
    touch(a, b, from, z);
    touch(a, b, to, z);
  }
  /// Tilts gravity towards +x.
  void tilt(double tangent) {
    const double cosine = 1 / std::sqrt(1 + tangent * tangent);
    scene().set_gravity({static_cast<float>(kG * tangent * cosine), 0, static_cast<float>(-kG * cosine)});
  }
  Structure take() { return std::move(made_); }

 private:
  Structure made_;
  double friction_;
  int grounds_{0};
};

/// A semicircle of 5 to 21 wedges of radius 1 m.
Structure arch(std::uint64_t seed, double thickness) {
  const Choice choice(seed, 1);
  const int wedges = choice.whole(0, 5, 21);
  Builder builder(1);
  const double half = 0.5 * thickness;
  for (int k = 0; k < wedges; ++k) {
    std::array<std::array<double, 2>, 4> corner{};
    for (std::size_t i = 0; i < 4; ++i) {
      const double angle = std::numbers::pi * (k + (i == 1 || i == 2 ? 1 : 0)) / wedges, r = 1 + (i < 2 ? half : -half);
      corner[i] = {r * std::cos(angle), r * std::sin(angle)};
    }
    // of the trapezium: by its two triangles
    double area = 0, x = 0, z = 0;
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{1, 2}, {2, 3}}) {
      const auto &p = corner[0], &q = corner[i], &r = corner[j];
      const double part = 0.5 * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
      area += part;
      x += part * (p[0] + q[0] + r[0]) / 3;
      z += part * (p[1] + q[1] + r[1]) / 3;
    }
    x /= area;
    z /= area;
    std::vector<Vec3> points;
    for (const auto& c : corner) {
      for (const double y : {-kHalfDepth, kHalfDepth}) {
        points.push_back({static_cast<float>(c[0] - x), static_cast<float>(y), static_cast<float>(c[1] - z)});
      }
    }
    const int block = builder.block(x, z, 2 * kHalfDepth * kDensity * area, ConvexHull(points));
    // its face towards the previous wedge, or the ground
    const double angle = std::numbers::pi * k / wedges;
    for (const double r : {1 + half, 1 - half}) {
      const double cosine = std::cos(angle), sine = std::sin(angle);
      builder.touch(block - 1, block, r * cosine, r * sine, -sine, cosine);
      if (k + 1 == wedges) builder.touch(kGround, block, -r, 0);
    }
  }
  return builder.take();
}

/// Two cards that lean on each other, the end of one on the face of the other: where ends met the direction of their
/// contact force would be undefined.
Structure cards(std::uint64_t seed, double friction) {
  constexpr double kThick = 0.01, kTall = 0.5;  ///< [m] half of a card's sides
  const Choice choice(seed, 2);
  const double lean = choice.number(0, 10, 30) * kDegree, other_lean = choice.number(1, 10, 30) * kDegree;
  const double along = choice.number(2, 0.6, 0.95) * 2 * kTall;  // along the face, to its contact with the other
  const double other_tall = 0.5 * along * std::cos(lean) / std::cos(other_lean);
  Builder builder(friction);
  const auto card = [&](double foot, double angle, double tall) {
    // its lowest edge is on the side that it leans to
    const double sine = std::sin(angle), cosine = std::cos(angle), side = angle > 0 ? 1 : -1;
    const int block = builder.box(foot + tall * sine - side * kThick * cosine, tall * cosine + side * kThick * sine,
                                  kThick, tall, angle);
    builder.touch(kGround, block, foot, 0);
    return block;
  };
  const double top = along * std::sin(lean);
  const int first = card(0, lean, kTall);
  const int second = card(top + 2 * other_tall * std::sin(other_lean), -other_lean, other_tall);
  builder.touch(first, second, top, along * std::cos(lean), std::cos(lean), -std::sin(lean));
  return builder.take();
}

/// 3 to 12 bricks on each other.
Structure stack(std::uint64_t seed, double tangent) {
  const Choice choice(seed, 3);
  const int bricks = choice.whole(0, 3, 12);
  Builder builder(choice.number(1, 0.4, 0.9));
  const double half_z = choice.number(2, 0.1, 0.4);
  for (int k = 0; k < bricks; ++k) {
    const int brick = builder.box(0, (2 * k + 1) * half_z, 0.5, half_z);
    builder.lay(brick - 1, brick, -0.5, 0.5, 2 * k * half_z);
  }
  builder.tilt(tangent);
  return builder.take();
}

/// 3 to 8 bricks, each shifted by a share of the max overhang: 1/2, 1/4, 1/6 ... of a brick, from the top.
Structure overhang(std::uint64_t seed, double share) {
  const Choice choice(seed, 4);
  const int bricks = choice.whole(0, 3, 8);
  const double half_z = choice.number(1, 0.05, 0.2);
  Builder builder(0.6);
  builder.ground({-2.5, 0, 0.5}, Box{{2.5f, 2.5f, 0.5f}});
  double edge = 0;
  for (int k = bricks; k > 0; --k) {
    const double before = edge, z = 1 + 2 * half_z * (bricks - k);
    edge += share / (2 * k);
    const int brick = builder.box(edge - 0.5, z + half_z, 0.5, half_z);
    builder.lay(brick - 1, brick, edge - 1, before, z);
  }
  return builder.take();
}

/// A plank against a wall.
Structure ladder(std::uint64_t seed, double tangent) {
  const Choice choice(seed, 5);
  const double half = choice.number(0, 0.5, 1.5), thick = choice.number(1, 0.02, 0.06);
  Builder builder(choice.number(2, 0.2, 0.7));
  const double lean = std::atan(tangent), sine = std::sin(lean), cosine = std::cos(lean);
  // its side towards the wall at x = 0 touches both
  const double x = -(half * sine + thick * cosine), z = half * cosine + thick * sine;
  builder.plane({-1, 0, 0}, {0, 0, 0});
  const int plank = builder.box(x, z, thick, half, lean);
  builder.touch(kGround, plank, x - half * sine + thick * cosine, 0);
  builder.touch(kGround, plank, 0, z + half * cosine - thick * sine, -1, 0);
  return builder.take();
}

/// 3 to 6 courses of 2 to 4 bricks of different lengths, without mortar, with gaps.
Structure wall(std::uint64_t seed, double tangent) {
  constexpr double kGap = 0.02;  ///< [m]
  const Choice choice(seed, 6);
  const int courses = choice.whole(0, 3, 6), bricks = choice.whole(1, 2, 4);
  Builder builder(choice.number(2, 0.5, 0.9));
  const double half_z = choice.number(3, 0.12, 0.3);
  struct Brick {
    int block;
    double from, to;
  };
  std::vector<Brick> below{{kGround, -100, 100}};
  std::uint64_t channel = 4;
  for (int course = 0; course < courses; ++course) {
    std::vector<Brick> row;
    double from = choice.number(channel++, -0.25, 0.25);
    for (int k = 0; k < bricks; ++k) {
      const double to = from + choice.number(channel++, 0.7, 1.3), z = 2 * half_z * course;
      const int block = builder.box(0.5 * (from + to), z + half_z, 0.5 * (to - from), half_z);
      for (const Brick& under : below) {
        const double first = std::max(from, under.from), last = std::min(to, under.to);
        if (last > first) builder.lay(under.block, block, first, last, z);
      }
      row.push_back({block, from, to});
      from = to + kGap;
    }
    below = std::move(row);
  }
  builder.tilt(tangent);
  return builder.take();
}

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> all{
      {"arch", "thickness over radius", true, 0.02, 0.6, arch},
      {"cards", "friction", true, 0.02, 2, cards},
      {"stack", "slope", false, 0.05, 1, stack},
      {"overhang", "share of the harmonic limit", false, 0.5, 1.5, overhang},
      {"ladder", "slope from upright", false, 0.2, 5, ladder},
      {"wall", "slope", false, 0.05, 1, wall},
  };
  return all;
}

}  // namespace cairn::cli
