#pragma once
// The members of public types that have no list beside them (cairn/attributes.h), for files.

#include <concepts>
#include <tuple>
#include <type_traits>

#include "cairn/articulation.h"
#include "cairn/joint.h"
#include "cairn/particle_set.h"
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
auto members(Is<ArticulationHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<ParticlesHandle> auto& h) { return std::tie(h.index, h.generation); }
auto members(Is<JointHandle> auto& h) { return std::tie(h.index, h.generation); }

}  // namespace cairn
