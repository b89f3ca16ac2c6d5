#pragma once
// Bodies, their materials, shapes and masses.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/types.h"

namespace cairn {

struct Material {
  std::string name;
  float density{0};
  float friction{0.6f};
  float restitution{0};
  float rolling_friction{0};
  float young_modulus{0};
  float poisson_ratio{0.3f};
  Vec3 surface_velocity;
  friend bool operator==(const Material&, const Material&) = default;
};

template <Same<Material> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique, not empty", .required = true}),
    attribute<&S::density>({.unit = "kg/m^3",
                            .range = kAtLeastZero,
                            .meaning = "over 0 where a body takes its mass from it; 0: not given",
                            .sparse = true}),
    attribute<&S::friction>({.range = between(0, 1e6), .meaning = "Coulomb coefficient"}),
    attribute<&S::restitution>({.range = between(0, 1), .meaning = "coefficient of restitution"}),
    attribute<&S::rolling_friction>(
        {.unit = "m", .range = between(0, 1e6), .meaning = "lever arm of the moment that resists rolling"}),
    attribute<&S::young_modulus>({.unit = "Pa",
                                  .range = {.min = 1, .max = 1e13, .zero = "where it is not given"},
                                  .meaning = "hertz_mindlin reads and needs it, and no other solver",
                                  .sparse = true}),
    attribute<&S::poisson_ratio>({.range = between(0, 0.5), .meaning = "of hertz_mindlin, too", .sparse = true}),
    attribute<&S::surface_velocity>({.unit = "m/s",
                                     .range = between(-1e4, 1e4),
                                     .meaning = "in the body's frame: the surface moves along itself so fast, the body "
                                                "doesn't, and friction takes what touches it along (a conveyor belt)",
                                     .sparse = true})};

struct Shape {
  Geometry geometry{Sphere{}};
  Vec3 position;
  Quat orientation;
  std::uint32_t material{0};  ///< index of Scene::materials()
  Filter filter;
  bool sensor{false};
  friend bool operator==(const Shape&, const Shape&) = default;
};

template <Same<Shape> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::geometry>({.hidden = true}),
    attribute<&S::position>({.unit = "m", .range = kLocalPosition, .meaning = "in the body's frame", .sparse = true}),
    attribute<&S::orientation>({.meaning = "shape to body; made unit", .key = "orientation_xyzw", .sparse = true}),
    attribute<&S::material>({.meaning = "name of a material; without it, \"default\"", .reference = true}),
    attribute<&S::filter>({.meaning = "which shapes may touch it", .sparse = true}),
    attribute<&S::sensor>({.meaning = "reports what overlaps it, pushes nothing and weighs nothing", .sparse = true})};

/// Inertia about the centre of mass, along the body's own axes: the tensor ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)).
/// Its principal moments must be over 0, and none above the sum of the other two; `repaired` of cairn/mass.h gives the
/// nearest valid inertia.
struct Inertia {
  Vec3 moments;
  Vec3 products;
  friend bool operator==(const Inertia&, const Inertia&) = default;
};

template <Same<Inertia> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::moments>({.unit = "kg m^2", .meaning = "xx, yy, zz"}),
    attribute<&S::products>(
        {.unit = "kg m^2", .meaning = "xy, xz, yz: minus the integrals of x y, x z and y z over the mass"})};

struct PointMass {
  float mass{0};
  Vec3 position;
  friend bool operator==(const PointMass&, const PointMass&) = default;
};

template <Same<PointMass> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::mass>({.unit = "kg", .range = kInertial, .required = true}),
    attribute<&S::position>(
        {.unit = "m", .range = kLocalPosition, .meaning = "in the body's frame", .required = true})};

