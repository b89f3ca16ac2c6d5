#pragma once
// Cairn for C and for whatever can call C: the same worlds, steps and figures as the C++ interface has, flat.
// C99. Link the shared library cairn_c. docs/interop.md has examples.
//
// Every function that can fail returns a cairn_result. If it isn't CAIRN_OK nothing was changed, nothing was written to
// the outputs, and cairn_last_error() says what was wrong. No C++ exception passes through. Functions that destroy take
// null and do nothing then; any other null pointer is CAIRN_INVALID_ARGUMENT, but where null is said to mean something.
//
// Structs that may grow begin with struct_size: the size that the caller's header gives them. What cairn_..._init(&x,
// sizeof x) fills in are the defaults; where the library fills a struct in, set its struct_size before. Bytes that the
// library doesn't know must be 0. In an array of them struct_size is also from each to the next, and equal for all; one
// that the library fills in takes it from the first.
//
// One thread at a time may use a world or a scene; different ones are independent, and several threads may read one
// snapshot or recording. Strings are UTF-8 and end with 0. Units are SI. Vectors are x, y, z; quaternions x, y, z, w.

#include <stddef.h>
#include <stdint.h>

#define CAIRN_API __attribute__((visibility("default")))

// The version of this interface: functions and members are only ever added within one.
#define CAIRN_C_VERSION 2

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_result {
  CAIRN_OK = 0,
  CAIRN_INVALID_ARGUMENT = 1,  ///< something that can't be simulated, or a stale handle
  CAIRN_SCENE_FILE = 2,        ///< a scene file that can't be read
  CAIRN_DEVICE = 3,            ///< no such device, or it failed
  CAIRN_CAPACITY = 4,          ///< memory ran out, or a fixed capacity is too small
  CAIRN_INTERNAL = 5,          ///< a fault of the library
  CAIRN_SNAPSHOT = 6           ///< a snapshot or recording that can't be used
} cairn_result;

/// Why the calling thread's last call that failed did; "" if none has. Valid until its next call that fails.
CAIRN_API const char* cairn_last_error(void);
/// CAIRN_C_VERSION of the library.
CAIRN_API uint32_t cairn_c_version(void);
/// Cairn's version, as "0.1.0".
CAIRN_API const char* cairn_version(void);
/// Equal numbers give equal bits.
CAIRN_API uint32_t cairn_numerics_version(void);

/// All worlds, where a function says that its `index` may be this.
#define CAIRN_ALL_WORLDS UINT32_MAX

// ---- devices ----

/// How many devices there are: the CPU, and the CUDA devices that this build can run on.
CAIRN_API cairn_result cairn_device_count(uint32_t* count);
/// "cpu" or "cuda:0", and one line about it: as much of each as it has room for, and a 0. Null is left out.
CAIRN_API cairn_result cairn_device_info(uint32_t index, char* name, size_t name_size, char* description,
                                         size_t description_size);

// ---- scenes ----

typedef struct cairn_scene cairn_scene;

typedef enum cairn_body_type { CAIRN_STATIC = 0, CAIRN_KINEMATIC = 1, CAIRN_DYNAMIC = 2 } cairn_body_type;
typedef enum cairn_shape_kind {
  CAIRN_SPHERE = 0,
  CAIRN_BOX = 1,
  CAIRN_CAPSULE = 2,
  CAIRN_PLANE = 3,
  CAIRN_CYLINDER = 4,
  CAIRN_CONE = 5,
  CAIRN_TAPERED_CYLINDER = 6,
  CAIRN_TUBE = 7,
  CAIRN_ELLIPSOID = 8,
  CAIRN_ROUNDED_BOX = 9,
  CAIRN_HULL = 10,
  CAIRN_MESH = 11,         ///< static and kinematic bodies only
  CAIRN_HEIGHT_FIELD = 12  ///< static and kinematic bodies only
} cairn_shape_kind;
typedef enum cairn_solver {
  CAIRN_SOFT_STEP = 0,
  CAIRN_XPBD = 1,
  CAIRN_SEQUENTIAL_IMPULSE = 2,
  CAIRN_AVBD = 3
} cairn_solver;
typedef enum cairn_sweep { CAIRN_GAUSS_SEIDEL = 0, CAIRN_JACOBI = 1 } cairn_sweep;
typedef enum cairn_mix { CAIRN_GEOMETRIC_MEAN = 0, CAIRN_MIN = 1, CAIRN_MAX = 2, CAIRN_PRODUCT = 3 } cairn_mix;

