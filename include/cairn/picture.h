#pragma once
// A picture of a world, by a small ray caster of our own. The same states give the same pixels on every machine.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/scene.h"
#include "cairn/types.h"

namespace cairn {

class World;

struct PictureOptions {
  int width{1280};
  int height{720};
  int samples{4};
  int threads{0};
};

template <>
struct Attributes<PictureOptions> {
  template <class S = PictureOptions>
  static constexpr std::tuple all{
      attribute<&S::width>({.meaning = "pixels, 1..16384"}), attribute<&S::height>({.meaning = "pixels, 1..16384"}),
      attribute<&S::samples>({.meaning = "rays along each side of a pixel, 1..16"}),
      attribute<&S::threads>({.meaning = "0 takes the hardware's count; changes no pixel"})};
};

/// Rows from the top, pixels from the left, each red, green, blue.
struct Image {
  int width{0};
  int height{0};
  std::vector<std::uint8_t> rgb;  ///< (3 width height)
};

/// Renders bodies at the given states, seen in a three-quarter view that frames the dynamic ones. `up` may have any
/// length but zero. Static bodies that would hide them are shown as glass, bodies that are not finite not at all.
/// Joints, whose bodies are indices of `bodies`, are drawn over them: anchors, axes, and lines to the bodies; gears are
/// not. Throws InvalidArgument for bad options, unequal sizes or a joint of a body that isn't there.
Image render(std::span<const Body> bodies, std::span<const BodyState> states, Vec3 up,
             const PictureOptions& options = {}, std::span<const Joint> joints = {});

/// The same of a world as it is now, without joints that are broken; particles of fluids as spheres of half their
/// spacing.
Image render(const World& world, const PictureOptions& options = {});

/// The image as the bytes of a PNG file.
std::string png(const Image& image);

/// Renders the world into a PNG file, which is written whole or not at all.
void write_picture(const World& world, const std::filesystem::path& file, const PictureOptions& options = {});

}  // namespace cairn
