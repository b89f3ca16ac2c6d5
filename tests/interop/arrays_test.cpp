// The arrays of a World, as programs on its device see them.

#include "tests/interop/arrays.h"

#include <set>

#include "tests/support/docs.h"

namespace cairn::interop_test {
namespace {

using namespace testing_support;  // NOLINT

template <class T>
T& element(const ArrayView& view, std::int64_t i, std::int64_t j = 0, std::int64_t k = 0) {
  return static_cast<T*>(view.data)[i * view.strides[0] + j * view.strides[1] + k * view.strides[2]];
}
Vec3 vector(const ArrayView& view, std::int64_t i) {
  return {element<float>(view, i, 0), element<float>(view, i, 1), element<float>(view, i, 2)};
}

TEST(Arrays, each_has_a_name_of_its_own_a_unit_and_a_place) {
  World world = settled(10);
  std::set<std::string_view> names;
  for (const NamedArray& a : world.arrays().list()) {
    EXPECT_TRUE(names.insert(a.name).second) << a.name;
    EXPECT_FALSE(a.unit.empty()) << a.name;
    EXPECT_NE(a.view.data, nullptr) << a.name;
    EXPECT_EQ(a.view.device.kind, Device::Kind::kCpu);
    ASSERT_GE(a.view.rank, 1);
    ASSERT_LE(a.view.rank, 3);
    for (int d = 0; d < a.view.rank; ++d) EXPECT_GT(a.view.shape[static_cast<std::size_t>(d)], 0) << a.name;
    EXPECT_EQ(world.arrays().get(a.name).data, a.view.data);
  }
  for (const char* written :
       {"position", "position_low", "orientation", "linear_velocity", "angular_velocity", "force", "torque"}) {
    EXPECT_TRUE(world.arrays().get(written).writable) << written;
  }
  EXPECT_FALSE(world.arrays().get("inv_mass").writable);
  EXPECT_TRUE(refused(world, [&] { world.arrays().get("mass"); }, {"\"mass\"", "inv_mass"}));
}

TEST(Arrays, that_are_kept_outlive_edits_and_their_world) {
  std::vector<std::pair<ArrayView, std::vector<float>>> seen;  // and what they then had
  std::vector<std::shared_ptr<const void>> kept;
  {
    World world(worlds_of_all_kinds(), cpu());
    for (int i = 0; i < 100; ++i) {
      const ArrayView positions = world.arrays().get("position");
      kept.push_back(world.arrays().keep());
      std::vector<float> now;
      for (std::int64_t k = 0; k < positions.shape[0]; ++k) now.push_back(element<float>(positions, k, 2));
      seen.emplace_back(positions, now);
      Body ball{.position = {0, 0, 100.0 + 3 * i}, .density = 1.0f};
      ball.shapes.push_back({.geometry = Sphere{}});
      world.add_body(ball);
    }
    EXPECT_NE(seen.front().first.data, seen.back().first.data) << "nothing grew, so that nothing was tried";
  }
  for (const auto& [view, then] : seen) {
    for (std::int64_t k = 0; k < view.shape[0]; ++k)
      EXPECT_EQ(element<float>(view, k, 2), then[static_cast<std::size_t>(k)]);
  }
}

TEST(Arrays, are_in_the_table_of_the_docs) {
  World world(worlds_of_all_kinds(), {.device = Device::cpu(1), .contact_events = true});
  world.scales().set({.size = 2}, 0);
  run(world, 2);
  (void)world.residual();
  std::string table = "| name | shape | | type | unit | meaning |\n|---|---|---|---|---|---|\n";
  for (const NamedArray& a : world.arrays().list()) {
    std::string shape(a.rows == "one" ? "1" : a.rows);
    for (int d = 1; d < a.view.rank; ++d) shape += ", " + std::to_string(a.view.shape[static_cast<std::size_t>(d)]);
    table += "| `" + std::string(a.name) + "` | " + shape + " | " + (a.view.writable ? "*w*" : "") + " | " +
             std::string(element_name(a.view.type)) + " | " + std::string(a.unit) + " | " +
             linked(std::string(a.meaning)) + " |\n";
  }
  const std::string path = path_of_doc("interop.md");
  expect_text(path, with_table(whole(path), "arrays", table));
}

TEST(Arrays, the_users_frame_follows_from_the_principal_one_as_the_docs_say) {
  World world = settled(30);
  const std::vector<BodyState> want = states(world);
  const ArrayView x = world.arrays().get("position"), low = world.arrays().get("position_low"),
                  q = world.arrays().get("orientation"), centre = world.arrays().get("centre_of_mass"),
                  axes = world.arrays().get("principal_axes"), slot = world.arrays().get("row_slot"),
                  v = world.arrays().get("linear_velocity");
  ASSERT_EQ(slot.shape[0], static_cast<std::int64_t>(want.size()));
  for (std::int64_t r = 0; r < slot.shape[0]; ++r) {
    const std::int64_t i = element<std::uint32_t>(slot, r);
    const BodyState& s = want[static_cast<std::size_t>(r)];
    const double a[4] = {element<float>(q, i, 0), element<float>(q, i, 1), element<float>(q, i, 2),
                         element<float>(q, i, 3)};
    const double b[4] = {-element<double>(axes, i, 0), -element<double>(axes, i, 1), -element<double>(axes, i, 2),
                         element<double>(axes, i, 3)};
    const Vec3d turn{a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
                     a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
                     a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3]};
    const double w = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
    // a float quaternion's components are off by half an ulp of 1
    EXPECT_NEAR(turn.x, s.orientation.x, 0x1p-22);
    EXPECT_NEAR(turn.y, s.orientation.y, 0x1p-22);
    EXPECT_NEAR(turn.z, s.orientation.z, 0x1p-22);
    EXPECT_NEAR(w, s.orientation.w, 0x1p-22);
    const Vec3d c{element<double>(centre, i, 0), element<double>(centre, i, 1), element<double>(centre, i, 2)};
    const auto cross = [](Vec3d m, Vec3d n) {
      return Vec3d{m.y * n.z - m.z * n.y, m.z * n.x - m.x * n.z, m.x * n.y - m.y * n.x};
    };
    const Vec3d t = cross(turn, c), u = cross(turn, t);
    const Vec3d turned{c.x + 2 * (w * t.x + u.x), c.y + 2 * (w * t.y + u.y), c.z + 2 * (w * t.z + u.z)};
    const Vec3d at{double{element<float>(x, i, 0)} + element<float>(low, i, 0),
                   double{element<float>(x, i, 1)} + element<float>(low, i, 1),
                   double{element<float>(x, i, 2)} + element<float>(low, i, 2)};
    // doubles of some metres, a handful of roundings
    EXPECT_NEAR(length(at - turned - s.position), 0.0, 64 * 0x1p-52);
    EXPECT_EQ(vector(v, i), s.linear_velocity);
  }
}

TEST(Arrays, rows_and_counts_of_worlds_are_those_of_the_world) {
  World world(worlds_of_all_kinds(), cpu());
  world.set_gravity({0, 0, -3}, 2);
  run(world, 25);
  world.reset(1);
  world.remove_body(world.bodies(2)[3]);
  const ArrayView begin = world.arrays().get("row_begin"), slot = world.arrays().get("row_slot"),
                  owner = world.arrays().get("body_world");
  const std::vector<BodyHandle> bodies = world.bodies();
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    EXPECT_EQ(element<std::uint32_t>(begin, w + 1) - element<std::uint32_t>(begin, w), world.body_count(w));
    EXPECT_EQ(element<std::uint64_t>(world.arrays().get("world_steps"), w), world.report(w).steps);
    EXPECT_EQ(element<double>(world.arrays().get("world_time"), w), world.report(w).time);
    EXPECT_EQ(vector(world.arrays().get("gravity"), w), world.gravity(w));
  }
  for (std::size_t r = 0; r < bodies.size(); ++r) {
    const std::uint32_t at = element<std::uint32_t>(slot, static_cast<std::int64_t>(r));
    EXPECT_EQ(at + 1, bodies[r].index);
    EXPECT_EQ(element<std::uint32_t>(owner, at), world.world_of(bodies[r]));
  }
  EXPECT_EQ(element<std::uint64_t>(world.arrays().get("steps"), 0), world.report().steps);
  EXPECT_EQ(element<double>(world.arrays().get("time"), 0), world.report().time);
}

