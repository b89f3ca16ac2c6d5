#pragma once
// Every key and every word that a scene file may hold, but those of joints (joint_fields.h), of the joints of
// articulations (articulation_fields.h) and of force fields (law_fields.h). The reader, the writer and the test of
// docs/scene.schema.json share them.

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
inline constexpr std::array<std::string_view, 4> kLimitsKeys{"lower", "upper", "speed", "angular_speed"};
inline constexpr std::array<std::string_view, 7> kMaterialKeys{
    "name", "density", "friction", "restitution", "rolling_friction", "young_modulus", "poisson_ratio"};
inline constexpr std::array<std::string_view, 16> kBodyKeys{
    "name",    "type",    "position", "orientation_xyzw", "linear_velocity", "angular_velocity", "shapes",
    "mass",    "density", "inertia",  "centre_of_mass",   "point_masses",    "linear_damping",   "angular_damping",
    "fast", "fixed_rotation"};
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
inline constexpr std::array<std::string_view, 3> kFilterKeys{"category", "mask", "group"};
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
inline constexpr std::array<std::string_view, 20> kSolverKeys{"kind",
                                                              "sweep",
                                                              "dt",
                                                              "substeps",
                                                              "strain_sweeps",
                                                              "fluid_sweeps",
                                                              "direct_bodies",
                                                              "direct_mass_ratio",
                                                              "residual_target",
                                                              "contact_frequency",
                                                              "contact_damping_ratio",
                                                              "push_out_speed",
                                                              "restitution_threshold",
                                                              "recycle_tolerance",
                                                              "friction_mix",
                                                              "restitution_mix",
                                                              "rolling_mix",
                                                              "sleeping",
                                                              "sleep_speed",
                                                              "sleep_time"};

/// In the place of a number.
inline constexpr std::string_view kInfinite = "infinite";

template <class T>
using Word = std::pair<std::string_view, T>;

inline constexpr std::array<Word<BodyType>, 3> kBodyTypes{
    {{"static", BodyType::kStatic}, {"kinematic", BodyType::kKinematic}, {"dynamic", BodyType::kDynamic}}};
inline constexpr std::array<Word<SolverKind>, 5> kSolverKinds{{{"soft_step", SolverKind::kSoftStep},
                                                               {"xpbd", SolverKind::kXpbd},
                                                               {"sequential_impulse", SolverKind::kSequentialImpulse},
                                                               {"avbd", SolverKind::kAvbd},
                                                               {"hertz_mindlin", SolverKind::kHertzMindlin}}};
inline constexpr std::array<Word<ConstraintKind>, 5> kConstraintKinds{{{"stretch", ConstraintKind::kStretch},
                                                                       {"bend", ConstraintKind::kBend},
                                                                       {"volume", ConstraintKind::kVolume},
                                                                       {"shape", ConstraintKind::kShape},
                                                                       {"elastic", ConstraintKind::kElastic}}};
inline constexpr std::array<Word<SweepKind>, 2> kSweepKinds{
    {{"gauss_seidel", SweepKind::kGaussSeidel}, {"jacobi", SweepKind::kJacobi}}};
inline constexpr std::array<Word<MixRule>, 4> kMixRules{{{"geometric_mean", MixRule::kGeometricMean},
                                                         {"min", MixRule::kMin},
                                                         {"max", MixRule::kMax},
                                                         {"product", MixRule::kProduct}}};

}  // namespace cairn::scene_file
