#include "src/mass/tensor.h"

#include <cmath>
#include <cstddef>

namespace cairn::mass {

Matrix rotation(const QuatT<double>& q) {
  const double x = q.x, y = q.y, z = q.z, w = q.w;
  // scaled by the squared length, since the components were rounded to float
  const double s = 2 / (x * x + y * y + z * z + w * w);
  return {{{1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
           {s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)},
           {s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)}}};
}

Matrix rotation(const Quat& q) { return rotation(QuatT<double>{q.x, q.y, q.z, q.w}); }

/// Quaternion of a rotation matrix, by its largest component (Shepperd 1978).
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

Matrix times(const Matrix& a, const Matrix& b) {
  Matrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) out[i][j] += a[i][k] * b[k][j];
    }
  }
  return out;
}

Vector times(const Matrix& a, const Vector& v) {
  Vector out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) out[i] += a[i][k] * v[k];
  }
  return out;
}

Matrix turned(const Matrix& r, const Vector& moments) {
  Matrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t a = 0; a < 3; ++a) out[i][j] += r[i][a] * moments[a] * r[j][a];
    }
  }
  return out;
}

Matrix point_tensor(const Vector& d) {
  const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  Matrix out{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) out[i][j] = (i == j ? squared : 0) - d[i] * d[j];
  }
  return out;
}

void add(Matrix& to, double m, const Matrix& a) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) to[i][j] += m * a[i][j];
  }
}

Matrix tensor_of(const Inertia& inertia) {
  const Vec3 &m = inertia.moments, &p = inertia.products;
  return {{{m.x, p.x, p.y}, {p.x, m.y, p.z}, {p.y, p.z, m.z}}};
}

Inertia inertia_of(const Matrix& tensor) {
  const auto f = [&](std::size_t i, std::size_t j) { return static_cast<float>(tensor[i][j]); };
  return {{f(0, 0), f(1, 1), f(2, 2)}, {f(0, 1), f(0, 2), f(1, 2)}};
}

/// Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5), each by at most 45 degrees.
Matrix diagonalise(Matrix& tensor) {
  constexpr double kNegligible = 1e-13;  ///< [1] of the trace's size: a few hundred roundings
  constexpr int kMaxSweeps = 32;         ///< convergence is quadratic: 6 sweeps are usual
  Matrix axes = kIdentity;
  const double threshold = kNegligible * std::abs(tensor[0][0] + tensor[1][1] + tensor[2][2]);
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    bool turned = false;
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p + 1; q < 3; ++q) {
        if (std::abs(tensor[p][q]) <= threshold) continue;
        turned = true;
        const double theta = (tensor[q][q] - tensor[p][p]) / (2 * tensor[p][q]);
        const double t = (theta >= 0 ? 1.0 : -1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        const auto turn = [&](double& a, double& b) {
          const double was_a = a, was_b = b;
          a = c * was_a - s * was_b;
          b = s * was_a + c * was_b;
        };
        for (std::size_t k = 0; k < 3; ++k) turn(tensor[k][p], tensor[k][q]);
        for (std::size_t k = 0; k < 3; ++k) turn(tensor[p][k], tensor[q][k]);
        for (std::size_t k = 0; k < 3; ++k) turn(axes[k][p], axes[k][q]);
      }
    }
    if (!turned) break;
  }
  return axes;
}

}  // namespace cairn::mass
