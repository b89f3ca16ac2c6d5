#pragma once
// The articulations of a World.

#include <optional>
#include <string>

#include "src/articulations/articulation_store.h"
#include "src/scene/link_bodies.h"
#include "src/world/feature.h"

namespace cairn {

class ArticulationFeature final : public Feature {
 public:
  explicit ArticulationFeature(Impl& of);

  void take(std::span<const Scene* const> scenes) override;
  void check(const StepParams& params) const override;
  void show(StepContext& step, bool) override;
  void capture(snapshot::Capture& to) override;
  void plan(snapshot::Restore& from) override;
  void become(snapshot::Restore& from) override;
  static std::uint64_t bytes(const Estimate& of);
  static void check_image(snapshot::ImageCheck& of);

  const ArticulationSlot& at(ArticulationHandle handle) const;  ///< throws if stale
  /// Existing articulations keep their state.
  ArticulationHandle add(LinkBodies links, std::uint32_t world);
  void remove(ArticulationHandle handle);
  void wake(const ArticulationSlot& slot);
  void wake_links_with(std::uint32_t body);  ///< all links of its articulation, and ends their contacts
  /// Throws InvalidArgument for a call that doesn't support articulations, if there are some; refuse_link, for links.
  void refuse(const std::string& call) const;
  /// Throws InvalidArgument if a joint of a chosen world could draw a value that it may not have.
  void check_draws(std::span<const std::uint8_t> chosen, const Randomisation& ranges) const;
  /// Fills a store with those of an estimate's worlds.
  static void fill(ArticulationStore& store, const Estimate& of);
  void refuse_link(const char* call, std::uint32_t body) const;
  void refuse_part(const char* call, std::uint32_t body) const;  ///< fixed links, too

  ArticulationStore store;

 private:
  void become(ArticulationTables tables);

  ArticulationTables planned_;  ///< as of `plan`, with the motion of each
  std::vector<ArticulationMotion> planned_motions_;
};

}  // namespace cairn
