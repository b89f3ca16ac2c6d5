#pragma once
// States and target poses of bodies as rows: World::read_states, write_states and move_to.

#include "kernels/common/frame.h"
#include "kernels/exchange/columns.h"
#include "kernels/exchange/exchange.h"
#include "kernels/exchange/motion_to.h"

namespace cairn::kernels {

/// One row per living body, in the order of World::bodies().
struct StateColumns {
  Columns position;          ///< [m]     world, of the body's own origin
  Columns orientation;       ///< [1]     x, y, z, w; given together with the position
  Columns linear_velocity;   ///< [m/s]   world, of the centre of mass
  Columns angular_velocity;  ///< [rad/s] world
};

/// Data that the kinds of rows of bodies share.
struct BodyExchange {
  Bodies bodies;
  Frames frames;
  StateColumns columns;

  CAIRN_HD std::uint32_t body(std::uint32_t r) const { return frames.row_slot[r]; }
  CAIRN_HD std::uint32_t world(std::uint32_t r) const { return bodies.world[body(r)]; }

 protected:
  CAIRN_HD BodyFrame frame_of(std::uint32_t i) const { return {frames.centre[i], frames.axes[i]}; }
  CAIRN_HD BodyPose pose_of(std::uint32_t i) const {
    return body_pose(frame_of(i), {bodies.x[i], bodies.x_low[i], bodies.q[i]});
  }
  /// The user's.
  CAIRN_HD BodyPose pose(std::uint32_t r) const {
    return {columns.position.vector(r), unit(columns.orientation.quaternion(r))};
  }
  /// A double too large for a float becomes infinite.
  CAIRN_HD bool is_pose(std::uint32_t r) const {
    const Quat q = columns.orientation.quaternion(r);
    return finite(narrow(columns.position.vector(r))) && finite(q) && (q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0);
  }
  CAIRN_HD bool is_near(std::uint32_t r) const {
    constexpr double kMax = 1e7;  // [m] as in the rules of bodies
    const Vec3d x = columns.position.vector(r);
    return x.x <= kMax && x.x >= -kMax && x.y <= kMax && x.y >= -kMax && x.z <= kMax && x.z >= -kMax;
  }
};

/// States, by the rules of World::set_state. Links are read only: the joints determine their poses.
struct StateExchange : BodyExchange {
  CAIRN_HD bool moves() const { return columns.position.given(); }
  CAIRN_HD void read(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (columns.position.given() || columns.orientation.given()) {
      const BodyPose pose = pose_of(i);
      columns.position.set(r, pose.x);
      columns.orientation.set(r, Vec3d{pose.q.x, pose.q.y, pose.q.z});
      columns.orientation.set(r, 3, pose.q.w);
    }
    columns.linear_velocity.set(r, widen(bodies.v[i]));
    columns.angular_velocity.set(r, widen(bodies.w[i]));
  }
  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (is_link(bodies.flags[i])) return 0;
    bool good = true, near = true, slow = true;
    if (columns.position.given()) {
      good = is_pose(r);
      near = is_near(r);
    }
    const bool fixed = !is_dynamic(bodies.flags[i]) && !is_kinematic(bodies.flags[i]);
    if (columns.linear_velocity.given()) {
      const Vec3 v = narrow(columns.linear_velocity.vector(r));
      good = good && finite(v);
      slow = !fixed || v == Vec3{0, 0, 0};
    }
    if (columns.angular_velocity.given()) {
      const Vec3 w = narrow(columns.angular_velocity.vector(r));
      good = good && finite(w);
      const bool turns = !fixed && !is_upright(bodies.flags[i]);
      slow = slow && (turns ? turns_in_range(w, bodies.radius[i]) : w == Vec3{0, 0, 0});
    }
    return !good ? kStatusNonFinite : !near ? kStatusOutOfBounds : !slow ? kStatusTooFast : 0u;
  }
  /// Writes x, x_low, q, v and w of the body.
  CAIRN_HD void write(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (is_link(bodies.flags[i])) return;
    if (columns.position.given()) {
      const PrincipalPose p = principal_pose(frame_of(i), pose(r));
      bodies.x[i] = p.x;
      bodies.x_low[i] = p.x_low;
      bodies.q[i] = p.q;
    }
    if (columns.linear_velocity.given()) bodies.v[i] = narrow(columns.linear_velocity.vector(r));
    if (columns.angular_velocity.given()) bodies.w[i] = narrow(columns.angular_velocity.vector(r));
  }
};

/// Target poses of kinematic bodies, by the rules of World::move_to. Rows of other bodies are ignored.
struct MoveExchange : BodyExchange {
  double dt;  ///< [s]

  CAIRN_HD std::uint32_t fault(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (!is_moved(i)) return 0;
    if (!is_pose(r)) return kStatusNonFinite;
    if (!is_near(r)) return kStatusOutOfBounds;
    const BodyMotion m = motion(r, i);
    if (!finite(m.v) || !finite(m.w)) return kStatusNonFinite;
    return turns_in_range(m.w, bodies.radius[i]) ? 0u : kStatusTooFast;
  }
  /// Gives the body the velocity that takes it to its target.
  CAIRN_HD void write(std::uint32_t r) const {
    const std::uint32_t i = body(r);
    if (!is_moved(i)) return;
    const BodyMotion m = motion(r, i);
    bodies.v[i] = m.v;
    bodies.w[i] = m.w;
  }

 private:
  CAIRN_HD bool is_moved(std::uint32_t i) const {
    return is_kinematic(bodies.flags[i]) && !is_disabled(bodies.flags[i]);
  }
  CAIRN_HD BodyMotion motion(std::uint32_t r, std::uint32_t i) const {
    return motion_to(frame_of(i), pose_of(i), pose(r), dt);
  }
};

}  // namespace cairn::kernels
