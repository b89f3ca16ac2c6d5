#pragma once
// Everything that a pixel needs to know, arranged on the host in double precision.

#include <vector>

#include "cairn/picture.h"
#include "kernels/picture/picture.h"

namespace cairn::picture {

struct View {
  std::vector<kernels::PictureShape> shapes;
  std::vector<kernels::PictureShape> glass;
  std::vector<kernels::PictureNode> nodes;
  std::vector<kernels::PictureShape> marks;  ///< of joints
  std::vector<kernels::PictureNode> mark_nodes;
  std::vector<kernels::PicturePlane> planes;
  std::vector<kernels::PicturePlane> faces;  ///< of hulls
  kernels::PictureCamera camera;
  kernels::PictureLight light;
};

/// Places the shapes about an origin among the dynamic bodies, frames them but for strays, and builds the tree. Static
/// bodies that stand between the camera and the dynamic ones become glass, and planes that the camera is behind of are
/// left out.
View make_view(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up, double aspect,
               std::span<const Joint> joints = {});

}  // namespace cairn::picture
