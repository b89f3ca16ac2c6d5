#include "cairn/virtual_force.h"

#include <algorithm>
#include <cmath>

#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"
#include "src/joints/compile_joint.h"

namespace cairn {
namespace {

using kernels::operator*;
using kernels::operator+;
using kernels::operator-;

/// The free degrees of freedom of a joint, in the world.
struct Freedom {
  std::array<bool, kJointDofs> free{};
  std::array<Vec3d, kJointDofs> axis;
};

Freedom freedom_of(const Joint& joint, const std::array<JointAnchor, 2>& ends) {
  const JointShape shape = shape_of(joint.kind);
  if (shape.coordinates != kernels::JointCoordinates::kSwingTwist &&
      shape.coordinates != kernels::JointCoordinates::kCardan) {
    throw InvalidArgument("virtual_force: joint \"" + joint.name + "\" neither turns nor shifts along an axis");
  }
  Freedom f;
  for (std::size_t i = 0; i < kJointDofs; ++i) {
    // the second rotation of a Cardan joint is about y of frame b, and a cone leaves the swing about z free
    const std::size_t on = shape.coordinates == kernels::JointCoordinates::kCardan && i == 4 ? 1 : 0;
    const std::size_t axis = i % 3;
    f.free[i] = shape.axes[i].mode != JointAxis::Mode::kLocked;
    f.axis[i] = kernels::rotate(kernels::widen(ends[on].orientation),
                                Vec3d{axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0});
  }
  return f;
}

}  // namespace

std::vector<JointEffort> virtual_force(const World& world, std::span<const JointHandle> chain, Vec3d point,
                                       Vec3 force) {
  const exec::ExactFloats exact;
  const Vec3d f = kernels::widen(force);
  std::vector<JointEffort> efforts;
  for (const JointHandle handle : chain) {
    const std::array<JointAnchor, 2> ends = world.anchors(handle);
    const Freedom freedom = freedom_of(world.description(handle), ends);
    const Vec3d torque = kernels::cross(point - ends[1].position, f);
    JointEffort effort{handle};
    for (std::size_t i = 0; i < kJointDofs; ++i) {
      if (freedom.free[i]) effort.effort[i] = kernels::dot(freedom.axis[i], i < 3 ? f : torque);
    }
    efforts.push_back(effort);
  }
  return efforts;
}

void exert(World& world, std::span<const JointEffort> efforts) {
  const exec::ExactFloats exact;
  struct Load {
    BodyHandle body;
    Vec3d at;
    Vec3 push, turn;
  };
  // check all efforts before applying any
  std::vector<Load> loads;
  for (const JointEffort& e : efforts) {
    const std::array<JointAnchor, 2> ends = world.anchors(e.joint);
    const Joint& joint = world.description(e.joint);
    const auto check = [&](bool finite) {
      if (!finite) throw InvalidArgument("exert: the effort of joint \"" + joint.name + "\" must be finite");
    };
    check(std::ranges::all_of(e.effort, [](double x) { return std::isfinite(x); }));
    const auto off = [&](const JointAnchor& end) { return end.body && !world.description(end.body).enabled; };
    if (std::ranges::any_of(ends, off)) continue;
    const Freedom freedom = freedom_of(joint, ends);
    Vec3d push{0, 0, 0}, turn{0, 0, 0};
    for (std::size_t i = 0; i < kJointDofs; ++i) {
      Vec3d& sum = i < 3 ? push : turn;
      if (freedom.free[i]) sum = sum + e.effort[i] * freedom.axis[i];
    }
    for (std::size_t side = 0; side < 2; ++side) {
      if (!ends[side].body || world.description(ends[side].body).type != BodyType::kDynamic) continue;
      const double sign = side == 0 ? -1 : 1;
      const Load load{ends[side].body, ends[1].position, kernels::narrow(sign * push), kernels::narrow(sign * turn)};
      check(kernels::finite(load.push) && kernels::finite(load.turn));
      loads.push_back(load);
    }
  }
  for (const Load& load : loads) {
    if (!(load.push == Vec3{})) world.add_force(load.body, load.push, load.at);
    if (!(load.turn == Vec3{})) world.add_torque(load.body, load.turn);
  }
}

}  // namespace cairn
