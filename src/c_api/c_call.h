#pragma once
// A C function as a call in C++. Its arguments are converted to the call's parameters by their types, and the call's
// result is written to the caller's pointers. Null pointers are refused by name, and no exception leaves it.

#include <tuple>

#include "src/c_api/twins.h"
#include "src/world/calls_of.h"

namespace cairn::c_api {

template <class A>
void check(const A& given) {
  if constexpr (requires { given.check(); }) given.check();
}

// ---- arguments: values and handles as they are, structs with a size by their pointers, and these ----

/// An argument that must not be null: a text, the numbers of a vector, a handle, a struct without a size. `name` is for
/// messages; if it begins with the name of the call's handle, a null handle is reported under it, too.
template <class P>
struct In {
  const char* name;
  const P* at;

  void check() const { require(name, at); }
  template <class T>
  decltype(auto) to() const {
    if constexpr (requires { at->content; }) {
      return (held(*at));
    } else if constexpr (Copied<T>) {
      return attributes_of<T>(*at, name);
    } else if constexpr (std::same_as<P, char>) {
      return T(at);
    } else if constexpr (std::same_as<T, Quat>) {
      return quat(at);
    } else {
      return T(vec3(at));
    }
  }
};
template <class P>
In<P> in(const char* name, const P* at) {
  return {name, at};
}

/// `count` of them; may be null if the count is 0 and they aren't `needed`.
template <class P>
struct InList {
  const char* name;
  const P* at;
  std::size_t count;
  bool needed;

  void check() const {
    if (needed || count != 0) require(name, at);
  }
  template <class T>
  auto to() const {
    using E = std::remove_cv_t<typename T::value_type>;
    if constexpr (std::same_as<E, P>) {
      return T(at, at + count);
    } else {
      std::vector<E> all;
      take_list(all, at, count, name);
      return all;
    }
  }
};
template <class P>
InList<P> in(const char* name, const P* at, std::size_t count) {
  return {name, at, count, true};
}
template <class P>
InList<P> list(const char* name, const P* at, std::size_t count) {
  return {name, at, count, false};
}

/// A number that stands for a word of an enum.
struct InWord {
  const char* name;
  std::int32_t value;

  template <class E>
  E to() const {
    return value_of<E>(value, false, [&] { return std::string(name); });
  }
};
inline InWord word(const char* name, std::int32_t value) { return {name, value}; }

/// A struct for which null stands for the defaults, or an output that is left out if null.
template <class P>
struct OrNull {
  P* at;

  template <class T>
  T to() const {
    return at == nullptr ? T{} : taken<T>(at);
  }
  template <class R>
  void give(R&& result) const;
};
template <class P>
OrNull<P> or_null(P* at) {
  return {at};
}

/// One argument as a T.
template <class T, class A>
decltype(auto) as(const A& given) {
  if constexpr (std::is_pointer_v<A> && Copied<T>) {
    return taken<T>(given);
  } else if constexpr (std::is_arithmetic_v<A> || std::is_pointer_v<A> || std::same_as<A, cairn_handle>) {
    return value_of<T>(given, false, [] { return std::string(); });
  } else if constexpr (std::invocable<const A&>) {
    return given();
  } else {
    return given.template to<T>();
  }
}

/// The same, after a check.
template <class T, class A>
T made(const A& given) {
  check(given);
  return as<T>(given);
}

// ---- results ----

/// Of a list all elements; of a vector its numbers; of an object with a handle a new handle.
template <class P, class R>
void put_result(P* to, const char* name, R&& result) {
  using T = std::remove_cvref_t<R>;
  if constexpr (std::same_as<T, P> && !requires { to->struct_size; }) {
    *to = result;
  } else if constexpr (std::is_pointer_v<P>) {
    *to = new std::remove_pointer_t<P>{std::forward<R>(result)};
  } else if constexpr (requires { to->struct_size; }) {
    if constexpr (std::same_as<T, P>) {
      write(to, result, name);
    } else {
      static_assert(std::is_lvalue_reference_v<R> || !has_pointers<P>(), "what it points to would end with it");
      write(to, twin<P>(result), name);
    }
  } else if constexpr (std::is_arithmetic_v<P> && requires { result.size(); }) {
    *to = static_cast<P>(result.size());
  } else if constexpr (std::is_arithmetic_v<P> && std::is_class_v<T>) {
    put(to, result);
  } else if constexpr (Copied<T>) {
    *to = twin<P>(result);
  } else {
    put_value(*to, result);
  }
}

template <class P>
struct Out {
  const char* name;
  P* at;

  void check() const { require(name, at); }
  template <class R>
  void give(R&& result) const {
    put_result(at, name, std::forward<R>(result));
  }
};
template <class P>
Out<P> out(const char* name, P* at) {
  return {name, at};
}
template <class P>
template <class R>
void OrNull<P>::give(R&& result) const {
  if (at != nullptr) put_result(at, "", std::forward<R>(result));
}

/// The list in C, one element after the other.
template <class C, class List>
void put_all(C* to, const List& list, const char* name) {
  if constexpr (requires { to->struct_size; }) {
    std::vector<C> all;
    all.reserve(list.size());
    for (const auto& one : list) all.push_back(twin<C>(one));
    write_each<C>(to, all, name);
  } else if constexpr (std::is_arithmetic_v<C>) {
    // numbers, or vectors of them
    static_assert(sizeof(typename List::value_type) % sizeof(C) == 0);
    if (!list.empty()) std::memcpy(to, list.data(), list.size() * sizeof(typename List::value_type));
  } else if constexpr (std::same_as<typename List::value_type, C>) {
    std::copy(list.begin(), list.end(), to);
  } else {
    for (const auto& one : list) put_value(*to++ = blank<C>(), one);
  }
}

/// A list whose length the caller must know; `what` names its elements in messages.
template <class P>
struct OutAll {
  const char* what;
  const char* name;
  P* at;
  std::size_t count;

