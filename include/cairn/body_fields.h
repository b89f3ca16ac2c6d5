#pragma once
// Force fields on the bodies of a World.
//
// A field is the functor that a ParticleSystem takes (cairn/field.h, cairn/fields.h): what is ready-made, and a user's
// own, compiled where the user is. It sees a body as the particle in its centre of mass. BodyFields gathers the bodies'
// positions, velocities and masses on the World's device, runs the fields there by the code that a ParticleSystem runs
// them by, and adds what they give to the forces that hold for the next step, in the order of the World's stream. So
// fields that look at neighbours or at all bodies work as those that look at one, and each world of a batch is a system
// of its own.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cairn/field.h"
#include "cairn/fields.h"
#include "cairn/particle_system.h"
#include "cairn/world.h"

namespace cairn {

/// Fields on bodies of a World, in whose place and life it must stay. A body is a field's particle by its number in its
/// world: in the order of World::bodies(world), or of the list. Not for several threads at a time.
///
/// Forces are those at the start of a step and hold through it, at the centre of mass: no torque. So a drag c on a mass
/// m needs c dt < m, or it turns what it should stop. What isn't dynamic is seen and takes no force; it has the mass
/// that it would have as a dynamic body. What is switched off (World::set_enabled) takes no force, but the others still
/// see it: the list of bodies is fixed.
class BodyFields {
 public:
  /// On all bodies that are dynamic now, of all worlds, or on these. Numbers are double or float as `precision` says;
  /// a field of one's own must be for them. Throws InvalidArgument, naming the body, for one that is stale, there twice
  /// or has no mass, as planes; CapacityError where memory runs out.
  explicit BodyFields(World& world, Precision precision = Precision::kDouble);
  BodyFields(World& world, std::span<const BodyHandle> bodies, Precision precision = Precision::kDouble);
  ~BodyFields();
  BodyFields(BodyFields&&) noexcept;
  BodyFields& operator=(BodyFields&&) noexcept;

  /// As ParticleSystem::add, in each world by itself: forces add up in the order of these calls, and a spring that a
  /// world has no bodies for throws InvalidArgument. A time that a field depends on is that of its world (WorldReport).
  void add(const Field& field);
  void add(const fields::Any& field);
  void clear_fields();

  /// World by world.
  const std::vector<BodyHandle>& bodies() const;

  /// Adds the fields' forces, at the states as they are, to those for the next step: call it before each. Bodies that
  /// it pushes wake with their island, and don't fall asleep. A force that isn't finite freezes its world in the next
  /// step. Waits for the steps before it. Throws InvalidArgument once one of the bodies was removed, and while a graph
  /// is captured.
  void apply();
  /// [N] (bodies) What `apply` would add, of what isn't dynamic included; nothing is pushed.
  std::vector<Vec3d> forces();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
