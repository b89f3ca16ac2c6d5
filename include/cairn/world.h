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
  bool contact_events{false};  ///< record contact events: contact_events, and arrays on the device
  bool trace{false};           ///< hash the output of each stage, for parity tests and replay; slow

  /// For CUDA devices: a cudaStream_t for all work, in the order of the calls. It must outlive the World. Null makes
  /// one; pass cudaStreamLegacy, which is (void*)1, for the default stream.
  void* stream{nullptr};

  /// Lets `step` be captured in a CUDA graph while `stream` is being captured (docs/interop.md). Changes no bit, and
  /// costs a copy of the contacts a step.
  bool capturable{false};
};

template <Same<WorldOptions> S>
inline constexpr TypedList kAttributes<S>{
    attribute<&S::device>({.meaning = "or its name: cpu, cuda, cuda:1, best"}),
    attribute<&S::capacity>({}),
    attribute<&S::tuning>({.meaning = "changes times, never results"}),
    attribute<&S::timings>({.meaning = "measure each stage"}),
    attribute<&S::contact_events>({.meaning = "keep who touches whom"}),
    attribute<&S::trace>({.meaning = "hash what each stage writes; slow"}),
    attribute<&S::stream>({.meaning = "a cudaStream_t as a number; 0 makes one"}),
    attribute<&S::capturable>({.meaning = "lets step be captured in a CUDA graph"})};

/// Bytes that a World of so many copies of a scene will hold in its first step (World::memory_bytes), computed without
/// allocating them. If shapes are near more than 4 others each, or touch more than 3, it grows past that; sorting and
/// growing take memory for a while, too. Throws InvalidArgument where World::copies would.
std::uint64_t estimate_memory(const Scene& scene, std::uint32_t worlds = 1, const WorldOptions& options = {});

/// A sentence for each group of constraints of a scene's particles that is softer than its law with its sweeps and
/// substeps: the law, the stiffness reached, and a remedy (docs/particles.md, Sweeps). Empty if there are none.
std::vector<std::string> constraint_warnings(const Scene& scene);

/// A simulation on one device: one world, or a batch of worlds that are stepped together and never interact. World k of
/// a batch and the same world alone give the same bits. The worlds share most of StepParams (set_params); each has its
/// own gravity, materials and bodies, and its own body slots and material indices. Calls without a world's index apply
/// to all worlds, world by world; a default index is the first world.
///
/// Not thread-safe: one thread at a time may call into a World; different Worlds are independent. `step` enqueues;
/// calls that read synchronise. A call throws CapacityError if memory of the device or host runs out, and has then
/// changed nothing (docs/batches.md). Every call with a handle, except `alive`, throws InvalidArgument if it is stale,
/// and every call with a world's index if there is no such world.
class World {
 public:
  explicit World(const Scene& scene, const WorldOptions& options = {});
  /// A world for each scene, 1 to 65535. Throws InvalidArgument if their shared StepParams differ.
  explicit World(std::span<const Scene> scenes, const WorldOptions& options = {});
  /// `count` worlds of one scene.
  static World copies(const Scene& scene, std::uint32_t count, const WorldOptions& options = {});
  /// A World in the snapshot's state, on any device.
  explicit World(const Snapshot& snapshot, const WorldOptions& options = {});
  /// `count` worlds, each that world of a snapshot.
  static World copies(const Snapshot& snapshot, std::uint32_t count, const WorldOptions& options = {},
                      std::uint32_t world = 0);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Advances by dt seconds, or by params().dt. Throws CapacityError, with the state as it was, if memory runs out.
  void step();
  void step(float dt);

  /// Returns worlds to their start: bodies to the poses and velocities that they were added with; forces, contacts,
  /// sleep, clock and WorldReport are cleared. Other properties of bodies stay as they are now, `enabled` too. A world
  /// that is reset continues like a new one, bit for bit; the others are unaffected. Enqueued, like a step.
  void reset();
  void reset(std::uint32_t world);
  void reset(std::span<const std::uint8_t> chosen);  ///< (worlds) worlds whose entry isn't 0

