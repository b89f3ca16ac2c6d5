#pragma once
// Articulations for tests, and what the reference says of them.

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cairn/cairn.h"
#include "tests/reference/dense_articulation.h"
#include "tests/support/random.h"

namespace cairn::articulations_test {

using Kind = ArticulationJointKind;
using testing_support::Random;

inline JointFrame frame(Vec3d at, Quat turn = {0, 0, 0, 1}) { return {at, turn}; }

/// A ball of 1 kg whose inertia is that of a sphere of 20 cm across, its centre 30 cm along x from its joint.
inline ArticulationLink link(const std::string& name, std::uint32_t parent, Kind kind) {
  ArticulationLink made;
  made.name = name;
  made.parent = parent;
  made.joint.kind = kind;
  made.mass = 1;
  made.inertia.moments = {0.004f, 0.004f, 0.004f};
  made.centre_of_mass = {0.3, 0, 0};
  return made;
}

/// A tree of all kinds of joints, with frames turned and shifted on both sides.
inline Articulation random_tree(std::uint32_t links, std::uint64_t seed, bool floating, double armature = 0.02,
                                double damping = 0.1) {
  Random random(seed);
  Articulation made;
  made.name = "tree";
  made.gravity = {0.3, -0.2, -9.81};
  constexpr Kind kKinds[] = {Kind::kRevolute, Kind::kRevolute, Kind::kPrismatic, Kind::kBall, Kind::kFixed};
  for (std::uint32_t i = 0; i < links; ++i) {
    const std::uint32_t parent = i == 0 ? kWorldLink : (random.below(3) == 0 ? random.below(i) : i - 1);
    const Kind kind = i == 0 && floating ? Kind::kFree : kKinds[random.below(5)];
    ArticulationLink l = link("link" + std::to_string(i), parent, kind);
    // not two draws as arguments of one call, whose order compilers choose
    const auto random_frame = [&] {
      const Quat turn = random.quat();
      return frame(random.vec(0.3), turn);
    };
    l.frame_in_parent = random_frame();
    l.frame_in_link = random_frame();
    l.centre_of_mass = random.vec(0.2);
    l.mass = random.within(0.5, 2);
    const auto moment = [&] { return static_cast<float>(random.within(0.02, 0.03)); };
    const auto product = [&] { return static_cast<float>(random.within(-0.003, 0.003)); };
    l.inertia = {{moment(), moment(), moment()}, {product(), product(), product()}};
    if (l.joint.kind != Kind::kFixed) {
      l.joint.armature = armature * random.within(0.5, 1);
      l.joint.damping = damping * random.within(0.5, 1);
    }
    made.links.push_back(l);
  }
  return made;
}

/// Something of everything that a step knows.
inline Articulation busy(bool floating) {
  Articulation tree = random_tree(16, 33, floating);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    ArticulationJoint& j = tree.links[i].joint;
    if (j.kind == Kind::kFixed || j.kind == Kind::kFree) continue;
    if (i % 3 == 0) j.friction = 0.3;
    if (i % 4 == 1 && j.kind != Kind::kBall) {
      j.lower = -0.5;
      j.upper = 0.6;
    }
    if (i % 2 == 0) {
      j.drive_stiffness = 200;
      j.drive_damping = 5;
      j.drive_max_force = i % 5 == 0 ? 1 : std::numeric_limits<double>::infinity();
    }
  }
  return tree;
}

