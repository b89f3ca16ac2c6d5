#pragma once
// The rules of force fields.

#include <functional>
#include <optional>
#include <string>

#include "cairn/scene.h"
#include "src/scene/rules.h"

namespace cairn::rules {

/// [1] Of a scene, at most. Springs can be as many as they like in one.
inline constexpr std::size_t kMaxFields = 1024;

/// "Wind", as in cairn::fields.
std::string name_of(const fields::Any& law);

/// The first rule that a law breaks among so many particles.
std::optional<Fault> find_fault(const fields::Any& law, std::uint32_t particles);

/// What a field may name: the bodies of its scene or world.
struct FieldPlace {
  std::uint32_t bodies{0};                            ///< [1] indices that there are
  std::function<const Body*(std::uint32_t)> body_at;  ///< null where there is none any more
  std::function<const std::vector<Material>&()> materials;
  bool needs_mass{true};  ///< bodies on lists need a mass
};

FieldPlace field_place_in(const Scene& scene);  ///< holds on to the scene

/// What is wrong with a body for a field; for springs it needs no mass.
std::optional<std::string> fault_of_body(std::uint32_t index, const FieldPlace& place, bool needs_mass);

/// Of a field whose list is sorted.
std::optional<Fault> find_fault(const SceneField& field, const FieldPlace& place);

/// With its list sorted.
SceneField sorted(SceneField field);

/// [kg] Of a body that isn't dynamic: what it would have if it were; 0 where it has none.
double mass_as_dynamic(Body body, const std::vector<Material>& materials);

/// Throw InvalidArgument: where there are too many; and naming the field by its number, and the rule.
void refuse_more_fields(std::size_t count);
void refuse_faults(const SceneField& field, std::size_t number, const FieldPlace& place);

}  // namespace cairn::rules