  /// All that the next step depends on, of all worlds or of one. Waits for the steps enqueued so far.
  Snapshot snapshot() const;
  Snapshot snapshot(std::uint32_t world) const;
  /// Takes the snapshot's state, handles included: handles of that time are valid again, and later ones are void.
  /// Options stay. Residuals are zeros until the next step. Throws CapacityError, with the state as it was, if memory
  /// runs out.
  void restore(const Snapshot& snapshot);
  /// Gives worlds the state of world `from` of the snapshot; the others are unaffected. Body `i` of a world has the
  /// slot of body `i` there before, or a new one. Throws InvalidArgument if shared StepParams differ, or if the last
  /// step had substeps of another length, since contacts start from its impulses.
  void restore(const Snapshot& snapshot, std::uint32_t from, std::uint32_t into);
  void restore(const Snapshot& snapshot, std::uint32_t from,
               std::span<const std::uint8_t> chosen);  ///< (worlds) worlds whose entry isn't 0

  /// Records every call from now on that changes the World, and the hash of the state after each step; with
  /// WorldOptions::trace also hashes of each stage's output and of each body. Discards a recording in progress. Throws
  /// InvalidArgument once a step has been captured in a graph; none can be captured during a recording.
  void start_recording();
  /// Throws InvalidArgument if no recording is in progress.
  Recording stop_recording();

  const StepParams& params(std::uint32_t world = 0) const;
  void set_params(const StepParams& params);  ///< of all worlds
  /// Throws InvalidArgument if this changes parameters that all worlds share: all but restitution_threshold,
  /// recycle_tolerance, the three mix rules, sleep_speed and sleep_time.
  void set_params(const StepParams& params, std::uint32_t world);
  Vec3 gravity(std::uint32_t world = 0) const;
  void set_gravity(Vec3 gravity, std::uint32_t world = 0);
  const WorldLimits& limits(std::uint32_t world = 0) const;
  void set_limits(const WorldLimits& limits);  ///< of all worlds
  void set_limits(const WorldLimits& limits, std::uint32_t world);
  /// Force fields that act in every step of a world: those of its scene at first. Setting others wakes its bodies.
  /// Bodies are named by index (`index_of`); a removed body leaves the lists, with its springs. A sleeping body wakes
  /// with its island when the fields' force on it has changed by enough to bring it to StepParams::sleep_speed in
  /// sleep_time. Throws InvalidArgument as Scene::add_field.
  const std::vector<SceneField>& fields(std::uint32_t world = 0) const;  ///< valid until they are set, a body
                                                                         ///< removed, or a snapshot restored
  void set_fields(const std::vector<SceneField>& fields, std::uint32_t world = 0);
  const Device& device() const;

  std::uint32_t world_count() const;
  std::uint32_t world_of(BodyHandle body) const;

  /// Bodies, in slot order: those of the scene in its order, then added ones. A body added after a removal takes the
  /// free slot.
  std::vector<BodyHandle> bodies() const;
  std::vector<BodyHandle> bodies(std::uint32_t world) const;
  /// The body of an index as joints of a world use it; the inverse of index_of. Throws InvalidArgument if there is
  /// none.
  BodyHandle body_at(std::uint32_t index, std::uint32_t world = 0) const;
  std::uint32_t body_count() const;
  std::uint32_t body_count(std::uint32_t world) const;
  bool alive(BodyHandle body) const;
  /// The first of the name in a world; empty if there is none. Each call searches the names: keep the handle.
  std::optional<BodyHandle> find_body(std::string_view name, std::uint32_t world = 0) const;
  /// As added, with later changes. Valid until a body is added or removed.
  const Body& description(BodyHandle body) const;

