// Tracks, dragging, muscles and virtual forces.

#include "cairn/drag.h"
#include "cairn/muscle.h"
#include "cairn/track.h"
#include "cairn/virtual_force.h"
#include "src/c_api/lists.h"
#include "src/c_api/structs.h"

struct cairn_track {
  cairn::Track track;
};
struct cairn_pose_track {
  cairn::PoseTrack track;
};
// the world first: it ends last
struct cairn_drag {
  std::shared_ptr<cairn::World> world;
  cairn::Drag drag;
};
struct cairn_muscle {
  std::shared_ptr<cairn::World> world;
  cairn::Muscle muscle;
};

namespace cairn::c_api {
namespace {

static_assert(int{CAIRN_TRACK_SMOOTH} == static_cast<int>(Interpolation::kSmooth));
// another member needs its twin
static_assert(sizeof(DragParams) == 3 * sizeof(float) && sizeof(MuscleParams) == 10 * sizeof(double));
static_assert(sizeof(cairn_joint_effort::effort) == kJointDofs * sizeof(double));

JointHandle joint_handle(cairn_handle h) { return {h.index, h.generation}; }

DragParams drag_params_of(const cairn_drag_params* given) {
  if (given == nullptr) return {};
  const cairn_drag_params c = read<cairn_drag_params>(given, "cairn_drag_params");
  return {c.frequency, c.damping_ratio, c.max_acceleration};
}

MuscleParams muscle_params_of(const cairn_muscle_params* given) {
  if (given == nullptr) return {};
  const cairn_muscle_params c = read<cairn_muscle_params>(given, "cairn_muscle_params");
  return {c.max_isometric_force, c.optimal_fibre_length, c.tendon_slack_length, c.pennation,       c.max_fibre_speed,
          c.tendon_strain,       c.fibre_strain,         c.fibre_damping,       c.activation_time, c.deactivation_time};
}

RayQuery ray_of(const cairn_query* given) {
  const cairn_query c = read<cairn_query>(given, "cairn_query");
  if (c.shape != nullptr) throw InvalidArgument("cairn_query.shape must be null: a ray picks");
  return {vec3(c.position),
          vec3(c.direction),
          c.distance,
          c.world,
          {{c.category, c.mask, c.group}, handle(c.ignored), c.sensors != 0}};
}

}  // namespace

template <>
cairn_drag_params defaults() {
  const DragParams p;
  return {sizeof(cairn_drag_params), p.frequency, p.damping_ratio, p.max_acceleration};
}

template <>
cairn_muscle_params defaults() {
  const MuscleParams p;
  return {sizeof(cairn_muscle_params),
          p.max_isometric_force,
          p.optimal_fibre_length,
          p.tendon_slack_length,
          p.pennation,
          p.max_fibre_speed,
          p.tendon_strain,
          p.fibre_strain,
          p.fibre_damping,
          p.activation_time,
          p.deactivation_time};
}

}  // namespace cairn::c_api

using namespace cairn::c_api;  // NOLINT
using cairn::World;

cairn_result cairn_track_create(const cairn_track_key* keys, size_t count, int32_t interpolation, int32_t repeats,
                                cairn_track** track) {
  return guarded([&] {
    require("track", track);
    std::vector<cairn::TrackKey> all;
    for (const cairn_track_key& key : list_of<cairn_track_key>(keys, count, "keys")) {
      all.push_back({key.time, key.value});
    }
    const auto between = enum_of(interpolation, cairn::Interpolation::kSmooth, "interpolation");
    *track = new cairn_track{cairn::Track(std::move(all), between, repeats != 0)};
  });
}

void cairn_track_destroy(cairn_track* track) { delete track; }

cairn_result cairn_track_at(const cairn_track* track, double time, double* value, double* rate) {
  return guarded([&] {
    require("track", track);
    if (value != nullptr) *value = track->track.value(time);
    if (rate != nullptr) *rate = track->track.rate(time);
  });
}

cairn_result cairn_pose_track_create(const cairn_pose_key* keys, size_t count, int32_t repeats,
                                     cairn_pose_track** track) {
  return guarded([&] {
    require("track", track);
    std::vector<cairn::PoseKey> all;
    for (const cairn_pose_key& key : list_of<cairn_pose_key>(keys, count, "keys")) {
      all.push_back({key.time, vec3(key.position), quat(key.orientation)});
    }
    *track = new cairn_pose_track{cairn::PoseTrack(std::move(all), repeats != 0)};
  });
}

void cairn_pose_track_destroy(cairn_pose_track* track) { delete track; }

cairn_result cairn_pose_track_at(const cairn_pose_track* track, double time, double position[3], float orientation[4]) {
  return guarded([&] {
    require("track", track);
    require("position", position);
    require("orientation", orientation);
    const cairn::Pose pose = track->track.pose(time);
    put(position, pose.position);
    put(orientation, pose.orientation);
  });
}

cairn_result cairn_joint_follow(cairn_world* world, cairn_handle joint, int32_t dof, const cairn_track* track,
                                double time, float dt) {
  return with(world, [&](World& w) {
    require("track", track);
    const auto axis = static_cast<cairn::JointDof>(enum_of(dof, CAIRN_SWING_Z, "dof"));
    cairn::follow(w, joint_handle(joint), axis, track->track, time, dt);
  });
}

