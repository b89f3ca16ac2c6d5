#pragma once

#include "kernels/joints/coordinates.h"

namespace cairn::kernels {

/// Ends of joints, and what joints measure, at the poses of now.
struct JointMeter {
  Bodies bodies;
  JointScales scales;
  Joints joints;
  std::uint32_t nobody;  ///< [1] the immovable body

  CAIRN_HD JointEnd end_a(const JointModel& model) const {
    return end_of(bodies, scales, nobody, model.body_a, model.anchor_a, model.frame_a);
  }
  CAIRN_HD JointEnd end_b(const JointModel& model) const {
    return end_of(bodies, scales, nobody, model.body_b, model.anchor_b, model.frame_b);
  }

  CAIRN_HD void measure(const JointModel& model, const JointMemory& memory, const JointEnd& a, const JointEnd& b,
                        JointMeasure& m) const {
    switch (model.coordinates) {
      case JointCoordinates::kSwingTwist:
        measure_shifts(a, b, m);
        measure_swing_twist(a, b, m);
        m.value[3] = unwrapped(m.value[3], memory.coordinate[3]);
        if (model.axis[4].mode == AxisMode::kCone) measure_cone(a, b, m);
        break;
      case JointCoordinates::kCardan:
        measure_shifts(a, b, m);
        measure_cardan(a, b, m);
        m.value[3] = unwrapped(m.value[3], memory.coordinate[3]);
        m.value[4] = unwrapped(m.value[4], memory.coordinate[4]);
        break;
      case JointCoordinates::kDistance:
        measure_distance(a, b, m);
        break;
      case JointCoordinates::kPulley:
        measure_pulley(a, b, model, m);
        break;
      case JointCoordinates::kGear:
        measure_gear(model, m);
        break;
    }
  }

 private:
  /// ratio_0 c_0 + ratio_1 c_1, of what two other joints measure. Each side acts on the second body of its joint; what
  /// holds the other bodies is thought to be fast.
  CAIRN_HD void measure_gear(const JointModel& model, JointMeasure& m) const {
    JointGradient& g = m.gradient[0];
    for (int side = 0; side < 2; ++side) {
      const std::uint32_t other = model.geared[side], axis = model.geared_axis[side];
      const JointModel& of = joints.model[other];
      m.value[0] = fma(static_cast<double>(model.ratio[side]), joints.memory[other].coordinate[axis], m.value[0]);
      const JointEnd a = end_a(of), b = end_b(of);
      const Vec3 u = model.ratio[side] * a.axes.x;
      const bool shifts = axis == 0;
      (side == 0 ? g.linear_a : g.linear_b) = shifts ? u : Vec3{0, 0, 0};
      (side == 0 ? g.angular_a : g.angular_b) = shifts ? cross(b.arm, u) : u;
    }
  }
};

}  // namespace cairn::kernels
