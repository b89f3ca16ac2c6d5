#pragma once
// Scenes: made, read and written.

#include "cairn/c/body.h"
#include "cairn/c/params.h"

typedef struct cairn_scene cairn_scene;

/// A view of a scene: SceneCamera (cairn/camera.h).
typedef struct cairn_camera {
  uint32_t struct_size;  ///< [B]
  const char* name;      ///< unique among cameras, not empty
  double eye[3];         ///< [m]   world
  double target[3];      ///< [m]   world, in the picture's middle; 1e-6 to 1e12 m from the eye
  double field_of_view;  ///< [deg] from the lower edge to the upper, 1 to 150
  int32_t has_follow;    ///< [1]   1: `follow` is set. 0: it stands still
  uint32_t follow;       ///< [1]   index of a body: eye and target move as far as it does, and don't turn
} cairn_camera;
/// Without a name. Eye and target are at the origin: set them.
CAIRN_API void cairn_camera_init(cairn_camera* camera, size_t size);

/// An empty scene with gravity (0, 0, -9.81).
CAIRN_API cairn_result cairn_scene_create(cairn_scene** scene);
CAIRN_API void cairn_scene_destroy(cairn_scene* scene);
/// From a scene file (docs/scenes.md).
CAIRN_API cairn_result cairn_scene_load(const char* path, cairn_scene** scene);
/// From a scene file's text; `where` names it in messages.
CAIRN_API cairn_result cairn_scene_parse(const char* json, size_t length, const char* where, cairn_scene** scene);
/// The scene as the text of a scene file. `length` gets its length without the 0 at the end; the text is written if
/// `size` is larger, else nothing is. `text` may be null if `size` is 0.
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
/// Disables collision between two bodies.
CAIRN_API cairn_result cairn_scene_ignore(cairn_scene* scene, uint32_t body_a, uint32_t body_b);
CAIRN_API cairn_result cairn_scene_body_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if none has the name.
CAIRN_API cairn_result cairn_scene_find_body(const cairn_scene* scene, const char* name, uint32_t* index);
/// A scene has at most 1,024. Worlds have no cameras (cairn_camera_now).
CAIRN_API cairn_result cairn_scene_add_camera(cairn_scene* scene, const cairn_camera* camera, uint32_t* index);
CAIRN_API cairn_result cairn_scene_camera_count(const cairn_scene* scene, uint32_t* count);
/// CAIRN_INVALID_ARGUMENT if none has the name.
CAIRN_API cairn_result cairn_scene_find_camera(const cairn_scene* scene, const char* name, uint32_t* index);
/// As it was added. The name is valid until a camera is added or the scene is destroyed.
CAIRN_API cairn_result cairn_scene_camera(const cairn_scene* scene, uint32_t index, cairn_camera* camera);
