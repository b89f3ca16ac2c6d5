#pragma once
// A World as Python holds it, and how its calls are bound.

#include "python/src/guarded.h"
#include "src/world/part_of.h"

namespace cairn::python {

/// A World, which may be closed before Python lets go of it.
class PyWorld : public Guarded<World> {
 public:
  using Guarded::Guarded;

  bool closed() const { return held_ == nullptr; }
  void close() {
    if (held_ != nullptr) use();
    held_.reset();
    ++edits_;
  }
  /// [1] Calls so far that end the views of its arrays.
  std::uint64_t edits() const { return edits_; }
  void edited() { ++edits_; }

 private:
  std::uint64_t edits_{0};
};

// ---- arguments and results of calls ----

template <class T>
inline constexpr bool kIsSpan = false;
template <class T>
inline constexpr bool kIsSpan<std::span<T>> = true;

/// By nanobind's own rules.
template <class T>
inline constexpr bool kIsPlain =
    std::is_arithmetic_v<T> || std::is_same_v<T, std::string_view> || std::is_same_v<T, std::string> ||
    std::is_same_v<T, Snapshot> || std::is_same_v<T, Recording> || kIsHeld<T>;

/// How nanobind takes an argument, and how it is read.
template <class T>
struct Argument {
  using Type = Given<T>;
  static T get(const Type& given, std::string_view name) { return given.get(name); }
};
template <class T>
requires(kIsPlain<T> && !kIsWhole<T>) struct Argument<T> {
  using Type = T;
  static const T& get(const Type& given, std::string_view) { return given; }
};
template <class E>
struct Argument<std::span<E>> {
  using V = std::vector<std::remove_const_t<E>>;
  using Type = Given<V>;
  static V get(const Type& given, std::string_view name) { return given.get(name); }
};

template <class R>
auto result(R&& value) {
  using T = std::remove_cvref_t<R>;
  if constexpr (kIsPlain<T>) {
    return T(value);
  } else if constexpr (std::is_same_v<T, std::vector<float>> || std::is_same_v<T, std::vector<double>> ||
                       std::is_same_v<T, std::vector<std::uint8_t>>) {
    return shaped(std::move(value));
  } else {
    return Made<T>{std::forward<R>(value)};
  }
}

// ---- calls, which are told the names of their arguments for messages ----

template <std::size_t kCount>
using Names = std::array<const char*, kCount>;

/// A function that Class::def makes of F, which is called with the names of its arguments before them.
template <std::size_t kCount, class F>
struct Unnamed {
  static constexpr std::size_t kArguments = kCount;
  F of_names;
};
template <std::size_t kCount, class F>
Unnamed<kCount, F> unnamed(F of_names) {
  return {std::move(of_names)};
}

template <class F>
inline constexpr bool kIsUnnamed = false;
template <std::size_t kCount, class F>
inline constexpr bool kIsUnnamed<Unnamed<kCount, F>> = true;

/// An nb::arg, with a default or without.
template <class E>
concept NamesArgument = requires(const E& e) {
  e.name_;
};

/// The class of nanobind, but that an Unnamed takes the names of the nb::arg beside it.
template <class T>
struct Class : nb::class_<T> {
  using nb::class_<T>::class_;

  template <class F, class... Extra>
  Class& def(const char* name, F&& f, const Extra&... extra) {
    if constexpr (kIsUnnamed<std::remove_cvref_t<F>>) {
      using Given = std::remove_cvref_t<F>;
      static_assert((std::size_t{NamesArgument<Extra>} + ... + 0) == Given::kArguments, "each argument has a name");
      Names<Given::kArguments> names{};
      std::size_t n = 0;
      const auto take = [&]<class E>(const E& e) {
        if constexpr (NamesArgument<E>) names[n++] = e.name_;
      };
      (take(extra), ...);
      nb::class_<T>::def(name, f.of_names(names), extra...);
    } else {
      nb::class_<T>::def(name, std::forward<F>(f), extra...);
    }
    return *this;
  }
};

enum class Kind {
  kRead,      ///< asks, or changes no memory
  kEdit,      ///< ends the views of arrays
  kLong,      ///< runs without the interpreter's lock
  kLongEdit,  ///< both
};

/// A part of a World that has calls of its own.
template <class T>
struct PartOf {
  nb::object world;
  PyWorld& owner() const { return nb::cast<PyWorld&>(world); }
};
inline PyWorld& owner_of(PyWorld& world) { return world; }
template <class T>
PyWorld& owner_of(const PartOf<T>& part) {
  return part.owner();
}
/// As what Python holds a World, or a part of it.
template <class Of>
using Held = std::conditional_t<std::is_same_v<Of, World>, PyWorld, PartOf<Of>>;

template <Kind kKind, class Of, class R, class F, class... A>
auto bound(F f) {
  constexpr std::size_t kCount = sizeof...(A);
  return unnamed<kCount>([f](const Names<kCount>& names) {
    return [f, names](Held<Of>& held, typename Argument<std::remove_cvref_t<A>>::Type... given) {
      PyWorld& of = owner_of(held);
      constexpr bool kEdits = kKind == Kind::kEdit || kKind == Kind::kLongEdit;
      const auto enter = [&](auto&&... read) -> R {
        if constexpr (kKind == Kind::kLong || kKind == Kind::kLongEdit) {
          return of.run([&](World& w) -> R { return (part_of<Of>(w).*f)(read...); });
        } else {
          return (part_of<Of>(of.use()).*f)(read...);
        }
      };
      const auto called = [&]<std::size_t... kAt>(std::index_sequence<kAt...>)->R {
        return enter(Argument<std::remove_cvref_t<A>>::get(given, names[kAt])...);
      };
      if constexpr (std::is_void_v<R>) {
        called(std::make_index_sequence<kCount>());
        if constexpr (kEdits) of.edited();
      } else {
        // references end with the next edit: what they are of is copied
        auto made = result(called(std::make_index_sequence<kCount>()));
        if constexpr (kEdits) of.edited();
        return made;
      }
    };
  });
}

template <Kind kKind = Kind::kRead, class Of, class R, class... A>
auto call(R (Of::*f)(A...)) {
  return bound<kKind, Of, R, R (Of::*)(A...), A...>(f);
}
template <Kind kKind = Kind::kRead, class Of, class R, class... A>
auto call(R (Of::*f)(A...) const) {
  return bound<kKind, Of, R, R (Of::*)(A...) const, A...>(f);
}

}  // namespace cairn::python
