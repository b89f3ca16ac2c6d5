#pragma once
// The members of the public structs: those of Attributes<T>, or for structs without a list in the headers the lists here.

#include <tuple>

#include "cairn/cairn.h"

namespace cairn {

template <>
struct EnumWords<OnOverflow> {
  static constexpr std::array<Word<OnOverflow>, 2> all{{{"grow", OnOverflow::kGrow}, {"error", OnOverflow::kError}}};
};
template <>
struct EnumWords<Device::Kind> {
  static constexpr std::array<Word<Device::Kind>, 2> all{{{"cpu", Device::Kind::kCpu}, {"cuda", Device::Kind::kCuda}}};
};
template <>
struct EnumWords<Written> {
  static constexpr std::array<Word<Written>, 3> all{
      {{"loads", Written::kLoads}, {"velocities", Written::kVelocities}, {"poses", Written::kPoses}}};
};
template <>
struct EnumWords<JointDof> {
  static constexpr std::array<Word<JointDof>, kJointDofs> all{{{kJointDofNames[0], JointDof::kShiftX},
                                                               {kJointDofNames[1], JointDof::kShiftY},
                                                               {kJointDofNames[2], JointDof::kShiftZ},
                                                               {kJointDofNames[3], JointDof::kTwist},
                                                               {kJointDofNames[4], JointDof::kSwingY},
                                                               {kJointDofNames[5], JointDof::kSwingZ}}};
};
template <>
struct EnumWords<Stage> {
  static constexpr std::array<Word<Stage>, kStageCount> all{
      {{"field", Stage::kField},     {"bound", Stage::kBound},     {"pair", Stage::kPair},
       {"match", Stage::kMatch},     {"collide", Stage::kCollide}, {"color", Stage::kColor},
       {"prepare", Stage::kPrepare}, {"predict", Stage::kPredict}, {"particles", Stage::kParticles},
       {"fluids", Stage::kFluids},   {"joints", Stage::kJoints},   {"solve", Stage::kSolve},
       {"advance", Stage::kAdvance}, {"relax", Stage::kRelax},     {"restitute", Stage::kRestitute},
       {"move", Stage::kMove},       {"ccd", Stage::kCcd},         {"finish", Stage::kFinish},
       {"sleep", Stage::kSleep},     {"events", Stage::kEvents}}};
};

namespace python {

template <class T>
struct Members;
template <Described T>
struct Members<T> {
  static constexpr const auto& all = attribute_list<T>();
};

/// What has a Python class made from its members.
template <class T>
concept Struct = requires {
  Members<T>::all;
};

// each line: CAIRN_PY(struct, member, unit, meaning)
#define CAIRN_PY(member, unit_of, meaning_of) attribute<&S::member>({.unit = unit_of, .meaning = meaning_of})
#define CAIRN_PY_STRUCT(T, ...)                   \
  template <>                                     \
  struct Members<T> {                             \
    using S = T;                                  \
    static constexpr std::tuple all{__VA_ARGS__}; \
  };

CAIRN_PY_STRUCT(Device, CAIRN_PY(kind, "1", "cpu or cuda"), CAIRN_PY(index, "1", "number of the CUDA device"),
                CAIRN_PY(threads, "1", "CPU threads, 1 to 256; 0 takes the hardware's count"))
CAIRN_PY_STRUCT(DeviceInfo, CAIRN_PY(device, "1", ""), CAIRN_PY(description, "1", "model name"),
                CAIRN_PY(driver, "1", "version of CUDA's driver"), CAIRN_PY(memory, "B", "in all; 0: unknown"))
CAIRN_PY_STRUCT(Capacity, CAIRN_PY(bodies, "1", "room for so many; 0: counted"), CAIRN_PY(shapes, "1", "the same"),
                CAIRN_PY(pairs, "1", "pairs of shapes that may touch in a step"),
                CAIRN_PY(on_overflow, "1", "of the sizes that are given"))
CAIRN_PY_STRUCT(Tuning, CAIRN_PY(small_world, "1", "worlds of at most so many bodies are solved by one block"),
                CAIRN_PY(part_bodies, "1", "of the small worlds of a block; 0 takes what suits the device"))
CAIRN_PY_STRUCT(WorldOptions, CAIRN_PY(device, "1", "or its name: cpu, cuda, cuda:1, best"),
                CAIRN_PY(capacity, "1", ""), CAIRN_PY(tuning, "1", "changes times, never results"),
                CAIRN_PY(timings, "1", "measure each stage"), CAIRN_PY(contact_events, "1", "keep who touches whom"),
                CAIRN_PY(trace, "1", "hash what each stage writes; slow"),
                CAIRN_PY(stream, "1", "a cudaStream_t as a number; 0 makes one"),
                CAIRN_PY(capturable, "1", "lets step be captured in a CUDA graph"))

CAIRN_PY_STRUCT(BodyState, CAIRN_PY(position, "m", "world, of the body's own origin"),
                CAIRN_PY(orientation, "1", "body to world, unit, x, y, z, w"),
                CAIRN_PY(linear_velocity, "m/s", "world, of the centre of mass"),
                CAIRN_PY(angular_velocity, "rad/s", "world"))
CAIRN_PY_STRUCT(Inertia, CAIRN_PY(moments, "kg m^2", "xx, yy, zz"), CAIRN_PY(products, "kg m^2", "xy, xz, yz"))
CAIRN_PY_STRUCT(MassProperties, CAIRN_PY(mass, "kg", ""), CAIRN_PY(centre_of_mass, "m", "in the body's frame"),
                CAIRN_PY(moments, "kg m^2", "principal, about the centre of mass"),
                CAIRN_PY(axes, "1", "principal frame to body frame"))
CAIRN_PY_STRUCT(BodyPair, CAIRN_PY(a, "1", "index"), CAIRN_PY(b, "1", "index"))
CAIRN_PY_STRUCT(ArticulationState, CAIRN_PY(q, "m, rad, 1", "coordinates; empty: 0"),
                CAIRN_PY(v, "m/s, rad/s", "rates; empty: at rest"))
CAIRN_PY_STRUCT(SceneArticulation, CAIRN_PY(description, "1", ""), CAIRN_PY(start, "1", "of its joints"),
                CAIRN_PY(bodies, "1", "(links) indices; 0xffffffff where a link has no shapes"))
CAIRN_PY_STRUCT(SceneField, CAIRN_PY(law, "1", ""),
                CAIRN_PY(bodies, "1", "indices of the bodies that it sees; None: all that are dynamic"))
CAIRN_PY_STRUCT(SceneParticles, CAIRN_PY(description, "1", ""), CAIRN_PY(first_body, "1", "index of particle 0"))
CAIRN_PY_STRUCT(JointAnchor, CAIRN_PY(body, "1", "null: the world"), CAIRN_PY(position, "m", "world"),
                CAIRN_PY(orientation, "1", "joint to world"))
CAIRN_PY_STRUCT(JointState, CAIRN_PY(coordinates, "m, rad", "by JointDof"), CAIRN_PY(force, "N", "on b, world"),
                CAIRN_PY(torque, "N m", "about the anchor on b, world"),
                CAIRN_PY(broken, "1", "holds nothing any more"))

CAIRN_PY_STRUCT(HighWater, CAIRN_PY(bodies, "1", ""), CAIRN_PY(shapes, "1", ""), CAIRN_PY(pairs, "1", ""),
                CAIRN_PY(rows, "1", "of the solver"))
CAIRN_PY_STRUCT(StepReport, CAIRN_PY(status, "1", "StatusBit"), CAIRN_PY(steps, "1", "since the world was made"),
                CAIRN_PY(time, "s", "simulated"), CAIRN_PY(bodies, "1", "alive"), CAIRN_PY(shapes, "1", ""),
                CAIRN_PY(pairs, "1", "of shapes that may touch, last step"),
                CAIRN_PY(manifolds, "1", "of them with contact points"), CAIRN_PY(points, "1", "contact points"),
                CAIRN_PY(colors, "1", ""), CAIRN_PY(recycled, "1", "manifolds kept from the step before"),
                CAIRN_PY(asleep, "1", "bodies"), CAIRN_PY(broken_constraints, "1", "of particles"),
                CAIRN_PY(high_water, "1", "the most ever needed at once"),
                CAIRN_PY(stage_ms, "ms", "by Stage; zeros unless timings or trace"),
                CAIRN_PY(stage_hash, "1", "by Stage; zeros unless trace"))
CAIRN_PY_STRUCT(WorldReport, CAIRN_PY(status, "1", "StatusBit; not 0: the world is frozen"),
                CAIRN_PY(first_bad, "1", "the first body that broke it"),
                CAIRN_PY(first_bad_step, "1", "number of the step that it didn't take over; 0: none"),
                CAIRN_PY(steps, "1", "since it was made or reset"), CAIRN_PY(time, "s", "simulated since then"),
                CAIRN_PY(bodies, "1", "alive"))
CAIRN_PY_STRUCT(Contact::Point, CAIRN_PY(position, "m", "world, on the surface of a"),
                CAIRN_PY(separation, "m", "negative where the shapes overlap"),
                CAIRN_PY(impulse, "N s", "along the normal, of the last step"))
CAIRN_PY_STRUCT(Contact, CAIRN_PY(a, "1", ""), CAIRN_PY(b, "1", ""), CAIRN_PY(normal, "1", "world, from a to b"),
                CAIRN_PY(count, "1", "points in use, 1 to 4"),
                CAIRN_PY(points, "1", "four, of which count mean something"),
                CAIRN_PY(friction_impulse, "N s", "world, on b, of the last step"))
CAIRN_PY_STRUCT(ContactShape, CAIRN_PY(body, "1", ""), CAIRN_PY(shape, "1", "index among the body's shapes"))
CAIRN_PY_STRUCT(ContactEvent, CAIRN_PY(a, "1", ""), CAIRN_PY(b, "1", ""), CAIRN_PY(sensor, "1", "one is a sensor"),
                CAIRN_PY(position, "m", "world, on the surface of a"), CAIRN_PY(normal, "1", "world, from a to b"),
                CAIRN_PY(separation, "m", "at the step's start"),
                CAIRN_PY(impulse, "N s", "along the normal, all points"))
CAIRN_PY_STRUCT(EndedContact, CAIRN_PY(a, "1", ""), CAIRN_PY(b, "1", ""), CAIRN_PY(sensor, "1", "one is a sensor"))
CAIRN_PY_STRUCT(ContactEvents, CAIRN_PY(begun, "1", ""), CAIRN_PY(persisting, "1", ""), CAIRN_PY(ended, "1", ""))
CAIRN_PY_STRUCT(ContactResidual, CAIRN_PY(signorini, "m/s", "largest over the points"),
                CAIRN_PY(coulomb, "m/s", "largest over the manifolds"), CAIRN_PY(twist, "rad/s", "about the normal"),
                CAIRN_PY(cone, "N s", ""), CAIRN_PY(penetration, "m", "largest"), CAIRN_PY(points, "1", "looked at"))
CAIRN_PY_STRUCT(ConstraintResidual, CAIRN_PY(max, "1", ""), CAIRN_PY(mean, "1", ""),
                CAIRN_PY(constraints, "1", "that hold something"))

CAIRN_PY_STRUCT(QueryFilter, CAIRN_PY(filter, "1", "looks at what a shape with it would touch"),
                CAIRN_PY(ignored, "1", "a body that isn't looked at; null: none"),
                CAIRN_PY(sensors, "1", "looks at sensors, too"))
CAIRN_PY_STRUCT(RayQuery, CAIRN_PY(origin, "m", "world"), CAIRN_PY(direction, "1", "any length but 0"),
                CAIRN_PY(distance, "m", "how far it goes, 0 to 1e8"), CAIRN_PY(world, "1", "index"),
                CAIRN_PY(only, "1", "which shapes it looks at"))
CAIRN_PY_STRUCT(ShapeQuery, CAIRN_PY(geometry, "1", "a convex shape"), CAIRN_PY(position, "m", "world"),
                CAIRN_PY(orientation, "1", "shape to world"), CAIRN_PY(direction, "1", "of casts: any length but 0"),
                CAIRN_PY(distance, "m", "how far to go or look, 0 to 1e8"), CAIRN_PY(world, "1", "index"),
                CAIRN_PY(only, "1", "which shapes it looks at"))
CAIRN_PY_STRUCT(QueryHit, CAIRN_PY(body, "1", "null: nothing was found"),
                CAIRN_PY(shape, "1", "index among the body's shapes"),
                CAIRN_PY(distance, "m", "gone, or apart; 0 where they overlap"),
                CAIRN_PY(position, "m", "world, on the surface found"),
                CAIRN_PY(normal, "1", "world, off that surface"))
CAIRN_PY_STRUCT(QueryHits, CAIRN_PY(hits, "1", "of query i: begin[i] to begin[i + 1]"),
                CAIRN_PY(begin, "1", "(queries + 1)"))
CAIRN_PY_STRUCT(QueryArrays, CAIRN_PY(position, "m", "(queries, 3) world; must be given"),
                CAIRN_PY(orientation, "1", "(queries, 4)"), CAIRN_PY(direction, "1", "(queries, 3)"),
                CAIRN_PY(distance, "m", "(queries)"), CAIRN_PY(world, "1", "(queries) uint32"),
                CAIRN_PY(ignored, "1", "(queries) uint32, slot of a body; all bits set: none"))
CAIRN_PY_STRUCT(HitArrays, CAIRN_PY(body, "1", "(queries) uint32, slot; all bits set: nothing"),
                CAIRN_PY(shape, "1", "(queries) uint32"), CAIRN_PY(distance, "m", "(queries)"),
                CAIRN_PY(position, "m", "(queries, 3)"), CAIRN_PY(normal, "1", "(queries, 3)"))
CAIRN_PY_STRUCT(StateArrays, CAIRN_PY(position, "m", "(bodies, 3) world, of the body's own origin"),
                CAIRN_PY(orientation, "1", "(bodies, 4) x, y, z, w"),
                CAIRN_PY(linear_velocity, "m/s", "(bodies, 3) world, of the centre of mass"),
                CAIRN_PY(angular_velocity, "rad/s", "(bodies, 3) world"))
CAIRN_PY_STRUCT(ArticulationRows, CAIRN_PY(rows, "1", "articulations of all worlds"),
                CAIRN_PY(coordinates, "1", "of the one that has most"), CAIRN_PY(rates, "1", "the same"))
CAIRN_PY_STRUCT(ArticulationArrays, CAIRN_PY(q, "m, rad, 1", "(rows, coordinates)"),
                CAIRN_PY(v, "m/s, rad/s", "(rows, rates)"), CAIRN_PY(force, "N, N m", "(rows, rates)"),
                CAIRN_PY(target, "m, rad, 1", "(rows, coordinates)"),
                CAIRN_PY(target_rate, "m/s, rad/s", "(rows, rates)"))
CAIRN_PY_STRUCT(JointArrays, CAIRN_PY(coordinate, "m, rad", "(joints, 6) read alone"),
                CAIRN_PY(force, "N", "(joints, 3) read alone"), CAIRN_PY(torque, "N m", "(joints, 3) read alone"),
                CAIRN_PY(drive_target, "m, rad", "(joints, 6)"), CAIRN_PY(drive_rate, "m/s, rad/s", "(joints, 6)"),
                CAIRN_PY(drive_force, "N, N m", "(joints, 6)"),
                CAIRN_PY(drive_stiffness, "N/m, N m/rad", "(joints, 6)"),
                CAIRN_PY(drive_damping, "N s/m, N m s/rad", "(joints, 6)"))
CAIRN_PY_STRUCT(ScaleArrays, CAIRN_PY(world, "1", "(worlds, 4) size, mass, friction, restitution"),
                CAIRN_PY(body, "1", "(bodies, 2) size, mass"))

CAIRN_PY_STRUCT(Range, CAIRN_PY(low, "1", "at most high"), CAIRN_PY(high, "1", ""))
CAIRN_PY_STRUCT(PictureOptions, CAIRN_PY(width, "1", "pixels, 1 to 16384"), CAIRN_PY(height, "1", "pixels, 1 to 16384"),
                CAIRN_PY(samples, "1", "rays along each side of a pixel, 1 to 16"),
                CAIRN_PY(threads, "1", "0 takes the hardware's count; changes no pixel"))
CAIRN_PY_STRUCT(SceneFileLimits, CAIRN_PY(bytes, "B", ""), CAIRN_PY(depth, "1", "nesting"), CAIRN_PY(bodies, "1", ""),
                CAIRN_PY(shapes, "1", ""), CAIRN_PY(materials, "1", ""), CAIRN_PY(joints, "1", ""),
                CAIRN_PY(links, "1", ""), CAIRN_PY(ignored, "1", "pairs"), CAIRN_PY(shape_numbers, "1", ""))
CAIRN_PY_STRUCT(SnapshotLimits, CAIRN_PY(bytes, "B", "of what a file expands to"),
                CAIRN_PY(calls, "1", "of a recording, its steps included"))
CAIRN_PY_STRUCT(Difference, CAIRN_PY(step, "1", "of the recording, from 1 on; 0: it starts from another state"),
                CAIRN_PY(stage, "1", "the first that wrote something else, if known"),
                CAIRN_PY(body, "1", "the first that ends the step otherwise, if known"), CAIRN_PY(world, "1", "index"))
CAIRN_PY_STRUCT(Replay, CAIRN_PY(steps, "1", "whose hash was compared"), CAIRN_PY(hash, "1", "after the last of them"),
                CAIRN_PY(difference, "1", "None: every hash is as recorded"))

#undef CAIRN_PY
#undef CAIRN_PY_STRUCT

using Enums = std::tuple<BodyType, SolverKind, SweepKind, MixRule, OnOverflow, Device::Kind, JointAxis::Mode, JointDof,
                         ArticulationJointKind, ConstraintKind, Stage, Written>;

using Structs = std::tuple<
    // a class that another has as a default comes before it
    Device, DeviceInfo, Capacity, Tuning, WorldOptions, Material, Filter, Sphere, Box, Capsule, Plane, Cylinder, Cone,
    TaperedCylinder, Tube, Ellipsoid, RoundedBox, Shape, Inertia, PointMass, Body, BodyState, MassProperties, BodyPair,
    StepParams, WorldLimits, JointFrame, JointDrive, JointAxis, FixedJoint, BallJoint, HingeJoint, SliderJoint,
    ScrewJoint, CylindricalJoint, PlanarJoint, UniversalJoint, WheelJoint, GeneralJoint, DistanceJoint, PulleyJoint,
    GearJoint, ParallelJoint, Joint, JointAnchor, JointState, ArticulationJoint, ArticulationLink, Articulation,
    ArticulationState, SceneArticulation, ConstraintLaw, ConstraintGroup, Attachment, Fluid, ParticleSet,
    SceneParticles, fields::Gravity, fields::LinearDrag, fields::QuadraticDrag, fields::Wind, fields::Spring,
    fields::Springs, fields::LennardJones, fields::PairGravity, fields::Boids, fields::CurlNoise, SceneField, HighWater,
    StepReport, WorldReport, Contact::Point, Contact, ContactShape, ContactEvent, EndedContact, ContactEvents,
    ContactResidual, ConstraintResidual, QueryFilter, RayQuery, ShapeQuery, QueryHit, QueryHits, QueryArrays, HitArrays,
    StateArrays, ArticulationRows, ArticulationArrays, JointArrays, ScaleArrays, Range, Scales, BodyScales,
    Randomisation, PictureOptions, SceneFileLimits, SnapshotLimits, Difference, Replay>;

}  // namespace python
}  // namespace cairn