cairn_result cairn_body_follow(cairn_world* world, cairn_handle body, const cairn_pose_track* track, double time,
                               float dt) {
  return with(world, [&](World& w) {
    require("track", track);
    cairn::follow(w, handle(body), track->track, time, dt);
  });
}

void cairn_drag_params_init(cairn_drag_params* params, size_t size) {
  initialise(params, size, defaults<cairn_drag_params>());
}

cairn_result cairn_drag_create(cairn_world* world, cairn_handle body, const double point[3],
                               const cairn_drag_params* params, cairn_drag** drag) {
  return with(world, [&](World& w) {
    require("point", point);
    require("drag", drag);
    *drag = new cairn_drag{world->world, cairn::Drag(w, handle(body), vec3(point), drag_params_of(params))};
  });
}

cairn_result cairn_drag_pick(cairn_world* world, const cairn_query* ray, const cairn_drag_params* params,
                             cairn_drag** drag) {
  return with(world, [&](World& w) {
    require("drag", drag);
    std::optional<cairn::Drag> picked = cairn::Drag::pick(w, ray_of(ray), drag_params_of(params));
    *drag = picked ? new cairn_drag{world->world, std::move(*picked)} : nullptr;
  });
}

cairn_result cairn_drag_move(cairn_drag* drag, const double target[3]) {
  return guarded([&] {
    require("drag", drag);
    require("target", target);
    drag->drag.move(vec3(target));
  });
}

cairn_result cairn_drag_over(const cairn_drag* drag, int32_t* over) {
  return guarded([&] {
    require("drag", drag);
    require("over", over);
    *over = drag->drag.over() ? 1 : 0;
  });
}

cairn_result cairn_drag_joint(const cairn_drag* drag, cairn_handle* joint) {
  return guarded([&] {
    require("drag", drag);
    require("joint", joint);
    const cairn::JointHandle of = drag->drag.joint();
    *joint = {of.index, of.generation};
  });
}

void cairn_drag_destroy(cairn_drag* drag) { delete drag; }

void cairn_muscle_params_init(cairn_muscle_params* params, size_t size) {
  initialise(params, size, defaults<cairn_muscle_params>());
}

cairn_result cairn_muscle_create(cairn_world* world, const cairn_muscle_point* path, size_t count,
                                 const cairn_muscle_params* params, cairn_muscle** muscle) {
  return with(world, [&](World& w) {
    require("muscle", muscle);
    std::vector<cairn::MusclePoint> points;
    for (const cairn_muscle_point& point : list_of<cairn_muscle_point>(path, count, "path")) {
      points.push_back({handle(point.body), vec3(point.position)});
    }
    *muscle = new cairn_muscle{world->world, cairn::Muscle(w, std::move(points), muscle_params_of(params))};
  });
}

cairn_result cairn_muscle_copy(const cairn_muscle* muscle, cairn_muscle** copy) {
  return guarded([&] {
    require("muscle", muscle);
    require("copy", copy);
    *copy = new cairn_muscle(*muscle);
  });
}

void cairn_muscle_destroy(cairn_muscle* muscle) { delete muscle; }

cairn_result cairn_muscle_act(cairn_muscle* muscle, double excitation, float dt) {
  return guarded([&] {
    require("muscle", muscle);
    muscle->muscle.act(excitation, dt);
  });
}

cairn_result cairn_muscle_state(const cairn_muscle* muscle, double* activation, double* force, double* fibre_length,
                                double* length) {
  return guarded([&] {
    require("muscle", muscle);
    // throws where a body of the path was removed
    const double of_path = length == nullptr ? 0 : muscle->muscle.length();
    if (activation != nullptr) *activation = muscle->muscle.activation();
    if (force != nullptr) *force = muscle->muscle.force();
    if (fibre_length != nullptr) *fibre_length = muscle->muscle.fibre_length();
    if (length != nullptr) *length = of_path;
  });
}

cairn_result cairn_world_virtual_force(const cairn_world* world, const cairn_handle* chain, size_t count,
                                       const double point[3], const float force[3], cairn_joint_effort* efforts) {
  return with(world, [&](const World& w) {
    require("point", point);
    require("force", force);
    if (count != 0) require("efforts", efforts);
    std::vector<cairn::JointHandle> joints;
    for (const cairn_handle joint : list_of<cairn_handle>(chain, count, "chain")) joints.push_back(joint_handle(joint));
    for (const cairn::JointEffort& from : cairn::virtual_force(w, joints, vec3(point), vec3(force))) {
      efforts->joint = {from.joint.index, from.joint.generation};
      std::copy(from.effort.begin(), from.effort.end(), efforts->effort);
      ++efforts;
    }
  });
}

cairn_result cairn_world_exert(cairn_world* world, const cairn_joint_effort* efforts, size_t count) {
  return with(world, [&](World& w) {
    std::vector<cairn::JointEffort> all;
    for (const cairn_joint_effort& from : list_of<cairn_joint_effort>(efforts, count, "efforts")) {
      all.push_back({joint_handle(from.joint), std::to_array(from.effort)});
    }
    cairn::exert(w, all);
  });
}
