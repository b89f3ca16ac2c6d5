#pragma once
// Copies between described structs and their twins in C, member by member of the same name.

#include <tuple>

#include "src/c_api/structs.h"
#include "src/describe/attributes.h"

namespace cairn::c_api {

/// The members of a C struct, taken from the headers (cmake/cairn_c_structs.cmake).
template <class C>
inline constexpr std::tuple<> c_attributes{};
#define CAIRN_MEMBER(C, m) \
  Attribute<&C::m> {}
#define CAIRN_STRUCT(C, ...) \
  template <>                \
  inline constexpr std::tuple c_attributes<C>{__VA_ARGS__};
#define CAIRN_PART CAIRN_STRUCT
#include "struct_members.inc"
#undef CAIRN_STRUCT
#undef CAIRN_PART
#undef CAIRN_MEMBER

/// The place of a member in C.
template <class C>
consteval std::size_t twin_of(std::string_view name) {
  std::size_t at = 0, found = ~std::size_t{0};
  std::apply([&](const auto&... attribute) { ((found = attribute.name() == name ? at : found, ++at), ...); },
             c_attributes<C>);
  return found;
}

/// What a member is called in C; empty: it has no twin there that a copy would do for.
template <auto kMember>
inline constexpr std::string_view c_name = name_of_member<kMember>();
template <>
inline constexpr std::string_view c_name<&JointAxis::mode> = "";  // 0 is that of the kind
template <>
inline constexpr std::string_view c_name<&Joint::frame_a> = "";  // position_a, orientation_a
template <>
inline constexpr std::string_view c_name<&Joint::frame_b> = "";
template <>
inline constexpr std::string_view c_name<&ArticulationJoint::kind> = "joint";
template <>
inline constexpr std::string_view c_name<&ArticulationLink::joint> = "";  // its members are those of cairn_link
template <>
inline constexpr std::string_view c_name<&ArticulationLink::frame_in_parent> = "";  // position_in_parent ...
template <>
inline constexpr std::string_view c_name<&ArticulationLink::frame_in_link> = "";
template <>
inline constexpr std::string_view c_name<&SceneCamera::view> = "";  // its members are those of cairn_camera
template <>
inline constexpr std::string_view c_name<&SceneCamera::follow> = "";  // has_follow, follow: 0 isn't none
template <>
inline constexpr std::string_view c_name<&Shape::filter> = "";  // its members are those of cairn_shape
template <>
inline constexpr std::string_view c_name<&ParticleSet::filter> = "";  // of cairn_particle_set
template <>
inline constexpr std::string_view c_name<&ParticleSet::fluid> = "";
template <>
inline constexpr std::string_view c_name<&ConstraintGroup::law> = "";  // of cairn_constraint_group
template <>
inline constexpr std::string_view c_name<&Attachment::law> = "";  // of cairn_attachment

/// What is copied from member to member: plain ones, and structs of such. Axes of joints stand in cairn_joint.axes.
template <auto kMember>
inline constexpr bool kHasTwin = !c_name<kMember>.empty() && info_of<kMember>().dof < 0 &&
                                 (Plain<HeldOf<Attribute<kMember>>> || Nested<HeldOf<Attribute<kMember>>>);

/// The member of a C struct that stands for one in C++. What has none doesn't compile.
template <auto kMember, class C>
auto& twin_in(C& c) {
  constexpr std::size_t at = twin_of<std::remove_const_t<C>>(c_name<kMember>);
  return c.*std::get<at>(c_attributes<std::remove_const_t<C>>).member;
}

inline void put_value(float (&to)[2], const Range& range) {
  to[0] = range.low;
  to[1] = range.high;
}
inline void put_value(const char*& to, const std::string& text) { to = text.c_str(); }
template <class To, class T>
void put_value(To& to, const T& value) {
  if constexpr (requires { value.has_value(); }) {
    put_value(to, value.value_or(typename T::value_type{}));
  } else if constexpr (std::is_array_v<To>) {
    put(to, value);
  } else {
    to = static_cast<To>(value);
  }
}

/// `required`: a text must be there.
template <class T, class From>
T value_of(const From& from, const std::string& what, bool required) {
  if constexpr (Worded<T>) {
    return enum_of(from, EnumWords<T>::all.back().second, what.c_str());
  } else if constexpr (std::same_as<T, std::string>) {
    if (from == nullptr && !required) return {};
    require(what.c_str(), from);
    return from;
  } else if constexpr (std::same_as<T, bool>) {
    return from != 0;
  } else if constexpr (std::same_as<T, Range>) {
    return {from[0], from[1]};
  } else if constexpr (std::same_as<T, Quat>) {
    return quat(from);
  } else if constexpr (std::is_array_v<From>) {
    return vec3(from);
  } else {
    return from;
  }
}

/// Gives a struct in C the members of `of`; its strings are those of `of`.
template <class C, Described T>
void fill(C& c, const T& of) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    if constexpr (!kHasTwin<kMember>) {
    } else if constexpr (Plain<HeldOf<Attribute<kMember>>>) {
      put_value(twin_in<kMember>(c), of.*kMember);
    } else {
      fill(twin_in<kMember>(c), of.*kMember);
    }
  });
}
template <class C, Described T>
C twin(const T& of) {
  C c{};
  c.struct_size = sizeof c;
  fill(c, of);
  return c;
}

/// Whether `color` is given: black isn't none.
template <class To, class C>
void give_has_color(C& c, const To& of) {
  c.has_color = of.color ? 1 : 0;
}
template <class To, class C>
void take_color(To& to, const C& c) {
  to.color.reset();
  if (c.has_color != 0) to.color = vec3(c.color);
}

/// Gives `to` the members of a struct in C. Zeros in the place of optional values are none.
template <Described T, class C>
void take(T& to, const C& c, const std::string& what) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    using V = HeldOf<Attribute<kMember>>;
    if constexpr (!kHasTwin<kMember>) {
    } else if constexpr (Plain<V>) {
      const V value =
          value_of<V>(twin_in<kMember>(c), what + "." + std::string(c_name<kMember>), info_of<kMember>().required);
      if constexpr (requires { (to.*kMember).has_value(); }) {
        if (value != V{}) to.*kMember = value;
      } else {
        to.*kMember = value;
      }
    } else {
      take(to.*kMember, twin_in<kMember>(c), what + "." + std::string(c_name<kMember>));
    }
  });
}
template <Described T, class C>
T attributes_of(const C& c) {
  T made;
  take(made, c, name_of<C>);
  return made;
}

}  // namespace cairn::c_api
