#pragma once

#include <bit>

#include "kernels/common/body_pack.h"
#include "kernels/joints/measure_joint.h"
#include "kernels/joints/write_joint_rows.h"

namespace cairn::kernels {

/// True for a joint that may push something in this step.
CAIRN_HD bool pushes(const Bodies& bodies, const JointModel& model, const JointMemory& memory) {
  return holds(model, memory) && ((model.body_a != kNone && bodies.solve[model.body_a].movable > 0.0f) ||
                                  (model.body_b != kNone && bodies.solve[model.body_b].movable > 0.0f));
}

/// Joints -> rows, at the poses that a substep starts from. Contacts keep their rows for a step; those of joints are
/// written every substep, since a joint's directions turn with its bodies: kept for a step, a rod that spins at 10
/// rad/s would be out by 1 % of its length. Impulses of the substep before act along the new directions; their effect
/// along the old ones, which bodies carry (kernels::Predict), is taken off first.
/// Writes the node and its joint's rows and coordinates, and adds to its result. One thread per node.
struct PrepareJoint {
  StepConstants k;
  JointMeter meter;
  JointLayout layout;
  JointSoftness soft;
  float ahead;  ///< [s] from the substep's end to the step's
  bool first;   ///< substep of the step: no impulse is carried over
  bool after;   ///< past the last substep: only for joints that are relaxed
  bool gears;   ///< only gears, after the joints that they follow

  template <class T>
  CAIRN_HD void row(std::uint32_t slot) const {
    begin_and_make(slot, T{});
  }

 private:
  CAIRN_HD void begin_and_make(std::uint32_t slot, float) const {
    bool masses = false;
    const bool makes = begin(slot, masses);
    if (masses) take_mass<float>({slot}, 1);
    if (makes) make<float>({slot}, 1);
  }
#if CAIRN_BODY_PACKS
  CAIRN_HD void begin_and_make(std::uint32_t slot, Pack) const {
    std::uint32_t left = 0, with_mass = 0;
    for (std::uint32_t i = 0; i < kPackLanes; ++i) {
      bool masses = false;
      left |= (begin(slot + i, masses) ? 1u : 0u) << i;
      with_mass |= (masses ? 1u : 0u) << i;
    }
    std::uint32_t at[kPackLanes];
    const auto take_lanes = [&](std::uint32_t lanes) {
      for (std::uint32_t i = 0; i < kPackLanes; ++i) at[i] = slot + ((lanes >> i & 1u) != 0 ? i : first_of(lanes));
    };
    if (with_mass != 0) {
      take_lanes(with_mass);
      take_mass<Pack>(at, with_mass);
    }
    while (left != 0) {
      const JointCoordinates kind = model_of(slot + first_of(left)).coordinates;
      std::uint32_t alike = 0;
      for (std::uint32_t i = 0; i < kPackLanes; ++i) {
        if ((left >> i & 1u) != 0 && model_of(slot + i).coordinates == kind) alike |= 1u << i;
      }
      left &= ~alike;
      if (kind == JointCoordinates::kGear || (alike & (alike - 1)) == 0) {
        for (; alike != 0; alike &= alike - 1) make<float>({slot + first_of(alike)}, 1);
        continue;
      }
      take_lanes(alike);
      make<Pack>(at, alike);
    }
  }
  CAIRN_HD static std::uint32_t first_of(std::uint32_t lanes) {
    return static_cast<std::uint32_t>(std::countr_zero(lanes));
  }
#elif !defined(__CUDA_ARCH__)
  CAIRN_HD void begin_and_make(std::uint32_t slot, Pack) const {
    for (std::uint32_t i = 0; i < kPackLanes; ++i) begin_and_make(slot + i, 0.0f);
  }
#endif
  CAIRN_HD const JointModel& model_of(std::uint32_t at) const { return meter.joints.model[layout.node[at].joint]; }

