// What every scene owes by every solver: one table of properties, a function each, tried for every pair of scene_rows()
// and kVariants. A test's name is Contract/<scene>.<solver>_<property>; those of a pair follow each other, in one process
// (cairn_suites.cmake), so that the run that others are compared with is made once.

#include "tests/contract/contract.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <tuple>

#include <gtest/gtest.h>

#include "cairn/recording.h"
#include "cairn/scene_file.h"
#include "cairn/sensors.h"
#include "cairn/snapshot.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "src/solve/traits.h"
#include "tests/memory/rig.h"
#include "tests/snapshot/runs.h"
#include "tests/support/long_run.h"

namespace cairn::contract {
namespace {

using namespace testing_support;

/// A scene and what solves it.
struct Pair {
  const SceneRow* row;
  Variant solver;
  const SceneRow* next;  ///< another scene that it solves: who is beside it in a batch

  std::string name() const { return row->name + "_" + solver.name; }
  Scene scene() const { return of(*row, row->make().params()); }
  /// The other one, in a World of this.
  Scene beside() const { return of(*next, row->make().params()); }
  WorldOptions options(int threads, const Capacity& capacity = {}) const {
    WorldOptions made = cpu(threads, capacity);
    made.contact_events = row->events;
    return made;
  }
  World world(const WorldOptions& made) const { return lively(World(scene(), made)); }
  World copies(std::uint32_t count, const WorldOptions& made) const {
    return lively(World::copies(scene(), count, made));
  }
  World batch(const std::vector<Scene>& scenes, const WorldOptions& made) const { return lively(World(scenes, made)); }

