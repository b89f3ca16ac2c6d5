#pragma once
// Views of a scene.

#include <cstdint>
#include <optional>
#include <string>

#include "cairn/attributes.h"
#include "cairn/types.h"

namespace cairn {

/// Viewpoint of a picture. Eye and target must be 1e-6 to 1e12 m apart.
struct PictureCamera {
  Vec3d eye;
  Vec3d target;
  double field_of_view{22.62};
  friend bool operator==(const PictureCamera&, const PictureCamera&) = default;
};
template <Same<PictureCamera> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::eye>({.unit = "m", .meaning = "world", .required = true}),
    attribute<&S::target>({.unit = "m", .meaning = "world, in the picture's middle", .required = true}),
    attribute<&S::field_of_view>(
        {.unit = "deg", .range = between(1, 150), .meaning = "from the lower edge to the upper"})};

/// A camera of a scene, for pictures, videos and viewers.
struct SceneCamera {
  std::string name;
  PictureCamera view;
  std::optional<std::uint32_t> follow;  ///< index of a body
  friend bool operator==(const SceneCamera&, const SceneCamera&) = default;
};
template <Same<SceneCamera> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::name>({.meaning = "unique among cameras, not empty", .required = true}),
    attribute<&S::view>({.meaning = "with the bodies as the scene has them", .flat = true}),
    attribute<&S::follow>(
        {.meaning = "name of a body: eye and target move as far as it does, and don't turn", .reference = true})};

}  // namespace cairn
