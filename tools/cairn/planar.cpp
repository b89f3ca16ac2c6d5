#include "tools/cairn/planar.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cairn::cli {
namespace {

/// Whether A x = b has a solution with x >= 0, to 1e-7 of the largest of b: the simplex method with an artificial
/// variable for each row, whose sum it minimises to 0. Dense tableau. Dantzig's rule, with the largest pivot among
/// equal ratios, and Bland's rule after many steps.
bool feasible(std::vector<std::vector<double>> a, std::vector<double> b) {
  constexpr double kSmall = 1e-9;
  const std::size_t rows = a.size(), columns = rows == 0 ? 0 : a[0].size();
  double scale = 0;
  for (const double x : b) scale = std::max(scale, std::abs(x));
  for (std::size_t i = 0; i < rows; ++i) {
    const double sign = b[i] < 0 ? -1 : 1;
    b[i] *= sign / scale;
    for (double& x : a[i]) x *= sign;
  }
  // reduction of the sum of the artificial variables per unit of each variable
  std::vector<double> gain(columns, 0);
  for (const std::vector<double>& row : a) {
    for (std::size_t j = 0; j < columns; ++j) gain[j] += row[j];
  }
  std::vector<std::size_t> basis(rows, columns);  // artificial ones have no column: they never come back
  for (std::size_t step = 0;; ++step) {
    const bool bland = step > 20 * rows;
    std::size_t enter = columns;
    for (std::size_t j = 0; j < columns; ++j) {
      if (!(gain[j] > (enter == columns || bland ? kSmall : gain[enter]))) continue;
      enter = j;
      if (bland) break;
    }
    if (enter == columns) break;
    double most = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < rows; ++i) {
      if (a[i][enter] > kSmall) most = std::min(most, (b[i] + kSmall) / a[i][enter]);
    }
    std::size_t leave = rows;
    for (std::size_t i = 0; i < rows; ++i) {
      if (!(a[i][enter] > kSmall) || b[i] / a[i][enter] > most) continue;
      const bool better = leave == rows || (bland ? basis[i] < basis[leave] : a[i][enter] > a[leave][enter]);
      if (better) leave = i;
    }
    if (leave == rows) break;
    const double pivot = a[leave][enter];
    for (double& x : a[leave]) x /= pivot;
    b[leave] = std::max(b[leave] / pivot, 0.0);
    const auto eliminate = [&](std::vector<double>& row) {
      const double factor = row[enter];
      if (factor == 0) return 0.0;
      for (std::size_t j = 0; j < columns; ++j) row[j] -= factor * a[leave][j];
      row[enter] = 0;
      return factor;
    };
    for (std::size_t i = 0; i < rows; ++i) {
      if (i != leave) b[i] = std::max(b[i] - eliminate(a[i]) * b[leave], 0.0);
    }
    eliminate(gain);
    basis[leave] = enter;
  }
  double left = 0;
  for (std::size_t i = 0; i < rows; ++i) left += basis[i] == columns ? b[i] : 0;
  return left < 1e-7;
}

}  // namespace

bool can_stand(const Structure& structure, double gx, double gz) {
  // a force in a cone of friction is a sum of its two edges
  const std::size_t n = structure.blocks.size(), forces = 2 * structure.contacts.size();
  std::vector<std::vector<double>> a(3 * n, std::vector<double>(forces, 0));
  std::vector<double> b(3 * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    b[3 * i] = -structure.blocks[i].mass * gx;
    b[3 * i + 1] = -structure.blocks[i].mass * gz;
  }
  for (std::size_t k = 0; k < structure.contacts.size(); ++k) {
    const PlanarContact& c = structure.contacts[k];
    for (std::size_t side = 0; side < 2; ++side) {
      const double mu = side == 0 ? c.friction : -c.friction;
      const double fx = c.nx - mu * c.nz, fz = c.nz + mu * c.nx;
      const auto push = [&](int block, double sign) {
        if (block == kGround) return;
        const auto i = static_cast<std::size_t>(block);
        const double x = c.x - structure.blocks[i].x, z = c.z - structure.blocks[i].z;
        a[3 * i][2 * k + side] += sign * fx;
        a[3 * i + 1][2 * k + side] += sign * fz;
        a[3 * i + 2][2 * k + side] += sign * (z * fx - x * fz);
      };
      push(c.a, -1);
      push(c.b, 1);
    }
  }
  return feasible(std::move(a), std::move(b));
}

double limit_of(const Family& family, std::uint64_t seed) {
  const auto stands = [&](double parameter) {
    const Structure made = family.make(seed, parameter);
    const Vec3 g = made.scene.gravity();
    return can_stand(made, double{g.x}, double{g.z});
  };
  double low = family.low, high = family.high;
  if (stands(low) == family.stands_above || stands(high) != family.stands_above) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  while (high - low > 1e-6 * high) {
    const double middle = 0.5 * (low + high);
    (stands(middle) == family.stands_above ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace cairn::cli
