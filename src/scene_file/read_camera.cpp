// Cameras from JSON values.

#include <utility>

#include "src/scene/camera_rules.h"
#include "src/scene_file/decode.h"
#include "src/scene_file/read_attributes.h"

namespace cairn::scene_file {

void Decoder::camera(const Node& node, const Path& path) {
  cap(cameras_.size() + 1, rules::kMaxCameras, "cameras", Path(root_, "cameras"));
  const Fields fields(node, keys_of<SceneCamera>(), path);
  NamedCamera named;
  read_attributes(fields, path, named.camera,
                  [&](const Attribute<&SceneCamera::follow>& a) { fields.read(a.key(), read_string, named.follow); });
  cameras_.push_back(std::move(named));
}

void Decoder::add_cameras(Scene& scene) {
  const Path list(root_, "cameras");
  for (std::size_t k = 0; k < cameras_.size(); ++k) {
    const Path path(list, k);
    auto& [camera, follow] = cameras_[k];
    if (follow) camera.follow = require_body(scene, *follow, Path(path, "follow"));
    if (const auto fault = rules::find_fault(camera, scene.bodies().size())) refuse(path, *fault);
    if (const auto first = scene.find_camera(camera.name))
      refuse_name(path, camera.name, "/cameras/" + std::to_string(*first));
    scene.add_camera(std::move(camera));
  }
}

}  // namespace cairn::scene_file
