#pragma once
// Values that go between Python and C++: numbers, vectors, enums, the public structs and lists of them. A struct is an
// object of a Python class of its own (cairn/_structs.py, made from the same lists of members), and is read and made
// member by member, so that lists in it are Python's lists and change in place.

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>

#include "cairn/cairn.h"
#include "python/src/members.h"
#include "python/src/names.h"

namespace cairn::python {

namespace nb = nanobind;

/// The arrays that a call of a World was given, kept alive until it is over.
struct ArraysGiven {
  Device device;          ///< of the World
  void* stream{nullptr};  ///< of the World: what makes arrays there must be done before it goes on; null on the CPU
  std::vector<nb::ndarray<>> held;
};

/// Where a value stands in an argument, for messages: body.shapes[2].geometry.
struct Place {
  const Place* up{nullptr};
  std::string_view name;
  std::ptrdiff_t index{-1};
  ArraysGiven* arrays{nullptr};

  Place member(std::string_view of) const { return {.up = this, .name = of, .arrays = arrays}; }
  Place element(std::ptrdiff_t i) const { return {.up = this, .name = {}, .index = i, .arrays = arrays}; }
  std::string text() const;
};

/// Throw TypeError and ValueError that name the place.
[[noreturn]] void refuse(const Place& place, std::string_view wanted, nb::handle found);
[[noreturn]] void out_of_range(const Place& place, const std::string& wanted, nb::handle found);
/// The same where Python has raised TypeError; what else it raised is the program's own, and goes on.
[[noreturn]] void refuse_raised(const Place& place, std::string_view wanted, nb::handle found);
/// isinstance and bool(), which run Python's code and may raise.
bool is_instance(nb::handle of, nb::handle of_class);
bool is_true(nb::handle of);

/// The Python class of a struct or enum, by its name there. Known once the package has been imported.
nb::handle class_of(std::string_view name);
template <class T>
nb::handle class_of() {
  static const nb::handle found = class_of(PyName<T>::value);
  return found;
}
nb::object new_object(nb::handle of_class);
nb::handle interned(std::string_view text);

/// Classes that nanobind holds.
template <class T>
inline constexpr bool kIsHeld =
    std::is_same_v<T, BodyHandle> || std::is_same_v<T, JointHandle> || std::is_same_v<T, ArticulationHandle> ||
    std::is_same_v<T, ParticlesHandle> || std::is_same_v<T, ConvexHull> || std::is_same_v<T, TriangleMesh> ||
    std::is_same_v<T, HeightField>;

template <class T>
inline constexpr bool kIsVec3 = false;
template <class T>
inline constexpr bool kIsVec3<Vec3T<T>> = true;
template <class T>
inline constexpr bool kIsQuat = false;
template <class T>
inline constexpr bool kIsQuat<QuatT<T>> = true;
template <class T>
inline constexpr bool kIsVector = false;
template <class T>
inline constexpr bool kIsVector<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsArray<std::array<T, N>> = true;
/// Whole numbers, which any object with __index__ is.
template <class T>
inline constexpr bool kIsWhole = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
inline constexpr bool kIsWholeArray = false;
template <class T, std::size_t N>
inline constexpr bool kIsWholeArray<std::array<T, N>> = kIsWhole<T>;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

double number(nb::handle from, const Place& place);
long long whole(nb::handle from, const Place& place, long long min, unsigned long long max);
bool truth(nb::handle from, const Place& place);
std::string text(nb::handle from, const Place& place);
/// Of a str or os.PathLike.
std::filesystem::path path_of(nb::handle from);
std::size_t word(nb::handle from, const Place& place, std::span<const std::string_view> words);
void numbers(nb::handle from, const Place& place, double* to, std::size_t count);
ArrayView array(nb::handle from, const Place& place);
Device device(nb::handle from, const Place& place);
void* address(nb::handle from, const Place& place);
/// The items of any iterable but text, in a list of their own.
nb::object items(nb::handle from, const Place& place, std::string_view wanted = "a list");
/// Has __index__, and isn't an array of several.
bool is_index(nb::handle of) noexcept;

/// The nearest double with so many digits as the float needs: 0.6 for 0.6f. It becomes the same float again.
double shortest(float value);
nb::object enum_value(nb::handle of_class, std::string_view word);
std::string_view variant_word(std::string_view name);

template <class E>
constexpr auto words_of() {
  std::array<std::string_view, EnumWords<E>::all.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = EnumWords<E>::all[i].first;
  return words;
}

template <class T>
T to_cpp(nb::handle from, const Place& place);
template <class T>
nb::object to_python(const T& value);

/// Of structs: made in values.cpp alone.
template <Struct T>
T struct_to_cpp(nb::handle from, const Place& place);
template <Struct T>
nb::object struct_to_python(const T& value);

template <class V, std::size_t kIndex = 0>
V variant_to_cpp(nb::handle from, const Place& place) {
  if constexpr (kIndex == std::variant_size_v<V>) {
    std::string wanted;
    for (const std::string_view w : VariantWords<V>::all)
      wanted += (wanted.empty() ? "one of " : ", ") + std::string(w);
    refuse(place, wanted, from);
  } else {
    using T = std::variant_alternative_t<kIndex, V>;
    bool is = false;
    if constexpr (kIsHeld<T>) {
      is = nb::isinstance<T>(from);
    } else {
      is = is_instance(from, class_of<T>());
    }
    return is ? V{to_cpp<T>(from, place)} : variant_to_cpp<V, kIndex + 1>(from, place);
  }
}

/// Calls f with a number of the type that an array of whole numbers or bools has; false: it has others.
template <class F>
bool as_whole(nb::dlpack::dtype type, F f) {
  using Code = nb::dlpack::dtype_code;
  if (type.lanes != 1) return false;
  const auto of = [&](Code code, int bits, auto number) {
    const bool is = type.code == static_cast<std::uint8_t>(code) && type.bits == bits;
    if (is) f(number);
    return is;
  };
  return of(Code::Bool, 8, std::uint8_t{}) || of(Code::UInt, 8, std::uint8_t{}) || of(Code::Int, 8, std::int8_t{}) ||
         of(Code::UInt, 16, std::uint16_t{}) || of(Code::Int, 16, std::int16_t{}) ||
         of(Code::UInt, 32, std::uint32_t{}) || of(Code::Int, 32, std::int32_t{}) ||
         of(Code::UInt, 64, std::uint64_t{}) || of(Code::Int, 64, std::int64_t{});
}

/// Whole numbers of an array of `columns` (0: of one dimension) on the CPU, none of which is cast to another value.
template <class T>
bool whole_from_array(nb::handle from, const Place& place, std::size_t columns, std::vector<T>& to) {
  nb::ndarray<nb::ro, nb::device::cpu> given;
  if (!nb::try_cast(from, given, false)) return false;
  if (given.ndim() != (columns == 0 ? 1 : 2) || (columns != 0 && given.shape(1) != columns)) return false;
  return as_whole(given.dtype(), [&]<class S>(S) {
    const auto* const first = static_cast<const S*>(given.data());
    const std::size_t wide = columns == 0 ? 1 : columns;
    to.resize(given.shape(0) * wide);
    for (std::size_t i = 0; i < to.size(); ++i) {
      const auto row = static_cast<std::ptrdiff_t>(i / wide), column = static_cast<std::ptrdiff_t>(i % wide);
      const S value = first[row * given.stride(0) + (columns == 0 ? 0 : column * given.stride(1))];
      // by its place, as a list's element would be told
      if (!std::in_range<T>(value)) {
        const Place at = place.element(row);
        (void)to_cpp<T>(nb::int_(value), columns == 0 ? at : at.element(column));
      }
      to[i] = static_cast<T>(value);
    }
  });
}

template <class T>
bool from_array(nb::handle from, const Place& place, std::vector<T>& to) {
  if (PyList_Check(from.ptr()) || PyTuple_Check(from.ptr())) return false;
  if constexpr (kIsWhole<T>) {
    return whole_from_array(from, place, 0, to);
  } else if constexpr (kIsWholeArray<T>) {
    using S = typename T::value_type;
    std::vector<S> flat;
    if (!whole_from_array(from, place, std::tuple_size_v<T>, flat)) return false;
    to.resize(flat.size() / std::tuple_size_v<T>);
    if (!to.empty()) std::memcpy(to.data(), flat.data(), flat.size() * sizeof(S));
    return true;
  } else if constexpr (kIsVec3<T>) {
    using S = decltype(T::x);
    nb::ndarray<const S, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu> given;
    if (!nb::try_cast(from, given)) return false;
    to.resize(given.shape(0));
    if (!to.empty()) std::memcpy(static_cast<void*>(to.data()), given.data(), to.size() * sizeof(T));
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu> given;
    if (!nb::try_cast(from, given)) return false;
    to.assign(given.data(), given.data() + given.size());
    return true;
  } else {
    return false;
  }
}

template <class T>
T to_cpp(nb::handle from, const Place& place) {
  if constexpr (std::is_same_v<T, bool>) {
    return truth(from, place);
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(number(from, place));
  } else if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(whole(from, place, static_cast<long long>(std::numeric_limits<T>::min()),
                                static_cast<unsigned long long>(std::numeric_limits<T>::max())));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return text(from, place);
  } else if constexpr (std::is_same_v<T, void*>) {
    return address(from, place);
  } else if constexpr (std::is_same_v<T, Device>) {
    return device(from, place);
  } else if constexpr (std::is_same_v<T, ArrayView>) {
    return from.is_none() ? ArrayView{} : array(from, place);
  } else if constexpr (kIsVec3<T>) {
    double v[3];
    numbers(from, place, v, 3);
    using S = decltype(T::x);
    return {static_cast<S>(v[0]), static_cast<S>(v[1]), static_cast<S>(v[2])};
  } else if constexpr (kIsQuat<T>) {
    double v[4];
    numbers(from, place, v, 4);
    using S = decltype(T::x);
    return {static_cast<S>(v[0]), static_cast<S>(v[1]), static_cast<S>(v[2]), static_cast<S>(v[3])};
  } else if constexpr (std::is_enum_v<T>) {
    static constexpr auto kWords = words_of<T>();
    return static_cast<T>(word(from, place, kWords));
  } else if constexpr (kIsHeld<T>) {
    T value;
    if (!nb::try_cast(from, value)) refuse(place, PyName<T>::value, from);
    return value;
  } else if constexpr (kIsOptional<T>) {
    if (from.is_none()) return std::nullopt;
    return to_cpp<typename T::value_type>(from, place);
  } else if constexpr (kIsVariant<T>) {
    return variant_to_cpp<T>(from, place);
  } else if constexpr (kIsVector<T>) {
    T all;
    if (from_array(from, place, all)) return all;
    const nb::object list = items(from, place);
    const Py_ssize_t n = PySequence_Size(list.ptr());
    all.reserve(static_cast<std::size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i) {
      const nb::object item = nb::steal(PySequence_GetItem(list.ptr(), i));
      all.push_back(to_cpp<typename T::value_type>(item, place.element(i)));
    }
    return all;
  } else if constexpr (kIsArray<T>) {
    T all{};
    const nb::object list = items(from, place);
    if (PySequence_Size(list.ptr()) != static_cast<Py_ssize_t>(all.size()))
      refuse(place, std::to_string(all.size()) + " values", from);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto at = static_cast<std::ptrdiff_t>(i);
      const nb::object item = nb::steal(PySequence_GetItem(list.ptr(), at));
      all[i] = to_cpp<typename T::value_type>(item, place.element(at));
    }
    return all;
  } else {
    return struct_to_cpp<T>(from, place);
  }
}

