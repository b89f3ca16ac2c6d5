// Scenes.

#include "cairn/picture.h"
#include "src/c_api/describe.h"
#include "src/c_api/twins.h"

namespace cairn::c_api {
namespace {

cairn_camera of(const SceneCamera& camera) {
  auto c = twin<cairn_camera>(camera);
  fill(c, camera.view);
  c.has_follow = camera.follow ? 1 : 0;
  c.follow = camera.follow.value_or(0);
  return c;
}

SceneCamera camera_of(const cairn_camera* given) {
  const cairn_camera c = read<cairn_camera>(given, "cairn_camera");
  SceneCamera camera = attributes_of<SceneCamera>(c);
  take(camera.view, c, "cairn_camera");
  if (c.has_follow != 0) camera.follow = c.follow;
  return camera;
}

const SceneCamera& camera_at(const Scene& scene, std::uint32_t index) {
  const std::vector<SceneCamera>& all = scene.cameras();
  if (index >= all.size())
    throw InvalidArgument("camera " + std::to_string(index) + ": the scene has " + std::to_string(all.size()));
  return all[index];
}

}  // namespace

template <>
cairn_camera defaults() {
  cairn_camera c = of(SceneCamera{});
  c.name = nullptr;
  return c;
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT

void cairn_camera_init(cairn_camera* camera, size_t size) { initialise(camera, size, defaults<cairn_camera>()); }

cairn_result cairn_scene_create(cairn_scene** scene) {
  return guarded([&] {
    require("scene", scene);
    *scene = new cairn_scene;
  });
}

void cairn_scene_destroy(cairn_scene* scene) { delete scene; }

cairn_result cairn_scene_load(const char* path, cairn_scene** scene) {
  return guarded([&] {
    require("path, scene", path, scene);
    *scene = new cairn_scene{cairn::load_scene(path)};
  });
}

cairn_result cairn_scene_parse(const char* json, size_t length, const char* where, cairn_scene** scene) {
  return guarded([&] {
    require("json, where, scene", json, where, scene);
    *scene = new cairn_scene{cairn::parse_scene({json, length}, where)};
  });
}

cairn_result cairn_scene_to_json(const cairn_scene* scene, char* text, size_t size, size_t* length) {
  return guarded([&] {
    require("scene, length", scene, length);
    if (size != 0) require("text", text);
    const std::string json = cairn::scene_to_json(scene->scene);
    *length = json.size();
    if (size > json.size()) std::memcpy(text, json.c_str(), json.size() + 1);
  });
}

cairn_result cairn_scene_gravity(const cairn_scene* scene, float gravity[3]) {
  return guarded([&] {
    require("scene, gravity", scene, gravity);
    put(gravity, scene->scene.gravity());
  });
}

cairn_result cairn_scene_set_gravity(cairn_scene* scene, const float gravity[3]) {
  return guarded([&] {
    require("scene, gravity", scene, gravity);
    scene->scene.set_gravity(vec3(gravity));
  });
}

cairn_result cairn_scene_set_params(cairn_scene* scene, const cairn_params* params) {
  return guarded([&] {
    require("scene", scene);
    scene->scene.set_params(params_of(params));
  });
}

cairn_result cairn_scene_params(const cairn_scene* scene, cairn_params* params) {
  return guarded([&] {
    require("scene", scene);
    write(params, of(scene->scene.params()), "params");
  });
}

cairn_result cairn_scene_limits(const cairn_scene* scene, cairn_limits* limits) {
  return guarded([&] {
    require("scene", scene);
    write(limits, of(scene->scene.limits()), "limits");
  });
}

cairn_result cairn_scene_set_limits(cairn_scene* scene, const cairn_limits* limits) {
  return guarded([&] {
    require("scene", scene);
    scene->scene.set_limits(limits_of(limits));
  });
}

cairn_result cairn_scene_add_material(cairn_scene* scene, const cairn_material* material, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_material(material_of(material));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_add_body(cairn_scene* scene, const cairn_body* body, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_body(body_of(body));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_ignore(cairn_scene* scene, uint32_t body_a, uint32_t body_b) {
  return guarded([&] {
    require("scene", scene);
    scene->scene.ignore(body_a, body_b);
  });
}

cairn_result cairn_scene_body_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.bodies().size());
  });
}

cairn_result cairn_scene_find_body(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_body(name);
    if (!found) throw cairn::InvalidArgument("body \"" + std::string(name) + "\": the scene has none of this name");
    *index = *found;
  });
}

cairn_result cairn_scene_add_camera(cairn_scene* scene, const cairn_camera* camera, uint32_t* index) {
  return guarded([&] {
    require("scene", scene);
    const std::uint32_t at = scene->scene.add_camera(camera_of(camera));
    if (index != nullptr) *index = at;
  });
}

cairn_result cairn_scene_camera_count(const cairn_scene* scene, uint32_t* count) {
  return guarded([&] {
    require("scene, count", scene, count);
    *count = static_cast<std::uint32_t>(scene->scene.cameras().size());
  });
}

cairn_result cairn_scene_find_camera(const cairn_scene* scene, const char* name, uint32_t* index) {
  return guarded([&] {
    require("scene, name, index", scene, name, index);
    const auto found = scene->scene.find_camera(name);
    if (!found) throw cairn::InvalidArgument("camera \"" + std::string(name) + "\": the scene has none of this name");
    *index = *found;
  });
}

cairn_result cairn_scene_camera(const cairn_scene* scene, uint32_t index, cairn_camera* camera) {
  return guarded([&] {
    require("scene", scene);
    write(camera, of(camera_at(scene->scene, index)), "camera");
  });
}

cairn_result cairn_camera_now(const cairn_scene* scene, uint32_t index, const cairn_world* world, uint32_t in,
                              cairn_camera* camera) {
  return with(world, [&](const cairn::World& w) {
    require("scene", scene);
    const cairn::SceneCamera& as_added = camera_at(scene->scene, index);
    cairn_camera c = of(as_added);
    fill(c, cairn::camera_now(as_added, scene->scene, w, in));
    write(camera, c, "camera");
  });
}
