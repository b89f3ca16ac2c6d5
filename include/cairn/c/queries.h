#pragma once
// Queries: docs/queries.md.

#include "cairn/c/arrays.h"
#include "cairn/c/world.h"

/// RayQuery or ShapeQuery (cairn/queries.h).
typedef struct cairn_query {
  uint32_t struct_size;      ///< [B]
  uint32_t world;            ///< [1] index
  const cairn_shape* shape;  ///< only its geometry is used; null: a ray, or a point
  double position[3];        ///< [m] world
  float orientation[4];      ///< [1] shape to world
  float direction[3];        ///< [1] of casts, any length but 0
  float distance;            ///< [m] max length of casts, or max distance
  uint32_t category;         ///< [1] finds shapes that a shape with this filter would touch, like the next two
  uint32_t mask;             ///< [1]
  int32_t group;             ///< [1]
  int32_t sensors;           ///< [1] 1: finds sensors, too
  cairn_handle ignored;      ///< a body to ignore, or null
} cairn_query;
/// Down from the origin, without a max distance.
CAIRN_API void cairn_query_init(cairn_query* query, size_t size);

/// QueryHit. It will not grow.
typedef struct cairn_hit {
  cairn_handle body;   ///< null: no hit
  uint32_t shape;      ///< [1] index among the body's shapes
  uint32_t query;      ///< [1] its index
  double distance;     ///< [m]
  double position[3];  ///< [m] world
  float normal[3];     ///< [1] world
  uint32_t reserved;   ///< [1] 0
} cairn_hit;

typedef enum cairn_query_kind { CAIRN_CAST = 0, CAIRN_OVERLAP = 1, CAIRN_CLOSEST = 2 } cairn_query_kind;
/// The first hit of each query, one a query.
CAIRN_API cairn_result cairn_world_query(const cairn_world* world, cairn_query_kind kind, const cairn_query* queries,
                                         size_t count, cairn_hit* hits);
/// All hits: by query, then distance, then the slot of the shape. `found` gets their number. They are written if `size`
/// is no smaller, else none is.
CAIRN_API cairn_result cairn_world_query_all(const cairn_world* world, cairn_query_kind kind,
                                             const cairn_query* queries, size_t count, cairn_hit* hits, size_t size,
                                             size_t* found);

/// QueryArrays (cairn/queries.h): queries in arrays on the world's device, a row each. A null array takes the value of
/// `like` for all rows.
typedef struct cairn_query_arrays {
  uint32_t struct_size;            ///< [B]
  const cairn_array* position;     ///< [m] (queries, 3) world; not null
  const cairn_array* orientation;  ///< [1] (queries, 4)
  const cairn_array* direction;    ///< [1] (queries, 3)
  const cairn_array* distance;     ///< [m] (queries)
  const cairn_array* world;        ///< [1] (queries) uint32, index
  const cairn_array* ignored;      ///< [1] (queries) uint32, index of a body's handle less 1; UINT32_MAX: none
} cairn_query_arrays;
CAIRN_API void cairn_query_arrays_init(cairn_query_arrays* arrays, size_t size);

/// HitArrays (cairn/queries.h): the first hit of each. Null leaves one out.
typedef struct cairn_hit_arrays {
  uint32_t struct_size;         ///< [B]
  const cairn_array* body;      ///< [1] (queries) uint32, slot; UINT32_MAX: no hit
  const cairn_array* shape;     ///< [1] (queries) uint32, index among the body's shapes
  const cairn_array* distance;  ///< [m] (queries) -1 where the query is invalid
  const cairn_array* position;  ///< [m] (queries, 3) world
  const cairn_array* normal;    ///< [1] (queries, 3) world
} cairn_hit_arrays;
CAIRN_API void cairn_hit_arrays_init(cairn_hit_arrays* arrays, size_t size);

/// cairn_world_query of arrays on the world's device, into others there, without a copy over the host. `like` has the
/// shape, the filter and the values of null arrays.
CAIRN_API cairn_result cairn_world_query_arrays(const cairn_world* world, cairn_query_kind kind,
                                                const cairn_query* like, const cairn_query_arrays* from,
                                                const cairn_hit_arrays* to);
