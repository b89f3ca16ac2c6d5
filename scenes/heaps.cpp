// Bodies of mixed sizes dropped into a bin.

#include <algorithm>
#include <cmath>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

constexpr double kSpread = 0.2;  ///< [1] spread of sizes

/// [m] the least width in whole decimetres, at least `least`, whose cube holds `volume`: a heap half as high as it is
/// wide fills half of it. By trial, for cube roots differ between maths libraries.
double bin_width(double volume, double least) {
  int decimetres = static_cast<int>(std::ceil(10 * least));
  while (0.001 * decimetres * decimetres * decimetres < volume) ++decimetres;
  return 0.1 * decimetres;
}

/// A square bin with `count` bodies hung in layers above it, all inside its walls, none within reach of another.
template <class MakeOne>
Built binful(int count, double mean_volume, std::uint64_t seed, Scene scene, const MakeOne& make_one) {
  constexpr double kPacking = 0.6;  ///< [1] share of a settled heap that is solid
  constexpr double kReach = 1.04;   ///< [m] over the largest bounding radius, 0.6 sqrt(3)
  constexpr double kAside = 0.01;   ///< [m] disturbance, so that layers don't land face on face
  constexpr double kPitch = 2 * (kReach + kAside);
  constexpr double kWall = 2;  ///< [m] thickness of floor and walls
  const double width = bin_width(2 * count * mean_volume / kPacking, 2 * kPitch);
  const int across = static_cast<int>(width / kPitch);
  const double spacing = width / across;
  const double middle = 0.5 * (across - 1);
  const int layers = (count + across * across - 1) / (across * across);

  Built built;
  built.scene = std::move(scene);
  const auto add_static = [&](const char* name, Vec3d centre, double x, double y, double z) {
    const Box box{{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)}};
    built.scene.add_body(make_body(name, BodyType::kStatic, centre, box));
  };
  const double half = 0.5 * width, thick = 0.5 * kWall;
  // up to where the topmost body hangs, so that none can leave on its way down
  const double tall = 0.5 * std::max(width, (layers + 1) * kPitch);
  add_static("floor", {0, 0, -thick}, half + kWall, half + kWall, thick);
  add_static("wall_west", {-half - thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_east", {half + thick, 0, tall}, thick, half + kWall, tall);
  add_static("wall_south", {0, -half - thick, tall}, half, thick, tall);
  add_static("wall_north", {0, half + thick, tall}, half, thick, tall);

  for (int index = 0; index < count; ++index) {
    const Random random(seed, static_cast<std::uint64_t>(index));
    const int layer = index / (across * across), in_layer = index % (across * across);
    const Vec3d place{(in_layer % across - middle) * spacing + kAside * random.symmetric(kX),
                      (in_layer / across - middle) * spacing + kAside * random.symmetric(kY),
                      kReach + kAside + layer * kPitch};
    Body made = make_one(random, index);
    made.position = place;
    made.orientation = random.rotation(kRotation);
    built.scene.add_body(std::move(made));
  }
  built.rule = FallenRule::kBin;
  built.bin_min = {-half, -half, 0};
  built.bin_max = {half, half, 2 * tall};
  return built;
}

/// [m] a size, spread at random
float spread(double size, const Random& random, Channel channel) {
  return static_cast<float>(size * (1 + kSpread * random.symmetric(channel)));
}

Box spread_box(const Random& random) {
  return {{spread(0.5, random, kSizeX), spread(0.5, random, kSizeY), spread(0.5, random, kSizeZ)}};
}

}  // namespace

Built pile(const Spec& spec, std::uint64_t seed) {
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), 1.0, seed, std::move(scene), [](const Random& random, int index) {
    return make_body(numbered("box", index), BodyType::kDynamic, {}, spread_box(random));
  });
}

Built rain(const Spec& spec, std::uint64_t seed) {
  constexpr double kMeanVolume = 0.62;  ///< [m^3] of box, sphere and capsule: 1, 0.52 and 0.34
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), kMeanVolume, seed, std::move(scene), [](const Random& random, int index) {
    switch (random.bits(kKind) % 3) {
      case 0:
        return make_body(numbered("sphere", index), BodyType::kDynamic, {}, Sphere{spread(0.5, random, kSizeX)});
      case 1:
        return make_body(numbered("box", index), BodyType::kDynamic, {}, spread_box(random));
      default:
        return make_body(numbered("capsule", index), BodyType::kDynamic, {},
                         Capsule{spread(0.3, random, kSizeX), spread(0.4, random, kSizeY)});
    }
  });
}

}  // namespace cairn::scenes