  BodyHandle add_body(const Body& body, std::uint32_t world = 0);
  void remove_body(BodyHandle body);
  /// Joints name bodies, and gears joints, by their indices in their world (`index_of`); those of a scene keep theirs.
  /// Adding, removing or driving a joint wakes its bodies. A joint is removed with either of its bodies, a gear with
  /// either of its joints. `avbd` doesn't support joints: it can't step a World that has some.
  JointHandle add_joint(const Joint& joint, std::uint32_t world = 0);
  void remove_joint(JointHandle joint);
  std::vector<JointHandle> joints(std::uint32_t world = 0) const;
  std::optional<JointHandle> find_joint(std::string_view name, std::uint32_t world = 0) const;
  bool alive(JointHandle joint) const;
  std::uint32_t index_of(JointHandle joint) const;
  std::uint32_t index_of(BodyHandle body) const;
  const Joint& description(JointHandle joint) const;  ///< valid until a joint is added, changed or removed
  JointState state(JointHandle joint) const;
  /// On a, then on b; for a gear, the anchors of its joints on the bodies that it turns.
  std::array<JointAnchor, 2> anchors(JointHandle joint) const;
  /// For the main axis of a joint (of a cylindrical joint its turn, of a wheel its axle), or for a given one. Throws
  /// InvalidArgument for an axis that is locked.
  void set_drive(JointHandle joint, const JointDrive& drive);
  void set_drive(JointHandle joint, JointDof dof, const JointDrive& drive);
  JointDrive drive(JointHandle joint, JointDof dof) const;  ///< throws InvalidArgument for an axis that the joint lacks
  /// Replaces a joint's description: frames, limits, drives, friction, softness, breaking, name. Its bodies wake; a
  /// broken joint stays broken. Throws InvalidArgument if the kind, the bodies, `collide` (see `ignore`), the joints of
  /// a gear or the axis that a gear follows change, and as add_joint.
  void set_joint(JointHandle joint, const Joint& description);

  /// Articulations: cairn/world_articulations.h adds, removes, finds and drives them. Their joints move the bodies of
  /// their links; of other calls only those for forces act on them. Calls that move, weigh or remove a single link
  /// throw InvalidArgument; calls for the states of all bodies, and random draws of positions, skip links. Joints may
  /// hold links and so close loops. `avbd`, `hertz_mindlin` and Jacobi sweeps don't support articulations.
  WorldArticulations& articulations();
  const WorldArticulations& articulations() const;
  bool alive(ArticulationHandle articulation) const;
  const Articulation& description(ArticulationHandle articulation) const;
  std::vector<BodyHandle> bodies(ArticulationHandle articulation) const;  ///< (links) null: it has no shapes
  ArticulationState state(ArticulationHandle articulation) const;
  /// Moves the bodies of its links. Throws InvalidArgument as Articulations::set_state.
  void set_state(ArticulationHandle articulation, const ArticulationState& state);

  /// Sets of particles: cairn/world_particles.h adds, removes, finds and reads them. Their particles are ordinary
  /// bodies, and calls that push, move or remove bodies apply to them; a constraint is removed with its particles.
  /// Scales of size of their world, and of its bodies, throw InvalidArgument.
  WorldParticles& particles();
  const WorldParticles& particles() const;
  bool alive(ParticlesHandle set) const;
  const ParticleSet& description(ParticlesHandle set) const;
  std::vector<BodyHandle> bodies(ParticlesHandle set) const;  ///< (particles) null: it was removed

  std::uint32_t add_material(const Material& material, std::uint32_t world = 0);
  void set_material(std::uint32_t index, const Material& material, std::uint32_t world = 0);
  const std::vector<Material>& materials(std::uint32_t world = 0) const;  ///< valid until a material is added

  /// Factors on sizes, masses and materials, and random draws of them (cairn/world_scales.h).
  WorldScales& scales();
  const WorldScales& scales() const;

  /// Place of a world when all are drawn together. States and contacts are relative to it; no bit depends on it.
  Vec3d origin(std::uint32_t world = 0) const;
  void set_origin(Vec3d origin, std::uint32_t world);

