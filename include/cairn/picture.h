#pragma once
// A picture of a world, by a small ray caster of our own. The same states give the same pixels on every machine.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/camera.h"
#include "cairn/scene.h"
#include "cairn/types.h"

namespace cairn {

class World;

/// The first columns times rows worlds beside each other, wherever their origins are.
struct PictureGrid {
  std::uint32_t columns{1};
  std::uint32_t rows{1};
  double spacing{0};
  friend bool operator==(const PictureGrid&, const PictureGrid&) = default;
};
template <>
struct Attributes<PictureGrid> {
  template <class S = PictureGrid>
  static constexpr TypedList all{
      attribute<&S::columns>({.range = between(1, 65535), .meaning = "along x; world 0 is at the back on the left"}),
      attribute<&S::rows>({.range = between(1, 65535)}),
      attribute<&S::spacing>(
          {.unit = "m", .range = between(0, 1e6), .meaning = "0: as far as no world reaches into another"})};
};

struct PictureOptions {
  int width{1280};
  int height{720};
  int samples{4};
  int threads{0};
  std::optional<PictureCamera> camera;
  std::optional<Vec3> sun;
  std::optional<std::uint32_t> world;
  std::optional<PictureGrid> grid;
  bool joints{true};
};

template <>
struct Attributes<PictureOptions> {
  template <class S = PictureOptions>
  static constexpr TypedList all{
      attribute<&S::width>({.range = between(1, 16384), .meaning = "pixels"}),
      attribute<&S::height>({.range = between(1, 16384), .meaning = "pixels"}),
      attribute<&S::samples>(
          {.range = between(1, 16),
           .meaning = "rays along each side of a pixel; one that looks like those beside it may have one alone"}),
      attribute<&S::threads>({.range = between(0, 256), .meaning = "0 takes the hardware's count; changes no pixel"}),
      attribute<&S::camera>({.meaning = "without it, a three-quarter view that frames the dynamic bodies"}),
      attribute<&S::sun>({.meaning = "the direction that light comes from, of any length but 0; without it from behind "
                                     "the camera's left shoulder"}),
      attribute<&S::world>({.meaning = "the only one that is drawn; not beside `grid`"}),
      attribute<&S::grid>({.meaning = "without it, worlds are at their origins"}),
      attribute<&S::joints>({.meaning = "marks of joints are drawn over the bodies"})};
};

/// Rows from the top, pixels from the left, each red, green, blue.
struct Image {
  int width{0};
  int height{0};
  std::vector<std::uint8_t> rgb;  ///< (3 width height)
};

/// Renders bodies at the given states, seen by the camera, or in a three-quarter view that frames the dynamic ones.
/// `up` may have any length but zero. Static boxes that would hide them and sensors are shown as glass, bodies that are
/// not finite not at all. Joints, whose bodies are indices of `bodies`, are drawn over them: anchors, axes, and lines
/// to the bodies; gears are not. Throws InvalidArgument for bad options, `world` and `grid` among them, unequal sizes
/// or a joint of a body that isn't there.
Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up,
             const PictureOptions& options = {}, std::span<const Joint> joints = {});

/// The same of a World as it is now, all its worlds or those of the options, without joints that are broken. Of
/// particles the triangles of their bends are drawn as a cloth of their thickness, tetrahedra as a solid, other
/// stretches as tubes, and a fluid as its surface with drops of its spacing; broken constraints are not.
Image render(const World& world, const PictureOptions& options = {});

/// The options with the camera and the sun that such a picture would choose for the bodies as they are now. For
/// pictures that follow each other, which would else each choose their own.
PictureOptions framing(const World& world, const PictureOptions& options = {});

/// Where a camera of a scene sees world `in` from, of a World of that scene, as it is now: by so much farther than the
/// scene has it as the body that it follows is from where the scene has that, and by the world's origin. A body that was
/// removed moves it no more. Throws InvalidArgument where there is no such world, or the scene has no such body.
PictureCamera camera_now(const SceneCamera& camera, const Scene& scene, const World& world, std::uint32_t in = 0);

/// [1] The share of red, green and blue light that a body throws back in a picture, by its place among the bodies; all
/// that aren't dynamic look alike. For what draws a World in another way.
Vec3 picture_color(std::uint32_t body, bool dynamic = true);

/// The same of a body that may have a colour of its own, the one at place `index`.
Vec3 picture_color(const Body& body, std::uint32_t index);

/// The image as the bytes of a PNG file.
std::string png(const Image& image);

/// Renders the world into a PNG file, which is written whole or not at all.
void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options = {});

}  // namespace cairn
