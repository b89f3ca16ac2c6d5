#pragma once
// Fields on bodies of a World, on one processor: each world is a system of its own.

#include <deque>
#include <optional>

#include "src/fields/solver.h"
#include "src/fields/steps.inl"

namespace cairn::ode {

template <class Processor, class T>
class BodyForcesOn final : public BodyForces {
 public:
  BodyForcesOn(const Device& on, void* stream, const BodyRows& rows)
      : processor_(on, stream),
        scope_for_arrays_(processor_),
        rows_(static_cast<std::uint32_t>(rows.slot.size())),
        slot_(processor_.memory(), rows.slot),
        force_(processor_.memory(), rows_),
        push_(processor_.memory(), rows_) {
    for (std::uint32_t world = 0; world + 1 < rows.begin.size(); ++world) {
      const std::uint32_t first = rows.begin[world], count = rows.begin[world + 1] - first;
      if (count == 0) continue;
      groups_.emplace_back(processor_, world, first, count);
      std::vector<T> mass;
      for (std::uint32_t i = first; i < first + count; ++i) mass.push_back(to<T>(rows.mass[i]));
      groups_.back().forces.mass.assign(mass);
    }
    scope_for_arrays_.reset();
  }

  void add(const Field& field) override {
    const Scope scope(processor_);
    for (Group& group : groups_) group.forces.add(field);
  }
  void add(const fields::Any& field) override {
    const Scope scope(processor_);
    for (const Group& group : groups_) check(field, group.count);
    for (Group& group : groups_) group.forces.add(field);
  }
  void clear_fields() override {
    const Scope scope(processor_);
    for (Group& group : groups_) group.forces.clear();
  }

  kernels::BodyPushes find(const kernels::Bodies& bodies, std::span<const double> times) override {
    const Scope scope(processor_);
    for (Group& group : groups_) {
      const kernels::Motion<T> now = group.now.get();
      processor_.exec().for_each(group.count, kernels::GatherBody<T>{bodies, slot_.data() + group.first, now.x, now.v,
                                                                     group.forces.mass.data()});
      group.forces.force(now, times[group.world], force_.data() + group.first);
    }
    processor_.exec().for_each(rows_, kernels::NarrowForce<T>{force_.data(), push_.data()});
    return {slot_.data(), push_.data(), rows_};
  }

  std::vector<Vec3d> found() override {
    const Scope scope(processor_);
    return widened(force_, rows_);
  }

 private:
  using Scope = typename Processor::Scope;

  /// The bodies of one world.
  struct Group {
    Group(Processor& processor, std::uint32_t of, std::uint32_t from, std::uint32_t n)
        : world(of), first(from), count(n), forces(processor, n), now(processor.memory(), n) {}
    std::uint32_t world, first, count;
    Forces<Processor, T> forces;
    MotionStore<T> now;
  };

  // in this order: later members use earlier ones
  Processor processor_;
  std::optional<Scope> scope_for_arrays_;
  std::uint32_t rows_;
  exec::Buffer<std::uint32_t> slot_;
  exec::Buffer<Vec3T<T>> force_;
  exec::Buffer<Vec3> push_;
  std::deque<Group> groups_;
};

}  // namespace cairn::ode
