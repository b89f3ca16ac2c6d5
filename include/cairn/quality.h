#pragma once
// Quality figures, reported beside every speed. They are computed in double precision from states alone, by separate
// code that shares nothing with the solver, so that it can judge any engine's poses.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/scene.h"
#include "cairn/types.h"

namespace cairn {

class World;

/// When a dynamic body counts as fallen. "Up" is against gravity; without gravity it is +z.
enum class FallenRule : std::uint8_t {
  kDefault,  ///< more than 0.5 m sideways from its start, or below it by more than 0.5 m + 2 % of the start's height
  kLayer,    ///< more than 0.5 m above or below the layer that it belongs to
  kBin,      ///< its centre of mass outside the bin: beyond its walls or below its floor
  kNever,    ///< no body does
};
template <>
struct EnumWords<FallenRule> : WordsUpTo<FallenRule::kNever> {};

struct QualityRules {
  FallenRule fallen{FallenRule::kDefault};
  std::vector<double> layer_height;
  Vec3d bin_min, bin_max;
  std::optional<double> nominal_height;
};

template <Same<QualityRules> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::fallen>({.meaning = "when a body counts as fallen"}),
    attribute<&S::layer_height>(
        {.unit = "m", .meaning = "(bodies of the scene) height of each body's layer, for FallenRule::kLayer"}),
    attribute<&S::bin_min>(
        {.unit = "m", .meaning = "world, lower corner of the inside of the bin, for FallenRule::kBin"}),
    attribute<&S::bin_max>({.unit = "m", .meaning = "world, upper corner of it"}),
    attribute<&S::nominal_height>(
        {.unit = "m",
         .meaning = "of the highest dynamic body when all stands as built; `height_loss` counts from it"})};

struct Quality {
  double max_penetration{0};
  double mean_penetration{0};
  std::uint64_t overlaps{0};
  double max_drift{0};
  double max_excursion{0};
  double height_loss{0};
  double rms_speed{0};
  double kinetic_energy{0};
  double potential_energy{0};
  Vec3d momentum;
  std::uint32_t fallen{0};
  bool finite{true};
};

template <Same<Quality> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::max_penetration>(
        {.unit = "m", .meaning = "deepest overlap of two shapes: the least translation that parts them"}),
    attribute<&S::mean_penetration>({.unit = "m", .meaning = "mean over the pairs of shapes that overlap"}),
    attribute<&S::overlaps>({.meaning = "pairs of shapes that overlap, at least one of them of a dynamic body"}),
    attribute<&S::max_drift>(
        {.unit = "m", .meaning = "farthest that a dynamic body is from its start, in any direction"}),
    attribute<&S::max_excursion>(
        {.unit = "m", .meaning = "farthest that a dynamic body was from its start at any observed time"}),
    attribute<&S::height_loss>(
        {.unit = "m",
         .meaning = "nominal less actual height of the highest dynamic body's origin; 0 without a nominal one"}),
    attribute<&S::rms_speed>(
        {.unit = "m/s", .meaning = "root of the mean squared speed of the dynamic bodies' centres of mass"}),
    attribute<&S::kinetic_energy>({.unit = "J", .meaning = "of motion and of turning"}),
    attribute<&S::potential_energy>({.unit = "J", .meaning = "-m g . x, zero at the world's origin"}),
    attribute<&S::momentum>({.unit = "kg m/s", .meaning = "linear"}),
    attribute<&S::fallen>({.meaning = "dynamic bodies that fell, by QualityRules::fallen"}),
    attribute<&S::finite>(
        {.meaning = "false if a position, orientation or velocity is NaN or infinite: then all else means nothing"})};

/// Watches the bodies of one scene, in the scene's order; states of other sizes throw InvalidArgument. Disabled bodies
/// count only for `finite`. Which bodies are disabled comes from the scene, or from the World where one is measured.
class QualityMeter {
 public:
  explicit QualityMeter(const Scene& scene, QualityRules rules = {});
  ~QualityMeter();
  QualityMeter(QualityMeter&&) noexcept;
  QualityMeter& operator=(QualityMeter&&) noexcept;

  /// Records the distances of bodies from their starts. Call it after each step.
  void observe(std::span<const BodyState> states);

  /// [m] The farthest of all observed states. The second lets a meter continue from another's record.
  double max_excursion() const;
  void observe(double excursion);

  /// The figures of these states; `max_excursion` covers all observed states and these. Linear in the number of bodies.
  Quality measure(std::span<const BodyState> states) const;

  /// The same for a World that was made from the scene and has had no body added or removed.
  void observe(const World& world);
  Quality measure(const World& world) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
