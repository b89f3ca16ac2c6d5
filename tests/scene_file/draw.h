#pragma once
// Random values of all that scenes hold.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "cairn/types.h"
#include "scenes/random.h"
#include "src/describe/attributes.h"

namespace cairn::scene_file_test {

/// Random numbers of one scene, one after another.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed, 0) {}
  std::uint64_t below(std::uint64_t count) { return random_.bits(next_++) % count; }
  bool coin() { return below(2) == 1; }

  /// any finite float: all signs, exponents and mantissas
  float any() {
    for (;;) {
      const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random_.bits(next_++)));
      if (std::isfinite(value)) return value;
    }
  }
  /// within 1/scale .. scale
  float scaled(double scale) { return static_cast<float>(std::pow(scale, random_.symmetric(next_++))); }
  Vec3 any3() { return {any(), any(), any()}; }
  Vec3 scaled3(double scale) { return {scaled(scale), scaled(scale), scaled(scale)}; }
  Vec3 within(double bound) { return {signed_within(bound), signed_within(bound), signed_within(bound)}; }
  float signed_within(double bound) { return static_cast<float>(bound * random_.symmetric(next_++)); }
  double real_within(double bound) { return bound * random_.symmetric(next_++); }

 private:
  scenes::Random random_;
  std::uint64_t next_{1};
};

/// Calls draw(key, member) for each member that the generic reader and writer look after.
template <Described T, class F>
void draw_members(const F& draw, T& of) {
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>& attribute) {
    constexpr Form form = form_of<kMember>();
    if constexpr (form == Form::kElements) {
      for (std::size_t i = 0; i < (of.*kMember).size(); ++i) draw(attribute.info.elements[i], (of.*kMember)[i]);
    } else if constexpr (form == Form::kValue || form == Form::kObject) {
      draw(attribute.key(), of.*kMember);
    }
  });
}

inline std::string draw_name(Draw& draw, std::uint64_t number) {
  static const std::array<std::string, 8> kPieces{"a", "\"", "\\", "\n", "/~", "\x7F", "\xC3\xA9", "\xF0\x9F\x98\x80"};
  std::string name = std::to_string(number) + std::string(1, '\0');
  for (std::uint64_t k = draw.below(5); k > 0; --k) name += kPieces[draw.below(kPieces.size())];
  return name;
}

}  // namespace cairn::scene_file_test
