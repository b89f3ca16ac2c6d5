// Bodies of mixed sizes dropped into a bin.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

/// [m] min width in whole decimetres, at least `least`, whose cube holds `volume`: a heap half as high as it is wide
/// fills half of it. By trial, since cube roots differ between maths libraries.
double bin_width(double volume, double least) {
  int decimetres = static_cast<int>(std::ceil(10 * least));
  while (0.001 * decimetres * decimetres * decimetres < volume) ++decimetres;
  return 0.1 * decimetres;
}

/// A square bin with `count` bodies suspended in layers above it, all inside its walls, none within reach of another.
template <class MakeOne>
Built binful(int count, double mean_volume, std::uint64_t seed, Scene scene, const MakeOne& make_one) {
  constexpr double kPacking = 0.6;  ///< [1] solid share of a settled heap
  constexpr double kReach = 1.04;   ///< [m] over the largest bounding radius, 0.6 sqrt(3)
  constexpr double kAside = 0.01;   ///< [m] disturbance, so that layers don't land face on face
  constexpr double kPitch = 2 * (kReach + kAside);
  const double width = bin_width(2 * count * mean_volume / kPacking, 2 * kPitch);
  const int across = static_cast<int>(width / kPitch);
  const double spacing = width / across;
  const double middle = 0.5 * (across - 1);
  const int layers = (count + across * across - 1) / (across * across);

  Built built;
  built.scene = std::move(scene);
  // up to the topmost body, so that none can leave on its way down
  add_bin(built, width, std::max(width, (layers + 1) * kPitch));

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
  return built;
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
  const int kinds = spec.whole("kinds");
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), mean_volume(kinds), seed, std::move(scene), [&](const Random& random, int index) {
    const auto kind = static_cast<int>(random.bits(kKind) % static_cast<std::uint64_t>(kinds));
    return make_body(numbered(solid_name(kind), index), BodyType::kDynamic, {}, solid(kind, random));
  });
}

/// Hulls of few shapes, each used many times, as in a scene of rubble.
Built hulls(const Spec& spec, std::uint64_t seed) {
  constexpr double kMeanVolume = 0.4;  ///< [m^3] a little less than an ellipsoid's
  constexpr std::uint64_t kForms = 32;
  constexpr std::uint64_t kForm = 1ull << 32;  ///< beyond the numbers of bodies
  std::vector<ConvexHull> forms;
  for (std::uint64_t k = 0; k < kForms; ++k)
    forms.push_back(random_hull(Random(seed, kForm + k), spec.whole("vertices"), 0.5));
  Scene scene;
  scene.add_material(stone());
  return binful(spec.whole("count"), kMeanVolume, seed, std::move(scene), [&](const Random& random, int index) {
    return make_body(numbered("hull", index), BodyType::kDynamic, {}, forms[random.bits(kKind) % kForms]);
  });
}

}  // namespace cairn::scenes