 private:
  Scene of(const SceneRow& from, StepParams params) const {
    Scene made = from.make();
    params = solver.change(params);
    // what takes a step in one takes shorter steps where others take as many substeps for particles
    if (traits_of(params.solver).whole && !row->make().particles().empty())
      params.dt = params.dt / static_cast<float>(params.substeps);
    made.set_params(params);
    return made;
  }
  World lively(World world) const {
    for (std::uint32_t w = 0; solver.lively && w < world.world_count(); ++w) {
      for (std::uint32_t i = 0; i < world.materials(w).size(); ++i)
        world.set_material(i, lively_one(world.materials(w)[i]), w);
    }
    return world;
  }
};

/// Steps from `first` to before `last`, with the row's edits of some worlds.
void go(World& world, const Pair& pair, int first, int last, const std::vector<std::uint32_t>& edited = {0}) {
  for (int step = first; step < last; ++step) {
    for (const std::uint32_t in : edited) {
      if (pair.row->edit != nullptr) pair.row->edit(world, in, step);
    }
    world.step();
  }
}

/// What sensors on the first bodies of a world read of it, bit for bit.
std::vector<std::uint32_t> sensed(const World& world, std::uint32_t in) {
  SensorSet set;
  for (const BodyHandle body : world.bodies(in)) {
    const std::uint32_t index = world.index_of(body);
    if (index > 8) break;
    const Site site{index, {0.1, 0, 0.2}, {0.1f, 0.2f, 0, 1}};
    set.frames.push_back({site, set.imus.empty() ? Site{} : set.imus.back().site});
    set.imus.push_back({site});
    set.contacts.push_back({index});
    set.scans.push_back({.site = site, .directions = {{0, 0, -1}, {1, 0, -0.5f}, {0, 1, 0.5f}}, .range = 20});
  }
  set.cameras.push_back({.site = {kWorldBody, {0, 0, 6}}, .width = 4, .height = 3});
  const std::vector<ArticulationHandle> robots = world.articulations().list(in);
  if (!robots.empty()) {
    const std::vector<ArticulationLink>& links = world.description(robots[0]).links;
    for (std::uint32_t k = 0; k < links.size() && set.joints.size() < 4; ++k) {
      if (links[k].joint.kind != ArticulationJointKind::kFixed) set.joints.push_back({0, k});
    }
  }
  Sensors sensors(world, set);
  sensors.update();
  std::vector<std::uint32_t> words;
  for (const NamedArray& array : sensors.list()) {
    std::int64_t each = 1;
    for (int i = 1; i < array.view.rank; ++i) each *= array.view.shape[static_cast<std::size_t>(i)];
    const auto* data = static_cast<const std::uint32_t*>(array.view.data) + in * each;
    words.insert(words.end(), data, data + each);
  }
  return words;
}

/// All that a World tells of one of its worlds.
struct Seen {
  std::uint64_t hash;
  std::vector<std::uint64_t> counts;
  std::vector<std::vector<float>> of_particles;
  std::vector<std::vector<std::uint8_t>> broken;
  std::vector<JointState> joints;
  std::vector<ArticulationState> articulations;
  std::vector<std::uint8_t> asleep, gone;  ///< (bodies), (particles of all sets)
  std::vector<std::uint32_t> sensed;
  ContactEvents events;
  friend bool operator==(const Seen&, const Seen&) = default;
  friend void PrintTo(const Seen& seen, std::ostream* out) { *out << std::hex << seen.hash << std::dec; }
};
Seen seen(const World& world, const Pair& pair, std::uint32_t in = 0) {
  const WorldReport report = world.report(in);
  Seen all{.hash = world.state_hashes()[in], .counts = {report.status, report.steps, report.bodies}};
  for (const ParticlesHandle set : world.particles().list(in)) {
    all.of_particles.push_back(world.particles().constraint_forces(set));
    all.of_particles.push_back(world.particles().constraint_residuals(set));
    all.broken.push_back(world.particles().broken_constraints(set));
    for (const BodyHandle body : world.bodies(set)) all.gone.push_back(body == BodyHandle{} ? 1 : 0);
    if (!world.description(set).fluid) continue;
    all.of_particles.push_back(world.particles().pressures(set));
    all.of_particles.push_back(world.particles().densities(set));
  }
  for (const JointHandle joint : world.joints(in)) all.joints.push_back(world.state(joint));
  for (const ArticulationHandle robot : world.articulations().list(in)) all.articulations.push_back(world.state(robot));
  const std::vector<BodyHandle> bodies = world.bodies(in);
  for (const BodyHandle body : bodies) all.asleep.push_back(world.asleep(body) ? 1 : 0);
  all.sensed = sensed(world, in);
  if (!pair.row->events) return all;
  all.events = world.contact_events(in);
  // as a world alone numbers its bodies
  const std::uint32_t first = bodies[0].index - world.index_of(bodies[0]);
  const auto shift = [&](auto& list) {
    for (auto& event : list) {
      for (ContactShape* end : {&event.a, &event.b}) end->body = {end->body.index - first, 0};
    }
  };
  shift(all.events.begun);
  shift(all.events.persisting);
  shift(all.events.ended);
  return all;
}

/// At the end of all steps, of a World of this world alone on one thread; as edited, and left alone.
const Seen& wanted(const Pair& pair, bool edited = true) {
  static std::map<std::pair<std::string, bool>, Seen> all;
  edited = edited && pair.row->edit != nullptr;
  const auto [at, is_new] = all.try_emplace({pair.name(), edited});
  if (is_new) {
    World world = pair.world(pair.options(1));
    go(world, pair, 0, pair.row->steps, edited ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{});
    at->second = seen(world, pair);
    EXPECT_EQ(world.report().status, 0u);
    EXPECT_TRUE(!edited || pair.row->happened == nullptr || pair.row->happened(world)) << "what it is there for";
  }
  return at->second;
}

void threads(const Pair& pair) {
  for (const int count : {2, 3, 5}) {
    WorldOptions options = pair.options(count);
    if (count == 3) options.tuning.small_world = 128;
    World world = pair.world(options);
    go(world, pair, 0, pair.row->steps);
    EXPECT_EQ(seen(world, pair), wanted(pair)) << count << " threads";
  }
}

void batch(const Pair& pair) {
  WorldOptions options = pair.options(2);
  options.tuning.small_world = 0;
  World all = pair.copies(3, options);
  go(all, pair, 0, pair.row->steps, {0, 1, 2});
  for (std::uint32_t w = 0; w < 3; ++w) EXPECT_EQ(seen(all, pair, w), wanted(pair)) << w;
  std::ptrdiff_t broken = 0;
  for (const auto& set : wanted(pair).broken) broken += std::ranges::count(set, std::uint8_t{1});
  EXPECT_EQ(all.report().broken_constraints, 3 * broken);
  // beside others, and what is done to one is done to it alone
  options.tuning.small_world = 4096;
  World mixed = pair.batch({pair.scene(), pair.beside(), pair.scene()}, options);
  go(mixed, pair, 0, pair.row->steps, {2});
  EXPECT_EQ(seen(mixed, pair, 0), wanted(pair, false)) << "left alone";
  EXPECT_EQ(seen(mixed, pair, 2), wanted(pair)) << "beside others";
}

/// Handles and descriptions.
void expect_same_things(const World& a, const World& b) {
  const auto expect_same = [&](const auto& of_a, const auto& of_b) {
    EXPECT_EQ(of_a, of_b);
    for (const auto& thing : of_a) EXPECT_EQ(a.description(thing), b.description(thing));
  };
  expect_same(a.bodies(), b.bodies());
  expect_same(a.joints(), b.joints());
  expect_same(a.articulations().list(), b.articulations().list());
  expect_same(a.particles().list(), b.particles().list());
  EXPECT_EQ(a.fields(), b.fields());
  EXPECT_EQ(a.materials(), b.materials());
}

void snapshot(const Pair& pair) {
  const int steps = pair.row->steps, half = steps / 2;
  WorldOptions options = pair.options(2);
  const auto on = [&](World& world, int from, std::uint32_t in = 0) {
    std::vector<Told> all;
    for (int step = from; step < steps; ++step) {
      go(world, pair, step, step + 1, {in});
      all.push_back(told(world));
    }
    return all;
  };
  World world = pair.world(options);
  const Snapshot start = through_bytes(world.snapshot());
  go(world, pair, 0, half);
  const Snapshot kept = through_bytes(world.snapshot());
  EXPECT_EQ(kept.to_bytes(), world.snapshot().to_bytes());
  const std::vector<BodyHandle> handles = world.bodies();
  expect_same_things(World(kept, pair.options(1)), world);
  const std::vector<Told> rest = on(world, half);
  EXPECT_EQ(seen(world, pair), wanted(pair)) << "before";

  world.restore(kept);
  EXPECT_EQ(world.bodies(), handles);
  expect_same_things(World(kept, pair.options(1)), world);
  EXPECT_EQ(on(world, half), rest) << "into the same World";
  options.device = Device::cpu(3);
  World other(kept, options);
  EXPECT_EQ(other.snapshot().to_bytes(), kept.to_bytes());
  EXPECT_EQ(other.bodies(), handles);
  EXPECT_EQ(on(other, half), rest) << "into a new World";
  EXPECT_EQ(seen(other, pair), wanted(pair));
  World unlike(tower(3), options);
  unlike.step();
  unlike.restore(kept);
  EXPECT_EQ(on(unlike, half), rest) << "into a World of another scene";
  unlike.restore(World(tower(2), pair.options(1)).snapshot());
  EXPECT_TRUE(unlike.articulations().list().empty() && unlike.particles().list().empty() && unlike.joints().empty());
  unlike.step();
  EXPECT_EQ(unlike.report().status, 0u);
  World young(start, pair.options(1));
  go(young, pair, 0, steps);
  EXPECT_EQ(seen(young, pair), wanted(pair)) << "from before the first step";

  // into one place of a batch, out of it again, and into several
  World batch = pair.batch({pair.scene(), pair.beside()}, pair.options(2)),
        left = pair.batch({pair.scene(), pair.beside()}, pair.options(1));
  go(batch, pair, 0, 3, {});
  batch.restore(kept, 0, 1);
  go(left, pair, 0, 3, {});
  go(batch, pair, half, half + (steps - half) / 2, {1});
  const Snapshot part = through_bytes(batch.snapshot(1));
  go(batch, pair, half + (steps - half) / 2, steps, {1});
  go(left, pair, half, steps, {});
  EXPECT_EQ(seen(batch, pair, 1).hash, wanted(pair).hash) << "into a place of a batch";
  EXPECT_EQ(seen(batch, pair, 1).broken, wanted(pair).broken);
  EXPECT_EQ(seen(batch, pair, 1).joints, wanted(pair).joints);
  EXPECT_EQ(seen(batch, pair, 1).articulations, wanted(pair).articulations);
  EXPECT_EQ(seen(batch, pair), seen(left, pair)) << "beside it";
  World out(part, pair.options(1));
  go(out, pair, half + (steps - half) / 2, steps);
  EXPECT_EQ(seen(out, pair), wanted(pair)) << "out of a batch";
  World many = World::copies(kept, 3, pair.options(2));
  many.restore(kept, 0, std::vector<std::uint8_t>{0, 1, 1});
  go(many, pair, half, steps, {0, 1, 2});
  for (std::uint32_t w = 0; w < 3; ++w) EXPECT_EQ(seen(many, pair, w), wanted(pair)) << "copy " << w;
}

void replay_again(const Pair& pair) {
  const int steps = pair.row->steps, half = steps / 2;
  WorldOptions watched = pair.options(2);
  watched.trace = true;
  World world = pair.copies(2, watched);
  // the first steps are before the recording, all edits of world 1 within it
  go(world, pair, 0, 3, {});
  world.start_recording();
  go(world, pair, 0, half, {1});
  const Snapshot mark = world.snapshot();
  go(world, pair, half, steps, {1});
  world.restore(mark);
  world.step();
  world.restore(mark, 1, 0);
  world.step(world.params().dt / 2);
  world.reset(1);
  world.step();
  world.reset();
  world.step();
  const Recording made = through_bytes(world.stop_recording());
  const Replay again = replay(made, cpu(3));
  EXPECT_FALSE(again.difference) << "step " << again.difference->step;
  EXPECT_EQ(again.steps, made.steps());
  EXPECT_EQ(again.hash, world.state_hash());
}

void memory(const Pair& pair) {
  // lively materials are the World's, not the scene's
  const Scene scene = pair.scene();
  for (const Capacity& capacity : {Capacity{}, Capacity{.bodies = 1000, .shapes = 1200, .pairs = 9000}}) {
    for (const std::uint32_t worlds : {1u, 3u}) {
      const WorldOptions options = pair.options(1, capacity);
      const std::uint64_t estimated = estimate_memory(scene, worlds, options);
      World world = World::copies(scene, worlds, options);
      world.step();
      EXPECT_EQ(world.memory_bytes(), estimated) << worlds << " worlds";
    }
  }
}

std::vector<BodyPair> sorted(std::vector<BodyPair> pairs) {
  std::ranges::sort(pairs, {}, [](const BodyPair& pair) { return std::tuple(pair.a, pair.b); });
  return pairs;
}

void file(const Pair& pair) {
  const Scene scene = pair.scene();
  const std::string text = scene_to_json(scene);
  const Scene read = parse_scene(text, "written");
  EXPECT_EQ(read.params(), scene.params());
  EXPECT_EQ(read.gravity(), scene.gravity());
  EXPECT_EQ(read.limits(), scene.limits());
  EXPECT_EQ(read.materials(), scene.materials());
  EXPECT_EQ(read.bodies(), scene.bodies());
  EXPECT_EQ(read.joints(), scene.joints());
  EXPECT_EQ(read.articulations(), scene.articulations());
  EXPECT_EQ(read.particles(), scene.particles());
  EXPECT_EQ(read.fields(), scene.fields());
  EXPECT_EQ(sorted(read.ignored()), sorted(scene.ignored()));
  EXPECT_EQ(scene_to_json(read), text);
  World world = pair.batch({read}, pair.options(1));
  go(world, pair, 0, pair.row->steps);
  EXPECT_EQ(seen(world, pair), wanted(pair));
}

struct Poisoned {
  Poisoned() { TestMemory::poisons_scratch = true; }
  ~Poisoned() { TestMemory::poisons_scratch = false; }
};

/// All memory of this program is NaN when it is new; what a step computes before it reads it is made NaN again before
/// each step here, in a World that grows from almost nothing. One that may be captured has rows in memory of their own,
/// not where manifolds were.
void poison(const Pair& pair) {
  for (const bool capturable : {false, true}) {
    WorldOptions options = pair.options(2, {.bodies = 1, .shapes = 1, .pairs = 1});
    options.capturable = capturable;
    World world = pair.world(options);
    {
      const Poisoned poisoned;
      go(world, pair, 0, pair.row->steps);
    }
    EXPECT_EQ(seen(world, pair), wanted(pair)) << capturable;
  }
}

void reset(const Pair& pair) {
  const int steps = pair.row->steps;
  World world = pair.copies(2, pair.options(2, {.bodies = 1, .shapes = 1, .pairs = 1}));
  const Seen& left = wanted(pair, false);
  std::optional<Poisoned> poisoned(std::in_place);
  go(world, pair, 0, steps / 2, {});
  const std::uint64_t before = world.state_hashes()[0];
  world.reset(1);
  EXPECT_EQ(world.state_hashes()[0], before);
  go(world, pair, steps / 2, steps, {});
  EXPECT_EQ(seen(world, pair, 0), left) << "it goes on";
  world.reset(0);
  world.reset(1);
  const World fresh = pair.world(pair.options(1));
  EXPECT_EQ(seen(world, pair).articulations, seen(fresh, pair).articulations);
  EXPECT_EQ(seen(world, pair).broken, seen(fresh, pair).broken);
  go(world, pair, 0, steps, {0, 1});
  poisoned.reset();
  for (std::uint32_t w = 0; w < 2; ++w) {
    World alone = pair.world(pair.options(1));
    for (std::uint32_t times = 0; pair.row->draws && times <= w; ++times) alone.reset();
    if (pair.row->draws) go(alone, pair, 0, steps);
    EXPECT_EQ(seen(world, pair, w), pair.row->draws ? seen(alone, pair) : wanted(pair)) << w;
  }
}

struct Property {
  const char* name;
  void (*keep)(const Pair&);
};
constexpr Property kProperties[] = {{"threads", threads},     {"batch", batch},   {"snapshot", snapshot},
                                    {"replay", replay_again}, {"memory", memory}, {"file", file},
                                    {"poison", poison},       {"reset", reset}};

/// Each scene with all that solves it. In short runs without what bounces and rolls and without direct solution, unless
/// the row is for those; and built-in scenes, which the tests of determinism, batches and snapshots run by all solvers,
/// by their own solver and one of the others in turn.
std::vector<Pair> pairs() {
  const std::vector<SceneRow>& rows = scene_rows();
  std::vector<std::vector<Variant>> solvers;
  std::vector<std::size_t> bodies;
  for (const SceneRow& row : rows) {
    const Scene scene = row.make();
    bodies.push_back(scene.bodies().size());
    solvers.push_back(solvers_of(scene));
    if (is_long()) continue;
    std::vector<Variant>& by = solvers.back();
    if (!row.lively)
      std::erase_if(by, [](const Variant& of) { return of.lively || of.change({}).direct_mass_ratio == 1; });
    if (row.builtin && by.size() > 2) by = {by[0], by[1 + solvers.size() % (by.size() - 1)]};
  }
  const auto solves = [&](std::size_t r, const Variant& solver) {
    return std::ranges::any_of(solvers[r], [&](const Variant& of) { return of.name == solver.name; });
  };
  std::vector<Pair> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (const Variant& solver : solvers[r]) {
      // not one that takes much longer
      std::size_t next = r;
      do next = (next + 1) % rows.size();
      while (!solves(next, solver) || bodies[next] > std::max(2 * bodies[r], std::size_t{40}));
      all.push_back({&rows[r], solver, &rows[next]});
    }
  }
  return all;
}

class Kept : public testing::Test {
 public:
  Kept(const Property& property, const Pair& pair) : property_(property), pair_(pair) {}
  void TestBody() override { property_.keep(pair_); }

