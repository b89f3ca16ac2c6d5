#pragma once
// One step of each explicit integrator.

#include <array>

#include "cairn/particle_system.h"
#include "kernels/fields/integrate.h"
#include "src/fields/forces.inl"

namespace cairn::ode {

/// Positions and velocities of all particles, in own memory.
template <class T>
struct MotionStore {
  exec::Buffer<Vec3T<T>> x, v;
  MotionStore(exec::Memory& memory, std::uint32_t count) : x(memory, count), v(memory, count) {}
  kernels::Motion<T> get() const { return {x.data(), v.data()}; }
};

/// The first n, in double.
template <class T>
std::vector<Vec3d> widened(const exec::Buffer<Vec3T<T>>& of, std::size_t n) {
  std::vector<Vec3d> wide;
  wide.reserve(n);
  for (const Vec3T<T>& a : of.read(n)) wide.push_back({a.x, a.y, a.z});
  return wide;
}

template <class Processor, class T>
class Steps {
 public:
  using Motion = kernels::Motion<T>;

  Steps(Processor& processor, std::uint32_t count)
      : forces(processor, count),
        now(processor.memory(), count),
        next(processor.memory(), count),
        inv_mass(processor.memory(), count),
        processor_(processor),
        count_(count),
        sum_(processor.memory(), count),
        force_(processor.memory(), count),
        a_(processor.memory(), count),
        before_(processor.memory(), count) {}

  /// State or fields were changed from outside.
  void forget() { before_known_ = false; }

  /// Advances from `now` at time t to `next` at t + h.
  void take(Integrator method, double t, double h) {
    switch (method) {
      case Integrator::kExplicitEuler:
        return runge_kutta<1>(t, h, {1.0}, {});
      case Integrator::kMidpoint:
        return runge_kutta<2>(t, h, {0.0, 1.0}, {0.5});
      case Integrator::kTrapezoid:
        return runge_kutta<2>(t, h, {0.5, 0.5}, {1.0});
      case Integrator::kRungeKutta4:
        return runge_kutta<4>(t, h, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}, {0.5, 0.5, 1.0});
      case Integrator::kSymplecticEuler: {
        const Motion from = now.get();
        accelerate(from, t, a_.data());
        const T step = static_cast<T>(h);
        return each(kernels::StepAlong<T, false>{from.x, from.v, a_.data(), step, step, next.get()});
      }
      case Integrator::kVerlet:
        return verlet(t, h);
      case Integrator::kImplicitEuler:
        return;  // src/fields/implicit.inl
    }
  }

  /// `next` was made `now`.
  void took(Integrator method) {
    if (method == Integrator::kVerlet) std::swap(before_, a_);
  }

  /// [m/s^2] of a state.
  void accelerate(const Motion& at, double t, Vec3T<T>* to) {
    forces.force(at, t, force_.data());
    ++evaluations;
    each(kernels::Accelerate<T>{force_.data(), inv_mass.data(), to});
  }
  const exec::Buffer<Vec3T<T>>& acceleration() const { return a_; }

  template <class F>
  void each(const F& f) {
    processor_.exec().for_each(count_, f);
  }

  Forces<Processor, T> forces;
  MotionStore<T> now, next;
  exec::Buffer<T> inv_mass;  ///< [1/kg] (count) 0: held
  std::uint64_t evaluations{0};

 private:
  /// Each stage starts from the rates of the one before, `ahead` steps ahead.
  template <std::size_t kStages>
  void runge_kutta(double t, double h, const std::array<double, kStages>& weight,
                   const std::array<double, kStages - 1>& ahead) {
    for (std::size_t s = 0; s < kStages; ++s) {
      const bool first = s == 0, last = s + 1 == kStages;
      const Motion at = first ? now.get() : next.get();
      accelerate(at, first ? t : t + ahead[s - 1] * h, a_.data());
      each(kernels::RungeKuttaStage<T>{now.get(), at.v, a_.data(), sum_.get(), next.get(), static_cast<T>(weight[s]),
                                       static_cast<T>(last ? h : ahead[s] * h), first, last});
    }
  }

  void verlet(double t, double h) {
    if (!before_known_) accelerate(now.get(), t, before_.data());
    before_known_ = true;
    const T step = static_cast<T>(h);
    each(kernels::VerletBegin<T>{now.get(), next.get(), before_.data(), step});
    accelerate(next.get(), t + h, a_.data());
    each(kernels::VerletEnd<T>{now.get(), next.get(), before_.data(), a_.data(), step});
  }

  Processor& processor_;
  std::uint32_t count_;
  MotionStore<T> sum_;
  exec::Buffer<Vec3T<T>> force_, a_, before_;
  bool before_known_{false};  ///< before_ holds the accelerations of `now`
};

}  // namespace cairn::ode
