#pragma once
// Shapes as the device has them: most are one of its shapes, a tube is a ring of hulls.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"

namespace cairn::shape {

/// A shape of the device.
struct Part {
  std::uint32_t of;  ///< [1] which of the body's shapes
  Shape shape;       ///< anything but a tube
};

/// In the order of the body's shapes.
std::vector<Part> parts_of(const Body& body);
/// How many there are.
std::size_t part_count(const Body& body);

/// [1] Hulls of a tube.
inline constexpr std::uint32_t kTubeParts = 16;
/// [m] Radius of the least ball that touches the smallest of a shape's faces: half of what is thin about it. Of
/// surfaces and planes, which have no other side, infinity.
double min_extent(const Geometry& geometry);

}  // namespace cairn::shape
