#pragma once
// The fields of a World.

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "cairn/scene.h"
#include "src/exec/memory.h"
#include "src/fields/field_context.h"
#include "src/fields/term.h"
#include "src/step_context.h"
#include "src/world/frame.h"

namespace cairn {

/// A world with fields.
struct FieldWorld {
  std::uint32_t world;  ///< [1] index
  std::span<const SceneField> fields;
  std::span<const std::uint32_t> slots;  ///< [1] (ids) of its bodies
};

class FieldStore {
 public:
  explicit FieldStore(exec::Memory& in) : memory_(in) {}

  /// Takes the present fields, on the present bodies. `mass_of` [kg] gives the mass of slots that aren't dynamic.
  void set(std::span<const FieldWorld> worlds, std::span<const BodySlot> bodies,
           const std::function<double(std::uint32_t)>& mass_of);
  /// Enters them into a step.
  void show(StepContext& context) const;

  bool empty() const { return !some_; }

 private:
  struct System;
  struct Use;
  std::vector<Use> gather(std::span<const FieldWorld> worlds, std::span<const BodySlot> bodies,
                          std::vector<System>& systems) const;
  void lay_out(const std::vector<System>& systems, std::span<const BodySlot> bodies,
               const std::function<double(std::uint32_t)>& mass_of);
  void lay_out_grids(const std::vector<System>& systems, std::vector<ParticleView<double>>& views);
  void compile(const std::vector<Use>& uses, const std::vector<System>& systems);

  /// Memory with a copy of a list, until fields are set again.
  template <class T>
  T* keep(const std::vector<T>& list);
  template <class T>
  T* room(std::size_t count);

  exec::Memory& memory_;
  std::vector<exec::Buffer<std::byte>> kept_;
  std::deque<ode::TreeStore<double>> tree_stores_;
  std::vector<FieldTree> trees_;
  FieldContext context_;
  bool some_{false};          ///< there are fields, perhaps without bodies
  std::uint64_t version_{0};  ///< [1] of the context
};

}  // namespace cairn
