#pragma once
// Random numbers for random worlds: the same on every machine, which the distributions of <random> aren't.

#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include "cairn/types.h"

namespace cairn::mixed {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  /// 0 to n - 1, and 0 where n is 0.
  std::uint32_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::uint32_t>((engine_() >> 11) % n); }
  int whole(int least, int most) { return least + static_cast<int>(below(static_cast<std::size_t>(most - least + 1))); }
  bool chance(double p) { return static_cast<double>(engine_() >> 11) * 0x1p-53 < p; }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[below(list.size())];
  }
  template <class T>
  T of(std::initializer_list<T> list) {
    return *(list.begin() + below(list.size()));
  }

  /// Half of the numbers have few digits: those meet exact zeros and ties, the others every rounding.
  float number(double least, double most) {
    const double part = static_cast<double>(engine_() >> 11) * 0x1p-53;
    const double value = least + part * (most - least);
    if (chance(0.5)) return static_cast<float>(value);
    const double step = (most - least) / 16;
    return static_cast<float>(least + step * static_cast<double>(below(17)));
  }
  Vec3 vector(double most) { return {number(-most, most), number(-most, most), number(-most, most)}; }
  Vec3d place(double most) {
    const Vec3 v = vector(most);
    return {v.x, v.y, v.z};
  }
  /// Not unit, which scenes make it.
  Quat turn() {
    if (chance(0.4)) return {};
    Quat q{number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1)};
    if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) q.w = 1;
    return q;
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace cairn::mixed
