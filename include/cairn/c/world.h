#pragma once
// Worlds: made, stepped, reset; calls on all of their bodies.

#include "cairn/c/scene.h"

typedef struct cairn_world cairn_world;

/// A body of a world. Zero is null.
typedef struct cairn_handle {
  uint32_t index;       ///< [1] slot + 1
  uint32_t generation;  ///< [1]
} cairn_handle;

typedef enum cairn_on_overflow { CAIRN_OVERFLOW_GROWS = 0, CAIRN_OVERFLOW_FAILS = 1 } cairn_on_overflow;

/// WorldOptions (cairn/world.h), Capacity and Tuning (cairn/params.h). A null pointer to it stands for the defaults.
typedef struct cairn_world_options {
  uint32_t struct_size;      ///< [B]
  const char* device;        ///< "cpu", "cuda", "cuda:1" or "best"; null stands for "cpu"
  int32_t threads;           ///< [1] of the CPU; 0 takes all
  uint32_t capacity_bodies;  ///< [1] 0 lets the world count and grow
  uint32_t capacity_shapes;  ///< [1] the same
  uint32_t capacity_pairs;   ///< [1] the same
  int32_t on_overflow;       ///< cairn_on_overflow of the capacities that are given
  uint32_t small_world;      ///< [1] Tuning: worlds of at most so many bodies do their substeps in one launch
  uint32_t part_bodies;      ///< [1] Tuning: max bodies of these in a block; 0: chosen for the device
  int32_t timings;           ///< [1] 1: measure each stage
  int32_t trace;             ///< [1] 1: hash the output of each stage; slow
  int32_t capturable;        ///< [1] 1: steps may be captured in a CUDA graph
  void* stream;              ///< a cudaStream_t; null makes one
  int32_t contact_events;    ///< [1] 1: keep contact events (cairn_world_contact_events)
} cairn_world_options;
CAIRN_API void cairn_world_options_init(cairn_world_options* options, size_t size);

/// Bytes that a world of so many copies of the scene holds in its first step, found without taking any.
CAIRN_API cairn_result cairn_estimate_memory(const cairn_scene* scene, uint32_t worlds,
                                             const cairn_world_options* options, uint64_t* bytes);
/// A world of each scene, stepped together. The scenes may be destroyed after.
CAIRN_API cairn_result cairn_world_create(const cairn_scene* const* scenes, uint32_t count,
                                          const cairn_world_options* options, cairn_world** world);
/// As many of one scene.
CAIRN_API cairn_result cairn_world_create_copies(const cairn_scene* scene, uint32_t count,
                                                 const cairn_world_options* options, cairn_world** world);
/// Tensors made from its arrays keep its memory until they are deleted.
CAIRN_API void cairn_world_destroy(cairn_world* world);
/// "cpu" or "cuda:0", cut to its size, with a 0 at the end; and the requested threads of the CPU. Either may be null.
CAIRN_API cairn_result cairn_world_device(const cairn_world* world, char* name, size_t name_size, int32_t* threads);

/// View of camera `index` of a scene in world `in` of a world of that scene, now: moved as far as the body that it
/// follows, and by the world's origin. Its name is the scene's.
CAIRN_API cairn_result cairn_camera_now(const cairn_scene* scene, uint32_t index, const cairn_world* world, uint32_t in,
                                        cairn_camera* camera);

/// So many steps of the parameters' dt. On CUDA they are enqueued. If one fails, those before it stay taken.
CAIRN_API cairn_result cairn_world_step(cairn_world* world, uint32_t steps);
/// One step of `dt` seconds.
CAIRN_API cairn_result cairn_world_step_dt(cairn_world* world, float dt);
/// Waits for the steps enqueued so far.
CAIRN_API cairn_result cairn_world_wait(cairn_world* world);
/// World `index`, or all, back to its start.
CAIRN_API cairn_result cairn_world_reset(cairn_world* world, uint32_t index);
/// The worlds whose byte in the host's `mask` isn't 0; `count` is the number of worlds. The same for masks with a count
/// below.
CAIRN_API cairn_result cairn_world_reset_mask(cairn_world* world, const uint8_t* mask, size_t count);

/// Parameters may be set for all worlds. Those that all worlds share can't differ in one (World::set_params).
CAIRN_API cairn_result cairn_world_params(const cairn_world* world, uint32_t index, cairn_params* params);
CAIRN_API cairn_result cairn_world_set_params(cairn_world* world, uint32_t index, const cairn_params* params);
CAIRN_API cairn_result cairn_world_gravity(const cairn_world* world, uint32_t index, float gravity[3]);
CAIRN_API cairn_result cairn_world_set_gravity(cairn_world* world, uint32_t index, const float gravity[3]);
CAIRN_API cairn_result cairn_world_limits(const cairn_world* world, uint32_t index, cairn_limits* limits);
CAIRN_API cairn_result cairn_world_set_limits(cairn_world* world, uint32_t index, const cairn_limits* limits);
CAIRN_API cairn_result cairn_world_count(const cairn_world* world, uint32_t* count);
/// Living bodies of world `index`, or of all.
CAIRN_API cairn_result cairn_world_body_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Their handles, world by world; `count` must be cairn_world_body_count.
CAIRN_API cairn_result cairn_world_bodies(const cairn_world* world, uint32_t index, cairn_handle* bodies, size_t count);
/// The first of the name in world `index`. CAIRN_INVALID_ARGUMENT if none has it. Each call searches all names.
CAIRN_API cairn_result cairn_world_find_body(const cairn_world* world, uint32_t index, const char* name,
                                             cairn_handle* body);

/// Hash of all bodies' states, bit for bit.
CAIRN_API cairn_result cairn_world_state_hash(const cairn_world* world, uint64_t* hash);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_state_hashes(const cairn_world* world, uint64_t* hashes, size_t count);
CAIRN_API cairn_result cairn_world_memory_bytes(const cairn_world* world, uint64_t* bytes);
