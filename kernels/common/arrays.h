#pragma once
// The arrays of a table. Below each table of kernels/ stands a list of its arrays in order, with the lifetime of their
// content, what they start with and their public names. Allocation, growth, memory counts, snapshot columns, starts and
// resets, the poison of tests and DeviceArrays::list are made from it.

#include <cstdint>
#include <type_traits>

#include "cairn/attributes.h"
#include "kernels/common/annotate.h"

namespace cairn::kernels {

/// How long the content of an array lives.
enum class Life : std::uint8_t {
  kKept,       ///< from step to step; snapshots have it
  kApart,      ///< from step to step; snapshots have it by code of their own
  kDerived,    ///< from step to step; follows from descriptions and kept arrays
  kScratch,    ///< within a step, which writes it before it reads it
  kElsewhere,  ///< a buffer of its own, not one of the table's
};

/// What an array holds of bodies or worlds that were just made, and again after a reset.
enum class Start : std::uint8_t {
  kWritten,  ///< what code of its own writes
  kZero,
};

/// How DeviceArrays::list describes an array; without a name it isn't listed.
struct PublicArray {
  const char* name{nullptr};
  const char* unit{"1"};  ///< SI
  const char* meaning{""};
  bool writable{false};
};

namespace arrays {
template <class Pointer>
struct Pointed;
template <class View, class T>
struct Pointed<T View::*> {
  using Type = T;
};
}  // namespace arrays

template <auto kMember, Life kLife, Start kStart = Start::kWritten>
struct Array {
  using Type = typename arrays::Pointed<decltype(kMember)>::Type;
  static constexpr auto member = kMember;
  static constexpr Life life = kLife;
  static constexpr Start start = kStart;
  PublicArray seen{};
};
template <auto kMember, Start kStart = Start::kWritten>
constexpr Array<kMember, Life::kKept, kStart> kept(const PublicArray& seen = {}) {
  return {seen};
}
template <auto kMember, Start kStart = Start::kWritten>
constexpr Array<kMember, Life::kApart, kStart> apart(const PublicArray& seen = {}) {
  return {seen};
}
template <auto kMember>
constexpr Array<kMember, Life::kDerived> derived(const PublicArray& seen = {}) {
  return {seen};
}
template <auto kMember>
constexpr Array<kMember, Life::kScratch> scratch(const PublicArray& seen = {}) {
  return {seen};
}
template <auto kMember>
constexpr Array<kMember, Life::kElsewhere> elsewhere() {
  return {};
}

/// The list of a table: a TypedList of Array, as kAttributes is of structs.
template <class View>
inline constexpr Undescribed kArrays{};
/// For its type, which nvcc doesn't find by itself.
template <class View>
consteval auto list_of() {
  return kArrays<View>;
}

namespace arrays {

/// The list has every array of the table, each once.
template <class View, auto... kMembers, Life... kLives, Start... kStarts>
consteval bool is_whole(const TypedList<Array<kMembers, kLives, kStarts>...>&) {
  return (sizeof(typename arrays::Pointed<decltype(kMembers)>::Type) + ...) == sizeof(View) &&
         all_differ<kMembers...>();
}

template <class Member, class F>
void each_of(Member& member, const F& f) {
  if constexpr (std::is_array_v<Member>) {
    for (auto& one : member) f(one);
  } else {
    f(member);
  }
}

}  // namespace arrays

/// Calls f(row of the list) for each array of a table.
template <class View, class F>
void each_row(const F& f) {
  static_assert(arrays::is_whole<View>(kArrays<View>), "the list of a table lacks an array, or has one twice");
  kArrays<View>.apply([&](const auto&... row) { (f(row), ...); });
}

/// Calls f(array, row of the list) for each array of a table.
template <class View, class F>
void each_array(View& view, const F& f) {
  each_row<std::remove_const_t<View>>([&]<class Row>(const Row& row) {
    if constexpr (Row::life != Life::kElsewhere) {
      arrays::each_of(view.*Row::member, [&](auto& array) { f(array, row); });
    }
  });
}

namespace arrays {

template <class List>
struct EntryStart;
template <class... Rows>
struct EntryStart<TypedList<Rows...>> {
  template <class View>
  CAIRN_HD static void start(const View& view, std::uint32_t i) {
    (start_one<Rows>(view, i), ...);
  }
  template <class Row, class View>
  CAIRN_HD static void start_one(const View& view, std::uint32_t i) {
    if constexpr (Row::start == Start::kZero) (view.*Row::member)[i] = {};
  }
};

}  // namespace arrays

/// Clears entry i of the arrays of a table that start with zeros.
template <class View>
CAIRN_HD void start_entry(const View& view, std::uint32_t i) {
  arrays::EntryStart<decltype(list_of<View>())>::start(view, i);
}

}  // namespace cairn::kernels
