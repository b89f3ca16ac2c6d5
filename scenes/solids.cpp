// Solids of every kind with sizes that are spread at random, and hulls of random points.

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr double kSpread = 0.2;             ///< [1] spread of sizes
constexpr std::uint64_t kPointStride = 64;  ///< [1] channels of a point, more than it uses

/// [m] a size, spread at random
float spread(double size, const Random& random, Channel channel) {
  return static_cast<float>(size * (1 + kSpread * random.symmetric(channel)));
}

struct Kind {
  const char* name;
  double volume;  ///< [m^3] on average
};
constexpr std::array<Kind, kSolidKinds> kKinds{{{"sphere", 0.52},
                                                {"box", 1},
                                                {"capsule", 0.34},
                                                {"cylinder", 0.64},
                                                {"cone", 0.26},
                                                {"tapered", 0.46},
                                                {"tube", 0.5},
                                                {"ellipsoid", 0.5},
                                                {"rounded", 0.7},
                                                {"hull", 0.38}}};

}  // namespace

Box spread_box(const Random& random) {
  return {{spread(0.5, random, kSizeX), spread(0.5, random, kSizeY), spread(0.5, random, kSizeZ)}};
}

ConvexHull random_hull(const Random& random, int vertices, double size) {
  const std::array<double, 3> radius{spread(size, random, kSizeX), spread(size, random, kSizeY),
                                     spread(size, random, kSizeZ)};
  std::vector<Vec3> points;
  for (int k = 0; k < vertices; ++k) {
    // the image of z under a rotation is a point of the sphere
    const Quat q = random.rotation(kRotation + kPointStride * (static_cast<std::uint64_t>(k) + 1));
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    points.push_back({static_cast<float>(radius[0] * 2 * (x * z + w * y)),
                      static_cast<float>(radius[1] * 2 * (y * z - w * x)),
                      static_cast<float>(radius[2] * (1 - 2 * (x * x + y * y)))});
  }
  return ConvexHull(points);
}

double mean_volume(int kinds) {
  double sum = 0;
  for (int k = 0; k < kinds; ++k) sum += kKinds[static_cast<std::size_t>(k)].volume;
  return sum / kinds;
}

const char* solid_name(int kind) { return kKinds.at(static_cast<std::size_t>(kind)).name; }

Geometry solid(int kind, const Random& random) {
  const auto size = [&](double about, Channel channel) { return spread(about, random, channel); };
  switch (kind) {
    case 0:
      return Sphere{size(0.5, kSizeX)};
    case 1:
      return spread_box(random);
    case 2:
      return Capsule{size(0.3, kSizeX), size(0.4, kSizeY)};
    case 3:
      return Cylinder{size(0.45, kSizeX), size(0.5, kSizeY)};
    case 4:
      return Cone{size(0.5, kSizeX), size(0.5, kSizeY)};
    case 5:
      return TaperedCylinder{size(0.5, kSizeX), size(0.25, kSizeZ), size(0.5, kSizeY)};
    case 6:
      return Tube{size(0.5, kSizeX), size(0.3, kSizeZ), size(0.5, kSizeY)};
    case 7:
      return Ellipsoid{{size(0.6, kSizeX), size(0.5, kSizeY), size(0.4, kSizeZ)}};
    case 8:
      return RoundedBox{{size(0.45, kSizeX), size(0.45, kSizeY), size(0.45, kSizeZ)}, 0.1f};
    default:
      return random_hull(random, 8 + static_cast<int>(random.bits(kVertices) % 17), 0.5);
  }
}

}  // namespace cairn::scenes
