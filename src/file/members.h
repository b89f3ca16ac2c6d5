#pragma once
// The members of the public types, for files. A member that is added to one of them doesn't compile here until it is
// listed.

#include <concepts>
#include <tuple>
#include <type_traits>

#include "cairn/params.h"
#include "cairn/quality.h"
#include "cairn/random.h"
#include "cairn/report.h"
#include "cairn/scene.h"
#include "cairn/types.h"
#include "src/describe/attributes.h"

namespace cairn {

/// T or const T.
template <class T, class As>
concept Is = std::same_as<std::remove_const_t<T>, As>;

auto members(Is<Vec3> auto& v) { return std::tie(v.x, v.y, v.z); }
auto members(Is<Vec3d> auto& v) { return std::tie(v.x, v.y, v.z); }
auto members(Is<Quat> auto& q) { return std::tie(q.x, q.y, q.z, q.w); }
auto members(Is<QuatT<double>> auto& q) { return std::tie(q.x, q.y, q.z, q.w); }
auto members(Is<BodyHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<BodyState> auto& s) {
  auto& [position, orientation, linear_velocity, angular_velocity] = s;
  return std::tie(position, orientation, linear_velocity, angular_velocity);
}
auto members(Is<HighWater> auto& h) {
  auto& [bodies, shapes, pairs, rows] = h;
  return std::tie(bodies, shapes, pairs, rows);
}
auto members(Is<Range> auto& r) {
  auto& [low, high] = r;
  return std::tie(low, high);
}
auto members(Is<Inertia> auto& i) {
  auto& [moments, products] = i;
  return std::tie(moments, products);
}
auto members(Is<MassProperties> auto& m) {
  auto& [mass, centre_of_mass, moments, axes] = m;
  return std::tie(mass, centre_of_mass, moments, axes);
}
auto members(Is<ArticulationHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<ParticlesHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<ArticulationState> auto& s) {
  auto& [q, v] = s;
  return std::tie(q, v);
}
auto members(Is<SceneArticulation> auto& a) {
  auto& [description, start, bodies] = a;
  return std::tie(description, start, bodies);
}
auto members(Is<SceneField> auto& f) {
  auto& [law, bodies] = f;
  return std::tie(law, bodies);
}
auto members(Is<JointHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<QualityRules> auto& r) {
  auto& [fallen, layer_height, bin_min, bin_max, nominal_height] = r;
  return std::tie(fallen, layer_height, bin_min, bin_max, nominal_height);
}

}  // namespace cairn
