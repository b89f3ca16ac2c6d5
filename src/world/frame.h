#pragma once
// A body as the user describes it, and in the device's form: in the principal frame of its centre of mass, in float.

#include <cstdint>
#include <vector>

#include "cairn/scene.h"
#include "kernels/common/frame.h"
#include "kernels/common/shapes.h"

namespace cairn {

/// The host's view of a body slot.
struct BodySlot {
  std::uint32_t world{0};
  std::uint32_t id{0};  ///< [1] its slot in its world alone
  std::uint32_t generation{0};
  bool alive{false};
  std::uint32_t ignores{0};           ///< [1] number of bodies that it ignores
  std::vector<std::uint32_t> joints;  ///< [1] joint slots that act on it, ascending
  bool link{false};                   ///< an articulation moves it
  Body body;                          ///< as added, with later changes
  std::vector<std::uint32_t> shapes;  ///< [1] shape slots
  MassProperties mass;

  /// Mass properties of the present description.
  void compute_mass(const std::vector<Material>& materials);
  /// The described state.
  BodyState start() const { return {body.position, body.orientation, body.linear_velocity, body.angular_velocity}; }
  /// For a body scaled by `size`.
  kernels::BodyFrame frame(float size) const;
  /// [m] Centre of mass less the body's origin, in world axes, for a body scaled by `size`.
  Vec3d centre_offset(Quat orientation, float size) const;
  /// [m/s] Velocity of the present centre of mass, from `now` at the centre of `before`; for a body scaled by `size`.
  Vec3 velocity_at_centre(const MassProperties& before, const BodyState& now, float size) const;
};

/// The device's data of a body when it is added.
struct BodyRecord {
  std::uint32_t flags;  ///< kernels::BodyFlag
  std::uint32_t world;
  std::uint32_t id;  ///< [1] its slot in its world alone
  Vec3 x, x_low;     ///< [m]      centre of mass as a float pair
  Quat q;            ///< [1]      principal frame to world
  Vec3 v, w;         ///< [m/s], [rad/s]
  float inv_mass;    ///< [1/kg]
  Vec3 inertia;      ///< [kg m^2] principal
  float radius;      ///< [m]      of the bounding sphere about the centre of mass
  float min_extent;  ///< [m]      smallest half extent of its shapes
  Vec3d centre;      ///< [m]      of mass, in the body's own frame
};

/// Shapes and masses are as described; `size` decides the place of the centre of mass.
BodyRecord record_of(const BodySlot& slot, const BodyState& at, float size);

/// The inverse.
BodyState state_of(const BodySlot& slot, Vec3 x, Vec3 x_low, Quat q, Vec3 v, Vec3 w, float size);

/// A shape's filter in the device's form; `index` is its own in its body.
kernels::ShapeFilter filter_of(const Shape& shape, std::size_t index);

kernels::ShapeKind kind_of(const Geometry& geometry);
/// A shape, except a tube, about its own origin. Hulls and surfaces lack data that the World gives.
kernels::ShapeGeometry geometry_of(const Geometry& geometry);
/// The same in the principal frame of its body.
kernels::ShapeGeometry geometry_of(const Shape& shape, const BodySlot& slot);

}  // namespace cairn
