#pragma once
// A scene under construction and then its world, on one thread, with what it does in double precision. And the
// tolerances that several tests share: each is a function of the substep h, the number of substeps and the constants of
// soft contacts, and none was fitted.

#include <algorithm>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "src/solve/traits.h"
#include "tests/reference/closed_forms.h"
#include "tests/reference/from_scene.h"

namespace cairn::verify {

namespace ref = reference;

inline constexpr double kG = 9.81f;              ///< [m/s^2] the engine's default, as the float that it is
inline constexpr double kUlp = 1.0 / (1 << 24);  ///< [1]     half an ulp of 1: what rounding a float costs
inline constexpr double kDegree = std::numbers::pi / 180;

/// A solver and its sweep.
struct Method {
  const char* name;
  SolverKind solver;
  SweepKind sweep;
  bool all_direct{false};  ///< every island of up to 256 bodies is solved directly
};
inline constexpr Method kSoftStep{"soft_step", SolverKind::kSoftStep, SweepKind::kGaussSeidel};
inline constexpr Method kXpbdGaussSeidel{"xpbd_gauss_seidel", SolverKind::kXpbd, SweepKind::kGaussSeidel};
inline constexpr Method kXpbdJacobi{"xpbd_jacobi", SolverKind::kXpbd, SweepKind::kJacobi};

inline constexpr Method kSequentialImpulse{"sequential_impulse", SolverKind::kSequentialImpulse,
                                           SweepKind::kGaussSeidel};
inline constexpr Method kSoftStepDirect{"soft_step_direct", SolverKind::kSoftStep, SweepKind::kGaussSeidel, true};
inline constexpr Method kAvbd{"avbd", SolverKind::kAvbd, SweepKind::kGaussSeidel};

inline constexpr Method kMethods[] = {kSoftStep,   kSoftStepDirect,    kXpbdGaussSeidel,
                                      kXpbdJacobi, kSequentialImpulse, kAvbd};
static_assert(std::ranges::all_of(kSolvers, [](const SolverTraits& solver) {
  return solver.elastic ||  // its own tests are in tests/hertz
         std::ranges::any_of(kMethods, [&](const Method& m) { return m.solver == solver.kind; });
}));

/// What every test is run with.
class EachSolver : public testing::TestWithParam<Method> {};

/// Rows of a suite.
#define CAIRN_VERIFY_EACH(suite)                                       \
  INSTANTIATE_TEST_SUITE_P(Solver, suite, testing::ValuesIn(kMethods), \
                           [](const auto& row) { return std::string(row.param.name); })

/// The same without avbd, whose penalties are finite: they do a part of what an overlap or an impact wants in a
/// substep, and the rest in the next ones.
#define CAIRN_VERIFY_WITHOUT_AVBD(suite)                                                                             \
  INSTANTIATE_TEST_SUITE_P(                                                                                          \
      Solver, suite, testing::Values(kSoftStep, kSoftStepDirect, kXpbdGaussSeidel, kXpbdJacobi, kSequentialImpulse), \
      [](const auto& row) { return std::string(row.param.name); })

/// The same without sequential impulses, whose push-out by Baumgarte's bias is a velocity, and stays.
#define CAIRN_VERIFY_RELAXED(suite)                                                                           \
  INSTANTIATE_TEST_SUITE_P(Solver, suite,                                                                     \
                           testing::Values(kSoftStep, kSoftStepDirect, kXpbdGaussSeidel, kXpbdJacobi, kAvbd), \
                           [](const auto& row) { return std::string(row.param.name); })

/// What steps do to the kinetic energy, as shares of the start's.
struct Growth {
  double step;   ///< [1] at most in a step
  double whole;  ///< [1] at most over the start's
  int at;        ///< the step of the former
};

inline ref::Vec3 wide(Vec3 a) { return {a.x, a.y, a.z}; }
inline ref::Vec3 wide(Vec3d a) { return {a.x, a.y, a.z}; }
inline ref::Quat wide(Quat q) { return {q.w, q.x, q.y, q.z}; }
inline Vec3 narrow(ref::Vec3 a) { return {static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z)}; }
inline Quat narrow(ref::Quat q) {
  return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z), static_cast<float>(q.w)};
}

