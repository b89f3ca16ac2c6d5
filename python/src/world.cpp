// World.

#include "python/src/world.h"

#include <chrono>

#include "python/src/topics.h"

namespace cairn::python {

nb::object arrays_of(nb::object world);
nb::object queries_of(nb::object world);

namespace {

using W = World;
constexpr Kind kEdit = Kind::kEdit;
constexpr Kind kLong = Kind::kLong;
constexpr Kind kLongEdit = Kind::kLongEdit;
using Bytes = std::span<const std::uint8_t>;

/// None: of all worlds.
std::optional<std::uint32_t> world_from(nb::handle from) {
  return to_cpp<std::optional<std::uint32_t>>(from, {.name = "world"});
}

void bind_making(Class<PyWorld>& c) {
  const auto options = nb::arg("options").none() = nb::none();
  c.def(
       "__init__",
       [](PyWorld* self, const Scene& scene, Given<WorldOptions> o) {
         const WorldOptions read = o.get_or_default("options");
         new (self) PyWorld(read, [&, own = scene] { return World(own, read); });
       },
       nb::arg("scene"), options,
       "Of a scene. Raises MemoryError where there is no room, RuntimeError without the device.")
      .def(
          "__init__",
          [](PyWorld* self, const Snapshot& snapshot, Given<WorldOptions> o) {
            const WorldOptions read = o.get_or_default("options");
            new (self) PyWorld(read, [&, own = snapshot] { return World(own, read); });
          },
          nb::arg("snapshot"), options, "What the snapshot was taken of, on any device.")
      .def(
          "__init__",
          [](PyWorld* self, nb::handle scenes, Given<WorldOptions> o) {
            const Place place{.name = "scenes"};
            const nb::list list(items(scenes, place, "a Scene, a Snapshot or a list of Scenes"));
            const WorldOptions read = o.get_or_default("options");
            std::vector<Scene> all;
            for (const nb::handle s : list) {
              const auto at = static_cast<std::ptrdiff_t>(all.size());
              if (!nb::isinstance<Scene>(s)) refuse(place.element(at), "Scene", s);
              all.push_back(nb::cast<const Scene&>(s));
            }
            new (self) PyWorld(read, [&] { return World(std::span<const Scene>(all), read); });
          },
          nb::arg("scenes"), options,
          nb::sig("def __init__(self, scenes: collections.abc.Iterable[Scene], options: cairn._structs.WorldOptions | "
                  "None = None) -> None"),
          "A world of each scene, 1 to 65535.")
      .def_static(
          "copies",
          [](const Scene& scene, std::uint32_t count, Given<WorldOptions> o) {
            const WorldOptions read = o.get_or_default("options");
            return std::make_unique<PyWorld>(read, [&, own = scene] { return World::copies(own, count, read); });
          },
          nb::arg("scene"), nb::arg("count"), options, "As many worlds of one scene.")
      .def_static(
          "copies",
          [](const Snapshot& snapshot, std::uint32_t count, Given<WorldOptions> o, std::uint32_t world) {
            const WorldOptions read = o.get_or_default("options");
            return std::make_unique<PyWorld>(read,
                                             [&, own = snapshot] { return World::copies(own, count, read, world); });
          },
          nb::arg("snapshot"), nb::arg("count"), options, nb::arg("world") = 0, "As many of one world of a snapshot.")
      .def("close", &PyWorld::close,
           "Ends it and frees its memory, but for what arrays still show. Every later call raises.")
      .def_prop_ro("closed", &PyWorld::closed)
      .def(
          "__enter__", [](nb::handle self) { return nb::object(nb::borrow(self)); },
          nb::sig("def __enter__(self) -> World"))
      .def(
          "__exit__", [](PyWorld& self, nb::args) { self.close(); },
          nb::sig("def __exit__(self, *args: object) -> None"))
      .def("__repr__", [](const PyWorld& self) -> std::string {
        if (self.closed()) return "<cairn.World, closed>";
        const World& w = self.use();
        return "<cairn.World of " + std::to_string(w.world_count()) + " worlds, " + std::to_string(w.body_count()) +
               " bodies on " + w.device().name() + ">";
      });
}

/// Steps without the interpreter's lock, which is taken now and then to see whether the program is to be interrupted.
void step_often(const PyWorld& world, std::uint32_t count, std::optional<float> dt) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kBetween{100};
  world.run([&](World& w) {
    auto last = Clock::now();
    for (std::uint32_t i = 0; i < count; ++i) {
      dt ? w.step(*dt) : w.step();
      if (Clock::now() - last < kBetween) continue;
      const nb::gil_scoped_acquire taken;
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      last = Clock::now();
    }
  });
}

void bind_stepping(Class<PyWorld>& c) {
  c.def("step", call<kLong>(static_cast<void (W::*)()>(&W::step)),
        "Advances by params().dt. Raises MemoryError, with the state as it was, if memory runs out.")
      .def(
          "step",
          [](const PyWorld& self, Given<std::uint32_t> nstep, nb::handle dt) {
            const std::uint32_t count = nstep.get("nstep");
            step_often(self, count, to_cpp<std::optional<float>>(dt, {.name = "dt"}));
          },
          nb::arg("nstep"), nb::arg("dt").none() = nb::none(),
          nb::sig("def step(self, nstep: int, dt: float | None = None) -> None"),
          "So many steps, in one call: a whole number is a count, and a float without a name is dt.")
      .def("step", call<kLong>(static_cast<void (W::*)(float)>(&W::step)), nb::arg("dt"), "Advances by dt [s].")
      .def("wait", call<kLong>(&W::wait), "Waits for the steps enqueued so far.")
      .def("reset", call<kLong>(static_cast<void (W::*)()>(&W::reset)), "All worlds back to their start.")
      .def("reset", call<kLong>(static_cast<void (W::*)(std::uint32_t)>(&W::reset)), nb::arg("world"), "One of them.")
      .def("reset", call<kLong>(static_cast<void (W::*)(Bytes)>(&W::reset)), nb::arg("chosen"),
           "(worlds) Those that aren't 0.")
      .def("snapshot", call<kLong>(static_cast<Snapshot (W::*)() const>(&W::snapshot)))
      .def("snapshot", call<kLong>(static_cast<Snapshot (W::*)(std::uint32_t) const>(&W::snapshot)), nb::arg("world"),
           "Of one world.")
      .def("restore", call<kLongEdit>(static_cast<void (W::*)(const Snapshot&)>(&W::restore)), nb::arg("snapshot"),
           "Becomes what the snapshot was taken of, handles included.")
      .def("restore",
           call<kLongEdit>(static_cast<void (W::*)(const Snapshot&, std::uint32_t, std::uint32_t)>(&W::restore)),
           nb::arg("snapshot"), nb::arg("from_"), nb::arg("into"), "One world becomes what another was.")
      .def("restore", call<kLongEdit>(static_cast<void (W::*)(const Snapshot&, std::uint32_t, Bytes)>(&W::restore)),
           nb::arg("snapshot"), nb::arg("from_"), nb::arg("chosen"), "(worlds) Those that aren't 0.")
      .def("start_recording", call(&W::start_recording), "Notes from now on every call that changes the World.")
      .def("stop_recording", call(&W::stop_recording))
      .def("state_hash", call<kLong>(&W::state_hash), "Equal on every device and for any number of threads.")
      .def("state_hashes", call<kLong>(&W::state_hashes), "Of each world.")
      .def("set_timings", call(&W::set_timings), nb::arg("on"), "Measures each stage from the next step on.")
      .def("memory_bytes", call(&W::memory_bytes), "[B] that it holds on its device.");
}

void bind_settings(Class<PyWorld>& c) {
  const auto world = nb::arg("world") = 0;
  c.def("params", call(&W::params), world, "A copy: set_params takes it back.")
      .def("set_params", call(static_cast<void (W::*)(const StepParams&)>(&W::set_params)), nb::arg("params"),
           "Of all worlds.")
      .def("set_params", call(static_cast<void (W::*)(const StepParams&, std::uint32_t)>(&W::set_params)),
           nb::arg("params"), nb::arg("world"), "Of one; what all share must stay.")
      .def("gravity", call(&W::gravity), world, "[m/s^2]")
      .def("set_gravity", call(&W::set_gravity), nb::arg("gravity"), world, "[m/s^2]")
      .def("limits", call(&W::limits), world, "A copy: set_limits takes it back.")
      .def("set_limits", call(static_cast<void (W::*)(const WorldLimits&)>(&W::set_limits)), nb::arg("limits"),
           "Of all worlds.")
      .def("set_limits", call(static_cast<void (W::*)(const WorldLimits&, std::uint32_t)>(&W::set_limits)),
           nb::arg("limits"), nb::arg("world"), "Of one.")
      .def("fields", call(&W::fields), world, "Copies: set_fields takes them back.")
      .def("set_fields", call(&W::set_fields), nb::arg("fields"), world, "Force fields that act in every step.")
      .def("device", call(&W::device))
      .def("world_count", call(&W::world_count))
      .def("world_of", call(&W::world_of), nb::arg("body"))
      .def("add_material", call<kEdit>(&W::add_material), nb::arg("material"), world, "Returns its index.")
      .def("set_material",
           call(static_cast<void (W::*)(std::uint32_t, const Material&, std::uint32_t)>(&W::set_material)),
           nb::arg("index"), nb::arg("material"), world)
      .def("set_material", call(static_cast<void (W::*)(BodyHandle, std::uint32_t)>(&W::set_material)), nb::arg("body"),
           nb::arg("material"), "Of all shapes of a body; its mass stays.")
      .def("materials", call(&W::materials), world, "Copies.")
      .def("origin", call(&W::origin), world, "[m] Where a world lies among the others when all are drawn.")
      .def("set_origin", call(&W::set_origin), nb::arg("origin"), nb::arg("world"), "[m]");
}

void bind_bodies(Class<PyWorld>& c) {
  const auto world = nb::arg("world") = 0;
  const auto body = nb::arg("body");
  c.def("bodies", call(static_cast<std::vector<BodyHandle> (W::*)() const>(&W::bodies)),
        "Of all worlds, in slot order.")
      .def("bodies", call(static_cast<std::vector<BodyHandle> (W::*)(std::uint32_t) const>(&W::bodies)),
           nb::arg("world"))
      .def("bodies", call(static_cast<std::vector<BodyHandle> (W::*)(ArticulationHandle) const>(&W::bodies)),
           nb::arg("articulation"), "(links) Null: the link has no shapes.")
      .def("bodies", call(static_cast<std::vector<BodyHandle> (W::*)(ParticlesHandle) const>(&W::bodies)),
           nb::arg("set"), "(particles) Null: it was removed.")
      .def("body_at", call(&W::body_at), nb::arg("index"), world, "The body that joints name by an index.")
      .def("body_count", call(static_cast<std::uint32_t (W::*)() const>(&W::body_count)))
      .def("body_count", call(static_cast<std::uint32_t (W::*)(std::uint32_t) const>(&W::body_count)), nb::arg("world"))
      .def("alive", call(static_cast<bool (W::*)(BodyHandle) const>(&W::alive)), body, "False of a stale handle.")
      .def("alive", call(static_cast<bool (W::*)(JointHandle) const>(&W::alive)), nb::arg("joint"))
      .def("alive", call(static_cast<bool (W::*)(ArticulationHandle) const>(&W::alive)), nb::arg("articulation"))
      .def("alive", call(static_cast<bool (W::*)(ParticlesHandle) const>(&W::alive)), nb::arg("set"))
      .def("find_body", call(&W::find_body), nb::arg("name"), world, "The first of the name, or None.")
      .def("description", call(static_cast<const Body& (W::*)(BodyHandle) const>(&W::description)), body,
           "As added, with later changes.")
      .def("description", call(static_cast<const Joint& (W::*)(JointHandle) const>(&W::description)), nb::arg("joint"))
      .def("description", call(static_cast<const Articulation& (W::*)(ArticulationHandle) const>(&W::description)),
           nb::arg("articulation"))
      .def("description", call(static_cast<const ParticleSet& (W::*)(ParticlesHandle) const>(&W::description)),
           nb::arg("set"))
      .def("add_body", call<kEdit>(&W::add_body), body, world, "Views of arrays end.")
      .def("remove_body", call<kEdit>(&W::remove_body), body, "Views of arrays end.")
      .def("state", call(static_cast<BodyState (W::*)(BodyHandle) const>(&W::state)), body)
      .def("state", call(static_cast<JointState (W::*)(JointHandle) const>(&W::state)), nb::arg("joint"))
      .def("state", call(static_cast<ArticulationState (W::*)(ArticulationHandle) const>(&W::state)),
           nb::arg("articulation"))
      .def("set_state", call(static_cast<void (W::*)(BodyHandle, const BodyState&)>(&W::set_state)), body,
           nb::arg("state"))
      .def("set_state", call(static_cast<void (W::*)(ArticulationHandle, const ArticulationState&)>(&W::set_state)),
           nb::arg("articulation"), nb::arg("state"))
      .def("set_pose", call(&W::set_pose), body, nb::arg("position"), nb::arg("orientation"))
      .def("set_velocity", call(&W::set_velocity), body, nb::arg("linear"), nb::arg("angular"), "[m/s], [rad/s]")
      .def("move_to", call(&W::move_to), body, nb::arg("position"), nb::arg("orientation"), nb::arg("dt"),
           "Gives a kinematic body the velocity that takes it to a pose in one step of dt [s].")
      .def("set_body", call<kEdit>(&W::set_body), body, nb::arg("description"), "Replaces a body's description.")
      .def("mass_properties", call(&W::mass_properties), body, "In the body's frame, with its scales.")
      .def("set_mass", call(&W::set_mass), body, nb::arg("mass"), "[kg] Inertia scales along.")
      .def("set_type", call(&W::set_type), body, nb::arg("type"))
      .def("set_enabled", call(&W::set_enabled), body, nb::arg("enabled"), "Switches a body off, or on again.")
      .def("set_filter", call(&W::set_filter), body, nb::arg("filter"), "Of all its shapes.")
      .def("ignore", call(&W::ignore), nb::arg("a"), nb::arg("b"), nb::arg("ignored") = true, "Two bodies don't touch.")
      .def("ignored", call(&W::ignored), nb::arg("a"), nb::arg("b"))
      .def("wake", call(&W::wake), body)
      .def("asleep", call(&W::asleep), body)
      .def("add_force", call(static_cast<void (W::*)(BodyHandle, Vec3)>(&W::add_force)), body, nb::arg("force"),
           "[N] World, at the centre of mass; for the next step.")
      .def("add_force", call(static_cast<void (W::*)(BodyHandle, Vec3, Vec3d)>(&W::add_force)), body, nb::arg("force"),
           nb::arg("point"), "[N] At a world point [m].")
      .def("add_torque", call(&W::add_torque), body, nb::arg("torque"), "[N m] World; for the next step.")
      .def("add_impulse", call(static_cast<void (W::*)(BodyHandle, Vec3)>(&W::add_impulse)), body, nb::arg("impulse"),
           "[N s]")
      .def("add_impulse", call(static_cast<void (W::*)(BodyHandle, Vec3, Vec3d)>(&W::add_impulse)), body,
           nb::arg("impulse"), nb::arg("point"), "[N s] At a world point [m].")
      .def("add_angular_impulse", call(&W::add_angular_impulse), body, nb::arg("impulse"), "[N m s]")
      .def(
          "read_states",
          [](PyWorld& self, nb::handle world) {
            const std::optional<std::uint32_t> k = world_from(world);
            return state_arrays(self.run([&](const World& w) {
              std::vector<BodyState> states(k ? w.body_count(*k) : w.body_count());
              k ? w.read_states(*k, states) : w.read_states(states);
              return states;
            }));
          },
          nb::arg("world").none() = nb::none(),
          nb::sig("def read_states(self, world: int | None = None) -> cairn._values.States"),
          "States of all bodies, or of one world's: position (n, 3) float64 [m], orientation (n, 4) float32, "
          "linear_velocity (n, 3) float32 [m/s], angular_velocity (n, 3) float32 [rad/s]. A copy.")
      .def(
          "write_states",
          [](PyWorld& self, nb::handle states, nb::handle world) {
            const StatesGiven given(states);
            const std::optional<std::uint32_t> k = world_from(world);
            const World& now = self.use();
            const std::vector<BodyState> read = given.of(k ? now.body_count(*k) : now.body_count());
            self.run([&](World& w) { k ? w.write_states(*k, read) : w.write_states(read); });
          },
          nb::arg("states"), nb::arg("world").none() = nb::none(),
          nb::sig("def write_states(self, states: cairn._values.States, world: int | None = None) -> None"),
          "What read_states gave, changed.");
}

void bind_joints(Class<PyWorld>& c) {
  const auto world = nb::arg("world") = 0;
  const auto joint = nb::arg("joint");
  c.def("add_joint", call<kEdit>(&W::add_joint), joint, world, "Joints name bodies by index_of.")
      .def("remove_joint", call<kEdit>(&W::remove_joint), joint)
      .def("joints", call(&W::joints), world)
      .def("find_joint", call(&W::find_joint), nb::arg("name"), world)
      .def("index_of", call(static_cast<std::uint32_t (W::*)(BodyHandle) const>(&W::index_of)), nb::arg("body"))
      .def("index_of", call(static_cast<std::uint32_t (W::*)(JointHandle) const>(&W::index_of)), joint)
      .def("anchors", call(&W::anchors), joint, "On a, then on b.")
      .def("set_drive", call(static_cast<void (W::*)(JointHandle, const JointDrive&)>(&W::set_drive)), joint,
           nb::arg("drive"), "Of the axis that a joint has alone.")
      .def("set_drive", call(static_cast<void (W::*)(JointHandle, JointDof, const JointDrive&)>(&W::set_drive)), joint,
           nb::arg("dof"), nb::arg("drive"))
      .def("drive", call(&W::drive), joint, nb::arg("dof"))
      .def("set_joint", call<kEdit>(&W::set_joint), joint, nb::arg("description"), "Replaces a joint's description.");
}

/// A property that gives a part of a World.
template <class T>
void has_calls(Class<PyWorld>& c, const char* name, const char* signature, const char* doc) {
  c.def_prop_ro(
      name,
      [](nb::object self) {
        nb::cast<PyWorld&>(self).use();
        return CallsOf<T>{std::move(self)};
      },
      nb::sig(signature), doc);
}

void bind_reports(Class<PyWorld>& c) {
  const auto world = nb::arg("world");
  c.def("report", call<kLong>(static_cast<StepReport (W::*)() const>(&W::report)),
        "Of all worlds since they were made.")
      .def("report", call<kLong>(static_cast<WorldReport (W::*)(std::uint32_t) const>(&W::report)), world, "Of one.")
      .def("reports", call<kLong>(&W::reports), "Of each world.")
      .def("clear_status", call(&W::clear_status), "Frozen worlds go on from where they are.")
      .def("contacts", call<kLong>(&W::contacts), "Contact manifolds after the last step.")
      .def("contact_events", call<kLong>(static_cast<ContactEvents (W::*)() const>(&W::contact_events)),
           "What began to touch, touches still and no longer does. Raises ValueError without "
           "WorldOptions.contact_events.")
      .def("contact_events", call<kLong>(static_cast<ContactEvents (W::*)(std::uint32_t) const>(&W::contact_events)),
           world)
      .def("residual", call<kLong>(static_cast<ContactResidual (W::*)() const>(&W::residual)))
      .def("residual", call<kLong>(static_cast<ContactResidual (W::*)(std::uint32_t) const>(&W::residual)), world)
      .def("residuals", call<kLong>(&W::residuals), "Of each world.")
      .def_prop_ro(
          "queries", [](nb::object self) { return queries_of(std::move(self)); },
          nb::sig("def queries(self) -> Queries"), "Rays, casts, overlaps and nearest points.")
      .def_prop_ro(
          "arrays", [](nb::object self) { return arrays_of(std::move(self)); },
          nb::sig("def arrays(self) -> DeviceArrays"), "The World's own arrays, and calls by arrays.");
  has_calls<WorldArticulations>(c, "articulations", "def articulations(self) -> WorldArticulations",
                                "Its articulations.");
  has_calls<WorldParticles>(c, "particles", "def particles(self) -> WorldParticles", "Its sets of particles.");
  has_calls<WorldScales>(c, "scales", "def scales(self) -> WorldScales",
                         "Sizes, masses and materials times so much, and draws of them.");
}

void bind_world_articulations(nb::module_& m) {
  using A = WorldArticulations;
  const auto world = nb::arg("world") = 0;
  const auto articulation = nb::arg("articulation");
  Class<CallsOf<A>>(m, "WorldArticulations",
                    "The articulations of a World: what comes, goes, is found and driven. World has what all "
                    "handles share: alive, description, bodies, state, set_state.")
      .def("list", call(&A::list), world)
      .def("find", call(&A::find), nb::arg("name"), world, "The one of the name, or None.")
      .def(
          "add",
          [](CallsOf<A>& self, Given<Articulation> of, Given<ArticulationState> start, std::uint32_t k) {
            const Articulation read = of.get("articulation");
            const ArticulationState from = start.get_or_default("start");
            const ArticulationHandle added = self.use().add(read, from, k);
            self.edited();
            return added;
          },
          articulation, nb::arg("start").none() = nb::none(), world,
          "With the bodies of its links. Views of arrays end.")
      .def("remove", call<kEdit>(&A::remove), articulation, "Views of arrays end.")
      .def("set_forces", call(&A::set_forces), articulation, nb::arg("forces"),
           "[N, N m] (dofs) Until they are set again.")
      .def("joint", call(&A::joint), articulation, nb::arg("link"),
           "What acts along a link's joint, of this articulation alone. A copy: set_joint takes it back.")
      .def("set_joint", call(&A::set_joint), articulation, nb::arg("link"), nb::arg("joint"),
           "Gains, armature, damping, friction and limits; the kind stays.")
      .def("set_targets", call(&A::set_targets), articulation, nb::arg("targets"), "Of the drives.");
}

void bind_world_particles(nb::module_& m) {
  using P = WorldParticles;
  const auto world = nb::arg("world") = 0;
  const auto set = nb::arg("set");
  Class<CallsOf<P>>(m, "WorldParticles",
                    "The sets of particles of a World: what comes, goes, is found and read. World has what all "
                    "handles share: alive, description, bodies.")
      .def("list", call(&P::list), world)
      .def("find", call(&P::find), nb::arg("name"), world, "The one of the name, or None.")
      .def("add", call<kEdit>(&P::add), set, world, "With the bodies of its particles. Views of arrays end.")
      .def("remove", call<kEdit>(&P::remove), set, "Views of arrays end.")
      .def("constraint_forces", call(&P::constraint_forces), set, "[N, N m, N/m^2] (constraints)")
      .def("broken_constraints", call(&P::broken_constraints), set, "(constraints) 1: broken.")
      .def("constraint_residual", call<kLong>(static_cast<ConstraintResidual (P::*)() const>(&P::constraint_residual)))
      .def("constraint_residual",
           call<kLong>(static_cast<ConstraintResidual (P::*)(std::uint32_t) const>(&P::constraint_residual)),
           nb::arg("world"))
      .def("constraint_residuals", call<kLong>(&P::constraint_residuals), set, "(constraints)")
      .def("pressures", call(&P::pressures), set, "[Pa] (particles) Of a fluid.")
      .def("densities", call(&P::densities), set, "[kg/m^3] (particles) Of a fluid.");
}

void bind_world_scales(nb::module_& m) {
  using S = WorldScales;
  const auto world = nb::arg("world") = 0;
  const auto body = nb::arg("body");
  Class<CallsOf<S>>(m, "WorldScales",
                    "Sizes, masses and materials of worlds and bodies times so much, and draws of them.")
      .def("get", call(static_cast<Scales (S::*)(std::uint32_t) const>(&S::get)), world)
      .def("get", call(static_cast<BodyScales (S::*)(BodyHandle) const>(&S::get)), body)
      .def("set", call(static_cast<void (S::*)(const Scales&, std::uint32_t)>(&S::set)), nb::arg("scales"),
           nb::arg("world"), "Sizes, masses and materials of one world times so much.")
      .def("set", call(static_cast<void (S::*)(const BodyScales&, BodyHandle)>(&S::set)), nb::arg("scales"), body,
           "Size and mass of one body times so much.")
      .def("description", call(&S::description), body, "Of a body, with its scales.")
      .def("seed", call(&S::seed), world)
      .def("set_seed", call(&S::set_seed), nb::arg("seed"), nb::arg("world"), "Worlds of one seed draw the same.")
      .def("randomise", call(&S::randomise), nb::arg("chosen"), nb::arg("ranges"),
           "Draws new scales and joints for the worlds that aren't 0, and moves their dynamic bodies.");
}

}  // namespace

void bind_world(nb::module_& m) {
  Class<PyWorld> c(
      m, "World",
      "A simulation that lives on one device: one world, or a batch of worlds that are stepped together and never "
      "meet. Calls without a world's index speak of all worlds. One thread at a time may call into a World; another "
      "that does meanwhile gets RuntimeError. Every call that takes a handle, but `alive`, raises ValueError if it is "
      "stale.",
      nb::is_weak_referenceable());
  bind_making(c);
  bind_stepping(c);
  bind_settings(c);
  bind_bodies(c);
  bind_joints(c);
  bind_reports(c);
  bind_world_articulations(m);
  bind_world_particles(m);
  bind_world_scales(m);
}

}  // namespace cairn::python
