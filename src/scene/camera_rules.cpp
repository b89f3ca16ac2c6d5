// Cameras of a scene.

#include "src/scene/camera_rules.h"

#include "src/exec/out_of_memory.h"
#include "src/scene/check_attributes.h"

namespace cairn {
namespace rules {

void check_distance(Checker& check, const PictureCamera& view, std::string_view field, std::string_view pointer) {
  const Vec3d e = view.eye, t = view.target;
  const double x = t.x - e.x, y = t.y - e.y, z = t.z - e.z, square = x * x + y * y + z * z;
  check.require(square > 1e-12 && square < 1e24, field, pointer, "must be 1e-6 to 1e12 m from the eye");
}

std::optional<Fault> find_fault(const SceneCamera& camera, std::size_t bodies) {
  Checker check;
  check_attributes(check, camera);
  check_distance(check, camera.view, "target", "/target");
  if (camera.follow && *camera.follow >= bodies) {
    check.require(
        false, "follow", "/follow",
        "must be the index of a body (there are " + std::to_string(bodies) + "), is " + std::to_string(*camera.follow));
  }
  return check.fault;
}

}  // namespace rules

std::uint32_t Scene::add_camera(SceneCamera camera) {
  return with_heap([&]() -> std::uint32_t {
    const std::string what = "camera \"" + camera.name + "\"";
    if (const auto fault = rules::find_fault(camera, bodies_.size()))
      throw InvalidArgument(what + ": " + fault->field + " " + fault->rule);
    if (const auto first = find_camera(camera.name)) {
      throw InvalidArgument(what + ": name must be unique, camera " + std::to_string(*first) + " has it too");
    }
    if (cameras_.size() == rules::kMaxCameras)
      throw InvalidArgument(what + ": there are " + std::to_string(rules::kMaxCameras) +
                            " cameras, which are the most");
    cameras_.push_back(std::move(camera));
    return static_cast<std::uint32_t>(cameras_.size() - 1);
  });
}

std::optional<std::uint32_t> Scene::find_camera(const std::string& camera_name) const {
  for (std::uint32_t k = 0; k < cameras_.size(); ++k) {
    if (cameras_[k].name == camera_name) return k;
  }
  return std::nullopt;
}

}  // namespace cairn
