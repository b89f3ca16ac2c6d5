#include "src/scene/camera_rules.h"

#include "src/scene/check_attributes.h"

namespace cairn::rules {

void check_distance(Checker& check, const PictureCamera& view, std::string_view field, std::string_view pointer) {
  const Vec3d e = view.eye, t = view.target;
  const double x = t.x - e.x, y = t.y - e.y, z = t.z - e.z, square = x * x + y * y + z * z;
  check.require(square > 1e-12 && square < 1e24, field, pointer, "must be 1e-6 to 1e12 m from the eye");
}

std::optional<Fault> find_fault(const SceneCamera& camera, std::size_t bodies) {
  Checker check;
  check_attributes(check, camera);
  check_distance(check, camera.view, "target", "/target");
  if (camera.follow) check.index(*camera.follow, bodies, "a body", "follow", "/follow");
  return check.fault;
}

}  // namespace cairn::rules
