#pragma once
// Mass properties of shapes, and of things that aren't shapes: hollow balls, meshes, point masses, assemblies. A body
// whose shapes have densities needs none of this.

#include <span>
#include <string>
#include <vector>

#include "cairn/scene.h"

namespace cairn {

/// Of a solid shape in its own frame; `density` in kg/m^3. Throws InvalidArgument for planes and height fields, which
/// enclose no volume, and for a mesh that is open (naming the edge where it leaks), inside out, or without volume.
MassProperties mass_properties(const Geometry& geometry, double density);

/// Of a ball with a concentric hollow of `inner_radius`; lengths in m. With 0 the ball is solid, with `outer_radius` a
/// shell without thickness.
MassProperties mass_properties_of_hollow_ball(double outer_radius, double inner_radius, double mass);

/// Of a mass at a point.
MassProperties mass_properties(const PointMass& point);

/// The same in another frame: turned by `orientation`, then moved by `position` [m].
MassProperties moved(const MassProperties& properties, Vec3d position, QuatT<double> orientation);

/// Of several things in one frame as one rigid body, by the parallel-axis theorem. Throws InvalidArgument if they have
/// no mass.
MassProperties together(std::span<const MassProperties> things);

/// Gives a body its own mass, centre of mass and inertia, in place of those of its shapes.
void give_mass(Body& body, const MassProperties& properties);

/// The tensor about the centre of mass along the frame's axes, rounded to float.
Inertia inertia_of(const MassProperties& properties);

/// The nearest inertia that a rigid body can have: no negative principal moment, none above the sum of the other two
/// (nearest by the sum of the squares of all nine entries' differences), and none under 1e-6 of the largest. A valid
/// inertia is returned unchanged. Throws InvalidArgument where an entry isn't finite or no moment is over 0.
Inertia repaired(const Inertia& inertia);

/// The rule of rigid bodies that an inertia breaks, with its numbers; empty if it breaks none.
std::string fault_of(const Inertia& inertia);

}  // namespace cairn
