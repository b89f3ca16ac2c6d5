#include "src/world/arrays.h"

#include <algorithm>
#include <bit>
#include <string>

namespace cairn {

Arrays::Arrays(exec::Memory& memory)
    : worlds(memory),
      bodies(memory),
      starts(memory),
      shapes(memory),
      pairs{exec::Table<kernels::Pairs>(memory), exec::Table<kernels::Pairs>(memory)},
      work(memory),
      rows(memory),
      row_ends(memory),
      body_ends(memory),
      materials(memory),
      planes(memory),
      bucket_begin(memory),
      chosen(memory),
      state(memory) {
  state.reserve(1);
}

Room room_for(std::span<const Scene* const> scenes, const Capacity& capacity) {
  Room room{.worlds = scenes.size(), .bodies = 0, .shapes = 0, .planes = 0, .materials = 0, .pairs = capacity.pairs};
  for (const Scene* scene : scenes) {
    // a scene without materials is given one
    room.materials += std::max<std::size_t>(scene->materials().size(), 1);
    room.bodies += scene->bodies().size();
    for (const Body& body : scene->bodies()) {
      room.shapes += body.shapes.size();
      room.planes += planes_of(body);
    }
  }
  if (room.pairs == 0) room.pairs = 4 * room.shapes + 64;
  room.bodies = std::max<std::size_t>(room.bodies, capacity.bodies);
  room.shapes = std::max<std::size_t>(room.shapes, capacity.shapes);
  return room;
}

void check_world_count(std::size_t worlds) {
  if (worlds != 0 && worlds <= kernels::kMostWorlds) return;
  throw InvalidArgument("a World takes 1 to " + std::to_string(kernels::kMostWorlds) + " worlds, was given " +
                        std::to_string(worlds));
}

std::size_t planes_of(const Body& body) {
  return static_cast<std::size_t>(std::count_if(body.shapes.begin(), body.shapes.end(), [](const Shape& s) {
    return std::holds_alternative<Plane>(s.geometry);
  }));
}

void Arrays::reserve(const Room& room) {
  worlds.reserve(room.worlds + 1);
  bodies.reserve(room.bodies + 1);
  shapes.reserve(room.shapes);
  planes.reserve(room.planes);
  materials.reserve(room.materials);
  reserve_pairs(room.pairs);
}

void Arrays::reserve_pairs(std::size_t n) {
  for (auto& table : pairs) table.reserve(n);
  const std::size_t row_slots = n + std::size_t{kernels::kColorCount} * (kernels::kRowAlign - 1);
  rows.reserve((row_slots + kernels::kRowLanes - 1) / kernels::kRowLanes);
  // last, since its size is the capacity that counts
  work.reserve(n);
}

void Arrays::set_buckets(StepContext& context, std::uint32_t count) {
  context.constants.bucket_count = count;
  bucket_begin.reserve(std::size_t{count} + 3);
  context.bucket_begin = bucket_begin.data();
}

StepContext Arrays::context(const StepParams& params, const Counts& counts) {
  StepContext s;
  kernels::StepConstants& k = s.constants;
  k.dt = params.dt;
  k.h = params.dt / static_cast<float>(params.substeps);
  k.inv_h = 1.0f / k.h;
  // soft constraint of natural frequency f = contact_frequency / h (Catto 2011)
  const float h_omega = 6.28318531f * params.contact_frequency;
  const float a1 = 2.0f * params.contact_damping_ratio + h_omega;
  const float a2 = h_omega * a1;
  k.impulse_scale = 1.0f / (1.0f + a2);
  k.mass_scale = a2 * k.impulse_scale;
  k.bias_rate = (h_omega / a1) * k.inv_h;
  k.push_out_speed = params.push_out_speed;
  k.restitution_threshold = params.restitution_threshold;
  // `xpbd` looks in every substep, where at rest the substep's fall under gravity is an approach too
  k.falls = params.solver == SolverKind::kXpbd ? 2.0f : 0.0f;
  k.recycle_tolerance = params.recycle_tolerance;
  k.warm_scale = 1.0f;
  k.sleep_speed = params.sleep_speed;
  k.sleep_time = params.sleep_time;
  k.friction_mix = params.friction_mix;
  k.restitution_mix = params.restitution_mix;
  k.rolling_mix = params.rolling_mix;
  k.world_count = counts.worlds;
  k.body_count = counts.bodies;
  k.shape_count = counts.shapes;
  k.pair_capacity = static_cast<std::uint32_t>(work.capacity());
  s.worlds = worlds.view();
  s.bodies = bodies.view();
  s.shapes = shapes.view();
  s.pairs[0] = pairs[0].view();
  s.pairs[1] = pairs[1].view();
  s.work = work.view();
  s.rows = rows.data();
  s.row_capacity = static_cast<std::uint32_t>(rows.capacity()) * kernels::kRowLanes;
  if (params.solver == SolverKind::kXpbd) {
    row_ends.reserve(2 * std::size_t{s.row_capacity});
    body_ends.reserve(bodies.capacity());
    s.row_ends = row_ends.view();
    s.body_ends = body_ends.view();
  }
  s.materials = materials.data();
  s.planes = planes.data();
  set_buckets(s, std::max(16u, std::bit_ceil(2 * counts.shapes)));
  s.state = state.data();
  s.solver = params.solver;
  s.sweep = params.sweep;
  s.substeps = params.substeps;
  s.sleeping = params.sleeping;
  return s;
}

std::uint64_t Arrays::bytes() const {
  const auto total = [](const auto&... arrays) { return (std::uint64_t{0} + ... + arrays.bytes()); };
  return total(worlds, bodies, starts, shapes, pairs[0], pairs[1], work, rows, row_ends, body_ends, materials, planes,
               bucket_begin, chosen, state);
}

}  // namespace cairn
