#pragma once
// Copies between described structs and their twins in C, member by member of the same name.

#include <tuple>

#include "src/c_api/structs.h"

namespace cairn::c_api {

// the C++ types of the caller's structs
StepParams cpp(cairn_params);
WorldLimits cpp(cairn_limits);
WorldOptions cpp(cairn_world_options);
SceneCamera cpp(cairn_camera);
Material cpp(cairn_material);
Shape cpp(cairn_shape);
Body cpp(cairn_body);
ShapeQuery cpp(cairn_query);
QueryArrays cpp(cairn_query_arrays);
HitArrays cpp(cairn_hit_arrays);
JointArrays cpp(cairn_joint_arrays);
ArticulationJointArrays cpp(cairn_articulation_joint_arrays);
MaterialArrays cpp(cairn_material_arrays);
Scales cpp(cairn_scales);
BodyScales cpp(cairn_body_scales);
Randomisation cpp(cairn_randomisation);
Joint cpp(cairn_joint);
ArticulationLink cpp(cairn_link);
CouplingTerm cpp(cairn_coupling_term);
ArticulationCoupling cpp(cairn_coupling);
Articulation cpp(cairn_articulation);
ConstraintGroup cpp(cairn_constraint_group);
Attachment cpp(cairn_attachment);
ParticleSet cpp(cairn_particle_set);
fields::Spring cpp(cairn_spring);
SceneField cpp(cairn_field);
DragParams cpp(cairn_drag_params);
MuscleParams cpp(cairn_muscle_params);
FrameSensor cpp(cairn_frame_sensor);
ImuSensor cpp(cairn_imu_sensor);
ContactSensor cpp(cairn_contact_sensor);
JointSensor cpp(cairn_joint_sensor);
RayScan cpp(cairn_ray_scan);
CameraSensor cpp(cairn_camera_sensor);
SensorSet cpp(cairn_sensor_set);
template <class C>
using Cpp = decltype(cpp(std::declval<C>()));

/// The members of a C struct, taken from the headers (cmake/cairn_c_structs.cmake), as a list of Attribute.
template <class C>
struct InHeader;
#define CAIRN_MEMBER(C, m) \
  Attribute<&S::m> {}
#define CAIRN_STRUCT(C, ...)                      \
  template <>                                     \
  struct InHeader<C> {                            \
    template <class S = C>                        \
    static constexpr std::tuple all{__VA_ARGS__}; \
  };
#define CAIRN_PART CAIRN_STRUCT
#include "struct_members.inc"
#undef CAIRN_STRUCT
#undef CAIRN_PART
#undef CAIRN_MEMBER
template <class C>
inline constexpr const auto& c_attributes = InHeader<C>::template all<>;

/// The name of a member in C.
template <auto kMember>
struct InC {
  std::string_view name;
};
/// No twin that a copy could fill: ByHand has it.
inline constexpr std::string_view kByHand = "";
/// Members with other names in C than in C++.
inline constexpr TypedList kNamesInC{InC<&JointAxis::mode>{kByHand},  // 0 is that of the kind
                                     InC<&Joint::frame_a>{kByHand},   // position_a, orientation_a
                                     InC<&Joint::frame_b>{kByHand},
                                     InC<&ArticulationJoint::kind>{"joint"},
                                     InC<&ArticulationLink::frame_in_parent>{kByHand},  // position_in_parent ...
                                     InC<&ArticulationLink::frame_in_link>{kByHand},
                                     InC<&Articulation::links>{kByHand},  // messages name their elements otherwise
                                     InC<&Articulation::couplings>{kByHand},
                                     InC<&Articulation::gravity>{kByHand},  // of Articulations: a World has its own
                                     InC<&ParticleSet::fluid>{kByHand},     // is_fluid, then its members
                                     InC<&RayQuery::origin>{"position"},
                                     InC<&RayScan::origins>{kByHand},  // the default isn't empty
                                     InC<&RayScan::directions>{kByHand},
                                     InC<&WorldOptions::device>{kByHand},  // its name, threads
                                     InC<&Capacity::bodies>{"capacity_bodies"},
                                     InC<&Capacity::shapes>{"capacity_shapes"},
                                     InC<&Capacity::pairs>{"capacity_pairs"},
                                     InC<&HighWater::bodies>{"max_bodies"},
                                     InC<&HighWater::shapes>{"max_shapes"},
                                     InC<&HighWater::pairs>{"max_pairs"},
                                     InC<&HighWater::rows>{"max_rows"},
                                     InC<&Difference::stage>{kByHand},  // -1: none
                                     InC<&Difference::body>{kByHand},   // beside the struct
                                     InC<&Replay::difference>{kByHand},
                                     InC<&ContactEvent::a>{kByHand},  // a, shape_a
                                     InC<&ContactEvent::b>{kByHand},
                                     InC<&EndedContact::a>{kByHand},
                                     InC<&EndedContact::b>{kByHand}};
template <auto kMember>
consteval std::string_view c_name() {
  if constexpr (std::is_base_of_v<InC<kMember>, decltype(kNamesInC)>) {
    return static_cast<const InC<kMember>&>(kNamesInC).name;
  } else {
    return name_of_member<kMember>();
  }
}

template <class C>
inline constexpr auto kMembersInC = std::apply(
    [](const auto&... attribute) { return std::array<std::string_view, sizeof...(attribute)>{attribute.name()...}; },
    c_attributes<C>);
/// Index of a member in C, perhaps with something before or after its name.
inline constexpr std::size_t kNowhere = ~std::size_t{0};
template <class C>
consteval std::size_t twin_of(std::string_view name, std::string_view before = "", std::string_view after = "") {
  for (std::size_t at = 0; at < kMembersInC<C>.size(); ++at) {
    const std::string_view other = kMembersInC<C>[at];
    if (other.size() != before.size() + name.size() + after.size()) continue;
    if (other.starts_with(before) && other.ends_with(after) && other.substr(before.size(), name.size()) == name)
      return at;
  }
  return kNowhere;
}
template <std::size_t kAt, class C>
auto& member_at(C& c) {
  static_assert(kAt != kNowhere, "a member needs its twin in C, or a row of kNamesInC");
  return c.*std::get<kAt>(c_attributes<std::remove_const_t<C>>).member;
}
/// The member of a C struct that is the twin of one in C++. A member without a twin doesn't compile.
template <auto kMember, class C>
auto& twin_in(C& c) {
  return member_at<twin_of<std::remove_const_t<C>>(c_name<kMember>())>(c);
}

/// A struct that is copied member by member.
template <class T>
concept Copied = Described<T> && !Plain<T>;

template <class T>
inline constexpr bool kIsOfSeveral = false;
template <class T>
inline constexpr bool kIsOfSeveral<std::vector<T>> = true;
template <class... T>
inline constexpr bool kIsOfSeveral<std::variant<T...>> = true;

/// Axes of joints are in cairn_joint.axes.
template <auto kMember>
inline constexpr bool kIsAxis =
    info_of<kMember>().dof >= 0 || std::same_as<HeldOf<Attribute<kMember>>, std::array<JointAxis, kJointDofs>>;
/// Index of the count of a list's elements: point_mass_count of point_masses, fixed_count of fixed.
template <auto kMember, class C>
consteval std::size_t count_of() {
  std::size_t at = kNowhere;
  const std::string_view name = c_name<kMember>();
  for (const std::string_view plural : {"", "s", "es"}) {
    if (!name.ends_with(plural) || name.empty()) continue;
    at = std::min(at, twin_of<C>(name.substr(0, name.size() - plural.size()), "", "_count"));
  }
  return at;
}
template <auto kMember, class C>
inline constexpr bool kIsList =
    kIsVector<typename Attribute<kMember>::Type>&& count_of<kMember, std::remove_const_t<C>>() != kNowhere;
/// Lists without a count of their own are copied by hand, and so are variants and inertias, none of which are zeros.
template <auto kMember, class C>
inline constexpr bool kIsByHand =
    !kIsList<kMember, C> && (c_name<kMember>().empty() || kIsOfSeveral<HeldOf<Attribute<kMember>>> ||
                             std::same_as<HeldOf<Attribute<kMember>>, Inertia>);
template <Described T, class C>
consteval bool has_by_hand() {
  return attribute_list<T>().apply([]<auto... kMember>(const Attribute<kMember>&...) {
    return ((kIsByHand<kMember, C> && !kIsAxis<kMember>) || ...);
  });
}
/// Conversion of the members that aren't copied one by one: give(c, of) and take(to, c, what). Specialised where
/// has_by_hand says so; without that it doesn't compile.
template <class C, class T>
struct ByHand;

/// The members of this struct are members of the C struct itself: it has no struct of that name.
template <auto kMember, class C>
consteval bool is_flat() {
  constexpr std::size_t at = twin_of<C>(c_name<kMember>());
  if constexpr (!Copied<HeldOf<Attribute<kMember>>>) {
    return false;
  } else if constexpr (at == kNowhere) {
    return true;
  } else {
    using Twin = typename std::remove_cvref_t<decltype(std::get<at>(c_attributes<C>))>::Type;
    return !std::is_class_v<Twin>;
  }
}
/// Index of has_..., the flag of an optional member.
template <auto kMember, class C>
inline constexpr std::size_t kFlag = twin_of<std::remove_const_t<C>>(c_name<kMember>(), "has_");

template <class C, Described T>
void fill(C& c, const T& of);
template <Described T, class C>
void take(T& to, const C& c, const std::string& what);
template <Described T, class C>
T attributes_of(const C& c, const std::string& what = name_of<C>);

template <class To, class T>
void put_value(To& to, const T& value) {
  if constexpr (requires { value.has_value(); }) {
    put_value(to, value.value_or(typename T::value_type{}));
  } else if constexpr (std::same_as<T, std::string>) {
    to = value.c_str();
  } else if constexpr (std::same_as<T, Range>) {
    to[0] = value.low;
    to[1] = value.high;
  } else if constexpr (std::same_as<T, ArrayView>) {
    to = nullptr;  // the caller sets it
  } else if constexpr (kIsArray<T>) {
    static_assert(std::tuple_size_v<T> <= std::extent_v<To>);
    for (std::size_t i = 0; i < value.size(); ++i) put_value(to[i], value[i]);
  } else if constexpr (std::is_array_v<To>) {
    put(to, value);
  } else if constexpr (std::same_as<To, cairn_handle>) {
    to = in_c(value);
  } else if constexpr (Copied<T>) {
    fill(to, value);
  } else {
    to = static_cast<To>(value);
  }
}

/// `what` makes the name in messages. `required`: a text must not be null.
template <class T, class From, class F>
T value_of(const From& from, bool required, const F& what) {
  if constexpr (Worded<T>) {
    return enum_of(from, EnumWords<T>::all.back().second, what().c_str());
  } else if constexpr (std::same_as<T, std::string>) {
    if (from == nullptr && !required) return {};
    require(what(), from);
    return from;
  } else if constexpr (std::same_as<T, bool>) {
    return from != 0;
  } else if constexpr (std::same_as<T, Range>) {
    return {from[0], from[1]};
  } else if constexpr (std::same_as<T, ArrayView>) {
    return view_of(from, what().c_str());
  } else if constexpr (kIsArray<T>) {
    T all;
    static_assert(std::tuple_size_v<T> == std::extent_v<From>);
    std::copy(std::begin(from), std::end(from), all.begin());
    return all;
  } else if constexpr (std::same_as<From, cairn_handle>) {
    return handle<T>(from);
  } else if constexpr (Copied<T>) {
    return attributes_of<T>(from, what());
  } else if constexpr (std::same_as<T, Quat>) {
    return quat(from);
  } else if constexpr (std::is_array_v<From>) {
    return vec3(from);
  } else {
    return from;
  }
}

/// A list's first number, null if it is empty, and its count. Structs with a list are given without it.
template <class P, class T>
void put_list(const P*& to, std::uint32_t& count, const std::vector<T>& list) {
  count = static_cast<std::uint32_t>(list.size());
  if constexpr (std::is_arithmetic_v<P>) {
    to = list.empty() ? nullptr : static_cast<const P*>(static_cast<const void*>(list.data()));
  }
}

/// Copies the members of `of` to a struct in C; the memory of its strings and numbers is that of `of`.
template <class C, Described T>
void fill(C& c, const T& of) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    if constexpr (kIsByHand<kMember, C> || kIsAxis<kMember>) {
    } else if constexpr (kIsList<kMember, C>) {
      put_list(twin_in<kMember>(c), member_at<count_of<kMember, C>()>(c), of.*kMember);
    } else if constexpr (is_flat<kMember, C>()) {
      fill(c, of.*kMember);
    } else {
      put_value(twin_in<kMember>(c), of.*kMember);
      if constexpr (kFlag<kMember, C> != kNowhere) member_at<kFlag<kMember, C>>(c) = (of.*kMember).has_value() ? 1 : 0;
    }
  });
  if constexpr (has_by_hand<T, C>()) ByHand<C, T>::give(c, of);
}

