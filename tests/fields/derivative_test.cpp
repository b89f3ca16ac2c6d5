// What the fields give as their derivatives, against central differences of their forces.

#include "kernels/fields/gravity.h"
#include "kernels/fields/laws.h"
#include "tests/fields/systems.h"

namespace cairn::fields_test {
namespace {

constexpr std::uint32_t kSamples = 6;

struct Given {
  std::vector<Vec3d> x, v, dx, dv;
  std::vector<double> mass;
  Given() {
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      const auto r = random_uniforms(1, 0, RandomStream::kUser, i), q = random_uniforms(2, 0, RandomStream::kUser, i);
      const auto s = random_uniforms(3, 0, RandomStream::kUser, i), u = random_uniforms(4, 0, RandomStream::kUser, i);
      x.push_back({1.1 * i + 0.1 * r[0], r[1], r[2]});
      v.push_back({q[0] - 0.5, q[1] - 0.5, q[2] - 0.5});
      dx.push_back({s[0] - 0.5, s[1] - 0.5, s[2] - 0.5});
      dv.push_back({u[0] - 0.5, u[1] - 0.5, u[2] - 0.5});
      mass.push_back(0.5 + r[3]);
    }
  }
};

Vec3d ahead(const Vec3d& a, double e, const Vec3d& d) { return {a.x + e * d.x, a.y + e * d.y, a.z + e * d.z}; }

/// A grid of one bucket, whose cell holds all.
struct OneCell {
  std::vector<NearGrid<double>::Cell> cell{kSamples};
  std::vector<std::uint32_t> order{0, 1, 2, 3, 4, 5}, begin{0, kSamples};
  NearGrid<double> of(const std::vector<Vec3d>& x) const {
    return {x.data(), cell.data(), order.data(), begin.data(), 0, 1e-9, 1e4};
  }
};

template <class F>
void expect_derivative(const F& field, const char* name) {
  const Given g;
  const OneCell one;
  // of second order in e: at best the cube root of epsilon squared, times the third derivative
  constexpr double kShare = 0x1p-17;
  std::vector<Vec3d> plus_x, plus_v, minus_x, minus_v;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    plus_x.push_back(ahead(g.x[i], kShare, g.dx[i]));
    plus_v.push_back(ahead(g.v[i], kShare, g.dv[i]));
    minus_x.push_back(ahead(g.x[i], -kShare, g.dx[i]));
    minus_v.push_back(ahead(g.v[i], -kShare, g.dv[i]));
  }
  const auto view = [&](const std::vector<Vec3d>& x, const std::vector<Vec3d>& v) {
    return ParticleView<double>{x.data(), v.data(), g.mass.data(), kSamples, 0.3, one.of(x)};
  };
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    const Vec3d a = field(view(plus_x, plus_v), i), b = field(view(minus_x, minus_v), i);
    const Vec3d want{(a.x - b.x) / (2 * kShare), (a.y - b.y) / (2 * kShare), (a.z - b.z) / (2 * kShare)};
    const Vec3d got = field.derivative(view(g.x, g.v), i, g.dx.data(), g.dv.data());
    const double size = distance(field(view(g.x, g.v), i), {}) + distance(want, {});
    EXPECT_LT(distance(got, want), 1e4 * kShare * kShare * size + 1e-15) << name << ", " << i;
  }
}

TEST(Derivative, of_each_field_that_has_one_is_that_of_its_force) {
  expect_derivative(kernels::GravityForce<double>{{1, 2, 3}}, "gravity");
  expect_derivative(kernels::DragForce<double>{0.5, 2, {1, 0, 0}, {0, 1, 0}, 2}, "drag");
  expect_derivative(kernels::AllPairsGravity<double>{2, 0.01}, "pair gravity");
  expect_derivative(kernels::LennardJonesForce<double>{0.8, 1.5, 2.5, 0.02, 0.1}, "Lennard-Jones");
  // springs of length 0 have no part that is left out; dampers alone turn
  std::vector<kernels::SpringEnd<double>> end;
  std::vector<std::uint32_t> begin;
  for (std::uint32_t i = 0; i < kSamples; ++i) {
    begin.push_back(i);
    end.push_back({i ^ 1u, 3, 0, 0});
  }
  begin.push_back(kSamples);
  expect_derivative(kernels::SpringForce<double>{end.data(), begin.data()}, "springs of no length");
  // and stretched ones
  for (auto& e : end) e.rest_length = 0.3;
  expect_derivative(kernels::SpringForce<double>{end.data(), begin.data()}, "stretched springs");
}

}  // namespace
}  // namespace cairn::fields_test
