// States to and from arrays of the user's on the device, and resets by a mask there.

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

/// What a drive's part may be, as its list says.
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
  // where no step is taken again, what follows one may be enqueued behind it
  if (!captures && !captured) synchronise();
  return captures;
}

void World::Impl::upload_frames() {
  if (frames_known) return;
  arrays.frames.reserve(arrays.bodies.capacity());
  arrays.row_begin.reserve(worlds.size() + 1);
  arrays.refused.reserve(worlds.size());
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
  const auto put = [&](auto* field, const auto& values) {
    memory.upload(field, values.data(), values.size() * sizeof(values[0]));
  };
  put(to.centre, centre);
  put(to.axes, axes);
  put(to.row_slot, row_slot);
  put(arrays.row_begin.data(), row_begin);
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
  launch().exchange(s, e);
  captured = captured || captures;
}

void World::get_states(const StateArrays& to, const std::uint8_t* mask) const {
  impl_->call([&] {
    impl_->exchange({.what = ExchangeContext::What::kRead,
                     .columns = columns_of(to, impl_->living, device(), true),
                     .chosen = mask});
  });
}

void World::set_states(const StateArrays& from, const std::uint8_t* mask) {
  impl_->call([&] {
    impl_->note_state();
    impl_->exchange({.what = ExchangeContext::What::kWrite,
                     .columns = columns_of(from, impl_->living, device(), false),
                     .chosen = mask});
  });
}

void World::written(Written what, const std::uint8_t* mask) {
  impl_->call([&] {
    impl_->note_state();
    impl_->exchange({.what = ExchangeContext::What::kNotify,
                     .poses = what == Written::kPoses,
                     .motions = what != Written::kLoads,
                     .chosen = mask});
  });
}

void World::set_all_scales(const ScaleArrays& from, const std::uint8_t* mask) {
  impl_->call([&] {
    const auto world_count = static_cast<std::uint32_t>(impl_->worlds.size());
    const kernels::ScaleColumns given{columns_of("ScaleArrays::world", from.world, 4, world_count, device(), false),
                                      columns_of("ScaleArrays::body", from.body, 2, impl_->living, device(), false)};
    if (impl_->backend->capturing()) throw InvalidArgument("set_all_scales can't be captured in a graph");
    impl_->particles.refuse("set_all_scales");
    impl_->begin_scales();
    impl_->masses.take_any_own();
    impl_->upload_frames();
    impl_->note_state();
    impl_->scale({.chosen = mask,
                  .fresh = true,
                  .from = ScaleContext::From::kGiven,
                  .given = given,
                  .row_slot = impl_->arrays.frames.view().row_slot,
                  .rows = impl_->living,
                  .refused = impl_->arrays.refused.data()});
  });
}

ArticulationRows World::articulation_rows() const {
  return impl_->call([&]() -> ArticulationRows { return impl_->articulations.store.rows(); });
}

void World::get_articulations(const ArticulationArrays& to, const std::uint8_t* mask) const {
  impl_->call([&] {
    impl_->exchange({.what = ExchangeContext::What::kReadArticulations,
                     .articulations = columns_of(to, articulation_rows(), device(), true),
                     .chosen = mask});
  });
}

void World::set_articulations(const ArticulationArrays& from, const std::uint8_t* mask) {
  impl_->call([&] {
    impl_->note_state();
    impl_->exchange({.what = ExchangeContext::What::kWriteArticulations,
                     .articulations = columns_of(from, articulation_rows(), device(), false),
                     .chosen = mask});
  });
}

void World::get_joints(const JointArrays& to, const std::uint8_t* mask) const {
  impl_->call([&] {
    impl_->exchange({.what = ExchangeContext::What::kReadJoints,
                     .joints = columns_of(to, impl_->joints.living(), device(), true),
                     .chosen = mask});
  });
}

void World::set_joints(const JointArrays& from, const std::uint8_t* mask) {
  impl_->call([&] {
    impl_->note_state();
    impl_->exchange({.what = ExchangeContext::What::kWriteJoints,
                     .joints = columns_of(from, impl_->joints.living(), device(), false),
                     .chosen = mask});
    impl_->joints.drives_written();
  });
}

void World::reset_where(const std::uint8_t* mask) {
  impl_->call([&] {
    const bool captures = impl_->settle();
    if (!impl_->starts_known) impl_->upload_starts();
    impl_->query_store.known = false;
    // who is chosen is read from the device only where somebody notes it
    if (impl_->log != nullptr) {
      const std::size_t n = impl_->worlds.size();
      impl_->note<recording::kReset>(mask != nullptr ? impl_->read(mask, n) : std::vector<std::uint8_t>(n, 1));
    }
    const StepContext s = impl_->context(impl_->params.dt);
    impl_->launch().reset(s, {impl_->arrays.starts.view(), mask, false});
    impl_->captured = impl_->captured || captures;
  });
}

}  // namespace cairn