/// Parameters of a step: StepParams (cairn/params.h), where ranges and defaults are told.
typedef struct cairn_params {
  uint32_t struct_size;         ///< [B]
  int32_t solver;               ///< cairn_solver
  int32_t sweep;                ///< cairn_sweep
  int32_t substeps;             ///< [1]
  float dt;                     ///< [s]
  float contact_frequency;      ///< [1/h] of the substep's length h
  float contact_damping_ratio;  ///< [1]
  float push_out_speed;         ///< [m/s]
  float restitution_threshold;  ///< [m/s]
  float recycle_tolerance;      ///< [1]
  int32_t friction_mix;         ///< cairn_mix
  int32_t restitution_mix;      ///< cairn_mix
  int32_t rolling_mix;          ///< cairn_mix
  int32_t sleeping;             ///< [1] 0 or 1
  float sleep_speed;            ///< [m/s]
  float sleep_time;             ///< [s]
} cairn_params;
CAIRN_API void cairn_params_init(cairn_params* params, size_t size);

/// What the bodies of a world may do before it is frozen: Limits (cairn/params.h).
typedef struct cairn_limits {
  uint32_t struct_size;  ///< [B]
  float lower[3];        ///< [m]     corner of the box that centres of mass stay in
  float upper[3];        ///< [m]     the opposite corner
  float speed;           ///< [m/s]
  float angular_speed;   ///< [rad/s]
} cairn_limits;
CAIRN_API void cairn_limits_init(cairn_limits* limits, size_t size);

typedef struct cairn_material {
  uint32_t struct_size;    ///< [B]
  const char* name;        ///< unique, not empty
  float density;           ///< [kg/m^3] 0: not given
  float friction;          ///< [1]
  float restitution;       ///< [1]
  float rolling_friction;  ///< [m]
} cairn_material;
CAIRN_API void cairn_material_init(cairn_material* material, size_t size);

/// A hull, a mesh or a height field, that shapes are made of. It never changes; scenes and worlds share what it holds,
/// so that it may be destroyed once the shapes are given to them.
typedef struct cairn_solid cairn_solid;

/// The convex hull of `count` points, [m] (count, 3). At most 1024 of them may be its vertices.
CAIRN_API cairn_result cairn_hull_create(const float* points, size_t count, cairn_solid** solid);
/// Triangles, [1] (triangle_count, 3) vertices, counter-clockwise seen from outside; vertices [m] (vertex_count, 3).
/// Vertices at one place become one, and triangles without an area are left out.
CAIRN_API cairn_result cairn_mesh_create(const float* vertices, size_t vertex_count, const uint32_t* triangles,
                                         size_t triangle_count, cairn_solid** solid);
/// Heights along z, [m] (rows, columns), over a grid in x and y that begins at the origin; solid below. `count` is
/// rows * columns.
CAIRN_API cairn_result cairn_height_field_create(uint32_t columns, uint32_t rows, float spacing, const float* heights,
                                                 size_t count, cairn_solid** solid);
/// From an OBJ or STL file, its coordinates times `scale`: a CAIRN_HULL of its vertices, or a CAIRN_MESH.
CAIRN_API cairn_result cairn_solid_load(const char* path, int32_t kind, float scale, cairn_solid** solid);
CAIRN_API void cairn_solid_destroy(cairn_solid* solid);
CAIRN_API cairn_result cairn_solid_kind(const cairn_solid* solid, int32_t* kind);
/// Vertices of a hull or a mesh, [m] (count, 3), of which up to `size` are written, if that is all of them. `vertices`
/// may be null if `size` is 0. Height fields have none.
CAIRN_API cairn_result cairn_solid_vertices(const cairn_solid* solid, float* vertices, size_t size, size_t* count);
/// Triangles of a mesh, likewise, [1] (count, 3).
CAIRN_API cairn_result cairn_solid_triangles(const cairn_solid* solid, uint32_t* triangles, size_t size, size_t* count);
/// Samples of a height field, likewise, [m] (count), and how they lie.
CAIRN_API cairn_result cairn_solid_heights(const cairn_solid* solid, uint32_t* columns, uint32_t* rows, float* spacing,
                                           float* heights, size_t size, size_t* count);

typedef struct cairn_shape {
  uint32_t struct_size;    ///< [B]
  int32_t kind;            ///< cairn_shape_kind
  float size[3];           ///< [m] sphere: radius; box and rounded box: half extents; capsule: radius, half height
                           ///<     without the caps; cylinder and cone: radius, half height; tapered cylinder: radius
                           ///<     at the bottom and at the top, half height; tube: outer radius, inner radius, half
                           ///<     height; ellipsoid: radii
  float normal[3];         ///< [1] of a plane, any length but 0; normal . p <= offset is solid
  float offset;            ///< [m] of a plane
  float position[3];       ///< [m] in the body's frame
  float orientation[4];    ///< [1] shape to body
  uint32_t material;       ///< [1] index of the scene's
  uint32_t category;       ///< [1] bits: what the shape is. Filter (cairn/filter.h); likewise what follows
  uint32_t mask;           ///< [1] bits: what it touches
  int32_t group;           ///< [1] 0: none
  int32_t sensor;          ///< [1] 1: tells what overlaps it, pushes nothing and weighs nothing
  float radius;            ///< [m] of a rounded box's edges and corners
  const cairn_solid* solid;  ///< hull, mesh or height field; null in descriptions (cairn_solid_of_body)
} cairn_shape;
/// A unit box.
CAIRN_API void cairn_shape_init(cairn_shape* shape, size_t size);

