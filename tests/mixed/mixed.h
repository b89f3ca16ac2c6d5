#pragma once
// Random batches of worlds with all features and all solvers, with edits between their steps. World k of a batch must
// give the same bits as the same world alone: `difference` runs a batch both ways, `shrink` makes a batch that differs
// small, and `text_of` prints what is left.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/cairn.h"
#include "tests/mixed/dice.h"

namespace cairn::mixed {

/// Something that `shrink` may leave out.
template <class T>
struct Item {
  T what{};
  bool on{true};
};
template <class T>
using Items = std::vector<Item<T>>;

// What refers to bodies and joints does so by name, so that any of these may be left out: what named it goes, too.

struct PlannedSet {
  ParticleSet set;
  std::vector<std::string> held_by;  ///< (attachments) names of bodies
};
struct PlannedJoint {
  Joint joint;
  std::string a, b;  ///< bodies, or of a gear the joints that it follows; empty: the world
};
struct PlannedField {
  fields::Any law;
  std::optional<std::vector<std::string>> bodies;
  std::vector<std::pair<std::string, std::string>> ends;  ///< of springs
};
struct PlannedRobot {
  Articulation robot;
  ArticulationState start;
};

/// A world while it runs: alone, or one of a batch.
struct Live {
  World* world;
  std::uint32_t index;
  std::optional<Snapshot> kept{};   ///< of it, from some steps ago
  std::vector<std::uint8_t> log{};  ///< what edits came to: done, nothing to do it to, refused

  std::optional<BodyHandle> body(const std::string& name) const;
  std::optional<JointHandle> joint(const std::string& name) const;
};

/// A call between two steps. It must do the same to the world wherever that is.
struct Edit {
  int step{0};  ///< before which
  std::string text;
  /// False where what it names is gone.
  std::function<bool(Live&)> apply;
};
/// The same of all worlds at once.
struct CommonEdit {
  int step{0};
  std::string text;
  std::function<void(World&, const WorldOptions&)> apply;
};

struct WorldPlan {
  std::string style;
  StepParams own;  ///< with what all worlds share
  Vec3 gravity;
  WorldLimits limits;
  std::vector<Material> materials;
  Items<Body> bodies;
  Items<PlannedRobot> robots;
  Items<PlannedSet> sets;
  Items<PlannedJoint> joints;
  Items<std::pair<std::string, std::string>> ignored;
  Items<PlannedField> fields;
  Items<Edit> edits;
};

/// A way to put the worlds together: groups of them, each a batch, in an order.
struct Setup {
  std::vector<std::vector<std::uint32_t>> groups;
  int threads{1};
  Tuning tuning;
  Capacity capacity;       ///< to begin with: some steps find no room, and are taken again
  bool capturable{false};  ///< WorldOptions::capturable
};

struct MixedCase {
  std::uint64_t seed{0};
  StepParams shared;
  bool contact_events{false};
  int steps{1};
  std::vector<float> dt;  ///< [s] (steps)
  std::vector<WorldPlan> worlds;
  Items<CommonEdit> common;
  std::vector<Setup> setups;
  Tuning alone;
};

/// How often each thing occurred, by name.
using Counts = std::map<std::string, std::uint64_t>;

MixedCase random_case(std::uint64_t seed);

/// The index of what has a name, in a scene or in a World, if it is there.
using IndexOf = std::function<std::optional<std::uint32_t>(const std::string&)>;
/// By these indices; nothing where one that it needs is gone.
std::optional<SceneField> field_of(const PlannedField& planned, const IndexOf& body);
std::optional<Joint> joint_of(const PlannedJoint& planned, const IndexOf& joint, const IndexOf& body);

/// What of the plan there is, and what Scene refused (by "what: why").
Scene scene_of(const WorldPlan& plan, std::vector<std::string>* refused = nullptr);

struct Difference {
  std::size_t setup{0}, group{0};
  std::uint32_t world{0};
  int step{0};
  std::string what;
};
/// The first world that differs from itself alone. `counts` adds up what was run.
std::optional<Difference> difference(const MixedCase& mixed, Counts* counts = nullptr);

/// As little as differs as it does, found within so many seconds.
MixedCase shrink(const MixedCase& mixed, double seconds);
std::string text_of(const MixedCase& mixed);

// ---- parts of the generator ----

Material random_material(Dice& dice, const std::string& name, const StepParams& shared);
/// One or a few shapes; of `hertz_mindlin` what moves has spheres alone.
Body random_body(Dice& dice, const std::string& name, const WorldPlan& plan, const Scene& around);
std::vector<Shape> random_shapes(Dice& dice, const WorldPlan& plan, BodyType type, int most);
PlannedRobot random_robot(Dice& dice, const std::string& name, const WorldPlan& plan);
PlannedSet random_set(Dice& dice, const std::string& name, const WorldPlan& plan, const Scene& around);
PlannedSet random_fluid(Dice& dice, const std::string& name, const WorldPlan& plan, int side);
PlannedJoint random_joint(Dice& dice, const std::string& name, const std::vector<PlannedJoint>& others,
                          const Scene& around);
JointDrive random_drive(Dice& dice);
PlannedField random_field(Dice& dice, const Scene& around);
WorldLimits random_limits(Dice& dice);
/// What each world has for itself.
StepParams with_own(Dice& dice, StepParams params);
void add_edits(Dice& dice, WorldPlan& plan, const Scene& around, int steps, int count);
void add_common_edits(Dice& dice, MixedCase& mixed);
std::string any_body(Dice& dice, const Scene& around);

}  // namespace cairn::mixed
