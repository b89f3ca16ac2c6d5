// Columns of boxes: a tower, one with a load on top, a lattice of them, and a block on many.

#include <cmath>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {

Built tower(const Spec& spec, std::uint64_t seed) {
  const int height = spec.whole("height");
  Built built = on_floor();
  for (int k = 0; k < height; ++k) add_box(built.scene, seed, k, {0, 0, k + 0.5}, Box{});
  built.nominal_height = height - 0.5;
  return built;
}

Built heavy(const Spec& spec, std::uint64_t seed) {
  const int height = spec.whole("height");
  Built built = on_floor();
  Material lead = stone(static_cast<float>(kDensity * spec["ratio"]));
  lead.name = "heavy";
  built.scene.add_material(lead);
  for (int k = 0; k <= height; ++k) add_box(built.scene, seed, k, {0, 0, k + 0.5}, Box{}, k < height ? 0 : 1);
  built.nominal_height = height + 0.5;
  return built;
}

Built lattice(const Spec& spec, std::uint64_t seed) {
  constexpr double kGap = 0.05;    ///< [m] below each layer
  constexpr double kAside = 0.05;  ///< [m] disturbance in x and y
  const int n = spec.whole("n");
  const double pitch = spec["pitch"];
  const double middle = 0.5 * (n - 1);
  Built built = on_floor();
  for (int k = 0, index = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i, ++index) {
        const Random random(seed, static_cast<std::uint64_t>(index));
        const Vec3d place{(i - middle) * pitch + kAside * random.symmetric(kX),
                          (j - middle) * pitch + kAside * random.symmetric(kY), 0.5 + kGap + k * (1 + kGap)};
        built.scene.add_body(make_body(numbered("box", index), BodyType::kDynamic, place, Box{}));
      }
    }
  }
  built.rule = FallenRule::kLattice;
  built.nominal_height = n - 0.5;
  return built;
}

/// One body that touches all others: a block on a square of boxes, which don't touch each other.
Built boulder(const Spec& spec, std::uint64_t seed) {
  constexpr double kPitch = 1.05;    ///< [m] between neighbours
  constexpr double kHalfHeight = 1;  ///< [m] of the block
  const int grains = spec.whole("grains");
  const int across = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(grains))));
  const double middle = 0.5 * (across - 1);
  const int rows = (grains + across - 1) / across;
  Built built = on_floor();
  for (int i = 0; i < grains; ++i) {
    const Vec3d place{(i % across - middle) * kPitch, (i / across - 0.5 * (rows - 1)) * kPitch, 0.5};
    add_box(built.scene, seed, i, place, Box{});
  }
  const Box block{{static_cast<float>(0.5 * kPitch * across), static_cast<float>(0.5 * kPitch * rows),
                   static_cast<float>(kHalfHeight)}};
  built.scene.add_body(make_body("boulder", BodyType::kDynamic, {0, 0, 1 + kHalfHeight}, block));
  built.nominal_height = 1 + kHalfHeight;
  return built;
}

}  // namespace cairn::scenes