template <class T>
nb::object to_python(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return nb::bool_(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return nb::float_(shortest(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return nb::float_(value);
  } else if constexpr (std::is_integral_v<T>) {
    return nb::int_(value);
  } else if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>) {
    return nb::str(value.data(), value.size());
  } else if constexpr (std::is_same_v<T, void*>) {
    return nb::int_(reinterpret_cast<std::uintptr_t>(value));
  } else if constexpr (std::is_same_v<T, ArrayView>) {
    return nb::none();
  } else if constexpr (kIsVec3<T>) {
    return nb::make_tuple(to_python(value.x), to_python(value.y), to_python(value.z));
  } else if constexpr (kIsQuat<T>) {
    return nb::make_tuple(to_python(value.x), to_python(value.y), to_python(value.z), to_python(value.w));
  } else if constexpr (std::is_enum_v<T>) {
    return enum_value(class_of<T>(), word_of(value));
  } else if constexpr (kIsHeld<T>) {
    return nb::cast(value);
  } else if constexpr (kIsOptional<T>) {
    return value ? to_python(*value) : nb::none();
  } else if constexpr (kIsVariant<T>) {
    return std::visit([](const auto& held) -> nb::object { return to_python(held); }, value);
  } else if constexpr (kIsVector<T> || kIsArray<T>) {
    nb::list all;
    for (const auto& element : value) all.append(to_python(element));
    return all;
  } else {
    return struct_to_python(value);
  }
}

/// An argument that is read where the function runs, so that its errors say what is wrong and where.
template <class T>
struct Given {
  nb::handle value;
  bool given() const { return value.is_valid() && !value.is_none(); }
  T get(std::string_view name) const { return to_cpp<T>(value, {.name = name}); }
  T get(std::string_view name, ArraysGiven& arrays) const {
    return to_cpp<T>(value, {.name = name, .arrays = &arrays});
  }
  /// T{} where it was left out.
  T get_or_default(std::string_view name) const { return given() ? get(name) : T{}; }
};

/// A value that a function returns.
template <class T>
struct Made {
  T value;
};
template <class T>
Made(T) -> Made<T>;

}  // namespace cairn::python