/// It will not grow.
typedef struct cairn_point_mass {
  float mass;         ///< [kg]
  float position[3];  ///< [m] in the body's frame
} cairn_point_mass;

typedef struct cairn_body {
  uint32_t struct_size;       ///< [B]
  const char* name;           ///< unique, not empty
  int32_t type;               ///< cairn_body_type
  double position[3];         ///< [m]     world
  float orientation[4];       ///< [1]     body to world
  float linear_velocity[3];   ///< [m/s]   world
  float angular_velocity[3];  ///< [rad/s] world
  const cairn_shape* shapes;
  uint32_t shape_count;       ///< [1]      at least one
  float mass;                 ///< [kg]     0: from a density
  float density;              ///< [kg/m^3] 0: the materials'
  float inertia[3];           ///< [kg m^2] principal, along the body's axes; needs a mass. All 0: from the shapes
  float linear_damping;       ///< [1/s]
  float angular_damping;      ///< [1/s]
  float inertia_products[3];  ///< [kg m^2] xy, xz and yz of the inertia's tensor, whose diagonal is `inertia`
  int32_t has_centre_of_mass; ///< [1]      1: `centre_of_mass` holds, which needs an inertia. 0: from the shapes
  float centre_of_mass[3];    ///< [m]      in the body's frame
  uint32_t point_mass_count;  ///< [1]
  const cairn_point_mass* point_masses;  ///< beside the shapes; null in descriptions (cairn_body_point_masses)
} cairn_body;
/// A dynamic body at the origin, without a name or shapes.
CAIRN_API void cairn_body_init(cairn_body* body, size_t size);

/// An empty scene with gravity (0, 0, -9.81).
CAIRN_API cairn_result cairn_scene_create(cairn_scene** scene);
CAIRN_API void cairn_scene_destroy(cairn_scene* scene);
/// From a scene file (docs/scenes.md).
CAIRN_API cairn_result cairn_scene_load(const char* path, cairn_scene** scene);
/// From a scene file's text; `where` names it in messages.
CAIRN_API cairn_result cairn_scene_parse(const char* json, size_t length, const char* where, cairn_scene** scene);
/// The scene as the text of a scene file. `length` gets its length without the 0 at the end; if `size` is larger, the
/// text is written, and else nothing is. `text` may be null if `size` is 0.
CAIRN_API cairn_result cairn_scene_to_json(const cairn_scene* scene, char* text, size_t size, size_t* length);
CAIRN_API cairn_result cairn_scene_gravity(const cairn_scene* scene, float gravity[3]);
CAIRN_API cairn_result cairn_scene_set_gravity(cairn_scene* scene, const float gravity[3]);
CAIRN_API cairn_result cairn_scene_params(const cairn_scene* scene, cairn_params* params);
CAIRN_API cairn_result cairn_scene_set_params(cairn_scene* scene, const cairn_params* params);
CAIRN_API cairn_result cairn_scene_limits(const cairn_scene* scene, cairn_limits* limits);
CAIRN_API cairn_result cairn_scene_set_limits(cairn_scene* scene, const cairn_limits* limits);
/// `index` may be null.
CAIRN_API cairn_result cairn_scene_add_material(cairn_scene* scene, const cairn_material* material, uint32_t* index);
CAIRN_API cairn_result cairn_scene_add_body(cairn_scene* scene, const cairn_body* body, uint32_t* index);
/// Two bodies that never touch each other.
CAIRN_API cairn_result cairn_scene_ignore(cairn_scene* scene, uint32_t body_a, uint32_t body_b);
CAIRN_API cairn_result cairn_scene_body_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if there is none of the name.
CAIRN_API cairn_result cairn_scene_find_body(const cairn_scene* scene, const char* name, uint32_t* index);

// ---- worlds ----

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
  uint32_t capacity_shapes;  ///< [1] likewise
  uint32_t capacity_pairs;   ///< [1] likewise
  int32_t on_overflow;       ///< cairn_on_overflow of the capacities that are given
  uint32_t small_world;      ///< [1] Tuning: worlds of at most so many bodies go through their substeps in one launch
  uint32_t part_bodies;      ///< [1] Tuning: of the small worlds that a block takes, at most; 0: what suits the device
  int32_t timings;           ///< [1] 1: measure each stage
  int32_t trace;             ///< [1] 1: hash what each stage writes; slow
  int32_t capturable;        ///< [1] 1: steps may be captured in a CUDA graph
  void* stream;              ///< a cudaStream_t; null makes one
  int32_t touches;           ///< [1] 1: keep who touches whom (cairn_world_touches)
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
/// "cpu" or "cuda:0", as much as there is room for, and a 0; and the CPU's threads as they were asked for. Null is left
/// out.
CAIRN_API cairn_result cairn_world_device(const cairn_world* world, char* name, size_t name_size, int32_t* threads);

