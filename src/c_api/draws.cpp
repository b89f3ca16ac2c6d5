// Seeds, scales, random numbers and places of worlds.

#include "cairn/world_scales.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {

static_assert(int{CAIRN_RANDOM_JOINT} == static_cast<int>(RandomStream::kJoint) &&
              int{CAIRN_RANDOM_USER} == static_cast<int>(RandomStream::kUser));

template <>
cairn_scales defaults() {
  return twin<cairn_scales>(Scales{});
}
template <>
cairn_body_scales defaults() {
  return twin<cairn_body_scales>(BodyScales{});
}
template <>
cairn_randomisation defaults() {
  return twin<cairn_randomisation>(Randomisation{});
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
    *seed = w.scales().seed(index);
  });
}
cairn_result cairn_world_set_seed(cairn_world* world, uint32_t index, uint64_t seed) {
  return with(world, [&](World& w) { w.scales().set_seed(seed, index); });
}

cairn_result cairn_world_scales(const cairn_world* world, uint32_t index, cairn_scales* scales) {
  return with(world, [&](const World& w) { write(scales, twin<cairn_scales>(w.scales().get(index)), "scales"); });
}
cairn_result cairn_world_set_scales(cairn_world* world, uint32_t index, const cairn_scales* scales) {
  return with(world, [&](World& w) {
    w.scales().set(attributes_of<cairn::Scales>(read<cairn_scales>(scales, "cairn_scales")), index);
  });
}
cairn_result cairn_body_get_scales(const cairn_world* world, cairn_handle body, cairn_body_scales* scales) {
  return with(world,
              [&](const World& w) { write(scales, twin<cairn_body_scales>(w.scales().get(handle(body))), "scales"); });
}
cairn_result cairn_body_set_scales(cairn_world* world, cairn_handle body, const cairn_body_scales* scales) {
  return with(world, [&](World& w) {
    w.scales().set(attributes_of<cairn::BodyScales>(read<cairn_body_scales>(scales, "cairn_body_scales")),
                   handle(body));
  });
}

cairn_result cairn_world_randomise(cairn_world* world, const uint8_t* mask, size_t count,
                                   const cairn_randomisation* ranges) {
  return with(world, [&](World& w) {
    require("mask", mask);
    w.scales().randomise(std::span(mask, count),
                         attributes_of<cairn::Randomisation>(read<cairn_randomisation>(ranges, "cairn_randomisation")));
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
