#pragma once
// Virtual forces: joint efforts of a chain with which a point of it pushes with a wanted force, tau = J^T F (Pratt,
// Chew, Torres, Dilworth and Pratt, "Virtual model control", IJRR 2001).

#include <array>
#include <span>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/world.h"

namespace cairn {

struct JointEffort {
  JointHandle joint;
  std::array<double, kJointDofs> effort{};
};

template <Same<JointEffort> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::joint>({}),
    attribute<&S::effort>(
        {.unit = "N, N m",
         .meaning =
             "along and about what the joint leaves free, by JointDof; of a ball about the axes of its frame on a"})};

/// `chain` lists the joints between the fixed end and the body with the point, in any order; the point must be on the
/// side of body b of each. Throws InvalidArgument for joints that neither turn nor shift (fixed, distance, pulley,
/// gear). Screws and cone limits count as free.
std::vector<JointEffort> virtual_force(const World& world, std::span<const JointHandle> chain, Vec3d point, Vec3 force);

/// Applies the efforts for the next step, as opposite forces and torques on the two bodies of each joint. Joints that
/// hold nothing because a body is disabled are skipped. Throws InvalidArgument as virtual_force, and for an effort that
/// isn't finite.
void exert(World& world, std::span<const JointEffort> efforts);

}  // namespace cairn
