#pragma once

#include "cairn/quality.h"
#include "scenes/builtin.h"

namespace cairn::scenes {

/// How the figures of quality judge a built-in scene.
QualityRules quality_rules(const Built& built);

}  // namespace cairn::scenes
