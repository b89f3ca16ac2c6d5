#pragma once

#include "cairn/quality.h"
#include "scenes/builtin.h"

namespace cairn::scenes {

/// The rules that judge a built-in scene.
QualityRules quality_rules(const Built& built);

}  // namespace cairn::scenes
