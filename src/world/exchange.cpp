// States to and from the user's arrays on the device, and resets by masks there.

#include <cmath>

#include "src/describe/attributes.h"
#include "src/exec/exact_floats.h"
#include "src/recording/record.h"
#include "src/world/columns.h"
#include "src/world/impl.h"

namespace cairn {
using What = ExchangeContext::What;

/// `width` gives the number of columns of a member.
template <class Columns, class Arrays, class Width>
ExchangeContext World::Impl::exchange_of(const Arrays& arrays, std::uint32_t rows, bool write,
                                         const Width& width) const {
  const auto columns = attribute_list<Arrays>().apply([&]<auto... kMember>(const Attribute<kMember>&...) {
    const auto of = [&](std::string_view name, auto member) {
      const std::string full = std::string(name_of_type<Arrays>()) + "::" + std::string(name);
      return columns_of(full.c_str(), arrays.*member, static_cast<int>(width(member)), rows, options.device, write);
    };
    return Columns{of(name_of_member<kMember>(), kMember)...};
  });
  return {.columns = columns, .rows = rows};
}

ExchangeContext World::Impl::exchange_of(const StateArrays& arrays, bool write) const {
  if (!write && (arrays.position.data == nullptr) != (arrays.orientation.data == nullptr)) {
    throw InvalidArgument("StateArrays::position and ::orientation must be given together, or neither of them");
  }
  return exchange_of<kernels::StateColumns>(arrays, living, write,
                                            [](auto member) { return member == &StateArrays::orientation ? 4 : 3; });
}

ExchangeContext World::Impl::exchange_of(const ArticulationArrays& arrays, bool write) const {
  const ArticulationRows of = articulations.store.rows();
  return exchange_of<kernels::ArticulationColumns>(arrays, of.rows, write, [&](auto member) {
    const bool places = member == &ArticulationArrays::q || member == &ArticulationArrays::target;
    return places ? of.coordinates : of.rates;
  });
}

ExchangeContext World::Impl::exchange_of(const ArticulationJointArrays& arrays, bool write) const {
  const ArticulationRows of = articulations.store.rows();
  return exchange_of<kernels::ArticulationJointColumns>(arrays, of.rows, write, [&](auto) { return of.rates; });
}

ExchangeContext World::Impl::exchange_of(const JointArrays& arrays, bool write) const {
  for (const ArrayView* view : {&arrays.coordinate, &arrays.force, &arrays.torque}) {
    if (!write && view->data != nullptr) {
      throw InvalidArgument("JointArrays::coordinate, ::force and ::torque are read alone: set_joints takes drives");
    }
  }
  return exchange_of<kernels::JointColumns>(arrays, joints.living(), write, [](auto member) {
    return member == &JointArrays::force || member == &JointArrays::torque ? 3 : 6;
  });
}

ExchangeContext World::Impl::exchange_of(const MaterialArrays& arrays, bool write) const {
  std::size_t rows = 0;
  for (const WorldSlot& world : worlds) rows += world.materials.size();
  return exchange_of<kernels::MaterialColumns>(arrays, static_cast<std::uint32_t>(rows), write, [](auto member) {
    return member == &MaterialArrays::surface_velocity ? 3 : 1;
  });
}

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
      const kernels::BodyFrame frame = slots[at].frame(scales.of(at).size);
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

void World::Impl::upload_material_rows() {
  if (material_rows_known) return;
  std::vector<kernels::MaterialRow> rows;
  for (std::uint32_t w = 0; w < worlds.size(); ++w) {
    // slots of former materials may follow
    for (std::size_t i = 0; i < worlds[w].materials.size(); ++i) rows.push_back({worlds[w].material_slots[i], w});
  }
  arrays.material_rows.assign(rows);
  has(material_rows_known);
}

void World::Impl::exchange(const ExchangeContext& what) {
  const bool captures = settle();
  upload_frames();
  ExchangeContext e = what;
  if (std::holds_alternative<kernels::MaterialColumns>(e.columns)) {
    upload_material_rows();
    e.materials = {arrays.material_rows.data(), arrays.materials.data()};
    if (scales.begun()) e.materials.bases = arrays.material_bases.view();
  }
  e.frames = arrays.frames.view();
  e.articulation_of = articulations.store.articulation_of();
  e.refused = arrays.refused.data();
  const StepContext s = context(params.dt);
  e.joint_of = joints.store.slot_of();
  launch().run(s, e);
  captured = captured || captures;
}

template <class Arrays>
void World::Impl::exchange(What what, const Arrays& arrays, const std::uint8_t* mask, double dt) {
  call([&] {
    ExchangeContext e = exchange_of(arrays, what == What::kRead);
    e.what = what;
    e.chosen = mask;
    e.dt = dt;
    if (what != What::kRead) note_state();
    exchange(e);
  });
}

void DeviceArrays::get_states(const StateArrays& to, const std::uint8_t* mask) const {
  world_.exchange(What::kRead, to, mask);
}
void DeviceArrays::set_states(const StateArrays& from, const std::uint8_t* mask) {
  world_.exchange(What::kWrite, from, mask);
}

void DeviceArrays::move_to(const StateArrays& poses, float dt, const std::uint8_t* mask) {
  world_.call([&] {
    if (poses.position.data == nullptr || poses.linear_velocity.data != nullptr ||
        poses.angular_velocity.data != nullptr) {
      throw InvalidArgument("DeviceArrays::move_to takes StateArrays::position and ::orientation, and no velocities");
    }
    if (!(dt > 0) || !std::isfinite(dt)) throw InvalidArgument("DeviceArrays::move_to: dt must be over 0 and finite");
    world_.exchange(What::kMove, poses, mask, double{dt});
  });
}

void DeviceArrays::written(Written what, const std::uint8_t* mask) {
  world_.call([&] {
    world_.note_state();
    world_.exchange(
        {.what = What::kNotify, .poses = what == Written::kPoses, .motions = what != Written::kLoads, .chosen = mask});
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
    world_.scales.begin();
    world_.masses.take_any_own();
    world_.upload_frames();
    world_.note_state();
    world_.scales.run({.chosen = mask,
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
  world_.exchange(What::kRead, to, mask);
}
void DeviceArrays::set_articulations(const ArticulationArrays& from, const std::uint8_t* mask) {
  world_.exchange(What::kWrite, from, mask);
}

void DeviceArrays::get_articulation_joints(const ArticulationJointArrays& to, const std::uint8_t* mask) const {
  world_.exchange(What::kRead, to, mask);
}
void DeviceArrays::set_articulation_joints(const ArticulationJointArrays& from, const std::uint8_t* mask) {
  world_.exchange(What::kWrite, from, mask);
}

void DeviceArrays::get_joints(const JointArrays& to, const std::uint8_t* mask) const {
  world_.exchange(What::kRead, to, mask);
}
void DeviceArrays::set_joints(const JointArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.exchange(What::kWrite, from, mask);
    world_.joints.drives_written();
  });
}

void DeviceArrays::get_materials(const MaterialArrays& to, const std::uint8_t* mask) const {
  world_.exchange(What::kRead, to, mask);
}
void DeviceArrays::set_materials(const MaterialArrays& from, const std::uint8_t* mask) {
  world_.call([&] {
    world_.exchange(What::kWrite, from, mask);
    world_.materials_written(from);
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
