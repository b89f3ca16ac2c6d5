#pragma once
// Everything that a pixel needs to know, arranged on the host in double precision.

#include <array>
#include <optional>
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

/// Throws InvalidArgument, by name.
void refuse_faults(const PictureOptions& options);

/// Places the shapes about an origin among the dynamic bodies, frames them but for strays (or takes the camera that is
/// given), and builds the tree. Static bodies that stand between the camera and the dynamic ones become glass, and
/// planes that the camera is behind of are left out.
View make_view(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up, double aspect,
               std::span<const Joint> joints = {}, const std::optional<PictureCamera>& given = {});

/// [m] How wide the shapes of bodies but for planes lie across `up`, at most.
double width_of(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up);
/// Two directions across `up`: the world's x and y where that is z.
std::array<Vec3d, 2> level_axes(Vec3 up);

}  // namespace cairn::picture
