#pragma once
// Marks of joints, over the bodies: a ball at the anchor, a bar along each axis, and thin lines to the bodies; a line
// along a rod, a rope or a pulley's rope.

#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/picture/trace_shape.h"
#include "src/picture/camera.h"

namespace cairn::picture {

/// Sizes of the bodies of a picture.
struct MarkSizes {
  std::span<const double> bodies;  ///< [m] (bodies) bounding radii of their shapes; 0 where none is drawn
  double usual{0};                 ///< [m] for joints of bodies without shapes
  double least{0};                 ///< [m] min visible size
};

/// Balls and capsules about the origin of a picture, sized by the smaller body of each joint. None for gears, and for
/// joints with a body that isn't finite. The joints' bodies are indices of `states`.
std::vector<kernels::PictureShape> marks_of(std::span<const Joint> joints, std::span<const BodyState> states,
                                            const MarkSizes& sizes, Double3 origin);

}  // namespace cairn::picture
