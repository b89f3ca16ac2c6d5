#pragma once
// For files: the members of public types that have no list of their own (cairn/attributes.h).

#include <concepts>
#include <type_traits>

#include "cairn/articulation.h"
#include "cairn/joint.h"
#include "cairn/particle_set.h"
#include "cairn/types.h"
#include "src/describe/attributes.h"

namespace cairn {

/// Takes any members, to test whether a type has a list.
inline constexpr auto kAnyMembers = [](const auto&...) {};

/// T or const T.
template <class T, class As>
concept Is = std::same_as<std::remove_const_t<T>, As>;

/// For files: the list of all members of an aggregate, in order. One that lacks a member doesn't compile.
#define CAIRN_MEMBERS(TYPE, ...)                         \
  void members(Is<TYPE> auto& whole, const auto& take) { \
    auto& [__VA_ARGS__] = whole;                         \
    take(__VA_ARGS__);                                   \
  }

void members(Is<Vec3> auto& v, const auto& f) { f(v.x, v.y, v.z); }
void members(Is<Vec3d> auto& v, const auto& f) { f(v.x, v.y, v.z); }
void members(Is<Quat> auto& q, const auto& f) { f(q.x, q.y, q.z, q.w); }
void members(Is<QuatT<double>> auto& q, const auto& f) { f(q.x, q.y, q.z, q.w); }
void members(Is<BodyHandle> auto& h, const auto& f) { f(h.index, h.generation); }
void members(Is<ArticulationHandle> auto& h, const auto& f) { f(h.index, h.generation); }
void members(Is<ParticlesHandle> auto& h, const auto& f) { f(h.index, h.generation); }
void members(Is<JointHandle> auto& h, const auto& f) { f(h.index, h.generation); }

}  // namespace cairn
