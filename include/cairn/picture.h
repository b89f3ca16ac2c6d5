#pragma once
// Pictures of a world, by a small built-in ray caster. The same states give the same pixels on every machine.

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

/// The first columns times rows worlds side by side, wherever their origins are.
struct PictureGrid {
  std::uint32_t columns{1};
  std::uint32_t rows{1};
  double spacing{0};
  friend bool operator==(const PictureGrid&, const PictureGrid&) = default;
};
template <Same<PictureGrid> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::columns>({.range = between(1, 65535), .meaning = "along x; world 0 is at the back on the left"}),
    attribute<&S::rows>({.range = between(1, 65535)}),
    attribute<&S::spacing>(
        {.unit = "m", .range = between(0, 1e6), .meaning = "0: as far as no world reaches into another"})};

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

template <Same<PictureOptions> S>
inline constexpr TypedList kAttributes<S>{
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

/// Rows from the top, pixels from the left, each red, green, blue.
struct Image {
  int width{0};
  int height{0};
  std::vector<std::uint8_t> rgb;  ///< (3 width height)
};

/// Renders bodies at the given states, from the camera, or in a three-quarter view that frames the dynamic ones. `up`
/// may have any length but zero. Sensors, and static boxes that would hide the dynamic bodies, are drawn as glass;
/// bodies that aren't finite are left out. Joints are drawn over the bodies, whose indices in `bodies` they name:
/// anchors, axes, and lines to the bodies; gears are not. Throws InvalidArgument for bad options, `world` and `grid`
/// among them, for unequal sizes, and for a joint of a body that isn't there.
Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up,
             const PictureOptions& options = {}, std::span<const Joint> joints = {});

/// The same for a World as it is now: all its worlds or those of the options, without broken joints. Of particles, the
/// triangles of bends are drawn as a cloth of its thickness, tetrahedra as a solid, other stretches as tubes, and a
/// fluid as its surface with drops of its spacing. Broken constraints are left out.
Image render(const World& world, const PictureOptions& options = {});

/// The options with the camera and the sun that such a picture would choose for the bodies as they are now. For
/// sequences of pictures, each of which would otherwise choose its own.
PictureOptions framing(const World& world, const PictureOptions& options = {});

/// View of world `in` by a camera of the scene, now. The World must be of that scene. Against the scene's view it is
/// moved by the displacement of the followed body since the scene, and by the world's origin. A body that was removed
/// moves it no more. Throws InvalidArgument if there is no such world, or if the scene has no such body.
PictureCamera camera_now(const SceneCamera& camera, const Scene& scene, const World& world, std::uint32_t in = 0);

/// [1] Share of red, green and blue light that a body reflects in a picture, by its place among the bodies; all bodies
/// that aren't dynamic look alike. For other programs that draw a World.
Vec3 picture_color(std::uint32_t body, bool dynamic = true);

/// The same for a body that may have its own colour, the one at place `index`.
Vec3 picture_color(const Body& body, std::uint32_t index);

/// The image as the bytes of a PNG file.
std::string png(const Image& image);

/// Renders the world into a PNG file, which is written completely or not at all.
void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options = {});

}  // namespace cairn
