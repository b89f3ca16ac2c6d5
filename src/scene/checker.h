#pragma once
// Checks of a scene's rules: ranges of numbers, and the first fault found.

#include <array>

#include "src/scene/ranges.h"
#include "src/scene/rules.h"
#include "src/scene/text.h"

namespace cairn::rules {

inline constexpr std::array<const char*, 4> kAxis{".x", ".y", ".z", ".w"};
inline constexpr AttributeRange kFinite{};

/// Keeps the first fault; later checks are skipped. Strings are made only for faults.
class Checker {
 public:
  std::optional<Fault> fault;

  /// For messages about a part: what follows the thing's name, and the part's place in it. Empty for the thing itself.
  void set_part(const std::string& name, const std::string& place) {
    part_ = name;
    place_ = place;
  }

  bool good() const { return !fault; }

  void require(bool holds, std::string_view field, std::string_view pointer, const std::string& rule) {
    if (!fault && !holds) fault = Fault{part_, std::string(field), place_ + std::string(pointer), rule};
  }
  /// Of a field whose key is its name.
  void require(bool holds, std::string_view field, const std::string& rule) {
    if (!holds) require(false, field, "/" + std::string(field), rule);
  }

  /// `thing`: "a body", of which there are so many.
  void index(std::size_t value, std::size_t count, std::string_view thing, std::string_view field,
             std::string_view pointer) {
    if (value >= count) require(false, field, pointer, index_rule(value, count, thing));
  }

  template <class T>
  void number(T value, std::string_view field, std::string_view pointer, const AttributeRange& range,
              std::string_view unit = "1") {
    if (fault || is_within(value, range)) return;
    using Shown = std::conditional_t<std::is_same_v<T, float>, float, double>;
    require(false, field, pointer,
            rule_of(range, unit, static_cast<double>(value)) + ", is " + digits(static_cast<Shown>(value)));
  }

  template <class T>
  void vector(const Vec3T<T>& v, std::string_view field, std::string_view pointer, const AttributeRange& range) {
    const std::array<T, 3> at{v.x, v.y, v.z};
    for (std::size_t k = 0; k < 3; ++k) component(at[k], k, field, pointer, range);
  }

  void quaternion(const Quat& q, std::string_view field, std::string_view pointer) {
    const std::array<float, 4> at{q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 4; ++k) component(at[k], k, field, pointer, kFinite);
    require(q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0, field, pointer, "must not be the zero quaternion");
  }

  /// `required`: for things known only by name.
  void name(const std::string& name, bool required) {
    if (required) require(!name.empty(), "name", "/name", "must not be empty");
    require(fault || required || !place_of(name), "name", "/name",
            "must not be # and a number, which stands for a thing without a name");
    require(fault || is_utf8(name), "name", "/name", "must be UTF-8");
  }

 private:
  std::string part_, place_;

  template <class T>
  void component(T value, std::size_t k, std::string_view field, std::string_view pointer,
                 const AttributeRange& range) {
    if (fault || is_within(value, range)) return;
    number(value, std::string(field) + kAxis[k], std::string(pointer) + "/" + std::to_string(k), range);
  }
};

}  // namespace cairn::rules
