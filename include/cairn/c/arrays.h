#pragma once
// Arrays on the world's device: docs/interop.md.

#include "cairn/c/world.h"

typedef enum cairn_element {
  CAIRN_UINT8 = 0,
  CAIRN_UINT32 = 1,
  CAIRN_UINT64 = 2,
  CAIRN_FLOAT32 = 3,
  CAIRN_FLOAT64 = 4
} cairn_element;

typedef struct cairn_array {
  uint32_t struct_size;  ///< [B]
  int32_t element;       ///< cairn_element
  const char* name;      ///< null in arrays of yours
  const char* unit;      ///< the same
  void* data;            ///< on the device; null: there is none
  int32_t rank;          ///< [1] 1..3
  int32_t cuda_device;   ///< [1] its number; -1 for the CPU
  int32_t writable;      ///< [1] 0 or 1
  int32_t reserved;      ///< [1] 0
  int64_t shape[3];      ///< [1] elements along each dimension
  int64_t strides[3];    ///< [1] elements from one to the next
  const char* rows;      ///< rows of the array: "slots" (of bodies), "worlds", "pairs", ...; null in arrays of yours
  const char* meaning;   ///< the same
} cairn_array;
/// No data, float32, two dimensions, on the CPU, writable.
CAIRN_API void cairn_array_init(cairn_array* array, size_t size);

CAIRN_API cairn_result cairn_world_array_count(const cairn_world* world, uint32_t* count);
CAIRN_API cairn_result cairn_world_array_at(const cairn_world* world, uint32_t index, cairn_array* array);
CAIRN_API cairn_result cairn_world_array(const cairn_world* world, const char* name, cairn_array* array);

struct DLManagedTensorVersioned;
/// One of them as a tensor of DLPack 1.1. Call its deleter when done with it; it may outlive the world's handle.
CAIRN_API cairn_result cairn_world_array_dlpack(const cairn_world* world, const char* name,
                                                struct DLManagedTensorVersioned** tensor);

/// The world's cudaStream_t, given or made with the world; null on the CPU.
CAIRN_API cairn_result cairn_world_stream(const cairn_world* world, void** stream);
/// Makes later work of the world wait for the present work of `stream`, a cudaStream_t of its device, and later work of
/// `stream` wait for that of the world. On the CPU `stream` must be null, and nothing is done; on CUDA devices null is
/// refused, since there the default stream is (void*)1.
CAIRN_API cairn_result cairn_world_wait_stream(cairn_world* world, void* stream);
CAIRN_API cairn_result cairn_world_stream_waits(const cairn_world* world, void* stream);

typedef enum cairn_written { CAIRN_LOADS = 0, CAIRN_VELOCITIES = 1, CAIRN_POSES = 2 } cairn_written;
/// Reports writes into the arrays. `mask`, here and below: a byte a world on the device, or null for all.
CAIRN_API cairn_result cairn_world_written(cairn_world* world, cairn_written what, const uint8_t* mask);
/// States to and from arrays of yours: (bodies, 3), the orientation (bodies, 4), float32 or float64; null leaves one
/// out. Position and orientation are set together.
CAIRN_API cairn_result cairn_world_get_states(const cairn_world* world, const cairn_array* position,
                                              const cairn_array* orientation, const cairn_array* linear_velocity,
                                              const cairn_array* angular_velocity, const uint8_t* mask);
CAIRN_API cairn_result cairn_world_set_states(cairn_world* world, const cairn_array* position,
                                              const cairn_array* orientation, const cairn_array* linear_velocity,
                                              const cairn_array* angular_velocity, const uint8_t* mask);
/// Scales from arrays of yours: of worlds (worlds, 4), size, mass, friction, restitution; of bodies (bodies, 3), size,
/// mass, inertia; null leaves one out. A world with a scale out of range keeps its own, frozen, with a status bit.
CAIRN_API cairn_result cairn_world_set_all_scales(cairn_world* world, const cairn_array* of_worlds,
                                                  const cairn_array* of_bodies, const uint8_t* mask);
/// Sizes of the arrays below: articulations of all worlds, and the max coordinates and rates of one of them.
CAIRN_API cairn_result cairn_world_articulation_rows(const cairn_world* world, uint32_t* rows, uint32_t* coordinates,
                                                     uint32_t* rates);
/// Coordinates (rows, coordinates), rates, forces along them, targets (rows, coordinates) and rates of drives to and
/// from arrays of yours, one row an articulation, world by world; null leaves one out.
CAIRN_API cairn_result cairn_world_get_articulations(const cairn_world* world, const cairn_array* q,
                                                     const cairn_array* v, const cairn_array* force,
                                                     const cairn_array* target, const cairn_array* target_rate,
                                                     const uint8_t* mask);