/// The same, with sums of its coordinates held, rubbing, stopped and driven.
inline Articulation coupled(bool floating) {
  Articulation tree = busy(floating);
  std::vector<std::uint32_t> on;
  for (std::uint32_t i = 0; i < tree.links.size(); ++i) {
    if (tree.links[i].joint.kind == Kind::kRevolute || tree.links[i].joint.kind == Kind::kPrismatic) on.push_back(i);
  }
  tree.couplings = {{.name = "gear", .terms = {{on[0], 1}, {on[2], -0.5}}, .lower = 0.1, .upper = 0.1},
                    {.name = "rope", .terms = {{on[1], 1}, {on[3], 2}, {on[4], -1}}, .friction = 0.5, .upper = 0.4},
                    {.name = "tendon",
                     .terms = {{on[0], 0.3}, {on[4], 1}},
                     .max_rate = 2,
                     .spring_stiffness = 5,
                     .spring_rest = 0.2,
                     .drive_stiffness = 100,
                     .drive_damping = 3,
                     .drive_max_force = 4,
                     .drive_min_force = -1}};
  return tree;
}

struct State {
  std::vector<double> q, v, force;

  /// Of one more articulation.
  void append(const State& more) {
    q.insert(q.end(), more.q.begin(), more.q.end());
    v.insert(v.end(), more.v.begin(), more.v.end());
    force.insert(force.end(), more.force.begin(), more.force.end());
  }
};

/// Coordinates up to 1.5, rates up to 1, forces up to 5; quaternions made unit.
inline State random_state(const Articulations& of, Random& random) {
  State s;
  const Articulation& d = of.description();
  for (std::uint32_t i = 0; i < d.links.size(); ++i) {
    const Kind kind = d.links[i].joint.kind;
    if (kind == Kind::kRevolute || kind == Kind::kPrismatic) s.q.push_back(random.within(-1.5, 1.5));
    if (kind == Kind::kFree) {
      for (int k = 0; k < 3; ++k) s.q.push_back(random.within(-1.5, 1.5));
    }
    if (kind == Kind::kBall || kind == Kind::kFree) {
      double c[4] = {random.within(-1, 1), random.within(-1, 1), random.within(-1, 1), random.within(0.1, 1)};
      const double norm = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3]);
      for (const double x : c) s.q.push_back(x / norm);
    }
  }
  for (std::uint32_t k = 0; k < of.dofs(); ++k) {
    s.v.push_back(random.within(-1, 1));
    s.force.push_back(random.within(-5, 5));
  }
  return s;
}

/// One, moving as given.
inline Articulations started(const Articulation& of, const std::vector<double>& q, const std::vector<double>& v,
                             const std::vector<double>& force = {}) {
  Articulations one(of, 1, Device::cpu(1));
  one.set_state(q, v);
  if (!force.empty()) one.set_forces(force);
  return one;
}

/// [J] Kinetic with armature, and potential.
inline double energy(const Articulations& of) {
  const std::vector<double> v = of.rates(), inertia = of.mass_matrix();
  double e = reference::articulation_model(of.description(), of.positions(), v).potential;
  for (std::size_t i = 0; i < v.size(); ++i) {
    for (std::size_t k = 0; k < v.size(); ++k) e += 0.5 * v[i] * inertia[i * v.size() + k] * v[k];
  }
  return e;
}

inline std::vector<double> slice(const std::vector<double>& all, std::size_t i, std::size_t n) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(i * n);
  return {first, first + static_cast<std::ptrdiff_t>(n)};
}

inline double largest(const std::vector<double>& a) {
  double m = 0;
  for (const double x : a) {
    if (std::isnan(x)) return x;
    m = std::max(m, std::abs(x));
  }
  return m;
}

/// Each entry within `allowed`; says the worst, or the first that isn't a number.
inline testing::AssertionResult near(const std::vector<double>& got, const std::vector<double>& want, double allowed) {
  if (got.size() != want.size()) return testing::AssertionFailure() << got.size() << " against " << want.size();
  double worst = -1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double off = std::abs(got[i] - want[i]);
    if (!(off <= worst)) {
      worst = off;
      at = i;
    }
    if (std::isnan(off)) break;
  }
  if (worst <= allowed) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "entry " << at << ": got " << got[at] << ", want " << want[at] << ", off "
                                     << worst << ", allowed " << allowed;
}

}  // namespace cairn::articulations_test
