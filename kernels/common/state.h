#pragma once
// The world's arrays as the kernels see them, grouped by what they describe; every line ends with unit, shape and meaning.
// `for_each_field` lists the arrays of a table once: allocation, growth, hashing and memory counts all go by it.

#include <cstddef>
#include <cstdint>

#include "cairn/params.h"
#include "cairn/types.h"
#include "kernels/common/vec.h"

namespace cairn::kernels {

inline constexpr std::uint32_t kNone = 0xffffffffu;

enum BodyFlag : std::uint32_t {
  kBodyTypeMask = 3u,        ///< BodyType
  kBodyAlive = 1u << 2,
  kBodyAsleep = 1u << 3,
  kBodyGyroscopic = 1u << 4, ///< principal moments differ
};
CAIRN_HD bool is_dynamic(std::uint32_t flags) {
  return (flags & kBodyTypeMask) == static_cast<std::uint32_t>(BodyType::kDynamic);
}
CAIRN_HD bool is_kinematic(std::uint32_t flags) {
  return (flags & kBodyTypeMask) == static_cast<std::uint32_t>(BodyType::kKinematic);
}
/// True for what the solver may push in this step.
CAIRN_HD bool is_awake_dynamic(std::uint32_t flags) {
  return is_dynamic(flags) && (flags & (kBodyAlive | kBodyAsleep)) == kBodyAlive;
}

/// What a solver row reads and writes of a body: one cache line. w~ = I^1/2 w and dtheta~ = I^1/2 dtheta, with I the world inertia
/// at the start of the step; static and kinematic bodies take I = 1 and are never written.
struct alignas(64) BodySolve {
  Vec3 v;           ///< [m/s]
  float inv_mass;   ///< [1/kg]  0 unless awake and dynamic
  Vec3 w;           ///< [kg^1/2 m/s] w~
  float turnable;   ///< [1]     1 if awake and dynamic, else 0
  Vec3 dx;          ///< [m]     displacement since the step's start
  float pad0;
  Vec3 dtheta;      ///< [kg^1/2 m] dtheta~
  float pad1;
};

/// Bodies by slot, in the principal frame of the centre of mass.
struct Bodies {
  std::uint32_t* flags;       ///< [1]        (bodies) BodyFlag
  Vec3* x;                    ///< [m]        (bodies) centre of mass, world
  Vec3* x_low;                ///< [m]        (bodies) what rounding left of x: the position is x + x_low
  Quat* q;                    ///< [1]        (bodies) principal frame to world
  Vec3* v;                    ///< [m/s]      (bodies)
  Vec3* w;                    ///< [rad/s]    (bodies)
  float* inv_mass;            ///< [1/kg]     (bodies)
  Vec3* inertia;              ///< [kg m^2]   (bodies) principal
  float* linear_damping;      ///< [1/s]      (bodies)
  float* angular_damping;     ///< [1/s]      (bodies)
  float* radius;              ///< [m]        (bodies) of the bounding sphere about the centre of mass
  float* least_extent;        ///< [m]        (bodies) smallest half extent of its shapes
  Vec3* force;                ///< [N]        (bodies) for the next step
  Vec3* torque;               ///< [N m]      (bodies) for the next step
  float* quiet_time;          ///< [s]        (bodies) how long it has been slow
  std::uint32_t* island;      ///< [1]        (bodies) lowest slot of its island; kept while asleep
  // computed by predict and advance, within a step
  BodySolve* solve;           ///<            (bodies + 1) the last is an immovable body for padding lanes
  Vec3* v1;                   ///< [m/s]      (bodies) after forces, before contacts
  Vec3* w1;                   ///< [kg^1/2 m/s] (bodies) w~ likewise
  Vec3T<double>* w_body;      ///< [rad/s]    (bodies) of gyroscopic bodies, in the principal frame; kept from step to step
  Vec3* w_known;              ///< [rad/s]    (bodies) the w that w_body stands for; where w differs, w_body is made anew
  Vec3* w_seen;               ///< [kg^1/2 m rad/s] (bodies) w~ that w_body already knows
  Quat* q1;                   ///< [1]        (bodies) orientation at this substep
  Sym3* sqrt_inertia;         ///<            (bodies) I^1/2, world, at the step's start
  Sym3* inv_sqrt_inertia;     ///<            (bodies) I^-1/2
  // computed by color
  std::uint64_t* color_mask;        ///< [1]  (bodies) colours taken by contacts with dynamic bodies
  std::uint64_t* static_color_mask; ///< [1]  (bodies) colours taken by contacts with static and kinematic bodies
  std::uint64_t* best_edge;         ///< [1]  (bodies) highest priority among uncoloured edges
  // computed by sleep
  std::uint32_t* wake;        ///< [1]        (bodies) by island: 1 if something woke it
  std::uint32_t* island_flags; ///< [1]       (bodies) by island: IslandFlag

