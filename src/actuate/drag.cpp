#include "cairn/drag.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "cairn/queries.h"
#include "cairn/world_scales.h"
#include "kernels/common/vec.h"
#include "src/exec/exact_floats.h"

namespace cairn {
namespace {

constexpr std::array kShifts{JointDof::kShiftX, JointDof::kShiftY, JointDof::kShiftZ};

void check(const DragParams& p) {
  if (!(p.frequency > 0) || !std::isfinite(p.frequency))
    throw InvalidArgument("drag: frequency must be over 0 and finite");
  if (!(p.damping_ratio >= 0) || !std::isfinite(p.damping_ratio))
    throw InvalidArgument("drag: damping_ratio must be at least 0 and finite");
  if (!(p.max_acceleration > 0)) throw InvalidArgument("drag: max_acceleration must be over 0");
}

/// A name that no joint of the world has.
std::string free_name(const World& world, std::uint32_t index) {
  std::size_t n = 0;
  for (const JointHandle joint : world.joints(index)) {
    const std::string& name = world.description(joint).name;
    if (name.starts_with("drag ")) n = std::max(n, static_cast<std::size_t>(std::strtoull(&name[5], nullptr, 10)));
  }
  return "drag " + std::to_string(n + 1);
}

}  // namespace

Drag::Drag(World& world, BodyHandle body, Vec3d point, const DragParams& params) : world_(&world), picked_(point) {
  const exec::ExactFloats exact;
  using kernels::operator-;
  check(params);
  const Body& described = world.description(body);
  if (described.type != BodyType::kDynamic)
    throw InvalidArgument("drag: body \"" + described.name + "\" must be dynamic");
  if (!described.enabled) throw InvalidArgument("drag: body \"" + described.name + "\" is switched off");
  const auto mass = static_cast<float>(world.mass_properties(body).mass);
  const float omega = 2 * std::numbers::pi_v<float> * params.frequency;
  const JointDrive drive{.stiffness = mass * omega * omega,
                         .damping = 2 * params.damping_ratio * mass * omega,
                         .max_force = mass * params.max_acceleration};
  GeneralJoint shifts;
  for (const JointDof dof : kShifts) shifts.axes[static_cast<std::size_t>(dof)].drive = drive;
  const std::uint32_t index = world.world_of(body);
  const BodyState state = world.state(body);
  const Quat& q = state.orientation;
  Joint joint{.name = free_name(world, index), .body_b = world.index_of(body), .kind = shifts, .collide = true};
  joint.frame_a.position = point;
  const auto size =
      static_cast<double>(world.scales().get(index).size) * static_cast<double>(world.scales().get(body).size);
  const Vec3d arm = kernels::rotate(kernels::widen(Quat{-q.x, -q.y, -q.z, q.w}), point - state.position);
  joint.frame_b = {{arm.x / size, arm.y / size, arm.z / size}, Quat{-q.x, -q.y, -q.z, q.w}};
  joint_ = world.add_joint(joint, index);
}

std::optional<Drag> Drag::pick(World& world, const RayQuery& ray, const DragParams& params) {
  const exec::ExactFloats exact;
  const QueryHit hit = world.queries().cast_rays({&ray, 1})[0];
  if (!hit.body || world.description(hit.body).type != BodyType::kDynamic) return std::nullopt;
  return Drag(world, hit.body, hit.position, params);
}

Drag::Drag(Drag&& other) noexcept
    : world_(std::exchange(other.world_, nullptr)), joint_(other.joint_), picked_(other.picked_) {}

Drag& Drag::operator=(Drag&& other) noexcept {
  if (this == &other) return *this;
  release();
  world_ = std::exchange(other.world_, nullptr);
  joint_ = other.joint_;
  picked_ = other.picked_;
  return *this;
}

Drag::~Drag() { release(); }

void Drag::release() noexcept {
  if (world_ == nullptr) return;
  try {
    if (world_->alive(joint_)) world_->remove_joint(joint_);
  } catch (...) {
    // the World's device failed: the World's next call reports it
  }
  world_ = nullptr;
}

bool Drag::over() const { return world_ == nullptr || !world_->alive(joint_); }

void Drag::move(Vec3d target) {
  const exec::ExactFloats exact;
  if (over()) throw InvalidArgument("drag: its body was removed");
  const std::array<double, 3> way{target.x - picked_.x, target.y - picked_.y, target.z - picked_.z};
  for (std::size_t i = 0; i < kShifts.size(); ++i) {
    JointDrive drive = world_->drive(joint_, kShifts[i]);
    drive.target = static_cast<float>(way[i]);
    world_->set_drive(joint_, kShifts[i], drive);
  }
}

}  // namespace cairn
