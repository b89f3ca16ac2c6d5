#pragma once
// Arrays of a caller's, on the device of a World, for calls that take some.

#include <vector>

#include "cairn/cairn.h"
#include "tests/support/builders.h"
#include "tests/support/placed.h"

namespace cairn::testing_support {

/// States of all bodies, some moved, in arrays of the user's.
struct StatesOfAll {
  explicit StatesOfAll(const World& world) : StatesOfAll(states(world), world.device()) {}
  StateArrays views() { return {x.view(3), q.view(4), v.view(3), w.view(3)}; }

  Placed<double> x, q, v, w;

 private:
  StatesOfAll(const std::vector<BodyState>& of, const Device& device)
      : x(rows(of,
               [](const BodyState& s) {
                 return std::vector{s.position.x, s.position.y, s.position.z + 0.25};
               }),
          device),
        q(rows(of,
               [](const BodyState& s) {
                 return std::vector<double>{s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w};
               }),
          device),
        v(rows(of,
               [](const BodyState&) {
                 return std::vector<double>{1, 0, 0};
               }),
          device),
        w(rows(of,
               [](const BodyState&) {
                 return std::vector<double>{0, 1, 0};
               }),
          device) {}
  template <class F>
  static std::vector<double> rows(const std::vector<BodyState>& of, const F& f) {
    std::vector<double> all;
    for (const BodyState& s : of) {
      for (const double value : f(s)) all.push_back(value);
    }
    return all;
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
