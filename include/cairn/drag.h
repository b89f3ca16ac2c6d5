#pragma once
// Dragging: a body is picked at a point and pulled to where the user wants it, by springs and dampers from that point
// to the target along the axes of the world. They are scaled by the body's mass, so that all bodies follow alike.

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

template <>
struct Attributes<DragParams> {
  template <class S = DragParams>
  static constexpr TypedList all{
      attribute<&S::frequency>({.unit = "Hz", .meaning = "over 0: natural frequency of the body on its spring"}),
      attribute<&S::damping_ratio>({.meaning = "at least 0"}),
      attribute<&S::max_acceleration>(
          {.unit = "m/s^2", .meaning = "over 0: max force along each axis of the world, over the body's mass"})};
};

/// A joint of a World for as long as this lives, which must not be longer than the World. It ends with its body, too.
class Drag {
 public:
  /// Picks a dynamic body at a point of the world. Throws InvalidArgument for another body, one that is switched off, a
  /// stale handle or bad numbers.
  Drag(World& world, BodyHandle body, Vec3d point, const DragParams& params = {});
  /// Picks the first dynamic body that a ray meets, where it meets it; none where it meets nothing or something else
  /// first.
  static std::optional<Drag> pick(World& world, const RayQuery& ray, const DragParams& params = {});
  Drag(Drag&& other) noexcept;
  Drag& operator=(Drag&& other) noexcept;
  ~Drag();

  /// [m] Where the picked point shall go; to begin with it stays where it was picked. The body wakes.
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
