#pragma once

#include "kernels/joints/coordinates.h"

namespace cairn::kernels {

/// Ends of joints, and joints' coordinates, at the present poses.
struct JointMeter {
  Bodies bodies;
  JointScales scales;
  Joints joints;
  std::uint32_t nobody;  ///< [1] the immovable body

  template <class T>
  CAIRN_HD JointEndT<T> end_a(const JointModel* const (&model)[kLanesOf<T>]) const {
    return end_of<T>(bodies, scales, model, false);
  }
  template <class T>
  CAIRN_HD JointEndT<T> end_b(const JointModel* const (&model)[kLanesOf<T>]) const {
    return end_of<T>(bodies, scales, model, true);
  }
  /// The immovable body in place of kNone.
  CAIRN_HD std::uint32_t slot_of(std::uint32_t body) const { return body != kNone ? body : nobody; }

  /// For joints with the same kind of coordinates.
  template <class T>
  CAIRN_HD void measure(const JointModel* const (&model)[kLanesOf<T>], JointMemory* const (&memory)[kLanesOf<T>],
                        const JointEndT<T>& a, const JointEndT<T>& b, JointMeasureT<T>& m) const {
    const auto unwrap = [&](std::uint32_t i) {
      double before[kLanesOf<T>];
      for (std::uint32_t k = 0; k < kLanesOf<T>; ++k) before[k] = memory[k]->coordinate[i];
      m.value[i] = unwrapped(m.value[i], wide_from_lanes<T>(before));
    };
    switch (model[0]->coordinates) {
      case JointCoordinates::kSwingTwist:
        measure_shifts(a, b, m);
        measure_swing_twist(a, b, m);
        unwrap(3);
        if (const MaskT<T> cones = with_cone<T>(model); any(cones)) measure_cone(a, b, cones, m);
        if (const MaskT<T> far = locked<T>(model, 4) && dot(a.axes.x, b.axes.x) < T(kFarSwing); any(far)) {
          measure_far_swings(a, b, far, m);
          measure_far_turn(a, b, far && locked<T>(model, 3), m);
        }
        break;
      case JointCoordinates::kCardan:
        measure_shifts(a, b, m);
        measure_cardan(a, b, m);
        unwrap(3);
        unwrap(4);
        break;
      case JointCoordinates::kDistance:
        measure_distance(a, b, m);
        break;
      case JointCoordinates::kPulley:
        measure_pulley(a, b, model, m);
        break;
      case JointCoordinates::kGear:
        if constexpr (kLanesOf<T> == 1) measure_gear(*model[0], m);
        break;
    }
  }

 private:
  template <class T>
  CAIRN_HD static MaskT<T> with_cone(const JointModel* const (&model)[kLanesOf<T>]) {
    return of_lanes<T>([&](std::uint32_t i) { return model[i]->axis[4].mode == AxisMode::kCone ? 1.0f : 0.0f; }) >
           T(0.0f);
  }
  /// True where turns from `first` on are locked at 0, and not by springs: those have an energy, which must not jump.
  template <class T>
  CAIRN_HD static MaskT<T> locked(const JointModel* const (&model)[kLanesOf<T>], std::uint32_t first) {
    float holds[kLanesOf<T>];
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      holds[i] = 1.0f;
      for (std::uint32_t k = first; k < kJointAxes; ++k) {
        const JointAxis& axis = model[i]->axis[k];
        if (axis.mode != AxisMode::kLocked || axis.lower != 0.0f || axis.stiffness != 0.0f) holds[i] = 0.0f;
      }
    }
    return from_lanes<T>(holds) > T(0.0f);
  }
  /// ratio_0 c_0 + ratio_1 c_1, of the coordinates of two other joints. Each side acts on the second body of its joint;
  /// the first bodies count as immovable.
  CAIRN_HD void measure_gear(const JointModel& model, JointMeasureT<float>& m) const {
    m = {};
    JointGradientT<float>& g = m.gradient[0];
    for (int side = 0; side < 2; ++side) {
      const std::uint32_t other = model.geared[side], axis = model.geared_axis[side];
      const JointModel& of = joints.model[other];
      m.value[0] = fma(static_cast<double>(model.ratio[side]), joints.memory[other].coordinate[axis], m.value[0]);
      const JointModel* const it[1] = {&of};
      const JointEndT<float> a = end_a<float>(it), b = end_b<float>(it);
      const Vec3 u = model.ratio[side] * a.axes.x;
      const bool shifts = axis == 0;
      (side == 0 ? g.linear_a : g.linear_b) = shifts ? u : Vec3{0, 0, 0};
      (side == 0 ? g.angular_a : g.angular_b) = shifts ? cross(b.arm, u) : u;
    }
  }
};

}  // namespace cairn::kernels