  friend bool operator==(const Bodies&, const Bodies&) = default;
  template <class B, class F>
  static void for_each_field(B& b, F f) {
    f("flags", b.flags); f("x", b.x); f("x_low", b.x_low); f("q", b.q); f("v", b.v); f("w", b.w);
    f("inv_mass", b.inv_mass); f("inertia", b.inertia); f("linear_damping", b.linear_damping);
    f("angular_damping", b.angular_damping); f("radius", b.radius); f("least_extent", b.least_extent);
    f("force", b.force); f("torque", b.torque); f("quiet_time", b.quiet_time); f("island", b.island);
    f("solve", b.solve); f("v1", b.v1); f("w1", b.w1); f("w_body", b.w_body); f("w_known", b.w_known); f("w_seen", b.w_seen); f("q1", b.q1); f("sqrt_inertia", b.sqrt_inertia);
    f("inv_sqrt_inertia", b.inv_sqrt_inertia); f("color_mask", b.color_mask);
    f("static_color_mask", b.static_color_mask); f("best_edge", b.best_edge); f("wake", b.wake); f("island_flags", b.island_flags);
  }
};

enum class ShapeKind : std::uint32_t { kSphere, kBox, kCapsule, kPlane };

/// Geometry of a shape in its body's principal frame.
struct ShapeGeometry {
  ShapeKind kind;
  Vec3 size;        ///< [m] box: half extents; sphere: {radius,0,0}; capsule: {radius,0,half_height}; plane: none
  Vec3 position;    ///< [m] of the shape's centre, in the body's principal frame
  Quat orientation; ///< [1] shape to principal frame; a plane's normal is the image of z
};

struct Aabb {
  Vec3 min, max;  ///< [m] world
};

/// The first pairs that a shape reports, noted while they are counted, so that most shapes are queried once.
inline constexpr std::uint32_t kNotedPairs = 12;
struct PairNotes {
  std::uint32_t other[kNotedPairs];  ///< [1] shape slots
};

/// True for a body that moves by itself or may be pushed: what touches it can't sleep.
CAIRN_HD bool stirs(const Bodies& bodies, std::uint32_t body) {
  const std::uint32_t flags = bodies.flags[body];
  if (is_awake_dynamic(flags)) return true;
  if (!is_kinematic(flags)) return false;
  const Vec3 zero{0, 0, 0};
  return !(bodies.v[body] == zero) || !(bodies.w[body] == zero);
}

/// Shapes by slot. A dead slot has body kNone.
struct Shapes {
  std::uint32_t* body;          ///< [1] (shapes)
  std::uint32_t* material;      ///< [1] (shapes)
  ShapeGeometry* geometry;      ///<     (shapes)
  // computed by bound
  Aabb* box;                    ///< [m] (shapes) grown by the speculative margin
  std::uint64_t* cell;          ///< [1] (shapes) level and cell in the grid
  std::uint32_t* bucket;        ///< [1] (shapes) hash bucket of the cell; bucket_count if listed, one more if in no grid
  // computed by pair
  std::uint32_t* sorted_bucket; ///< [1] (shapes)
  std::uint32_t* sorted;        ///< [1] (shapes) slots by bucket, then slot
  std::uint64_t* sorted_cell;   ///< [1] (shapes)
  Aabb* sorted_box;             ///< [m] (shapes)
  std::uint32_t* pair_count;    ///< [1] (shapes) pairs that this shape reports; then their exclusive sum
  PairNotes* pair_notes;        ///< [1] (shapes) the first of them

