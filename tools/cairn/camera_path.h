#pragma once
// How the camera of a video moves.

#include <optional>

#include "cairn/picture.h"
#include "cairn/world.h"

namespace cairn::cli {

/// From where it starts, turned about what it looks at, and moved as a body moves.
class CameraPath {
 public:
  /// `orbit` [deg/s] is counted about the upward direction of the World, against the clock as seen from above.
  CameraPath(const World& world, const PictureCamera& start, double orbit, std::optional<BodyHandle> follow);

  PictureCamera at(const World& world, double seconds) const;

 private:
  PictureCamera start_;
  double orbit_;  ///< [deg/s]
  Vec3d up_;      ///< [1] unit
  std::optional<BodyHandle> follow_;
  Vec3d begin_{};  ///< [m] where the body was
};

}  // namespace cairn::cli
