// Seeds, scales, random numbers and places of worlds.

#include "src/c_api/structs.h"

namespace cairn::c_api {

static_assert(int{CAIRN_RANDOM_ANGULAR_VELOCITY} == static_cast<int>(RandomStream::kAngularVelocity) &&
              int{CAIRN_RANDOM_USER} == static_cast<int>(RandomStream::kUser));

namespace {

cairn_scales of(const Scales& s) { return {sizeof(cairn_scales), s.size, s.mass, s.friction, s.restitution}; }
cairn_body_scales of(const BodyScales& s) { return {sizeof(cairn_body_scales), s.size, s.mass}; }

/// The ranges in both, and the reaches.
template <class C, class R, class F, class G>
void each(C& c, R& r, const F& range, const G& reach) {
  range(c.size, r.size);
  range(c.mass, r.mass);
  range(c.friction, r.friction);
  range(c.restitution, r.restitution);
  range(c.body_size, r.body_size);
  range(c.body_mass, r.body_mass);
  reach(c.position, r.position);
  reach(c.linear_velocity, r.linear_velocity);
  reach(c.angular_velocity, r.angular_velocity);
}

}  // namespace

template <>
cairn_scales defaults() {
  return of(Scales{});
}
template <>
cairn_body_scales defaults() {
  return of(BodyScales{});
}
template <>
cairn_randomisation defaults() {
  const Randomisation r;
  cairn_randomisation c{};
  c.struct_size = sizeof c;
  const auto range = [](float* to, Range from) {
    to[0] = from.low;
    to[1] = from.high;
  };
  each(c, r, range, [](float* to, Vec3 from) { put(to, from); });
  return c;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

void cairn_scales_init(cairn_scales* to, size_t size) { initialise(to, size, defaults<cairn_scales>()); }
void cairn_body_scales_init(cairn_body_scales* to, size_t size) { initialise(to, size, defaults<cairn_body_scales>()); }
void cairn_randomisation_init(cairn_randomisation* to, size_t size) {
  initialise(to, size, defaults<cairn_randomisation>());
}

cairn_result cairn_world_seed(const cairn_world* world, uint32_t index, uint64_t* seed) {
  return with(world, [&](const World& w) {
    require("seed", seed);
    *seed = w.seed(index);
  });
}
cairn_result cairn_world_set_seed(cairn_world* world, uint32_t index, uint64_t seed) {
  return with(world, [&](World& w) { w.set_seed(seed, index); });
}

cairn_result cairn_world_scales(const cairn_world* world, uint32_t index, cairn_scales* scales) {
  return with(world, [&](const World& w) { write(scales, of(w.scales(index)), "scales"); });
}
cairn_result cairn_world_set_scales(cairn_world* world, uint32_t index, const cairn_scales* scales) {
  return with(world, [&](World& w) {
    const auto c = read<cairn_scales>(scales, "cairn_scales");
    w.set_scales({c.size, c.mass, c.friction, c.restitution}, index);
  });
}
cairn_result cairn_body_get_scales(const cairn_world* world, cairn_handle body, cairn_body_scales* scales) {
  return with(world, [&](const World& w) { write(scales, of(w.scales(handle(body))), "scales"); });
}
cairn_result cairn_body_set_scales(cairn_world* world, cairn_handle body, const cairn_body_scales* scales) {
  return with(world, [&](World& w) {
    const auto c = read<cairn_body_scales>(scales, "cairn_body_scales");
    w.set_scales({c.size, c.mass}, handle(body));
  });
}

cairn_result cairn_world_randomise(cairn_world* world, const uint8_t* mask, size_t count,
                                   const cairn_randomisation* ranges) {
  return with(world, [&](World& w) {
    require("mask", mask);
    const auto c = read<cairn_randomisation>(ranges, "cairn_randomisation");
    cairn::Randomisation r;
    each(
        c, r,
        [](const float* from, cairn::Range& to) {
          to = {from[0], from[1]};
        },
        [](const float* from, cairn::Vec3& to) { to = vec3(from); });
    w.randomise(std::span(mask, count), r);
  });
}

cairn_result cairn_random_uniforms(uint64_t seed, uint32_t episode, uint32_t stream, uint32_t index, float numbers[4]) {
  return guarded([&] {
    require("numbers", numbers);
    const auto all = cairn::random_uniforms(seed, episode, static_cast<cairn::RandomStream>(stream), index);
    std::copy(all.begin(), all.end(), numbers);
  });
}

cairn_result cairn_world_origin(const cairn_world* world, uint32_t index, double origin[3]) {
  return with(world, [&](const World& w) {
    require("origin", origin);
    put(origin, w.origin(index));
  });
}
cairn_result cairn_world_set_origin(cairn_world* world, uint32_t index, const double origin[3]) {
  return with(world, [&](World& w) {
    require("origin", origin);
    w.set_origin(vec3(origin), index);
  });
}
