// Parameters, limits and options in C and what they are in C++.

#include "src/c_api/describe.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {

static_assert(int{CAIRN_HERTZ_MINDLIN} == static_cast<int>(SolverKind::kHertzMindlin) &&
              int{CAIRN_PRODUCT} == static_cast<int>(MixRule::kProduct) &&
              int{CAIRN_OVERFLOW_FAILS} == static_cast<int>(OnOverflow::kError));

template <>
cairn_params defaults() {
  return of(StepParams{});
}

cairn_params of(const StepParams& params) { return twin<cairn_params>(params); }

StepParams params_of(const cairn_params* given) {
  return attributes_of<StepParams>(read<cairn_params>(given, "cairn_params"));
}

template <>
cairn_limits defaults() {
  return of(WorldLimits{});
}

cairn_limits of(const WorldLimits& limits) { return twin<cairn_limits>(limits); }

WorldLimits limits_of(const cairn_limits* given) {
  return attributes_of<WorldLimits>(read<cairn_limits>(given, "cairn_limits"));
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
  c.contact_events = o.contact_events ? 1 : 0;
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
  o.contact_events = c.contact_events != 0;
  return o;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_params_init(cairn_params* to, size_t size) { initialise(to, size, defaults<cairn_params>()); }
void cairn_limits_init(cairn_limits* to, size_t size) { initialise(to, size, defaults<cairn_limits>()); }
void cairn_world_options_init(cairn_world_options* to, size_t size) {
  initialise(to, size, defaults<cairn_world_options>());
}
