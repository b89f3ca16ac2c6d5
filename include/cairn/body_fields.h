#pragma once
// Force fields on the bodies of a World.
//
// A field is a functor as for a ParticleSystem (cairn/field.h, cairn/fields.h): a ready-made one, or the user's own,
// compiled with the user's program. It sees a body as a particle at its centre of mass. BodyFields gathers the bodies'
// positions, velocities and masses on the World's device, runs the fields there with the code of ParticleSystem, and
// adds their forces to the forces of the next step, in the order of the World's stream. So fields that look at
// neighbours or at all bodies work like fields that look at one body. Each world of a batch is a system of its own.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/field.h"
#include "cairn/fields.h"
#include "cairn/particle_system.h"
#include "cairn/world.h"

namespace cairn {

/// Fields on bodies of a World. The World must outlive it and must not be moved meanwhile. A field sees each body as
/// the particle of the body's number in its world: the order of World::bodies(world), or of the list. Not safe for
/// several threads at a time.
///
/// Forces are computed at the start of a step and hold through it, at the centre of mass, without torque. So a drag c
/// on a mass m needs c dt < m, or it reverses the motion that it should damp. Static and kinematic bodies are seen but
/// take no force; they count with the mass of a dynamic body. Disabled bodies (World::set_enabled) take no force but
/// are still seen: the list of bodies is fixed.
class BodyFields {
 public:
  /// On all bodies that are dynamic now, of all worlds, or on these. Numbers are double or float as `precision` says; a
  /// user's field must support them. Throws InvalidArgument, naming the body, for a handle that is stale or given twice
  /// and for a body without mass, such as a plane; CapacityError if memory runs out.
  explicit BodyFields(World& world, Precision precision = Precision::kDouble);
  BodyFields(World& world, std::span<const BodyHandle> bodies, Precision precision = Precision::kDouble);
  ~BodyFields();
  BodyFields(BodyFields&&) noexcept;
  BodyFields& operator=(BodyFields&&) noexcept;

  /// As ParticleSystem::add, for each world separately. Forces add up in the order of these calls. Throws
  /// InvalidArgument for a spring whose bodies a world lacks. The time of a field is that of its world (WorldReport).
  void add(const Field& field);
  void add(const fields::Any& field);
  void clear_fields();

  /// World by world.
  const std::vector<BodyHandle>& bodies() const;

  /// Adds the fields' forces, from the current states, to those of the next step: call it before each step. Bodies that
  /// it pushes wake with their islands, and don't fall asleep. A force that isn't finite freezes its world in the next
  /// step. Waits for earlier steps. Throws InvalidArgument once one of the bodies was removed, and while a graph is
  /// captured.
  void apply();
  /// [N] (bodies) The forces that `apply` would add, including those on bodies that aren't dynamic. Nothing is pushed.
  std::vector<Vec3d> forces();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
