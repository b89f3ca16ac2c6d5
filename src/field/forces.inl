#pragma once
// The sum of all fields, on one processor.

#include <cmath>
#include <utility>

#include "cairn/errors.h"
#include "cairn/fields.h"
#include "kernels/field/advance.h"
#include "kernels/field/curl_noise.h"
#include "kernels/field/laws.h"
#include "kernels/field/near_laws.h"
#include "kernels/field/tree_gravity.h"
#include "src/field/term.h"

namespace cairn::ode {

/// A Processor offers memory(), exec(), run(code, functor, job), make_room(f) for what f sorts, and refusal(code),
/// which says why it can't run a field, or nothing.
template <class Processor, class T>
class Forces {
 public:
  using Motion = kernels::Motion<T>;

  Forces(Processor& processor, std::uint32_t count) : processor_(processor), count_(count), mass_(processor.memory()) {
    mass_.reserve(count);
  }

  T* mass() const { return mass_.data(); }
  void clear() { terms_.clear(); }
  void add(const Field& field) { terms_.push_back(term_of(field)); }
  void add(const fields::Any& field) {
    terms_.push_back(std::visit([&](const auto& f) { return term_of(f); }, field));
  }

  /// A field that isn't part of the sum, for events.
  Term<T> term_of(const Field& field) {
    const std::string called = "field '" + field.name() + "'";
    const FieldCode<T>& code = field.code<T>();
    if (code.range == nullptr) {
      throw InvalidArgument(called + " isn't for numbers of type " + (sizeof(T) == 4 ? "float" : "double"));
    }
    if (!(field.cut_off() >= 0) || !std::isfinite(field.cut_off())) {
      throw InvalidArgument(called + ": the cut-off must be finite and at least 0, is " +
                            std::to_string(field.cut_off()));
    }
    const std::string refusal = processor_.refusal(code);
    if (!refusal.empty()) throw DeviceError(called + " " + refusal);
    return made(field.name(), field.functor(), code, field.cut_off());
  }

  void force(const Motion& at, double time, Vec3T<T>* to) {
    processor_.exec().for_each(count_, kernels::Fill<Vec3T<T>>{to, {}});
    for (Term<T>& term : terms_) run(term, {view(at, time), to, nullptr, nullptr, nullptr});
  }
  void energy(const Motion& at, double time, double* to) {
    processor_.exec().for_each(count_, kernels::Fill<double>{to, 0.0});
    for (Term<T>& term : terms_) {
      if (term.code.potential) run(term, {view(at, time), nullptr, to, nullptr, nullptr});
    }
  }
  /// The number of an event, whose field is `term`.
  void watch(Term<T>& term, const Motion& at, double time, double* to) {
    processor_.exec().for_each(count_, kernels::Fill<double>{to, 0.0});
    run(term, {view(at, time), nullptr, to, nullptr, nullptr});
  }
  /// Of those fields that have a derivative, the change of the force along (dx, dv).
  void change(const Motion& at, double time, const Vec3T<T>* dx, const Vec3T<T>* dv, Vec3T<T>* to) {
    processor_.exec().for_each(count_, kernels::Fill<Vec3T<T>>{to, {}});
    for (Term<T>& term : terms_) {
      if (term.code.derivative) run(term, {view(at, time), to, nullptr, dx, dv});
    }
  }
  /// The force of the other fields.
  void force_without_derivative(const Motion& at, double time, Vec3T<T>* to) {
    processor_.exec().for_each(count_, kernels::Fill<Vec3T<T>>{to, {}});
    for (Term<T>& term : terms_) {
      if (!term.code.derivative) run(term, {view(at, time), to, nullptr, nullptr, nullptr});
    }
  }
  bool all_have_derivatives() const {
    for (const Term<T>& term : terms_) {
      if (!term.code.derivative) return false;
    }
    return true;
  }

 private:
  ParticleView<T> view(const Motion& at, double time) const {
    return {at.x, at.v, mass_.data(), count_, static_cast<T>(time), {}};
  }

  void run(Term<T>& term, FieldJob<T> job) {
    if (term.near != nullptr) {
      term.near->build(processor_.exec(), job.at.position);
      job.at.near = term.near->grid();
    }
    if (term.tree != nullptr) term.tree->build(processor_.exec(), job.at.position, job.at.mass);
    processor_.run(term.code, term.functor.get(), job);
  }

