// Muscles, dragging, tracks and virtual forces.

#include "python/src/topics.h"
#include "python/src/world.h"

namespace cairn::python {
namespace {

using PyMuscle = OfWorld<Muscle>;
using PyDrag = OfWorld<Drag>;

nb::object world_in(nb::handle from) {
  if (!nb::isinstance<PyWorld>(from)) refuse({.name = "world"}, "World", from);
  return nb::borrow(from);
}
/// Of a World that an argument is.
const PyWorld& owner(nb::handle world) {
  world_in(world);
  return nb::cast<const PyWorld&>(world);
}

void bind_muscle(nb::module_& m) {
  Class<PyMuscle>(
      m, "Muscle",
      "A muscle of Hill's type along a path over points of bodies, whose ends pull towards each other. What "
      "it remembers is its own: a snapshot of the World knows nothing of it, and a copy of it is how to keep "
      "it.")
      .def(
          "__init__",
          [](PyMuscle* self, nb::object world, Given<std::vector<MusclePoint>> path, Given<MuscleParams> params) {
            const std::vector<MusclePoint> points = path.get("path");
            const MuscleParams read = params.get_or_default("params");
            new (self) PyMuscle(PyMuscle::made(world_in(world), false, points, read));
          },
          nb::arg("world"), nb::arg("path"), nb::arg("params").none() = nb::none(),
          nb::sig(
              "def __init__(self, world: World, path: collections.abc.Iterable[cairn._structs.MusclePoint], params: "
              "cairn._structs.MuscleParams | None = None) -> None"),
          "Without activity, with the fibre in equilibrium. Raises ValueError, naming the member or point, for what "
          "can't be.")
      .def(
          "act", call<Kind::kLong>(&Muscle::act), nb::arg("excitation"), nb::arg("dt"),
          "Goes on by a step of dt [s] with an excitation of 0 to 1, and pulls in the World's next step, which must be "
          "as long.")
      .def("activation", call(&Muscle::activation), "[1] 0 to 1")
      .def("force", call(&Muscle::force), "[N] of the tendon, as of the last call of act")
      .def("fibre_length", call(&Muscle::fibre_length), "[m] as of the last call of act")
      .def("length", call(&Muscle::length), "[m] of the path now")
      .def("__copy__", [](const PyMuscle& self) { return PyMuscle(self.world(), Muscle(self.use()), false); });
}

void bind_drag(nb::module_& m) {
  Class<PyDrag>(
      m, "Drag",
      "A body that is picked at a point and pulled to where the user wants it. It is a joint of the World until "
      "it is closed or Python lets go of it. Views of arrays end where it begins and ends.")
      .def(
          "__init__",
          [](PyDrag* self, nb::object world, Given<BodyHandle> body, Given<Vec3d> point, Given<DragParams> params) {
            const BodyHandle picked = body.get("body");
            const Vec3d at = point.get("point");
            const DragParams read = params.get_or_default("params");
            new (self) PyDrag(PyDrag::made(world_in(world), true, picked, at, read));
          },
          nb::arg("world"), nb::arg("body"), nb::arg("point"), nb::arg("params").none() = nb::none(),
          nb::sig("def __init__(self, world: World, body: BodyHandle, point: cairn._values.Vec3Like, params: "
                  "cairn._structs.DragParams | None = None) -> None"),
          "Picks a dynamic body at a point of the world [m].")
      .def("move", call(&Drag::move), nb::arg("target"), "[m] Where the picked point shall go. The body wakes.")
      .def("over", call(&Drag::over), "Its body was removed.")
      .def("joint", call(&Drag::joint))
      .def("close", &PyDrag::close, "Lets go of the body. Every later call raises.")
      .def(
          "__enter__", [](nb::handle self) { return nb::object(nb::borrow(self)); },
          nb::sig("def __enter__(self) -> Drag"))
      .def(
          "__exit__", [](PyDrag& self, nb::args) { self.close(); },
          nb::sig("def __exit__(self, *args: object) -> None"))
      .def_static(
          "pick",
          [](nb::object world, Given<RayQuery> ray, Given<DragParams> params) -> nb::object {
            const PyWorld& of = owner(world);
            const RayQuery query = ray.get("ray");
            const DragParams read = params.get_or_default("params");
            std::optional<Drag> picked = of.run([&](World& w) { return Drag::pick(w, query, read); });
            if (!picked) return nb::none();
            return nb::cast(PyDrag(std::move(world), std::move(*picked), true));
          },
          nb::arg("world"), nb::arg("ray"), nb::arg("params").none() = nb::none(),
          nb::sig(
              "def pick(world: World, ray: cairn._structs.RayQuery, params: cairn._structs.DragParams | None = None) "
              "-> Drag | None"),
          "Picks the first dynamic body that a ray meets; None where it meets nothing or something else first.");
}

void bind_tracks(nb::module_& m) {
  nb::class_<Track>(m, "Track", "A number over time, between keys. It never changes, and serves any number of Worlds.")
      .def(
          "__init__",
          [](Track* self, Given<std::vector<TrackKey>> keys, Given<Interpolation> interpolation, bool repeats) {
            new (self) Track(keys.get("keys"), interpolation.get("interpolation"), repeats);
          },
          nb::arg("keys"), nb::arg("interpolation") = "smooth", nb::arg("repeats") = false,
          nb::sig("def __init__(self, keys: collections.abc.Iterable[cairn._structs.TrackKey], interpolation: "
                  "cairn._structs.Interpolation | str = 'smooth', repeats: bool = False) -> None"),
          "Raises ValueError, naming the key, unless there is one, all are finite and the times ascend.")
      .def("value", &Track::value, nb::arg("time"), "[m, rad]")
      .def("rate", &Track::rate, nb::arg("time"), "[m/s, rad/s]");
  nb::class_<PoseTrack>(m, "PoseTrack", "A pose over time: positions linear, orientations along the shorter arc.")
      .def(
          "__init__",
          [](PoseTrack* self, Given<std::vector<PoseKey>> keys, bool repeats) {
            new (self) PoseTrack(keys.get("keys"), repeats);
          },
          nb::arg("keys"), nb::arg("repeats") = false,
          nb::sig(
              "def __init__(self, keys: collections.abc.Iterable[cairn._structs.PoseKey], repeats: bool = False) -> "
              "None"),
          "Raises ValueError as Track.")
      .def(
          "pose", [](const PoseTrack& t, double time) { return Made{t.pose(time)}; }, nb::arg("time"));
  m.def(
      "follow",
      [](const PyWorld& world, const JointHandle& joint, Given<JointDof> dof, const Track& track, double time,
         float dt) {
        const JointDof along = dof.get("dof");
        follow(world.use(), joint, along, track, time, dt);
      },
      nb::arg("world"), nb::arg("joint"), nb::arg("dof"), nb::arg("track"), nb::arg("time"), nb::arg("dt"),
      "Sets a drive to where a track is at time [s], and to the mean rate of the dt [s] before it: those of the next "
      "step, if that is WorldReport.time + dt.");
  m.def(
      "follow",
      [](const PyWorld& world, const BodyHandle& body, const PoseTrack& track, double time, float dt) {
        follow(world.use(), body, track, time, dt);
      },
      nb::arg("world"), nb::arg("body"), nb::arg("track"), nb::arg("time"), nb::arg("dt"),
      "Gives a kinematic body the velocity that takes it to where the track is at time [s], in a step of dt [s].");
}

}  // namespace

void bind_actuation(nb::module_& m) {
  bind_muscle(m);
  bind_drag(m);
  bind_tracks(m);
  m.def(
      "virtual_force",
      [](const PyWorld& world, Given<std::vector<JointHandle>> chain, Given<Vec3d> point, Given<Vec3> force) {
        const std::vector<JointHandle> joints = chain.get("chain");
        const Vec3d at = point.get("point");
        const Vec3 wanted = force.get("force");
        return Made{virtual_force(world.use(), joints, at, wanted)};
      },
      nb::arg("world"), nb::arg("chain"), nb::arg("point"), nb::arg("force"),
      "What the joints of a chain must give so that a point [m] of it pushes with a force [N], tau = J^T F. In each "
      "joint "
      "the point must be on the side of body b.");
  m.def(
      "exert",
      [](const PyWorld& world, Given<std::vector<JointEffort>> efforts) {
        const std::vector<JointEffort> read = efforts.get("efforts");
        exert(world.use(), read);
      },
      nb::arg("world"), nb::arg("efforts"), "Gives the efforts, for the next step.");
}

}  // namespace cairn::python
