#include "tools/cairn/camera_path.h"

#include <cmath>
#include <numbers>

#include "kernels/common/exact.h"

namespace cairn::cli {
namespace {

Vec3d sum(Vec3d a, Vec3d b, double times = 1) { return {a.x + times * b.x, a.y + times * b.y, a.z + times * b.z}; }

Vec3d up_of(const World& world) {
  const Vec3 g = world.gravity();
  const double x = -double{g.x}, y = -double{g.y}, z = -double{g.z}, length = std::sqrt(x * x + y * y + z * z);
  return length > 0 ? Vec3d{x / length, y / length, z / length} : Vec3d{0, 0, 1};
}

}  // namespace

CameraPath::CameraPath(const World& world, const PictureCamera& start, double orbit, std::optional<BodyHandle> follow)
    : start_(start), orbit_(orbit), up_(up_of(world)), follow_(follow) {
  if (follow_) begin_ = world.state(*follow_).position;
}

PictureCamera CameraPath::at(const World& world, double seconds) const {
  PictureCamera camera = start_;
  if (orbit_ != 0) {
    // Rodrigues' formula
    const Vec3d v = sum(start_.eye, start_.target, -1), u = up_;
    const Vec3d across{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double along = u.x * v.x + u.y * v.y + u.z * v.z;
    const kernels::SinCosd turn = kernels::sincos(orbit_ * seconds * std::numbers::pi / 180);
    const Vec3d level = sum(v, u, -along);
    const Vec3d turned{turn.cos * level.x + turn.sin * across.x, turn.cos * level.y + turn.sin * across.y,
                       turn.cos * level.z + turn.sin * across.z};
    camera.eye = sum(start_.target, sum(turned, u, along));
  }
  if (follow_) {
    const Vec3d moved = sum(world.state(*follow_).position, begin_, -1);
    camera.eye = sum(camera.eye, moved);
    camera.target = sum(camera.target, moved);
  }
  return camera;
}

}  // namespace cairn::cli
