#pragma once
// Data of the rows of `hertz_mindlin`, beside that of the other solvers.

#include "kernels/common/contact_rows.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

/// Rows, lane by lane, as in RowBlock. Vectors are along the row's frame: its normal, first and second tangent.
struct HertzBlock {
  float stiffness[kRowLanes];      ///< [N/m^1.5]     4/3 E* sqrt(R*)
  float shear[kRowLanes];          ///< [N/m^1.5]     8 G* sqrt(R*); the tangential stiffness is that times sqrt(depth)
  float rolling[kRowLanes];        ///< [N m/rad/m^0.5] shear R*^2, times sqrt(depth) as well
  float damping[kRowLanes];        ///< [N s/m^1.25]  of the normal velocity, times depth^1/4
  float shear_damping[kRowLanes];  ///< [N s/m^1.25]  of the tangential velocity, times depth^1/4
  float rolling_damping[kRowLanes];  ///< [N m s/m^0.25] of rolling, times depth^1/4
  float curvature[kRowLanes];        ///< [1/m] of the distance of two spheres' centres; 0 where one side is flat
  float radius_a[kRowLanes];         ///< [m]   0 where that side is flat
  float radius_b[kRowLanes];
  float centre_a[3][kRowLanes];  ///< [m]   from the centre of mass to the sphere's, or to the point of a flat side
  float centre_b[3][kRowLanes];
  float spring[3][kRowLanes];  ///< [N s] impulse of the tangential spring on b in a substep
  float roll[3][kRowLanes];    ///< [N s m] impulse of the rolling spring on b in a substep
  // of this substep only
  float push[3][kRowLanes];    ///< [N s] impulse on b
  float turn_a[3][kRowLanes];  ///< [N s m] angular impulses about the centres of mass
  float turn_b[3][kRowLanes];
};

/// Components of a vector in a row's frame.
template <class T>
CAIRN_HD Vec3T<T> in_frame(Vec3T<T> v, Vec3T<T> n, Vec3T<T> t0, Vec3T<T> t1) {
  return {dot(n, v), dot(t0, v), dot(t1, v)};
}

}  // namespace cairn::kernels
