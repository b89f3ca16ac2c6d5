// The rules of articulations.

#include <string>
#include <unordered_set>

#include "cairn/errors.h"
#include "cairn/mass.h"
#include "src/articulate/lower.h"
#include "src/scene/checker.h"

namespace cairn {
namespace {

using rules::Checker;
using rules::Range;

// [1] sums and products of what these allow stay far inside a double
constexpr Range kGain{0, 1e12, false, "must be between 0 and 1e+12"};
constexpr Range kCoordinate{-1e6, 1e6, false, "must be between -1e+06 and 1e+06"};
constexpr Range kGravity{-1e6, 1e6, false, "must be between -1e+06 and 1e+06 m/s^2"};
constexpr std::size_t kMostLinks = 10000;  // the entries of a mass matrix are counted in 32 bits
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_joint(Checker& check, const ArticulationJoint& joint) {
  using Kind = ArticulationJointKind;
  check.require(joint.kind <= Kind::kFree, "joint kind", "", "must be one of ArticulationJointKind");
  check.number(joint.armature, "armature", "", kGain);
  check.number(joint.damping, "damping", "", kGain);
  check.number(joint.friction, "friction", "", kGain);
  if (joint.lower != -kInfinity) check.number(joint.lower, "lower", "", kCoordinate);
  if (joint.upper != kInfinity) check.number(joint.upper, "upper", "", kCoordinate);
  check.require(
      joint.lower <= joint.upper, "lower", "",
      "must not be over upper, is " + rules::digits(joint.lower) + " and upper " + rules::digits(joint.upper));
  check.number(joint.drive_stiffness, "drive_stiffness", "", kGain);
  check.number(joint.drive_damping, "drive_damping", "", kGain);
  if (joint.drive_most_force != kInfinity) check.number(joint.drive_most_force, "drive_most_force", "", kGain);
  const bool limited = joint.lower != -kInfinity || joint.upper != kInfinity;
  check.require(!limited || joint.kind == Kind::kRevolute || joint.kind == Kind::kPrismatic, "lower and upper", "",
                "must be infinite but of revolute and prismatic joints");
  const bool acts = joint.friction != 0 || joint.drive_stiffness != 0 || joint.drive_damping != 0;
  check.require(!acts || joint.kind != Kind::kFree, "friction and drive", "", "must be left out of a free joint");
  check.require(joint.kind != Kind::kFixed || (!acts && joint.armature == 0 && joint.damping == 0),
                "armature, damping, friction and drive", "", "must be left out of a fixed joint");
}

void check_mass(Checker& check, const ArticulationLink& link) {
  const bool none = link.mass == 0 && link.inertia == Inertia{};
  check.vector(link.centre_of_mass, "centre_of_mass", "", rules::kLocalPosition);
  if (none && link.joint.kind == ArticulationJointKind::kFixed) return;
  check.number(link.mass, "mass", "", rules::kOverZero);
  check.number(link.mass, "mass", "", rules::kInertial);
  check.vector(link.inertia.moments, "inertia", "", rules::kOverZero);
  check.vector(link.inertia.moments, "inertia", "", rules::kInertial);
  check.vector(link.inertia.products, "inertia products", "", rules::kAny);
  if (const std::string rule = check.good() ? fault_of(link.inertia) : ""; !rule.empty())
    check.require(false, "inertia", "", rule);
}

void check_link(Checker& check, const ArticulationLink& link, std::size_t index) {
  check.name(link.name);
  check.require(link.parent == kWorldLink || link.parent < index, "parent", "",
                "must be the world or an earlier link, is " + std::to_string(link.parent));
  check.require(link.parent == kWorldLink || link.joint.kind != ArticulationJointKind::kFree, "parent", "",
                "must be the world where the joint is free");
  for (const auto& [frame, name] :
       {std::pair{&link.frame_in_parent, "frame_in_parent"}, std::pair{&link.frame_in_link, "frame_in_link"}}) {
    check.vector(frame->position, std::string(name) + " position", "", rules::kPosition);
    check.quaternion(frame->orientation, std::string(name) + " orientation", "");
  }
  check_joint(check, link.joint);
  check_mass(check, link);
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
  whole.name(description.name);
  whole.vector(description.gravity, "gravity", "", kGravity);
  whole.require(!description.links.empty(), "links", "", "must not be empty");
  whole.require(description.links.size() <= kMostLinks, "links", "",
                "must be at most " + std::to_string(kMostLinks) + ", are " + std::to_string(description.links.size()));
  refuse(whole, "");
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < description.links.size(); ++i) {
    const ArticulationLink& link = description.links[i];
    Checker check;
    check_link(check, link, i);
    check.require(names.insert(link.name).second, "name", "", "must be unique");
    refuse(check, ", link \"" + link.name + "\" (number " + std::to_string(i) + ")");
  }
}

}  // namespace cairn
