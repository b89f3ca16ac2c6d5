#pragma once
// The only interface between the engine's description of a scene and the reference.

#include "cairn/scene.h"
#include "tests/reference/simulate.h"

namespace cairn::reference {

/// A scene for the reference, body by body in the same order. Masses and inertias are computed separately, as full
/// tensors. Throws cairn::InvalidArgument for features that the reference lacks: rolling friction.
Simulation from_scene(const cairn::Scene& scene);

/// One body; the centre of mass becomes its origin.
RigidBody from_body(const cairn::Body& body, const std::vector<cairn::Material>& materials);

/// Mass, centre of mass (body's frame) and inertia about it (body axes) of a dynamic body. A mass of the whole body
/// scales the masses by density; if a shape's material has no density, the shapes count by volume.
struct BodyInertia {
  Inertia inertia;
  Vec3 centre;  ///< [m]
};
BodyInertia body_inertia(const cairn::Body& body, const std::vector<cairn::Material>& materials);

/// Single shapes and poses, for measurements on an engine's state.
Geometry from_geometry(const cairn::Geometry& geometry);
Pose from_pose(cairn::Vec3d position, cairn::Quat orientation);

/// The engine's position of the body's own origin.
Vec3 body_origin(const RigidBody& body, Vec3 centre);

}  // namespace cairn::reference