  /// True if a node's rows must be written; `masses` if its mass must be.
  CAIRN_HD bool begin(std::uint32_t at, bool& masses) const {
    JointNode& node = layout.node[at];
    const std::uint32_t index = node.joint;
    if (node.body == kNone && index == kNone) return false;
    const bool is_gear = index != kNone && meter.joints.model[index].coordinates == JointCoordinates::kGear;
    if (is_gear != gears) return false;
    if (after && !soft.relaxes && node.linked == 0) return false;
    if (node.body != kNone) {
      node.stale = 1;
      node.mass = 0.0f;
      masses = meter.bodies.solve[node.body].movable > 0.0f;
    }
    if (first) node.rows = 0;
    if (index == kNone) return false;
    const JointModel& model = meter.joints.model[index];
    JointMemory& memory = meter.joints.memory[index];
    // a sleeping joint keeps the result of its last step
    if (!pushes(meter.bodies, model, memory)) {
      if (!is_gear && holds(model, memory) && (first || moves(model.body_a) || moves(model.body_b)))
        look(model, memory);
      return false;
    }
    if (first) meter.joints.result[index] = {{0, 0, 0}, {0, 0, 0}};
    return !is_gear || drives_both(model);
  }

  /// A joint a lane.
  template <class T>
  struct Made {
    static constexpr std::uint32_t kLanes = kLanesOf<T>;
    const JointModel* model[kLanes];
    JointNode* node[kLanes];
    JointRow* row[kLanes];       ///< first of each
    std::uint32_t rows[kLanes];  ///< [1] rows of the substep before
    JointMemory* memory[kLanes];
  };
  template <class T>
  CAIRN_HD Made<T> made_of(const std::uint32_t (&at)[kLanesOf<T>]) const {
    Made<T> of;
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      JointNode& node = layout.node[at[i]];
      of.node[i] = &node;
      of.row[i] = layout.row + node.first;
      of.model[i] = &meter.joints.model[node.joint];
      of.memory[i] = &meter.joints.memory[node.joint];
      of.rows[i] = node.rows;
    }
    return of;
  }

  /// Rows of the nodes of these lanes, whose joints have the same coordinates; the other lanes repeat one of them.
  template <class T>
  CAIRN_HD void make(const std::uint32_t (&at)[kLanesOf<T>], std::uint32_t lanes) const {
    constexpr std::uint32_t kLanes = kLanesOf<T>;
    const Made<T> of = made_of<T>(at);
    const JointEndT<T> a = meter.template end_a<T>(of.model), b = meter.template end_b<T>(of.model);
    JointPushT<T> carried{};
    if (!first) carried = take_over(of, lanes, a.inv_mass, b);
    float shared[kLanes], most[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      JointNode& node = *of.node[i];
      node.body_a = meter.slot_of(of.model[i]->body_a);
      node.body_b = meter.slot_of(of.model[i]->body_b);
      shared[i] = node.body_a == node.body_b ? 1.0f : 0.0f;
      most[i] = first && node.contested != 0 ? kMaxCarried : kUnbounded;
    }
    JointWriter<T> writer{a, b, from_lanes<T>(shared) > T(0.0f), from_lanes<T>(most)};
    for (std::uint32_t i = 0; i < kLanes; ++i) writer.row[i] = of.row[i];
    write(of, lanes, writer);
    JointPushT<T>& push = writer.push;
    if (soft.forgets) push = {};
    JointPushT<float>* ahead_of[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      ahead_of[i] = &of.node[i]->ahead;
      if ((lanes >> i & 1u) != 0) of.node[i]->rows = writer.rows[i];
    }
    store_push(ahead_of, lanes, push - carried);
  }

  /// Mass and inertia of those nodes' movable bodies, at their present orientation, in the units of v and w~.
  template <class T>
  CAIRN_HD void take_mass(const std::uint32_t (&at)[kLanesOf<T>], std::uint32_t lanes) const {
    constexpr std::uint32_t kLanes = kLanesOf<T>;
    std::uint32_t body[kLanes];
    const float* motion[kLanes];
    float* to[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      JointNode& node = layout.node[at[i]];
      to[i] = &node.mass;
      body[i] = node.body;
      motion[i] = &meter.bodies.solve[node.body].v.x;
    }
    const T none(0.0f), one(1.0f);
    T solve[8];
    gather8(motion, solve);
    const Mat3T<T> axes = matrix_of(narrow(gather<T>(meter.bodies.q1, body)));
    const Sym3T<T> inertia = turned_diagonal(axes, gather<T>(meter.bodies.inertia, body));
    const Sym3T<T> root = gather<T>(meter.bodies.inv_sqrt_inertia, body);
    const Vec3T<T> x = root * (inertia * (root * Vec3T<T>{one, none, none})),
                   y = root * (inertia * (root * Vec3T<T>{none, one, none})),
                   z = root * (inertia * (root * Vec3T<T>{none, none, one}));
    const T words[7] = {one / solve[3], x.x, y.y, z.z, y.x, z.x, z.y};
    store_words<7>(to, lanes, words);
  }

