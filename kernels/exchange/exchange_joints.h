#pragma once
// Copies coordinates, loads and drives of joints to and from the user's arrays on the world's device: as World::state
// and set_drive do, without the host. One thread per joint, which is a row.

#include "kernels/common/joints.h"
#include "kernels/common/worlds.h"
#include "kernels/exchange/columns.h"

namespace cairn::kernels {

/// Parts of a drive that arrays can set: all but its max force, because a joint's rows depend on whether there is a
/// drive.
enum class DrivePart : std::uint32_t { kTarget, kRate, kForce, kStiffness, kDamping };
inline constexpr std::uint32_t kDriveParts = 5;

CAIRN_HD float& drive_part(JointAxis& axis, DrivePart part) {
  switch (part) {
    case DrivePart::kTarget:
      return axis.target;
    case DrivePart::kRate:
      return axis.rate;
    case DrivePart::kForce:
      return axis.force;
    case DrivePart::kStiffness:
      return axis.drive_stiffness;
    case DrivePart::kDamping:
      break;
  }
  return axis.drive_damping;
}

/// Range of a part.
struct DriveBounds {
  float min, max;  ///< [any] in its unit
  bool infinite;   ///< may be infinite, too
  CAIRN_HD bool operator()(float value) const {
    return (value >= min && value <= max) || (infinite && value > 0 && !finite(value));
  }
};

/// One row per joint; columns of coordinates and drives are JointDof.
struct JointColumns {
  Columns coordinate;          ///< [m, rad]
  Columns force;               ///< [N]
  Columns torque;              ///< [N m]
  Columns drive[kDriveParts];  ///< by DrivePart
  DriveBounds bounds[kDriveParts];
};

/// Data that the functors share.
struct JointExchange {
  Joints joints;
  const std::uint32_t* slot_of;  ///< [1] (rows)
  JointColumns columns;          ///< of the user's
  Selection selection;
};

/// Writes row r of the user's arrays.
struct ReadJoint : JointExchange {
  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = slot_of[r];
    JointModel& model = joints.model[i];
    if (!selection(model.world)) return;
    const JointResult& result = joints.result[i];
    columns.force.set(r, widen(result.force));
    columns.torque.set(r, widen(result.torque));
    for (std::uint32_t c = 0; c < kJointAxes; ++c) {
      const int column = static_cast<int>(c);
      if (columns.coordinate.data != nullptr) columns.coordinate.set(r, column, joints.memory[i].coordinate[c]);
      for (std::uint32_t p = 0; p < kDriveParts; ++p) {
        if (columns.drive[p].data == nullptr) continue;
        columns.drive[p].set(r, column, double{drive_part(model.axis[c], static_cast<DrivePart>(p))});
      }
    }
  }
};

/// Checks row r against the rules of World::set_drive. If it breaks one, its world is refused as a whole, and gets a
/// status bit, which freezes it. Columns of axes without a drive are ignored.
struct CheckJoint : JointExchange {
  Worlds worlds;
  StepState* state;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const JointModel& model = joints.model[slot_of[r]];
    if (!selection(model.world)) return;
    bool good = true;
    for (std::uint32_t c = 0; c < kJointAxes; ++c) {
      if (!(model.axis[c].drive_max > 0)) continue;
      for (std::uint32_t p = 0; p < kDriveParts; ++p) {
        if (columns.drive[p].data == nullptr) continue;
        const double value = columns.drive[p].get(r, static_cast<int>(c));
        good = good && columns.bounds[p](static_cast<float>(value));
      }
    }
    if (good) return;
    atomic_or(&refused[model.world], 1u);
    raise(worlds, state, model.world, model.body_b != kNone ? model.body_b : model.body_a, kStatusNonFinite);
  }
};

/// Applies row r.
struct WriteJoint : JointExchange {
  CAIRN_HD void operator()(std::uint32_t r) const {
    JointModel& model = joints.model[slot_of[r]];
    if (!selection(model.world)) return;
    for (std::uint32_t c = 0; c < kJointAxes; ++c) {
      if (!(model.axis[c].drive_max > 0)) continue;
      for (std::uint32_t p = 0; p < kDriveParts; ++p) {
        if (columns.drive[p].data == nullptr) continue;
        const double value = columns.drive[p].get(r, static_cast<int>(c));
        drive_part(model.axis[c], static_cast<DrivePart>(p)) = static_cast<float>(value);
      }
    }
  }
};

}  // namespace cairn::kernels
