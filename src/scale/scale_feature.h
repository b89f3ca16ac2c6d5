#pragma once
// Scales of a World's worlds and bodies.

#include <optional>
#include <span>
#include <vector>

#include "cairn/random.h"
#include "src/world/feature.h"

namespace cairn {

/// Scales are 1 until `begin`. In World::Impl it comes before the features that rescale in `become`.
class ScaleFeature final : public Feature {
 public:
  using Feature::Feature;

  void show(StepContext& step, bool) override;
  void capture(snapshot::Capture& to) override;
  void plan(snapshot::Restore& from) override;
  void become(snapshot::Restore& from) override;
  static void check_image(snapshot::ImageCheck& of);

  void begin();  ///< from here on World::Impl::arrays has bases
  bool begun() const { return begun_; }
  void reserve();  ///< allocates bases for the capacity of bodies and shapes
  Scales of_world(std::uint32_t world) const;
  void set(const Scales& scales, std::uint32_t world);
  void set(const BodyScales& scales, std::uint32_t slot);  ///< of a dynamic body; it wakes
  void run(const ScaleContext& what);                      ///< scales on the device; `what` needs no arrays
  /// Applies the present scales when the call is over.
  void rescale(std::uint32_t world, Rescale how);
  void apply();                         ///< the due ones
  void forget_derived() noexcept;       ///< call it after scales or descriptions of bodies changed
  BodyScales of(std::uint32_t slot);    ///< of the body and its world; 1 for bodies that aren't dynamic
  std::vector<BodyScales> own() const;  ///< (slots) of bodies alone
  BodyScales own(std::uint32_t slot) const;
  Body body_at(std::uint32_t slot);  ///< with its scales (scaled_body.cpp)
  /// Throws InvalidArgument unless the changed body can have the scales of its world and its own.
  void check_body(const char* call, const Body& body, std::uint32_t world, const std::vector<Material>& stuff,
                  std::optional<std::uint32_t> slot) const;  ///< empty: a new body
  /// Throws InvalidArgument unless all bodies of the chosen worlds can have all scales that these ranges give.
  void check_draws(std::span<const std::uint8_t> chosen, const Randomisation& ranges);

  bool due{false};  ///< for some world (WorldSlot::rescales); one of World::Impl::tallies

 private:
  /// Extremes over all dynamic bodies, without scales.
  struct Extremes {
    float min_inv_mass{1}, max_inv_mass{1};  ///< [1/kg]
    float min_moment{1}, max_moment{1};      ///< [kg m^2]
    float min_extent{1}, max_radius{1};      ///< [m]
  };
  /// False if some dynamic body may be unable to have every scale between two.
  bool all_bear(const BodyScales& least, const BodyScales& most);
  void place_bases(const snapshot::Restore& from);

  bool begun_{false};
  bool known_of_{false};        ///< `of_` is valid
  std::vector<BodyScales> of_;  ///< (slots) of bodies and their worlds
  bool extremes_known_{false};  ///< `extremes_` is valid
  Extremes extremes_;
  bool planned_{false};  ///< bases are needed after the restore, as of `plan`
};

}  // namespace cairn