namespace nanobind::detail {

/// "cairn._structs.Body", "list[...]" in signatures.
template <class T>
struct NameInSignature {
  static constexpr auto of_class() {
    descr<cairn::python::PyName<T>::size> name;
    for (std::size_t i = 0; i < cairn::python::PyName<T>::size; ++i) name.text[i] = cairn::python::PyName<T>::text[i];
    return name;
  }
  static constexpr auto make() {
    using namespace cairn::python;
    if constexpr (std::is_same_v<T, bool>) {
      return const_name("bool");
    } else if constexpr (std::is_floating_point_v<T>) {
      return const_name("float");
    } else if constexpr (std::is_integral_v<T>) {
      return const_name("int");
    } else if constexpr (std::is_same_v<T, std::string>) {
      return const_name("str");
    } else if constexpr (kIsVec3<T>) {
      return io_name("cairn._values.Vec3Like", "tuple[float, float, float]");
    } else if constexpr (kIsQuat<T>) {
      return io_name("cairn._values.QuatLike", "tuple[float, float, float, float]");
    } else if constexpr (std::is_same_v<T, cairn::Geometry>) {
      return const_name("cairn._structs.Geometry");
    } else if constexpr (kIsVector<T>) {
      using E = typename T::value_type;
      if constexpr (std::is_arithmetic_v<E>) {
        return io_name("cairn._values.NumbersLike", "list[float]");
      } else {
        return const_name("list[") + NameInSignature<E>::make() + const_name("]");
      }
    } else if constexpr (kIsArray<T>) {
      return const_name("list[") + NameInSignature<typename T::value_type>::make() + const_name("]");
    } else if constexpr (kIsOptional<T>) {
      return NameInSignature<typename T::value_type>::make() + const_name(" | None");
    } else if constexpr (kIsHeld<T>) {
      return const_name<T>();
    } else if constexpr (std::is_enum_v<T>) {
      // its words are taken, too: @given@returned@
      return const_name("@cairn._structs.") + of_class() + const_name(" | str@cairn._structs.") + of_class() +
             const_name("@");
    } else {
      return const_name("cairn._structs.") + of_class();
    }
  }
};

template <class T>
struct type_caster<cairn::python::Given<T>> {
  NB_TYPE_CASTER(cairn::python::Given<T>, NameInSignature<T>::make())
  bool from_python(handle from, [[maybe_unused]] std::uint32_t flags, cleanup_list*) noexcept {
    value.value = from;
    // tells calls of one name apart: of a world's number, and of a list of all
    if constexpr (cairn::python::kIsWhole<T>) return cairn::python::is_index(from);
    if constexpr (cairn::python::kIsVector<T>)
      return (flags & cast_flags::convert) != 0 || !cairn::python::is_index(from);
    return true;
  }
};

template <class T>
struct type_caster<cairn::python::Made<T>> {
  NB_TYPE_CASTER(cairn::python::Made<T>, NameInSignature<T>::make())
  static handle from_cpp(const cairn::python::Made<T>& made, rv_policy, cleanup_list*) noexcept {
    try {
      return cairn::python::to_python(made.value).release();
    } catch (python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    return {};
  }
};

}  // namespace nanobind::detail
