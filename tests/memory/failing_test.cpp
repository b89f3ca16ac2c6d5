// Memory that runs out, at the n-th allocation for every third n, or with CAIRN_LONG=1 every n: whatever fails leaves the
// world as it was, and goes well when it is done again.

#include <type_traits>
#include <utility>

#include "cairn/world_scales.h"
#include "kernels/common/state.h"
#include "scenes/builtin.h"
#include "tests/memory/rig.h"
#include "tests/memory/trial.h"
#include "tests/support/builders.h"
#include "tests/support/long_run.h"
#include "tests/support/variants.h"

namespace cairn::memory_test {
namespace {

using namespace testing_support;

/// [1] From one allocation that fails to the next that is tried.
int stride() { return is_long() ? 1 : 3; }

/// All that a user sees of a world.
struct Seen {
  std::vector<std::uint64_t> hashes;
  std::vector<BodyHandle> bodies;
  std::vector<JointHandle> joints;
  std::vector<JointState> joint_states;
  std::vector<Material> materials;
  std::vector<float> contacts;
  std::uint64_t steps;
  double time;
  friend bool operator==(const Seen&, const Seen&) = default;
};

Seen seen(const World& world) {
  Seen s{.hashes = world.state_hashes(),
         .bodies = world.bodies(),
         .joints = world.joints(1),
         .materials = world.materials(1),
         .steps = world.report().steps,
         .time = world.report().time};
  for (const JointHandle joint : s.joints) s.joint_states.push_back(world.state(joint));
  for (const Contact& c : world.contacts()) {
    s.contacts.insert(s.contacts.end(), {static_cast<float>(c.a.index), static_cast<float>(c.b.index), c.normal.x,
                                         c.normal.y, c.normal.z, c.friction_impulse.x, c.friction_impulse.y});
    for (int i = 0; i < c.count; ++i) s.contacts.push_back(c.points[static_cast<std::size_t>(i)].impulse);
  }
  return s;
}

struct Case {
  const char* name;
  void (*act)(World&);
};

BodyState moved(const World& world, BodyHandle body) {
  BodyState s = world.state(body);
  s.position.z += 3;
  return s;
}

/// A hinge between two boxes of a tower. Only avbd has no joints.
Joint hinge(std::string name, std::uint32_t below) {
  return {.name = std::move(name),
          .body_a = below,
          .body_b = below + 1,
          .frame_a = {{0, 0, 0.5}, {}},
          .frame_b = {{0, 0, -0.5}, {}},
          .kind = HingeJoint{}};
}
bool has_joints(const StepParams& params) { return params.solver != SolverKind::kAvbd; }

/// Of two worlds that have more of everything, and are scaled; made while memory is no matter.
Snapshot larger(const StepParams& params) {
  const int allowed = std::exchange(TestMemory::allowed, 1 << 30);
  Scene scene = scenes::make("tower:height=6", 1);
  scene.set_params(params);
  for (std::uint32_t i = 1; has_joints(params) && i < 6; ++i) scene.add_joint(hinge("hinge " + std::to_string(i), i));
  World world = World::copies(scene, 2, cpu());
  for (int i = 0; i < 5; ++i) world.add_body(ball("more" + std::to_string(i), {2.0 * i, 5, 1}), 1);
  world.add_body(plane("ceiling", {0, 0, -1}, -50), 1);
  world.add_material({.name = "felt", .density = 1000}, 1);
  world.scales().set({.mass = 2}, 1);
  run(world, 20);
  TestMemory::allowed = allowed;
  return world.snapshot();
}

const Case kCases[] = {
    {"step", [](World& w) { w.step(); }},
    {"add_body",
     [](World& w) {
       w.add_body(box("new", {0, 0, 9}), 1);
     }},
    {"add_body of planes",
     [](World& w) {
       w.add_body(plane("ceiling", {0, 0, -1}, -50), 1);
     }},
    {"remove_body", [](World& w) { w.remove_body(w.bodies(1)[2]); }},
    {"reset", [](World& w) { w.reset(1); }},
    {"add_material", [](World& w) { w.add_material({.name = "felt", .density = 1000}, 1); }},
    {"set_material", [](World& w) { w.set_material(0, {.name = "ice", .density = 900, .friction = 0.1f}, 1); }},
    {"set_mass", [](World& w) { w.set_mass(w.bodies(1)[3], 77); }},
    {"set_type", [](World& w) { w.set_type(w.bodies(1)[2], BodyType::kKinematic); }},
    {"set_enabled", [](World& w) { w.set_enabled(w.bodies(1)[2], false); }},
    {"set_body_material", [](World& w) { w.set_material(w.bodies(1)[2], 0); }},
    {"set_scales", [](World& w) { w.scales().set({.size = 0.9f, .mass = 2}, 1); }},
    {"set_scales of a body", [](World& w) { w.scales().set({.size = 0.9f, .mass = 2}, w.bodies(1)[4]); }},
    {"randomise",
     [](World& w) {
       w.scales().randomise(std::vector<std::uint8_t>{0, 1}, {.mass = {1, 2}});
     }},
    {"set_params of a world",
     [](World& w) {
       StepParams own = w.params(1);
       own.friction_mix = MixRule::kMin;
       w.set_params(own, 1);
     }},
    {"restore", [](World& w) { w.restore(larger(w.params())); }},
    {"restore of a world", [](World& w) { w.restore(larger(w.params()), 1, 0); }},
    {"add_joint",
     [](World& w) {
       if (has_joints(w.params())) w.add_joint(hinge("new", 4), 1);
     }},
    {"remove_joint",
     [](World& w) {
       if (has_joints(w.params())) w.remove_joint(w.joints(1)[0]);
     }},
    {"set_drive",
     [](World& w) {
       if (has_joints(w.params())) w.set_drive(w.joints(1)[0], {.damping = 1, .rate = 1, .max_force = 5});
     }},
    {"set_limits", [](World& w) { w.set_limits({.speed = 100}); }},
    {"set_state", [](World& w) { w.set_state(w.bodies(1)[6], moved(w, w.bodies(1)[6])); }},
    {"write_states",
     [](World& w) {
       std::vector<BodyState> states(w.body_count(1));
       w.read_states(1, states);
       states[1].linear_velocity.x += 1;
       w.write_states(1, states);
     }},
};

enum class Made { kPlain, kScaled, kRestored };

/// Two towers, a few steps old, that started with room for almost nothing.
World make_world(const Variant& variant, Made made) {
  Scene scene = scenes::make("tower:height=6", 1);
  scene.set_params(variant.change(scene.params()));
  if (has_joints(scene.params())) scene.add_joint(hinge("hinge", 2));
  World world = World::copies(scene, 2, cpu(1, {.bodies = 1, .shapes = 1, .pairs = 1}));
  run(world, 20);
  if (made == Made::kPlain) return world;
  world.scales().set({.mass = 3}, 1);
  // a World that was just restored has scales, and has made no room for scaling yet
  return made == Made::kScaled ? std::move(world) : World(world.snapshot(), cpu(1));
}

template <class Shortage>
void expect_intact_at_every_n(const Variant& variant, Made made, const Case& c) {
  World reference = make_world(variant, made);
  c.act(reference);
  const Seen after = seen(reference);
  run(reference, 30);
  const Seen later = seen(reference);
  for (int n = 0;; n += stride()) {
    ASSERT_LT(n, 2000) << c.name;
    World world = make_world(variant, made);
    const Seen before = seen(world);
    // a device that is full stays full; the heap has room again
    const Outcome tried = make<Shortage>([&] { c.act(world); }, n, std::is_same_v<Shortage, ShortMemory>);
    ASSERT_TRUE(tried.end == End::kMade || (tried.short_of && tried.end == End::kOutOfMemory))
        << variant.name << ", " << c.name << " at allocation " << n;
    if (!tried.short_of) break;
    if (tried.end == End::kOutOfMemory) {
      ASSERT_EQ(seen(world), before) << variant.name << ", " << c.name << " at allocation " << n;
      ASSERT_NO_THROW(c.act(world)) << variant.name << ", " << c.name << " at allocation " << n;
    }
    ASSERT_EQ(seen(world), after) << variant.name << ", " << c.name << " at allocation " << n;
    run(world, 30);
    ASSERT_EQ(seen(world), later) << variant.name << ", " << c.name << " at allocation " << n;
  }
}

class Failing : public testing::TestWithParam<Variant> {};
INSTANTIATE_TEST_SUITE_P(Solvers, Failing, testing::ValuesIn(kVariants),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_P(Failing, device_memory_leaves_the_world_as_it_was_at_every_allocation) {
  for (const Case& c : kCases) {
    for (const Made made : {Made::kPlain, Made::kScaled, Made::kRestored})
      expect_intact_at_every_n<ShortMemory>(GetParam(), made, c);
  }
}

TEST_P(Failing, heap_leaves_a_step_and_a_reset_as_if_not_tried_at_every_allocation) {
  for (const Case& c : kCases) {
    if (std::string(c.name) == "step" || std::string(c.name) == "reset")
      expect_intact_at_every_n<ShortHeap>(GetParam(), Made::kPlain, c);
  }
}

TEST(FailingRows, of_a_step_that_found_no_room_for_them_are_none) {
  // a wall whose bricks fall onto each other and then have more rows than there is room for at first
  std::vector<Body> bodies{plane()};
  for (int row = 0; row < 20; ++row) {
    for (int i = 0; i < 20 - row; ++i) {
      const std::string name = std::to_string(row) + ", " + std::to_string(i);
      bodies.push_back(box(name, {1.3 * (i + 0.5 * row), 0, 0.5 + 1.05 * row}));
    }
  }
  Scene scene;
  for (const Body& body : bodies) scene.add_body(body);
  World reference(scene, cpu(1));
  reference.step();
  const std::uint64_t first = reference.memory_bytes();
  run(reference, 59);
  ASSERT_GT(reference.memory_bytes(), first);
  ASSERT_LE(reference.report().high_water.pairs, 2 * bodies.size() + 64) << "it was to be short of rows alone";
  int voided = 0;
  for (int n = 0;; ++n) {
    World world(scene, cpu(1));
    TestMemory::allowed = n;
    bool failed = false;
    for (int step = 0; step < 60; ++step) {
      // asking takes memory, too
      const int allowed = std::exchange(TestMemory::allowed, 1 << 30);
      const ContactResidual before = world.residual();
      TestMemory::allowed = allowed;
      try {
        world.step();
      } catch (const CapacityError&) {
        failed = true;
        TestMemory::allowed = 1 << 30;
        const ContactResidual after = world.residual();
        ASSERT_TRUE(after == ContactResidual{} || after == before) << "allocation " << n;
        voided += after == before ? 0 : 1;
        world.step();
      }
    }
    TestMemory::allowed = 1 << 30;
    ASSERT_EQ(world.state_hash(), reference.state_hash()) << "allocation " << n;
    if (!failed) break;
  }
  EXPECT_GT(voided, 0);
}

// a pile that outgrows its first room for pairs several times
TEST_P(Failing, growth_in_the_first_steps_goes_on_as_if_nothing_had_failed) {
  Scene scene = scenes::make("pile:count=40", 1);
  scene.set_params(GetParam().change(scene.params()));
  const Capacity tiny{.bodies = 1, .shapes = 1, .pairs = 1};
  World reference(scene, cpu(1, tiny));
  run(reference, 60);
  const std::uint64_t wanted = reference.state_hash();
  for (int n = 0;; n += stride()) {
    ASSERT_LT(n, 2000);
    World world(scene, cpu(1, tiny));
    TestMemory::allowed = n;
    bool failed = false;
    for (std::uint64_t step = 0; step < 60; ++step) {
      const std::uint64_t hash = world.state_hash();
      try {
        world.step();
      } catch (const CapacityError&) {
        failed = true;
        TestMemory::allowed = 1 << 30;
        ASSERT_EQ(world.state_hash(), hash);
        ASSERT_EQ(world.report().steps, step);
        ASSERT_NO_THROW(world.step());
      }
    }
    TestMemory::allowed = 1 << 30;
    ASSERT_EQ(world.state_hash(), wanted) << "allocation " << n;
    if (!failed) break;
  }
}

TEST(FailingArrays, of_a_table_grow_all_or_nothing_and_give_everything_back) {
  TestMemory memory;
  const std::size_t others = TestMemory::live.size();
  {
    exec::Table<kernels::Bodies> table(memory);
    table.reserve(10);
    const std::size_t arrays = TestMemory::live.size() - others;
    for (std::uint32_t i = 0; i < 10; ++i) table.view().flags[i] = i + 1;
    const kernels::Bodies before = table.view();
    for (int n = 0; n < static_cast<int>(arrays); ++n) {
      TestMemory::allowed = n;
      EXPECT_THROW(table.reserve(20), CapacityError);
      EXPECT_EQ(table.view(), before);
      EXPECT_EQ(table.capacity(), 10u);
      EXPECT_EQ(TestMemory::live.size() - others, arrays) << "what was got is given back";
    }
    TestMemory::allowed = static_cast<int>(arrays);
    EXPECT_NO_THROW(table.reserve(20));
    EXPECT_EQ(TestMemory::live.size() - others, arrays);
    for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(table.view().flags[i], i + 1);
  }
  TestMemory::allowed = 1 << 30;
  EXPECT_EQ(TestMemory::live.size(), others);
}

TEST(FailingArrays, of_a_buffer_grow_all_or_nothing_and_give_everything_back) {
  TestMemory memory;
  const std::size_t others = TestMemory::live.size();
  {
    exec::Buffer<std::uint32_t> buffer(memory);
    buffer.reserve(3);
    for (std::uint32_t i = 0; i < 3; ++i) buffer.data()[i] = i + 7;
    TestMemory::allowed = 0;
    EXPECT_THROW(buffer.reserve(4), CapacityError);
    EXPECT_EQ(buffer.read(3), (std::vector<std::uint32_t>{7, 8, 9}));
    TestMemory::allowed = 1;
    buffer.reserve(4);
    EXPECT_EQ(buffer.read(3), (std::vector<std::uint32_t>{7, 8, 9}));
    exec::Buffer<std::uint32_t> moved = std::move(buffer);
    EXPECT_EQ(moved.get(2), 9u);
  }
  TestMemory::allowed = 1 << 30;
  EXPECT_EQ(TestMemory::live.size(), others);
}

}  // namespace
}  // namespace cairn::memory_test
