#pragma once
// Loops that a joint of the World closes over articulations, for tests.

#include <cmath>
#include <numbers>
#include <string>

#include "tests/articulations/robots.h"

namespace cairn::articulations_test {

inline constexpr double kG = 9.81;  ///< [m/s^2]
/// x of a joint to -y, so that angles count from x towards z.
inline constexpr Quat kAlongMinusY{0, 0, -0.70710678f, 0.70710678f};

/// The linkage of the built-in scene `four_bar`: a crank, a coupler and a rocker of steel, on pins 1 m apart.
struct FourBar {
  static constexpr double kCoupler = 0.9, kRocker = 0.7, kBase = 1, kHeight = 1, kBetween = 0.06;  // [m]
  double crank{0.3};                                                                               ///< [m]

  /// [kg]
  static double mass(double length) { return length * 0.04 * 0.06 * 7800; }
  /// [rad] Of coupler and rocker, where the crank lies along the base.
  double along() const {
    const double left = kBase - crank;
    return (kCoupler * kCoupler - kRocker * kRocker + left * left) / (2 * left);
  }
  double coupler_angle() const { return std::acos(along() / kCoupler); }
  double rocker_angle() const { return std::numbers::pi - std::acos((kBase - crank - along()) / kRocker); }

  /// A bar whose pins are at its ends, on a joint of its parent.
  static ArticulationLink bar(const std::string& name, double length, std::uint32_t parent, Vec3d at, Vec3d in_link) {
    const auto half = static_cast<float>(length / 2);
    return on(block(name, {half, 0.02f, 0.03f}, mass(length)), parent, at, in_link, kAlongMinusY,
              ArticulationJointKind::kRevolute);
  }
  /// Crank, coupler, rocker, in this order from pin to pin; what closes it is the rocker's pin.
  Articulation open() const {
    Articulation made{.name = "linkage"};
    made.links.push_back(bar("crank", crank, kWorldLink, {0, 0, kHeight}, {-crank / 2, 0, 0}));
    made.links.push_back(bar("coupler", kCoupler, 0, {crank / 2, kBetween / 2, 0}, {-kCoupler / 2, -kBetween / 2, 0}));
    made.links.push_back(bar("rocker", kRocker, 1, {kCoupler / 2, kBetween / 2, 0}, {kRocker / 2, -kBetween / 2, 0}));
    return made;
  }
  ArticulationState start() const { return {{0, coupler_angle(), rocker_angle() - coupler_angle()}, {}}; }
  Joint closing(std::uint32_t rocker) const {
    return {.name = "rocker_pin",
            .body_b = rocker,
            .frame_a = {{kBase, 2 * kBetween, kHeight}, kAlongMinusY},
            .frame_b = {{-kRocker / 2, 0, 0}, kAlongMinusY},
            .kind = HingeJoint{}};
  }

  /// The same from the other end: rocker, coupler, crank; what closes it is the crank's pin, which may drive it.
  Articulation backwards() const {
    Articulation made{.name = "linkage"};
    made.links.push_back(bar("rocker", kRocker, kWorldLink, {kBase, 2 * kBetween, kHeight}, {-kRocker / 2, 0, 0}));
    made.links.push_back(bar("coupler", kCoupler, 0, {kRocker / 2, -kBetween / 2, 0}, {kCoupler / 2, kBetween / 2, 0}));
    made.links.push_back(bar("crank", crank, 1, {-kCoupler / 2, -kBetween / 2, 0}, {crank / 2, kBetween / 2, 0}));
    return made;
  }
  ArticulationState start_backwards() const {
    return {{rocker_angle(), coupler_angle() - rocker_angle(), -coupler_angle()}, {}};
  }
  Joint crank_pin(std::uint32_t body) const {
    return {.name = "crank_pin",
            .body_b = body,
            .frame_a = {{0, 0, kHeight}, kAlongMinusY},
            .frame_b = {{-crank / 2, 0, 0}, kAlongMinusY},
            .kind = HingeJoint{}};
  }
};

/// [m] Between the anchors of a joint.
inline double gap_of(const World& world, JointHandle joint) {
  const auto [a, b] = world.anchors(joint);
  return test::length(test::operator-(a.position, b.position));
}

}  // namespace cairn::articulations_test
