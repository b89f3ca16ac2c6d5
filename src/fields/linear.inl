#pragma once
// The linear equations of implicit Euler: (M - h D - h^2 K) dv = r, with D and K the derivatives of the force by
// velocity and position at the state `next`.

#include <algorithm>
#include <cmath>

#include "kernels/fields/implicit.h"
#include "src/fields/steps.inl"
#include "src/fields/sum.inl"

namespace cairn::ode {

/// Conjugate gradients; if the matrix turns out not to be symmetric, the stabilised method for any matrix (H. A. van
/// der Vorst, "Bi-CGSTAB", SIAM J. Sci. Stat. Comput. 13, 1992). Masses precondition both.
template <class Processor, class T>
class Linear {
 public:
  using Array = exec::Buffer<Vec3T<T>>;

  Linear(Processor& processor, std::uint32_t count, Steps<Processor, T>& steps, Sums<Processor>& sums)
      : steps_(steps), sums_(sums), count_(count), side_(processor.memory(), count), memory_(processor.memory()) {
    for (Array* a : {&z_, &p_, &q_, &hp_, &change_, &plus_, &minus_}) a->reserve(count);
  }

  /// Starts a run of steps: matrices count as symmetric until they turn out not to be.
  void begin() { symmetric_ = true; }
  /// Gives up symmetry. False if that was done before.
  bool turn() {
    const bool was = symmetric_;
    symmetric_ = false;
    return was;
  }
  void set(double t, double h) {
    t_ = t;
    h_ = h;
  }

  /// way = dv, until the residual is `share` of r; r becomes the residual.
  void solve(Array& r, Array& way, double share, std::uint32_t most, IntegrationReport& report) {
    // in exact arithmetic three iterations a particle would suffice
    const std::uint64_t steps = std::min<std::uint64_t>(most, 30 * std::uint64_t{count_} + 50);
    if (symmetric_) {
      from_.reserve(count_);
      copy(r, from_);
      if (gradients(r, way, share, steps, report)) return;
      symmetric_ = false;
      copy(from_, r);
    }
    any_matrix(r, way, share, steps, report);
  }

 private:
  double dot(const Array& a, const Array& b) { return sums_.of(kernels::DotOf<T>{a.data(), b.data()}); }
  double largest(const Vec3T<T>* a) { return std::sqrt(sums_.largest(kernels::DotOf<T>{a, a})); }
  void copy(const Array& from, Array& to) { steps_.each(kernels::Scale<T>{from.data(), T(1), to.data()}); }
  void by_inverse_mass(const Array& a, Array& to) {
    steps_.each(kernels::ByMass<T>{a.data(), steps_.inv_mass.data(), to.data()});
  }
  /// to = s a + b
  void add(double s, const Array& a, const Array& b, Array& to) {
    steps_.each(kernels::ScaleAdd<T>{a.data(), static_cast<T>(s), b.data(), to.data()});
  }

  /// False if it doesn't converge. If the matrix isn't positive along a direction, the result so far is a descent
  /// direction.
  bool gradients(Array& r, Array& way, double share, std::uint64_t most, IntegrationReport& report) {
    steps_.each(kernels::Fill<Vec3T<T>>{way.data(), {}});
    by_inverse_mass(r, z_);
    copy(z_, p_);
    double rz = dot(r, z_);
    const double wanted = share * share * rz;
    for (std::uint64_t k = 0; rz > wanted; ++k) {
      if (k == most) return false;
      ++report.gradient_steps;
      multiply(p_, q_);
      const double pq = dot(p_, q_);
      if (!(pq > 0)) {
        if (k == 0) copy(z_, way);
        return true;
      }
      const double alpha = rz / pq, before = rz;
      add(alpha, p_, way, way);
      add(-alpha, q_, r, r);
      by_inverse_mass(r, z_);
      rz = dot(r, z_);
      add(rz / before, p_, z_, p_);
    }
    return std::isfinite(rz);
  }

  void any_matrix(Array& r, Array& way, double share, std::uint64_t most, IntegrationReport& report) {
    for (Array* a : {&shadow_, &v_, &y_}) a->reserve(count_);
    steps_.each(kernels::Fill<Vec3T<T>>{way.data(), {}});
    copy(r, shadow_);
    copy(r, p_);
    double rho = dot(shadow_, r);
    const double wanted = share * share * dot(r, r);
    for (std::uint64_t k = 0; k < most; ++k) {
      ++report.gradient_steps;
      by_inverse_mass(p_, y_);
      multiply(y_, v_);
      const double along = dot(shadow_, v_);
      if (along == 0 || !std::isfinite(along)) return;
      const double alpha = rho / along;
      add(alpha, y_, way, way);
      add(-alpha, v_, r, r);
      if (dot(r, r) <= wanted) return;
      by_inverse_mass(r, z_);
      multiply(z_, q_);
      const double square = dot(q_, q_);
      if (!(square > 0)) return;
      const double omega = dot(q_, r) / square;
      add(omega, z_, way, way);
      add(-omega, q_, r, r);
      if (dot(r, r) <= wanted || omega == 0) return;
      const double next = dot(shadow_, r), beta = next / rho * (alpha / omega);
      rho = next;
      if (rho == 0) return;
      // p = r + beta (p - omega v)
      add(-omega, v_, p_, p_);
      add(beta, p_, r, p_);
    }
  }

  /// to = (M - h D - h^2 K) p at `next`.
  void multiply(const Array& p, Array& to) {
    const T h = static_cast<T>(h_);
    const kernels::Motion<T> next = steps_.next.get();
    Forces<Processor, T>& forces = steps_.forces;
    steps_.each(kernels::Scale<T>{p.data(), h, hp_.data()});
    forces.change(next, t_, hp_.data(), p.data(), change_.data());
    double e = 0;
    if (!forces.all_have_derivatives()) {
      // central differences: the cube root of epsilon balances their error, of second order, with rounding
      const double size = largest(next.x) + h_ * largest(next.v), way = largest(hp_.data());
      constexpr double kCubeRoot = sizeof(T) == 4 ? 0x1p-8 : 0x1p-17;
      e = kCubeRoot * (size > 0 ? size : 1.0) / (way > 0 ? way : 1.0);
      for (const double side : {e, -e}) {
        steps_.each(kernels::ScaleAdd<T>{hp_.data(), static_cast<T>(side), next.x, side_.get().x});
        steps_.each(kernels::ScaleAdd<T>{p.data(), static_cast<T>(side), next.v, side_.get().v});
        forces.force_without_derivative(side_.get(), t_, (side > 0 ? plus_ : minus_).data());
        ++steps_.evaluations;
      }
    }
    steps_.each(kernels::ImplicitProduct<T>{p.data(), change_.data(), e > 0 ? plus_.data() : nullptr, minus_.data(),
                                            e > 0 ? static_cast<T>(0.5 / e) : T(0), forces.mass.data(),
                                            steps_.inv_mass.data(), h, to.data()});
  }

  Steps<Processor, T>& steps_;
  Sums<Processor>& sums_;
  std::uint32_t count_;
  MotionStore<T> side_;
  exec::Memory& memory_;
  Array z_{memory_}, p_{memory_}, q_{memory_}, hp_{memory_}, change_{memory_}, plus_{memory_}, minus_{memory_};
  Array from_{memory_}, shadow_{memory_}, v_{memory_}, y_{memory_};  ///< without memory until they are used
  double t_{0}, h_{0};                                               ///< [s] of the wanted state, and of the step
  bool symmetric_{true};
};

}  // namespace cairn::ode
