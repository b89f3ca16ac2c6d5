#pragma once
// Structures in a plane whose answer is known: whether they can stand, by statics alone.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"

namespace cairn::cli {

inline constexpr int kGround = -1;

/// A block as statics sees it.
struct PlanarBlock {
  double x, z;  ///< [m]  its centre of mass
  double mass;  ///< [kg]
};

/// A point where `b` presses on `a`; where faces meet there is one at either end.
struct PlanarContact {
  int a, b;         ///< [1] blocks, or kGround
  double x, z;      ///< [m]
  double nx, nz;    ///< [1] from a to b
  double friction;  ///< [1]
};

struct Structure {
  Scene scene;  ///< the same as bodies, in the plane y = 0
  std::vector<PlanarBlock> blocks;
  std::vector<PlanarContact> contacts;
};

/// Whether forces within the cones of friction hold all blocks (the static theorem of limit analysis; Livesley 1978):
/// sum of forces and torques 0 under gravity (gx, gz). That is a linear programme; phase one of the simplex method
/// decides it, Bland's rule ends it. Where it is false the structure falls. Where it is true it can stand.
bool can_stand(const Structure& structure, double gx, double gz);

/// Kinds of structures with one parameter, at whose limit they stop standing.
struct Family {
  const char* name;
  const char* parameter;
  bool stands_above;  ///< of the limit; else below
  double low, high;   ///< between which the limit lies
  /// A case by its seed.
  Structure (*make)(std::uint64_t seed, double parameter);
};
const std::vector<Family>& families();

/// The parameter at which the case of this seed stops standing, to 1e-6 of it, or NaN where it stands nowhere between
/// low and high or everywhere.
double limit_of(const Family& family, std::uint64_t seed);

}  // namespace cairn::cli
