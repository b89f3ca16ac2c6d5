#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cairn/attributes.h"
#include "cairn/contact_events.h"
#include "cairn/device.h"
#include "cairn/params.h"
#include "cairn/random.h"
#include "cairn/recording.h"
#include "cairn/report.h"
#include "cairn/residual.h"
#include "cairn/scene.h"
#include "cairn/snapshot.h"

namespace cairn {

class DeviceArrays;
class Queries;
class WorldArticulations;
class WorldParticles;
class WorldScales;

struct WorldOptions {
  Device device{};
  Capacity capacity{};
  Tuning tuning{};
  bool timings{false};         ///< measure each stage (CUDA: synchronises after each)
  bool contact_events{false};  ///< keep who touches whom: contact_events, and arrays on the device
  bool trace{false};           ///< hash what each stage writes, for parity tests and replay; slow

  /// For CUDA devices: a cudaStream_t on which all is enqueued, in the order of the calls. It must outlive the World.
  /// Null makes one; the default stream is therefore given as cudaStreamLegacy, which is (void*)1.
  void* stream{nullptr};

  /// Lets `step` be captured in a CUDA graph while `stream` is (docs/interop.md). Changes no bit, and costs a copy of
  /// the contacts a step.
  bool capturable{false};
};

template <>
struct Attributes<WorldOptions> {
  template <class S = WorldOptions>
  static constexpr TypedList all{attribute<&S::device>({.meaning = "or its name: cpu, cuda, cuda:1, best"}),
                                 attribute<&S::capacity>({}),
                                 attribute<&S::tuning>({.meaning = "changes times, never results"}),
                                 attribute<&S::timings>({.meaning = "measure each stage"}),
                                 attribute<&S::contact_events>({.meaning = "keep who touches whom"}),
                                 attribute<&S::trace>({.meaning = "hash what each stage writes; slow"}),
                                 attribute<&S::stream>({.meaning = "a cudaStream_t as a number; 0 makes one"}),
                                 attribute<&S::capturable>({.meaning = "lets step be captured in a CUDA graph"})};
};

/// Bytes that a World of so many copies of a scene will hold in its first step (World::memory_bytes), found without
/// taking any. Where boxes overlap more than 4 others each it grows past that, and sorting takes scratch memory, too.
/// Throws InvalidArgument where World::copies would.
std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds = 1, const WorldOptions& options = {});

/// A sentence for each group of constraints of a scene's particles whose law can't be held at its sweeps and substeps:
/// what was asked for, what is held, and what would do (docs/particles.md, Sweeps). Empty where all are.
std::vector<std::string> constraint_warnings(const Scene& scene);

/// A simulation that lives on one device: one world, or a batch of worlds that are stepped together and never meet.
/// World k of a batch and the same world alone give the same bits. The worlds share most of StepParams (set_params);
/// gravity, materials and bodies are each one's own, as are body slots and material indices. Calls without a world's
/// index speak of all worlds, world by world; where it has a default, that is the first. Not thread-safe: one thread at
/// a time may call into a World; different Worlds are independent. `step` enqueues; whatever reads synchronises. A call
/// throws CapacityError where memory runs out, the device's or the host's, and then has changed nothing
/// (docs/batches.md). Every call that takes a handle, but `alive`, throws InvalidArgument if it is stale, and every
/// call that takes a world's index if there is no such world.
class World {
 public:
  explicit World(const Scene& scene, const WorldOptions& options = {});
  /// A world of each scene, 1 to 65535. Throws InvalidArgument where what they share of StepParams differs.
  explicit World(std::span<const Scene> scenes, const WorldOptions& options = {});
  /// As many of one scene.
  static World copies(const Scene& scene, std::uint32_t count, const WorldOptions& options = {});
  /// What the snapshot was taken of, on any device.
  explicit World(const Snapshot& snapshot, const WorldOptions& options = {});
  /// As many of one world of a snapshot.
  static World copies(const Snapshot& snapshot, std::uint32_t count, const WorldOptions& options = {},
                      std::uint32_t world = 0);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Advances by dt seconds, or by params().dt. Throws CapacityError, with the state as it was, if memory runs out.
  void step();
  void step(float dt);

  /// Worlds back to their start: bodies to the poses and velocities that they were added with, forces, contacts, sleep,
  /// clock and WorldReport to none. What bodies are made of stays as it is now, and so does whether they are enabled. A
  /// world that is reset goes on as a new one does, bit for bit, and the others don't notice. Enqueued, like a step.
  void reset();
  void reset(std::uint32_t world);
  void reset(std::span<const std::uint8_t> chosen);  ///< (worlds) those that aren't 0

