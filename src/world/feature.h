#pragma once
// The features of a World, beside bodies and their contacts.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world.h"
#include "src/step_context.h"

namespace cairn {

struct Estimate;
namespace snapshot {
struct Capture;
struct ImageCheck;
struct Restore;
}  // namespace snapshot

/// A feature, such as the joints. A World calls each, in the order of their list (features.h); a feature overrides only
/// the calls that it needs.
class Feature {
 public:
  using Impl = World::Impl;
  explicit Feature(Impl& of);  ///< adds it to World::Impl::features
  virtual ~Feature() = default;
  Feature(const Feature&) = delete;
  Feature& operator=(const Feature&) = delete;

  /// The worlds are new and have their bodies: takes its part of their scenes.
  virtual void take(std::span<const Scene* const>) {}
  /// A body is about to be removed, by its slot: removes things that act on it.
  virtual void forget(std::uint32_t) {}
  /// Adds the slots of bodies that wake when a body is moved or changed.
  virtual void add_neighbours(std::uint32_t, std::vector<std::uint32_t>&) const {}
  /// Throws InvalidArgument if it has something that these parameters can't step.
  virtual void check(const StepParams&) const {}
  /// Prepares for a step. Called while it isn't `known`; parts and masses exist.
  virtual void order() { known = true; }
  /// Enters its data into a step. `of_step`: a step is taken with the context.
  virtual void show(StepContext&, bool) {}

  /// Writes its data to an image.
  virtual void capture(snapshot::Capture&) {}
  /// Worlds of an image will follow: finds all places, and allocates. Throws with nothing changed.
  virtual void plan(snapshot::Restore&) {}
  /// Takes the data found by `plan`. Bodies and shapes are in place. May allocate what depends on the capacities of
  /// World::Impl::arrays, which are final by now; if that fails, the journal undoes the restore.
  virtual void become(snapshot::Restore&) {}

  // without a World

  /// [B] Memory that it holds in a World of copies of a scene.
  static std::uint64_t bytes(const Estimate&) { return 0; }
  // static void check_image(snapshot::ImageCheck&);
  // Each feature has it. Refuses an image with a part of it that no World could have. Bodies and shapes are checked
  // before, but not their columns and scales, and the features above it in the list.

  bool known{false};  ///< the result of `order` is valid; false after bodies were added, removed or changed

 protected:
  Impl& world_;
};

}  // namespace cairn
