#pragma once
// Joints as they are drawn, over the bodies: a ball at the anchor, a bar along each axis, and thin lines from there to
// the bodies; along a rod, a rope or a pulley's rope a line.

#include <span>
#include <vector>

#include "cairn/scene.h"
#include "kernels/picture/trace_shape.h"
#include "src/picture/camera.h"

namespace cairn::picture {

/// Balls and capsules about the origin of a picture in which a usual body has the bounding radius `size` [m]. Of gears,
/// and of joints with a body that isn't finite, there are none. The joints' bodies are indices of `states`.
std::vector<kernels::PictureShape> marks_of(std::span<const Joint> joints, std::span<const BodyState> states,
                                            double size, Double3 origin);

}  // namespace cairn::picture
