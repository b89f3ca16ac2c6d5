// Normalised quaternions and normals.

#include <cmath>

#include "kernels/common/frame.h"
#include "src/scene/rules.h"

namespace cairn::rules {

Quat unit(Quat q) { return kernels::unit(q); }

Vec3 unit(Vec3 v) {
  const double x = v.x, y = v.y, z = v.z;
  const double squared = x * x + y * y + z * z;
  // 1 up to the rounding of the components to float, as for quaternions (kernels/common/frame.h)
  if (std::abs(squared - 1) <= 4 * 0x1p-24) return v;
  const double length = std::sqrt(squared);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length)};
}

Body made_unit(Body body) {
  body.orientation = unit(body.orientation);
  for (Shape& shape : body.shapes) {
    shape.orientation = unit(shape.orientation);
    if (auto* plane = std::get_if<Plane>(&shape.geometry)) plane->normal = unit(plane->normal);
  }
  return body;
}

}  // namespace cairn::rules
