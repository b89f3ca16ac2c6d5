#pragma once
// What each file of the module adds to it.

#include <nanobind/nanobind.h>

namespace cairn::python {

namespace nb = nanobind;

void bind_errors(nb::module_& m);
void bind_description(nb::module_& m);
void bind_handles(nb::module_& m);
void bind_solids(nb::module_& m);
void bind_scene(nb::module_& m);
void bind_files(nb::module_& m);
void bind_arrays(nb::module_& m);
void bind_queries(nb::module_& m);
void bind_world(nb::module_& m);
void bind_articulations(nb::module_& m);
void bind_pictures(nb::module_& m);
void bind_functions(nb::module_& m);
void bind_masses(nb::module_& m);
void bind_rules(nb::module_& m);
void bind_mesh_files(nb::module_& m);
void bind_particles(nb::module_& m);
void bind_actuation(nb::module_& m);
void bind_playback(nb::module_& m);
void bind_quality(nb::module_& m);
void bind_sensors(nb::module_& m);

/// The Python classes of structs and enums, by name.
void take_classes(const nb::dict& from);

}  // namespace cairn::python