/// Numbers from a generator whose sequence the standard fixes.
class Dice {
 public:
  explicit Dice(std::uint32_t seed) : generator_(seed) {}
  double number(double low, double high) { return low + (high - low) * generator_() / 4294967296.0; }
  ref::Vec3 vector(double size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  ref::Quat turn() { return ref::rotation(vector(3)); }
  Geometry shape() {
    const auto size = [&] { return static_cast<float>(number(0.2, 0.6)); };
    switch (generator_() % 3) {
      case 0:
        return Sphere{size()};
      case 1:
        return Box{{size(), size(), size()}};
      default:
        return Capsule{size(), size()};
    }
  }

 private:
  std::mt19937 generator_;
};

class Lab {
 public:
  /// `sequential_impulse` has no substeps, and is given steps of their length, of 12 passes.
  explicit Lab(const Method& method, int substeps = 6, double dt = 1.0 / 60);

  /// The step and substep as the engine has them: floats.
  double dt() const { return params.dt; }
  double h() const { return static_cast<double>(params.dt / static_cast<float>(substeps())); }
  int substeps() const { return params.solver == SolverKind::kSequentialImpulse ? 1 : params.substeps; }

  // ---- before the first step ----
  Scene scene;
  StepParams params;
  std::uint32_t material(double friction, double restitution = 0, double rolling_friction = 0);
  /// One whose surface moves, in the frame of its body.
  std::uint32_t belt(double friction, ref::Vec3 velocity, double restitution = 0);
  /// A body with one shape of density 1000, of the latest material; what is returned may be changed.
  Body make(Geometry geometry, ref::Vec3 x, ref::Quat q = {}, BodyType type = BodyType::kDynamic) const;
  std::uint32_t add(Body body);
  std::uint32_t launch(Geometry geometry, ref::Vec3 x, ref::Vec3 v, ref::Vec3 w = {}, ref::Quat q = {});
  std::uint32_t add_floor(ref::Vec3 normal = {0, 0, 1});

  // ---- from then on ----
  World& world();
  void step();
  void run(double seconds);  ///< round(seconds / dt) steps
  int steps{0};
  double time() const { return steps * dt(); }

  BodyHandle handle(std::uint32_t body);
  ref::Vec3 x(std::uint32_t body);
  ref::Vec3 v(std::uint32_t body);
  ref::Vec3 w(std::uint32_t body);
  ref::Quat q(std::uint32_t body);
  double mass(std::uint32_t body) const;

  /// Sums over the dynamic bodies.
  double kinetic_energy();
  Growth growth(double seconds);  ///< steps until then
  double potential_energy();      ///< [J]        zero at the origin
  double weight_mass() const;     ///< [kg]
  ref::Vec3 momentum();           ///< [kg m/s]
  ref::Vec3 angular_momentum();   ///< [kg m^2/s] about the origin
  /// Impulse of all contacts of the last step on a body [N s].
  ref::Vec3 contact_impulse(std::uint32_t body);

 private:
  /// Calls f(inertia, motion) for each dynamic body.
  template <class F>
  void each_motion(F f);

  std::optional<World> world_;
  std::vector<ref::BodyInertia> inertia_;  ///< empty until asked for: the reference lacks some shapes
  std::uint32_t material_{0};
};

/// With a floor; both, and what is added, of this material.
Lab on_floor(const Method& method, double friction, double restitution = 0, int substeps = 6);
/// Without gravity.
Lab in_space(const Method& method, double friction, double restitution = 0, int substeps = 6, double dt = 1.0 / 60);

/// Depth to which a soft contact sinks at rest under a body's weight times `load`. The bias pass gives
/// dl = -m mass_scale (vn + bias_rate s) - impulse_scale l; at rest l = load g h m, vn = 0 and dl = 0, so that
/// s = -(impulse_scale / mass_scale) load g h / bias_rate = -load g h^2 / (h omega)^2 (soft constraints, Catto 2011:
/// a spring of frequency omega). Contacts of `xpbd` are rigid, and sink less than that.
inline double soft_sink(const Lab& lab, double load = 1) {
  const double h_omega = 2 * std::numbers::pi * static_cast<double>(lab.params.contact_frequency_ratio);
  return load * kG * lab.h() * lab.h() / (h_omega * h_omega);
}

/// What rounding adds to a speed of at most v in n substeps: half an ulp for each, were all errors of one sign.
inline double rounded_speed(double v, int n) { return n * v * kUlp; }
/// And to a distance: the same for h v added n times, and the integral of the error of v.
inline double rounded_distance(double v, int n, double h) {
  return 0.5 * n * h * rounded_speed(v, n) + n * h * v * kUlp;
}

}  // namespace cairn::verify
