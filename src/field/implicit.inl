#pragma once
// Implicit Euler: v' = v + h a(x + h v', v'), by Newton's method with conjugate gradients and a line search.

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/field/implicit.h"
#include "src/field/steps.inl"
#include "src/field/sum.inl"

namespace cairn::ode {

template <class Processor, class T>
class Implicit {
 public:
  Implicit(Processor& processor, std::uint32_t count, Steps<Processor, T>& steps, Sums<Processor>& sums)
      : steps_(steps), sums_(sums), side_(processor.memory(), count), memory_(processor.memory()) {
    for (Array* a : {&best_, &way_, &r_, &z_, &p_, &q_, &hp_, &slope_, &force_, &plus_, &minus_}) a->reserve(count);
  }

  /// From `now` at time t to `next` at t + h. False where the equations weren't solved, or `next` isn't finite.
  bool take(double t, double h, const ImplicitParams& params, IntegrationReport& report) {
    t_ = t + h;
    h_ = h;
    const double tolerance = params.tolerance > 0 ? params.tolerance : (sizeof(T) == 4 ? 1e-5 : 1e-10);
    const Motion now = steps_.now.get(), next = steps_.next.get();
    steps_.each(kernels::Scale<T>{now.v, T(1), best_.data()});
    double norm = try_share(T(0));
    steps_.each(kernels::ByMass<T>{now.v, steps_.forces.mass(), z_.data()});
    // what is held at the same velocity throughout only makes the measure larger
    const double scale = norm + std::sqrt(dot(z_, z_));
    if (!std::isfinite(scale)) {
      // a force that isn't finite shows in the state
      steps_.each(kernels::ScaleAdd<T>{r_.data(), T(1), next.v, next.v});
      return false;
    }
    for (std::uint32_t step = 0; norm > tolerance * scale; ++step) {
      if (step == params.newton_steps) return false;
      ++report.newton_steps;
      // r_ is the slope of what the step minimises, where its forces have a potential
      steps_.each(kernels::Scale<T>{r_.data(), T(1), slope_.data()});
      solve(std::clamp(0.1 * tolerance * scale / norm, 1e-12, 1e-2), params.gradient_steps, report);
      const double descent = dot(slope_, way_);
      const auto good = [&](double reached) {
        return reached < norm || (std::isfinite(reached) && std::fabs(dot(r_, way_)) <= kSlope * descent);
      };
      double share = 1.0, reached = try_share(T(1));
      bool better = good(reached);
      for (int halving = 0; !better && halving < kHalvings; ++halving) {
        share *= 0.5;
        reached = try_share(static_cast<T>(share));
        better = good(reached);
      }
      if (better) {
        norm = reached;
        steps_.each(kernels::Scale<T>{next.v, T(1), best_.data()});
      } else {
        norm = try_share(T(0));
      }
      // positions and velocities that differ by rounding are as near as there is
      const double eps = 4 * static_cast<double>(std::numeric_limits<T>::epsilon()), change = std::sqrt(dot(way_, way_));
      const bool rounding = h * change <= eps * length(next.x) || change <= eps * length(next.v);
      if (rounding) break;
      if (!better) return false;
    }
    report.residual = std::max(report.residual, scale > 0 ? norm / scale : 0.0);
    return true;
  }

 private:
  using Motion = kernels::Motion<T>;
  using Array = exec::Buffer<Vec3T<T>>;
  static constexpr int kHalvings = 12;
  // [1] A stiff spring that turns leaves more at the end of a good step than at its start, so that the norm alone would
  // allow steps as short as its stretch only; what is left along the way tells how near its lowest point is.
  static constexpr double kSlope = 0.9;

  double dot(const Array& a, const Array& b) { return sums_.of(kernels::DotOf<T>{a.data(), b.data()}); }
  double length(const Vec3T<T>* a) { return std::sqrt(sums_.of(kernels::DotOf<T>{a, a})); }

  double largest(const Vec3T<T>* a) { return std::sqrt(sums_.largest(kernels::DotOf<T>{a, a})); }

