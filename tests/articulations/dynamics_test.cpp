// Forward and inverse dynamics, mass matrix and Jacobians against the dense reference.

#include "tests/articulations/models.h"

namespace cairn::articulations_test {
namespace {

struct Case {
  std::uint32_t links;
  bool floating;
};

class Dynamics : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::uint32_t kCount = 3;
  void SetUp() override {
    batch = std::make_unique<Articulations>(random_tree(GetParam().links, 7 + GetParam().links, GetParam().floating),
                                            kCount, Device::cpu(1));
    Random random(11);
    State all;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      states.push_back(random_state(*batch, random));
      all.append(states.back());
      models.push_back(reference::articulation_model(batch->description(), states.back().q, states.back().v));
    }
    batch->set_state(all.q, all.v);
    batch->set_forces(all.force);
  }
  std::unique_ptr<Articulations> batch;
  std::vector<State> states;
  std::vector<reference::ArticulationModel> models;
};

/// What a sum of products of n numbers of that size may be off, each rounded and with room for what they are made of.
double rounding(double size, std::size_t n) { return 64 * static_cast<double>(n) * 0x1p-53 * size; }

TEST_P(Dynamics, mass_matrix_is_the_references) {
  const std::size_t n = batch->dofs();
  const std::vector<double> all = batch->mass_matrix();
  for (std::uint32_t i = 0; i < kCount; ++i) {
    std::vector<double> want;
    for (const auto& row : models[i].mass) want.insert(want.end(), row.begin(), row.end());
    EXPECT_TRUE(near(slice(all, i, n * n), want, rounding(largest(want), n)));
  }
}

TEST_P(Dynamics, forces_of_accelerations_are_the_references) {
  const std::size_t n = batch->dofs();
  Random random(3);
  std::vector<double> a;
  for (std::size_t k = 0; k < kCount * n; ++k) a.push_back(random.within(-10, 10));
  const std::vector<double> all = batch->inverse_dynamics(a);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    std::vector<double> want = reference::times(models[i].mass, slice(a, i, n));
    for (std::size_t k = 0; k < n; ++k) want[k] += models[i].against[k];
    EXPECT_TRUE(near(slice(all, i, n), want, rounding(largest(want), n)));
  }
}

TEST_P(Dynamics, accelerations_of_forces_are_the_references) {
  const std::size_t n = batch->dofs();
  const std::vector<double> all = batch->forward_dynamics();
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::vector<double> want = reference::accelerations(models[i], states[i].force);
    // M's largest entry over its least pivot, the armature at least, is what rounding may grow by
    double most = 0;
    for (const auto& row : models[i].mass) most = std::max(most, largest(row));
    const double condition = most / 0.01;
    const std::vector<double> got = slice(all, i, n);
    EXPECT_TRUE(near(got, want, rounding(condition * largest(want), n)));
    // and no less exact as a float would tell
    EXPECT_TRUE(near(got, want, 1e-7 * largest(want)));
  }
}

TEST_P(Dynamics, inverse_of_forward_dynamics_gives_the_forces_back) {
  const std::vector<double> forces = batch->inverse_dynamics(batch->forward_dynamics());
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::size_t n = batch->dofs();
    // what is summed up are gravity and accelerations on all the links
    const std::vector<double> a = reference::accelerations(models[i], states[i].force);
    const double size = largest(models[i].against) + largest(reference::times(models[i].mass, a));
    EXPECT_TRUE(near(slice(forces, i, n), states[i].force, rounding(size, n)));
  }
}

TEST_P(Dynamics, links_are_where_the_reference_has_them) {
  const std::vector<BodyState> all = batch->link_states();
  const std::size_t links = GetParam().links;
  ASSERT_EQ(all.size(), kCount * links);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    for (std::size_t k = 0; k < links; ++k) {
      const reference::ArticulationBody& want = models[i].bodies[k];
      const BodyState& got = all[i * links + k];
      // float: velocities up to some 100 m/s, axes by way of a quaternion
      EXPECT_TRUE(near({got.position.x, got.position.y, got.position.z}, {want.origin.x, want.origin.y, want.origin.z},
                       rounding(largest({want.origin.x, want.origin.y, want.origin.z}) + 10, links)));
      EXPECT_TRUE(near({got.linear_velocity.x, got.linear_velocity.y, got.linear_velocity.z},
                       {want.v.x, want.v.y, want.v.z}, 0x1p-23 * (reference::length(want.v) + 1)));
      EXPECT_TRUE(near({got.angular_velocity.x, got.angular_velocity.y, got.angular_velocity.z},
                       {want.w.x, want.w.y, want.w.z}, 0x1p-23 * (reference::length(want.w) + 1)));
      const reference::Mat3 axes =
          reference::matrix({got.orientation.w, got.orientation.x, got.orientation.y, got.orientation.z});
      for (int r = 0; r < 3; ++r) {
        EXPECT_LE(reference::length(axes.row[static_cast<std::size_t>(r)] - want.axes.row[static_cast<std::size_t>(r)]),
                  8 * 0x1p-24);
      }
    }
  }
}

TEST_P(Dynamics, jacobians_are_the_references) {
  const std::size_t n = batch->dofs();
  for (std::uint32_t link = 0; link < GetParam().links; ++link) {
    const std::vector<double> all = batch->jacobian(link, batch->description().links[link].centre_of_mass);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      std::vector<double> want(6 * n);
      for (std::size_t k = 0; k < n; ++k) {
        for (int c = 0; c < 3; ++c) {
          want[static_cast<std::size_t>(c) * n + k] = models[i].bodies[link].j_centre[k][c];
          want[(3 + static_cast<std::size_t>(c)) * n + k] = models[i].bodies[link].j_turn[k][c];
        }
      }
      EXPECT_TRUE(near(slice(all, i, 6 * n), want, rounding(largest(want) + 1, GetParam().links))) << "link " << link;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Trees, Dynamics,
                         testing::Values(Case{1, true}, Case{3, false}, Case{8, true}, Case{15, false}, Case{40, true},
                                         Case{80, false}),
                         [](const auto& c) {
                           return std::to_string(c.param.links) + (c.param.floating ? "_floating" : "_fixed");
                         });

}  // namespace
}  // namespace cairn::articulations_test
