#pragma once
// Shapes in the device's form: most are one device shape, a tube is a ring of hulls.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"

namespace cairn::shape {

/// A shape of the device.
struct Part {
  std::uint32_t of;  ///< [1] index of the body's shape
  Shape shape;       ///< anything but a tube
};

/// In the order of the body's shapes.
std::vector<Part> parts_of(const Body& body);
/// Number of these parts.
std::size_t part_count(const Body& body);

/// [1] Hulls of a tube.
inline constexpr std::uint32_t kTubeParts = 16;
/// [m] Radius of the smallest ball that touches the smallest of a shape's faces: half of its thinnest extent. Infinity
/// for surfaces and planes, which have no other side.
double min_extent(const Geometry& geometry);

}  // namespace cairn::shape