  BodyState state(BodyHandle body) const;
  void set_state(BodyHandle body, const BodyState& state);
  void set_pose(BodyHandle body, Vec3d position, Quat orientation);
  /// In m/s and rad/s. Throws InvalidArgument if they aren't finite, or if the body's surface would turn at over
  /// 1e5 m/s; a linear speed past the world's limits freezes it in the next step.
  void set_velocity(BodyHandle body, Vec3 linear, Vec3 angular);
  /// Gives a kinematic body the velocity that takes it to a pose in one step of `dt` [s]; it keeps that velocity until
  /// it gets another. Throws InvalidArgument for another type of body, and where set_velocity does.
  void move_to(BodyHandle body, Vec3d position, Quat orientation, float dt);
  /// Replaces a body's description: name, type, mass, inertia, damping, gravity_scale, bullet, fixed_rotation, enabled,
  /// user_data, color, materials and filters of its shapes. Pose and velocity stay, except for velocity that the new
  /// type or fixed_rotation doesn't allow; those of the description are ignored. The body wakes, and bodies that lay on
  /// it. Throws InvalidArgument if shapes, their places or their `sensor` change, for a link, and as add_body.
  void set_body(BodyHandle body, const Body& description);
  MassProperties mass_properties(BodyHandle body) const;       ///< in the body's frame, with its scales
  void set_mass(BodyHandle body, float mass);                  ///< inertia scales along
  void set_material(BodyHandle body, std::uint32_t material);  ///< of all its shapes; the mass stays
  void set_type(BodyHandle body, BodyType type);
  /// Disables a body, or enables it again. A disabled body keeps its handle, pose, velocities, description and joints,
  /// which can be read and set, and takes no part: nothing moves it, its contacts end, no query or sensor finds it, no
  /// field sees it, and its joints hold nothing. When enabled it continues from its present pose and velocities. Bodies
  /// that it touched or was joined to wake. If it has joints, or sets attached to it, all joints or sets are laid out
  /// again before the next step, and with fields in its world all fields. Throws InvalidArgument for a link, and for a
  /// particle of a set.
  void set_enabled(BodyHandle body, bool enabled);
  void set_filter(BodyHandle body, const Filter& filter);  ///< of all its shapes
  /// Makes two bodies of one world ignore each other from the next step on, or ends that. They then don't touch, for
  /// any filters, and their sensors don't see each other. Has no effect if it is so already. Ends when one is removed.
  void ignore(BodyHandle a, BodyHandle b, bool ignored = true);
  bool ignored(BodyHandle a, BodyHandle b) const;
  void wake(BodyHandle body);
  bool asleep(BodyHandle body) const;

  /// States of all bodies, in the order of bodies(). The span's size must be body_count(). States written to links are
  /// ignored: their joints place them.
  void read_states(std::span<BodyState> out) const;
  void write_states(std::span<const BodyState> in);
  void read_states(std::uint32_t world, std::span<BodyState> out) const;
  void write_states(std::uint32_t world, std::span<const BodyState> in);

  /// They hold for the next step, then are cleared; several add up.
  void add_force(BodyHandle body, Vec3 force);               ///< [N]   world, at the centre of mass
  void add_force(BodyHandle body, Vec3 force, Vec3d point);  ///< [N]   world, at a world point
  void add_torque(BodyHandle body, Vec3 torque);             ///< [N m] world
  /// Change the velocities of a dynamic body at once. Throw InvalidArgument for another type of body, for a link, and
  /// where set_velocity does.
  void add_impulse(BodyHandle body, Vec3 impulse);               ///< [N s]   world, at the centre of mass
  void add_impulse(BodyHandle body, Vec3 impulse, Vec3d point);  ///< [N s]   world, at a world point
  void add_angular_impulse(BodyHandle body, Vec3 impulse);       ///< [N m s] world

  /// Waits for the steps enqueued so far. Covers all worlds since they were made, resets or not; status bits stay until
  /// clear_status.
  StepReport report() const;
  WorldReport report(std::uint32_t world) const;
  std::vector<WorldReport> reports() const;  ///< of each world
  void clear_status();                       ///< of all worlds; frozen ones continue from their present state
  std::vector<Contact> contacts() const;

  /// Contacts that began, persist and ended in the last step. Throws InvalidArgument without
  /// WorldOptions::contact_events.
  ContactEvents contact_events() const;
  ContactEvents contact_events(std::uint32_t world) const;

  /// Residual of the contact laws in the last step, computed on the device by this call. Zeros before the first step.
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
  /// them are disabled. Equal on every device and thread count; for a batch, the hash of its worlds' hashes.
  std::uint64_t state_hash() const;
  std::vector<std::uint64_t> state_hashes() const;  ///< of each world

  /// Starts or stops measuring each stage, from the next step on (WorldOptions::timings). Changes no bit.
  void set_timings(bool on);

  /// Bytes that the World holds on its device.
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
