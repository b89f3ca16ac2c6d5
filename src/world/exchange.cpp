// States to and from the user's arrays on the device, and resets by masks there.

#include <cmath>

#include "src/describe/attributes.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/columns.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

kernels::StateColumns columns_of(const StateArrays& arrays, std::uint32_t rows, const Device& device, bool write) {
  if (!write && (arrays.position.data == nullptr) != (arrays.orientation.data == nullptr)) {
    throw InvalidArgument("StateArrays::position and ::orientation must be given together, or neither of them");
  }
  return {columns_of("StateArrays::position", arrays.position, 3, rows, device, write),
          columns_of("StateArrays::orientation", arrays.orientation, 4, rows, device, write),
          columns_of("StateArrays::linear_velocity", arrays.linear_velocity, 3, rows, device, write),
          columns_of("StateArrays::angular_velocity", arrays.angular_velocity, 3, rows, device, write)};
}

kernels::ArticulationColumns columns_of(const ArticulationArrays& arrays, const ArticulationRows& rows,
                                        const Device& device, bool write) {
  const auto of = [&](const char* name, const ArrayView& view, std::uint32_t columns) {
    return columns_of(name, view, static_cast<int>(columns), rows.rows, device, write);
  };
  return {of("ArticulationArrays::q", arrays.q, rows.coordinates), of("ArticulationArrays::v", arrays.v, rows.rates),
          of("ArticulationArrays::force", arrays.force, rows.rates),
          of("ArticulationArrays::target", arrays.target, rows.coordinates),
          of("ArticulationArrays::target_rate", arrays.target_rate, rows.rates)};
}

kernels::ArticulationJointColumns columns_of(const ArticulationJointArrays& arrays, const ArticulationRows& rows,
                                             const Device& device, bool write) {
  kernels::ArticulationJointColumns columns;
  std::size_t word = 0;
  each_attribute<ArticulationJointArrays>([&]<auto kMember>(const Attribute<kMember>& a) {
    const std::string name = "ArticulationJointArrays::" + std::string(a.name());
    columns.word[word++] =
        columns_of(name.c_str(), arrays.*kMember, static_cast<int>(rows.rates), rows.rows, device, write);
  });
  return columns;
}

/// Range of a drive's member, from its list.
template <auto kMember>
kernels::DriveBounds bounds_of() {
  constexpr AttributeRange kRange = info_of<kMember>().range;
  return {static_cast<float>(kRange.min), static_cast<float>(kRange.max), kRange.infinite != nullptr};
}

kernels::JointColumns columns_of(const JointArrays& arrays, std::uint32_t rows, const Device& device, bool write) {
  const auto of = [&](const char* name, const ArrayView& view, int columns) {
    return columns_of(name, view, columns, rows, device, write);
  };
  for (const ArrayView* view : {&arrays.coordinate, &arrays.force, &arrays.torque}) {
    if (!write && view->data != nullptr) {
      throw InvalidArgument("JointArrays::coordinate, ::force and ::torque are read alone: set_joints takes drives");
    }
  }
  return {of("JointArrays::coordinate", arrays.coordinate, 6),
          of("JointArrays::force", arrays.force, 3),
          of("JointArrays::torque", arrays.torque, 3),
          {of("JointArrays::drive_target", arrays.drive_target, 6), of("JointArrays::drive_rate", arrays.drive_rate, 6),
           of("JointArrays::drive_force", arrays.drive_force, 6),
           of("JointArrays::drive_stiffness", arrays.drive_stiffness, 6),
           of("JointArrays::drive_damping", arrays.drive_damping, 6)},
          {bounds_of<&JointDrive::target>(), bounds_of<&JointDrive::rate>(), bounds_of<&JointDrive::force>(),
           bounds_of<&JointDrive::stiffness>(), bounds_of<&JointDrive::damping>()}};
}

}  // namespace

bool World::Impl::settle() {
  const bool captures = capturing();
  // if no step can be repeated, later work may be enqueued behind it
  if (!captures && !captured) synchronise();
  return captures;
}

void World::Impl::upload_frames() {
  if (frames_known) return;
  arrays.reserve_frames(worlds.size());
  std::vector<Vec3d> centre(slots.size());
  std::vector<QuatT<double>> axes(slots.size());
  std::vector<std::uint32_t> row_slot, row_begin{0};
  for (std::uint32_t w = 0; w < worlds.size(); ++w) {
    each_body(w, [&](std::uint32_t at) {
      const kernels::BodyFrame frame = slots[at].frame(scales_at(at).size);
      centre[at] = frame.centre;
      axes[at] = frame.axes;
      row_slot.push_back(at);
    });
    row_begin.push_back(static_cast<std::uint32_t>(row_slot.size()));
  }
  const kernels::Frames& to = arrays.frames.view();
  memory.put(to.centre, centre);
  memory.put(to.axes, axes);
  memory.put(to.row_slot, row_slot);
  memory.put(arrays.row_begin.data(), row_begin);
  frames_made += 1;
  has(frames_known);
}

void World::Impl::exchange(const ExchangeContext& what) {
  const bool captures = settle();
  upload_frames();
  ExchangeContext e = what;
  e.frames = arrays.frames.view();
  e.rows = living;
  e.articulation_of = articulations.store.articulation_of();
  e.refused = arrays.refused.data();
  const StepContext s = context(params.dt);
  e.joint_of = joints.store.slot_of();
  e.joint_rows = joints.living();
  launch().run(s, e);
  captured = captured || captures;
}

