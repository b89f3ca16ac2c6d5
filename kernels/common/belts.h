#pragma once
// Surfaces that move along themselves, while their bodies don't: conveyor belts.

#include "kernels/common/state.h"

namespace cairn::kernels {

/// What surfaces do by their materials. Nothing in a World in which no material's surface moves.
struct Belts {
  const ContactMaterial* materials{nullptr};
  const Quatd* axes{nullptr};  ///< [1] (bodies) Frames::axes; null where no surface moves

  friend bool operator==(const Belts&, const Belts&) = default;

  CAIRN_HD bool any() const { return axes != nullptr; }

  /// True where the surface of one of the shapes moves: then `velocity` is that of b's against a's, by these alone
  /// [m/s], world. What of it points along the normal moves nothing.
  CAIRN_HD bool between(const Bodies& bodies, const Shapes& shapes, std::uint32_t shape_a, std::uint32_t shape_b,
                        Vec3& velocity) const {
    const Vec3 a = materials[shapes.material[shape_a]].surface_velocity, zero{0, 0, 0};
    const Vec3 b = materials[shapes.material[shape_b]].surface_velocity;
    if (a == zero && b == zero) return false;
    velocity = in_world(bodies, shapes.body[shape_b], b) - in_world(bodies, shapes.body[shape_a], a);
    return true;
  }

 private:
  /// From a body's own frame.
  CAIRN_HD Vec3 in_world(const Bodies& bodies, std::uint32_t body, Vec3 own) const {
    return rotate(bodies.q[body], rotate_inverse(narrow(axes[body]), own));
  }
};

}  // namespace cairn::kernels
