#pragma once
// The rules of force fields.

#include <functional>
#include <optional>
#include <string>

#include "cairn/scene.h"
#include "src/scene/rules.h"

namespace cairn::rules {

/// [1] Max fields of a scene. The springs of a field have no limit.
inline constexpr std::size_t kMaxFields = 1024;

/// "Wind", as in cairn::fields.
std::string name_of(const fields::Any& law);

/// The first rule that a law breaks among so many particles.
std::optional<Fault> find_fault(const fields::Any& law, std::uint32_t particles);

/// The things that a field may name: bodies of its scene or world.
struct FieldPlace {
  std::uint32_t bodies{0};                            ///< [1] number of indices
  std::function<const Body*(std::uint32_t)> body_at;  ///< null for removed ones
  std::function<const std::vector<Material>&()> materials;
  bool needs_mass{true};  ///< bodies on lists need a mass
};

FieldPlace field_place_in(const Scene& scene);  ///< refers to the scene

/// The fault of a body for a field, if any; for springs it needs no mass.
std::optional<std::string> fault_of_body(std::uint32_t index, const FieldPlace& place, bool needs_mass);

/// For a field whose list is sorted.
std::optional<Fault> find_fault(const SceneField& field, const FieldPlace& place);

/// The field with its list sorted.
SceneField sorted(SceneField field);

/// [kg] Mass that a body that isn't dynamic would have as a dynamic one; 0 if none.
double mass_as_dynamic(Body body, const std::vector<Material>& materials);

/// Throw InvalidArgument: for too many fields; and for a fault, naming the field by its number, and the rule.
void refuse_more_fields(std::size_t count);
void refuse_faults(const SceneField& field, std::size_t number, const FieldPlace& place);

}  // namespace cairn::rules
