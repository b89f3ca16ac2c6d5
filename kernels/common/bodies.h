#pragma once
// Bodies: the state that a step reads and writes.

#include <cstdint>

#include "cairn/types.h"
#include "kernels/common/arrays.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

enum BodyFlag : std::uint32_t {
  kBodyTypeMask = 3u,  ///< BodyType
  kBodyAlive = 1u << 2,
  kBodyAsleep = 1u << 3,
  kBodyGyroscopic = 1u << 4,      ///< principal moments differ
  kBodyFrozen = 1u << 5,          ///< its world is frozen
  kBodyIgnores = 1u << 7,         ///< it ignores other bodies
  kBodyBullet = 1u << 8,          ///< its user expects it to move fast
  kBodyLink = 1u << 9,            ///< a link of an articulation, which moves it
  kBodyFixedRotation = 1u << 10,  ///< doesn't turn while it is dynamic
  kBodyWoken = 1u << 6,           ///< was asleep before this step, which may have to be repeated
  kBodyNewlyAsleep = 1u << 11,    ///< fell asleep in the last completed step
  kBodyDisabled = 1u << 12,       ///< its user has disabled it: it has no contacts, doesn't move and isn't seen
};
CAIRN_HD bool is_dynamic(std::uint32_t flags) {
  return (flags & kBodyTypeMask) == static_cast<std::uint32_t>(BodyType::kDynamic);
}
CAIRN_HD bool is_kinematic(std::uint32_t flags) {
  return (flags & kBodyTypeMask) == static_cast<std::uint32_t>(BodyType::kKinematic);
}
CAIRN_HD bool is_disabled(std::uint32_t flags) { return (flags & kBodyDisabled) != 0; }
/// True if forces may act on the body or wake it.
CAIRN_HD bool takes_forces(std::uint32_t flags) {
  return (flags & (kBodyAlive | kBodyFrozen | kBodyDisabled)) == kBodyAlive;
}
/// True if a step may move the body.
CAIRN_HD bool takes_part(std::uint32_t flags) {
  return (flags & (kBodyAlive | kBodyAsleep | kBodyFrozen | kBodyDisabled)) == kBodyAlive;
}
/// True for a body that doesn't turn while it is dynamic.
CAIRN_HD bool never_turns(std::uint32_t flags) { return (flags & kBodyFixedRotation) != 0; }
/// True for a body that moves but doesn't turn.
CAIRN_HD bool is_upright(std::uint32_t flags) { return is_dynamic(flags) && never_turns(flags); }
CAIRN_HD bool is_link(std::uint32_t flags) { return (flags & kBodyLink) != 0; }
/// True if the solver may push the body in this step.
CAIRN_HD bool is_awake_dynamic(std::uint32_t flags) { return is_dynamic(flags) && takes_part(flags); }
/// The flags that is_awake_free reads, and their values for such a body.
inline constexpr std::uint32_t kFreeBits =
    kBodyTypeMask | kBodyAlive | kBodyAsleep | kBodyFrozen | kBodyDisabled | kBodyLink;
inline constexpr std::uint32_t kFreeFlags = static_cast<std::uint32_t>(BodyType::kDynamic) | kBodyAlive;

/// True for a body that then moves by itself: links move with their articulations.
CAIRN_HD bool is_awake_free(std::uint32_t flags) { return (flags & kFreeBits) == kFreeFlags; }

/// The part of a body that solver rows read and write: one cache line. w~ = I^1/2 w and dtheta~ = I^1/2 dtheta, with I
/// the world inertia at the start of the step; static and kinematic bodies take I = 1 and are never written.
struct alignas(64) BodySolve {
  Vec3 v;              ///< [m/s]
  float inv_mass;      ///< [1/kg]  0 unless awake and dynamic
  Vec3 w;              ///< [kg^1/2 m/s] w~
  float movable;       ///< [1]     1 if awake and dynamic, else 0
  Vec3 dx;             ///< [m]     displacement since the step's start
  float struck;        ///< [1]     1 + the last substep in which it had an impact, else 0
  Vec3 dtheta;         ///< [kg^1/2 m] dtheta~
  std::uint32_t rows;  ///< [1]   count of rows that may push it
};

/// Equal to no velocity: forces a step to recompute values derived from velocity and orientation.
CAIRN_HD Vec3 unknown_velocity() { return {__builtin_nanf(""), 0, 0}; }
CAIRN_HD bool is_known(Vec3 velocity) { return velocity.x == velocity.x; }

/// [1] Passes of `ccd` over the pairs of a step. A body that stops may block another that follows it: a train of bodies
/// that hits a wall needs a pass for each.
inline constexpr int kCcdPasses = 4;

/// Where a body stops, by pass: 0 if that pass changed nothing, else the complement of the bits of the fraction of its
/// motion that it completes. So the largest mark counts.
struct CcdMarks {
  std::uint32_t at[kCcdPasses];  ///< [1]

