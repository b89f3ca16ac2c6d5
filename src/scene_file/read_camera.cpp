// Cameras from JSON values.

#include <utility>

#include "src/scene/camera_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void Decoder::camera(const Node& node, const Path& path) {
  if (cameras_.size() >= rules::kMaxCameras) {
    fail(Path(root_, "cameras"), "more than " + std::to_string(rules::kMaxCameras) + " cameras");
  }
  const Fields fields(node, keys_of<SceneCamera>(), path);
  NamedCamera named;
  read_attributes(fields, path, named.camera, [&](const Attribute<&SceneCamera::follow>& a) {
    if (const Node* body = fields.find(a.key())) named.follow = read_string(*body, Path(path, a.key()));
  });
  cameras_.push_back(std::move(named));
}

void Decoder::add_cameras(Scene& scene) {
  const Path list(root_, "cameras");
  for (std::size_t k = 0; k < cameras_.size(); ++k) {
    const Path path(list, k);
    auto& [camera, follow] = cameras_[k];
    if (follow) {
      camera.follow = referenced_body(scene, *follow);
      if (!camera.follow) fail(Path(path, "follow"), missing("body", *follow));
    }
    if (const auto fault = rules::find_fault(camera, scene.bodies().size())) refuse(path, *fault);
    if (const auto first = scene.find_camera(camera.name)) {
      fail(Path(path, "name"),
           "must be unique, /cameras/" + std::to_string(*first) + " has it too: " + in_quotes(camera.name));
    }
    scene.add_camera(std::move(camera));
  }
}

}  // namespace cairn::scene_file
