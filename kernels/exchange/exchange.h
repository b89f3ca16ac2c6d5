#pragma once
// Copies states of bodies to and from the user's arrays on the world's device, in the user's frame and order: as
// World::read_states and write_states do, without the host.

#include "kernels/common/frame.h"
#include "kernels/common/state.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/motion_to.h"
#include "kernels/predict/predict.h"
#include "kernels/reset/reset.h"

namespace cairn::kernels {

/// Writes row r of the user's arrays. One thread per row.
struct ReadState {
  Bodies bodies;
  Frames frames;
  StateColumns to;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = frames.row_slot[r];
    if (!selection(bodies.world[i])) return;
    if (to.position.data != nullptr || to.orientation.data != nullptr) {
      const BodyPose pose = body_pose({frames.centre[i], frames.axes[i]}, {bodies.x[i], bodies.x_low[i], bodies.q[i]});
      to.position.set(r, pose.x);
      to.orientation.set(r, Vec3d{pose.q.x, pose.q.y, pose.q.z});
      if (to.orientation.data != nullptr) to.orientation.set(r, 3, pose.q.w);
    }
    to.linear_velocity.set(r, widen(bodies.v[i]));
    to.angular_velocity.set(r, widen(bodies.w[i]));
  }
};

/// Clears the flags of refused worlds. One thread per world.
struct ForgetRefused {
  std::uint32_t* refused;  ///< [1] (worlds)
  CAIRN_HD void operator()(std::uint32_t i) const { refused[i] = 0; }
};

/// Checks row r against the rules of World::set_state. If it breaks one, its world is refused as a whole, and gets a
/// status bit, which freezes it. One thread per row.
struct CheckState {
  Bodies bodies;
  Frames frames;
  Worlds worlds;
  StepState* state;
  StateColumns from;
  Selection selection;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = frames.row_slot[r], world = bodies.world[i];
    // the joints determine the poses of links
    if (!selection(world) || is_link(bodies.flags[i])) return;
    bool good = true, near = true, slow = true;
    if (from.position.data != nullptr) {
      good = is_pose(from, r);
      near = is_near(from.position.vector(r));
    }
    const bool fixed = !is_dynamic(bodies.flags[i]) && !is_kinematic(bodies.flags[i]);
    if (from.linear_velocity.data != nullptr) {
      const Vec3 v = narrow(from.linear_velocity.vector(r));
      good = good && finite(v);
      slow = !fixed || v == Vec3{0, 0, 0};
    }
    if (from.angular_velocity.data != nullptr) {
      const Vec3 w = narrow(from.angular_velocity.vector(r));
      good = good && finite(w);
      const bool turns = !fixed && !is_upright(bodies.flags[i]);
      slow = slow && (turns ? turns_in_range(w, bodies.radius[i]) : w == Vec3{0, 0, 0});
    }
    if (good && near && slow) return;
    atomic_or(&refused[world], 1u);
    raise(worlds, state, world, i, !good ? kStatusNonFinite : !near ? kStatusOutOfBounds : kStatusTooFast);
  }

  /// A double too large for a float becomes infinite.
  CAIRN_HD static bool is_pose(const StateColumns& from, std::uint32_t r) {
    const Quat q = from.orientation.quaternion(r);
    return finite(narrow(from.position.vector(r))) && finite(q) && (q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0);
  }
  CAIRN_HD static bool is_near(Vec3d x) {
    return x.x <= kMax && x.x >= -kMax && x.y <= kMax && x.y >= -kMax && x.z <= kMax && x.z >= -kMax;
  }

 private:
  static constexpr double kMax = 1e7;  // [m] as in the rules of bodies
};

/// Target poses of kinematic bodies, as the user's rows. Rows of other bodies are ignored.
struct MoveTargets {
  Bodies bodies;
  Frames frames;
  StateColumns to;
  double dt;  ///< [s]
  Selection selection;

  /// The body of row r if it is moved, else kNone.
  CAIRN_HD std::uint32_t body(std::uint32_t r) const {
    const std::uint32_t i = frames.row_slot[r];
    const std::uint32_t flags = bodies.flags[i];
    return selection(bodies.world[i]) && is_kinematic(flags) && !is_disabled(flags) ? i : kNone;
  }
  CAIRN_HD BodyMotion motion(std::uint32_t r, std::uint32_t i) const {
    const BodyFrame frame{frames.centre[i], frames.axes[i]};
    return motion_to(frame, body_pose(frame, {bodies.x[i], bodies.x_low[i], bodies.q[i]}),
                     {to.position.vector(r), unit(to.orientation.quaternion(r))}, dt);
  }
};

/// Checks row r against the rules of World::move_to, like CheckState. One thread per row.
struct CheckMove : MoveTargets {
  Worlds worlds;
  StepState* state;
  std::uint32_t* refused;  ///< [1] (worlds)

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (i == kNone) return;
    std::uint32_t fault = 0;
    if (!CheckState::is_pose(to, r)) {
      fault = kStatusNonFinite;
    } else if (!CheckState::is_near(to.position.vector(r))) {
      fault = kStatusOutOfBounds;
    } else {
      const BodyMotion m = motion(r, i);
      if (!finite(m.v) || !finite(m.w)) fault = kStatusNonFinite;
      if (fault == 0 && !turns_in_range(m.w, bodies.radius[i])) fault = kStatusTooFast;
    }
    if (fault == 0) return;
    atomic_or(&refused[bodies.world[i]], 1u);
    raise(worlds, state, bodies.world[i], i, static_cast<StatusBit>(fault));
  }
};

/// Gives row r's body the velocity that takes it to its target. One thread per row.
struct WriteMove : MoveTargets {
  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (i == kNone) return;
    const BodyMotion m = motion(r, i);
    bodies.v[i] = m.v;
    bodies.w[i] = m.w;
  }
};

/// Wakes body i of a chosen world. If poses changed, values derived from them are recomputed. One thread per body slot.
struct NotifyBody {
  Bodies bodies;
  Selection selection;
  bool poses;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if ((bodies.flags[i] & kBodyAlive) == 0 || !selection(bodies.world[i])) return;
    bodies.flags[i] &= ~std::uint32_t{kBodyAsleep};
    bodies.quiet_time[i] = 0.0f;
    if (poses) bodies.w_known[i] = unknown_velocity();
  }
};

/// Applies row r. Writes x, x_low, q, v and w of its body. One thread per row.
struct WriteState {
  Bodies bodies;
  Frames frames;
  StateColumns from;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t r) const {
    const std::uint32_t i = frames.row_slot[r];
    if (!selection(bodies.world[i]) || is_link(bodies.flags[i])) return;
    if (from.position.data != nullptr) {
      const BodyPose pose{from.position.vector(r), unit(from.orientation.quaternion(r))};
      const PrincipalPose p = principal_pose({frames.centre[i], frames.axes[i]}, pose);
      bodies.x[i] = p.x;
      bodies.x_low[i] = p.x_low;
      bodies.q[i] = p.q;
    }
    if (from.linear_velocity.data != nullptr) bodies.v[i] = narrow(from.linear_velocity.vector(r));
    if (from.angular_velocity.data != nullptr) bodies.w[i] = narrow(from.angular_velocity.vector(r));
  }
};

}  // namespace cairn::kernels
