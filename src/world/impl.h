#pragma once
// Members of a World: here bodies, shapes, contacts and the clock, one file a topic in src/world. The others are
// features (features.h), each in its own folder. src/queries, src/snapshot and src/recording have the calls of these
// names.

#include <array>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "cairn/world.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "src/exec/backend.h"
#include "src/exec/journal.h"
#include "src/queries/query_store.h"
#include "src/recording/mark.h"
#include "src/shape/shape_parts.h"
#include "src/world/arrays.h"
#include "src/world/features.h"
#include "src/world/frame.h"
#include "src/world/index_range.h"
#include "src/world/masses.h"

namespace cairn {

namespace snapshot {
struct Image;
}  // namespace snapshot
namespace recording {
struct Log;
}

/// Jobs that a World enqueues on its device, in the order of the calls.
struct StepJob {
  float dt;  ///< [s]
};
struct ResetJob {
  std::uint32_t mask;   ///< [1] index of Arrays::masks
  bool contacts_alone;  ///< only ends the contacts
};
struct ScaleJob {
  std::uint32_t mask;  ///< [1] index of Arrays::masks
  Randomisation ranges;
};
using Job = std::variant<StepJob, ResetJob, ScaleJob>;

/// An enqueued job, and the host's state before it.
struct PendingJob {
  Job job;
  double time;   ///< [s]
  float last_h;  ///< [s]
};

/// Bodies that will be added to a world.
struct Addition {
  std::uint32_t world;
  std::span<const Body> bodies;
};

/// The host's view of one world of a batch. Ids are the slots of bodies and shapes in a world alone: a world's results
/// depend on them, and not on its place in the batch.
struct WorldSlot {
  Vec3d origin;  ///< [m]
  StepParams params;
  WorldLimits limits;
  std::vector<Material> materials;
  std::vector<std::uint32_t> material_slots;            ///< [1] of each on the device; others may follow
  std::vector<std::uint32_t> body_slots, shape_slots;   ///< [1] by id
  std::vector<std::uint32_t> free_bodies, free_shapes;  ///< [1] ids
  std::vector<std::uint32_t> plane_slots;
  std::vector<std::uint64_t> ignored;                   ///< [1] lower body id << 32 | higher, ascending
  std::vector<std::uint32_t> joint_slots, free_joints;  ///< [1] by id, and ids
  std::vector<SceneField> fields;
  std::uint32_t living{0};
  Rescale rescales{Rescale::kNo};  ///< due at the call's end (ScaleFeature::rescale)
};

/// A mesh or height field, and the numbers of its triangles (kernels::Surfaces).
struct SurfaceSlot {
  std::uint32_t first, count;  ///< [1]
  std::uint32_t shape;         ///< [1] slot
};

/// Throws CapacityError if the numbers up to this one don't suffice for triangles.
void check_triangles(std::uint64_t next);

/// Name of a body in errors.
inline std::string label(const Body& body) {
  return body.name.empty() ? "a body without a name" : "body \"" + body.name + "\"";
}

struct World::Impl {
  Impl(std::span<const Scene* const> scenes, const WorldOptions& options);
  Impl(const snapshot::Image& image, const WorldOptions& options);

  template <class Array>
  auto read(const Array& array, std::size_t n) const {
    return exec::read(memory, array, n);
  }

  /// Calls f(slot) for every living body: world by world, by id.
  template <class F>
  void each_body(std::uint32_t world, F f) const {
    for (const std::uint32_t at : worlds[world].body_slots) {
      if (slots[at].alive) f(at);
    }
  }
  template <class F>
  void each_body(F f) const {
    for (std::uint32_t w = 0; w < worlds.size(); ++w) each_body(w, f);
  }

  /// Range of slots of the bodies; a world's range may contain slots of other worlds.
  IndexRange all_slots() const { return {0, slots.size()}; }
  IndexRange slots_of(std::uint32_t world) const;

  // call.h
  class Call;
  template <class F>
  auto call(F f) -> decltype(f());
  void catch_up();         ///< does overdue work; if memory runs out it throws, and the work stays due
  void try_to_catch_up();  ///< the same, but doesn't throw
  /// Counts and flags that calls change; restored if a call fails.
  auto tallies() {
    return std::tie(living, shape_slots, living_shapes, living_planes, next_triangle, starts_known, parts_known,
                    grains_known, frames_known, material_rows_known, scales.due, log_due, stage_ms, stage_hash);
  }
  /// Launches kernels: they see all writes of the call, so nothing may fail after the last launch.
  exec::Backend& launch() {
    memory.flush();
    return *backend;
  }
  /// Marks a result derived from the host's data as known, and as written to the device.
  void has(bool& known) {
    memory.flush();
    known = true;
  }

