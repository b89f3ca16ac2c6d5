#pragma once
// Descriptions in C and what they are in C++.

#include "src/c_api/structs.h"

namespace cairn::c_api {

cairn_params of(const StepParams& params);
StepParams params_of(const cairn_params* given);
cairn_limits of(const WorldLimits& limits);
WorldLimits limits_of(const cairn_limits* given);
/// Its name is that of the material.
cairn_material of(const Material& material);
Material material_of(const cairn_material* given);
/// Without shapes. Its name is that of the body.
cairn_body of(const Body& body);
cairn_shape of(const Shape& shape);
Shape shape_of(const cairn_shape& shape);  ///< as this header has it
std::vector<Shape> shapes_of(const cairn_shape* given, std::uint32_t count, const char* where);
Body body_of(const cairn_body* given);
WorldOptions options_of(const cairn_world_options* given);  ///< null: the defaults

}  // namespace cairn::c_api
