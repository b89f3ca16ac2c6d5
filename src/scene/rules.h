#pragma once
// The rules of a scene, in one place: Scene reports them by name, the scene file reader by JSON pointer.

#include <optional>
#include <string>
#include <vector>

#include "cairn/random.h"
#include "cairn/scene.h"

namespace cairn::rules {

inline constexpr double kMaxSpeed = 1e5;  ///< [m/s] max of a turning body's surface; a step limits faster ones

/// First broken rule of a thing.
struct Fault {
  std::string part;     ///< part of the thing: "" or ", shape 1"
  std::string field;    ///< "box half_extents.x"
  std::string pointer;  ///< place of the field in a scene file, from the thing on: "/shapes/1/box/half_extents/0"
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

/// Throws InvalidArgument for a fault of `what`.
void refuse(const std::string& what, const std::optional<Fault>& fault);

/// True if parameters differ only in those that each world has for itself.
bool shared_alike(const StepParams& a, const StepParams& b);
/// "; worlds of a batch share solver, ..."
std::string shared_params();

/// The unit quaternion or vector along `v`, computed in double. One that is unit up to float rounding stays bit for
/// bit, so that normalising twice changes nothing.
Quat unit(Quat q);
Vec3 unit(Vec3 v);

/// The body with all its orientations and plane normals normalised.
Body made_unit(Body body);

/// The material that a scene without materials has.
Material default_material();

}  // namespace cairn::rules
