#pragma once
// Descriptions in C and what they are in C++.

#include "src/c_api/common.h"

namespace cairn::c_api {

cairn_params of(const StepParams& params);
StepParams params_of(const cairn_params* given);
cairn_limits of(const Limits& limits);
Limits limits_of(const cairn_limits* given);
Material material_of(const cairn_material* given);
Body body_of(const cairn_body* given);

}  // namespace cairn::c_api
