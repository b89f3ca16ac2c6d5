#pragma once
// Figures of quality: what stands beside every speed. Computed in double precision from states alone, by code of its
// own that shares nothing with the solver, so that any engine's poses can be judged by it.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

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

struct QualityRules {
  FallenRule fallen{FallenRule::kDefault};
  std::vector<double> layer_height;  ///< [m] (bodies of the scene) height of each body's layer, for kLayer
  Vec3d bin_min, bin_max;            ///< [m] world, inside of the bin, for kBin
  std::optional<double>
      nominal_height;  ///< [m] of the highest dynamic body when all stands as built; `height_loss` counts from it
};

struct Quality {
  double max_penetration{0};   ///< [m]      deepest overlap of two shapes: the least translation that parts them
  double mean_penetration{0};  ///< [m]      mean over the pairs of shapes that overlap
  std::uint64_t overlaps{0};   ///< [1]      pairs of shapes that overlap, at least one of them of a dynamic body
  double max_drift{0};         ///< [m]      farthest that a dynamic body is from its start, in any direction
  double max_excursion{0};     ///< [m]      farthest that a dynamic body was from its start at any observed time
  double height_loss{
      0};  ///< [m]      nominal less actual height of the highest dynamic body's origin; 0 without a nominal one
  double rms_speed{0};         ///< [m/s]    root of the mean squared speed of the dynamic bodies' centres of mass
  double kinetic_energy{0};    ///< [J]      of motion and of turning
  double potential_energy{0};  ///< [J]      -m g . x, zero at the world's origin
  Vec3d momentum;              ///< [kg m/s] linear
  std::uint32_t fallen{0};     ///< [1]      dynamic bodies that fell, by QualityRules::fallen
  bool finite{
      true};  ///<          false if a position, orientation or velocity is NaN or infinite: then all else means nothing
};

/// Watches the bodies of one scene. Bodies are those of the scene, in its order; states of other sizes throw
/// InvalidArgument. Bodies that are switched off count nowhere, but for `finite`: those of the scene, or where a World
/// is asked, those of the World.
class QualityMeter {
 public:
  explicit QualityMeter(const Scene& scene, QualityRules rules = {});
  ~QualityMeter();
  QualityMeter(QualityMeter&&) noexcept;
  QualityMeter& operator=(QualityMeter&&) noexcept;

  /// Takes note of how far bodies are from their starts. Call it after each step.
  void observe(std::span<const BodyState> states);

  /// [m] Farthest of all states observed; and a meter that goes on from what another observed.
  double max_excursion() const;
  void observe(double excursion);

  /// The figures of these states; `max_excursion` covers all states observed, and these. Linear in the number of
  /// bodies.
  Quality measure(std::span<const BodyState> states) const;

  /// The same from a World that was made from the scene and has had no body added or removed.
  void observe(const World& world);
  Quality measure(const World& world) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