  // stepping.cpp
  void step(float dt);
  void synchronise();
  void take(const Job& job);
  void make_room(const kernels::StepState& now);
  void clear_overflow();
  void enqueue(const StepJob& job);
  void enqueue(const ResetJob& job);
  void enqueue(const ScaleJob& job);
  StepContext context(float dt, bool of_step = false);  ///< `of_step`: a step is taken with it
  void set_parts();
  void set_masses();
  void forget_orders();         ///< of all features
  void check_solver(float dt);  ///< throws if it can't take a step of that length, or lacks a feature in use
  /// Parity of the next step's pair table; the other one has the last step's contacts.
  std::uint32_t next_parity() const { return options.capturable ? 0u : static_cast<std::uint32_t>(steps & 1u); }
  bool capturing();             ///< the user captures the stream; throws unless that is allowed now
  void capture_step(float dt);  ///< a step in the user's graph
  void follow_device();         ///< updates the host after steps in graphs

  // reset.cpp
  /// Keeps a mask of worlds on the device until the jobs enqueued so far are done; returns its index in Arrays::masks.
  std::uint32_t keep_mask(std::span<const std::uint8_t> chosen);
  void reset(std::span<const std::uint8_t> chosen, bool contacts_alone);
  void upload_starts();

  // exchange.cpp
  bool settle();  ///< waits for steps that may be repeated; true if the user captures the stream
  void upload_frames();
  void upload_material_rows();
  /// Arrays as rows, checked; `write`: they are written to.
  template <class Columns, class Arrays, class Width>
  ExchangeContext exchange_of(const Arrays& arrays, std::uint32_t rows, bool write, const Width& width) const;
  ExchangeContext exchange_of(const StateArrays& arrays, bool write) const;
  ExchangeContext exchange_of(const ArticulationArrays& arrays, bool write) const;
  ExchangeContext exchange_of(const ArticulationJointArrays& arrays, bool write) const;
  ExchangeContext exchange_of(const JointArrays& arrays, bool write) const;
  ExchangeContext exchange_of(const MaterialArrays& arrays, bool write) const;
  /// The whole of a call by arrays.
  template <class Arrays>
  void exchange(ExchangeContext::What what, const Arrays& arrays, const std::uint8_t* mask, double dt = 0);
  void exchange(const ExchangeContext& what);

  void check_mask(const char* call, std::span<const std::uint8_t> chosen) const;

  // add.cpp
  void make_room_for(std::span<const Addition> additions);
  void add_bodies(std::span<const Addition> additions, std::vector<BodyHandle>* handles);
  /// Adds bodies of one world, some pairs of which (by index) ignore each other. Returns their slots.
  std::vector<std::uint32_t> add_group(std::uint32_t world, std::span<const Body> bodies,
                                       std::span<const BodyPair> ignored);
  /// Throws InvalidArgument, naming the body, unless all of them may be added to the world.
  void check_group(const char* call, std::span<const Body> bodies, std::uint32_t world);
  struct Adding;
  /// Throws CapacityError if there can't be so many, or if the user's fixed capacity is too small.
  void check_fixed(const char* what, std::uint32_t fixed, std::size_t needed) const;

  // bodies.cpp
  std::uint32_t slot_of(BodyHandle handle) const;        ///< throws if stale
  const WorldSlot& world_at(std::uint32_t world) const;  ///< throws if there is none

  // edit.cpp
  void remove_body(std::uint32_t slot);
  void refuse_taken(std::span<const Body> bodies, std::uint32_t world) const;
  /// Updates bodies of one world whose description changed, with their former states.
  void rebuild(std::span<const std::uint32_t> at, std::span<const BodyState> states);
  void upload(std::uint32_t first, std::span<const BodyRecord> records);
  void upload_shapes(std::uint32_t slot);
  /// Writes get(record) of each: `get` is a function, or points to a member.
  template <class T, class F>
  void put_each(T* field, std::span<const BodyRecord> records, F get) {
    std::vector<T> values;
    values.reserve(records.size());
    for (const BodyRecord& r : records) values.push_back(std::invoke(get, r));
    memory.put(field, values);
  }
  /// Calls put(array, member of BodyRecord) for poses and velocities of a table that has them.
  template <class View, class F>
  static void put_motions(const View& to, const F& put) {
    put(to.x, &BodyRecord::x);
    put(to.x_low, &BodyRecord::x_low);
    put(to.q, &BodyRecord::q);
    put(to.v, &BodyRecord::v);
    put(to.w, &BodyRecord::w);
  }
  /// The device's form of a shape in a slot.
  kernels::ShapeGeometry geometry(const Shape& part, const BodySlot& owner, std::uint32_t shape) const;
  void upload_shape_counts(std::uint32_t first, std::uint32_t count);  ///< of these worlds

