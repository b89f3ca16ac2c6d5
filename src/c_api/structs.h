#pragma once
// Structs of the C interface, which may be of an older or a newer header.

#include <array>
#include <span>

#include "src/c_api/common.h"

namespace cairn::c_api {

/// The defaults of cairn_..._init: those of C++ (src/c_api/twins.h), except for these.
template <class T>
T defaults();
template <>
cairn_array defaults();
template <>
cairn_shape defaults();

/// A member of a struct, in bytes.
struct Member {
  std::size_t begin, end, alignment;
};
/// All members, in their order, taken from the headers (cmake/cairn_c_structs.cmake).
template <class T>
inline constexpr std::array<Member, 0> members_of{};
template <class T>
inline constexpr const char* name_of = nullptr;
#define CAIRN_MEMBER(T, m) \
  Member { offsetof(T, m), offsetof(T, m) + sizeof(T::m), alignof(decltype(T::m)) }
#define CAIRN_STRUCT(T, ...)                              \
  template <>                                             \
  inline constexpr std::array members_of<T>{__VA_ARGS__}; \
  template <>                                             \
  inline constexpr const char* name_of<T> = #T;
#define CAIRN_PART(T, ...)
#include "struct_members.inc"
#undef CAIRN_STRUCT
#undef CAIRN_PART
#undef CAIRN_MEMBER

/// True if the members cover the struct, except for padding.
template <class T>
constexpr bool covered() {
  std::size_t at = 0;
  for (const Member& m : members_of<T>) {
    if (m.begin < at || m.begin - at >= m.alignment) return false;
    at = m.end;
  }
  return at != 0 && sizeof(T) - at < alignof(T);
}

/// Bytes of whole members in a caller's struct of this size. 0: no header ever had a struct of this size, since a
/// struct ends with a member and the padding behind it.
template <class T>
constexpr std::size_t whole_members(std::size_t size) {
  static_assert(covered<T>());
  if (size > sizeof(T)) return sizeof(T);
  std::size_t alignment = 1, known = 0;
  bool legal = false;
  for (const Member& m : members_of<T>) {
    if (m.end > size) break;
    alignment = std::max(alignment, m.alignment);
    known = m.end;
    legal = size == known || size == (known + alignment - 1) / alignment * alignment;
  }
  return legal ? known : 0;
}

/// `where` is the argument's name, `type` the struct's name in the header.
[[noreturn]] void refuse_size(const char* where, const char* type, std::uint32_t size, const std::string& reason);
/// The struct_size of a caller's struct. Throws InvalidArgument for a null pointer and for impossible sizes.
std::uint32_t told_size(const void* given, const char* where, const char* type);

/// The same. Throws InvalidArgument if it can't be the size of a T.
template <class T>
std::uint32_t size_of(const void* given, const char* where) {
  const std::uint32_t size = told_size(given, where, name_of<T>);
  if (whole_members<T>(size) == 0) refuse_size(where, name_of<T>, size, "which ends within a member");
  return size;
}

/// A struct as this header has it. Members that the caller's header lacks get their defaults.
template <class T>
T read(const void* given, const char* where) {
  const std::uint32_t size = size_of<T>(given, where);
  T full = defaults<T>();
  std::memcpy(static_cast<void*>(&full), given, whole_members<T>(size));
  const auto* bytes = static_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof full; i < size; ++i) {
    if (bytes[i] != 0)
      refuse_size(where, name_of<T>, size, "and a member past those that this version of the library knows isn't 0");
  }
  full.struct_size = sizeof full;
  return full;
}

/// Calls f(T) for each of the caller's structs. Their stride is the size of the first; the others must have the same.
template <class T, class F>
void each_of(const void* all, std::size_t count, const char* where, const F& f) {
  if (count == 0) return;
  const std::uint32_t stride = size_of<T>(all, where);
  const auto* at = static_cast<const unsigned char*>(all);
  for (std::size_t i = 0; i < count; ++i, at += stride) {
    const std::uint32_t size = told_size(at, where, name_of<T>);
    if (size != stride) {
      refuse_size(where, name_of<T>, size,
                  "in element " + std::to_string(i) + " of an array whose first has " + std::to_string(stride) +
                      ": all must have the same");
    }
    f(read<T>(at, where));
  }
}

/// Fills in the caller's structs one after the other, up to the members that they have; the first has the size of each.
template <class T>
void write_each(T* to, std::span<const T> all, const char* where) {
  if (all.empty()) return;
  const std::uint32_t size = size_of<T>(to, where);
  auto* at = static_cast<unsigned char*>(static_cast<void*>(to));
  for (const T& full : all) {
    std::memcpy(at, &full, whole_members<T>(size));
    std::memcpy(at, &size, sizeof size);
    at += size;
  }
}

/// The same for one struct.
template <class T>
void write(T* to, const T& full, const char* where) {
  write_each(to, std::span(&full, 1), where);
}

/// The body of cairn_..._init.
template <class T>
void initialise(T* to, std::size_t size) noexcept {
  const T full = defaults<T>();
  if (to == nullptr || size < sizeof full.struct_size) return;
  const auto known = std::min(size, sizeof full);
  std::memcpy(static_cast<void*>(to), &full, known);
  std::memset(static_cast<unsigned char*>(static_cast<void*>(to)) + known, 0, size - known);
  const auto told = static_cast<std::uint32_t>(size);
  std::memcpy(static_cast<void*>(to), &told, sizeof told);
}

/// An array of the user's; null: none.
ArrayView view_of(const cairn_array* given, const char* name);

}  // namespace cairn::c_api