TEST(Arrays, contacts_are_those_that_contacts_gives) {
  for (const bool capturable : {false, true}) {
    World world(worlds_of_all_kinds(), {.device = Device::cpu(1), .capturable = capturable});
    run(world, 61);
    const std::vector<Contact> want = world.contacts();
    ASSERT_GT(want.size(), 10u);
    const ArrayView owner = world.arrays().get("shape_body"), a = world.arrays().get("contact_shape_a"),
                    b = world.arrays().get("contact_shape_b"), points = world.arrays().get("contact_points"),
                    normal = world.arrays().get("contact_normal"), anchor = world.arrays().get("contact_anchor_a"),
                    separation = world.arrays().get("contact_separation"),
                    impulse = world.arrays().get("contact_impulse"), friction = world.arrays().get("contact_friction"),
                    x = world.arrays().get("position"), low = world.arrays().get("position_low");
    std::size_t k = 0;
    for (std::int64_t p = 0; p < element<std::uint32_t>(world.arrays().get("pair_count"), 0); ++p) {
      if (element<std::uint32_t>(points, p) == 0) continue;
      ASSERT_LT(k, want.size());
      const Contact& c = want[k++];
      const std::uint32_t body_a = element<std::uint32_t>(owner, element<std::uint32_t>(a, p));
      EXPECT_EQ(body_a + 1, c.a.index);
      EXPECT_EQ(element<std::uint32_t>(owner, element<std::uint32_t>(b, p)) + 1, c.b.index);
      EXPECT_EQ(element<std::uint32_t>(points, p), static_cast<std::uint32_t>(c.count));
      EXPECT_EQ(vector(normal, p), c.normal);
      EXPECT_EQ(vector(friction, p), c.friction_impulse);
      for (int j = 0; j < c.count; ++j) {
        EXPECT_EQ(element<float>(separation, p, j), c.points[static_cast<std::size_t>(j)].separation);
        EXPECT_EQ(element<float>(impulse, p, j), c.points[static_cast<std::size_t>(j)].impulse);
        EXPECT_EQ(
            double{element<float>(x, body_a, 2)} + element<float>(low, body_a, 2) + element<float>(anchor, p, j, 2),
            c.points[static_cast<std::size_t>(j)].position.z);
      }
    }
    EXPECT_EQ(k, want.size());
  }
}

