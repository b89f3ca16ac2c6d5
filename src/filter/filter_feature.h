#pragma once
// Filters of a World's shapes, and bodies that ignore each other.

#include "src/world/feature.h"

namespace cairn {

class FilterFeature final : public Feature {
 public:
  using Feature::Feature;

  void take(std::span<const Scene* const> scenes) override;
  void forget(std::uint32_t body) override;
  void show(StepContext& step, bool) override;
  void capture(snapshot::Capture& to) override;
  void become(snapshot::Restore& from) override;
  static void check_image(snapshot::ImageCheck& of);

  /// Counts the shapes of a body that is added, or with -1 of one that is removed.
  void count(const Body& body, int sign);
  /// Adds or removes pairs of body ids of a world that ignore each other; pairs already in that state stay.
  void ignore(std::uint32_t world, std::span<const std::uint64_t> pairs, bool ignored);
  /// Pairs of all worlds, including bodies that joints keep apart.
  void upload_ignored();
  /// Adds to BodySlot::ignores of bodies, and flags those that ignore some.
  void add_ignoring(std::uint32_t world, std::span<const std::uint32_t> at, std::uint32_t sign);

 private:
  void tally(const Body& body, int sign);
  bool take_ignored(std::uint32_t world, std::span<const std::uint64_t> pairs, bool ignored);

  std::uint32_t filters_{0}, sensors_{0};  ///< [1] shapes with another filter than the default, and sensors
  std::uint32_t pairs_{0};                 ///< [1] as of upload_ignored
};

}  // namespace cairn
