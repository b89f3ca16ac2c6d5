#pragma once

#include "kernels/common/pack.h"
#include "kernels/joints/measure_joint.h"
#include "kernels/joints/write_joint_rows.h"

namespace cairn::kernels {

/// True for a joint that may push something in this step.
CAIRN_HD bool pushes(const Bodies& bodies, const JointModel& model, const JointMemory& memory) {
  return holds(model, memory) && ((model.body_a != kNone && bodies.solve[model.body_a].movable > 0.0f) ||
                                  (model.body_b != kNone && bodies.solve[model.body_b].movable > 0.0f));
}

/// Joints -> rows, at the poses that a substep starts from. Contacts keep their rows for a step; those of joints are
/// made again, since a joint's directions turn with its bodies: kept for a step, a rod that spins at 10 rad/s would be
/// out by 1 % of its length. Impulses of the substep before act along the new directions: what bodies carry of the old
/// ones (kernels::Predict) is taken off first.
/// Writes the node and its joint's rows and coordinates, and adds to its result. One thread per node.
struct PrepareJoint {
  StepConstants k;
  JointMeter meter;
  JointLayout layout;
  JointSoftness soft;
  float ahead;  ///< [s] from the substep's end to the step's
  bool first;   ///< of the step: nothing is carried
  bool after;   ///< past the last substep: for those alone that are relaxed
  bool gears;   ///< those that follow other joints, after these

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    each_lane(slot, T{});
  }

 private:
  CAIRN_HD void each_lane(std::uint32_t slot, float) const { one(slot); }
#if !defined(__CUDA_ARCH__)
  CAIRN_HD void each_lane(std::uint32_t slot, Pack) const {
    for (std::uint32_t i = 0; i < kPackLanes; ++i) one(slot + i);
  }
#endif

  CAIRN_HD void one(std::uint32_t at) const {
    JointNode& node = layout.node[at];
    const std::uint32_t index = node.joint;
    if (node.body == kNone && index == kNone) return;
    const bool is_gear = index != kNone && meter.joints.model[index].coordinates == JointCoordinates::kGear;
    if (is_gear != gears) return;
    if (after && !soft.relaxes && node.linked == 0) return;
    if (node.body != kNone) take_mass(node);
    if (first) node.rows = 0;
    if (index == kNone) return;
    const JointModel& model = meter.joints.model[index];
    JointMemory& memory = meter.joints.memory[index];
    JointResult& result = meter.joints.result[index];
    // what sleeps goes on telling of its last step
    if (!pushes(meter.bodies, model, memory)) {
      if (!is_gear && holds(model, memory) && (first || moves(model.body_a) || moves(model.body_b)))
        look(model, memory);
      return;
    }
    if (first) result = {{0, 0, 0}, {0, 0, 0}};
    if (is_gear && !drives_both(model)) return;

    const JointEnd a = meter.end_a(model), b = meter.end_b(model);
    node.body_a = a.body;
    node.body_b = b.body;
    JointRow* const row = layout.row + node.first;
    JointPush carried;
    if (!first) {
      if (!soft.forgets) carried = push_of(row, node.rows, a.inv_mass, b.inv_mass);
      take_over(node, row, b, memory, result);
    }
    node.rows = write(node, row, model, memory, a, b, first ? k.warm_scale : 1.0f);
    const JointPush push = soft.forgets ? JointPush{} : push_of(row, node.rows, a.inv_mass, b.inv_mass);
    node.ahead_va = push.v_a - carried.v_a;
    node.ahead_wa = push.w_a - carried.w_a;
    node.ahead_vb = push.v_b - carried.v_b;
    node.ahead_wb = push.w_b - carried.w_b;
  }

