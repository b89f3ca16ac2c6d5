#pragma once
// Solids as mirrors of the fluid beside them.

#include "kernels/fluids/fluid_pass.h"

namespace cairn::kernels {

/// Contribution of a particle's own image in a wall to its density, and its slope by distance [1/m].
CAIRN_HD WallWeight own_image(const FluidMirror& mirror, const FluidLaw& law) {
  const WallWeight weight = own_image_at(mirror.gap * law.inv_spacing);
  return {mirror.share * weight.share, mirror.share * weight.slope * law.inv_spacing};
}

/// The image in solids of a neighbour j of particle i.
struct FluidImage {
  Vec3 from;      ///< [m]   to the image from i: minus the gradient by x_i of half its squared distance
  Vec3 by_other;  ///< [m]   the gradient of the same by x_j
  float square;   ///< [m^2] distance squared
  float weight;   ///< [1]
};
/// The walls of an image: those of i, and the corresponding ones of j; with minus the gradients by their positions of
/// half its squared distance. The second entry is for corners only.
struct LeaningWalls {
  std::uint32_t count;              ///< [1] 1 or 2
  std::uint32_t own[2], theirs[2];  ///< [1] pairs
  Vec3 own_lean[2], their_lean[2];  ///< [m]
};

/// Solids mirror the fluid: behind a flat wall it continues as its own image, so that a particle at the wall has the
/// same density and pressure around it as inside (the method of images; Morris, Fox and Zhu 1997 mirror velocities
/// about a tangent plane). With d the distance from the wall and e from i to j, the image of j is at
///   r'^2 = e^2 + 4 d_i d_j,
/// the same for j and i. Where two walls meet there is a second image, at e^2 + 4 d_i d_j + 4 d'_i d'_j. The wall of j
/// for a wall of i is the one with the nearest normal, of any body. The weight of an image is the cosine between the
/// two normals: images fade around the edge of a box. Impulses are along the gradients of C_i
/// (kernels/fluids/fluid_pass.h) with the weights held fixed. Each wall takes the gradient by its own position: linear
/// momentum is conserved, and at flat walls angular momentum.
struct FluidImages {
  Fluids fluids;

  CAIRN_HD bool has(std::uint32_t i) const { return fluids.at.mirrors[i] != 0; }
  /// f(mirror) for each mirror of particle i.
  template <class F>
  CAIRN_HD void each(std::uint32_t i, const F& f) const {
    const std::uint32_t begin = fluids.at.wall_begin[i], end = begin + fluids.at.mirrors[i];
    for (std::uint32_t n = begin; n < end; ++n) f(fluids.walls.mirror[n]);
  }

  /// Calls f(image, walls) for each image of j; e points from i to j. If i is j: only images in corners.
  template <class F>
  CAIRN_HD void images(std::uint32_t i, std::uint32_t j, Vec3 e, const F& f) const {
    const float s = fluids.laws[fluids.at.law[i]].spacing, farthest = kFluidReach * kFluidReach * (s * s);
    const std::uint32_t begin = fluids.at.wall_begin[i], end = begin + fluids.at.mirrors[i];
    for (std::uint32_t n = begin; n < end; ++n) {
      const Half a = half(i, j, n);
      const float square = fma(4.0f * a.own, a.theirs, dot(e, e));
      if (!(a.weight > 0.0f) || !(square < farthest)) continue;
      const Vec3 from = e - (2.0f * a.theirs) * a.normal, by_other = e + (2.0f * a.own) * a.twin;
      if (i != j && square > 0.0f) {
        f(FluidImage{from, by_other, square, a.weight}, walls(1, a, a));
      }
      for (std::uint32_t m = n + 1; m < end; ++m) {
        const float facing = abs(dot(a.normal, fluids.walls.mirror[m].normal));
        if (facing > kMaxFacing) continue;
        const Half b = half(i, j, m);
        const float both = fma(4.0f * b.own, b.theirs, square);
        // j has one wall for both: it isn't around a corner
        if (b.twin_pair == a.twin_pair) continue;
        if (!(b.weight > 0.0f) || !(both < farthest) || !(both > 0.0f)) continue;
        f(FluidImage{from - (2.0f * b.theirs) * b.normal, by_other + (2.0f * b.own) * b.twin, both,
                     a.weight * b.weight * (1.0f - facing)},
          walls(2, a, b));
      }
    }
  }

 private:
  /// [1] Cosine from which two walls form no corner.
  static constexpr float kMaxFacing = 0.9f;

  /// A wall of i, and the corresponding one of j.
  struct Half {
    std::uint32_t pair, twin_pair;
    float weight;       ///< [1] 0: none
    float own, theirs;  ///< [m] distances of i and of j
    Vec3 normal, twin;  ///< [1] of the walls of i and of j
  };
  CAIRN_HD static LeaningWalls walls(std::uint32_t count, const Half& a, const Half& b) {
    return {count,
            {a.pair, b.pair},
            {a.twin_pair, b.twin_pair},
            {(2.0f * a.theirs) * a.normal, (2.0f * b.theirs) * b.normal},
            {(2.0f * a.own) * a.twin, (2.0f * b.own) * b.twin}};
  }
  CAIRN_HD Half half(std::uint32_t i, std::uint32_t j, std::uint32_t n) const {
    const FluidMirror mine = fluids.walls.mirror[n];
    if (i == j) return {mine.pair, mine.pair, mine.share, mine.gap, mine.gap, mine.normal, mine.normal};
    Half found{mine.pair, kNone, 0.0f, mine.gap, 0.0f, mine.normal, mine.normal};
    float nearest = 0.0f;
    each(j, [&](const FluidMirror& other) {
      // a wall behind a nearer one is no mirror of j
      const float cosine = dot(mine.normal, other.normal), counts = cosine * other.share;
      if (!(counts > nearest)) return;
      nearest = counts;
      found.weight = cosine * mine.share;
      found.twin_pair = other.pair;
      found.theirs = other.gap;
      found.twin = other.normal;
    });
    return found;
  }
};

}  // namespace cairn::kernels
