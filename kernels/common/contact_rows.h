#pragma once
// Rows of the solver, grouped by colour.

#include <cstddef>
#include <cstdint>

#include "kernels/common/contacts.h"
#include "kernels/common/strided_array.h"

namespace cairn::kernels {

/// Colours 0..63 by mask, 64 = overflow (one row at a time); then the same 65 for contacts with static and kinematic
/// ends.
inline constexpr std::uint32_t kMaskColors = 64;
inline constexpr std::uint32_t kColorsPerClass = kMaskColors + 1;
inline constexpr std::uint32_t kColorCount = 2 * kColorsPerClass;
/// Rows of a colour start at a multiple of this, so that a pack of lanes stays inside one colour and one block.
inline constexpr std::uint32_t kRowAlign = 8;

/// Rows of a block. A pack of a CPU then reads one field after the other: with blocks of 32 rows walls take 6 % longer,
/// and lattices 5 %. On a CUDA device each field of a block is a sector.
inline constexpr std::uint32_t kRowLanes = kRowAlign;

/// Rows of manifolds, lane by lane (array of structures of arrays). Angular vectors are premultiplied by I^-1/2 of their
/// body; those of impulses in the contact's plane follow from the axes and the arms (kernels/solve/row_arms.h). In a
/// World whose pairs all touch in one point the block ends after the first of `point` (bytes_of_rows).
struct RowBlock {
  std::uint32_t body_a[kRowLanes];   ///< [1]
  std::uint32_t body_b[kRowLanes];   ///< [1]
  std::uint32_t count[kRowLanes];    ///< [1] points, 0 in padding lanes
  std::uint32_t repeats[kRowLanes];  ///< [1] 1 + world of a row that may have several passes in place of one
                                     ///<     (kernels/solve/repeated_rows.h), else 0
  float normal[3][kRowLanes];        ///< [1]
  float tangent[3][kRowLanes];       ///< [1] first tangent; the second is normal x tangent
  float axes_a[3][3][kRowLanes];     ///< [kg^-1/2 / m] angular vectors of rotation about the tangents and the normal
  float axes_b[3][3][kRowLanes];
  float arm_a[3][kRowLanes];  ///< [m] to the reference (kernels/prepare/prepare.h), along the tangents and the normal
  float arm_b[3][kRowLanes];
  float friction_block[6][kRowLanes];    ///< [1/kg] inverse masses of friction at the reference, and twist: xx, xy, yy,
                                         ///< [1/(kg m)] xn, yn, [1/(kg m^2)] nn
  float mu[kRowLanes];                   ///< [1]
  float restitution[kRowLanes];          ///< [1]
  float bounce_speed[kRowLanes];         ///< [m/s] slower approaches don't bounce
  float friction_impulse[2][kRowLanes];  ///< [N s]
  float twist_impulse[kRowLanes];        ///< [N s m]
  float friction_total[2][kRowLanes];    ///< [N s] summed over substeps
  float slip[2][kRowLanes];              ///< [m]   at the step's start, along the tangents; without the part that
                                         ///<       slipping forgets and the slide of soft_step's anchor since
  float damped[kRowLanes];               ///< [1]   of soft_step: 1 where contacts have extra damping, else 0
  float anchored[kRowLanes];             ///< [1]   of soft_step: 1 where friction has an anchor, else 0
  float patch[kRowLanes];          ///< [m]   arm of a point's own twist friction; 0 except for two boxes with soft_step
  float slip_place[2][kRowLanes];  ///< [m]   where slip is measured, from the reference: the last centre of load
  // written and read only in worlds with rolling friction
  float rolling_mass[3][kRowLanes];     ///< [kg m^2] inverse of the 2x2 block
  float rolling_reach[kRowLanes];       ///< [m]   bound of the rolling impulse over the normal impulse
  float rolling_impulse[2][kRowLanes];  ///< [N s m]
  // always written, but read only where some material's surface moves
  float belt[2][kRowLanes];  ///< [m/s] of b's surface against a's without the bodies' motion, along the tangents; -0
                             ///<       where neither moves
  struct Point {
    float separation[kRowLanes];  ///< [m]   at the step's start, less `rest`
    float rest[kRowLanes];        ///< [m]   kernels/finish/rest.h
    float mass[kRowLanes];        ///< [kg]  effective
    float place[2][kRowLanes];    ///< [m]   from the reference, along the tangents
    float impulse[kRowLanes];     ///< [N s]
    float total[kRowLanes];       ///< [N s] summed over substeps
  } point[kManifoldPoints];
  float coupling[kManifoldPoints * (kManifoldPoints - 1) / 2][kRowLanes];  ///< [1/kg] speed along the normal at one
                                                                           ///<        point by an impulse at another
};

/// Index of the coupling of points i < j.
CAIRN_HD std::uint32_t coupling_at(std::uint32_t i, std::uint32_t j) { return j * (j - 1) / 2 + i; }

using Rows = StridedArray<RowBlock>;

/// [B] Size of a block of rows with room for so many points: one, or all.
CAIRN_HD std::uint32_t bytes_of_rows(std::uint32_t points) {
  constexpr std::size_t kOne = offsetof(RowBlock, point) + sizeof(RowBlock::Point);
  return static_cast<std::uint32_t>(points == 1 ? kOne : sizeof(RowBlock));
}
CAIRN_HD std::uint32_t row_points(const Rows& rows) { return rows.bytes == sizeof(RowBlock) ? kManifoldPoints : 1; }

}  // namespace cairn::kernels