TEST(Arrays, loads_written_there_are_loads_added) {
  World by_host = settled(400, with_sleeping()), by_device = settled(400, with_sleeping());
  ASSERT_GT(by_host.report().asleep, 0u);
  const ArrayView force = by_device.arrays().get("force"), torque = by_device.arrays().get("torque");
  const std::vector<BodyHandle> bodies = by_host.bodies();
  for (const BodyHandle body : bodies) {
    if (by_host.description(body).type == BodyType::kStatic) continue;
    by_host.add_force(body, {900, 0, 3000});
    by_host.add_torque(body, {0, 50, 0});
    element<float>(force, body.index - 1, 0) = 900;
    element<float>(force, body.index - 1, 2) = 3000;
    element<float>(torque, body.index - 1, 1) = 50;
  }
  by_device.arrays().written(Written::kLoads);
  EXPECT_TRUE(go_on_alike(by_device, by_host, 40));
}

TEST(Arrays, gravity_written_there_is_gravity_set) {
  World by_host = settled(400, with_sleeping()), by_device = settled(400, with_sleeping());
  ASSERT_GT(by_host.report().asleep, 0u);
  const ArrayView gravity = by_device.arrays().get("gravity");
  ASSERT_TRUE(gravity.writable);
  for (std::uint32_t w = 0; w < 3; ++w) {
    by_host.set_gravity({0, 0.5f, -1.0f - static_cast<float>(w)}, w);
    element<float>(gravity, w, 1) = 0.5f;
    element<float>(gravity, w, 2) = -1.0f - static_cast<float>(w);
  }
  by_device.arrays().written(Written::kLoads);
  EXPECT_EQ(by_device.gravity(2), by_host.gravity(2));
  EXPECT_TRUE(go_on_alike(by_device, by_host, 40));
  EXPECT_EQ(by_device.snapshot().to_bytes(), by_host.snapshot().to_bytes());
}

