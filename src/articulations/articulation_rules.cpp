// The rules of articulations.

#include <cmath>
#include <optional>
#include <string>
#include <unordered_set>

#include "cairn/errors.h"
#include "cairn/mass.h"
#include "src/articulations/compile_articulation.h"
#include "src/scene/check_attributes.h"

namespace cairn {
namespace {

using rules::Checker;

constexpr std::size_t kMaxLinks = 10000;  // the entries of a mass matrix are counted in 32 bits
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr double kMinCoefficient = 1e-6;

void check_count(Checker& check, const char* what, std::size_t count, std::size_t max) {
  check.require(count <= max, what, "", "must be at most " + std::to_string(max) + ", are " + std::to_string(count));
}

/// Rules between members of a joint or a coupling.
template <class T>
void check_forces(Checker& check, const T& of, const std::string& in) {
  check.require(of.lower <= of.upper, in + "lower", "",
                "must not be over upper, is " + rules::digits(of.lower) + " and upper " + rules::digits(of.upper));
  check.require(of.drive_min_force == kInfinity || of.drive_min_force <= of.drive_max_force, in + "drive_min_force", "",
                "must not be over drive_max_force, is " + rules::digits(of.drive_min_force) + " and drive_max_force " +
                    rules::digits(of.drive_max_force));
}

bool has_one_coordinate(const ArticulationJoint& joint) {
  return joint.kind == ArticulationJointKind::kRevolute || joint.kind == ArticulationJointKind::kPrismatic;
}

void check_joint(Checker& check, const ArticulationJoint& joint) {
  using Kind = ArticulationJointKind;
  check_forces(check, joint, "joint ");
  const bool one = has_one_coordinate(joint);
  check.require(one || (joint.lower == -kInfinity && joint.upper == kInfinity), "joint lower and upper", "",
                "must be infinite but of revolute and prismatic joints");
  check.require(one || (joint.min_rate == -kInfinity && joint.max_rate == kInfinity), "joint min_rate and max_rate", "",
                "must be infinite but of revolute and prismatic joints");
  check.require(one || joint.spring_rest == 0, "joint spring_rest", "",
                "must be 0 but of revolute and prismatic joints");
  const bool acts =
      joint.friction != 0 || joint.spring_stiffness != 0 || joint.drive_stiffness != 0 || joint.drive_damping != 0;
  check.require(!acts || joint.kind != Kind::kFree, "joint friction, spring and drive", "",
                "must be left out of a free joint");
  check.require(joint.kind != Kind::kFixed || (!acts && joint.armature == 0 && joint.damping == 0),
                "joint armature, damping, friction, spring and drive", "", "must be left out of a fixed joint");
}

void check_coupling(Checker& check, const ArticulationCoupling& coupling, const Articulation& of) {
  rules::check_attributes(check, coupling);
  check_forces(check, coupling, "");
  check.require(!coupling.terms.empty(), "terms", "", "must not be empty");
  check_count(check, "terms", coupling.terms.size(), kMaxTerms);
  std::unordered_set<std::uint32_t> links;
  for (const CouplingTerm& term : coupling.terms) {
    check.require(term.link < of.links.size(), "terms", "",
                  "must be of links, there is no link " + std::to_string(term.link));
    if (!check.good()) return;
    const std::string& name = of.links[term.link].name;
    check.require(has_one_coordinate(of.links[term.link].joint), "terms", "",
                  "must be of revolute and prismatic joints, that of link \"" + name + "\" isn't one");
    check.require(links.insert(term.link).second, "terms", "",
                  "must be of different links, \"" + name + "\" is there twice");
    rules::check_attributes(check, term);
    check.require(std::abs(term.coefficient) >= kMinCoefficient, "coefficient", "",
                  "must be at least 1e-6 either way, is " + rules::digits(term.coefficient));
  }
}

void check_mass(Checker& check, const ArticulationLink& link) {
  // whether a massless link carries mass is known only with all links
  if (link.mass == 0 && link.inertia == Inertia{}) return;
  check.number(link.mass, "mass", "", kInertial, "kg");
  check.vector(link.inertia.moments, "inertia", "", kInertial);
  check.vector(link.inertia.products, "inertia products", "", rules::kFinite);
  if (const std::string rule = check.good() ? fault_of(link.inertia) : ""; !rule.empty())
    check.require(false, "inertia", "", rule);
}

void check_link(Checker& check, const ArticulationLink& link, std::size_t index) {
  rules::check_attributes(check, link);
  check.require(link.parent == kWorldLink || link.parent < index, "parent", "",
                "must be the world or an earlier link, is " + std::to_string(link.parent));
  check.require(link.parent == kWorldLink || link.joint.kind != ArticulationJointKind::kFree, "parent", "",
                "must be the world where the joint is free");
  check_joint(check, link.joint);
  check_mass(check, link);
}

/// Checks that all moving parts have inertia. Frames of massless links are known to be valid.
void check_carried(Checker& check, const Articulation& description, std::size_t& at) {
  const std::vector<ArticulationLink>& links = description.links;
  std::vector<bool> weighs(links.size());
  bool massless = false;
  for (std::size_t i = links.size(); i-- > 0;) {
    weighs[i] = weighs[i] || links[i].mass > 0;
    if (weighs[i] && links[i].parent != kWorldLink) weighs[links[i].parent] = true;
    massless = massless || links[i].mass == 0;
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    at = i;
    check.require(weighs[i] || links[i].joint.kind == ArticulationJointKind::kFixed, "mass", "",
                  "must be over 0 of it or of a link that it carries, is 0");
    if (!check.good()) return;
  }
  if (!massless) return;
  if (const std::optional<std::size_t> idle = link_without_inertia(description)) {
    at = *idle;
    check.require(
        false, "joint", "",
        "moves no mass that the joints behind it don't move as well: give it an armature, or its link a mass");
  }
}

}  // namespace

void refuse_faults(const Articulation& description) {
  const auto refuse = [&](const Checker& check, const std::string& part) {
    rules::refuse("articulation \"" + description.name + "\"" + part, check.fault);
  };
  Checker whole;
  rules::check_attributes(whole, description);
  whole.require(!description.links.empty(), "links", "", "must not be empty");
  check_count(whole, "links", description.links.size(), kMaxLinks);
  refuse(whole, "");
  const auto part = [](const char* kind, const auto& list, std::size_t i) {
    return ", " + std::string(kind) + " \"" + list[i].name + "\" (number " + std::to_string(i) + ")";
  };
  const auto refuse_any = [&](const char* kind, const auto& list, const auto& check_one) {
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Checker check;
      check_one(check, list[i], i);
      check.require(names.insert(list[i].name).second, "name", "", "must be unique");
      refuse(check, part(kind, list, i));
    }
  };
  refuse_any("link", description.links, check_link);
  check_count(whole, "couplings", description.couplings.size(), kMaxCouplings);
  refuse(whole, "");
  refuse_any("coupling", description.couplings, [&](Checker& check, const ArticulationCoupling& coupling, std::size_t) {
    check_coupling(check, coupling, description);
  });
  Checker carried;
  std::size_t at = 0;
  check_carried(carried, description, at);
  refuse(carried, part("link", description.links, at));
}

}  // namespace cairn
