#pragma once
// Helpers of the built-in scenes, and the scenes themselves, by topic a file.

#include <cstdint>
#include <string>

#include "scenes/builtin.h"
#include "scenes/random.h"
#include "scenes/spec.h"

namespace cairn::scenes {

inline constexpr float kDensity = 1000;          ///< [kg/m^3]
inline constexpr float kFriction = 0.6f;         ///< [1]
inline constexpr double kShift = 0.005;          ///< [m] disturbance in x and y
inline constexpr double kMaxBodies = 3'999'990;  ///< [1] leaves room for floor and walls in 4 million

/// Uses of a body's random numbers.
enum Channel : std::uint64_t { kX, kY, kYaw, kSizeX, kSizeY, kSizeZ, kKind, kVertices, kRotation = 16 };

/// A point of the plane in which a linkage moves or a cable hangs.
struct Pin {
  double x, z;  ///< [m]
};

Material stone(float density = kDensity, float friction = kFriction);
Body make_body(std::string name, BodyType type, Vec3d position, Geometry geometry, std::uint32_t material = 0);
std::string numbered(const char* kind, int index);
void add_floor(Scene& scene);
void set_substeps(Scene& scene, int substeps);

/// A turn about z by `share` of the disturbance of yaw.
Quat disturbed_yaw(const Random& random, double share = 1);

/// A box, disturbed from its ideal place by `share` of the disturbance.
void add_box(Scene& scene, std::uint64_t seed, int index, Vec3d ideal, const Box& box, std::uint32_t material = 0,
             double share = 1);

/// A scene of stone with a floor.
Built on_floor();

/// A square bin of static boxes; bodies that leave it are lost.
void add_bin(Built& built, double width, double height, std::uint32_t material = 0);

/// Throws InvalidArgument if a scene of several parameters has more than kMaxBodies.
void check_count(const std::string& scene, double count);

// solids.cpp
inline constexpr int kSolidKinds = 10;  ///< [1]
/// A solid of a kind: sphere, box, capsule, cylinder, cone, tapered cylinder, tube, ellipsoid, rounded box or hull.
Geometry solid(int kind, const Random& random);
const char* solid_name(int kind);
/// [m^3] Mean volume of the first kinds.
double mean_volume(int kinds);
/// A box with half extents of about 0.5 m.
Box spread_box(const Random& random);
/// The hull of points of an ellipsoid with radii of about `size`.
ConvexHull random_hull(const Random& random, int vertices, double size);

// stacks.cpp
Built tower(const Spec& spec, std::uint64_t seed);
Built heavy(const Spec& spec, std::uint64_t seed);
Built lattice(const Spec& spec, std::uint64_t seed);
Built boulder(const Spec& spec, std::uint64_t seed);

// bricks.cpp
Built wall(const Spec& spec, std::uint64_t seed);
Built pyramid(const Spec& spec, std::uint64_t seed);
Built bricks(const Spec& spec, std::uint64_t seed);
Built wrecking(const Spec& spec, std::uint64_t seed);

// heaps.cpp
Built pile(const Spec& spec, std::uint64_t seed);
Built rain(const Spec& spec, std::uint64_t seed);
Built hulls(const Spec& spec, std::uint64_t seed);

// masonry.cpp
Built arch(const Spec& spec, std::uint64_t seed);
Built cards(const Spec& spec, std::uint64_t seed);

// ground.cpp
Built terrain(const Spec& spec, std::uint64_t seed);
Built gravel(const Spec& spec, std::uint64_t seed);
Built shapes(const Spec& spec, std::uint64_t seed);

// hanging.cpp
Built chain(const Spec& spec, std::uint64_t seed);
Built bridge(const Spec& spec, std::uint64_t seed);

// linkages.cpp
Built four_bar(const Spec& spec, std::uint64_t seed);
Built screw_jack(const Spec& spec, std::uint64_t seed);
Built gear_train(const Spec& spec, std::uint64_t seed);
Built wheel_drop(const Spec& spec, std::uint64_t seed);

// ragdolls.cpp
Built ragdolls(const Spec& spec, std::uint64_t seed);

// robots.cpp
Built quadrupeds(const Spec& spec, std::uint64_t seed);

// fields.cpp
Built flag(const Spec& spec, std::uint64_t seed);
Built rubble(const Spec& spec, std::uint64_t seed);

// soft.cpp
/// A cloth of particles in the plane z = 0, from the origin along x and y, with its diagonals, and hinges over the
/// inner edges of its triangles.
ParticleSet sheet(std::uint32_t columns, std::uint32_t rows, double step);
Built rope(const Spec& spec, std::uint64_t seed);
Built cloth(const Spec& spec, std::uint64_t seed);
Built jelly(const Spec& spec, std::uint64_t seed);
Built dam_break(const Spec& spec, std::uint64_t seed);

// grains.cpp
Built grains(const Spec& spec, std::uint64_t seed);
Built repose(const Spec& spec, std::uint64_t seed);
Built silo(const Spec& spec, std::uint64_t seed);

// delta.cpp
Built delta(const Spec& spec, std::uint64_t seed);

// motion.cpp
Built slope(const Spec& spec, std::uint64_t seed);
Built conveyor(const Spec& spec, std::uint64_t seed);
Built spinner(const Spec& spec, std::uint64_t seed);

}  // namespace cairn::scenes
