// Parameters, limits and options in C and what they are in C++.

#include "src/c_api/describe.h"

namespace cairn::c_api {

static_assert(int{CAIRN_HERTZ_MINDLIN} == static_cast<int>(SolverKind::kHertzMindlin) &&
              int{CAIRN_PRODUCT} == static_cast<int>(MixRule::kProduct) &&
              int{CAIRN_OVERFLOW_FAILS} == static_cast<int>(OnOverflow::kError));

template <>
cairn_params defaults() {
  return of(StepParams{});
}

cairn_params of(const StepParams& p) {
  cairn_params c{};
  c.struct_size = sizeof c;
  c.solver = static_cast<std::int32_t>(p.solver);
  c.sweep = static_cast<std::int32_t>(p.sweep);
  c.substeps = p.substeps;
  c.dt = p.dt;
  c.contact_frequency = p.contact_frequency;
  c.contact_damping_ratio = p.contact_damping_ratio;
  c.push_out_speed = p.push_out_speed;
  c.restitution_threshold = p.restitution_threshold;
  c.recycle_tolerance = p.recycle_tolerance;
  c.friction_mix = static_cast<std::int32_t>(p.friction_mix);
  c.restitution_mix = static_cast<std::int32_t>(p.restitution_mix);
  c.rolling_mix = static_cast<std::int32_t>(p.rolling_mix);
  c.sleeping = p.sleeping ? 1 : 0;
  c.sleep_speed = p.sleep_speed;
  c.sleep_time = p.sleep_time;
  c.strain_sweeps = p.strain_sweeps;
  c.fluid_sweeps = p.fluid_sweeps;
  c.direct_bodies = p.direct_bodies;
  c.direct_mass_ratio = p.direct_mass_ratio;
  c.residual_target = p.residual_target;
  return c;
}

StepParams params_of(const cairn_params* given) {
  const cairn_params c = read<cairn_params>(given, "cairn_params");
  StepParams p;
  p.solver = enum_of(c.solver, SolverKind::kHertzMindlin, "cairn_params.solver");
  p.sweep = enum_of(c.sweep, SweepKind::kJacobi, "cairn_params.sweep");
  p.substeps = c.substeps;
  p.dt = c.dt;
  p.contact_frequency = c.contact_frequency;
  p.contact_damping_ratio = c.contact_damping_ratio;
  p.push_out_speed = c.push_out_speed;
  p.restitution_threshold = c.restitution_threshold;
  p.recycle_tolerance = c.recycle_tolerance;
  p.friction_mix = enum_of(c.friction_mix, MixRule::kProduct, "cairn_params.friction_mix");
  p.restitution_mix = enum_of(c.restitution_mix, MixRule::kProduct, "cairn_params.restitution_mix");
  p.rolling_mix = enum_of(c.rolling_mix, MixRule::kProduct, "cairn_params.rolling_mix");
  p.sleeping = c.sleeping != 0;
  p.sleep_speed = c.sleep_speed;
  p.sleep_time = c.sleep_time;
  p.strain_sweeps = c.strain_sweeps;
  p.fluid_sweeps = c.fluid_sweeps;
  p.direct_bodies = c.direct_bodies;
  p.direct_mass_ratio = c.direct_mass_ratio;
  p.residual_target = c.residual_target;
  return p;
}

template <>
cairn_limits defaults() {
  return of(Limits{});
}

cairn_limits of(const Limits& limits) {
  cairn_limits c{};
  c.struct_size = sizeof c;
  put(c.lower, limits.lower);
  put(c.upper, limits.upper);
  c.speed = limits.speed;
  c.angular_speed = limits.angular_speed;
  return c;
}

Limits limits_of(const cairn_limits* given) {
  const cairn_limits c = read<cairn_limits>(given, "cairn_limits");
  return {vec3(c.lower), vec3(c.upper), c.speed, c.angular_speed};
}

template <>
cairn_world_options defaults() {
  const WorldOptions o;
  cairn_world_options c{};
  c.struct_size = sizeof c;
  c.threads = o.device.threads;
  c.capacity_bodies = o.capacity.bodies;
  c.capacity_shapes = o.capacity.shapes;
  c.capacity_pairs = o.capacity.pairs;
  c.on_overflow = static_cast<std::int32_t>(o.capacity.on_overflow);
  c.small_world = o.tuning.small_world;
  c.part_bodies = o.tuning.part_bodies;
  c.timings = o.timings ? 1 : 0;
  c.trace = o.trace ? 1 : 0;
  c.capturable = o.capturable ? 1 : 0;
  c.stream = o.stream;
  c.touches = o.touches ? 1 : 0;
  return c;
}

WorldOptions options_of(const cairn_world_options* given) {
  const cairn_world_options c =
      given == nullptr ? defaults<cairn_world_options>() : read<cairn_world_options>(given, "cairn_world_options");
  WorldOptions o;
  o.device = Device::parse(c.device == nullptr ? "cpu" : c.device, c.threads);
  o.capacity = {c.capacity_bodies, c.capacity_shapes, c.capacity_pairs,
                enum_of(c.on_overflow, OnOverflow::kError, "cairn_world_options.on_overflow")};
  o.tuning = {c.small_world, c.part_bodies};
  o.timings = c.timings != 0;
  o.trace = c.trace != 0;
  o.capturable = c.capturable != 0;
  o.stream = c.stream;
  o.touches = c.touches != 0;
  return o;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_params_init(cairn_params* to, size_t size) { initialise(to, size, defaults<cairn_params>()); }
void cairn_limits_init(cairn_limits* to, size_t size) { initialise(to, size, defaults<cairn_limits>()); }
void cairn_world_options_init(cairn_world_options* to, size_t size) {
  initialise(to, size, defaults<cairn_world_options>());
}
