#pragma once
// The user's arrays.

#include "cairn/attributes.h"
#include "kernels/common/frame.h"

namespace cairn::kernels {

/// An array of vectors from a user: float or double, any strides.
struct Columns {
  void* data{nullptr};     ///< null if the user gave none
  std::int64_t row{0};     ///< [1] elements from one row's vector to the next one's
  std::int64_t column{0};  ///< [1] elements from one component to the next
  bool wide{false};        ///< double
  friend bool operator==(const Columns&, const Columns&) = default;

  CAIRN_HD bool given() const { return data != nullptr; }
  CAIRN_HD double get(std::uint32_t r, int c) const {
    const std::int64_t at = static_cast<std::int64_t>(r) * row + c * column;
    return wide ? static_cast<const double*>(data)[at] : double{static_cast<const float*>(data)[at]};
  }
  /// Without an array nothing is written.
  CAIRN_HD void set(std::uint32_t r, int c, double value) const {
    if (!given()) return;
    const std::int64_t at = static_cast<std::int64_t>(r) * row + c * column;
    if (wide) {
      static_cast<double*>(data)[at] = value;
    } else {
      static_cast<float*>(data)[at] = static_cast<float>(value);
    }
  }
  CAIRN_HD void set(std::uint32_t r, Vec3d v) const {
    set(r, 0, v.x);
    set(r, 1, v.y);
    set(r, 2, v.z);
  }
  CAIRN_HD Vec3d vector(std::uint32_t r) const { return {get(r, 0), get(r, 1), get(r, 2)}; }
  CAIRN_HD Quat quaternion(std::uint32_t r) const {
    return narrow(QuatT<double>{get(r, 0), get(r, 1), get(r, 2), get(r, 3)});
  }
};

/// True for a number in the range of a described member.
template <auto kMember>
struct InRange {
  CAIRN_HD bool operator()(float x) const { return (x >= kMin && x <= kMax) || (kInfinite && x > 0 && !finite(x)); }

 private:
  static constexpr float kMin = static_cast<float>(info_of<kMember>().range.min);
  static constexpr float kMax = static_cast<float>(info_of<kMember>().range.max);
  static constexpr bool kInfinite = info_of<kMember>().range.infinite != nullptr;
  static_assert(!info_of<kMember>().range.open && info_of<kMember>().range.zero == nullptr &&
                !info_of<kMember>().range.below && info_of<kMember>().range.max < 1e38);
};

}  // namespace cairn::kernels
