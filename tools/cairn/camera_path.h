#pragma once
// Motion of a video's camera.

#include <optional>

#include "cairn/picture.h"
#include "cairn/world.h"

namespace cairn::cli {

/// The start pose, turned about its target, and moved with a body.
class CameraPath {
 public:
  /// `orbit` [deg/s] is about the upward direction of the World, counter-clockwise seen from above.
  CameraPath(const World& world, const PictureCamera& start, double orbit, std::optional<BodyHandle> follow);

  PictureCamera at(const World& world, double seconds) const;

 private:
  PictureCamera start_;
  double orbit_;  ///< [deg/s]
  Vec3d up_;      ///< [1] unit
  std::optional<BodyHandle> follow_;
  Vec3d begin_{};  ///< [m] start of the body
};

}  // namespace cairn::cli
