#include "src/scene_file/write_attributes.h"

namespace cairn::scene_file {

std::string camera_text(const SceneCamera& camera, const Scene& scene) {
  Members members;
  add_attributes(members, camera, [&](const Attribute<&SceneCamera::follow>& a) {
    if (camera.follow) members.add(a.key(), text_of(rules::reference_to(scene.bodies(), *camera.follow)));
  });
  return members.end();
}

}  // namespace cairn::scene_file
