#pragma once
// Materials, shapes and bodies, as they are described.

#include "cairn/c/common.h"
#include "cairn/c/solid.h"

typedef enum cairn_body_type { CAIRN_STATIC = 0, CAIRN_KINEMATIC = 1, CAIRN_DYNAMIC = 2 } cairn_body_type;

typedef struct cairn_material {
  uint32_t struct_size;       ///< [B]
  const char* name;           ///< unique, not empty
  float density;              ///< [kg/m^3] 0: not given
  float friction;             ///< [1]
  float restitution;          ///< [1]
  float rolling_friction;     ///< [m]
  float young_modulus;        ///< [Pa] 0: not given; CAIRN_HERTZ_MINDLIN needs it
  float poisson_ratio;        ///< [1]
  float surface_velocity[3];  ///< [m/s] in the body's frame, along the surface: a conveyor belt
} cairn_material;
CAIRN_API void cairn_material_init(cairn_material* material, size_t size);

typedef struct cairn_shape {
  uint32_t struct_size;      ///< [B]
  int32_t kind;              ///< cairn_shape_kind
  float size[3];             ///< [m] sphere: radius; box and rounded box: half extents; capsule: radius, half height
                             ///<     without the caps; cylinder and cone: radius, half height; tapered cylinder: radius
                             ///<     at the bottom and at the top, half height; tube: outer radius, inner radius, half
                             ///<     height; ellipsoid: radii
  float normal[3];           ///< [1] of a plane, any length but 0; normal . p <= offset is solid
  float offset;              ///< [m] of a plane
  float position[3];         ///< [m] in the body's frame
  float orientation[4];      ///< [1] shape to body
  uint32_t material;         ///< [1] index of the scene's
  uint32_t category;         ///< [1] bits: its categories. Filter (cairn/filter.h), like the next two
  uint32_t mask;             ///< [1] bits: categories it touches
  int32_t group;             ///< [1] 0: none
  int32_t sensor;            ///< [1] 1: reports overlaps; pushes nothing and has no mass
  float radius;              ///< [m] of a rounded box's edges and corners
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
  const char* name;           ///< unique; null or empty: none
  int32_t type;               ///< cairn_body_type
  double position[3];         ///< [m]     world
  float orientation[4];       ///< [1]     body to world
  float linear_velocity[3];   ///< [m/s]   world
  float angular_velocity[3];  ///< [rad/s] world
  const cairn_shape* shapes;
  uint32_t shape_count;        ///< [1]      at least one
  float mass;                  ///< [kg]     0: from a density
  float density;               ///< [kg/m^3] 0: the materials'
  float inertia[3];            ///< [kg m^2] principal, along the body's axes; needs a mass. All 0: from the shapes
  float linear_damping;        ///< [1/s]
  float angular_damping;       ///< [1/s]
  float inertia_products[3];   ///< [kg m^2] xy, xz and yz of the inertia's tensor, whose diagonal is `inertia`
  int32_t has_centre_of_mass;  ///< [1]      1: `centre_of_mass` is set, which needs an inertia. 0: from the shapes
  float centre_of_mass[3];     ///< [m]      in the body's frame
  uint32_t point_mass_count;   ///< [1]
  const cairn_point_mass* point_masses;  ///< beside the shapes; null in descriptions (cairn_body_point_masses)
  int32_t fixed_rotation;                ///< [1]      1: doesn't turn while it is dynamic
  int32_t bullet;                        ///< [1]      1: passes through nothing, however thin
  float gravity_scale;                   ///< [1]      times the world's gravity; cairn_body_init sets 1
  uint64_t user_data;                    ///< the program's own
  int32_t enabled;                       ///< [1]      0: not simulated; cairn_body_init sets 1
  int32_t has_color;                     ///< [1]      1: `color` is set. 0: by its place among the bodies
  float color[3];                        ///< [1]      sRGB, 0 to 1, in pictures
} cairn_body;
/// A dynamic body at the origin, without a name or shapes.
CAIRN_API void cairn_body_init(cairn_body* body, size_t size);