TEST(Arrays, poses_written_there_are_poses_set) {
  const Scene scene = tower(6, with_sleeping());
  World by_host(scene, cpu()), by_device(scene, cpu());
  ASSERT_TRUE(go_on_alike(by_device, by_host, 300));
  std::vector<BodyState> wanted = states(by_host);
  const ArrayView x = by_device.arrays().get("position"), low = by_device.arrays().get("position_low");
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    wanted[i].position.z += 0.5;
    const auto high = static_cast<float>(wanted[i].position.z);
    element<float>(x, static_cast<std::int64_t>(i), 2) = high;
    element<float>(low, static_cast<std::int64_t>(i), 2) = static_cast<float>(wanted[i].position.z - high);
  }
  by_host.write_states(wanted);
  by_device.arrays().written(Written::kPoses);
  EXPECT_TRUE(go_on_alike(by_device, by_host, 0));
  EXPECT_TRUE(go_on_alike(by_device, by_host, 60));
}

TEST(Arrays, have_the_residuals_that_were_asked_for) {
  World world = settled(60);
  EXPECT_THROW(world.arrays().get("residual_signorini"), InvalidArgument);
  const std::vector<ContactResidual> wanted = world.residuals();
  const ArrayView signorini = world.arrays().get("residual_signorini"), points = world.arrays().get("residual_points");
  ASSERT_EQ(signorini.shape[0], 3);
  std::uint32_t all = 0;
  for (std::int64_t w = 0; w < 3; ++w) {
    const ContactResidual& want = wanted[static_cast<std::size_t>(w)];
    EXPECT_EQ(element<float>(signorini, w), want.signorini);
    EXPECT_EQ(element<std::uint32_t>(points, w), want.points);
    all += want.points;
  }
  EXPECT_GT(all, 0u);
}

TEST(Arrays, a_stream_is_for_cuda_devices) {
  int anything = 0;
  EXPECT_THROW(World(tower(1), {.device = Device::cpu(1), .stream = &anything}), InvalidArgument);
}

TEST(Arrays, a_world_whose_steps_may_be_captured_ends_in_the_same_bits) {
  for (const SolverKind solver : {SolverKind::kSoftStep, SolverKind::kXpbd}) {
    const std::vector<Scene> scenes = worlds_of_all_kinds({.solver = solver, .sleeping = true});
    World plain(scenes, cpu()), capturable(scenes, {.device = Device::cpu(2), .capturable = true});
    // makes room on the way
    World grows(scenes, {.device = Device::cpu(1), .capacity = {.pairs = 1}, .capturable = true});
    for (World* world : {&plain, &capturable, &grows}) {
      run(*world, 101);
      // what is edited between steps must be what the next one reads
      world->set_pose(world->bodies(0)[2], {0, 0, 9}, {});
      world->remove_body(world->bodies(1)[3]);
      run(*world, 50);
      world->reset(2);
      run(*world, 150);
    }
    EXPECT_EQ(capturable.state_hashes(), plain.state_hashes());
    EXPECT_EQ(grows.state_hashes(), plain.state_hashes());
    EXPECT_EQ(capturable.report().pairs, plain.report().pairs);
    EXPECT_EQ(capturable.contacts().size(), plain.contacts().size());
  }
}

}  // namespace
}  // namespace cairn::interop_test
