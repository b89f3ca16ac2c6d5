#pragma once
// The rules of cameras.

#include <optional>

#include "cairn/camera.h"
#include "src/scene/rules.h"

namespace cairn::rules {

class Checker;

/// [1] Max cameras of a scene.
inline constexpr std::size_t kMaxCameras = 1024;

/// Checks that the camera can see something. `field` and `pointer` are the target's.
void check_distance(Checker& check, const PictureCamera& view, std::string_view field, std::string_view pointer);

/// The first rule that a camera breaks in a scene of so many bodies.
std::optional<Fault> find_fault(const SceneCamera& camera, std::size_t bodies);

}  // namespace cairn::rules
