#pragma once
// Arrays of a caller's, on the device of a World, for calls that take some.

#include <vector>

#include "cairn/cairn.h"
#include "tests/interop/arrays.h"
#include "tests/support/placed.h"

namespace cairn::testing_support {

/// States of all bodies, some moved, in arrays of the user's.
struct StatesOfAll {
  explicit StatesOfAll(const World& world) : StatesOfAll(moved(states(world)), world.device()) {}
  StateArrays views() { return {x.view(3), q.view(4), v.view(3), w.view(3)}; }

  Placed<double> x, q, v, w;

 private:
  StatesOfAll(const HostStates<double>& of, const Device& device)
      : x(of.position.data, device),
        q(of.orientation.data, device),
        v(of.linear.data, device),
        w(of.angular.data, device) {}
  static HostStates<double> moved(std::vector<BodyState> all) {
    for (BodyState& s : all) {
      s.position.z += 0.25;
      s.linear_velocity = {1, 0, 0};
      s.angular_velocity = {0, 1, 0};
    }
    return HostStates<double>(all);
  }
};

struct ArmArrays {
  explicit ArmArrays(const World& w) : ArmArrays(w.arrays().articulation_rows(), w.device()) {}
  ArticulationArrays views() {
    const auto view = [](Placed<double>& of, std::uint32_t columns) { return of.view(columns); };
    return {view(q, rows.coordinates), view(v, rows.rates), view(force, rows.rates), view(target, rows.coordinates),
            view(rate, rows.rates)};
  }
  ArticulationJointArrays joints() { return {.armature = v.view(rows.rates), .damping = force.view(rows.rates)}; }

  ArticulationRows rows;
  Placed<double> q, v, force, target, rate;

 private:
  ArmArrays(const ArticulationRows& of, const Device& device)
      : rows(of),
        q(all(of.coordinates, 0.1), device),
        v(all(of.rates, 0.2), device),
        force(all(of.rates, 0.2), device),
        target(all(of.coordinates, 0.1), device),
        rate(all(of.rates, 0.2), device) {}
  std::vector<double> all(std::uint32_t columns, double value) const {
    return std::vector<double>(std::size_t{rows.rows} * columns, value);
  }
};

/// Five rays or shapes, and where what they meet goes.
struct Asked {
  explicit Asked(const Device& device)
      : position(places(), device),
        direction(down(), device),
        body(std::vector<std::uint32_t>(5), device),
        shape(std::vector<std::uint32_t>(5), device),
        distance(std::vector<double>(5), device) {}
  QueryArrays from() {
    QueryArrays a;
    a.position = position.view(3);
    a.direction = direction.view(3);
    return a;
  }
  HitArrays to() {
    HitArrays a;
    a.body = body.view();
    a.shape = shape.view();
    a.distance = distance.view();
    return a;
  }

  Placed<double> position, direction;
  Placed<std::uint32_t> body, shape;
  Placed<double> distance;

 private:
  static std::vector<double> places() {
    std::vector<double> all;
    for (int i = 0; i < 5; ++i) all.insert(all.end(), {i - 2.0, 0.0, 6.0});
    return all;
  }
  static std::vector<double> down() {
    std::vector<double> all;
    for (int i = 0; i < 5; ++i) all.insert(all.end(), {0.0, 0.0, -1.0});
    return all;
  }
};

}  // namespace cairn::testing_support
