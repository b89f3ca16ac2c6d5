#pragma once
// Implicit Euler: v' = v + h a(x + h v', v'), by Newton's method with a line search.

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/fields/linear.inl"

namespace cairn::ode {

template <class Processor, class T>
class Implicit {
 public:
  Implicit(Processor& processor, std::uint32_t count, Steps<Processor, T>& steps, Sums<Processor>& sums)
      : steps_(steps), sums_(sums), linear_(processor, count, steps, sums), memory_(processor.memory()) {
    for (Array* a : {&best_, &way_, &r_, &slope_, &force_}) a->reserve(count);
  }

  /// A run of steps begins.
  void begin() { linear_.begin(); }

  /// From `now` at time t to `next` at t + h. False where the equations weren't solved, or `next` isn't finite.
  bool take(double t, double h, const ImplicitParams& params, IntegrationReport& report) {
    t_ = t + h;
    h_ = h;
    linear_.set(t_, h);
    const double tolerance = params.tolerance > 0 ? params.tolerance : (sizeof(T) == 4 ? 1e-5 : 1e-10);
    const Motion now = steps_.now.get(), next = steps_.next.get();
    steps_.each(kernels::Scale<T>{now.v, T(1), best_.data()});
    double norm = try_share(T(0));
    steps_.each(kernels::ByMass<T>{now.v, steps_.forces.mass.data(), way_.data()});
    // held particles that move at a constant velocity only make the measure larger
    const double scale = norm + std::sqrt(dot(way_, way_));
    if (!std::isfinite(scale)) {
      // a force that isn't finite shows in the state
      steps_.each(kernels::ScaleAdd<T>{r_.data(), T(1), next.v, next.v});
      return false;
    }
    for (std::uint32_t step = 0; norm > tolerance * scale; ++step) {
      if (step == params.newton_steps) return false;
      ++report.newton_steps;
      // r_ is the slope of the function that the step minimises, if its forces have a potential
      steps_.each(kernels::Scale<T>{r_.data(), T(1), slope_.data()});
      linear_.solve(r_, way_, std::clamp(0.1 * tolerance * scale / norm, 1e-12, 1e-2), params.gradient_steps, report);
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
      // positions and velocities that differ by rounding can't come closer
      const double eps = 4 * static_cast<double>(std::numeric_limits<T>::epsilon()),
                   change = std::sqrt(dot(way_, way_));
      const bool rounding = h * change <= eps * length(next.x) || change <= eps * length(next.v);
      if (rounding) break;
      if (!better && !linear_.turn()) return false;
    }
    report.residual = std::max(report.residual, scale > 0 ? norm / scale : 0.0);
    return true;
  }

 private:
  using Motion = kernels::Motion<T>;
  using Array = exec::Buffer<Vec3T<T>>;
  static constexpr int kHalvings = 12;
  // [1] A rotating stiff spring leaves a larger residual at the end of a good step than at its start. So the norm alone
  // would only allow steps as short as its stretch. The slope along the way shows how near its minimum is.
  static constexpr double kSlope = 0.9;

  double dot(const Array& a, const Array& b) { return sums_.of(kernels::DotOf<T>{a.data(), b.data()}); }
  double length(const Vec3T<T>* a) { return std::sqrt(sums_.of(kernels::DotOf<T>{a, a})); }

  /// `next` becomes the best velocities plus a share of the way. Returns the norm of the residual of its equations,
  /// which is then in r_. [N s]
  double try_share(T share) {
    const T h = static_cast<T>(h_);
    const Motion now = steps_.now.get(), next = steps_.next.get();
    steps_.each(kernels::StepAlong<T, true>{now.x, best_.data(), way_.data(), share, h, next});
    steps_.forces.force(next, t_, force_.data());
    ++steps_.evaluations;
    steps_.each(kernels::ImplicitResidual<T>{force_.data(), now.v, next.v, steps_.forces.mass.data(),
                                             steps_.inv_mass.data(), h, r_.data()});
    return std::sqrt(dot(r_, r_));
  }

  Steps<Processor, T>& steps_;
  Sums<Processor>& sums_;
  Linear<Processor, T> linear_;
  exec::Memory& memory_;
  Array best_{memory_}, way_{memory_}, r_{memory_}, slope_{memory_}, force_{memory_};
  double t_{0}, h_{0};  ///< [s] of the wanted state, and of the step
};

}  // namespace cairn::ode
