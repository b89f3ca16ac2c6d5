// Seeds, scales, random numbers and places of worlds.

#include "src/c_api/c_call.h"

using namespace cairn::c_api;  // NOLINT
using cairn::World;
using cairn::WorldScales;

static_assert(int{CAIRN_RANDOM_WORLD} == static_cast<int>(cairn::RandomStream::kWorld) &&
              int{CAIRN_RANDOM_BODY} == static_cast<int>(cairn::RandomStream::kBody) &&
              int{CAIRN_RANDOM_POSITION} == static_cast<int>(cairn::RandomStream::kPosition) &&
              int{CAIRN_RANDOM_LINEAR_VELOCITY} == static_cast<int>(cairn::RandomStream::kLinearVelocity) &&
              int{CAIRN_RANDOM_ANGULAR_VELOCITY} == static_cast<int>(cairn::RandomStream::kAngularVelocity) &&
              int{CAIRN_RANDOM_JOINT} == static_cast<int>(cairn::RandomStream::kJoint) &&
              int{CAIRN_RANDOM_USER} == static_cast<int>(cairn::RandomStream::kUser));

void cairn_scales_init(cairn_scales* to, size_t size) { initialise(to, size); }
void cairn_body_scales_init(cairn_body_scales* to, size_t size) { initialise(to, size); }
void cairn_randomisation_init(cairn_randomisation* to, size_t size) { initialise(to, size); }

cairn_result cairn_world_seed(const cairn_world* world, uint32_t index, uint64_t* seed) {
  return get(world, out("seed", seed), &WorldScales::seed, index);
}
cairn_result cairn_world_set_seed(cairn_world* world, uint32_t index, uint64_t seed) {
  return call(world, &WorldScales::set_seed, seed, index);
}

cairn_result cairn_world_scales(const cairn_world* world, uint32_t index, cairn_scales* scales) {
  return get(world, out("scales", scales), taking<uint32_t>(&WorldScales::get), index);
}
cairn_result cairn_world_set_scales(cairn_world* world, uint32_t index, const cairn_scales* scales) {
  return call(world, taking<const cairn::Scales&, uint32_t>(&WorldScales::set), scales, index);
}
cairn_result cairn_body_get_scales(const cairn_world* world, cairn_handle body, cairn_body_scales* scales) {
  return get(world, out("scales", scales), taking<cairn::BodyHandle>(&WorldScales::get), body);
}
cairn_result cairn_body_set_scales(cairn_world* world, cairn_handle body, const cairn_body_scales* scales) {
  return call(world, taking<const cairn::BodyScales&, cairn::BodyHandle>(&WorldScales::set), scales, body);
}

cairn_result cairn_world_randomise(cairn_world* world, const uint8_t* mask, size_t count,
                                   const cairn_randomisation* ranges) {
  return call(world, &WorldScales::randomise, in("mask", mask, count), ranges);
}

cairn_result cairn_random_uniforms(uint64_t seed, uint32_t episode, uint32_t stream, uint32_t index, float numbers[4]) {
  return get(out_all("numbers", "numbers", numbers, 4), [&] {
    require("numbers", numbers);
    return cairn::random_uniforms(seed, episode, static_cast<cairn::RandomStream>(stream), index);
  });
}

cairn_result cairn_world_origin(const cairn_world* world, uint32_t index, double origin[3]) {
  return get(world, out("origin", origin), &World::origin, index);
}
cairn_result cairn_world_set_origin(cairn_world* world, uint32_t index, const double origin[3]) {
  return call(world, &World::set_origin, in("origin", origin), index);
}
