#pragma once
// What a World has beside bodies and their contacts.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world.h"
#include "src/step_context.h"

namespace cairn {

namespace snapshot {
struct Capture;
struct Restore;
}  // namespace snapshot

/// One kind of it: filters, joints, articulations, particles, fields, contact events. A World goes through all that it
/// has, in the order of its members; a feature leaves out what it has no use for.
class Feature {
 public:
  using Impl = World::Impl;
  explicit Feature(Impl& of);  ///< becomes one of World::Impl::features
  virtual ~Feature() = default;
  Feature(const Feature&) = delete;
  Feature& operator=(const Feature&) = delete;

  /// The worlds are new, and have their bodies: takes what their scenes have of it.
  virtual void take(std::span<const Scene* const>) {}
  /// A body is about to be removed, by its slot: what acts on it goes as well.
  virtual void forget(std::uint32_t) {}
  /// Adds the slots of bodies that wake where a body is moved or changed.
  virtual void add_neighbours(std::uint32_t, std::vector<std::uint32_t>&) const {}
  /// Throws InvalidArgument where it has something that these can't step.
  virtual void check(const StepParams&) const {}
  /// Makes what a step needs of it. Called while it isn't `known`; there are parts and masses.
  virtual void order() { known = true; }
  /// Shows itself to a step. `of_step`: one is taken with the context.
  virtual void show(StepContext&, bool) {}

  /// Writes what it has into an image.
  virtual void capture(snapshot::Capture&) {}
  /// Worlds of an image are to come: finds where everything goes, and makes room. Throws with nothing changed.
  virtual void plan(snapshot::Restore&) {}
  /// Becomes what `plan` found. Bodies and shapes are there.
  virtual void become(snapshot::Restore&) {}

  bool known{false};  ///< what `order` makes; false where bodies came, went or are described otherwise

 protected:
  Impl& world_;
};

}  // namespace cairn
