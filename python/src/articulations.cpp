// Articulations by themselves.

#include "cairn/articulations.h"

#include "python/src/guarded.h"
#include "python/src/topics.h"

namespace cairn::python {
namespace {

using PyArticulations = Guarded<Articulations>;
using Numbers = std::vector<double>;

/// A call that gives numbers, made to an array of a row for each articulation and what `row` says of its shape.
template <class... Row>
auto rows(Numbers (Articulations::*f)() const, Row... row) {
  return [=](const PyArticulations& self) {
    Numbers values = self.run([&](const Articulations& a) { return (a.*f)(); });
    const Articulations& of = self.use();
    return shaped(std::move(values), {of.count(), std::size_t{(of.*row)()}...});
  };
}

Numbers given_coordinates(const PyArticulations& self, nb::handle from, std::string_view name) {
  return numbers_shaped(from, {.name = name}, {self.use().count(), self.use().coordinates()});
}
Numbers given_rates(const PyArticulations& self, nb::handle from, std::string_view name) {
  return numbers_shaped(from, {.name = name}, {self.use().count(), self.use().dofs()});
}

}  // namespace

void bind_articulations(nb::module_& m) {
  const auto q = nb::arg("q"), v = nb::arg("v");
  const std::string numbers = "cairn._values.ManyLike[typing.Any]";
  const auto sig = [&](const std::string& name, const std::string& arguments, const std::string& result) {
    return "def " + name + "(self, " + arguments + ") -> " + result;
  };
  const std::string array = "numpy.typing.NDArray[numpy.float64]";
  const std::string two = "q: " + numbers + ", v: " + numbers;

  nb::class_<PyArticulations>(
      m, "Articulations",
      "Many articulations of one build, in double precision, side by side on a device; none knows of the others. "
      "Arrays "
      "have a row for each; in a row coordinates and rates stand in the order of the links. What is given may also be "
      "all in one row. One thread at a time may call into it; another gets RuntimeError.")
      .def(
          "__init__",
          [](PyArticulations* self, Given<Articulation> description, std::uint32_t count, Given<Device> device) {
            const Articulation of = description.get("description");
            const Device on = device.get_or_default("device");
            new (self) PyArticulations(unlocked([&] { return Articulations(of, count, on); }));
          },
          nb::arg("description"), nb::arg("count"), nb::arg("device").none() = nb::none(),
          nb::sig("def __init__(self, description: cairn._structs.Articulation, count: int, device: "
                  "cairn._structs.Device | str | None = None) -> None"),
          "All at coordinates 0 and at rest; on the CPU unless a device is named. Raises ValueError, naming "
          "articulation, link and rule, for what can't be.")
      .def("count", [](const PyArticulations& self) { return self.use().count(); })
      .def(
          "description", [](const PyArticulations& self) { return Made{self.use().description()}; }, "A copy.")
      .def(
          "coordinates", [](const PyArticulations& self) { return self.use().coordinates(); }, "[1] of one")
      .def(
          "dofs", [](const PyArticulations& self) { return self.use().dofs(); }, "[1] rates of one")
      .def(
          "coordinate_of",
          [](const PyArticulations& self, std::uint32_t link) { return self.use().coordinate_of(link); },
          nb::arg("link"), "The first coordinate of a link's joint.")
      .def(
          "dof_of", [](const PyArticulations& self, std::uint32_t link) { return self.use().dof_of(link); },
          nb::arg("link"), "The first rate of a link's joint.")
      .def(
          "set_state",
          [](const PyArticulations& self, nb::handle given_q, nb::handle given_v) {
            const Numbers of_q = given_coordinates(self, given_q, "q"), of_v = given_rates(self, given_v, "v");
            self.run([&](Articulations& a) { a.set_state(of_q, of_v); });
          },
          q, v, nb::sig(sig("set_state", two, "None").c_str()),
          "[m, rad, 1] (count, coordinates) and [m/s, rad/s] (count, dofs). Quaternions are made unit.")
      .def("positions", rows(&Articulations::positions, &Articulations::coordinates),
           nb::sig(("def positions(self) -> " + array).c_str()), "[m, rad, 1] (count, coordinates)")
      .def("rates", rows(&Articulations::rates, &Articulations::dofs), nb::sig(("def rates(self) -> " + array).c_str()),
           "[m/s, rad/s] (count, dofs)")
      .def(
          "set_forces",
          [](const PyArticulations& self, nb::handle given) {
            const Numbers forces = given_rates(self, given, "forces");
            self.run([&](Articulations& a) { a.set_forces(forces); });
          },
          nb::arg("forces"), nb::sig(sig("set_forces", "forces: " + numbers, "None").c_str()),
          "[N, N m] (count, dofs) Until they are set again; 0 at first.")
      .def(
          "set_targets",
          [](const PyArticulations& self, nb::handle given_q, nb::handle given_v) {
            const Numbers of_q = given_coordinates(self, given_q, "q"), of_v = given_rates(self, given_v, "v");
            self.run([&](Articulations& a) { a.set_targets(of_q, of_v); });
          },
          q, v, nb::sig(sig("set_targets", two, "None").c_str()), "Of the drives; coordinates 0 at first.")
      .def("forward_dynamics", rows(&Articulations::forward_dynamics, &Articulations::dofs),
           nb::sig(("def forward_dynamics(self) -> " + array).c_str()),
           "[m/s^2, rad/s^2] (count, dofs) Rates of the rates under the forces set, damping and gravity.")
      .def(
          "inverse_dynamics",
          [](const PyArticulations& self, nb::handle given) {
            const Numbers accelerations = given_rates(self, given, "accelerations");
            Numbers forces = self.run([&](const Articulations& a) { return a.inverse_dynamics(accelerations); });
            return shaped(std::move(forces), {self.use().count(), self.use().dofs()});
          },
          nb::arg("accelerations"), nb::sig(sig("inverse_dynamics", "accelerations: " + numbers, array).c_str()),
          "[N, N m] (count, dofs) Forces that give these accelerations. Of zeros: the bias forces, which are those of "
          "gravity, of Coriolis and centrifugal forces and of damping.")
      .def("mass_matrix", rows(&Articulations::mass_matrix, &Articulations::dofs, &Articulations::dofs),
           nb::sig(("def mass_matrix(self) -> " + array).c_str()), "(count, dofs, dofs) Symmetric, armature included.")
      .def(
          "jacobian",
          [](const PyArticulations& self, std::uint32_t link, Given<Vec3d> point) {
            const Vec3d at = point.given() ? point.get("point") : Vec3d{};
            Numbers values = self.run([&](const Articulations& a) { return a.jacobian(link, at); });
            return shaped(std::move(values), {self.use().count(), 6, self.use().dofs()});
          },
          nb::arg("link"), nb::arg("point") = nb::make_tuple(0.0, 0.0, 0.0),
          nb::sig(sig("jacobian", "link: int, point: cairn._values.Vec3Like = (0.0, 0.0, 0.0)", array).c_str()),
          "(count, 6, dofs) Velocity of a point [m] fixed to a link in its frame, then the link's angular velocity, in "
          "world axes, over the rates.")
      .def(
          "link_states",
          [](const PyArticulations& self) {
            std::vector<BodyState> states = self.run([&](const Articulations& a) { return a.link_states(); });
            return state_arrays(std::move(states), Grid{self.use().count(), self.use().description().links.size()});
          },
          nb::sig("def link_states(self) -> cairn._values.States"),
          "(count, links, 3 or 4) `position` is the origin of the link's frame, `linear_velocity` that of its centre "
          "of mass.")
      .def(
          "step",
          [](const PyArticulations& self, double h, std::uint32_t substeps) {
            self.run([&](Articulations& a) { a.step(h, substeps); });
          },
          nb::arg("h"), nb::arg("substeps") = 1,
          "Goes on by h [s] in so many equal parts. An articulation that would get a number beyond 1e9, or none, "
          "stops.")
      .def(
          "stopped",
          [](const PyArticulations& self) {
            return shaped(self.run([&](const Articulations& a) { return a.stopped(); }));
          },
          nb::sig("def stopped(self) -> numpy.typing.NDArray[numpy.uint32]"),
          "Indices of those that stopped. set_state sets all going again.")
      .def(
          "state_hash",
          [](const PyArticulations& self) { return self.run([&](const Articulations& a) { return a.state_hash(); }); },
          "Of coordinates and rates.")
      .def("__repr__", [](const PyArticulations& self) {
        const Articulations& of = self.use();
        return "<cairn.Articulations, " + std::to_string(of.count()) + " of \"" + of.description().name + "\">";
      });
}

}  // namespace cairn::python
