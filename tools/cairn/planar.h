#pragma once
// Structures in a plane whose stability is known from statics alone.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"

namespace cairn::cli {

inline constexpr int kGround = -1;

/// A block for statics.
struct PlanarBlock {
  double x, z;  ///< [m]  its centre of mass
  double mass;  ///< [kg]
};

/// A point where `b` presses on `a`; a face contact has one at either end.
struct PlanarContact {
  int a, b;         ///< [1] blocks, or kGround
  double x, z;      ///< [m]
  double nx, nz;    ///< [1] from a to b
  double friction;  ///< [1]
};

struct Structure {
  Scene scene;  ///< the same structure as bodies, in the plane y = 0
  std::vector<PlanarBlock> blocks;
  std::vector<PlanarContact> contacts;
};

/// Whether forces within the cones of friction hold all blocks (the static theorem of limit analysis; Livesley 1978):
/// sum of forces and torques 0 under gravity (gx, gz). That is a linear programme; phase one of the simplex method
/// decides it, Bland's rule ends it. Where it is false the structure falls. Where it is true it can stand.
bool can_stand(const Structure& structure, double gx, double gz);

/// Structures with one parameter, at whose limit they stop standing.
struct Family {
  const char* name;
  const char* parameter;
  bool stands_above;  ///< above the limit; else below
  double low, high;   ///< bounds of the limit
  /// A case by its seed.
  Structure (*make)(std::uint64_t seed, double parameter);
};
const std::vector<Family>& families();

/// The parameter at which the case of this seed stops standing, to 1e-6 of it, or NaN if it stands nowhere or
/// everywhere between low and high.
double limit_of(const Family& family, std::uint64_t seed);

}  // namespace cairn::cli
