#pragma once
// The rules that a scene keeps, in one place: Scene throws them by name, the scene file reader by JSON pointer.

#include <optional>
#include <string>
#include <vector>

#include "cairn/random.h"
#include "cairn/scene.h"

namespace cairn::rules {

inline constexpr double kMaxSpeed = 1e5;  ///< [m/s] of a turning body's surface; a step holds what is faster

/// The first rule that a thing breaks.
struct Fault {
  std::string part;     ///< which part of the thing: "" or ", shape 1"
  std::string field;    ///< "box half_extents.x"
  std::string pointer;  ///< where the field stands in a scene file, from the thing on: "/shapes/1/box/half_extents/0"
  std::string rule;     ///< "must be over 0, is -0.5"
};

std::optional<Fault> find_fault(const Material& material);
std::optional<Fault> find_fault(const Body& body, const std::vector<Material>& materials);
std::optional<Fault> find_fault(const StepParams& params);
std::optional<Fault> find_fault(const WorldLimits& limits);
std::optional<Fault> find_fault(Vec3 gravity);
std::optional<Fault> find_fault(const Scales& scales);
std::optional<Fault> find_fault(const BodyScales& scales);
std::optional<Fault> find_fault(const Randomisation& ranges);

/// True where parameters differ in nothing but what is each world's own.
bool shared_alike(const StepParams& a, const StepParams& b);
/// "; worlds of a batch share solver, ..."
std::string shared_params();

/// The unit quaternion or vector along `v`, computed in double. What is unit to float rounding stays bit for bit, so
/// that making it unit twice changes nothing.
Quat unit(Quat q);
Vec3 unit(Vec3 v);

/// The body with all its orientations and plane normals made unit.
Body made_unit(Body body);

/// The material that a scene without materials has.
Material default_material();

}  // namespace cairn::rules