/// Initial content for `fill`: zeros; specialised where only some kinds have a member.
template <class C>
C blank() {
  C c{};
  if constexpr (requires { c.struct_size; }) c.struct_size = sizeof c;
  return c;
}
/// The same for a C struct that has the members of all of a variant's kinds. If several have one of the same name, its
/// default is that of the first.
template <class C, class V>
C blank_of_kinds() {
  C c{};
  c.struct_size = sizeof c;
  for (std::size_t k = std::variant_size_v<V>; k-- > 0;) {
    std::visit([&](const auto& kind) { fill(c, kind); }, make_type<V>(k));
  }
  return c;
}
template <class C, Described T>
C twin(const T& of) {
  C c = blank<C>();
  fill(c, of);
  return c;
}

/// The defaults of C++, without a name.
template <class C>
C defaults() {
  C c = twin<C>(Cpp<C>{});
  const auto clear = [&]<class M>(M C::*member) {
    if constexpr (std::same_as<M, const char*>) c.*member = nullptr;
  };
  std::apply([&](const auto&... attribute) { (clear(attribute.member), ...); }, c_attributes<C>);
  return c;
}
/// True if its strings or lists are in the memory of its source.
template <class C>
consteval bool has_pointers() {
  return std::apply(
      [](const auto&... a) { return (std::is_pointer_v<typename std::remove_cvref_t<decltype(a)>::Type> || ...); },
      c_attributes<C>);
}

