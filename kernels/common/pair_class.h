#pragma once
// What the narrow phase sorts pairs by, and what it works in.

#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// Which narrow phase a pair of shapes goes through. Pairs of one class run the same code for about as long.
enum class PairClass : std::uint32_t {
  kBoxes,     ///< two boxes: axes and clipping
  kConvex,    ///< what has no function of its own: GJK and EPA
  kTriangle,  ///< the same, on a triangle of a surface
  kNear,      ///< closed forms, which cost little more than to ask which
};
/// [1] Those that are worth a launch of their own.
inline constexpr std::uint32_t kListedClasses = static_cast<std::uint32_t>(PairClass::kNear);
constexpr std::uint32_t bit_of(PairClass of) { return 1u << static_cast<std::uint32_t>(of); }

/// True for convex shapes without a function of their own.
CAIRN_HD bool is_general(ShapeKind kind) {
  return static_cast<std::uint32_t>(kind) > static_cast<std::uint32_t>(ShapeKind::kPlane) && !is_surface(kind);
}

/// Of two surfaces there are no pairs.
CAIRN_HD PairClass class_of(ShapeKind a, ShapeKind b) {
  if (is_surface(b)) return PairClass::kTriangle;
  if (is_general(a) || is_general(b)) return PairClass::kConvex;
  return a == ShapeKind::kBox && b == ShapeKind::kBox ? PairClass::kBoxes : PairClass::kNear;
}

/// The classes that pairs of a shape may be of, a bit each.
CAIRN_HD std::uint32_t classes_of(ShapeKind kind) {
  if (is_surface(kind)) return bit_of(PairClass::kTriangle);
  if (is_general(kind)) return bit_of(PairClass::kConvex);
  return kind == ShapeKind::kBox ? bit_of(PairClass::kBoxes) : 0u;
}

struct Epa;

/// What may take EPA is done by workers with room for one polytope each.
struct Workers {
  Epa* epa;             ///< (count) kernels/collide/epa.h
  std::uint32_t count;  ///< [1]
  friend bool operator==(const Workers&, const Workers&) = default;
};

}  // namespace cairn::kernels