/// So many steps of the parameters' dt. On CUDA they are enqueued. If one fails, those before it are taken.
CAIRN_API cairn_result cairn_world_step(cairn_world* world, uint32_t steps);
/// One of `dt` seconds.
CAIRN_API cairn_result cairn_world_step_dt(cairn_world* world, float dt);
/// Waits for the steps enqueued so far.
CAIRN_API cairn_result cairn_world_wait(cairn_world* world);
/// World `index`, or all, back to its start.
CAIRN_API cairn_result cairn_world_reset(cairn_world* world, uint32_t index);
/// Those whose byte in the host's `mask` isn't 0; `count` is the number of worlds. Likewise where a mask comes with a
/// count below.
CAIRN_API cairn_result cairn_world_reset_mask(cairn_world* world, const uint8_t* mask, size_t count);

/// What is set may be set of all worlds. What all worlds share can't be another in one (World::set_params).
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

CAIRN_API cairn_result cairn_world_material_count(const cairn_world* world, uint32_t index, uint32_t* count);
/// Its name is valid until a material is added.
CAIRN_API cairn_result cairn_world_material(const cairn_world* world, uint32_t index, uint32_t material_index,
                                            cairn_material* material);
CAIRN_API cairn_result cairn_world_add_material(cairn_world* world, uint32_t index, const cairn_material* material,
                                                uint32_t* material_index);
CAIRN_API cairn_result cairn_world_set_material(cairn_world* world, uint32_t index, uint32_t material_index,
                                                const cairn_material* material);
CAIRN_API cairn_result cairn_world_add_body(cairn_world* world, uint32_t index, const cairn_body* body,
                                            cairn_handle* handle);
/// As added, with later changes of type, mass and material; with `scaled` 1 times its scales. Its name is valid until a
/// body is added or removed. Up to `size` shapes are written to `shapes`, if that is all of them, and `body.shapes` is
/// null else; `body.shape_count` is their number. `shapes` may be null if `size` is 0.
CAIRN_API cairn_result cairn_body_describe(const cairn_world* world, cairn_handle handle, int32_t scaled,
                                           cairn_body* body, cairn_shape* shapes, size_t size);
/// What shape `index` of a body is made of, for the caller to destroy. CAIRN_INVALID_ARGUMENT if that is none of these.
/// With `scaled` as it is now (see above).
CAIRN_API cairn_result cairn_solid_of_body(const cairn_world* world, cairn_handle body, int32_t scaled, uint32_t index,
                                           cairn_solid** solid);
/// Point masses of a body, of which up to `size` are written, if that is all of them. `points` may be null if `size` is
/// 0.
CAIRN_API cairn_result cairn_body_point_masses(const cairn_world* world, cairn_handle body, int32_t scaled,
                                               cairn_point_mass* points, size_t size, size_t* count);
CAIRN_API cairn_result cairn_body_remove(cairn_world* world, cairn_handle body);
/// 1 or 0; a stale handle is no error here.
CAIRN_API cairn_result cairn_body_alive(const cairn_world* world, cairn_handle body, int32_t* alive);
CAIRN_API cairn_result cairn_body_world(const cairn_world* world, cairn_handle body, uint32_t* index);
CAIRN_API cairn_result cairn_body_set_pose(cairn_world* world, cairn_handle body, const double position[3],
                                           const float orientation[4]);
CAIRN_API cairn_result cairn_body_set_velocity(cairn_world* world, cairn_handle body, const float linear[3],
                                               const float angular[3]);
CAIRN_API cairn_result cairn_body_set_mass(cairn_world* world, cairn_handle body, float mass);
CAIRN_API cairn_result cairn_body_set_material(cairn_world* world, cairn_handle body, uint32_t material);
CAIRN_API cairn_result cairn_body_set_type(cairn_world* world, cairn_handle body, cairn_body_type type);
/// Of all its shapes.
CAIRN_API cairn_result cairn_body_set_filter(cairn_world* world, cairn_handle body, uint32_t category, uint32_t mask,
                                             int32_t group);
/// Two bodies of one world ignore each other from the next step on (1), or no more (0).
CAIRN_API cairn_result cairn_body_ignore(cairn_world* world, cairn_handle a, cairn_handle b, int32_t ignored);
CAIRN_API cairn_result cairn_body_ignored(const cairn_world* world, cairn_handle a, cairn_handle b, int32_t* ignored);
CAIRN_API cairn_result cairn_body_wake(cairn_world* world, cairn_handle body);
CAIRN_API cairn_result cairn_body_asleep(const cairn_world* world, cairn_handle body, int32_t* asleep);
/// Loads hold for the next step and add up. [N] at the centre of mass, or at a point [m]; [N m]. World axes.
CAIRN_API cairn_result cairn_body_add_force(cairn_world* world, cairn_handle body, const float force[3]);
CAIRN_API cairn_result cairn_body_add_force_at(cairn_world* world, cairn_handle body, const float force[3],
                                               const double point[3]);
CAIRN_API cairn_result cairn_body_add_torque(cairn_world* world, cairn_handle body, const float torque[3]);