  // enable.cpp
  /// Throws InvalidArgument if it can't be switched: a link, or a particle of a set.
  void check_switched(const char* call, std::uint32_t slot) const;
  void set_enabled(std::uint32_t slot, bool enabled);
  /// Updates things that depend on whether the body is enabled, after its description changed.
  void forget_enabled(std::uint32_t slot);
  void clear_readings(std::uint32_t at);  ///< after that: its readings

  // surfaces.cpp
  /// Gives a surface numbers that nothing had before.
  void number_surface(std::uint32_t shape, std::uint32_t triangles);
  const SurfaceSlot& surface_of(std::uint32_t shape) const;
  SurfaceNumbers surface_numbers() const;  ///< of all worlds
  /// False for the key of a pair or touch of the last step whose surface was removed since.
  bool has_surface_of(std::uint64_t key) const;
  void upload_planes();    ///< of all worlds, except those of disabled bodies
  void upload_surfaces();  ///< of all worlds; the memory must exist
  void remove_planes(WorldSlot& world, std::span<const std::uint32_t> shapes);
  void remove_surfaces(std::span<const std::uint32_t> shapes);

  // grains.cpp
  void check_grains(float dt);  ///< throws InvalidArgument if hertz_mindlin can't take a step of that length

  // materials.cpp
  void upload_materials();                             ///< of all worlds
  std::vector<std::uint32_t> material_owners() const;  ///< [1] (materials) worlds
  void add_material(WorldSlot& world, const Material& material);
  /// Materials were written on the device, or will be by a graph: `pull_materials` copies them into descriptions. Call
  /// it before these are read or changed.
  void materials_written(const MaterialArrays& from);
  void pull_materials();
  /// Body slots of a world whose mass depends on the density of one of its materials.
  std::vector<std::uint32_t> bodies_with_mass_by(const WorldSlot& world, std::uint32_t material) const;

  // wake.cpp
  void index_contacts();
  void wake_touched(std::uint32_t slot, bool drop);  ///< and bodies that it touches; `drop`: also ends the contacts
  void drop_all_contacts();
  void wake(std::span<const std::uint32_t> touched);  ///< slots, with the islands that they sleep in
  void wake(std::uint32_t slot) { wake({&slot, 1}); }
  void clear_flag(kernels::BodyFlag flag);  ///< of all bodies
  void sleep_again();                       ///< bodies woken by a discarded step
  void wake_all();                          ///< of all worlds
  void wake_all(std::uint32_t world);       ///< of one

  // readback.cpp
  std::vector<WorldReport> reports(std::uint32_t first, std::uint32_t count);

  // state.cpp
  struct Motions;
  struct FreeStates;
  BodyState state_at(std::uint32_t slot);  ///< waits
  void upload_states(IndexRange range, std::span<const std::uint32_t> at, std::span<const BodyState> states);
  void check_state(std::uint32_t slot, const BodyState& state);
  void check_span(const char* call, std::size_t size, std::uint32_t bodies) const;

  // forces.cpp
  void add_load(std::uint32_t slot, Vec3 force, Vec3 torque);
  /// [m] Of a point of the world, from the body's centre of mass.
  Vec3d arm_of(std::uint32_t slot, const BodyState& state, Vec3d point);
  /// The body of an impulse. Throws InvalidArgument unless it can take one.
  const BodySlot& check_pushed(BodyHandle body, const char* call, Vec3 impulse) const;

  // hash.cpp
  std::vector<std::uint64_t> state_hashes();
  std::uint64_t state_hash();
  std::vector<std::uint32_t> body_hashes();  ///< world by world

  // src/queries
  /// Rays or shapes, in the device's form. Adds hulls to a store.
  template <class Asked>
  std::vector<kernels::Query> to_device(kernels::QueryKind kind, std::span<const Asked> asked,
                                        SolidStore& solids) const;
  /// Builds the tree if it isn't up to date, or if `rebuilds`.
  QueryContext query_tree(kernels::QueryKind kind, const SolidStore& asked, bool rebuilds);
  QueryContext ask(kernels::QueryKind kind, std::span<const kernels::Query> asked, const SolidStore& solids);
  template <class Asked>
  std::vector<QueryHit> first_hits(kernels::QueryKind kind, std::span<const Asked> given);
  template <class Asked>
  QueryHits all_hits(kernels::QueryKind kind, std::span<const Asked> given);
  /// The store for the hull of a call by arrays, after the steps before it are over.
  SolidStore& kept_solids(const Geometry& geometry, bool captures);
  template <class Asked>
  void query_rows(kernels::QueryKind kind, const QueryArrays& from, const HitArrays& to, const Asked& like);