struct Body {
  std::string name;
  BodyType type{BodyType::kDynamic};
  Vec3d position;
  Quat orientation;
  Vec3 linear_velocity;
  Vec3 angular_velocity;
  std::vector<Shape> shapes;
  std::optional<float> mass;
  std::optional<float> density;
  std::optional<Inertia> inertia;
  float linear_damping{0};
  float angular_damping{0};
  std::optional<Vec3> centre_of_mass;
  std::vector<PointMass> point_masses;
  bool bullet{false};
  bool fixed_rotation{false};
  float gravity_scale{1};
  std::uint64_t user_data{0};
  bool enabled{true};
  std::optional<Vec3> color;
  friend bool operator==(const Body&, const Body&) = default;
};

template <Same<Body> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique among bodies; may be left out", .sparse = true}),
    attribute<&S::type>({.required = true}),
    attribute<&S::position>({.unit = "m", .range = kWorldPosition, .meaning = "world, of the body's origin"}),
    attribute<&S::orientation>({.meaning = "body to world; made unit", .key = "orientation_xyzw"}),
    attribute<&S::linear_velocity>(
        {.unit = "m/s", .meaning = "world; of the centre of mass; 0 on static bodies", .sparse = true}),
    attribute<&S::angular_velocity>({.unit = "rad/s",
                                     .meaning = "world; its length times the bounding radius about the centre of mass "
                                                "at most 1e5 m/s; 0 on static bodies and with fixed_rotation",
                                     .sparse = true}),
    attribute<&S::shapes>({.meaning = "at least one", .required = true}),
    attribute<&S::mass>(
        {.unit = "kg", .range = kInertial, .meaning = "of all of the body; wins over density", .sparse = true}),
    attribute<&S::density>(
        {.unit = "kg/m^3", .range = kAboveZero, .meaning = "wins over those of the materials", .sparse = true}),
    attribute<&S::inertia>(
        {.unit = "kg m^2",
         .meaning = "[Ixx, Iyy, Izz] about the centre of mass, along the body's axes, of all of the body, or the three "
                    "rows of the tensor; principal moments over 0, none above the sum of the other two; needs mass; "
                    "without it, from the shapes and point masses"}),
    attribute<&S::linear_damping>({.unit = "1/s", .range = kAtLeastZero, .meaning = "c of v' = -c v", .sparse = true}),
    attribute<&S::angular_damping>({.unit = "1/s", .range = kAtLeastZero, .meaning = "c of w' = -c w", .sparse = true}),
    attribute<&S::centre_of_mass>({.unit = "m",
                                   .range = kLocalPosition,
                                   .meaning = "in the body's frame; needs inertia; without it, from the shapes too",
                                   .sparse = true}),
    attribute<&S::point_masses>({.meaning = "list of masses [kg] at positions [m, in the body's frame], beside those "
                                            "of the shapes; part of mass where that is given"}),
    attribute<&S::bullet>(
        {.meaning = "looked after from a quarter of its smallest half extent a step on, so that it passes through "
                    "nothing; other bodies are from all of it on (docs/pipeline.md#ccd)",
         .sparse = true}),
    attribute<&S::fixed_rotation>(
        {.meaning = "doesn't turn, whatever pushes it while it is dynamic: its inertia is infinite and its angular "
                    "velocity 0. A particle is a sphere of that kind",
         .sparse = true}),
    attribute<&S::gravity_scale>(
        {.range = between(-1000, 1000), .meaning = "times the world's gravity; 0: it floats", .sparse = true}),
    attribute<&S::user_data>({.meaning = "the program's own; kept in snapshots, not in scene files", .hidden = true}),
    attribute<&S::enabled>({.meaning = "false: it is there, and takes no part until World::set_enabled switches it on "
                                       "(docs/scenes.md#bodies-that-are-switched-off)",
                            .sparse = true}),
    attribute<&S::color>({.range = kColor,
                          .meaning = "sRGB: red, green, blue, where it is drawn (docs/cli.md#pictures-and-videos); "
                                     "moves nothing. Without it, by its place among the bodies",
                          .sparse = true})};

}  // namespace cairn