  template <class R>
  void give(const R& result) const {
    check_count(what, count, result.size());
    if (count != 0) require(name, at);
    put_all(at, result, name);
  }
};
template <class P>
OutAll<P> out_all(const char* what, const char* name, P* at, std::size_t count) {
  return {what, name, at, count};
}

/// A list whose length is always given, and which is written if all of it fits.
template <class P>
struct OutRoom : Out<std::size_t> {
  const char* list;
  P* to;
  std::size_t size;

  void check() const {
    Out::check();
    if (size != 0) require(list, to);
  }
  template <class R>
  void give(const R& result) const {
    if constexpr (requires { to->struct_size; }) {
      // an invalid first struct is reported before the count is written
      if (size != 0) size_of<P>(to, list);
    }
    if (size >= result.size()) put_all(to, result, list);
    *at = result.size();
  }
};
template <class P>
OutRoom<P> out_room(const char* list, P* to, std::size_t size, Out<std::size_t> count) {
  return {count, list, to, size};
}

/// A null-terminated text, by the same rule; the length is without the 0.
struct OutText : Out<std::size_t> {
  char* to;
  std::size_t size;

  void check() const {
    Out::check();
    if (size != 0) require("text", to);
  }
  void give(const std::string& text) const {
    *at = text.size();
    if (size > text.size()) std::memcpy(to, text.c_str(), text.size() + 1);
  }
};

// ---- calls ----

/// Selects the overload with these parameters.
template <class... P>
struct Taking {
  template <class C, class R>
  constexpr auto operator()(R (C::*f)(P...)) const {
    return f;
  }
  template <class C, class R>
  constexpr auto operator()(R (C::*f)(P...) const) const {
    return f;
  }
  template <class R>
  constexpr auto operator()(R (*f)(P...)) const {
    return f;
  }
};
template <class... P>
inline constexpr Taking<P...> taking{};  // NOLINT(readability-identifier-naming) it reads as a call

/// The World's part that has the calls of a class, or the handle's own content.
template <class C, class Held>
auto& part_of(Held& held) {
  if constexpr (std::same_as<C, std::remove_const_t<Held>>) {
    return held;
  } else if constexpr (std::same_as<C, Queries>) {
    return held.queries();
  } else if constexpr (std::same_as<C, DeviceArrays>) {
    return held.arrays();
  } else {
    return calls_of<C>(held);
  }
}

template <class A>
constexpr const char* name_in(const A& given) {
  if constexpr (requires { given.name; }) {
    return given.name;
  } else {
    return "";
  }
}
/// If another argument's name begins with the handle's, messages name both.
template <class H, class... A>
void require_handle(const H* handle, const A&... given) {
  if (handle == nullptr) refuse_handle(handle_name<H>(), {name_in(given)...});
}

/// Calls f on the handle's content, or on the World's part that has it; with arguments of f's types, in its order.
template <class H, class C, class R, class... P, class... A>
R invoke(H& of, R (C::*f)(P...), const A&... given) {
  return (part_of<C>(held(of)).*f)(as<std::remove_cvref_t<P>>(given)...);
}
template <class H, class C, class R, class... P, class... A>
R invoke(H& of, R (C::*f)(P...) const, const A&... given) {
  return (part_of<C>(held(of)).*f)(as<std::remove_cvref_t<P>>(given)...);
}
template <class H, class W, class R, class... P, class... A>
R invoke(H& of, R (*f)(W&, P...), const A&... given) {
  return f(held(of), as<std::remove_cvref_t<P>>(given)...);
}
template <class H, class F>
decltype(auto) invoke(H& of, const F& f) {
  return f(held(of));
}

template <class H, class F, class... A>
cairn_result call(H* of, const F& f, const A&... given) noexcept {
  return guarded([&] {
    require_handle(of, given...);
    (check(given), ...);
    invoke(*of, f, given...);
  });
}
/// Writes the call's result to the caller's pointer.
template <class H, class O, class F, class... A>
cairn_result get(H* of, const O& to, const F& f, const A&... given) noexcept {
  return guarded([&] {
    require_handle(of, to, given...);
    check(to);
    (check(given), ...);
    to.give(invoke(*of, f, given...));
  });
}
/// The same without a handle.
template <class O, class F>
cairn_result get(const O& to, const F& f) noexcept {
  return guarded([&] {
    check(to);
    to.give(f());
  });
}

/// The object with a name in a scene, or in world `index`; `names` are for messages about null pointers.
template <class T>
cairn_result find(const cairn_scene* scene, std::optional<T> (Scene::*f)(const std::string&) const, const char* kind,
                  const char* name, std::uint32_t* to) noexcept {
  constexpr const char* kNames = "scene, name, index";
  return get(scene, out(kNames, to), [&](const Scene& s) {
    require(kNames, name);
    return found((s.*f)(name), kind, name, "scene");
  });
}
template <class C, class T>
cairn_result find(const cairn_world* world, std::optional<T> (C::*f)(std::string_view, std::uint32_t) const,
                  std::uint32_t index, const char* kind, const char* name, const char* names,
                  cairn_handle* to) noexcept {
  return get(world, out(names, to), [&](World& w) {
    require(names, name);
    return found((part_of<C>(w).*f)(name, index), kind, name, "world");
  });
}

}  // namespace cairn::c_api