/// Pose and velocities. The position is that of the body's own origin, the velocity that of the centre of mass. It will
/// not grow.
typedef struct cairn_state {
  double position[3];         ///< [m]     world
  float orientation[4];       ///< [1]     body to world
  float linear_velocity[3];   ///< [m/s]   world
  float angular_velocity[3];  ///< [rad/s] world
} cairn_state;

CAIRN_API cairn_result cairn_body_state(const cairn_world* world, cairn_handle body, cairn_state* state);
CAIRN_API cairn_result cairn_body_set_state(cairn_world* world, cairn_handle body, const cairn_state* state);
/// Of all bodies of world `index`, or of all worlds, in the order of cairn_world_bodies; `count` is their number.
CAIRN_API cairn_result cairn_world_read_states(const cairn_world* world, uint32_t index, cairn_state* states,
                                               size_t count);
CAIRN_API cairn_result cairn_world_write_states(cairn_world* world, uint32_t index, const cairn_state* states,
                                                size_t count);

// ---- what a step left ----

enum {
  CAIRN_STATUS_NON_FINITE = 1,
  CAIRN_STATUS_OUT_OF_BOUNDS = 2,
  CAIRN_STATUS_OVERFLOW = 4,
  CAIRN_STATUS_TOO_FAST = 8
};

/// StepReport (cairn/report.h).
typedef struct cairn_report {
  uint32_t struct_size;       ///< [B]
  uint32_t status;            ///< [1] CAIRN_STATUS_ bits
  uint64_t steps;             ///< [1] taken since the world was made
  double time;                ///< [s] simulated
  uint32_t bodies;            ///< [1] alive
  uint32_t shapes;            ///< [1]
  uint32_t pairs;             ///< [1] of overlapping boxes, last step; likewise what follows
  uint32_t manifolds;         ///< [1] pairs with contact points
  uint32_t points;            ///< [1]
  uint32_t colors;            ///< [1]
  uint32_t recycled;          ///< [1]
  uint32_t asleep;            ///< [1]
  uint32_t most_bodies;       ///< [1] ever
  uint32_t most_shapes;       ///< [1]
  uint32_t most_pairs;        ///< [1]
  uint32_t most_rows;         ///< [1] of the solver
  double stage_ms[16];        ///< [ms] of each stage of the last step; zeros if it wasn't measured
  uint64_t stage_hash[16];    ///< [1] of what each stage wrote; zeros without `trace`
} cairn_report;
/// "bound" and so on, in the order of the report's stages; null past the last.
CAIRN_API const char* cairn_stage_name(uint32_t stage);

/// WorldReport: what is one world's own.
typedef struct cairn_world_report {
  uint32_t struct_size;    ///< [B]
  uint32_t status;         ///< [1] CAIRN_STATUS_ bits; a world that has one is frozen
  cairn_handle first_bad;  ///< of the bodies that broke it; null if none did
  uint64_t steps;          ///< [1] since it was made or reset
  double time;             ///< [s]
  uint64_t first_bad_step; ///< [1] number of the step that it didn't take over; 0 if none
  uint32_t bodies;         ///< [1]
} cairn_world_report;

/// Waits. The status stays until cairn_world_clear_status.
CAIRN_API cairn_result cairn_world_get_report(const cairn_world* world, cairn_report* report);
CAIRN_API cairn_result cairn_world_get_world_report(const cairn_world* world, uint32_t index,
                                                    cairn_world_report* report);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_get_world_reports(const cairn_world* world, cairn_world_report* reports,
                                                     size_t count);
CAIRN_API cairn_result cairn_world_clear_status(cairn_world* world);
/// Measures each stage from the next step on, or no more. Changes no bit.
CAIRN_API cairn_result cairn_world_set_timings(cairn_world* world, int32_t on);

/// How far the last step is from the laws of contact: ContactResidual (cairn/residual.h).
typedef struct cairn_residual {
  uint32_t struct_size;  ///< [B]
  float signorini;       ///< [m/s]
  float coulomb;         ///< [m/s]
  float twist;           ///< [rad/s]
  float cone;            ///< [N s]
  float penetration;     ///< [m]
  uint32_t points;       ///< [1] contact points that were looked at
} cairn_residual;
/// Of world `index`, or of all together.
CAIRN_API cairn_result cairn_world_residual(const cairn_world* world, uint32_t index, cairn_residual* residual);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_residuals(const cairn_world* world, cairn_residual* residuals, size_t count);

typedef struct cairn_contact_point {
  double position[3];  ///< [m]   world, on the surface of a
  float separation;    ///< [m]   negative where the shapes overlap
  float impulse;       ///< [N s] along the normal, over the last step
} cairn_contact_point;

/// It will not grow.
typedef struct cairn_contact {
  cairn_handle a, b;
  float normal[3];                ///< [1]   world, from a to b
  float friction_impulse[3];      ///< [N s] world, on b, over the last step
  uint32_t count;                 ///< [1]   points, 1..4
  uint32_t reserved;              ///< [1]   0
  cairn_contact_point points[4];
} cairn_contact;

