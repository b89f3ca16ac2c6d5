#pragma once
// Joints as they are drawn, over the bodies: a ball at the anchor, a bar along each axis, and thin lines from there to
// the bodies; along a rod, a rope or a pulley's rope a line.

#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/picture/trace_shape.h"
#include "src/picture/camera.h"

namespace cairn::picture {

/// How large the bodies of a picture are.
struct MarkSizes {
  std::span<const double> bodies;  ///< [m] (bodies) bounding radii of their shapes; 0 where none is drawn
  double usual{0};                 ///< [m] of what is between bodies without shapes
  double least{0};                 ///< [m] that can be seen
};

/// Balls and capsules about the origin of a picture, as large as suits the smaller body of each joint. Of gears, and of
/// joints with a body that isn't finite, there are none. The joints' bodies are indices of `states`.
std::vector<kernels::PictureShape> marks_of(std::span<const Joint> joints, std::span<const BodyState> states,
                                            const MarkSizes& sizes, Double3 origin);

}  // namespace cairn::picture