  /// True for a gear whose joints both hold.
  CAIRN_HD bool drives_both(const JointModel& gear) const {
    return holds(meter.joints.model[gear.geared[0]], meter.joints.memory[gear.geared[0]]) &&
           holds(meter.joints.model[gear.geared[1]], meter.joints.memory[gear.geared[1]]);
  }

  CAIRN_HD bool moves(std::uint32_t body) const {
    return body != kNone && is_kinematic(meter.bodies.flags[body]) && takes_part(meter.bodies.flags[body]);
  }

  /// + 0.0 turns -0 into 0: g++ compiles -fma(a, b, c) of numbers to fnms(a, b, c), which is 0 where packs have -0.
  CAIRN_HD static void tell(JointMemory& memory, std::uint32_t axis, double value) {
    memory.coordinate[axis] = value + 0.0;
  }

  /// Coordinates of a joint between bodies that it can't push, since a gear may follow it.
  CAIRN_HD void look(const JointModel& model, JointMemory& memory) const {
    const JointModel* const of[1] = {&model};
    JointMemory* const memories[1] = {&memory};
    JointMeasureT<float> m;
    meter.measure<float>(of, memories, meter.end_a<float>(of), meter.end_b<float>(of), m);
    for (std::uint32_t i = 0; i < kJointAxes; ++i) tell(memory, i, m.value[i]);
  }

  /// Impulses of the rows: into memory, and into the joints' sums. Returns their effect on the bodies.
  template <class T>
  CAIRN_HD JointPushT<T> take_over(const Made<T>& of, std::uint32_t lanes, T inv_mass_a, const JointEndT<T>& b) const {
    JointPushT<T> carried{};
    // impulses on b: linear [N s], and I^-1/2 times the angular ones about the centre of mass
    Vec3T<T> linear{}, angular{};
    each_way<T>(of.row, of.rows, [&](MaskT<T> has, const JointWayT<T>& way) {
      linear = select(has, fma(way.total, way.linear_b, linear), linear);
      angular = select(has, fma(way.total, way.angular_b, angular), angular);
      if (!soft.forgets) carried = select(has, with_push(way, way.impulse, inv_mass_a, b.inv_mass, carried), carried);
    });
    // angular impulses are about the centre of mass; about the anchor the moment of the force is taken off
    const Vec3T<T> torque = select(b.moves, b.root * angular, angular);
    const Vec3T<T> offset = cross(b.arm, linear);
    Vec3 given[kLanesOf<T>], turned[kLanesOf<T>], moved[kLanesOf<T>];
    store3(given, linear);
    store3(turned, torque);
    store3(moved, offset);
    for (std::uint32_t i = 0; i < kLanesOf<T>; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      const JointNode& node = *of.node[i];
      JointMemory& memory = *of.memory[i];
      JointResult& result = meter.joints.result[node.joint];
      result.force = result.force + given[i];
      result.torque = result.torque + turned[i] - moved[i];
      for (float& l : memory.impulse) l = 0.0f;
      // the relaxation of joints that hold links continues from there
      if (soft.forgets && node.linked == 0) continue;
      for (std::uint32_t r = 0; r < of.rows[i]; ++r) memory.impulse[of.row[i][r].axis] = of.row[i][r].impulse;
    }
    return carried;
  }
  /// The same at the step's end, where their effect on bodies isn't needed.
  CAIRN_HD void take_over(std::uint32_t at) const {
    const Made<float> of = made_of<float>({at});
    const JointEndT<float> b = meter.end_b<float>(of.model);
    take_over(of, 1, 0.0f, b);
  }