/// The contacts of the last step. `count` gets their number. If `size` is no smaller they are written, else none is.
CAIRN_API cairn_result cairn_world_contacts(const cairn_world* world, cairn_contact* contacts, size_t size,
                                            size_t* count);
typedef enum cairn_touch_event { CAIRN_BEGAN = 0, CAIRN_PERSISTS = 1, CAIRN_ENDED = 2 } cairn_touch_event;

/// TouchEvents (cairn/touch.h). It will not grow.
typedef struct cairn_touch {
  cairn_handle a, b;   ///< of CAIRN_ENDED perhaps stale
  uint32_t shape_a;    ///< [1]   index among the body's shapes
  uint32_t shape_b;    ///< [1]
  int32_t event;       ///< cairn_touch_event
  int32_t sensor;      ///< [1]   1: one of the shapes is a sensor
  double position[3];  ///< [m]   world; of CAIRN_ENDED 0, likewise what follows
  float normal[3];     ///< [1]   world, from a to b
  float separation;    ///< [m]   at the step's start
  float impulse;       ///< [N s] along the normal, over the step
  uint32_t reserved;   ///< [1]   0
} cairn_touch;

/// What began to touch, touches still and no longer does, of world `index` or of all: those that ended come last.
/// `count` gets their number. If `size` is no smaller they are written, else none is.
CAIRN_API cairn_result cairn_world_touches(const cairn_world* world, uint32_t index, cairn_touch* touches, size_t size,
                                           size_t* count);
/// Hash of all bodies' states, bit for bit.
CAIRN_API cairn_result cairn_world_state_hash(const cairn_world* world, uint64_t* hash);
/// Of each world; `count` is the number of worlds.
CAIRN_API cairn_result cairn_world_state_hashes(const cairn_world* world, uint64_t* hashes, size_t count);
CAIRN_API cairn_result cairn_world_memory_bytes(const cairn_world* world, uint64_t* bytes);

// ---- queries: docs/queries.md ----

/// RayQuery or ShapeQuery (cairn/query.h).
typedef struct cairn_query {
  uint32_t struct_size;      ///< [B]
  uint32_t world;            ///< [1] index
  const cairn_shape* shape;  ///< of it kind and size count; null: a ray, or a point
  double position[3];        ///< [m] world
  float orientation[4];      ///< [1] shape to world
  float direction[3];        ///< [1] of casts, any length but 0
  float distance;            ///< [m] how far to go or to look
  uint32_t category;         ///< [1] looks at what a shape with this filter would touch; likewise what follows
  uint32_t mask;             ///< [1]
  int32_t group;             ///< [1]
  int32_t sensors;           ///< [1] 1: looks at sensors, too
  cairn_handle ignored;      ///< a body that isn't looked at, or null
} cairn_query;
/// Down from the origin, as far as can be.
CAIRN_API void cairn_query_init(cairn_query* query, size_t size);

/// QueryHit. It will not grow.
typedef struct cairn_hit {
  cairn_handle body;  ///< null: nothing was found
  uint32_t shape;     ///< [1] index among the body's shapes
  uint32_t query;     ///< [1] which one found it
  double distance;    ///< [m]
  double position[3]; ///< [m] world
  float normal[3];    ///< [1] world
  uint32_t reserved;  ///< [1] 0
} cairn_hit;

typedef enum cairn_query_kind { CAIRN_CAST = 0, CAIRN_OVERLAP = 1, CAIRN_CLOSEST = 2 } cairn_query_kind;
/// The first that each query finds, one a query.
CAIRN_API cairn_result cairn_world_query(const cairn_world* world, cairn_query_kind kind, const cairn_query* queries,
                                         size_t count, cairn_hit* hits);
/// All that they find: by query, then distance, then the slot of the shape. `found` gets their number. If `size` is no
/// smaller they are written, else none is.
CAIRN_API cairn_result cairn_world_query_all(const cairn_world* world, cairn_query_kind kind,
                                             const cairn_query* queries, size_t count, cairn_hit* hits, size_t size,
                                             size_t* found);

// ---- seeds, scales and random numbers: docs/batches.md ----

CAIRN_API cairn_result cairn_world_seed(const cairn_world* world, uint32_t index, uint64_t* seed);
CAIRN_API cairn_result cairn_world_set_seed(cairn_world* world, uint32_t index, uint64_t seed);

/// Factors on what one world is made of: Scales (cairn/random.h).
typedef struct cairn_scales {
  uint32_t struct_size;  ///< [B]
  float size;            ///< [1]
  float mass;            ///< [1]
  float friction;        ///< [1]
  float restitution;     ///< [1]
} cairn_scales;
CAIRN_API void cairn_scales_init(cairn_scales* scales, size_t size);
CAIRN_API cairn_result cairn_world_scales(const cairn_world* world, uint32_t index, cairn_scales* scales);
CAIRN_API cairn_result cairn_world_set_scales(cairn_world* world, uint32_t index, const cairn_scales* scales);

