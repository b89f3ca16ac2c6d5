#pragma once
// Every key and every word that a scene file may hold, but those of described structs (cairn/attributes.h), of joints
// (joint_fields.h), of the joints of articulations (articulation_fields.h) and of force fields (law_fields.h). The
// reader, the writer and the test of docs/scene.schema.json share them.

#include <array>
#include <string_view>
#include <utility>

#include "cairn/params.h"
#include "cairn/particle_set.h"
#include "cairn/types.h"

namespace cairn::scene_file {

inline constexpr std::array<std::string_view, 12> kRootKeys{
    "cairn", "name", "gravity", "limits", "materials", "bodies", "articulations", "particles", "joints",
    "fields", "solver", "ignore"};
inline constexpr std::array<std::string_view, 14> kParticlesKeys{
    "name",   "first_body", "positions", "velocities",     "masses",      "mass",       "radius",
    "fixed",  "material",   "filter",    "linear_damping", "constraints", "attachments", "fluid"};
inline constexpr std::array<std::string_view, 4> kFluidKeys{"density", "spacing", "viscosity", "surface_tension"};
inline constexpr std::array<std::string_view, 10> kConstraintKeys{
    "kind",       "compliance", "damping", "stiffness",     "breaking_force",
    "unilateral", "particles",  "rest",    "young_modulus", "poisson_ratio"};
inline constexpr std::array<std::string_view, 6> kAttachmentKeys{"particle", "body",      "compliance",
                                                                 "damping",  "stiffness", "breaking_force"};
inline constexpr std::array<std::string_view, 5> kArticulationKeys{"name", "gravity", "first_body", "links", "start"};
inline constexpr std::array<std::string_view, 9> kLinkKeys{
    "name", "parent", "joint", "frame_in_parent", "frame_in_link", "mass", "centre_of_mass", "inertia", "shapes"};
inline constexpr std::array<std::string_view, 2> kStartKeys{"q", "v"};
inline constexpr std::array<std::string_view, 2> kPointMassKeys{"mass", "position"};
inline constexpr std::array<std::string_view, 13> kGeometryKeys{
    "sphere",    "box",         "capsule", "plane", "cylinder",    "cone", "tapered_cylinder", "tube",
    "ellipsoid", "rounded_box", "hull",    "mesh",  "height_field"};
inline constexpr std::array<std::string_view, 18> kShapeKeys{
    "sphere",    "box",         "capsule", "plane", "cylinder",     "cone",     "tapered_cylinder", "tube",
    "ellipsoid", "rounded_box", "hull",    "mesh",  "height_field", "position", "orientation_xyzw", "material",
    "filter",    "sensor"};
inline constexpr std::array<std::string_view, 1> kSphereKeys{"radius"};
inline constexpr std::array<std::string_view, 1> kBoxKeys{"half_extents"};
inline constexpr std::array<std::string_view, 2> kCapsuleKeys{"radius", "half_height"};  ///< cylinder and cone too
inline constexpr std::array<std::string_view, 2> kPlaneKeys{"normal", "offset"};
inline constexpr std::array<std::string_view, 3> kTaperedCylinderKeys{"bottom_radius", "top_radius", "half_height"};
inline constexpr std::array<std::string_view, 3> kTubeKeys{"outer_radius", "inner_radius", "half_height"};
inline constexpr std::array<std::string_view, 1> kEllipsoidKeys{"radii"};
inline constexpr std::array<std::string_view, 2> kRoundedBoxKeys{"half_extents", "radius"};
inline constexpr std::array<std::string_view, 3> kHullKeys{"points", "file", "scale"};
inline constexpr std::array<std::string_view, 4> kMeshKeys{"vertices", "triangles", "file", "scale"};
inline constexpr std::array<std::string_view, 4> kHeightFieldKeys{"columns", "rows", "spacing", "heights"};

/// In the place of a number.
inline constexpr std::string_view kInfinite = "infinite";

inline constexpr std::array<Word<ConstraintKind>, 5> kConstraintKinds{{{"stretch", ConstraintKind::kStretch},
                                                                       {"bend", ConstraintKind::kBend},
                                                                       {"volume", ConstraintKind::kVolume},
                                                                       {"shape", ConstraintKind::kShape},
                                                                       {"elastic", ConstraintKind::kElastic}}};

}  // namespace cairn::scene_file
