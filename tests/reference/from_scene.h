#pragma once
// The engine's descriptions as the reference's.

#include "cairn/scene.h"
#include "tests/reference/distance.h"
#include "tests/reference/integrate.h"

namespace cairn::reference {

/// Throws cairn::InvalidArgument for a shape that the reference lacks.
Geometry from_geometry(const cairn::Geometry& geometry);
Pose from_pose(cairn::Vec3d position, cairn::Quat orientation);

/// [m^3] Of a bounded shape.
double volume(const Geometry& geometry);
/// [kg m^2] Moments of a uniform solid about its centre, shape axes.
Mat3 solid_inertia(const Geometry& geometry, double mass);

/// Mass, centre of mass (body's frame) and inertia about it (body axes) of a dynamic body. A mass of the whole body
/// scales the masses by density; if a shape's material has no density, the shapes count by volume.
struct BodyInertia {
  Inertia inertia;
  Vec3 centre;  ///< [m]
};
BodyInertia body_inertia(const cairn::Body& body, const std::vector<cairn::Material>& materials);

}  // namespace cairn::reference
