#pragma once
// Conveyor belts: surfaces that move along themselves while their bodies don't.

#include "kernels/common/state.h"

namespace cairn::kernels {

/// Surface velocities of materials. Empty in a World where no material's surface moves.
struct Belts {
  const ContactMaterial* materials{nullptr};
  const Quatd* axes{nullptr};  ///< [1] (bodies) Frames::axes; null where no surface moves

  friend bool operator==(const Belts&, const Belts&) = default;

  CAIRN_HD bool any() const { return axes != nullptr; }

  /// True if the surface of one of the shapes moves. `velocity` is then that of b's surface against a's without the
  /// bodies' own [m/s], world. Its part along the normal has no effect.
  CAIRN_HD bool between(const Bodies& bodies, const Shapes& shapes, std::uint32_t shape_a, std::uint32_t shape_b,
                        Vec3& velocity) const {
    const Vec3 a = materials[shapes.material[shape_a]].surface_velocity, zero{0, 0, 0};
    const Vec3 b = materials[shapes.material[shape_b]].surface_velocity;
    if (a == zero && b == zero) return false;
    velocity = in_world(bodies, shapes.body[shape_b], b) - in_world(bodies, shapes.body[shape_a], a);
    return true;
  }

 private:
  /// Turns a vector from a body's own frame to world axes.
  CAIRN_HD Vec3 in_world(const Bodies& bodies, std::uint32_t body, Vec3 own) const {
    return rotate(bodies.q[body], rotate_inverse(narrow(axes[body]), own));
  }
};

}  // namespace cairn::kernels
