// A random sequence of calls, from a fixed seed, and what must hold after each.

#include <map>
#include <random>

#include "tests/support/builders.h"

namespace cairn::world_test {
namespace {

using namespace testing_support;
using testing_support::shape;  // not the namespace

class Monkey {
 public:
  Monkey(unsigned seed, bool sleeping, int threads)
      : random_(seed),
        world(scene_of({plane(), plane("slope", {-0.3f, 0.2f, 1}, -2)}, {.sleeping = sleeping}),
              cpu(threads, {.pairs = 1})) {
    for (const BodyHandle b : world.bodies()) alive_[b.index] = b;
  }

  void act() {
    static constexpr void (*kOfBody[])(Monkey&, BodyHandle) = {
        [](Monkey& m, BodyHandle b) { m.world.set_pose(b, m.place(), m.turn()); },
        [](Monkey& m, BodyHandle b) {
          if (m.type(b) != BodyType::kStatic) m.world.set_velocity(b, m.vector(5), m.vector(3));
        },
        [](Monkey& m, BodyHandle b) { m.world.set_mass(b, std::pow(10.0f, m.number(0, 4))); },
        [](Monkey& m, BodyHandle b) { m.world.set_material(b, m.pick_material()); },
        [](Monkey& m, BodyHandle b) {
          if (!m.is_plane(b)) m.world.set_type(b, static_cast<BodyType>(m.pick(3)));
          if (m.pick(2) == 0) m.world.set_enabled(b, m.pick(3) != 0);
        },
        [](Monkey& m, BodyHandle b) { m.world.add_force(b, m.vector(1e4f)); },
        [](Monkey& m, BodyHandle b) { m.world.add_force(b, m.vector(1e4f), m.place()); },
        [](Monkey& m, BodyHandle b) { m.world.add_torque(b, m.vector(1e3f)); },
        [](Monkey& m, BodyHandle b) { m.world.wake(b); },
    };
    static_assert(std::size(kOfBody) == 15 - 6);
    const std::uint32_t kind = pick(24);
    if (kind < 4) {
      add();
    } else if (kind < 6) {
      remove();
    } else if (kind < 15) {
      with_body([&](BodyHandle b) { kOfBody[kind - 6](*this, b); });
    } else if (kind == 15) {
      if (pick(8) == 0) world.set_gravity(vector(10));
    } else if (kind == 16) {
      if (pick(8) == 0) rewrite();
    } else if (kind == 17) {
      if (world.materials().size() < 6) world.add_material(material(world.materials().size()));
    } else if (kind == 18) {
      const std::uint32_t i = pick_material();
      world.set_material(i, material(i));
    } else {
      step();
    }
    check();
  }

 private:
  std::uint32_t pick(unsigned n) { return static_cast<std::uint32_t>(random_()) % n; }
  std::uint32_t pick_material() { return pick(static_cast<unsigned>(world.materials().size())); }
  float number(double low, double high) {
    return static_cast<float>(low + (high - low) * (static_cast<double>(random_()) / 4294967296.0));
  }
  Vec3 vector(double most) { return {number(-most, most), number(-most, most), number(-most, most)}; }
  Vec3d place() { return {number(-4, 4), number(-4, 4), number(0.2, 6)}; }
  Quat turn() { return {number(-1, 1), number(-1, 1), number(-1, 1), 1}; }
  BodyType type(BodyHandle b) const { return world.description(b).type; }
  bool is_plane(BodyHandle b) const { return std::holds_alternative<Plane>(world.description(b).shapes[0].geometry); }

  Material material(std::size_t i) {
    return {.name = "material" + std::to_string(i),
            .density = number(100, 5000),
            .friction = number(0, 1),
            .restitution = pick(3) == 0 ? number(0, 0.9) : 0.0f,
            .rolling_friction = pick(3) == 0 ? number(0, 0.1) : 0.0f};
  }

  template <class F>
  void with_body(F f) {
    if (alive_.empty()) return;
    auto at = alive_.begin();
    std::advance(at, pick(static_cast<unsigned>(alive_.size())));
    f(at->second);
  }

