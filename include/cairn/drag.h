#pragma once
// Dragging: a body is picked at a point, and springs and dampers along the world's axes pull that point to a target.
// They are scaled by the body's mass, so that all bodies follow alike.

#include <optional>

#include "cairn/attributes.h"
#include "cairn/queries.h"
#include "cairn/world.h"

namespace cairn {

struct DragParams {
  float frequency{5};
  float damping_ratio{1};
  float max_acceleration{std::numeric_limits<float>::infinity()};
};

template <Same<DragParams> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::frequency>({.unit = "Hz", .meaning = "over 0: natural frequency of the body on its spring"}),
    attribute<&S::damping_ratio>({.meaning = "at least 0"}),
    attribute<&S::max_acceleration>(
        {.unit = "m/s^2", .meaning = "over 0: max force along each axis of the world, over the body's mass"})};

/// A joint of a World. It lasts as long as this object, which must not outlive the World, and ends with its body, too.
class Drag {
 public:
  /// Picks a dynamic body at a point of the world. Throws InvalidArgument for another type of body, a disabled one, a
  /// stale handle or bad numbers.
  Drag(World& world, BodyHandle body, Vec3d point, const DragParams& params = {});
  /// Picks the first body that a ray hits, at the hit point. Empty if the ray hits nothing, or if the first hit isn't a
  /// dynamic body.
  static std::optional<Drag> pick(World& world, const RayQuery& ray, const DragParams& params = {});
  Drag(Drag&& other) noexcept;
  Drag& operator=(Drag&& other) noexcept;
  ~Drag();

  /// [m] The target of the picked point; at first the point where it was picked. The body wakes.
  void move(Vec3d target);
  bool over() const;
  JointHandle joint() const { return joint_; }

 private:
  void release() noexcept;

  World* world_;
  JointHandle joint_;
  Vec3d picked_;  ///< [m]
};

}  // namespace cairn
