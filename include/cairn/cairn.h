#pragma once
// Everything a program that simulates needs. In C, the C interface.

#if !defined(__cplusplus)

#include "cairn/cairn_c.h"

#else

#include "cairn/array_view.h"
#include "cairn/articulation.h"
#include "cairn/articulations.h"
#include "cairn/body.h"
#include "cairn/body_fields.h"
#include "cairn/camera.h"
#include "cairn/contact_events.h"
#include "cairn/device.h"
#include "cairn/device_arrays.h"
#include "cairn/drag.h"
#include "cairn/errors.h"
#include "cairn/field.h"
#include "cairn/fields.h"
#include "cairn/filter.h"
#include "cairn/geometry.h"
#include "cairn/hertz.h"
#include "cairn/joint.h"
#include "cairn/mass.h"
#include "cairn/math.h"
#include "cairn/mesh_file.h"
#include "cairn/muscle.h"
#include "cairn/params.h"
#include "cairn/particle_set.h"
#include "cairn/particle_system.h"
#include "cairn/particle_view.h"
#include "cairn/picture.h"
#include "cairn/quality.h"
#include "cairn/queries.h"
#include "cairn/random.h"
#include "cairn/recording.h"
#include "cairn/report.h"
#include "cairn/residual.h"
#include "cairn/scene.h"
#include "cairn/scene_file.h"
#include "cairn/snapshot.h"
#include "cairn/track.h"
#include "cairn/types.h"
#include "cairn/version.h"
#include "cairn/virtual_force.h"
#include "cairn/world.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"

#endif
