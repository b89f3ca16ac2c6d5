// Scenes.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

using namespace cairn::c_api;  // NOLINT
using cairn::Scene;
using cairn::SceneCamera;

namespace {

const SceneCamera& camera_at(const Scene& scene, std::uint32_t index) {
  return one_of(scene.cameras(), index, "camera", "the scene has");
}

}  // namespace

void cairn_camera_init(cairn_camera* to, size_t size) { initialise(to, size); }

cairn_result cairn_scene_create(cairn_scene** scene) {
  return get(out("scene", scene), [] { return Scene(); });
}

void cairn_scene_destroy(cairn_scene* scene) { delete scene; }

cairn_result cairn_scene_load(const char* path, cairn_scene** scene) {
  return get(out("path, scene", scene), [&] {
    require("path, scene", path);
    return cairn::load_scene(path);
  });
}
cairn_result cairn_scene_parse(const char* json, size_t length, const char* where, cairn_scene** scene) {
  return get(out("json, where, scene", scene), [&] {
    require("json, where, scene", json, where);
    return cairn::parse_scene({json, length}, where);
  });
}
cairn_result cairn_scene_to_json(const cairn_scene* scene, char* text, size_t size, size_t* length) {
  return get(scene, OutText{out("scene, length", length), text, size}, &cairn::scene_to_json);
}

cairn_result cairn_scene_gravity(const cairn_scene* scene, float gravity[3]) {
  return get(scene, out("scene, gravity", gravity), &Scene::gravity);
}
cairn_result cairn_scene_set_gravity(cairn_scene* scene, const float gravity[3]) {
  return call(scene, &Scene::set_gravity, in("scene, gravity", gravity));
}
cairn_result cairn_scene_params(const cairn_scene* scene, cairn_params* params) {
  return get(scene, out("params", params), &Scene::params);
}
cairn_result cairn_scene_set_params(cairn_scene* scene, const cairn_params* params) {
  return call(scene, &Scene::set_params, params);
}
cairn_result cairn_scene_limits(const cairn_scene* scene, cairn_limits* limits) {
  return get(scene, out("limits", limits), &Scene::limits);
}
cairn_result cairn_scene_set_limits(cairn_scene* scene, const cairn_limits* limits) {
  return call(scene, &Scene::set_limits, limits);
}
cairn_result cairn_scene_add_material(cairn_scene* scene, const cairn_material* material, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_material, material);
}
cairn_result cairn_scene_add_body(cairn_scene* scene, const cairn_body* body, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_body, body);
}
cairn_result cairn_scene_ignore(cairn_scene* scene, uint32_t body_a, uint32_t body_b) {
  return call(scene, &Scene::ignore, body_a, body_b);
}
cairn_result cairn_scene_body_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &Scene::bodies);
}
cairn_result cairn_scene_find_body(const cairn_scene* scene, const char* name, uint32_t* index) {
  return find(scene, &Scene::find_body, "body", name, index);
}
cairn_result cairn_scene_add_camera(cairn_scene* scene, const cairn_camera* camera, uint32_t* index) {
  return get(scene, or_null(index), &Scene::add_camera, camera);
}
cairn_result cairn_scene_camera_count(const cairn_scene* scene, uint32_t* count) {
  return get(scene, out("scene, count", count), &Scene::cameras);
}
cairn_result cairn_scene_find_camera(const cairn_scene* scene, const char* name, uint32_t* index) {
  return find(scene, &Scene::find_camera, "camera", name, index);
}
cairn_result cairn_scene_camera(const cairn_scene* scene, uint32_t index, cairn_camera* camera) {
  return get(scene, out("camera", camera), [&](const Scene& s) { return twin<cairn_camera>(camera_at(s, index)); });
}
cairn_result cairn_camera_now(const cairn_scene* scene, uint32_t index, const cairn_world* world, uint32_t in,
                              cairn_camera* camera) {
  return get(world, out("camera", camera), [&](const cairn::World& w) {
    require("scene", scene);
    const SceneCamera& as_added = camera_at(scene->content, index);
    auto c = twin<cairn_camera>(as_added);
    fill(c, cairn::camera_now(as_added, scene->content, w, in));
    return c;
  });
}