/// Factors on a dynamic body, beside those of its world.
typedef struct cairn_body_scales {
  uint32_t struct_size;  ///< [B]
  float size;            ///< [1]
  float mass;            ///< [1]
} cairn_body_scales;
CAIRN_API void cairn_body_scales_init(cairn_body_scales* scales, size_t size);
CAIRN_API cairn_result cairn_body_get_scales(const cairn_world* world, cairn_handle body, cairn_body_scales* scales);
CAIRN_API cairn_result cairn_body_set_scales(cairn_world* world, cairn_handle body, const cairn_body_scales* scales);

/// What is drawn, evenly from the first to the second number of a range: Randomisation (cairn/random.h).
typedef struct cairn_randomisation {
  uint32_t struct_size;       ///< [B]
  float size[2];              ///< [1]     of cairn_scales; likewise what follows
  float mass[2];              ///< [1]
  float friction[2];          ///< [1]
  float restitution[2];       ///< [1]
  float body_size[2];         ///< [1]     of cairn_body_scales
  float body_mass[2];         ///< [1]
  float position[3];          ///< [m]     at most so much to either side
  float linear_velocity[3];   ///< [m/s]   likewise
  float angular_velocity[3];  ///< [rad/s] likewise
} cairn_randomisation;
CAIRN_API void cairn_randomisation_init(cairn_randomisation* ranges, size_t size);
/// Draws new scales for the chosen worlds, and moves their dynamic bodies.
CAIRN_API cairn_result cairn_world_randomise(cairn_world* world, const uint8_t* mask, size_t count,
                                             const cairn_randomisation* ranges);

typedef enum cairn_random_stream {
  CAIRN_RANDOM_WORLD = 0,
  CAIRN_RANDOM_BODY = 1,
  CAIRN_RANDOM_POSITION = 2,
  CAIRN_RANDOM_LINEAR_VELOCITY = 3,
  CAIRN_RANDOM_ANGULAR_VELOCITY = 4,
  CAIRN_RANDOM_USER = 16  ///< from here on for whatever a program draws by itself
} cairn_random_stream;
/// The numbers that worlds draw, in [0, 1): random_uniforms (cairn/random.h).
CAIRN_API cairn_result cairn_random_uniforms(uint64_t seed, uint32_t episode, uint32_t stream, uint32_t index,
                                             float numbers[4]);

/// Where a world lies among the others when all are drawn. [m]
CAIRN_API cairn_result cairn_world_origin(const cairn_world* world, uint32_t index, double origin[3]);
CAIRN_API cairn_result cairn_world_set_origin(cairn_world* world, uint32_t index, const double origin[3]);

// ---- snapshots: docs/snapshots.md ----

typedef struct cairn_snapshot cairn_snapshot;

/// Of world `index`, or of all. Waits.
CAIRN_API cairn_result cairn_world_snapshot(const cairn_world* world, uint32_t index, cairn_snapshot** snapshot);
CAIRN_API void cairn_snapshot_destroy(cairn_snapshot* snapshot);
/// Becomes what the snapshot was taken of, handles included.
CAIRN_API cairn_result cairn_world_restore(cairn_world* world, const cairn_snapshot* snapshot);
/// World `into`, or the chosen ones, become what world `from` of the snapshot was.
CAIRN_API cairn_result cairn_world_restore_one(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                               uint32_t into);
CAIRN_API cairn_result cairn_world_restore_mask(cairn_world* world, const cairn_snapshot* snapshot, uint32_t from,
                                                const uint8_t* mask, size_t count);
/// What the snapshot was taken of, on any device.
CAIRN_API cairn_result cairn_world_create_from(const cairn_snapshot* snapshot, const cairn_world_options* options,
                                               cairn_world** world);
/// As many copies of its world `from`.
CAIRN_API cairn_result cairn_world_create_branches(const cairn_snapshot* snapshot, uint32_t from, uint32_t count,
                                                   const cairn_world_options* options, cairn_world** world);
CAIRN_API cairn_result cairn_snapshot_count(const cairn_snapshot* snapshot, uint32_t* count);
/// Bodies alive, steps and time [s] of one of its worlds. Null is left out.
CAIRN_API cairn_result cairn_snapshot_world(const cairn_snapshot* snapshot, uint32_t index, uint32_t* bodies,
                                            uint64_t* steps, double* time);
/// Written whole or not at all.
CAIRN_API cairn_result cairn_snapshot_save(const cairn_snapshot* snapshot, const char* path);
/// CAIRN_SNAPSHOT unless it is a sound one that this build can go on from. `limit` [B] is the most that it may expand
/// to; 0 stands for 16 GiB.
CAIRN_API cairn_result cairn_snapshot_load(const char* path, uint64_t limit, cairn_snapshot** snapshot);
/// The content of a file. `length` gets its length. If `size` is no smaller it is written, else nothing is; `bytes` may
/// be null if `size` is 0. It is made anew in each call.
CAIRN_API cairn_result cairn_snapshot_to_bytes(const cairn_snapshot* snapshot, void* bytes, size_t size,
                                               size_t* length);
