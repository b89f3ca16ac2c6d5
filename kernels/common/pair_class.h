#pragma once
// Classes by which the narrow phase sorts pairs, and its work memory.

#include "kernels/common/shapes.h"

namespace cairn::kernels {

/// The narrow phase of a pair of shapes. Pairs of one class run the same code for about as long.
enum class PairClass : std::uint32_t {
  kBoxes,     ///< two boxes: axes and clipping
  kConvex,    ///< pairs without a function of their own: GJK and EPA
  kTriangle,  ///< the same, with a triangle of a surface
  kNear,      ///< closed forms, which cost little more than the dispatch
};
/// [1] Classes that get a launch of their own.
inline constexpr std::uint32_t kListedClasses = static_cast<std::uint32_t>(PairClass::kNear);
constexpr std::uint32_t bit_of(PairClass of) { return 1u << static_cast<std::uint32_t>(of); }

/// True for convex shapes without a function of their own.
CAIRN_HD bool is_general(ShapeKind kind) {
  return static_cast<std::uint32_t>(kind) > static_cast<std::uint32_t>(ShapeKind::kPlane) && !is_surface(kind);
}

/// There are no pairs of two surfaces.
CAIRN_HD PairClass class_of(ShapeKind a, ShapeKind b) {
  if (is_surface(b)) return PairClass::kTriangle;
  if (is_general(a) || is_general(b)) return PairClass::kConvex;
  return a == ShapeKind::kBox && b == ShapeKind::kBox ? PairClass::kBoxes : PairClass::kNear;
}

/// Classes of a shape's pairs that don't depend on the other shape, a bit each.
CAIRN_HD std::uint32_t classes_of(ShapeKind kind) {
  if (is_surface(kind)) return bit_of(PairClass::kTriangle);
  if (is_general(kind)) return bit_of(PairClass::kConvex);
  return kind == ShapeKind::kBox ? bit_of(PairClass::kBoxes) : 0u;
}

struct Epa;

/// Pairs that may need EPA are done by workers with room for one polytope each.
struct Workers {
  Epa* epa;             ///< (count) kernels/collide/epa.h
  std::uint32_t count;  ///< [1]
  friend bool operator==(const Workers&, const Workers&) = default;
};

}  // namespace cairn::kernels
