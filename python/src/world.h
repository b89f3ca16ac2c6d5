#pragma once
// A World as Python holds it, and how its calls are bound.

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

#include "python/src/guarded.h"
#include "src/world/calls_of.h"

namespace cairn::python {

/// A World, which may be closed before Python lets go of it, and what belongs to it: a Drag, BodyFields, ... These end
/// before it does, and never while another thread is in a call of it.
class PyWorld : public Guarded<World> {
 public:
  template <class F>
  PyWorld(const WorldOptions& options, F make)
      : Guarded(unlocked(std::move(make))), own_stream_(options.stream == nullptr) {}

  bool closed() const { return held_ == nullptr; }
  void close() {
    if (held_ != nullptr) use();
    parts_.clear();
    held_.reset();
    ++edits_;
  }
  World& use() const {
    World& world = Guarded::use();
    sweep();
    return world;
  }
  template <class F>
  decltype(auto) run(F&& f) const {
    use();
    return Guarded::run(std::forward<F>(f));
  }
  /// What a call of arrays takes them for.
  ArraysGiven arrays() const { return {.device = use().device(), .stream = use().arrays().stream(), .held = {}}; }
  /// Runs f with them. On a stream that nobody else knows it is over when this returns.
  template <class F>
  void run_by(const ArraysGiven& given, F f) const {
    run([&](World& world) {
      f(world);
      if (given.stream != nullptr && own_stream_ && !given.held.empty()) world.wait();
    });
  }
  /// [1] Calls so far that end the views of its arrays.
  std::uint64_t edits() const { return edits_; }
  void edited() const { ++edits_; }

  struct Part {
    virtual ~Part() = default;
    bool over{false};   ///< ends where no call is under way
    bool edits{false};  ///< its end ends the views of arrays
  };
  template <class P>
  P& take(std::unique_ptr<P> part) const {
    P& taken = *part;
    parts_.push_back(std::move(part));
    return taken;
  }
  void let_go(Part& part) const {
    part.over = true;
    over_ = true;
    if (held_ != nullptr && !busy()) sweep();
  }

 private:
  bool own_stream_;  ///< the World made it

  void sweep() const {
    if (!std::exchange(over_, false)) return;
    for (const auto& part : parts_) {
      if (part->over && part->edits) edited();
    }
    std::erase_if(parts_, [](const auto& part) { return part->over; });
  }

  mutable std::uint64_t edits_{0};
  mutable bool over_{false};
  mutable std::vector<std::unique_ptr<Part>> parts_;
};

/// What belongs to a World, as Python holds it. After the World was closed each use raises.
template <class T>
class OfWorld {
 public:
  /// Makes T(World&, given...) without the interpreter's lock.
  template <class... A>
  static OfWorld made(nb::object world, bool edits, const A&... given) {
    const PyWorld& owner = nb::cast<PyWorld&>(world);
    auto part = owner.run([&](World& w) { return std::make_unique<Held>(T(w, given...)); });
    return OfWorld(std::move(world), std::move(part), edits);
  }
  OfWorld(nb::object world, T value, bool edits)
      : OfWorld(std::move(world), std::make_unique<Held>(std::move(value)), edits) {}
  OfWorld(OfWorld&& other) noexcept : world_(std::move(other.world_)), part_(std::exchange(other.part_, nullptr)) {}
  OfWorld& operator=(OfWorld&&) = delete;
  ~OfWorld() { close(); }

  const PyWorld& owner() const {
    if (part_ == nullptr) throw Error(std::string(PyName<T>::value) + ": it was closed");
    return nb::cast<PyWorld&>(world_);
  }
  T& use() const {
    owner().use();
    return part_->value;
  }
  template <class F>
  decltype(auto) run(F&& f) const {
    return owner().run([&](World&) -> decltype(auto) { return f(part_->value); });
  }
  const nb::object& world() const { return world_; }
  /// Ends it, before Python lets go of it.
  void close() {
    if (part_ == nullptr) return;
    const PyWorld& of = nb::cast<PyWorld&>(world_);
    // with a World that was closed its parts have ended
    if (!of.closed()) of.let_go(*part_);
    part_ = nullptr;
  }

 private:
  struct Held : PyWorld::Part {
    explicit Held(T of) : value(std::move(of)) {}
    T value;
  };
  OfWorld(nb::object world, std::unique_ptr<Held> part, bool edits) : world_(std::move(world)) {
    part->edits = edits;
    const PyWorld& of = nb::cast<PyWorld&>(world_);
    part_ = &of.take(std::move(part));
    if (edits) of.edited();
  }

  nb::object world_;
  Held* part_{nullptr};
};

/// A part of a World that has calls of its own, and ends with it.
template <class T>
struct CallsOf {
  nb::object world;

  const PyWorld& owner() const { return nb::cast<PyWorld&>(world); }
  T& use() const { return calls_of<T>(owner().use()); }
  template <class F>
  decltype(auto) run(F&& f) const {
    return owner().run([&](World& w) -> decltype(auto) { return f(calls_of<T>(w)); });
  }
  void edited() const { owner().edited(); }
};

/// What Python holds of a T, whose calls are bound.
template <class T>
struct Holder {
  using Type = Guarded<T>;
};
template <>
struct Holder<World> {
  using Type = PyWorld;
};
template <class T, class... Ts>
inline constexpr bool kIsOneOf = (std::same_as<T, Ts> || ...);
template <class T>
requires kIsOneOf<T, Muscle, Drag, BodyFields, Playback, Sensors>
struct Holder<T> {
  using Type = OfWorld<T>;
};
template <class T>
requires kIsOneOf<T, WorldArticulations, WorldParticles, WorldScales>
struct Holder<T> {
  using Type = CallsOf<T>;
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

template <Kind kKind, class C, class R, class F, class... A>
auto bound(F f) {
  constexpr std::size_t kCount = sizeof...(A);
  return unnamed<kCount>([f](const Names<kCount>& names) {
    return [f, names](const typename Holder<C>::Type& of, typename Argument<std::remove_cvref_t<A>>::Type... given) {
      constexpr bool kEdits = kKind == Kind::kEdit || kKind == Kind::kLongEdit;
      const auto enter = [&](auto&&... read) -> R {
        if constexpr (kKind == Kind::kLong || kKind == Kind::kLongEdit) {
          return of.run([&](C& c) -> R { return (c.*f)(read...); });
        } else {
          return (of.use().*f)(read...);
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

template <Kind kKind = Kind::kRead, class C, class R, class... A>
auto call(R (C::*f)(A...)) {
  return bound<kKind, C, R, R (C::*)(A...), A...>(f);
}
template <Kind kKind = Kind::kRead, class C, class R, class... A>
auto call(R (C::*f)(A...) const) {
  return bound<kKind, C, R, R (C::*)(A...) const, A...>(f);
}

}  // namespace cairn::python