  Term<T> made(const std::string& name, std::shared_ptr<const void> functor, const FieldCode<T>& code,
               double cut_off = 0) {
    Term<T> term{name, std::move(functor), code, nullptr, nullptr, nullptr};
    if (cut_off > 0) {
      term.near = std::make_unique<NearStore<T>>(processor_.memory(), count_, cut_off);
      processor_.make_room(count_, [&](auto& exec) { term.near->build(exec, nullptr); });
    }
    return term;
  }
  template <class F>
  Term<T> built_in(const std::string& name, const F& functor, double cut_off = 0) {
    return made(name, std::make_shared<const F>(functor), field_detail::code_of<F, T>(), cut_off);
  }
  static Vec3T<T> to_t(const Vec3d& v) { return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)}; }
  static T to_t(double a) { return static_cast<T>(a); }

  Term<T> term_of(const fields::Gravity& f) {
    return built_in("gravity", kernels::GravityForce<T>{to_t(f.acceleration)});
  }
  Term<T> term_of(const fields::LinearDrag& f) {
    return built_in("linear drag", kernels::DragForce<T>{to_t(f.coefficient), T(0), {}, {}, T(0)});
  }
  Term<T> term_of(const fields::QuadraticDrag& f) {
    return built_in("quadratic drag", kernels::DragForce<T>{T(0), to_t(f.coefficient), {}, {}, T(0)});
  }
  Term<T> term_of(const fields::Wind& f) {
    return built_in("wind", kernels::DragForce<T>{to_t(f.linear), to_t(f.quadratic), to_t(f.velocity), to_t(f.gust),
                                                  to_t(f.gust_rate)});
  }
  Term<T> term_of(const fields::LennardJones& f) {
    const double s2 = f.sigma / f.cut_off * (f.sigma / f.cut_off), s6 = s2 * s2 * s2;
    return built_in("Lennard-Jones",
                    kernels::LennardJonesForce<T>{to_t(f.sigma * f.sigma), to_t(f.epsilon), to_t(f.cut_off),
                                                  to_t(24 * f.epsilon / f.cut_off * s6 * (2 * s6 - 1)),
                                                  to_t(4 * f.epsilon * s6 * (s6 - 1))},
                    f.cut_off);
  }
  Term<T> term_of(const fields::Boids& f) {
    return built_in("boids",
                    kernels::BoidsForce<T>{to_t(f.separation_radius), to_t(f.separation), to_t(f.alignment),
                                           to_t(f.cohesion), to_t(f.cruise_speed), to_t(f.cruise)},
                    f.radius);
  }
  Term<T> term_of(const fields::CurlNoise& f) {
    return built_in("curl noise", kernels::CurlNoiseForce<T>{to_t(f.rate), to_t(f.speed), to_t(1 / f.scale), f.octaves,
                                                             f.seed, to_t(f.drift)});
  }
  Term<T> term_of(const fields::PairGravity& f) {
    const T softening = to_t(f.softening), opening = to_t(f.opening_angle);
    if (count_ <= f.tree_above) {
      return built_in("pair gravity", kernels::AllPairsGravity<T>{to_t(f.constant), softening * softening});
    }
    auto tree = std::make_unique<TreeStore<T>>(processor_.memory(), count_);
    processor_.make_room(count_, [&](auto& exec) { tree->build(exec, nullptr, nullptr); });
    Term<T> term = built_in("pair gravity", kernels::TreeGravity<T>{tree->tree(), to_t(f.constant),
                                                                    softening * softening, opening * opening});
    term.tree = std::move(tree);
    return term;
  }
  Term<T> term_of(const fields::Springs& f) {
    std::vector<std::uint32_t> begin(std::size_t{count_} + 1, 0);
    for (const fields::Spring& s : f.springs) {
      ++begin[s.a + 1];
      ++begin[s.b + 1];
    }
    for (std::uint32_t i = 0; i < count_; ++i) begin[i + 1] += begin[i];
    std::vector<kernels::SpringEnd<T>> end(2 * f.springs.size());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (const fields::Spring& s : f.springs) {
      end[next[s.a]++] = {s.b, to_t(s.stiffness), to_t(s.damping), to_t(s.rest_length)};
      end[next[s.b]++] = {s.a, to_t(s.stiffness), to_t(s.damping), to_t(s.rest_length)};
    }
    exec::Memory& memory = processor_.memory();
    auto store = std::make_unique<SpringStore<T>>(
        SpringStore<T>{exec::Buffer<kernels::SpringEnd<T>>(memory), exec::Buffer<std::uint32_t>(memory)});
    store->end.reserve(end.size());
    store->begin.reserve(begin.size());
    memory.upload(store->end.data(), end.data(), end.size() * sizeof(end[0]));
    memory.upload(store->begin.data(), begin.data(), begin.size() * sizeof(begin[0]));
    Term<T> term = built_in("springs", kernels::SpringForce<T>{store->end.data(), store->begin.data()});
    term.springs = std::move(store);
    return term;
  }

  Processor& processor_;
  std::uint32_t count_;
  exec::Buffer<T> mass_;
  std::vector<Term<T>> terms_;
};

}  // namespace cairn::ode