  /// The mark after the first passes.
  CAIRN_HD std::uint32_t after(int passes) const {
    std::uint32_t most = 0;
    for (int pass = 0; pass < passes; ++pass) most = at[pass] > most ? at[pass] : most;
    return most;
  }
};

/// Bodies by slot, in the principal frame of the centre of mass.
struct Bodies {
  std::uint32_t* flags;       ///< [1]        (bodies) BodyFlag
  std::uint32_t* world;       ///< [1]        (bodies) index
  std::uint32_t* id;          ///< [1]        (bodies) slot in its own world
  std::uint32_t* generation;  ///< [1]        (bodies) of the body in the slot
  Vec3* x;                    ///< [m]        (bodies) centre of mass, world
  Vec3* x_low;                ///< [m]        (bodies) rounding error of x: the position is x + x_low
  Quat* q;                    ///< [1]        (bodies) principal frame to world
  Vec3* v;                    ///< [m/s]      (bodies)
  Vec3* w;                    ///< [rad/s]    (bodies)
  float* inv_mass;            ///< [1/kg]     (bodies)
  Vec3* inertia;              ///< [kg m^2]   (bodies) principal
  float* linear_damping;      ///< [1/s]      (bodies)
  float* angular_damping;     ///< [1/s]      (bodies)
  float* gravity_scale;       ///< [1]        (bodies) factor of its world's gravity
  float* radius;              ///< [m]        (bodies) of the bounding sphere about the centre of mass
  float* min_extent;          ///< [m]        (bodies) smallest half extent of its shapes
  Vec3* force;                ///< [N]        (bodies) for the next step
  Vec3* torque;               ///< [N m]      (bodies) for the next step
  Vec3* field_force;          ///< [N]        (bodies) of the fields in this step; of a sleeping body, in the step after
                              ///<            it fell asleep
  float* quiet_time;          ///< [s]        (bodies) how long it has been slow
  std::uint32_t* island;      ///< [1]        (bodies) lowest slot of its island; kept while asleep
  std::uint32_t* owner;       ///< [1]        (bodies) of a link: the body that stands for its articulation
  // computed by predict and advance, within a step
  BodySolve* solve;        ///<            (bodies + 1) the last is an immovable body for padding lanes
  Vec3* v1;                ///< [m/s]      (bodies) after forces, before contacts
  Vec3* w1;                ///< [kg^1/2 m/s] (bodies) w~, at the same time
  Vec3T<double>* w_body;   ///< [rad/s]    (bodies) of gyroscopic bodies, in the principal frame; kept between steps
                           ///<            (keeps_w_body)
  Vec3* w_known;           ///< [rad/s]    (bodies) the w that w_body belongs to; where w differs w_body is recomputed
  Vec3* w_seen;            ///< [kg^1/2 m rad/s] (bodies) w~ that w_body already includes
  QuatT<double>* q1;       ///< [1]        (bodies) orientation at this substep; kept between steps (keeps_q1)
  Sym3* sqrt_inertia;      ///<            (bodies) I^1/2, world, at the step's start
  Sym3* inv_sqrt_inertia;  ///<            (bodies) I^-1/2
  // computed by prepare
  std::uint32_t* jointed;  ///< [1]        (bodies) 1 where a joint holds it and it is dynamic, else 0
  // computed by color
  std::uint64_t* color_mask;         ///< [1]  (bodies) colours taken by contacts with dynamic bodies
  std::uint64_t* static_color_mask;  ///< [1]  (bodies) colours taken by contacts with static and kinematic bodies
  std::uint64_t* best_edge;          ///< [1]  (bodies) highest priority among uncoloured edges
  // computed by ccd
  CcdMarks* ccd;  ///<      (bodies) how far it gets in this step
  // computed by sleep
  std::uint32_t* wake;          ///< [1]  (bodies) by island: 1 if something woke it
  std::uint32_t* island_flags;  ///< [1]  (bodies) by island: IslandFlag

