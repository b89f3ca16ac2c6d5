#pragma once
// The camera of a picture: its subjects, its direction and its distance. In double precision.

#include <vector>

#include "src/quality/penetration.h"

namespace cairn::picture {

using Double3 = reference::Vec3;
using quality::wide;

constexpr double kTangent = 0.2;  // of half the vertical angle of view, 22.6 degrees in all

struct Item {
  quality::PlacedShape shape;
  double radius{0};     ///< [m] of the bounding sphere
  std::size_t body{0};  ///< [1]
  bool dynamic{false}, sensor{false};
};

struct Frame {
  Double3 up, side, front;  ///< [1] unit; `front` is level and points from the bodies to the camera
  Double3 x, y;             ///< [1] unit, level, along the world's axes: lines on the ground
};

struct Camera {
  Double3 eye;                    ///< [m]
  Double3 forward, right, above;  ///< [1] unit
  Double3 front;                  ///< [1] unit, level, from the subjects to the eye; seen from above, down the picture
  double tangent{kTangent};       ///< [1] of half the vertical angle of view
  double distance{0};             ///< [m] of the farthest subject
};

/// Leaves out bodies so far from the others that a picture of all would show none; `size` [m] is that of a typical
/// body.
std::vector<Item> without_strays(const std::vector<Item>& all, double size);

/// A three-quarter view from the front: the side with the widest extent of the bodies lies across the picture.
Frame choose_frame(const std::vector<Item>& subjects, Double3 up);

/// The nearest place, on a line of sight of fixed direction, from which the bounding spheres of all subjects are inside
/// the picture.
Camera frame_subjects(const std::vector<Item>& subjects, const Frame& frame, double aspect);

/// A camera at `eye` that looks at `target` [m], which differ. Straight up or down, the frame's x lies across.
Camera look_at(Double3 eye, Double3 target, double tangent, const std::vector<Item>& subjects, const Frame& frame);

}  // namespace cairn::picture