  /// `next` becomes the best velocities and a share of the way; returns the norm of what its equations leave, which r_
  /// is then. [N s]
  double try_share(T share) {
    const T h = static_cast<T>(h_);
    const Motion now = steps_.now.get(), next = steps_.next.get();
    steps_.each(kernels::ImplicitTrial<T>{now.x, best_.data(), way_.data(), share, h, next});
    steps_.forces.force(next, t_, force_.data());
    ++steps_.evaluations;
    steps_.each(kernels::ImplicitResidual<T>{force_.data(), now.v, next.v, steps_.forces.mass(),
                                             steps_.inv_mass.data(), h, r_.data()});
    return std::sqrt(dot(r_, r_));
  }

  /// Conjugate gradients with the masses for a preconditioner: way_ = (M - h D - h^2 K)^-1 r_, until the rest is
  /// `share` of r_. Where the matrix isn't positive along a direction, what is there so far is a way downhill.
  void solve(double share, std::uint32_t most, IntegrationReport& report) {
    steps_.each(kernels::Fill<Vec3T<T>>{way_.data(), {}});
    steps_.each(kernels::ByMass<T>{r_.data(), steps_.inv_mass.data(), z_.data()});
    steps_.each(kernels::Scale<T>{z_.data(), T(1), p_.data()});
    double rz = dot(r_, z_);
    const double wanted = share * share * rz;
    for (std::uint32_t k = 0; k < most && rz > wanted; ++k) {
      ++report.gradient_steps;
      multiply();
      const double pq = dot(p_, q_);
      if (!(pq > 0)) {
        if (k == 0) steps_.each(kernels::Scale<T>{z_.data(), T(1), way_.data()});
        return;
      }
      const T alpha = static_cast<T>(rz / pq);
      steps_.each(kernels::ScaleAdd<T>{p_.data(), alpha, way_.data(), way_.data()});
      steps_.each(kernels::ScaleAdd<T>{q_.data(), -alpha, r_.data(), r_.data()});
      steps_.each(kernels::ByMass<T>{r_.data(), steps_.inv_mass.data(), z_.data()});
      const double before = rz;
      rz = dot(r_, z_);
      steps_.each(kernels::ScaleAdd<T>{p_.data(), static_cast<T>(rz / before), z_.data(), p_.data()});
    }
  }

  /// q_ = (M - h D - h^2 K) p_ at `next`.
  void multiply() {
    const T h = static_cast<T>(h_);
    const Motion next = steps_.next.get();
    Forces<Processor, T>& forces = steps_.forces;
    steps_.each(kernels::Scale<T>{p_.data(), h, hp_.data()});
    forces.change(next, t_, hp_.data(), p_.data(), force_.data());
    double e = 0;
    if (!forces.all_have_derivatives()) {
      // central differences: the cube root of epsilon balances their error, of second order, with rounding
      const double size = largest(next.x) + h_ * largest(next.v), way = largest(hp_.data());
      constexpr double kCubeRoot = sizeof(T) == 4 ? 0x1p-8 : 0x1p-17;
      e = kCubeRoot * (size > 0 ? size : 1.0) / (way > 0 ? way : 1.0);
      for (const double side : {e, -e}) {
        steps_.each(kernels::ScaleAdd<T>{hp_.data(), static_cast<T>(side), next.x, side_.get().x});
        steps_.each(kernels::ScaleAdd<T>{p_.data(), static_cast<T>(side), next.v, side_.get().v});
        forces.force_without_derivative(side_.get(), t_, (side > 0 ? plus_ : minus_).data());
        ++steps_.evaluations;
      }
    }
    steps_.each(kernels::ImplicitProduct<T>{p_.data(), force_.data(), e > 0 ? plus_.data() : nullptr, minus_.data(),
                                            e > 0 ? static_cast<T>(0.5 / e) : T(0), forces.mass(),
                                            steps_.inv_mass.data(), h, q_.data()});
  }

  Steps<Processor, T>& steps_;
  Sums<Processor>& sums_;
  MotionStore<T> side_;
  exec::Memory& memory_;
  Array best_{memory_}, way_{memory_}, r_{memory_}, z_{memory_}, p_{memory_}, q_{memory_}, hp_{memory_}, slope_{memory_};
  Array force_{memory_}, plus_{memory_}, minus_{memory_};
  double t_{0}, h_{0};  ///< [s] of the state looked for, and of the step
};

}  // namespace cairn::ode
