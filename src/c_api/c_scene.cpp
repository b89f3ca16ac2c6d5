// Scenes.

#include "src/c_api/describe.h"

using namespace cairn::c_api;  // NOLINT

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
