#pragma once
// Results of calls as text that differs where a bit does.

#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "cairn/cairn.h"
#include "cairn/picture.h"
#include "cairn/quality.h"

namespace cairn::rounding_test {

/// What calls gave, by name. Members one by one: padding has no bits of its own.
class Bits {
 public:
  template <class... T>
  void operator()(const std::string& name, const T&... values) {
    std::string& to = of_[name];
    (add(to, values), ...);
  }
  const std::map<std::string, std::string>& all() const { return of_; }

 private:
  template <class T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  static void add(std::string& to, T value) { to.append(reinterpret_cast<const char*>(&value), sizeof value); }
  static void add(std::string& to, const std::string& v) { to += v; }
  template <class T>
  static void add(std::string& to, const Vec3T<T>& v) {
    to.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  template <class T>
  static void add(std::string& to, const QuatT<T>& v) {
    to.append(reinterpret_cast<const char*>(&v), sizeof v);
  }
  static void add(std::string& to, BodyHandle v) { add(to, v.index); }
  static void add(std::string& to, const BodyState& v) {
    each(to, v.position, v.orientation, v.linear_velocity, v.angular_velocity);
  }
  static void add(std::string& to, const MassProperties& v) { each(to, v.mass, v.centre_of_mass, v.moments, v.axes); }
  static void add(std::string& to, const Inertia& v) { each(to, v.moments, v.products); }
  static void add(std::string& to, const Pose& v) { each(to, v.position, v.orientation); }
  static void add(std::string& to, const JointAnchor& v) { each(to, v.body, v.position, v.orientation); }
  static void add(std::string& to, const JointState& v) { each(to, v.coordinates, v.force, v.torque, v.broken); }
  static void add(std::string& to, const JointEffort& v) { each(to, v.effort); }
  static void add(std::string& to, const QueryHit& v) { each(to, v.body, v.shape, v.distance, v.position, v.normal); }
  static void add(std::string& to, const QueryHits& v) { each(to, v.hits, v.begin); }
  static void add(std::string& to, const ContactResidual& v) {
    each(to, v.signorini, v.coulomb, v.twist, v.cone, v.penetration, v.points);
  }
  static void add(std::string& to, const Contact& v) {
    each(to, v.a, v.b, v.normal, v.count, v.friction_impulse);
    for (int i = 0; i < v.count; ++i) {
      const Contact::Point& p = v.points[static_cast<std::size_t>(i)];
      each(to, p.position, p.separation, p.impulse);
    }
  }
  static void add(std::string& to, const ContactEvent& v) { each(to, v.position, v.normal, v.separation, v.impulse); }
  static void add(std::string& to, const ContactEvents& v) { each(to, v.begun, v.persisting, v.ended.size()); }
  static void add(std::string& to, const WorldReport& v) { each(to, v.status, v.first_bad_step, v.steps, v.time); }
  static void add(std::string& to, const StepReport& v) { each(to, v.status, v.steps, v.time, v.points, v.pairs); }
  static void add(std::string& to, const Scales& v) { each(to, v.size, v.mass, v.friction, v.restitution); }
  static void add(std::string& to, const BodyScales& v) { each(to, v.size, v.mass, v.inertia); }
  static void add(std::string& to, const Quality& v) {
    each(to, v.max_penetration, v.mean_penetration, v.overlaps, v.max_drift, v.max_excursion, v.height_loss,
         v.rms_speed, v.kinetic_energy, v.potential_energy, v.momentum, v.fallen, v.finite);
  }
  static void add(std::string& to, const ParticleStates& v) { each(to, v.position, v.velocity, v.mass); }
  static void add(std::string& to, const ParticleRates& v) { each(to, v.velocity, v.acceleration); }
  static void add(std::string& to, const ArticulationState& v) { each(to, v.q, v.v); }
  static void add(std::string& to, const Surface& v) { each(to, v.vertices, v.triangles); }
  template <class T>
  static void add(std::string& to, const std::vector<T>& v) {
    for (const T& each_of : v) add(to, each_of);
  }
  template <class T, std::size_t N>
  static void add(std::string& to, const std::array<T, N>& v) {
    for (const T& each_of : v) add(to, each_of);
  }
  template <class T>
  static void add(std::string& to, std::span<const T> v) {
    for (const T& each_of : v) add(to, each_of);
  }
  template <class... T>
  static void each(std::string& to, const T&... values) {
    (add(to, values), ...);
  }

  std::map<std::string, std::string> of_;
};

/// Calls of the public interface, each kind in a function of its own, and what they give.
void scenes_and_files(Bits& bits);
void solids_and_masses(Bits& bits);
void worlds(Bits& bits);
void edits(Bits& bits);
void queries(Bits& bits);
void actuators(Bits& bits);
void particles(Bits& bits);
void articulated(Bits& bits);

/// Boxes on a floor, one of them with a point mass, on a hinge with a kinematic one; a rope.
Scene mixed_scene();

}  // namespace cairn::rounding_test