  /// Turns before shifts, so that a pole of the turns is found.
  template <class T>
  CAIRN_HD void write(const Made<T>& of, std::uint32_t lanes, JointWriter<T>& writer) const {
    constexpr std::uint32_t kLanes = kLanesOf<T>;
    JointMeasureT<T> m;
    meter.template measure<T>(of.model, of.memory, writer.a, writer.b, m);
    double value[kJointAxes][kLanes];
    JointLaws laws[kLanes];
    float kept[kLanes];
    std::uint32_t asks[kJointAxes] = {};
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      for (std::uint32_t axis = 0; axis < kJointAxes; ++axis) {
        asks[axis] |= ((lanes >> i & 1u) != 0 && JointLaws::acts(of.model[i]->axis[axis]) ? 1u : 0u) << i;
      }
      // with links, joints correct an error at once, as far as they stay calm, and impulses start at 0
      const bool linked = of.node[i]->linked != 0;
      laws[i] = {linked ? k.inv_h : soft.rate, k.h, k.inv_h};
      kept[i] = first && (soft.forgets || linked) ? 0.0f : (first ? k.warm_scale : 1.0f);
    }
    for (std::uint32_t n = 0; n < kJointAxes; ++n) {
      const std::uint32_t axis = (n + 3) % kJointAxes;
      store_wide(value[axis], m.value[axis]);
      if (asks[axis] == 0) continue;
      const std::uint32_t has = writer.add(asks[axis], m.gradient[axis], axis, impulse_of<T>(of, kept, axis));
      each_lane(m.bend[axis], kLanes, [&](std::uint32_t i, float bend) {
        if ((has >> i & 1u) == 0) return;
        laws[i].axis(writer.row[i][-1], of.model[i]->axis[axis], value[axis][i], bend, ahead);
      });
    }
    add_threads(of, lanes, writer, m, value, laws, kept);
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      if ((lanes >> i & 1u) == 0) continue;
      for (std::uint32_t axis = 0; axis < kJointAxes; ++axis) tell(*of.memory[i], axis, value[axis][i]);
    }
  }
  template <class T>
  CAIRN_HD static T impulse_of(const Made<T>& of, const float* kept, std::uint32_t axis) {
    return of_lanes<T>([&](std::uint32_t i) { return kept[i] * of.memory[i]->impulse[axis]; });
  }
  /// Of screws: a shift is proportional to a turn.
  template <class T>
  CAIRN_HD void add_threads(const Made<T>& of, std::uint32_t lanes, JointWriter<T>& writer, const JointMeasureT<T>& m,
                            const double (&value)[kJointAxes][kLanesOf<T>], const JointLaws* laws,
                            const float* kept) const {
    constexpr std::uint32_t kLanes = kLanesOf<T>;
    std::uint32_t asks = 0;
    float leads[kLanes];
    for (std::uint32_t i = 0; i < kLanes; ++i) {
      leads[i] = static_cast<float>(of.model[i]->pitch / (2.0 * kPi));
      if ((lanes >> i & 1u) != 0 && of.model[i]->pitch != 0.0f) asks |= 1u << i;
    }
    if (asks == 0) return;
    const T lead = from_lanes<T>(leads);
    const JointGradientT<T>&s = m.gradient[0], &t = m.gradient[3];
    const JointGradientT<T> g{s.linear_a, s.linear_b, fma(-lead, t.angular_a, s.angular_a),
                              fma(-lead, t.angular_b, s.angular_b)};
    const std::uint32_t has = writer.add(asks, g, 0, impulse_of<T>(of, kept, 0));
    each_lane(m.bend[0], kLanes, [&](std::uint32_t i, float bend) {
      if ((has >> i & 1u) == 0) return;
      const auto error = static_cast<float>(fma(-static_cast<double>(leads[i]), value[3][i], value[0][i]));
      JointLaws::put(writer.row[i][-1], laws[i].hold(error, bend, -kUnbounded, kUnbounded));
    });
  }

  friend struct FinishJoint;
};

}  // namespace cairn::kernels