/// `where` names it in messages.
CAIRN_API cairn_result cairn_snapshot_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                                 cairn_snapshot** snapshot);

// ---- recordings: docs/snapshots.md ----

typedef struct cairn_recording cairn_recording;

/// Notes from now on every call that changes the world, and the hash of the state after each step.
CAIRN_API cairn_result cairn_world_start_recording(cairn_world* world);
CAIRN_API cairn_result cairn_world_stop_recording(cairn_world* world, cairn_recording** recording);
CAIRN_API void cairn_recording_destroy(cairn_recording* recording);
CAIRN_API cairn_result cairn_recording_steps(const cairn_recording* recording, uint64_t* steps);
/// As those of snapshots.
CAIRN_API cairn_result cairn_recording_save(const cairn_recording* recording, const char* path);
CAIRN_API cairn_result cairn_recording_load(const char* path, uint64_t limit, cairn_recording** recording);
CAIRN_API cairn_result cairn_recording_to_bytes(const cairn_recording* recording, void* bytes, size_t size,
                                                size_t* length);
CAIRN_API cairn_result cairn_recording_from_bytes(const void* bytes, size_t length, const char* where, uint64_t limit,
                                                  cairn_recording** recording);

/// Replay and Difference (cairn/recording.h).
typedef struct cairn_replay {
  uint32_t struct_size;  ///< [B]
  int32_t differs;       ///< [1] 0: every hash is as recorded; 1: what follows `hash` tells where the first isn't
  uint64_t steps;        ///< [1] whose hash was compared
  uint64_t hash;         ///< [1] of the state after the last of them
  uint64_t step;         ///< [1] from 1 on; 0 if it starts from another state
  int32_t stage;         ///< [1] the first that wrote something else (cairn_stage_name); -1 if that can't be told
  uint32_t world;        ///< [1] that the body is in
} cairn_replay;
/// Does again what it holds, on any device, until a hash differs. `body` gets the name of the first body that ends the
/// step otherwise, "" if that can't be told: as much as it has room for, and a 0. A null `body` is left out.
CAIRN_API cairn_result cairn_recording_replay(const cairn_recording* recording, const cairn_world_options* options,
                                              cairn_replay* replay, char* body, size_t body_size);

// ---- arrays on the world's device: docs/interop.md ----

typedef enum cairn_element {
  CAIRN_UINT8 = 0,
  CAIRN_UINT32 = 1,
  CAIRN_UINT64 = 2,
  CAIRN_FLOAT32 = 3,
  CAIRN_FLOAT64 = 4
} cairn_element;

typedef struct cairn_array {
  uint32_t struct_size;   ///< [B]
  int32_t element;        ///< cairn_element
  const char* name;       ///< null in arrays of yours
  const char* unit;       ///< likewise
  void* data;             ///< on the device; null: there is none
  int32_t rank;           ///< [1] 1..3
  int32_t cuda_device;    ///< [1] its number; -1 for the CPU
  int32_t writable;       ///< [1] 0 or 1
  int32_t reserved;       ///< [1] 0
  int64_t shape[3];       ///< [1] elements along each dimension
  int64_t strides[3];     ///< [1] elements from one to the next
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

typedef enum cairn_written { CAIRN_LOADS = 0, CAIRN_VELOCITIES = 1, CAIRN_POSES = 2 } cairn_written;
/// Tells of what was written into the arrays. `mask`, here and below: a byte a world on the device, or null for all.
CAIRN_API cairn_result cairn_world_written(cairn_world* world, cairn_written what, const uint8_t* mask);
/// States to and from arrays of yours: (bodies, 3), the orientation (bodies, 4), float32 or float64; null leaves one
/// out. Position and orientation are set together.
CAIRN_API cairn_result cairn_world_get_states(const cairn_world* world, const cairn_array* position,
                                              const cairn_array* orientation, const cairn_array* linear_velocity,
                                              const cairn_array* angular_velocity, const uint8_t* mask);
CAIRN_API cairn_result cairn_world_set_states(cairn_world* world, const cairn_array* position,
                                              const cairn_array* orientation, const cairn_array* linear_velocity,
                                              const cairn_array* angular_velocity, const uint8_t* mask);
/// Scales from arrays of yours: of worlds (worlds, 4), size, mass, friction, restitution; of bodies (bodies, 2), size,
/// mass; null leaves one out. A world with one that is out of range keeps what it had, frozen, with a status bit.
CAIRN_API cairn_result cairn_world_set_all_scales(cairn_world* world, const cairn_array* of_worlds,
                                                  const cairn_array* of_bodies, const uint8_t* mask);
CAIRN_API cairn_result cairn_world_reset_where(cairn_world* world, const uint8_t* mask);

#ifdef __cplusplus
}
#endif