template <class T, class P>
void take_list(std::vector<T>& to, const P* from, std::size_t count, const std::string& what);

/// Copies a struct in C to `to`. Without a has_... flag, zeros stand for optional values that are absent.
template <Described T, class C>
void take(T& to, const C& c, const std::string& what) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    using V = HeldOf<Attribute<kMember>>;
    // made for lists, and for an error
    [[maybe_unused]] const auto name = [&] { return what + "." + std::string(c_name<kMember>()); };
    if constexpr (kIsByHand<kMember, C> || kIsAxis<kMember>) {
    } else if constexpr (kIsList<kMember, C>) {
      take_list(to.*kMember, twin_in<kMember>(c), member_at<count_of<kMember, C>()>(c), name());
    } else if constexpr (is_flat<kMember, C>()) {
      take(to.*kMember, c, what);
    } else if constexpr (Copied<V>) {
      take(to.*kMember, twin_in<kMember>(c), name());
    } else {
      const V value = value_of<V>(twin_in<kMember>(c), info_of<kMember>().required, name);
      if constexpr (kFlag<kMember, C> != kNowhere) {
        (to.*kMember).reset();
        if (member_at<kFlag<kMember, C>>(c) != 0) to.*kMember = value;
      } else if constexpr (requires { (to.*kMember).has_value(); }) {
        if (value != V{}) to.*kMember = value;
      } else {
        to.*kMember = value;
      }
    }
  });
  if constexpr (has_by_hand<T, C>()) ByHand<C, T>::take(to, c, what);
}
template <Described T, class C>
T attributes_of(const C& c, const std::string& what) {
  T made;
  take(made, c, what);
  return made;
}
/// A list of structs; messages name them by their indices.
template <class T, class C>
void take_each(std::vector<T>& to, const C* from, std::size_t count, const std::string& list) {
  each_of<C>(from, count, list.c_str(),
             [&](const C& one) { to.push_back(attributes_of<T>(one, list + "[" + std::to_string(to.size()) + "]")); });
}
/// A list of numbers or structs.
template <class T, class P>
void take_list(std::vector<T>& to, const P* from, std::size_t count, const std::string& what) {
  if constexpr (requires { from->struct_size; }) {
    take_each(to, from, count, what);
  } else if constexpr (std::is_arithmetic_v<P>) {
    to = list_of<T>(from, count, what.c_str());
  } else {
    to.reserve(count);
    for (const P& one : list_of<P>(from, count, what.c_str())) {
      to.push_back(value_of<T>(one, false, [&]() -> const std::string& { return what; }));
    }
  }
}
/// The caller's struct, in C++.
template <class T, class C>
T taken(const C* given) {
  return attributes_of<T>(read<C>(given, name_of<C>));
}

}  // namespace cairn::c_api