  /// All that the next step depends on, of all worlds or of one. Waits for the steps enqueued so far.
  Snapshot snapshot() const;
  Snapshot snapshot(std::uint32_t world) const;
  /// Becomes what the snapshot was taken of, handles included: those that were good then are good again, and those that
  /// were given since mean nothing. Options stay. Residuals are zeros until the next step. Throws CapacityError, with
  /// the state as it was, if there is no room.
  void restore(const Snapshot& snapshot);
  /// Worlds become what world `from` of the snapshot was, and the others don't notice. Body `i` of a world has the
  /// slot of body `i` there before, or a new one. Throws InvalidArgument if StepParams differ, which worlds share, or
  /// if the last step had substeps of another length, since contacts start from its impulses.
  void restore(const Snapshot& snapshot, std::uint32_t from, std::uint32_t into);
  void restore(const Snapshot& snapshot, std::uint32_t from,
               std::span<const std::uint8_t> chosen);  ///< (worlds) those that aren't 0

  /// Notes from now on every call that changes the World, and the hash of the state after each step: with
  /// WorldOptions::trace also what each stage wrote and each body's own. A recording under way is thrown away. Throws
  /// InvalidArgument once a step has been captured in a graph; none can be while a recording is under way.
  void start_recording();
  /// Throws InvalidArgument if there is none under way.
  Recording stop_recording();

  const StepParams& params(std::uint32_t world = 0) const;
  void set_params(const StepParams& params);  ///< of all worlds
  /// Throws InvalidArgument where what all worlds share would be another: all but restitution_threshold,
  /// recycle_tolerance, the three mix rules, sleep_speed and sleep_time.
  void set_params(const StepParams& params, std::uint32_t world);
  Vec3 gravity(std::uint32_t world = 0) const;
  void set_gravity(Vec3 gravity, std::uint32_t world = 0);
  const WorldLimits& limits(std::uint32_t world = 0) const;
  void set_limits(const WorldLimits& limits);  ///< of all worlds
  void set_limits(const WorldLimits& limits, std::uint32_t world);
  /// Force fields that act in every step of a world: those of its scene at first, or others from now on, which wakes
  /// its bodies. Bodies by index (`index_of`); what is removed is taken off the lists, with the springs that it holds.
  /// A sleeping body wakes with its island when the fields' force on it has changed by enough to bring it to
  /// StepParams::sleep_speed in sleep_time. Throws InvalidArgument as Scene::add_field.
  const std::vector<SceneField>& fields(std::uint32_t world = 0) const;  ///< valid until they are set, a body
                                                                         ///< removed, or a snapshot restored
  void set_fields(const std::vector<SceneField>& fields, std::uint32_t world = 0);
  const Device& device() const;

  std::uint32_t world_count() const;
  std::uint32_t world_of(BodyHandle body) const;

  /// Bodies, in slot order: those of the scene in its order, then those added; a body added after one was removed takes
  /// its slot.
  std::vector<BodyHandle> bodies() const;
  std::vector<BodyHandle> bodies(std::uint32_t world) const;
  /// The body that joints of a world name by an index, of which index_of is the other way. Throws InvalidArgument if
  /// there is none.
  BodyHandle body_at(std::uint32_t index, std::uint32_t world = 0) const;
  std::uint32_t body_count() const;
  std::uint32_t body_count(std::uint32_t world) const;
  bool alive(BodyHandle body) const;
  /// The first of the name in a world; none where there is none. Each call goes through the names: keep the handle.
  std::optional<BodyHandle> find_body(std::string_view name, std::uint32_t world = 0) const;
  /// As added, with later changes. Valid until a body is added or removed.
  const Body& description(BodyHandle body) const;

