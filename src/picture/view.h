#pragma once
// All inputs of the pixels, arranged on the host in double precision.

#include <array>
#include <optional>
#include <vector>

#include "cairn/picture.h"
#include "kernels/picture/picture.h"
#include "src/picture/skins.h"

namespace cairn::picture {

/// Subject of a picture.
struct Subject {
  std::span<const Body> bodies;
  std::span<const BodyState> states;        ///< (bodies)
  Vec3 up;                                  ///< [1] of any length but zero
  std::span<const Joint> joints{};          ///< their bodies are indices of `bodies`
  std::span<const Skin> skins{};            ///< their covered particles are indices of `bodies`
  std::span<const std::uint32_t> family{};  ///< (bodies) bodies of one family have shades of one colour; empty: each
                                            ///< its own
  std::span<const std::uint32_t> world{};   ///< (bodies) ascending; empty: all are in one world
};

struct View {
  std::vector<kernels::PictureShape> shapes;
  std::vector<kernels::PictureNode> nodes;
  std::vector<kernels::PictureShape> glass;
  std::vector<kernels::PictureNode> glass_nodes;
  std::vector<kernels::PictureShape> marks;  ///< of joints
  std::vector<kernels::PictureNode> mark_nodes;
  std::vector<kernels::PicturePlane> planes;
  std::vector<kernels::PicturePlane> faces;  ///< of hulls
  kernels::PictureCamera camera;
  kernels::PictureLight light;
  PictureCamera seen_from;  ///< options that give the same camera
};

/// Throws InvalidArgument, by name.
void refuse_faults(const PictureOptions& options);

/// Places the shapes about an origin among the dynamic bodies, frames them without strays (or uses the options'
/// camera), and builds the trees. Static bodies that hide dynamic ones of their world become glass; planes are left out
/// if the camera is behind them.
View make_view(const Subject& of, const PictureOptions& options);

/// Whether a shape, except triangles, is so thin that rays through pixel centres may miss it.
bool has_less_than_pixels(const View& view, const PictureOptions& options);

/// [1] Red, green and blue of a body: a colour for each family, and a shade of it for each body.
Vec3 body_color(std::size_t family, std::size_t body);
/// [1] Of all bodies that aren't dynamic.
Vec3 static_color();
/// [1] Its own colour, or else one of the above.
Vec3 color_of_body(const Body& body, std::size_t family, std::size_t index);

/// [m] Max width of the bodies' shapes, except planes, across `up`.
double width_of(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up);
/// Two directions perpendicular to `up`: the world's x and y if `up` is z.
std::array<Vec3d, 2> level_axes(Vec3 up);

}  // namespace cairn::picture
