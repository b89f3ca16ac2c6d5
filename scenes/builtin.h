#pragma once
// The built-in scenes, written once for tests, benchmarks, demos and the command line. z is up, and there is a floor at
// z = 0.

#include <cstdint>
#include <string>
#include <vector>

#include "cairn/scene.h"

namespace cairn::scenes {

struct ParameterInfo {
  std::string name;
  double value{0};    ///< default
  std::string unit;   ///< "1", "m"
  double low{0};      ///< min value
  double high{0};     ///< max value
  bool whole{false};  ///< only whole numbers
  std::string meaning;
};

struct BuiltinInfo {
  std::string name;
  std::string description;  ///< one line
  std::vector<ParameterInfo> parameters;
};

/// All built-in scenes, in the order of `cairn scenes`.
const std::vector<BuiltinInfo>& list();

/// Which bodies count as fallen.
enum class FallenRule : std::uint8_t {
  kDefault,  ///< more than 0.5 m sideways from the start, or below it by more than 0.5 m + 2 % of its height
  kLattice,  ///< more than 0.5 m off the rest height of the body's layer, layer + 0.5 m
  kBin,      ///< outside the bin
  kNever,    ///< no body falls
};

struct Built {
  Scene scene;
  FallenRule rule{FallenRule::kDefault};
  Vec3d bin_min;  ///< [m] inside of the bin (`kBin`); zeros otherwise
  Vec3d bin_max;  ///< [m] inside of the bin, up to past the highest body at the start
  double nominal_height{
      0};  ///< [m] centre of the highest body, with all at rest in their ideal places; 0 where there is none
};

/// Builds a scene from its name and parameters: `tower`, `tower:height=20`, `wall:base=40,pitch=1.05`. Throws
/// InvalidArgument, with a list of valid names, for an unknown scene or parameter, or a value out of its range.
Built build(const std::string& spec, std::uint64_t seed);

/// The scene of `build`.
Scene make(const std::string& spec, std::uint64_t seed);

}  // namespace cairn::scenes
