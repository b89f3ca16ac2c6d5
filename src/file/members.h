#pragma once
// The members of the public types, for files. A member that is added to one of them doesn't compile here until it is
// listed.

#include <concepts>
#include <tuple>
#include <type_traits>

#include "cairn/params.h"
#include "cairn/quality.h"
#include "cairn/random.h"
#include "cairn/report.h"
#include "cairn/scene.h"
#include "cairn/types.h"
#include "src/describe/attributes.h"

namespace cairn {

/// T or const T.
template <class T, class As>
concept Is = std::same_as<std::remove_const_t<T>, As>;

auto members(Is<Vec3> auto& v) { return std::tie(v.x, v.y, v.z); }
auto members(Is<Vec3d> auto& v) { return std::tie(v.x, v.y, v.z); }
auto members(Is<Quat> auto& q) { return std::tie(q.x, q.y, q.z, q.w); }
auto members(Is<QuatT<double>> auto& q) { return std::tie(q.x, q.y, q.z, q.w); }

auto members(Is<BodyHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<BodyState> auto& s) {
  auto& [position, orientation, linear_velocity, angular_velocity] = s;
  return std::tie(position, orientation, linear_velocity, angular_velocity);
}

auto members(Is<HighWater> auto& h) {
  auto& [bodies, shapes, pairs, rows] = h;
  return std::tie(bodies, shapes, pairs, rows);
}
auto members(Is<Range> auto& r) {
  auto& [low, high] = r;
  return std::tie(low, high);
}
auto members(Is<Sphere> auto& s) { return std::tie(s.radius); }
auto members(Is<Box> auto& b) { return std::tie(b.half_extents); }
auto members(Is<Capsule> auto& c) { return std::tie(c.radius, c.half_height); }
auto members(Is<Plane> auto& p) { return std::tie(p.normal, p.offset); }
auto members(Is<Cylinder> auto& c) { return std::tie(c.radius, c.half_height); }
auto members(Is<Cone> auto& c) { return std::tie(c.radius, c.half_height); }
auto members(Is<TaperedCylinder> auto& c) { return std::tie(c.bottom_radius, c.top_radius, c.half_height); }
auto members(Is<Tube> auto& t) { return std::tie(t.outer_radius, t.inner_radius, t.half_height); }
auto members(Is<Ellipsoid> auto& e) { return std::tie(e.radii); }
auto members(Is<RoundedBox> auto& b) { return std::tie(b.half_extents, b.radius); }
auto members(Is<Shape> auto& s) {
  auto& [geometry, position, orientation, material, filter, sensor] = s;
  return std::tie(geometry, position, orientation, material, filter, sensor);
}
auto members(Is<Inertia> auto& i) {
  auto& [moments, products] = i;
  return std::tie(moments, products);
}
auto members(Is<PointMass> auto& p) {
  auto& [mass, position] = p;
  return std::tie(mass, position);
}
auto members(Is<MassProperties> auto& m) {
  auto& [mass, centre_of_mass, moments, axes] = m;
  return std::tie(mass, centre_of_mass, moments, axes);
}
auto members(Is<JointFrame> auto& f) {
  auto& [position, orientation] = f;
  return std::tie(position, orientation);
}
auto members(Is<ArticulationHandle> auto& h) { return std::tie(h.index); }
auto members(Is<ArticulationJoint> auto& j) {
  auto& [kind, armature, damping, friction, lower, upper, drive_stiffness, drive_damping, drive_most_force] = j;
  return std::tie(kind, armature, damping, friction, lower, upper, drive_stiffness, drive_damping, drive_most_force);
}
auto members(Is<ArticulationLink> auto& l) {
  auto& [name, parent, frame_in_parent, frame_in_link, joint, mass, centre_of_mass, inertia, shapes] = l;
  return std::tie(name, parent, frame_in_parent, frame_in_link, joint, mass, centre_of_mass, inertia, shapes);
}
auto members(Is<Articulation> auto& a) {
  auto& [name, links, gravity] = a;
  return std::tie(name, links, gravity);
}
auto members(Is<ArticulationState> auto& s) {
  auto& [q, v] = s;
  return std::tie(q, v);
}
auto members(Is<SceneArticulation> auto& a) {
  auto& [description, start, bodies] = a;
  return std::tie(description, start, bodies);
}
auto members(Is<ConstraintLaw> auto& l) {
  auto& [compliance, damping, stiffness, breaking_force] = l;
  return std::tie(compliance, damping, stiffness, breaking_force);
}
auto members(Is<ConstraintGroup> auto& g) {
  auto& [kind, law, particles, rest, unilateral, cluster, young_modulus, poisson_ratio] = g;
  return std::tie(kind, law, particles, rest, unilateral, cluster, young_modulus, poisson_ratio);
}
auto members(Is<Attachment> auto& a) {
  auto& [particle, body, law] = a;
  return std::tie(particle, body, law);
}
auto members(Is<Fluid> auto& f) {
  auto& [density, spacing, viscosity, surface_tension] = f;
  return std::tie(density, spacing, viscosity, surface_tension);
}
auto members(Is<ParticleSet> auto& s) {
  auto& [name, positions, velocities, masses, mass, radius, fixed, material, filter, linear_damping, constraints,
         attachments, fluid] = s;
  return std::tie(name, positions, velocities, masses, mass, radius, fixed, material, filter, linear_damping,
                  constraints, attachments, fluid);
}
auto members(Is<fields::Gravity> auto& f) { return std::tie(f.acceleration); }
auto members(Is<fields::LinearDrag> auto& f) { return std::tie(f.coefficient); }
auto members(Is<fields::QuadraticDrag> auto& f) { return std::tie(f.coefficient); }
auto members(Is<fields::Wind> auto& f) {
  auto& [velocity, linear, quadratic, gust, gust_rate] = f;
  return std::tie(velocity, linear, quadratic, gust, gust_rate);
}
auto members(Is<fields::Spring> auto& s) {
  auto& [a, b, stiffness, damping, rest_length] = s;
  return std::tie(a, b, stiffness, damping, rest_length);
}
auto members(Is<fields::Springs> auto& f) { return std::tie(f.springs); }
auto members(Is<fields::LennardJones> auto& f) {
  auto& [epsilon, sigma, cut_off] = f;
  return std::tie(epsilon, sigma, cut_off);
}
auto members(Is<fields::PairGravity> auto& f) {
  auto& [constant, softening, tree_above, opening_angle] = f;
  return std::tie(constant, softening, tree_above, opening_angle);
}
auto members(Is<fields::Boids> auto& f) {
  auto& [radius, separation_radius, separation, alignment, cohesion, cruise_speed, cruise] = f;
  return std::tie(radius, separation_radius, separation, alignment, cohesion, cruise_speed, cruise);
}
auto members(Is<fields::CurlNoise> auto& f) {
  auto& [rate, speed, scale, octaves, seed, drift] = f;
  return std::tie(rate, speed, scale, octaves, seed, drift);
}
auto members(Is<SceneField> auto& f) {
  auto& [law, bodies] = f;
  return std::tie(law, bodies);
}
auto members(Is<JointDrive> auto& d) {
  auto& [stiffness, damping, target, rate, force, most_force] = d;
  return std::tie(stiffness, damping, target, rate, force, most_force);
}
auto members(Is<JointAxis> auto& a) {
  auto& [mode, lower, upper, compliance, damping, friction, drive] = a;
  return std::tie(mode, lower, upper, compliance, damping, friction, drive);
}
auto members(Is<FixedJoint> auto&) { return std::tuple<>(); }
auto members(Is<BallJoint> auto& j) {
  auto& [cone, twist] = j;
  return std::tie(cone, twist);
}
auto members(Is<HingeJoint> auto& j) { return std::tie(j.turn); }
auto members(Is<SliderJoint> auto& j) { return std::tie(j.shift); }
auto members(Is<ScrewJoint> auto& j) {
  auto& [pitch, turn] = j;
  return std::tie(pitch, turn);
}
auto members(Is<CylindricalJoint> auto& j) {
  auto& [shift, turn] = j;
  return std::tie(shift, turn);
}
auto members(Is<PlanarJoint> auto& j) {
  auto& [shift_y, shift_z, turn] = j;
  return std::tie(shift_y, shift_z, turn);
}
auto members(Is<UniversalJoint> auto& j) {
  auto& [turn_a, turn_b] = j;
  return std::tie(turn_a, turn_b);
}
auto members(Is<WheelJoint> auto& j) {
  auto& [suspension, steering, axle] = j;
  return std::tie(suspension, steering, axle);
}
auto members(Is<GeneralJoint> auto& j) { return std::tie(j.axes); }
auto members(Is<DistanceJoint> auto& j) {
  auto& [shortest, longest, compliance, damping] = j;
  return std::tie(shortest, longest, compliance, damping);
}
auto members(Is<PulleyJoint> auto& j) {
  auto& [ground_a, ground_b, ratio, shortest, longest] = j;
  return std::tie(ground_a, ground_b, ratio, shortest, longest);
}
auto members(Is<GearJoint> auto& j) {
  auto& [joint_a, joint_b, ratio_a, ratio_b, offset] = j;
  return std::tie(joint_a, joint_b, ratio_a, ratio_b, offset);
}
auto members(Is<Joint> auto& j) {
  auto& [name, body_a, body_b, frame_a, frame_b, kind, collide, breaking_force, breaking_torque] = j;
  return std::tie(name, body_a, body_b, frame_a, frame_b, kind, collide, breaking_force, breaking_torque);
}
auto members(Is<JointHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<QualityRules> auto& r) {
  auto& [fallen, layer_height, bin_min, bin_max, nominal_height] = r;
  return std::tie(fallen, layer_height, bin_min, bin_max, nominal_height);
}

}  // namespace cairn