  friend bool operator==(const Bodies&, const Bodies&) = default;
};
template <Same<Bodies> V>
inline constexpr TypedList kArrays<V>{
    kept<&V::flags>(
        {.name = "body_flags",
         .meaning = "bits 0..1 BodyType, bit 2 alive, bit 3 asleep, bit 5 frozen with its world, bit 12 disabled"}),
    derived<&V::world>({.name = "body_world", .meaning = "index of the body's world"}),
    derived<&V::id>(),
    derived<&V::generation>({.name = "body_generation", .meaning = "of the body in the slot, as in its handle"}),
    kept<&V::x>({.name = "position", .unit = "m", .meaning = "centre of mass, world", .writable = true}),
    kept<&V::x_low>(
        {.name = "position_low", .unit = "m", .meaning = "what rounding left of `position`", .writable = true}),
    kept<&V::q>({.name = "orientation", .meaning = "x, y, z, w: principal frame to world", .writable = true}),
    kept<&V::v>(
        {.name = "linear_velocity", .unit = "m/s", .meaning = "of the centre of mass, world", .writable = true}),
    kept<&V::w>({.name = "angular_velocity", .unit = "rad/s", .meaning = "world", .writable = true}),
    kept<&V::inv_mass>({.name = "inv_mass", .unit = "1/kg", .meaning = "0 for static and kinematic bodies"}),
    kept<&V::inertia>(
        {.name = "inertia", .unit = "kg m^2", .meaning = "principal moments; 1 for static and kinematic bodies"}),
    kept<&V::linear_damping>({.name = "linear_damping", .unit = "1/s"}),
    kept<&V::angular_damping>({.name = "angular_damping", .unit = "1/s"}),
    kept<&V::gravity_scale>({.name = "gravity_scale", .meaning = "times the gravity of the body's world"}),
    kept<&V::radius>({.name = "bounding_radius", .unit = "m", .meaning = "of all shapes about the centre of mass"}),
    kept<&V::min_extent>(),
    kept<&V::force, Start::kZero>({.name = "force",
                                   .unit = "N",
                                   .meaning = "for the next step, then 0; world, at the centre of mass",
                                   .writable = true}),
    kept<&V::torque, Start::kZero>(
        {.name = "torque", .unit = "N m", .meaning = "for the next step, then 0; world", .writable = true}),
    kept<&V::field_force, Start::kZero>({.name = "field_force",
                                         .unit = "N",
                                         .meaning =
                                             "of the scene's fields in the last step, 0 after a restore; of a body "
                                             "that sleeps, when it fell asleep"}),
    kept<&V::quiet_time, Start::kZero>(
        {.name = "quiet_time", .unit = "s", .meaning = "how long the body has been slow"}),
    kept<&V::island>(),
    derived<&V::owner>(),
    scratch<&V::solve>(),
    scratch<&V::v1>(),
    scratch<&V::w1>(),
    kept<&V::w_body>(),
    kept<&V::w_known>(),
    scratch<&V::w_seen>(),
    kept<&V::q1>(),
    scratch<&V::sqrt_inertia>(),
    scratch<&V::inv_sqrt_inertia>(),
    derived<&V::jointed>(),
    scratch<&V::color_mask>(),
    scratch<&V::static_color_mask>(),
    scratch<&V::best_edge>(),
    scratch<&V::ccd>(),
    derived<&V::wake>(),
    scratch<&V::island_flags>()};

/// [1] Upper bound of the acceleration that gravity gives to one of two bodies, or to both relative to each other, over
/// that of their world.
CAIRN_HD float fall_scale(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
  const float of_a = is_dynamic(bodies.flags[a]) ? bodies.gravity_scale[a] : 0.0f;
  const float of_b = is_dynamic(bodies.flags[b]) ? bodies.gravity_scale[b] : 0.0f;
  return max(max(abs(of_a), abs(of_b)), abs(of_a - of_b));
}
/// [m/s^2] That acceleration.
CAIRN_HD float fall_of(const Bodies& bodies, std::uint32_t a, std::uint32_t b, Vec3 gravity) {
  return length(fall_scale(bodies, a, b) * gravity);
}

/// [N] Force on body i in this step, without contacts.
CAIRN_HD Vec3 force_on(const Bodies& bodies, std::uint32_t i) { return bodies.force[i] + bodies.field_force[i]; }

/// True if field_force of body i is from when it fell asleep; otherwise a step recomputes it.
CAIRN_HD bool keeps_field_force(std::uint32_t flags) {
  return (flags & (kBodyAsleep | kBodyNewlyAsleep)) == kBodyAsleep;
}

/// True if q1 of body i belongs to q; otherwise a step recomputes it.
CAIRN_HD bool keeps_q1(const Bodies& bodies, std::uint32_t i) {
  return is_known(bodies.w_known[i]) && narrow(bodies.q1[i]) == bodies.q[i];
}
/// True if w_body of body i belongs to w; otherwise a step recomputes it where it needs one.
CAIRN_HD bool keeps_w_body(const Bodies& bodies, std::uint32_t i) {
  const std::uint32_t flags = bodies.flags[i];
  return is_dynamic(flags) && (flags & kBodyGyroscopic) != 0 && bodies.w_known[i] == bodies.w[i];
}

/// [m] Smaller radius of the bounding spheres of a and b; only dynamic bodies count.
CAIRN_HD float smaller_radius(const Bodies& bodies, std::uint32_t a, std::uint32_t b) {
  if (!is_dynamic(bodies.flags[a])) return bodies.radius[b];
  return is_dynamic(bodies.flags[b]) ? min(bodies.radius[a], bodies.radius[b]) : bodies.radius[a];
}

/// True for a body that moves by itself or may be pushed: a body that touches it can't sleep.
CAIRN_HD bool wakes_others(const Bodies& bodies, std::uint32_t body) {
  const std::uint32_t flags = bodies.flags[body];
  if (is_awake_dynamic(flags)) return true;
  if (!is_kinematic(flags) || !takes_part(flags)) return false;
  const Vec3 zero{0, 0, 0};
  return !(bodies.v[body] == zero) || !(bodies.w[body] == zero);
}

}  // namespace cairn::kernels