  BodyHandle add_body(const Body& body, std::uint32_t world = 0);
  void remove_body(BodyHandle body);
  /// Joints name bodies, and gears joints, by the indices that these have in their world (`index_of`); those of a scene
  /// keep theirs. A joint's bodies wake when it comes, goes or is driven again. A joint goes with either of its bodies,
  /// a gear with what it follows. `avbd` has none: a World with joints can't be stepped by it.
  JointHandle add_joint(const Joint& joint, std::uint32_t world = 0);
  void remove_joint(JointHandle joint);
  std::vector<JointHandle> joints(std::uint32_t world = 0) const;
  std::optional<JointHandle> find_joint(std::string_view name, std::uint32_t world = 0) const;
  bool alive(JointHandle joint) const;
  std::uint32_t index_of(JointHandle joint) const;
  std::uint32_t index_of(BodyHandle body) const;
  const Joint& description(JointHandle joint) const;  ///< valid until a joint is added, changed or removed
  JointState state(JointHandle joint) const;
  /// On a, then on b; of a gear where the joints that it follows sit on the bodies that it turns.
  std::array<JointAnchor, 2> anchors(JointHandle joint) const;
  /// Of the axis that a joint has alone (of a cylindrical joint its turn, of a wheel its axle), or of one of them.
  /// Throws InvalidArgument for an axis that is locked.
  void set_drive(JointHandle joint, const JointDrive& drive);
  void set_drive(JointHandle joint, JointDof dof, const JointDrive& drive);
  JointDrive drive(JointHandle joint, JointDof dof) const;  ///< throws InvalidArgument for an axis that it hasn't
  /// Replaces a joint's description: frames, limits, drives, friction, softness, breaking, name. Its bodies wake; a
  /// broken joint stays broken. Throws InvalidArgument if the kind, the bodies, `collide` (see `ignore`), the joints of
  /// a gear or the axis that a gear follows change, and as add_joint.
  void set_joint(JointHandle joint, const Joint& description);

  /// Articulations: what comes, goes, is found and driven is in cairn/world_articulations.h. Their joints move the
  /// bodies of their links, which other calls than those for forces don't: what moves, weighs or removes one by
  /// itself throws InvalidArgument; states of all bodies at once and what is drawn of where they are pass over them.
  /// Joints may hold links, and so close loops. `avbd`, `hertz_mindlin` and Jacobi sweeps have none.
  WorldArticulations& articulations();
  const WorldArticulations& articulations() const;
  bool alive(ArticulationHandle articulation) const;
  const Articulation& description(ArticulationHandle articulation) const;
  std::vector<BodyHandle> bodies(ArticulationHandle articulation) const;  ///< (links) null: it has no shapes
  ArticulationState state(ArticulationHandle articulation) const;
  /// Bodies of its links go along. Throws InvalidArgument as Articulations::set_state.
  void set_state(ArticulationHandle articulation, const ArticulationState& state);

  /// Sets of particles: what comes, goes, is found and read is in cairn/world_particles.h. Their particles are bodies
  /// as others are: what pushes, moves or removes bodies does so with them, and constraints go with the particles that
  /// they hold. Scales of size of their world, and of its bodies, throw InvalidArgument.
  WorldParticles& particles();
  const WorldParticles& particles() const;
  bool alive(ParticlesHandle set) const;
  const ParticleSet& description(ParticlesHandle set) const;
  std::vector<BodyHandle> bodies(ParticlesHandle set) const;  ///< (particles) null: it was removed

  std::uint32_t add_material(const Material& material, std::uint32_t world = 0);
  void set_material(std::uint32_t index, const Material& material, std::uint32_t world = 0);
  const std::vector<Material>& materials(std::uint32_t world = 0) const;  ///< valid until a material is added

  /// Sizes, masses and materials times so much, and draws of them (cairn/world_scales.h).
  WorldScales& scales();
  const WorldScales& scales() const;

  /// Where a world lies among the others when all are drawn. States and contacts are relative to it; no bit depends on
  /// it.
  Vec3d origin(std::uint32_t world = 0) const;
  void set_origin(Vec3d origin, std::uint32_t world);

  BodyState state(BodyHandle body) const;
  void set_state(BodyHandle body, const BodyState& state);
  void set_pose(BodyHandle body, Vec3d position, Quat orientation);
  /// In m/s and rad/s. Throws InvalidArgument if they aren't finite, or if the body's surface would turn at over
  /// 1e5 m/s; a linear speed past the world's limits freezes it in the next step.
  void set_velocity(BodyHandle body, Vec3 linear, Vec3 angular);
  /// Gives a kinematic body the velocity that takes it to a pose in one step of `dt` [s]; it goes on with that until it
  /// is given another. Throws InvalidArgument for another type of body and for what set_velocity refuses.
  void move_to(BodyHandle body, Vec3d position, Quat orientation, float dt);
  /// Replaces a body's description: name, type, mass, inertia, damping, gravity_scale, bullet, fixed_rotation, enabled,
  /// user_data, color, materials and filters of its shapes. Its pose stays, and so does its velocity, but for what the new
  /// type or fixed_rotation doesn't allow; what the description says of these is passed over. It wakes, and what lay on
  /// it. Throws InvalidArgument if shapes, their places or which of them are sensors change, for a link, and as
  /// add_body.
  void set_body(BodyHandle body, const Body& description);
  MassProperties mass_properties(BodyHandle body) const;       ///< in the body's frame, with its scales
  void set_mass(BodyHandle body, float mass);                  ///< inertia scales along
  void set_material(BodyHandle body, std::uint32_t material);  ///< of all its shapes; the mass stays
  void set_type(BodyHandle body, BodyType type);
  /// Switches a body off, or on again. Off it keeps its handle, pose, velocities, description and joints, which can be
  /// asked for and set, and takes no part: nothing moves it, its contacts end, no query or sensor finds it, no field
  /// sees it, and its joints hold nothing. On it goes on from where it then is, with the velocities that it then has,
  /// which are those that it had unless they were set. What it touched or was joined to wakes. Where it has joints, or
  /// sets hold to it, all of their kind are laid out again before the next step, and with fields in its world all
  /// fields. Throws InvalidArgument for a link, and for a particle of a set.
  void set_enabled(BodyHandle body, bool enabled);
  void set_filter(BodyHandle body, const Filter& filter);  ///< of all its shapes
  /// Two bodies of one world ignore each other from the next step on, or no more: whatever their filters say they don't
  /// touch, and their sensors don't see each other. Nothing changes where it is so already. Ends when one is removed.
  void ignore(BodyHandle a, BodyHandle b, bool ignored = true);
  bool ignored(BodyHandle a, BodyHandle b) const;
  void wake(BodyHandle body);
  bool asleep(BodyHandle body) const;

