#pragma once
// Sensors of motion: frames, and inertial measurement units.

#include "cairn/sensor_set.h"
#include "kernels/sensors/sites.h"

namespace cairn::kernels {

inline constexpr int kPoseWords = 7, kVelocityWords = 6, kImuWords = 6;  ///< [1] of a reading

/// A FrameSensor.
struct SensedFrame {
  std::uint32_t site, reference;  ///< [1] numbers of sites
  VelocityAxes axes;
};

/// Pose and velocity of a site against its reference: x = R_r^T (x_s - x_r), q = q_r* q_s, and relative to the
/// reference, which turns, v = R_r^T (v_s - v_r - w_r x (x_s - x_r)), w = R_r^T (w_s - w_r). Writes reading i. One
/// thread per sensor of a world.
struct SenseFrame {
  SiteReader sites;
  const SensedFrame* sensor;  ///< (sensors)
  std::uint32_t count;        ///< [1] sensors of a world
  float* pose;                ///< [m, 1] (worlds sensors kPoseWords)
  float* velocity;            ///< [m/s, rad/s] (worlds sensors kVelocityWords)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const SensedFrame& of = sensor[i % count];
    const SiteState s = sites(i / count, of.site), r = sites(i / count, of.reference);
    float* const to = pose + std::size_t{i} * kPoseWords;
    float* const rates = velocity + std::size_t{i} * kVelocityWords;
    if (s.body == kSiteGone || r.body == kSiteGone) {
      put_gone(to, kPoseWords);
      put_gone(rates, kVelocityWords);
      return;
    }
    const Quatd back = conjugate(r.q), q = back * s.q;
    const Vec3d apart = s.x - r.x;
    put_words(to, rotate(back, apart));
    put_words(to + 3, Vec3d{q.x, q.y, q.z});
    to[6] = static_cast<float>(q.w);
    const Quatd axes = of.axes == VelocityAxes::kSite ? conjugate(s.q) : back;
    put_words(rates, rotate(axes, (s.v - r.v) - cross(r.w, apart)));
    put_words(rates + 3, rotate(axes, s.w - r.w));
  }
};

/// State of an IMU from the update before.
struct ImuMemory {
  Vec3d v;                   ///< [m/s] of the site's origin, world
  Quatd q;                   ///< [1]   site to world
  double time;               ///< [s]   of the world
  std::uint32_t resets;      ///< [1]   of the world
  std::uint32_t generation;  ///< [1]   of the body
  std::uint32_t known;       ///< [1]   0: there was none
};

/// Specific force f = R^T (dv/dt - g) and angular velocity at a site, both in the site's axes: dv is the change of its
/// velocity since the update before, dt the world's time since then, and R the orientation halfway. Without an update
/// before, as after a reset, dv is 0; without time between the two f keeps its last reading. Writes reading and memory
/// i. One thread per sensor of a world.
struct SenseImu {
  SiteReader sites;
  Worlds worlds;
  const std::uint32_t* site;  ///< [1] (sensors) number
  std::uint32_t count;        ///< [1] sensors of a world
  ImuMemory* memory;          ///<     (worlds sensors)
  float* reading;             ///< [m/s^2, rad/s] (worlds sensors kImuWords)

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t world = i / count;
    const SiteState s = sites(world, site[i % count]);
    float* const to = reading + std::size_t{i} * kImuWords;
    ImuMemory& memory_of = memory[i];
    if (s.body == kSiteGone) {
      memory_of.known = 0;
      put_gone(to, kImuWords);
      return;
    }
    put_words(to + 3, rotate(conjugate(s.q), s.w));
    const ImuMemory now{s.v, s.q, worlds.time[world], worlds.episode[world], generation_of(s.body), 1};
    const ImuMemory before = memory_of;
    memory_of = now;
    const bool follows = before.known != 0 && before.resets == now.resets && before.generation == now.generation;
    const double dt = now.time - before.time;
    if (follows && dt == 0.0) return;
    const bool moved = follows && dt > 0.0;
    const Vec3d dv = now.v - before.v, a = moved ? Vec3d{dv.x / dt, dv.y / dt, dv.z / dt} : Vec3d{0, 0, 0};
    put_words(to, rotate(conjugate(moved ? halfway(before.q, now.q) : now.q), a - gravity_at(world, s.body)));
  }

 private:
  CAIRN_HD std::uint32_t generation_of(std::uint32_t body) const {
    return body == kSiteOfWorld ? 0 : sites.bodies.generation[body];
  }
  /// A freely falling body reads 0 for any scale of its gravity; links fall with their articulation.
  CAIRN_HD Vec3d gravity_at(std::uint32_t world, std::uint32_t body) const {
    const Vec3d g = widen(worlds.gravity[world]);
    if (body == kSiteOfWorld) return g;
    const std::uint32_t flags = sites.bodies.flags[body];
    return is_dynamic(flags) && !is_link(flags) ? double{sites.bodies.gravity_scale[body]} * g : g;
  }
  /// The rotation halfway between two, which are at most half a turn apart.
  CAIRN_HD static Quatd halfway(const Quatd& a, const Quatd& b) {
    const double side = fma(a.x, b.x, fma(a.y, b.y, fma(a.z, b.z, a.w * b.w))) < 0.0 ? -1.0 : 1.0;
    const Quatd sum{fma(side, a.x, b.x), fma(side, a.y, b.y), fma(side, a.z, b.z), fma(side, a.w, b.w)};
    const double l = sqrt(fma(sum.x, sum.x, fma(sum.y, sum.y, fma(sum.z, sum.z, sum.w * sum.w))));
    return {sum.x / l, sum.y / l, sum.z / l, sum.w / l};
  }
};

}  // namespace cairn::kernels
