#pragma once
// Constraints that hold particles together, and particles to bodies.

#include <cstdint>

#include "kernels/common/index.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum class StrainKind : std::uint32_t { kStretch, kBend, kVolume, kAttach };

/// [1] Bodies of a strain, at most.
inline constexpr std::uint32_t kStrainEnds = 4;

/// What strains have in common.
struct StrainLaw {
  StrainKind kind;
  float compliance;  ///< [m/N, rad/(N m), m^5/N]
  float damping;     ///< [N s/m, N m s/rad, N s/m^5]
  float stiffness;   ///< [1] of plain PBD; 0: XPBD
  friend bool operator==(const StrainLaw&, const StrainLaw&) = default;
};

/// One of them. kStretch and kAttach have two ends; the second of kAttach is a body that turns.
struct Strain {
  std::uint32_t body[kStrainEnds];  ///< [1] slots; kNone where there are fewer
  std::uint32_t law;                ///< [1] index
  float rest;                       ///< [m, rad, m^3]
  Vec3 anchor;                      ///< [m] kAttach: in the principal frame of its body
};

/// [1] Of an entry of Strains::order: the way back of a sweep.
inline constexpr std::uint32_t kStrainBack = 1u << 31;

/// Strains by their places in the solver's order. A sweep goes there and back: the colours of one class up, those of
/// the other down.
struct Strains {
  const Strain* strain;      ///<       (count)
  const StrainLaw* law;      ///<       (laws)
  float* impulse;            ///< [N s] (count) times its gradient; of this substep, or the last
  const std::uint32_t* order;  ///< [1] (slots) place, with kStrainBack; kNone in padding lanes
  std::uint32_t count;       ///< [1]
  std::uint32_t slots;       ///< [1]
  std::uint32_t sweeps;      ///< [1] in a substep
  // for Jacobi sweeps alone
  Vec3* push;                ///< [m/s, kg^1/2 m/s] (count x (kStrainEnds + 1)) to its ends; the last to w~
  const std::uint32_t* begin;  ///< [1] (bodies + 1) of `end`
  const std::uint32_t* end;    ///< [1] place x kStrainEnds + which, body by body
  friend bool operator==(const Strains&, const Strains&) = default;
};

}  // namespace cairn::kernels