  /// States of all bodies, in the order of bodies(). The span's size must be body_count(). What is written of links is
  /// passed over: they are where their joints say.
  void read_states(std::span<BodyState> out) const;
  void write_states(std::span<const BodyState> in);
  void read_states(std::uint32_t world, std::span<BodyState> out) const;
  void write_states(std::uint32_t world, std::span<const BodyState> in);

  /// Hold for the next step, then are cleared; several add up.
  void add_force(BodyHandle body, Vec3 force);               ///< [N]   world, at the centre of mass
  void add_force(BodyHandle body, Vec3 force, Vec3d point);  ///< [N]   world, at a world point
  void add_torque(BodyHandle body, Vec3 torque);             ///< [N m] world
  /// Change the velocities of a dynamic body at once. Throw InvalidArgument for another type of body, for a link, and
  /// for what set_velocity refuses.
  void add_impulse(BodyHandle body, Vec3 impulse);               ///< [N s]   world, at the centre of mass
  void add_impulse(BodyHandle body, Vec3 impulse, Vec3d point);  ///< [N s]   world, at a world point
  void add_angular_impulse(BodyHandle body, Vec3 impulse);       ///< [N m s] world

  /// Waits for the steps enqueued so far. What concerns all worlds since they were made, resets or not; its status bits
  /// stay until clear_status.
  StepReport report() const;
  WorldReport report(std::uint32_t world) const;
  std::vector<WorldReport> reports() const;  ///< of each world
  void clear_status();                       ///< of all worlds; those that are frozen go on from where they are
  std::vector<Contact> contacts() const;

  /// What began to touch, touches still and no longer does in the last step. Throws InvalidArgument without
  /// WorldOptions::contact_events.
  ContactEvents contact_events() const;
  ContactEvents contact_events(std::uint32_t world) const;

  /// How far the last step is from the laws of contact, found on the device when asked for. Zeros before the first
  /// step.
  ContactResidual residual() const;
  ContactResidual residual(std::uint32_t world) const;
  std::vector<ContactResidual> residuals() const;  ///< of each world

  /// Rays, casts, overlaps and nearest points (cairn/queries.h).
  Queries& queries();
  const Queries& queries() const;

  /// The World's own arrays on its device, and calls by arrays there (cairn/device_arrays.h).
  DeviceArrays& arrays();
  const DeviceArrays& arrays() const;

  /// Waits for the steps enqueued so far. Throws CapacityError if one of them could not be taken, in a graph too.
  void wait() const;

  /// Hash (XXH3, 64 bit) of every living body's slot in its world, pose and velocities, bit for bit, and of which of
  /// them are switched off. Equal on every device and thread count; of a batch, the hash of its worlds' hashes.
  std::uint64_t state_hash() const;
  std::vector<std::uint64_t> state_hashes() const;  ///< of each world

  /// Measures each stage from the next step on, or no more (WorldOptions::timings). Changes no bit.
  void set_timings(bool on);

  /// Bytes that the world holds on its device.
  std::uint64_t memory_bytes() const;

 private:
  friend class BodyFields;
  friend class DeviceArrays;
  friend class Queries;
  friend class Sensors;
  friend class StageObserver;
  friend class Feature;
  friend class WorldArticulations;
  friend class WorldParticles;
  friend class WorldScales;
  struct Impl;
  explicit World(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace cairn
