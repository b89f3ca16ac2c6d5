// Rows of contacts: what they keep in place of Jacobians gives these.

#include "src/prepare/prepare.inl"

#include <cmath>

#include <gtest/gtest.h>

#include "src/color/color.inl"
#include "src/finish/finish.inl"
#include "src/predict/predict.inl"
#include "tests/support/random.h"
#include "tests/support/stage_rig.h"

namespace cairn::prepare_test {
namespace {

using namespace kernels;
using testing_support::StageRig;

constexpr std::uint32_t kContacts = 60;
/// [1] Of float rounding, over the product of sizes: six operations.
constexpr double kRounds = 6 * 0x1p-23;

/// Pairs of turned bodies, some of them unmoved, with 1 to 4 points in a plane across a random normal and heights of
/// their own.
class Touching : public StageRig {
 public:
  Touching() : StageRig(1, 2 * kContacts, 2 * kContacts, kContacts) {
    testing_support::Random draw(5);
    const auto within = [&](double low, double high) { return static_cast<float>(draw.within(low, high)); };
    for (std::uint32_t i = 0; i < 2 * kContacts; ++i) {
      if (i % 5 == 0) make_body(i, i % 2 == 0 ? BodyType::kStatic : BodyType::kKinematic);
      make_shape(i, i, ShapeKind::kSphere, {0.5f, 0, 0});
      s.bodies.q[i] = normalized(draw.quat());
      s.bodies.inertia[i] = {within(0.1, 1), within(0.1, 2), within(0.5, 3)};
      if (s.bodies.inv_mass[i] != 0.0f) s.bodies.inv_mass[i] = within(0.1, 2);
    }
    for (std::uint32_t p = 0; p < kContacts; ++p) {
      make_pair(p, std::uint64_t{2 * p} << 32 | (2 * p + 1));
      Manifold& m = s.pairs[0].manifold[p];
      m = {};
      m.count = 1 + p % 4;
      m.color = kNone;
      m.normal = normalized(narrow(draw.vec(1)), {0, 0, 1});
      const Vec3 offset = narrow(draw.vec(2));
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const float apart = within(-0.01, 0.01);
        const Vec3 r = narrow(draw.vec(1));
        m.points[j] = {r, fma(apart, m.normal, r - offset), apart, 0, 0.5f, 0, j};
      }
    }
    s.state->pair_count[0] = kContacts;
    begin(exec, s);
    color(exec, s);
    prepare(exec, s);
  }

  /// f(row, lane, manifold) of each contact.
  template <class F>
  void each(const F& f) const {
    for (std::uint32_t i = 0; i < kContacts; ++i) {
      const std::uint32_t slot = row_slot(s.work, s.parts, i);
      f(s.rows[slot / kRowLanes], slot % kRowLanes, s.pairs[0].manifold[s.work.row_order[i]]);
    }
  }
};

/// [kg^-1/2] I^-1/2 (r x along) of a body, in double.
Vec3d angular(const StageRig& rig, std::uint32_t body, Vec3d r, Vec3d along) {
  const Vec3d turn = cross(r, along);
  if (!is_awake_dynamic(rig.s.bodies.flags[body])) return turn;
  const auto& m = rig.s.bodies.inv_sqrt_inertia[body];
  return {m.xx * turn.x + m.xy * turn.y + m.xz * turn.z, m.xy * turn.x + m.yy * turn.y + m.yz * turn.z,
          m.xz * turn.x + m.yz * turn.y + m.zz * turn.z};
}

TEST(Rows, give_the_angular_vectors_of_normals_and_of_both_tangents) {
  const Touching rig;
  rig.each([&](const RowBlock& row, std::uint32_t lane, const Manifold& m) {
    ASSERT_EQ(row.count[lane], m.count);
    const RowArms<float> arms(row, lane);
    const Vec3 n = load3<float>(row.normal, lane), t0 = load3<float>(row.tangent, lane);
    const Vec3d n_d = widen(n), t0_d = widen(t0), t1_d = cross(n_d, t0_d);
    const auto expect = [&](Vec3 is, Vec3d wanted) {
      // moments of inertia of 0.1 at least, arms of 6 at most
      EXPECT_LE(length(widen(is) - wanted), kRounds * 6 / std::sqrt(0.1));
    };
    const auto expect_end = [&](const RowArm<float>& arm, std::uint32_t body, Vec3 ManifoldPoint::*r_of) {
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const Along<float> at = load2<float>(row.point[j].place, lane);
        const Vec3d r = widen(m.points[j].*r_of);
        expect(arm.normal(at), angular(rig, body, r, n_d));
        // friction acts at the height of the deepest point
        const Vec3d level = r + (double{arm.arm.z} - dot(r, n_d)) * n_d;
        expect(arm.first(at), angular(rig, body, level, t0_d));
        expect(arm.second(at), angular(rig, body, level, t1_d));
      }
    };
    expect_end(arms.a, row.body_a[lane], &ManifoldPoint::r_a);
    expect_end(arms.b, row.body_b[lane], &ManifoldPoint::r_b);
  });
}

TEST(Rows, know_by_couplings_and_masses_what_an_impulse_does_at_every_point) {
  const Touching rig;
  rig.each([&](const RowBlock& row, std::uint32_t lane, const Manifold& m) {
    const RowArms<float> arms(row, lane);
    const Vec3 n = load3<float>(row.normal, lane);
    const auto place = [&](std::uint32_t j) { return load2<float>(row.point[j].place, lane); };
    for (std::uint32_t i = 0; i < m.count; ++i) {
      FreeEnds<float> ends(rig.s.bodies.solve, row, lane);
      const auto before = arms.speed(n, ends.a, ends.b);
      ends.push(1.0f, n, arms.a.normal(place(i)), arms.b.normal(place(i)));
      const auto after = arms.speed(n, ends.a, ends.b);
      for (std::uint32_t j = 0; j < m.count; ++j) {
        const double change = double{after.at(place(j))} - before.at(place(j));
        // of at most 4 / kg for the masses, and 2 (6 m)^2 / (0.1 kg m^2)
        const double allowed = 2 * kRounds * (4 + 2 * 36 / 0.1);
        if (i == j) {
          EXPECT_NEAR(change * row.point[j].mass[lane], change == 0 ? 0 : 1, allowed * row.point[j].mass[lane]);
        } else {
          EXPECT_NEAR(row.coupling[coupling_at(std::min(i, j), std::max(i, j))][lane], change, allowed);
        }
      }
    }
  });
}

}  // namespace
}  // namespace cairn::prepare_test
