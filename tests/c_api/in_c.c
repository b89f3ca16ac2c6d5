/* A tower by the C interface, in C99: the header compiles as C, and the umbrella header is it, too. */

#include <cairn/cairn.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/c_api/in_c.h"

#define CHECK(call) \
  do { \
    if ((call) != CAIRN_OK) { \
      fprintf(stderr, "%s: %s\n", #call, cairn_last_error()); \
      return 0; \
    } \
  } while (0)

/* A world with a tower; null if a call failed. */
static cairn_world* tower(uint32_t boxes) {
  cairn_scene* scene = NULL;
  cairn_world* world = NULL;
  cairn_world_options options;
  cairn_material stone;
  cairn_shape shape;
  cairn_body body;
  char name[32];
  uint32_t i;

  CHECK(cairn_scene_create(&scene));
  cairn_material_init(&stone, sizeof stone);
  stone.name = "stone";
  stone.density = 1000;
  CHECK(cairn_scene_add_material(scene, &stone, NULL));

  cairn_shape_init(&shape, sizeof shape);
  cairn_body_init(&body, sizeof body);
  body.shapes = &shape;
  body.shape_count = 1;
  body.name = "floor";
  body.type = CAIRN_STATIC;
  shape.kind = CAIRN_PLANE;
  CHECK(cairn_scene_add_body(scene, &body, NULL));

  body.type = CAIRN_DYNAMIC;
  body.name = name;
  shape.kind = CAIRN_BOX;
  for (i = 0; i < boxes; ++i) {
    snprintf(name, sizeof name, "box%u", (unsigned)i);
    body.position[2] = 0.5 + i;
    CHECK(cairn_scene_add_body(scene, &body, NULL));
  }

  cairn_world_options_init(&options, sizeof options);
  options.threads = 1;
  CHECK(cairn_world_create_copies(scene, 1, &options, &world));
  cairn_scene_destroy(scene);
  return world;
}

uint64_t rope_hash_in_c(uint32_t particles, uint32_t steps) {
  cairn_scene* scene = NULL;
  cairn_world* world = NULL;
  cairn_world_options options;
  cairn_constraint_group segments;
  cairn_particle_set rope;
  cairn_field wind;
  double* positions = calloc(particles, 3 * sizeof *positions);
  uint32_t* ends = calloc(particles, 2 * sizeof *ends);
  const uint32_t top = 0;
  uint64_t hash = 0;
  uint32_t i;

  for (i = 0; i < particles; ++i) {
    positions[3 * i + 2] = 2 - 0.1 * i;
    ends[2 * i] = i;
    ends[2 * i + 1] = i + 1;
  }
  cairn_constraint_group_init(&segments, sizeof segments);
  segments.compliance = 1e-5f;
  segments.particles = ends;
  segments.particle_count = 2 * (particles - 1);
  cairn_particle_set_init(&rope, sizeof rope);
  rope.name = "rope";
  rope.positions = positions;
  rope.particle_count = particles;
  rope.mass = 0.05f;
  rope.radius = 0.02f;
  rope.fixed = &top;
  rope.fixed_count = 1;
  rope.constraints = &segments;
  rope.constraint_count = 1;
  cairn_field_init(&wind, sizeof wind);
  wind.kind = CAIRN_WIND_FIELD;
  wind.velocity[0] = 4;
  wind.linear = 0.02;

  CHECK(cairn_scene_create(&scene));
  CHECK(cairn_scene_add_particles(scene, &rope, NULL));
  CHECK(cairn_scene_add_field(scene, &wind, NULL));
  free(positions);
  free(ends);
  cairn_world_options_init(&options, sizeof options);
  options.threads = 1;
  CHECK(cairn_world_create_copies(scene, 1, &options, &world));
  cairn_scene_destroy(scene);
  CHECK(cairn_world_step(world, steps));
  CHECK(cairn_world_state_hash(world, &hash));
  cairn_world_destroy(world);
  return hash;
}

uint64_t tower_hash_in_c(uint32_t boxes, uint32_t before, uint32_t after) {
  cairn_world* world = tower(boxes);
  cairn_snapshot* snapshot = NULL;
  cairn_report report;
  void* bytes = NULL;
  size_t length = 0;
  uint64_t hash = 0;

  CHECK(cairn_world_step(world, before));
  report.struct_size = sizeof report;
  CHECK(cairn_world_get_report(world, &report));
  if (report.steps != before || report.status != 0) return 0;
  CHECK(cairn_world_snapshot(world, CAIRN_ALL_WORLDS, &snapshot));
  cairn_world_destroy(world);
  CHECK(cairn_snapshot_to_bytes(snapshot, NULL, 0, &length));
  bytes = malloc(length);
  CHECK(cairn_snapshot_to_bytes(snapshot, bytes, length, &length));
  cairn_snapshot_destroy(snapshot);
  CHECK(cairn_snapshot_from_bytes(bytes, length, "tower", 0, &snapshot));
  free(bytes);
  CHECK(cairn_world_create_from(snapshot, NULL, &world));
  cairn_snapshot_destroy(snapshot);
  CHECK(cairn_world_step(world, after));
  CHECK(cairn_world_state_hash(world, &hash));
  cairn_world_destroy(world);
  return hash;
}
