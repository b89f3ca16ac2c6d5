#pragma once
// Virtual forces: what the joints of a chain must give so that a point of it pushes with a wanted force, tau = J^T F
// (Pratt, Chew, Torres, Dilworth and Pratt, "Virtual model control", IJRR 2001).

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

template <>
struct Attributes<JointEffort> {
  template <class S = JointEffort>
  static constexpr TypedList all{
      attribute<&S::joint>({}),
      attribute<&S::effort>(
          {.unit = "N, N m",
           .meaning =
               "along and about what the joint leaves free, by JointDof; of a ball about the axes of its frame on a"})};
};

/// `chain` lists the joints between what is held fast and the body with the point, in any order; in each the point must
/// be on the side of body b. Throws InvalidArgument for joints that neither turn nor shift (fixed, distance, pulley,
/// gear). Screws and cone limits count as free.
std::vector<JointEffort> virtual_force(const World& world, std::span<const JointHandle> chain, Vec3d point, Vec3 force);

/// Gives the efforts, as forces and torques on the two bodies of each joint that cancel out. For the next step. Those
/// of joints that hold nothing, since a body is switched off, are passed over. Throws InvalidArgument as virtual_force,
/// and for an effort that isn't finite.
void exert(World& world, std::span<const JointEffort> efforts);

}  // namespace cairn
