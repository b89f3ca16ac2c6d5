#pragma once
// What a file holds of a value, taken apart into numbers, texts and lists, so that a fuzzer changes one of them and the
// rest stays readable. Changed bytes would hardly ever get past the lengths and the numbers of kinds.

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "src/file/archive.h"

namespace cairn::fuzz {

/// Calls f of each number, text and list in a value, in the order of the file. Hulls, meshes and height fields are left
/// as they are.
template <class T, class F>
void each_leaf(T& x, const F& f);

namespace detail {

template <class T, class F>
void each_part(std::vector<T>& list, const F& f) {
  f(list);
  for (T& x : list) each_leaf(x, f);
}
template <class T, class F>
void each_part(std::optional<T>& x, const F& f) {
  if (x) each_leaf(*x, f);
}
template <class... T, class F>
void each_part(std::variant<T...>& x, const F& f) {
  std::visit([&](auto& held) { each_leaf(held, f); }, x);
}
template <class T, std::size_t n, class F>
void each_part(T (&list)[n], const F& f) {
  for (T& x : list) each_leaf(x, f);
}
template <class T, std::size_t n, class F>
void each_part(std::array<T, n>& list, const F& f) {
  for (T& x : list) each_leaf(x, f);
}

}  // namespace detail

template <class T, class F>
void each_leaf(T& x, const F& f) {
  if constexpr (file::Scalar<T> || std::same_as<T, std::string>) {
    f(x);
  } else if constexpr (file::Solid<T>) {
    // made again by a constructor that checks it: src/file/file_solids.h
  } else if constexpr (requires { members(x, kAnyMembers); }) {
    members(x, [&](auto&... parts) { (each_leaf(parts, f), ...); });
  } else {
    detail::each_part(x, f);
  }
}

/// Changes one leaf, now and then.
class LeafMutator {
 public:
  explicit LeafMutator(unsigned seed) : random_(seed) {}

  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(random_()) / 8 % n; }

  /// Leaves one out, repeats one, puts one in the place of another or changes two round.
  template <class T>
  void change_list(std::vector<T>& list) {
    if (list.empty()) return;
    const std::size_t from = pick(list.size()), to = pick(list.size());
    switch (pick(4)) {
      case 0:
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
        break;
      case 1:
        list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), T(list[from]));
        break;
      case 2:
        list[to] = T(list[from]);
        break;
      default:
        std::swap(list[from], list[to]);
        break;
    }
  }

  /// One leaf of what `visit` shows: it calls each_leaf of all that there is.
  template <class Visit>
  void change(const Visit& visit) {
    std::size_t count = 0;
    visit([&](auto&) { ++count; });
    if (count == 0) return;
    const std::size_t wanted = pick(count);
    std::size_t at = 0;
    visit([&](auto& leaf) {
      if (at++ == wanted) change_leaf(leaf);
    });
  }

 private:
  template <class T>
  void change_leaf(T& x) {
    if constexpr (std::same_as<T, bool>) {
      x = !x;
    } else if constexpr (std::is_floating_point_v<T>) {
      constexpr T kNumbers[] = {0,
                                T{-0.0},
                                1,
                                -1,
                                T(0.5),
                                1e7,
                                -1e7,
                                1e-3f,
                                1e30f,
                                3,
                                std::numeric_limits<T>::infinity(),
                                -std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN(),
                                std::numeric_limits<T>::denorm_min(),
                                std::numeric_limits<T>::max()};
      x = pick(3) == 0 ? kNumbers[pick(std::size(kNumbers))] : pick(2) == 0 ? std::nextafter(x, T{9}) : x * T(1.5);
    } else if constexpr (std::is_enum_v<T>) {
      x = static_cast<T>(pick(8));
    } else if constexpr (std::is_integral_v<T>) {
      const std::uint64_t numbers[] = {0, 1, 2, 3, ~std::uint64_t{0}, 0x7fffffff, std::uint64_t{1} << pick(64)};
      switch (pick(4)) {
        case 0:
          x = static_cast<T>(numbers[pick(std::size(numbers))]);
          break;
        case 1:
          x = static_cast<T>(x + 1);
          break;
        case 2:
          x = static_cast<T>(x - 1);
          break;
        default:
          x = static_cast<T>(x ^ static_cast<T>(std::uint64_t{1} << pick(8 * sizeof(T))));
          break;
      }
    } else if constexpr (std::same_as<T, std::string>) {
      x = pick(3) == 0 ? "" : pick(2) == 0 ? x + x : std::string(1, static_cast<char>(pick(256)));
    } else if (!x.empty()) {
      change_list(x);
    } else if (pick(4) == 0) {
      x.emplace_back();
    }
  }

  std::minstd_rand random_;
};

}  // namespace cairn::fuzz