CAIRN_API cairn_result cairn_world_set_articulations(cairn_world* world, const cairn_array* q, const cairn_array* v,
                                                     const cairn_array* force, const cairn_array* target,
                                                     const cairn_array* target_rate, const uint8_t* mask);
/// ArticulationJointArrays (cairn/device_arrays.h): parameters along rates, in the same rows, a column a rate. Null
/// leaves one out.
typedef struct cairn_articulation_joint_arrays {
  uint32_t struct_size;                 ///< [B]
  const cairn_array* armature;          ///< [kg, kg m^2]
  const cairn_array* damping;           ///< [N s/m, N m s/rad]
  const cairn_array* friction;          ///< [N, N m]
  const cairn_array* lower;             ///< [m, rad]
  const cairn_array* upper;             ///< [m, rad]
  const cairn_array* min_rate;          ///< [m/s, rad/s]
  const cairn_array* max_rate;          ///< [m/s, rad/s]
  const cairn_array* spring_stiffness;  ///< [N/m, N m/rad]
  const cairn_array* spring_rest;       ///< [m, rad]
  const cairn_array* drive_stiffness;   ///< [N/m, N m/rad]
  const cairn_array* drive_damping;     ///< [N s/m, N m s/rad]
  const cairn_array* drive_max_force;   ///< [N, N m]
  const cairn_array* drive_min_force;   ///< [N, N m] minus drive_max_force where that alone is given
} cairn_articulation_joint_arrays;
CAIRN_API void cairn_articulation_joint_arrays_init(cairn_articulation_joint_arrays* arrays, size_t size);
CAIRN_API cairn_result cairn_world_get_articulation_joints(const cairn_world* world,
                                                           const cairn_articulation_joint_arrays* to,
                                                           const uint8_t* mask);
CAIRN_API cairn_result cairn_world_set_articulation_joints(cairn_world* world,
                                                           const cairn_articulation_joint_arrays* from,
                                                           const uint8_t* mask);
/// JointArrays (cairn/array_view.h): joints in arrays on the world's device, a row each, world by world, a column for
/// each cairn_joint_dof. Null leaves one out.
typedef struct cairn_joint_arrays {
  uint32_t struct_size;                ///< [B]
  const cairn_array* coordinate;       ///< [m, rad] (joints, 6) read-only, like the next two
  const cairn_array* force;            ///< [N] (joints, 3)
  const cairn_array* torque;           ///< [N m] (joints, 3)
  const cairn_array* drive_target;     ///< [m, rad] (joints, 6)
  const cairn_array* drive_rate;       ///< [m/s, rad/s] (joints, 6)
  const cairn_array* drive_force;      ///< [N, N m] (joints, 6)
  const cairn_array* drive_stiffness;  ///< [N/m, N m/rad] (joints, 6)
  const cairn_array* drive_damping;    ///< [N s/m, N m s/rad] (joints, 6)
} cairn_joint_arrays;
CAIRN_API void cairn_joint_arrays_init(cairn_joint_arrays* arrays, size_t size);
CAIRN_API cairn_result cairn_world_get_joints(const cairn_world* world, const cairn_joint_arrays* to,
                                              const uint8_t* mask);
/// Drives only, of axes that have one.
CAIRN_API cairn_result cairn_world_set_joints(cairn_world* world, const cairn_joint_arrays* from, const uint8_t* mask);
/// MaterialArrays (cairn/device_arrays.h): materials in arrays on the world's device, a row each, world by world. Null
/// leaves one out.
typedef struct cairn_material_arrays {
  uint32_t struct_size;                 ///< [B]
  const cairn_array* friction;          ///< [1] (materials)
  const cairn_array* restitution;       ///< [1] (materials)
  const cairn_array* rolling_friction;  ///< [m] (materials)
  const cairn_array* surface_velocity;  ///< [m/s] (materials, 3) in the body's frame
} cairn_material_arrays;
CAIRN_API void cairn_material_arrays_init(cairn_material_arrays* arrays, size_t size);
CAIRN_API cairn_result cairn_world_get_materials(const cairn_world* world, const cairn_material_arrays* to,
                                                 const uint8_t* mask);
CAIRN_API cairn_result cairn_world_set_materials(cairn_world* world, const cairn_material_arrays* from,
                                                 const uint8_t* mask);
/// Sets the velocities by which kinematic bodies reach poses in one step of `dt` [s]: a row for each body; rows of
/// other bodies are ignored.
CAIRN_API cairn_result cairn_world_move_to(cairn_world* world, const cairn_array* position,
                                           const cairn_array* orientation, float dt, const uint8_t* mask);
CAIRN_API cairn_result cairn_world_reset_where(cairn_world* world, const uint8_t* mask);
