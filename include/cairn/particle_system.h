#pragma once
// Particles driven by forces: their state and its integration in time.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/device.h"
#include "cairn/field.h"
#include "cairn/fields.h"
#include "cairn/types.h"

namespace cairn {

enum class Precision { kDouble, kFloat };
template <>
struct EnumWords<Precision> : WordsUpTo<Precision::kFloat> {};

/// Method of a step of length h; in brackets its order and its evaluations of the forces.
enum class Integrator {
  kExplicitEuler,    ///< x' = x + h v, v' = v + h a(x, v)  [1, 1]
  kSymplecticEuler,  ///< v' = v + h a(x, v), x' = x + h v'  [1, 1]
  kMidpoint,         ///< the rates at half an explicit Euler step  [2, 2]
  kTrapezoid,        ///< Heun's: mean of the rates at the start and after an explicit Euler step  [2, 2]
  kVerlet,           ///< velocity Verlet; forces that depend on velocity see v + h a [2, 1, and 1 a call]
  kRungeKutta4,      ///< the classic method  [4, 4]
  kImplicitEuler,    ///< x' = x + h v', v' = v + h a(x', v') [1, as many as Newton's method needs]
};
template <>
struct EnumWords<Integrator> : WordsUpTo<Integrator::kImplicitEuler> {};

/// Parameters of implicit Euler. Its equations are solved by Newton's method with conjugate gradients, or with
/// Bi-CGSTAB if the forces aren't symmetric. Derivatives come from the fields that have one, and otherwise from central
/// differences.
struct ImplicitParams {
  double tolerance{0};
  std::uint32_t newton_steps{200};
  std::uint32_t gradient_steps{2000};
};

template <Same<ImplicitParams> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::tolerance>(
        {.meaning = "of the momentum equation, of h |F| + |m v|; 0: 1e-10 in double, 1e-5 in float"}),
    attribute<&S::newton_steps>({.meaning = "at most"}),
    attribute<&S::gradient_steps>({.meaning = "of conjugate gradients or Bi-CGSTAB in each, at most"})};

struct ParticleStates {
  std::vector<Vec3d> position;     ///< [m]   (count) finite
  std::vector<Vec3d> velocity;     ///< [m/s] (count) finite; empty: all at rest
  std::vector<double> mass;        ///< [kg]  (count) over 0, finite; empty: 1 each
  std::vector<std::uint8_t> held;  ///< [1]   (count) not 0: no force changes its velocity; empty: none
};

/// Rates of change of the ODE's state.
struct ParticleRates {
  std::vector<Vec3d> velocity;      ///< [m/s]   (count)
  std::vector<Vec3d> acceleration;  ///< [m/s^2] (count)
};

enum class Stop {
  kTime,       ///< at the requested time
  kEvent,      ///< an event's number has just changed sign
  kNotFinite,  ///< the next step would give a NaN or an infinity: the state is the one before it
  kNotSolved,  ///< implicit Euler's equations weren't solved: the state is the one before the step
};
template <>
struct EnumWords<Stop> : WordsUpTo<Stop::kNotSolved> {};

/// State and effort of an integration when it stopped.
struct IntegrationReport {
  Stop stop{Stop::kTime};
  double time{0};
  std::uint32_t particle{0};
  std::uint64_t steps{0};
  std::uint64_t evaluations{0};
  std::uint64_t newton_steps{0};
  std::uint64_t gradient_steps{0};
  double residual{0};
};

template <Same<IntegrationReport> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::stop>({.meaning = "why"}),
    attribute<&S::time>({.unit = "s", .meaning = "of the state now"}),
    attribute<&S::particle>({.meaning = "of an event or what isn't finite, the first by index; else the count"}),
    attribute<&S::steps>({.meaning = "that the state has gone on by"}),
    attribute<&S::evaluations>({.meaning = "of all forces together, those for finding events and solving included"}),
    attribute<&S::newton_steps>({.meaning = "of Newton's method"}),
    attribute<&S::gradient_steps>({.meaning = "of conjugate gradients or Bi-CGSTAB"}),
    attribute<&S::residual>({.meaning = "largest that implicit Euler left, in the measure of its tolerance"})};

/// An ordinary differential equation on a Device. The state is the particles' positions and velocities, its derivative
/// their velocities and the sum of all fields over mass. The same fields, state and calls give the same bits for any
/// number of CPU threads and on a CUDA device. Not safe for several threads at a time.
class ParticleSystem {
 public:
  /// Throws InvalidArgument, naming array and particle, for invalid states; DeviceError for a device that isn't there;
  /// CapacityError if memory runs out.
  explicit ParticleSystem(const ParticleStates& states, const Device& device = Device::best(),
                          Precision precision = Precision::kDouble);
  ~ParticleSystem();
  ParticleSystem(ParticleSystem&&) noexcept;
  ParticleSystem& operator=(ParticleSystem&&) noexcept;

  /// Forces add up in the order in which their fields were added. Throws InvalidArgument, naming field, member and
  /// value, for an invalid field; DeviceError for a field that this device can't run.
  void add(const Field& field);
  void add(const fields::Any& field);
  void clear_fields();

  std::uint32_t count() const;
  double time() const;  ///< [s] 0 at first
  Precision precision() const;
  const Device& device() const;

  /// Masses and held particles included. In float, the state is rounded to it when it is set.
  ParticleStates state() const;
  /// The number of particles must stay. Throws like the constructor, and changes nothing then.
  void set_state(const ParticleStates& states);
  void set_time(double time);
  ParticleRates rates();

  /// Advances to time t1 [s] by steps of h [s], the last of which may be shorter, or until `event`. A particle whose
  /// number isn't positive at a step's start (kFalling) doesn't stop that step: after a stop the state is past the
  /// change of sign, so that the call may be repeated. The change is found by halving the step, from its start, with
  /// the same method: to within `tolerance` of the first change that the bisection meets. A number that changes sign
  /// and back within a step goes unnoticed. Throws InvalidArgument for t1 before time(), for h that isn't over 0, and
  /// for numbers that aren't finite.
  IntegrationReport integrate(double t1, double h, Integrator method, const std::optional<Event>& event = {},
                              const ImplicitParams& params = {});

  double kinetic_energy();           ///< [J]
  double potential_energy();         ///< [J] of all fields that have one
  Vec3d momentum();                  ///< [kg m/s]
  std::uint64_t state_hash() const;  ///< of positions, velocities and time

  class Solver;

 private:
  std::unique_ptr<Solver> solver_;
};

}  // namespace cairn
