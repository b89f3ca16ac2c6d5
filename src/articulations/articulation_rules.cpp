// The rules of articulations.

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

void check_joint(Checker& check, const ArticulationJoint& joint) {
  using Kind = ArticulationJointKind;
  check.require(
      joint.lower <= joint.upper, "joint lower", "",
      "must not be over upper, is " + rules::digits(joint.lower) + " and upper " + rules::digits(joint.upper));
  const bool limited = joint.lower != -kInfinity || joint.upper != kInfinity;
  check.require(!limited || joint.kind == Kind::kRevolute || joint.kind == Kind::kPrismatic, "joint lower and upper",
                "", "must be infinite but of revolute and prismatic joints");
  const bool acts = joint.friction != 0 || joint.drive_stiffness != 0 || joint.drive_damping != 0;
  check.require(!acts || joint.kind != Kind::kFree, "joint friction and drive", "", "must be left out of a free joint");
  check.require(joint.kind != Kind::kFixed || (!acts && joint.armature == 0 && joint.damping == 0),
                "joint armature, damping, friction and drive", "", "must be left out of a fixed joint");
}

void check_mass(Checker& check, const ArticulationLink& link) {
  // who carries mass is known only when all links are
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

/// That whatever moves has inertia. Of links without mass the frames are known to be sound.
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
    if (check.fault) {
      throw InvalidArgument("articulation \"" + description.name + "\"" + part + ": " + check.fault->field + " " +
                            check.fault->rule);
    }
  };
  Checker whole;
  rules::check_attributes(whole, description);
  whole.require(!description.links.empty(), "links", "", "must not be empty");
  whole.require(description.links.size() <= kMaxLinks, "links", "",
                "must be at most " + std::to_string(kMaxLinks) + ", are " + std::to_string(description.links.size()));
  refuse(whole, "");
  const auto of_link = [&](std::size_t i) {
    return ", link \"" + description.links[i].name + "\" (number " + std::to_string(i) + ")";
  };
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    const ArticulationLink& link = description.links[i];
    Checker check;
    check_link(check, link, i);
    check.require(names.insert(link.name).second, "name", "", "must be unique");
    refuse(check, of_link(i));
  }
  Checker carried;
  std::size_t at = 0;
  check_carried(carried, description, at);
  refuse(carried, of_link(at));
}

}  // namespace cairn
