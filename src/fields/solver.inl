#pragma once
// A ParticleSystem on one processor, in one precision: the state and its integration.

#include <algorithm>
#include <cmath>
#include <optional>

#include <xxhash.h>

#include "kernels/fields/integrate.h"
#include "src/fields/implicit.inl"
#include "src/fields/solver.h"

namespace cairn::ode {

template <class Processor, class T>
class SolverOn final : public ParticleSystem::Solver {
 public:
  SolverOn(const Device& on, std::uint32_t n)
      : Solver(on, sizeof(T) == 4 ? Precision::kFloat : Precision::kDouble, n),
        processor_(on),
        scope_for_arrays_(processor_),
        steps_(processor_, n),
        sums_(processor_, n),
        energy_(processor_.memory(), n),
        watched_(processor_.memory(), n),
        watched_next_(processor_.memory(), n),
        state_(processor_.memory(), 1),
        held_(n) {
    scope_for_arrays_.reset();
  }

  void add(const Field& field) override {
    const Scope scope(processor_);
    steps_.forces.add(field);
  }
  void add(const fields::Any& field) override {
    const Scope scope(processor_);
    steps_.forces.add(field);
  }
  void clear_fields() override {
    const Scope scope(processor_);
    steps_.forces.clear();
  }

  void write(const ParticleStates& s) override {
    const Scope scope(processor_);
    std::vector<Vec3T<T>> x(count), v(count);
    std::vector<T> mass(count, T(1)), inv_mass(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      x[i] = to<T>(s.position[i]);
      if (!s.velocity.empty()) v[i] = to<T>(s.velocity[i]);
      if (!s.mass.empty()) mass[i] = static_cast<T>(s.mass[i]);
      held_[i] = !s.held.empty() && s.held[i] != 0 ? 1 : 0;
      inv_mass[i] = held_[i] != 0 ? T(0) : T(1) / mass[i];
    }
    steps_.now.x.assign(x);
    steps_.now.v.assign(v);
    steps_.forces.mass.assign(mass);
    steps_.inv_mass.assign(inv_mass);
  }

  ParticleStates read() override {
    const Scope scope(processor_);
    const std::vector<T> mass = steps_.forces.mass.read(count);
    return {widened(steps_.now.x, count), widened(steps_.now.v, count), {mass.begin(), mass.end()}, held_};
  }

  ParticleRates rates() override {
    const Scope scope(processor_);
    steps_.accelerate(steps_.now.get(), time, steps_.acceleration().data());
    return {widened(steps_.now.v, count), widened(steps_.acceleration(), count)};
  }

  double kinetic_energy() override {
    const Scope scope(processor_);
    return sums_.of(kernels::KineticOf<T>{steps_.now.get().v, steps_.forces.mass.data()});
  }
  double potential_energy() override {
    const Scope scope(processor_);
    steps_.forces.energy(steps_.now.get(), time, energy_.data());
    return sums_.of(kernels::SumOf{energy_.data()});
  }
  Vec3d momentum() override {
    const Scope scope(processor_);
    double along[3];
    for (int axis = 0; axis < 3; ++axis) {
      along[axis] = sums_.of(kernels::MomentumOf<T>{steps_.now.get().v, steps_.forces.mass.data(), axis});
    }
    return {along[0], along[1], along[2]};
  }

  std::uint64_t hash() override {
    const Scope scope(processor_);
    const auto x = steps_.now.x.read(count), v = steps_.now.v.read(count);
    const std::uint64_t parts[] = {XXH3_64bits(x.data(), count * sizeof(x[0])),
                                   XXH3_64bits(v.data(), count * sizeof(v[0])), XXH3_64bits(&time, sizeof time)};
    return XXH3_64bits(parts, sizeof parts);
  }