  void add() {
    if (alive_.size() > 60) return;
    Body b = box("body" + std::to_string(made_++), place(), static_cast<BodyType>(pick(8) == 0 ? pick(2) : 2));
    b.shapes.clear();
    for (std::uint32_t i = 0; i <= pick(3); ++i) {
      const Geometry all[] = {Sphere{number(0.1, 0.6)}, Box{{number(0.1, 0.7), number(0.1, 0.7), number(0.1, 0.7)}},
                              Capsule{number(0.1, 0.4), number(0.1, 0.5)}};
      b.shapes.push_back(shape(all[pick(3)], i == 0 ? Vec3{} : vector(0.5), turn(), pick_material()));
    }
    const BodyHandle h = world.add_body(b);
    ASSERT_EQ(alive_.count(h.index), 0u);
    ASSERT_GT(h.generation, last_generation_[h.index]) << "a slot's generation only grows";
    last_generation_[h.index] = h.generation;
    alive_[h.index] = h;
  }

  void remove() {
    with_body([&](BodyHandle b) {
      world.remove_body(b);
      alive_.erase(b.index);
      dead_ = b;
    });
  }

  void rewrite() {
    std::vector<BodyState> all = states(world);
    std::swap(all.front().orientation, all.back().orientation);
    world.write_states(all);
  }

  void step() {
    const StepReport before = world.report();
    world.step(pick(10) == 0 ? number(0.001, 0.05) : 1.0f / 60.0f);
    const StepReport after = world.report();
    ASSERT_EQ(after.steps, before.steps + 1);
    ASSERT_GT(after.time, before.time);
    ASSERT_LE(after.asleep, after.bodies);
    ASSERT_LE(after.points, 4 * after.manifolds);
    ASSERT_LE(after.manifolds, after.pairs);
    ASSERT_LE(after.recycled, after.manifolds);
    ASSERT_GE(after.high_water.pairs, after.pairs);
    ASSERT_EQ(after.status & kStatusNonFinite, 0u);
    // forces on small bodies spin them past the limit now and then: mend the world, so that it goes on
    while (world.report().status != 0) {
      const BodyHandle bad = world.report(0).first_bad;
      ASSERT_TRUE(world.alive(bad));
      world.set_velocity(bad, {}, {});
      world.clear_status();
      world.step();
    }
  }

  void check() {
    ASSERT_EQ(world.body_count(), alive_.size());
    std::vector<BodyHandle> wanted;
    for (const auto& [index, handle] : alive_) wanted.push_back(handle);
    ASSERT_EQ(world.bodies(), wanted);
    ASSERT_TRUE(sound(world));
    if (dead_) {
      ASSERT_FALSE(world.alive(dead_));
      ASSERT_THROW((void)world.state(dead_), InvalidArgument);
    }
    for (const Contact& c : world.contacts()) {
      ASSERT_TRUE(world.alive(c.a) && world.alive(c.b) && !(c.a == c.b));
      ASSERT_NEAR(length(c.normal), 1, 1e-5);
      for (int i = 0; i < c.count; ++i) {
        const Contact::Point& p = c.points[static_cast<std::size_t>(i)];
        ASSERT_TRUE(std::isfinite(p.impulse) && p.impulse >= 0 && std::isfinite(p.separation))
            << p.impulse << " " << p.separation;
      }
    }
    std::uint32_t shapes = 0;
    for (const auto& [index, handle] : alive_)
      shapes += static_cast<std::uint32_t>(world.description(handle).shapes.size());
    ASSERT_EQ(world.report().shapes, shapes);
  }

  std::mt19937 random_;
  std::map<std::uint32_t, BodyHandle> alive_;
  std::map<std::uint32_t, std::uint32_t> last_generation_;
  BodyHandle dead_;
  int made_{0};

 public:
  World world;
};

TEST(World, any_sequence_of_calls_keeps_its_promises) {
  for (const bool sleeping : {false, true}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      Monkey monkey(seed, sleeping, 1);
      for (int i = 0; i < 1500; ++i) {
        ASSERT_NO_FATAL_FAILURE(monkey.act()) << "seed " << seed << ", call " << i << (sleeping ? ", sleeping" : "");
      }
    }
  }
}

TEST(World, the_same_sequence_gives_the_same_bits_on_any_number_of_threads) {
  Monkey one(99, true, 1), three(99, true, 3);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_NO_FATAL_FAILURE(one.act());
    ASSERT_NO_FATAL_FAILURE(three.act());
    ASSERT_EQ(one.world.state_hash(), three.world.state_hash()) << "call " << i;
  }
}

}  // namespace
}  // namespace cairn::world_test
