// Rules of materials, parameters, scales and gravity; body_rules.cpp has those of bodies.

#include "src/scene/rules.h"

#include "src/scene/check_attributes.h"
#include "src/solve/traits.h"

namespace cairn::rules {

Material default_material() {
  Material material;
  material.name = "default";
  return material;
}

void refuse(const std::string& what, const std::optional<Fault>& fault) {
  if (fault) throw InvalidArgument(what + fault->part + ": " + fault->field + " " + fault->rule);
}

std::optional<Fault> find_fault(const Material& material) { return fault_in(material); }
std::optional<Fault> find_fault(const BodyScales& scales) { return fault_in(scales); }
std::optional<Fault> find_fault(const Scales& scales) { return fault_in(scales); }
std::optional<Fault> find_fault(const Randomisation& ranges) { return fault_in(ranges); }

std::optional<Fault> find_fault(const StepParams& params) {
  Checker check;
  check_attributes(check, params);
  check.require(params.sweep != SweepKind::kJacobi || traits_of(params.solver).jacobi, "sweep",
                "must be gauss_seidel unless the solver is xpbd, is jacobi");
  check.require(params.dt >= 1e-7f * static_cast<float>(params.substeps), "dt",
                "must be at least 1e-7 s a substep, is " + digits(params.dt));
  return check.fault;
}

bool shared_alike(const StepParams& a, const StepParams& b) {
  bool alike = true;
  each_attribute<StepParams>([&](const auto& attribute) {
    alike = alike && (attribute.info.own || a.*attribute.member == b.*attribute.member);
  });
  return alike;
}

std::string shared_params() {
  std::vector<std::string_view> names;
  each_attribute<StepParams>([&](const auto& attribute) {
    if (!attribute.info.own) names.push_back(attribute.name());
  });
  std::string all = "; worlds of a batch share ";
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  return all;
}

std::optional<Fault> find_fault(const WorldLimits& limits) {
  Checker check;
  check_attributes(check, limits);
  const auto above = [&](float lower, float upper, std::string_view field, std::string_view pointer) {
    check.require(lower < upper, field, pointer, "must be over " + digits(lower) + ", is " + digits(upper));
  };
  above(limits.lower.x, limits.upper.x, "upper.x", "/upper/0");
  above(limits.lower.y, limits.upper.y, "upper.y", "/upper/1");
  above(limits.lower.z, limits.upper.z, "upper.z", "/upper/2");
  return check.fault;
}

std::optional<Fault> find_fault(Vec3 gravity) {
  Checker check;
  check.vector(gravity, "gravity", "", kFinite);
  return check.fault;
}

}  // namespace cairn::rules
