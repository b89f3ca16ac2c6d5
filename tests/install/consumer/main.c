#include <cairn/cairn.h>
#include <stdio.h>

/* a ball dropped from rest, as in main.cpp */
int main(void) {
  cairn_scene* scene;
  cairn_world* world;
  cairn_shape sphere;
  cairn_body ball;
  cairn_handle handle;
  cairn_state state;
  cairn_shape_init(&sphere, sizeof sphere);
  sphere.kind = CAIRN_SPHERE;
  cairn_body_init(&ball, sizeof ball);
  ball.name = "ball";
  ball.position[2] = 100;
  ball.mass = 1;
  ball.shapes = &sphere;
  ball.shape_count = 1;
  if (cairn_scene_create(&scene) != CAIRN_OK || cairn_scene_add_body(scene, &ball, NULL) != CAIRN_OK ||
      cairn_world_create_copies(scene, 1, NULL, &world) != CAIRN_OK || cairn_world_step(world, 60) != CAIRN_OK ||
      cairn_world_bodies(world, 0, &handle, 1) != CAIRN_OK || cairn_body_state(world, handle, &state) != CAIRN_OK) {
    fprintf(stderr, "%s\n", cairn_last_error());
    return 1;
  }
  cairn_world_destroy(world);
  cairn_scene_destroy(scene);
  printf("cairn %s in C: the ball fell to %.3f m\n", cairn_version(), state.position[2]);
  return state.position[2] > 94 && state.position[2] < 96 ? 0 : 1;
}
