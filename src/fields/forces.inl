#pragma once
// The sum of all fields, on one processor.

#include <algorithm>
#include <cmath>
#include <utility>

#include "cairn/errors.h"
#include "cairn/fields.h"
#include "kernels/fields/integrate.h"
#include "src/fields/compile_law.h"
#include "src/fields/term.h"

namespace cairn::ode {

/// A Processor offers memory(), exec(), run(code, functor, job), make_room(f) for the sorts of f, and refusal(code),
/// the reason why it can't run a field, or nothing.
template <class Processor, class T>
class Forces {
 public:
  using Motion = kernels::Motion<T>;

  Forces(Processor& processor, std::uint32_t count)
      : mass(processor.memory(), count), processor_(processor), count_(count) {}

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
    return made(field.functor(), code, field.cut_off());
  }

  void force(const Motion& at, double time, Vec3T<T>* to) {
    sum(to, {view(at, time), to, nullptr, nullptr, nullptr}, [](const FieldCode<T>&) { return true; });
  }
  void energy(const Motion& at, double time, double* to) {
    sum(to, {view(at, time), nullptr, to, nullptr, nullptr}, [](const FieldCode<T>& code) { return code.potential; });
  }
  /// The watched number of an event, whose field is `term`.
  void watch(Term<T>& term, const Motion& at, double time, double* to) {
    processor_.exec().for_each(count_, kernels::Fill<double>{to, 0.0});
    run(term, {view(at, time), nullptr, to, nullptr, nullptr});
  }
  /// The change of the force along (dx, dv), of the fields with a derivative.
  void change(const Motion& at, double time, const Vec3T<T>* dx, const Vec3T<T>* dv, Vec3T<T>* to) {
    sum(to, {view(at, time), to, nullptr, dx, dv}, [](const FieldCode<T>& code) { return code.derivative; });
  }
  /// The force of the other fields.
  void force_without_derivative(const Motion& at, double time, Vec3T<T>* to) {
    sum(to, {view(at, time), to, nullptr, nullptr, nullptr}, [](const FieldCode<T>& code) { return !code.derivative; });
  }
  bool all_have_derivatives() const {
    return std::ranges::all_of(terms_, [](const Term<T>& term) { return term.code.derivative; });
  }

  exec::Buffer<T> mass;  ///< [kg] (count)

 private:
  ParticleView<T> view(const Motion& at, double time) const {
    return {at.x, at.v, mass.data(), count_, static_cast<T>(time), {}};
  }

  /// Sums over the fields for whose code has(code) is true.
  template <class Sum, class Has>
  void sum(Sum* to, const FieldJob<T>& job, const Has& has) {
    processor_.exec().for_each(count_, kernels::Fill<Sum>{to, {}});
    for (Term<T>& term : terms_) {
      if (has(term.code)) run(term, job);
    }
  }
  void run(Term<T>& term, FieldJob<T> job) {
    if (term.near != nullptr) {
      term.near->build(processor_.exec(), job.at.position);
      job.at.near = term.near->grid();
    }
    if (term.tree != nullptr) {
      build_tree(processor_.exec(), term.tree->tree(), count_, job.at.position, job.at.mass);
    }
    processor_.run(term.code, term.functor.get(), job);
  }

  Term<T> made(std::shared_ptr<const void> functor, const FieldCode<T>& code, double cut_off = 0) {
    Term<T> term{std::move(functor), code, nullptr, nullptr, nullptr};
    if (cut_off > 0) {
      term.near = std::make_unique<NearStore<T>>(processor_.memory(), count_, cut_off);
      processor_.make_room(count_, [&](auto& exec) { term.near->build(exec, nullptr); });
    }
    return term;
  }
  template <class F>
  Term<T> built_in(const F& functor, double cut_off = 0) {
    return made(std::make_shared<const F>(functor), field_detail::code_of<F, T>(), cut_off);
  }
  template <class Law>
  Term<T> term_of(const Law& f) {
    return built_in(compile<T>(f), reach_of(f));
  }
  Term<T> term_of(const fields::PairGravity& f) {
    if (count_ <= f.tree_above) return built_in(compile<T>(f));
    auto tree = std::make_unique<TreeStore<T>>(processor_.memory(), count_);
    processor_.make_room(count_, [&](auto& exec) {
      build_tree<std::decay_t<decltype(exec)>, T>(exec, tree->tree(), count_, nullptr, nullptr);
    });
    Term<T> term = built_in(compile<T>(f, tree->tree()));
    term.tree = std::move(tree);
    return term;
  }
  Term<T> term_of(const fields::Springs& f) {
    const SpringLists<T> lists = lists_of<T>(f.springs, count_);
    exec::Memory& memory = processor_.memory();
    auto store = std::make_unique<SpringStore<T>>(SpringStore<T>{{memory, lists.end}, {memory, lists.begin}});
    Term<T> term = built_in(kernels::SpringForce<T>{store->end.data(), store->begin.data()});
    term.springs = std::move(store);
    return term;
  }

  Processor& processor_;
  std::uint32_t count_;
  std::vector<Term<T>> terms_;
};

}  // namespace cairn::ode
