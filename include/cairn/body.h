#pragma once
// What bodies are made of.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/types.h"

namespace cairn {

struct Material {
  std::string name;              ///< unique, not empty
  float density{0};              ///< [kg/m^3] over 0 where a body takes its mass from it; 0 means "not given"
  float friction{0.6f};          ///< [1]      Coulomb coefficient, 0..1e6
  float restitution{0};          ///< [1]      0..1
  float rolling_friction{0};     ///< [m]      lever arm of the rolling resistance moment, 0..1e6
  float young_modulus{0};        ///< [Pa]     1..1e13; 0 means "not given". `hertz_mindlin` alone reads and needs it
  float poisson_ratio{0.3f};     ///< [1]      0..0.5; likewise
  friend bool operator==(const Material&, const Material&) = default;
};

struct Shape {
  Geometry geometry{Sphere{}};
  Vec3 position;               ///< [m] in the body's frame
  Quat orientation;            ///< [1] shape to body, unit (made unit; a zero quaternion is refused)
  std::uint32_t material{0};   ///< index of Scene::materials()
  Filter filter;
  bool sensor{false};          ///< tells what overlaps it, pushes nothing and weighs nothing
  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Inertia about the centre of mass, along the body's own axes: the tensor ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)).
/// Its principal moments must be over 0, and none above the sum of the other two; `repaired` of cairn/mass.h mends what
/// breaks that.
struct Inertia {
  Vec3 moments;   ///< [kg m^2] xx, yy, zz
  Vec3 products;  ///< [kg m^2] xy, xz, yz: minus the integrals of x y, x z and y z over the mass
  friend bool operator==(const Inertia&, const Inertia&) = default;
};

struct PointMass {
  float mass{0};  ///< [kg] over 0
  Vec3 position;  ///< [m]  in the body's frame
  friend bool operator==(const PointMass&, const PointMass&) = default;
};

struct Body {
  std::string name;  ///< unique, not empty
  BodyType type{BodyType::kDynamic};
  Vec3d position;    ///< [m] |x| at most 1e7
  Quat orientation;
  Vec3 linear_velocity;   ///< [m/s]
  Vec3 angular_velocity;  ///< [rad/s] its length times the bounding radius about the centre of mass at most 1e5 m/s
  std::vector<Shape> shapes;       ///< at least one
  std::optional<float> mass;       ///< [kg]     of all of the body, over 0; wins over density
  std::optional<float> density;    ///< [kg/m^3] over 0; wins over the materials'
  std::optional<Inertia> inertia;  ///< of all of the body; needs `mass`; without it, from the shapes and point masses
  float linear_damping{0};         ///< [1/s] v' = -c v, at least 0
  float angular_damping{0};        ///< [1/s] at least 0
  std::optional<Vec3> centre_of_mass;  ///< [m] in the body's frame; needs `inertia`; without it, from the shapes too
  std::vector<PointMass> point_masses; ///< mass beside that of the shapes; part of `mass` where that is given
  /// Looked after from a quarter of its smallest half extent a step on, so that it passes through nothing; other bodies
  /// are from all of it on (docs/pipeline.md, stop).
  bool fast{false};
  /// Doesn't turn, whatever pushes it while it is dynamic: its inertia is taken as infinite, its angular velocity is 0.
  /// A particle is a sphere of that kind.
  bool fixed_rotation{false};
  friend bool operator==(const Body&, const Body&) = default;
};

}  // namespace cairn