  friend bool operator==(const Shapes&, const Shapes&) = default;
  template <class S, class F>
  static void for_each_field(S& s, F f) {
    f("body", s.body); f("material", s.material); f("geometry", s.geometry); f("box", s.box); f("cell", s.cell);
    f("bucket", s.bucket); f("sorted_bucket", s.sorted_bucket); f("sorted", s.sorted); f("sorted_cell", s.sorted_cell);
    f("sorted_box", s.sorted_box); f("pair_count", s.pair_count);
    f("pair_notes", s.pair_notes);
  }
};

struct ContactMaterial {
  float friction;          ///< [1]
  float restitution;       ///< [1]
  float rolling_friction;  ///< [m]
};

struct ManifoldPoint {
  Vec3 r_a;               ///< [m]   from a's centre of mass to the point on a's surface, world axes, when the manifold was made
  Vec3 r_b;               ///< [m]   likewise for b; separation was normal . (x_b + r_b - x_a - r_a)
  float separation;       ///< [m]   at the step's start
  float impulse;          ///< [N s] normal impulse of the last substep; warm start of the next
  float total;            ///< [N s] summed over the last step's substeps
  std::uint32_t feature;  ///< [1]   what touches what; equal in the next step if the same features touch
};

enum ManifoldFlag : std::uint32_t {
  kManifoldActive = 1u << 0,    ///< has points and at least one awake dynamic body: gets a row
  kManifoldRecycled = 1u << 1,  ///< kept from the step before
  kManifoldFresh = 1u << 2,     ///< made in this step
};

/// Contact of two shapes: the cache entry. The normal points from a to b, a being the lower shape slot.
struct Manifold {
  ManifoldPoint points[4];
  Vec3 normal;            ///< [1]   world
  std::uint32_t count;    ///< [1]   0..4
  Vec3 friction;          ///< [N s] friction impulse on b, world, of the last substep
  float twist;            ///< [N s m] twist impulse about the normal, of the last substep
  Vec3 rolling;           ///< [N s m] rolling impulse on b, world, of the last substep
  std::uint32_t color;    ///< [1]   kNone if it has none
  Vec3 friction_total;    ///< [N s] summed over the last step's substeps
  std::uint32_t flags;    ///< ManifoldFlag
  Quat q_a, q_b;          ///< [1]   orientations when the manifold was made
  Vec3 offset;            ///< [m]   x_b - x_a when the manifold was made
  Vec3 slip;              ///< [m]   how far b has slipped on a since it last stuck, world; xpbd alone
};

/// Pairs of shapes whose boxes overlap, sorted by key, with their manifolds. There are two: this step's and the last one's.
struct Pairs {
  std::uint64_t* key;          ///< [1] (pairs) lower shape slot << 32 | higher
  Manifold* manifold;          ///<     (pairs)
  friend bool operator==(const Pairs&, const Pairs&) = default;
  template <class P, class F>
  static void for_each_field(P& p, F f) {
    f("key", p.key); f("manifold", p.manifold);
  }
};

/// Work arrays over pairs, within a step.
struct PairWork {
  std::uint64_t* unsorted_key;  ///< [1] (pairs) as found
  std::uint32_t* match;         ///< [1] (pairs) index in the last step's pairs, or kNone
  std::uint32_t* pending;       ///< [1] (pairs) 1 where a colour is wanted; then the exclusive sum
  std::uint32_t* edge;          ///< [1] (pairs) pairs that want a colour
  std::uint32_t* row_key;       ///< [1] (pairs) colour and point count
  std::uint32_t* sorted_row_key;///< [1] (pairs)
  std::uint32_t* row_order;     ///< [1] (pairs) pairs by row_key
  friend bool operator==(const PairWork&, const PairWork&) = default;
  template <class P, class F>
  static void for_each_field(P& p, F f) {
    f("unsorted_key", p.unsorted_key); f("match", p.match); f("pending", p.pending); f("edge", p.edge);
    f("row_key", p.row_key); f("sorted_row_key", p.sorted_row_key); f("row_order", p.row_order);
  }
};

inline constexpr std::uint32_t kRowLanes = 32;

/// 32 manifold rows, lane by lane (array of structures of arrays). Angular vectors are premultiplied by I^-1/2 of their body.
struct RowBlock {
  std::uint32_t body_a[kRowLanes];      ///< [1]
  std::uint32_t body_b[kRowLanes];      ///< [1]
  std::uint32_t pair[kRowLanes];        ///< [1] kNone in padding lanes
  std::uint32_t count[kRowLanes];       ///< [1] points, 0 in padding lanes
  float normal[3][kRowLanes];           ///< [1]
  float tangent[3][kRowLanes];          ///< [1] first tangent; the second is normal x tangent
  float friction_a[2][3][kRowLanes];    ///< [kg^-1/2] angular vectors of the friction rows at the friction centre
  float friction_b[2][3][kRowLanes];
  float twist_a[3][kRowLanes];          ///< [kg^-1/2 / m] angular vector of the twist row
  float twist_b[3][kRowLanes];
  float friction_mass[3][kRowLanes];    ///< [kg] inverse of the 2x2 block: xx, xy, yy
  float twist_mass[kRowLanes];          ///< [kg m^2]
  float mu[kRowLanes];                  ///< [1]
  float restitution[kRowLanes];         ///< [1]
  float friction_impulse[2][kRowLanes]; ///< [N s]
  float twist_impulse[kRowLanes];       ///< [N s m]
  float friction_total[2][kRowLanes];   ///< [N s] summed over substeps
  float slip[2][kRowLanes];             ///< [m]   at the step's start, along the tangents; less what slipping forgets
  // written and read only in worlds with rolling friction
  float rolling_a[2][3][kRowLanes];     ///< [kg^-1/2 / m] angular vectors of the rolling rows
  float rolling_b[2][3][kRowLanes];
  float rolling_mass[3][kRowLanes];     ///< [kg m^2] inverse of the 2x2 block
  float rolling_reach[kRowLanes];       ///< [m]   bound of the rolling impulse over the normal impulse
  float rolling_impulse[2][kRowLanes];  ///< [N s m]
  struct Point {
    float angular_a[3][kRowLanes];  ///< [kg^-1/2]
    float angular_b[3][kRowLanes];
    float separation[kRowLanes];  ///< [m]   at the step's start
    float mass[kRowLanes];        ///< [kg]  effective
    float lever[kRowLanes];       ///< [m]   distance from the friction centre
    float impulse[kRowLanes];     ///< [N s]
    float total[kRowLanes];       ///< [N s] summed over substeps
    float approach[kRowLanes];    ///< [m/s] normal velocity before the first impulse, for restitution
  } point[4];
};

/// Levels of the broad phase's grid. A level of no more than kListedLevel shapes (a floor, the walls of a bin) has no cells: its shapes are
/// listed, and every shape tests the list.
inline constexpr std::uint32_t kLevels = 64;
inline constexpr std::uint32_t kListedLevel = 8;

/// What a row does to one of its bodies in a Jacobi sweep.
struct alignas(32) RowPush {
  Vec3 v;        ///< [m/s]
  float active;  ///< [1] 1 if the row pushes in this substep, else 0
  Vec3 w;        ///< [kg^1/2 m/s] of w~
  float pad;
};

/// Ends of rows, for Jacobi sweeps alone: end 2 s is body a of row slot s, end 2 s + 1 body b.
struct RowEnds {
  std::uint32_t* body;         ///< [1] (ends) the body that the end pushes, or the count of bodies
  std::uint32_t* sorted_body;  ///< [1] (ends)
  std::uint32_t* sorted;       ///< [1] (ends) ends by body, then row slot
  RowPush* push;               ///<     (ends)
  friend bool operator==(const RowEnds&, const RowEnds&) = default;
  template <class R, class F>
  static void for_each_field(R& r, F f) {
    f("body", r.body); f("sorted_body", r.sorted_body); f("sorted", r.sorted); f("push", r.push);
  }
};

/// Where the ends of each body are, for Jacobi sweeps alone.
struct BodyEnds {
  std::uint32_t* begin;  ///< [1] (bodies + 1) first entry of RowEnds::sorted
  std::uint32_t* end;    ///< [1] (bodies + 1) one past the last
  float* share;          ///< [1] (bodies + 1) part of what a row wants that this body allows in this substep
  friend bool operator==(const BodyEnds&, const BodyEnds&) = default;
  template <class B, class F>
  static void for_each_field(B& b, F f) {
    f("begin", b.begin); f("end", b.end); f("share", b.share);
  }
};

/// Colours 0..63 by mask, 64 = overflow (one row at a time); then the same 65 for contacts with static and kinematic ends.
inline constexpr std::uint32_t kMaskColors = 64;
inline constexpr std::uint32_t kColorsPerClass = kMaskColors + 1;
inline constexpr std::uint32_t kColorCount = 2 * kColorsPerClass;
/// Rows of a colour start at a multiple of this, so that a pack of lanes stays inside one colour and one block.
inline constexpr std::uint32_t kRowAlign = 8;

/// Counters and flags of the step in flight, in device memory.
struct StepState {
  std::uint32_t pair_count[2];        ///< [1] of each Pairs table; the step's parity tells which is this step's
  std::uint32_t pairs_needed;         ///< [1] what `pair` counted
  std::uint32_t pairs_wrapped;        ///< [1] 1: more than 32 bits count
  std::uint32_t overflow;             ///< [1] 1: pairs_needed passed the capacity; the later stages do nothing
  std::uint32_t status;               ///< StatusBit, sticky
  std::uint32_t edge_count;           ///< [1] manifolds that want a colour
  std::uint32_t edges_colored;        ///< [1]
  std::uint32_t row_count;            ///< [1] row slots in use, padding included
  std::uint32_t end_count;            ///< [1] ends of them, counted for Jacobi sweeps alone
  std::uint64_t levels;               ///< [1] bit per level of the grid that is searched by cells
  std::uint32_t level_count[kLevels]; ///< [1] shapes of each level, counted up to kListedLevel + 1 at least
  std::uint64_t steps;                ///< [1] taken
  std::uint32_t manifolds, points, recycled, asleep;  ///< [1] of the last step
  std::uint32_t color_begin[kColorCount + 1];  ///< [1] first entry of row_order of each colour
  std::uint32_t color_row[kColorCount + 1];    ///< [1] first row slot of each colour
};

/// Constants of a step, by value to every functor that needs them.
struct StepConstants {
  float dt;                     ///< [s]
  float h;                      ///< [s]    substep
  float inv_h;                  ///< [1/s]
  Vec3 gravity;                 ///< [m/s^2]
  float bias_rate;              ///< [1/s]  omega / a1
  float mass_scale;             ///< [1]    a2 a3
  float impulse_scale;          ///< [1]    a3
  float push_out_speed;         ///< [m/s]
  float restitution_threshold;  ///< [m/s]
  float recycle_tolerance;      ///< [1]
  float warm_scale;             ///< [1]    h / h of the last step
  float sleep_speed;            ///< [m/s]
  float sleep_time;             ///< [s]
  MixRule friction_mix, restitution_mix, rolling_mix;
  std::uint32_t body_count;     ///< [1] slots
  std::uint32_t shape_count;    ///< [1] slots
  std::uint32_t plane_count;    ///< [1]
  std::uint32_t bucket_count;   ///< [1] power of two
  std::uint32_t pair_capacity;  ///< [1]
  std::uint32_t parity;         ///< [1] which Pairs table is this step's
  std::uint32_t recolor;        ///< [1] 1: drop all colours and start over
  friend bool operator==(const StepConstants&, const StepConstants&) = default;
};

}  // namespace cairn::kernels
