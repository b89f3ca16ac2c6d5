#pragma once
// Joints as rows: coordinates and loads of World::state, drives of World::set_drive. Max forces of drives are no
// columns, because a joint's rows depend on whether there is a drive.

#include "cairn/joint.h"
#include "kernels/common/joints.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/exchange.h"

namespace cairn::kernels {

/// One row per joint; columns of coordinates and drives are JointDof.
struct JointColumns {
  Columns coordinate;       ///< [m, rad]
  Columns force;            ///< [N]
  Columns torque;           ///< [N m]
  Columns drive_target;     ///< [m, rad]
  Columns drive_rate;       ///< [m/s, rad/s]
  Columns drive_force;      ///< [N, N m]
  Columns drive_stiffness;  ///< [N/m, N m/rad]
  Columns drive_damping;    ///< [N s/m, N m s/rad]
};

struct JointExchange {
  Joints joints;
  const std::uint32_t* slot_of;  ///< [1] (rows)
  JointColumns columns;          ///< of the user's

  CAIRN_HD JointModel& model(std::uint32_t r) const { return joints.model[slot_of[r]]; }
  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return model(r).world; }
  CAIRN_HD std::uint32_t body(std::uint32_t r) const {
    return model(r).body_b != kNone ? model(r).body_b : model(r).body_a;
  }
  /// Of axes with a drive, or of all.
  template <class F>
  CAIRN_HD void each_number(std::uint32_t r, const F& f, bool all = false) const {
    for (int c = 0; c < static_cast<int>(kJointAxes); ++c) {
      JointAxis& axis = model(r).axis[c];
      if (!all && !(axis.drive_max > 0)) continue;
      f(columns.drive_target, c, axis.target, InRange<&JointDrive::target>{});
      f(columns.drive_rate, c, axis.rate, InRange<&JointDrive::rate>{});
      f(columns.drive_force, c, axis.force, InRange<&JointDrive::force>{});
      f(columns.drive_stiffness, c, axis.drive_stiffness, InRange<&JointDrive::stiffness>{});
      f(columns.drive_damping, c, axis.drive_damping, InRange<&JointDrive::damping>{});
    }
  }
  CAIRN_HD void read(std::uint32_t r) const {
    const JointResult& result = joints.result[slot_of[r]];
    columns.force.set(r, widen(result.force));
    columns.torque.set(r, widen(result.torque));
    for (int c = 0; c < static_cast<int>(kJointAxes); ++c) {
      columns.coordinate.set(r, c, joints.memory[slot_of[r]].coordinate[c]);
    }
    const auto give = [&](const Columns& to, int c, float number, auto) { to.set(r, c, double{number}); };
    each_number(r, give, true);
  }
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    return fault_of_numbers(*this, r) != 0 ? std::uint32_t{kStatusNonFinite} : 0u;
  }
  CAIRN_HD void write(std::uint32_t r) const { write_numbers(*this, r); }
};

}  // namespace cairn::kernels
