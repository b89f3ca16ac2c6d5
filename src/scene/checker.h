#pragma once
// How the rules of a scene are checked: ranges of numbers, and the first fault found.

#include <array>
#include <cmath>
#include <limits>

#include "src/scene/rules.h"
#include "src/scene/text.h"

namespace cairn::rules {

inline constexpr double kNoBound = std::numeric_limits<double>::infinity();
inline constexpr std::array<const char*, 4> kAxis{".x", ".y", ".z", ".w"};

/// lowest and highest value; `open` leaves out the lowest
struct Range {
  double low;
  double high;
  bool open;
  const char* rule;
};

inline constexpr Range kAny{-kNoBound, kNoBound, false, ""};
inline constexpr Range kOverZero{0, kNoBound, true, "must be over 0"};
inline constexpr Range kNotNegative{0, kNoBound, false, "must be at least 0"};
inline constexpr Range kUnitInterval{0, 1, false, "must be between 0 and 1"};
inline constexpr Range kExtent{kMinExtent, kMaxExtent, false, "must be between 1e-06 and 1e+06 m"};
inline constexpr Range kPosition{-kMaxPosition, kMaxPosition, false, "must be between -1e+07 and 1e+07 m"};
inline constexpr Range kLocalPosition{-kMaxExtent, kMaxExtent, false, "must be between -1e+06 and 1e+06 m"};
inline constexpr Range kInertial{1 / kMaxInertial, kMaxInertial, false, "must be between 1e-36 and 1e+36"};

/// Keeps the first fault; later checks are skipped. Strings are made only where something is wrong.
class Checker {
 public:
  std::optional<Fault> fault;

  /// for messages about a shape; -1 is the thing itself
  void set_shape(int shape) { shape_ = shape; }

  bool good() const { return !fault; }

  void require(bool holds, std::string_view field, std::string_view pointer, const std::string& rule) {
    if (fault || holds) return;
    const std::string number = std::to_string(shape_);
    fault = Fault{shape_ < 0 ? "" : ", shape " + number, std::string(field),
                  (shape_ < 0 ? "" : "/shapes/" + number) + std::string(pointer), rule};
  }

  template <class T>
  void number(T value, std::string_view field, std::string_view pointer, const Range& range) {
    if (fault || (holds(value, range) && std::isfinite(value))) return;
    const char* rule = std::isfinite(value) ? range.rule : "must be finite";
    require(false, field, pointer, rule + std::string(", is ") + digits(value));
  }

  template <class T>
  void vector(const Vec3T<T>& v, std::string_view field, std::string_view pointer, const Range& range) {
    const std::array<T, 3> at{v.x, v.y, v.z};
    for (std::size_t k = 0; k < 3; ++k) component(at[k], k, field, pointer, range);
  }

  void quaternion(const Quat& q, std::string_view field, std::string_view pointer) {
    const std::array<float, 4> at{q.x, q.y, q.z, q.w};
    for (std::size_t k = 0; k < 4; ++k) component(at[k], k, field, pointer, kAny);
    require(q.x != 0 || q.y != 0 || q.z != 0 || q.w != 0, field, pointer, "must not be the zero quaternion");
  }

  /// over zero is the rule that people know; the other bounds come after it
  void extent(float value, std::string_view field, std::string_view pointer) {
    number(value, field, pointer, kOverZero);
    number(value, field, pointer, kExtent);
  }

  void name(const std::string& name) {
    require(!name.empty(), "name", "/name", "must not be empty");
    require(fault || is_utf8(name), "name", "/name", "must be UTF-8");
  }

 private:
  int shape_{-1};

  template <class T>
  static bool holds(T value, const Range& range) {
    const double v = static_cast<double>(value);
    return (range.open ? v > range.low : v >= range.low) && v <= range.high;
  }

  template <class T>
  void component(T value, std::size_t k, std::string_view field, std::string_view pointer, const Range& range) {
    if (fault || (holds(value, range) && std::isfinite(value))) return;
    number(value, std::string(field) + kAxis[k], std::string(pointer) + "/" + std::to_string(k), range);
  }
};

/// Like Checker::number, and infinity is good.
inline void unbounded(Checker& check, float value, std::string_view field, std::string_view pointer,
                      const Range& range) {
  if (value == std::numeric_limits<float>::infinity()) return;
  check.number(value, field, pointer, range);
}

}  // namespace cairn::rules