  /// Mass and inertia of the node's body as they are now, in the units of v and w~.
  CAIRN_HD void take_mass(JointNode& node) const {
    node.stale = 1;
    node.mass = 0.0f;
    const BodySolve& s = meter.bodies.solve[node.body];
    if (!(s.movable > 0.0f)) return;
    node.mass = 1.0f / s.inv_mass;
    const Mat3 axes = matrix_of(narrow(meter.bodies.q1[node.body]));
    const Sym3 inertia = turned_diagonal(axes, meter.bodies.inertia[node.body]);
    const Sym3& root = meter.bodies.inv_sqrt_inertia[node.body];
    const Vec3 x = root * (inertia * (root * Vec3{1, 0, 0})), y = root * (inertia * (root * Vec3{0, 1, 0})),
               z = root * (inertia * (root * Vec3{0, 0, 1}));
    node.inertia = {x.x, y.y, z.z, y.x, z.x, z.y};
  }

  /// True of a gear whose joints both hold.
  CAIRN_HD bool drives_both(const JointModel& gear) const {
    return holds(meter.joints.model[gear.geared[0]], meter.joints.memory[gear.geared[0]]) &&
           holds(meter.joints.model[gear.geared[1]], meter.joints.memory[gear.geared[1]]);
  }

  CAIRN_HD bool moves(std::uint32_t body) const {
    return body != kNone && is_kinematic(meter.bodies.flags[body]) && takes_part(meter.bodies.flags[body]);
  }

  /// Coordinates of a joint between bodies that it can't push: a gear may follow it.
  CAIRN_HD void look(const JointModel& model, JointMemory& memory) const {
    JointMeasure m{};
    meter.measure(model, memory, meter.end_a(model), meter.end_b(model), m);
    for (std::uint32_t i = 0; i < kJointAxes; ++i) memory.coordinate[i] = m.value[i];
  }

  /// What the rows gave: into memory, and into the joint's sums.
  CAIRN_HD void take_over(const JointNode& node, const JointRow* row, const JointEnd& b, JointMemory& memory,
                          JointResult& result) const {
    const JointSum sum = sum_of(row, node.rows);
    result.force = result.force + sum.linear;
    // angular impulses count about the centre of mass; those about the anchor lack what the force does there
    result.torque = result.torque + (b.movable > 0.0f ? b.root * sum.angular : sum.angular) - cross(b.arm, sum.linear);
    for (float& l : memory.impulse) l = 0.0f;
    // the relaxation of joints that hold links goes on from there
    if (soft.forgets && node.linked == 0) return;
    for (std::uint32_t r = 0; r < node.rows; ++r) memory.impulse[row[r].axis] = row[r].impulse;
  }

  /// Turns before shifts, so that it is seen where they have a pole.
  CAIRN_HD std::uint32_t write(const JointNode& node, JointRow* row, const JointModel& model, JointMemory& memory,
                               const JointEnd& a, const JointEnd& b, float warm) const {
    // with links, joints lead out all of an error, as far as they stay calm, and start over
    const bool linked = node.linked != 0;
    const float kept = first && (soft.forgets || linked) ? 0.0f : warm;
    JointMeasure m{};
    meter.measure(model, memory, a, b, m);
    const float most = first && node.contested != 0 ? kMaxCarried : kUnbounded;
    JointWriter writer{row, a, b, linked ? k.inv_h : soft.rate, k.h, k.inv_h, most};
    for (std::uint32_t n = 0; n < kJointAxes; ++n) {
      const std::uint32_t i = (n + 3) % kJointAxes;
      writer.axis(model.axis[i], i, m.gradient[i], m.value[i], m.bend[i], ahead, kept * memory.impulse[i]);
      memory.coordinate[i] = m.value[i];
    }
    if (model.pitch == 0.0f) return writer.rows;
    // a turn goes with a shift
    const float lead = static_cast<float>(model.pitch / (2.0 * kPi));
    const JointGradient &s = m.gradient[0], &t = m.gradient[3];
    const JointGradient g{s.linear_a, s.linear_b, fma(-lead, t.angular_a, s.angular_a),
                          fma(-lead, t.angular_b, s.angular_b)};
    const auto error = static_cast<float>(fma(-static_cast<double>(lead), m.value[3], m.value[0]));
    writer.lock(g, 0, error, m.bend[0], kept * memory.impulse[0]);
    return writer.rows;
  }

  friend struct FinishJoint;
};

}  // namespace cairn::kernels