  IntegrationReport integrate(double t1, double h, Integrator method, const Event* event,
                              const ImplicitParams& params) override {
    const Scope scope(processor_);
    IntegrationReport report;
    report.particle = count;
    const double t0 = time;
    // if the last step is longer only by rounding, it is no additional step
    constexpr double kRounding = 1e-9;
    const auto n = static_cast<std::uint64_t>(std::ceil(std::max((t1 - t0) / h - kRounding, t1 > t0 ? 0.5 : 0.0)));
    std::optional<Term<T>> watch;
    if (event != nullptr) {
      watch = steps_.forces.term_of(event->field());
      steps_.forces.watch(*watch, steps_.now.get(), t0, watched_.data());
    }
    steps_.forget();
    steps_.evaluations = 0;
    clear();
    const bool implicit = method == Integrator::kImplicitEuler;
    if (implicit && !implicit_) implicit_.emplace(processor_, count, steps_, sums_);
    if (implicit) implicit_->begin();

    const auto time_of = [&](std::uint64_t k) { return k == n ? t1 : t0 + static_cast<double>(k) * h; };
    const auto try_step = [&](double t, double length) {
      if (implicit) return implicit_->take(t, length, params, report);
      steps_.take(method, t, length);
      return true;
    };
    const auto finish = [&](Stop stop, double t, std::uint32_t particle) {
      time = t;
      report.stop = stop;
      report.time = t;
      report.particle = particle;
      report.evaluations = steps_.evaluations;
      return report;
    };

    for (std::uint64_t k = 0; k < n; ++k) {
      const double t = time_of(k), length = k + 1 < n ? h : t1 - t;
      const bool solved = try_step(t, length);
      steps_.each(kernels::CheckFinite<T>{steps_.next.get(), &state_.data()->seen});
      if (!solved) {
        const kernels::OdeState s = state_.get(0);
        report.steps += s.steps;
        const std::uint32_t bad = s.bad != kernels::kNone ? s.bad : s.seen;
        return finish(bad != kernels::kNone ? Stop::kNotFinite : Stop::kNotSolved, time_of(report.steps),
                      std::min(bad, count));
      }
      if (watch) {
        const std::uint32_t hit = watch_for(*event, *watch, t + length);
        if (hit != kernels::kNone && state_.get(0).seen == kernels::kNone) {
          // the end of the first part with a change of sign
          double low = 0, high = length;
          while (high - low > event->tolerance && low + 0.5 * (high - low) > low && low + 0.5 * (high - low) < high) {
            const double middle = low + 0.5 * (high - low);
            const bool there = try_step(t, middle) && watch_for(*event, *watch, t + middle) != kernels::kNone;
            (there ? high : low) = middle;
          }
          if (!try_step(t, high)) {
            report.steps += state_.get(0).steps;
            return finish(Stop::kNotSolved, t, count);
          }
          const std::uint32_t particle = watch_for(*event, *watch, t + high);
          commit(method);
          report.steps += state_.get(0).steps;
          return finish(Stop::kEvent, t + high, particle);
        }
        std::swap(watched_, watched_next_);
      }
      commit(method);
      // a state that isn't finite stops all further steps, so that a check now and then is enough
      constexpr std::uint64_t kLook = 64;
      if ((k + 1) % kLook != 0 && k + 1 != n) continue;
      const kernels::OdeState s = state_.get(0);
      report.steps += s.steps;
      if (s.bad != kernels::kNone) return finish(Stop::kNotFinite, time_of(report.steps), s.bad);
      clear();
    }
    return finish(Stop::kTime, n == 0 ? t0 : t1, count);
  }

 private:
  using Scope = typename Processor::Scope;

  void clear() {
    processor_.memory().put(state_.data(), kernels::OdeState{kernels::kNone, kernels::kNone, kernels::kNone, 0});
  }

  /// The first particle whose number changes sign from `now` to `next`, or kNone. Writes watched_next_.
  std::uint32_t watch_for(const Event& event, Term<T>& watch, double t) {
    processor_.memory().put(&state_.data()->hit, kernels::kNone);
    steps_.forces.watch(watch, steps_.next.get(), t, watched_next_.data());
    const Event::Direction d = event.direction();
    steps_.each(kernels::CheckEvent{watched_.data(), watched_next_.data(), d != Event::Direction::kRising,
                                    d != Event::Direction::kFalling, &state_.data()->hit});
    return state_.get(0).hit;
  }

  void commit(Integrator method) {
    processor_.exec().single(kernels::SettleStep{state_.data()});
    steps_.each(kernels::Commit<T>{steps_.next.get(), steps_.now.get(), &state_.data()->bad});
    steps_.took(method);
  }

  // in this order: later members use earlier ones
  Processor processor_;
  std::optional<Scope> scope_for_arrays_;
  Steps<Processor, T> steps_;
  Sums<Processor> sums_;
  std::optional<Implicit<Processor, T>> implicit_;
  exec::Buffer<double> energy_, watched_, watched_next_;
  exec::Buffer<kernels::OdeState> state_;
  std::vector<std::uint8_t> held_;
};

}  // namespace cairn::ode
