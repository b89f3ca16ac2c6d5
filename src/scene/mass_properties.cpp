// Mass, centre of mass and principal inertia of bodies made of several shapes, in double precision.

#include <array>
#include <cmath>
#include <numbers>

#include "cairn/scene.h"

namespace cairn {
namespace {

using Vector = std::array<double, 3>;
using Matrix = std::array<Vector, 3>;  ///< rows

constexpr Matrix kIdentity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

double cube(double v) { return v * v * v; }

/// Volume and, for unit density, the moments about the shape's own centre along its own axes. Every shape's centre of
/// mass is its origin, and its axes are principal.
struct Solid {
  double volume;
  Vector moments;
};

struct SolidOf {
  Solid operator()(const Sphere& sphere) const {
    const double r = sphere.radius;
    const double volume = 4.0 / 3.0 * std::numbers::pi * cube(r);
    const double moment = 0.4 * volume * r * r;
    return {volume, {moment, moment, moment}};
  }

  Solid operator()(const Box& box) const {
    const double x = box.half_extents.x, y = box.half_extents.y, z = box.half_extents.z;
    const double volume = 8 * x * y * z;
    return {volume, {volume * (y * y + z * z) / 3, volume * (x * x + z * z) / 3, volume * (x * x + y * y) / 3}};
  }

  /// A cylinder of length 2h, and two hemispheres whose centres of mass lie 3r/8 above their bases: the parallel-axis
  /// theorem there and back leaves 2/5 r^2 + h^2 + 3/4 h r for the transverse axes.
  Solid operator()(const Capsule& capsule) const {
    const double r = capsule.radius, h = capsule.half_height;
    const double cylinder = 2 * std::numbers::pi * r * r * h;
    const double ball = 4.0 / 3.0 * std::numbers::pi * cube(r);
    const double along = cylinder * r * r / 2 + ball * 0.4 * r * r;
    const double across = cylinder * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    return {cylinder + ball, {across, across, along}};
  }

  Solid operator()(const Plane&) const { return {0, {0, 0, 0}}; }
  template <class Other>
  Solid operator()(const Other&) const { return {0, {0, 0, 0}}; }
};

Matrix rotation(const Quat& q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  // scaled by the squared length, for the components were rounded to float
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
           {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
           {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}}};
}

/// Quaternion of a rotation matrix, by its largest component (Shepperd 1978), with w >= 0.
QuatT<double> quaternion(const Matrix& r) {
  const double trace = r[0][0] + r[1][1] + r[2][2];
  QuatT<double> q;
  if (trace > 0) {
    const double s = 2 * std::sqrt(1 + trace);
    q = {(r[2][1] - r[1][2]) / s, (r[0][2] - r[2][0]) / s, (r[1][0] - r[0][1]) / s, s / 4};
  } else if (r[0][0] >= r[1][1] && r[0][0] >= r[2][2]) {
    const double s = 2 * std::sqrt(1 + r[0][0] - r[1][1] - r[2][2]);
    q = {s / 4, (r[0][1] + r[1][0]) / s, (r[0][2] + r[2][0]) / s, (r[2][1] - r[1][2]) / s};
  } else if (r[1][1] >= r[2][2]) {
    const double s = 2 * std::sqrt(1 + r[1][1] - r[0][0] - r[2][2]);
    q = {(r[0][1] + r[1][0]) / s, s / 4, (r[1][2] + r[2][1]) / s, (r[0][2] - r[2][0]) / s};
  } else {
    const double s = 2 * std::sqrt(1 + r[2][2] - r[0][0] - r[1][1]);
    q = {(r[0][2] + r[2][0]) / s, (r[1][2] + r[2][1]) / s, s / 4, (r[1][0] - r[0][1]) / s};
  }
  if (q.w < 0) q = {-q.x, -q.y, -q.z, -q.w};
  const double length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / length, q.y / length, q.z / length, q.w / length};
}

/// Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5). Turns `tensor` diagonal and returns
/// the axes in columns. Every rotation is by at most 45 degrees and nothing is sorted, so the axes stay near those of
/// the body; what is diagonal to rounding is left as it is, so that equal moments don't turn the axes by chance.
Matrix diagonalise(Matrix& tensor) {
  constexpr double kNegligible = 1e-13;  ///< [1] of the trace: a few hundred roundings
  constexpr int kMaxSweeps = 32;         ///< convergence is quadratic: 6 sweeps are usual
  Matrix axes = kIdentity;
  const double threshold = kNegligible * (tensor[0][0] + tensor[1][1] + tensor[2][2]);
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (std::abs(tensor[p][q]) <= threshold) continue;
        turned = true;
        const double theta = (tensor[q][q] - tensor[p][p]) / (2 * tensor[p][q]);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (std::size_t k = 0; k < 3; ++k) {
          const double kp = tensor[k][p], kq = tensor[k][q];
          tensor[k][p] = c * kp - s * kq;
          tensor[k][q] = s * kp + c * kq;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double pk = tensor[p][k], qk = tensor[q][k];
          tensor[p][k] = c * pk - s * qk;
          tensor[q][k] = s * pk + c * qk;
        }
        for (std::size_t k = 0; k < 3; ++k) {
          const double kp = axes[k][p], kq = axes[k][q];
          axes[k][p] = c * kp - s * kq;
          axes[k][q] = s * kp + c * kq;
        }
      }
    }
    if (!turned) break;
  }
  return axes;
}

/// Density of each shape relative to the others: the body's own (one for all), or its materials'. A body with a mass
/// whose materials don't all have a density is of one stuff.
std::vector<double> densities(const Body& body, const std::vector<Material>& materials) {
  std::vector<double> list;
  list.reserve(body.shapes.size());
  if (!body.density) {
    for (const Shape& shape : body.shapes) {
      const double density = materials.at(shape.material).density;
      if (density > 0 || shape.sensor) list.push_back(density);
    }
  }
  if (list.size() != body.shapes.size()) list.assign(body.shapes.size(), body.density ? double{*body.density} : 1.0);
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (body.shapes[k].sensor) list[k] = 0;
  }
  return list;
}

}  // namespace

MassProperties mass_properties(const Body& body, const std::vector<Material>& materials) {
  MassProperties result;
  // nothing turns what isn't dynamic about its centre of mass, so its origin serves: a door hinges where its maker put
  // it
  if (body.type != BodyType::kDynamic) return result;

  const std::vector<double> density_of = densities(body, materials);
  double mass = 0;
  Vector centre{};
  for (std::size_t k = 0; k < body.shapes.size(); ++k) {
    const Shape& shape = body.shapes[k];
    const double m = density_of[k] * std::visit(SolidOf{}, shape.geometry).volume;
    mass += m;
    centre[0] += m * double{shape.position.x};
    centre[1] += m * double{shape.position.y};
    centre[2] += m * double{shape.position.z};
  }
  for (double& c : centre) c /= mass;
  const double scale = body.mass ? double{*body.mass} / mass : 1.0;
  result.mass = body.mass ? double{*body.mass} : mass;
  result.centre_of_mass = {centre[0], centre[1], centre[2]};
  if (body.inertia) {
    const Vec3& m = body.inertia->moments;
    result.moments = {m.x, m.y, m.z};
    return result;
  }

  // I = sum R diag(moments) R^T + m (|d|^2 1 - d d^T), d from the common centre of mass to the shape
  Matrix tensor{};
  for (std::size_t k = 0; k < body.shapes.size(); ++k) {
    const Shape& shape = body.shapes[k];
    const Solid solid = std::visit(SolidOf{}, shape.geometry);
    const double density = density_of[k] * scale;
    const Matrix r = rotation(shape.orientation);
    const Vector d{double{shape.position.x} - centre[0], double{shape.position.y} - centre[1],
                   double{shape.position.z} - centre[2]};
    const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        double turned = 0;
        for (std::size_t a = 0; a < 3; ++a) turned += r[i][a] * solid.moments[a] * r[j][a];
        tensor[i][j] += density * (turned + solid.volume * ((i == j ? squared : 0) - d[i] * d[j]));
      }
    }
  }
  const Matrix axes = diagonalise(tensor);
  result.moments = {tensor[0][0], tensor[1][1], tensor[2][2]};
  result.axes = quaternion(axes);
  return result;
}

}  // namespace cairn