 private:
  Property property_;
  Pair pair_;
};

const bool kRegistered = [] {
  for (const Pair& pair : pairs()) {
    for (const Property& property : kProperties) {
      testing::RegisterTest(("Contract/" + pair.row->name).c_str(),
                            (std::string(pair.solver.name) + "_" + property.name).c_str(), nullptr, nullptr, __FILE__,
                            __LINE__, [=]() -> Kept* { return new Kept(property, pair); });
    }
  }
  return true;
}();

// no pair is left out that could be solved
TEST(Contract, solvers_that_a_scene_is_not_tried_by_refuse_it) {
  for (const SceneRow& row : scene_rows()) {
    const Scene scene = row.make();
    const std::vector<Variant> by = solvers_of(scene);
    EXPECT_FALSE(by.empty()) << row.name;
    if (traits_of(scene.params().solver).elastic) continue;
    for (const Variant& variant : kVariants) {
      if (std::ranges::any_of(by, [&](const Variant& of) { return of.name == variant.name; })) continue;
      Scene changed = scene;
      changed.set_params(variant.change(scene.params()));
      World world(changed, cpu());
      EXPECT_THROW(world.step(), InvalidArgument) << row.name << " by " << variant.name;
    }
  }
}

}  // namespace
}  // namespace cairn::contract