  // src/snapshot
  snapshot::Image image_of(std::uint32_t first, std::uint32_t count);  ///< of worlds
  void restore(const snapshot::Image& image);                          ///< takes the image's state
  /// Chosen worlds take the state of world `from` of an image.
  void restore(const snapshot::Image& image, std::uint32_t from, std::span<const std::uint8_t> chosen);

  // src/recording
  template <auto kFunction, class... Arguments>
  void note(const Arguments&... arguments);
  void note_call(std::size_t place, void* call);  ///< moves a call to the log; `place`: its index in recording::Command
  void note_state();                              ///< for a call whose arguments can't be recorded
  void note_step(float dt);
  void complete_log();  ///< adds the hash of the state after the last command

  WorldOptions options;
  StepParams params;  ///< only the shared ones are used
  std::unique_ptr<exec::Backend> backend;
  mutable exec::Journal memory;
  std::vector<WorldSlot> worlds;
  std::vector<kernels::ContactMaterial> materials;  ///< of all worlds
  bool materials_newer{false};                      ///< those on the device are, or may be
  /// What some material on the device may do, though none of `materials` does.
  struct MayDo {
    bool bounce{false}, resist_rolling{false}, move{false};
  } may_do;

  std::vector<BodySlot> slots;
  std::uint32_t living{0}, shape_slots{0}, living_shapes{0}, living_planes{0};

  std::vector<SurfaceSlot> surfaces;                     ///< by their numbers
  std::uint64_t next_triangle{kernels::kFirstTriangle};  ///< [1] next free number

  Arrays arrays;
  std::vector<Feature*> features;  ///< all of them, in order
#define CAIRN_MEMBER(Type, name) Type name{*this};
  CAIRN_FEATURES(CAIRN_MEMBER)
#undef CAIRN_MEMBER
  QueryStore query_store;
  Queries queries{*this};
  DeviceArrays device_arrays{*this};
  WorldArticulations world_articulations{*this};
  WorldParticles world_particles{*this};
  WorldScales world_scales{*this};
  bool brute_queries{false};
  bool starts_known{false};                  ///< `arrays` has the starts
  bool parts_known{false};                   ///< `arrays` has the parts
  bool grains_known{false};                  ///< all moving bodies are of elastic spheres, and `rayleigh` is valid
  float rayleigh{0};                         ///< [s] shortest Rayleigh time
  std::string rayleigh_of;                   ///< its body
  std::vector<std::uint32_t> part_of_world;  ///< [1] (worlds) as of set_parts
  bool frames_known{false};                  ///< `arrays` has the frames
  bool material_rows_known{false};           ///< `arrays` has the rows of materials
  std::uint64_t frames_made{0};              ///< [1] times that the frames were made: slots may differ since
  bool captured{false};                      ///< a user's graph holds their addresses: they must not move
  bool masses_known{false};                  ///< `masses` is valid
  MassRanges masses;

  std::uint64_t steps{0};           ///< taken at the last synchronise, plus those enqueued since
  std::vector<PendingJob> pending;  ///< enqueued since
  std::uint32_t pending_masks{0};   ///< [1] of Arrays::masks in use by them
  double time{0};                   ///< [s]
  float last_h{0};                  ///< [s] substep of the last step
  std::uint32_t status{0};
  HighWater high_water;  ///< of bodies and shapes; the rest is in StepState
  std::array<double, kStageCount> stage_ms{};
  std::array<std::uint64_t, kStageCount> stage_hash{};
  std::vector<recording::Mark> marks;   ///< of the last step, if traced
  std::shared_ptr<recording::Log> log;  ///< null unless recording
  bool log_due{false};                  ///< complete_log
  bool in_call{false};                  ///< call.h

  // shapes to pairs of the last step, made when contacts are dropped
  std::uint64_t index_step{~std::uint64_t{0}};
  std::vector<std::uint32_t> index_begin, index_pair;
  std::vector<std::uint64_t> index_key;
};

/// Measures and hashes stages (trace.cpp).
class StageObserver final : public exec::StepObserver {
 public:
  StageObserver(World::Impl& world, const StepContext& context);
  void after(Stage stage) override;

 private:
  World::Impl& world_;
  const StepContext& context_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace cairn

#include "src/world/call.h"  // IWYU pragma: export