void DeviceArrays::get_states(const StateArrays& to, const std::uint8_t* mask) const {
  world_.call([&] {
    world_.exchange({.what = ExchangeContext::What::kRead,
                     .columns = columns_of(to, world_.living, world_.options.device, true),
                     .chosen = mask});
  });
}

void DeviceArrays::set_states(const StateArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange({.what = ExchangeContext::What::kWrite,
                     .columns = columns_of(from, world_.living, world_.options.device, false),
                     .chosen = mask});
  });
}

void DeviceArrays::move_to(const StateArrays& poses, float dt, const std::uint8_t* mask) {
  world_.call([&] {
    if (poses.position.data == nullptr || poses.linear_velocity.data != nullptr ||
        poses.angular_velocity.data != nullptr) {
      throw InvalidArgument("DeviceArrays::move_to takes StateArrays::position and ::orientation, and no velocities");
    }
    if (!(dt > 0) || !std::isfinite(dt)) throw InvalidArgument("DeviceArrays::move_to: dt must be over 0 and finite");
    const kernels::StateColumns columns = columns_of(poses, world_.living, world_.options.device, false);
    world_.note_state();
    world_.exchange(
        {.what = ExchangeContext::What::kMove, .columns = columns, .dt = static_cast<double>(dt), .chosen = mask});
  });
}

void DeviceArrays::written(Written what, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange({.what = ExchangeContext::What::kNotify,
                     .poses = what == Written::kPoses,
                     .motions = what != Written::kLoads,
                     .chosen = mask});
  });
}

void DeviceArrays::set_scales(const ScaleArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    const auto world_count = static_cast<std::uint32_t>(world_.worlds.size());
    const kernels::ScaleColumns given{
        columns_of("ScaleArrays::world", from.world, 4, world_count, world_.options.device, false),
        columns_of("ScaleArrays::body", from.body, 3, world_.living, world_.options.device, false)};
    if (world_.backend->capturing()) throw InvalidArgument("DeviceArrays::set_scales can't be captured in a graph");
    world_.particles.refuse("DeviceArrays::set_scales");
    world_.begin_scales();
    world_.masses.take_any_own();
    world_.upload_frames();
    world_.note_state();
    world_.scale({.chosen = mask,
                  .how = Rescale::kFresh,
                  .from = ScaleContext::From::kGiven,
                  .given = given,
                  .row_slot = world_.arrays.frames.view().row_slot,
                  .rows = world_.living,
                  .refused = world_.arrays.refused.data()});
  });
}

ArticulationRows DeviceArrays::articulation_rows() const {
  return world_.call([&]() -> ArticulationRows { return world_.articulations.store.rows(); });
}

void DeviceArrays::get_articulations(const ArticulationArrays& to, const std::uint8_t* mask) const {
  world_.call([&] {
    world_.exchange({.what = ExchangeContext::What::kReadArticulations,
                     .articulations = columns_of(to, articulation_rows(), world_.options.device, true),
                     .chosen = mask});
  });
}

void DeviceArrays::set_articulations(const ArticulationArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange({.what = ExchangeContext::What::kWriteArticulations,
                     .articulations = columns_of(from, articulation_rows(), world_.options.device, false),
                     .chosen = mask});
  });
}

void DeviceArrays::get_articulation_joints(const ArticulationJointArrays& to, const std::uint8_t* mask) const {
  world_.call([&] {
    world_.exchange({.what = ExchangeContext::What::kReadArticulationJoints,
                     .articulation_joints = columns_of(to, articulation_rows(), world_.options.device, true),
                     .chosen = mask});
  });
}

void DeviceArrays::set_articulation_joints(const ArticulationJointArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange({.what = ExchangeContext::What::kWriteArticulationJoints,
                     .articulation_joints = columns_of(from, articulation_rows(), world_.options.device, false),
                     .chosen = mask});
  });
}

void DeviceArrays::get_joints(const JointArrays& to, const std::uint8_t* mask) const {
  world_.call([&] {
    world_.exchange({.what = ExchangeContext::What::kReadJoints,
                     .joints = columns_of(to, world_.joints.living(), world_.options.device, true),
                     .chosen = mask});
  });
}

void DeviceArrays::set_joints(const JointArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange({.what = ExchangeContext::What::kWriteJoints,
                     .joints = columns_of(from, world_.joints.living(), world_.options.device, false),
                     .chosen = mask});
    world_.joints.drives_written();
  });
}

void DeviceArrays::reset(const std::uint8_t* mask) {
  world_.call([&] {
    const bool captures = world_.settle();
    if (!world_.starts_known) world_.upload_starts();
    world_.query_store.known = false;
    // the chosen worlds are read from the device only for a recording
    if (world_.log != nullptr) {
      const std::size_t n = world_.worlds.size();
      world_.note<recording::kReset>(mask != nullptr ? world_.read(mask, n) : std::vector<std::uint8_t>(n, 1));
    }
    const StepContext s = world_.context(world_.params.dt);
    world_.launch().run(s, ResetContext{world_.arrays.starts.view(), mask, false});
    world_.captured = world_.captured || captures;
  });
}

}  // namespace cairn
