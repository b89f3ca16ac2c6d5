// Tracks, dragging, muscles and virtual forces.

#include "src/c_api/c_call.h"
#include "src/c_api/describe.h"

struct cairn_track {
  cairn::Track content;
};
struct cairn_pose_track {
  cairn::PoseTrack content;
};
struct cairn_drag : cairn::c_api::OnWorld<cairn::Drag> {};
struct cairn_muscle : cairn::c_api::OnWorld<cairn::Muscle> {};

using namespace cairn::c_api;  // NOLINT
using cairn::BodyHandle;
using cairn::Drag;
using cairn::Muscle;
using cairn::World;

cairn_result cairn_track_create(const cairn_track_key* keys, size_t count, int32_t interpolation, int32_t repeats,
                                cairn_track** track) {
  return get(out("track", track), [&] {
    return cairn::Track(made<std::vector<cairn::TrackKey>>(list("keys", keys, count)),
                        made<cairn::Interpolation>(word("interpolation", interpolation)), repeats != 0);
  });
}

void cairn_track_destroy(cairn_track* track) { delete track; }

cairn_result cairn_track_at(const cairn_track* track, double time, double* value, double* rate) {
  return call(track, [&](const cairn::Track& t) {
    if (value != nullptr) *value = t.value(time);
    if (rate != nullptr) *rate = t.rate(time);
  });
}

cairn_result cairn_pose_track_create(const cairn_pose_key* keys, size_t count, int32_t repeats,
                                     cairn_pose_track** track) {
  return get(out("track", track), [&] {
    return cairn::PoseTrack(made<std::vector<cairn::PoseKey>>(list("keys", keys, count)), repeats != 0);
  });
}

void cairn_pose_track_destroy(cairn_pose_track* track) { delete track; }

cairn_result cairn_pose_track_at(const cairn_pose_track* track, double time, double position[3], float orientation[4]) {
  return call(track, [&](const cairn::PoseTrack& t) {
    require("position", position);
    require("orientation", orientation);
    const cairn::Pose pose = t.pose(time);
    put(position, pose.position);
    put(orientation, pose.orientation);
  });
}

cairn_result cairn_joint_follow(cairn_world* world, cairn_handle joint, int32_t dof, const cairn_track* track,
                                double time, float dt) {
  constexpr auto kFollow = taking<World&, cairn::JointHandle, cairn::JointDof, const cairn::Track&, double, float>;
  return call(world, kFollow(&cairn::follow), joint, word("dof", dof), in("track", track), time, dt);
}
cairn_result cairn_body_follow(cairn_world* world, cairn_handle body, const cairn_pose_track* track, double time,
                               float dt) {
  constexpr auto kFollow = taking<World&, BodyHandle, const cairn::PoseTrack&, double, float>;
  return call(world, kFollow(&cairn::follow), body, in("track", track), time, dt);
}

void cairn_drag_params_init(cairn_drag_params* to, size_t size) { initialise(to, size); }

cairn_result cairn_drag_create(cairn_world* world, cairn_handle body, const double point[3],
                               const cairn_drag_params* params, cairn_drag** drag) {
  return call(world, [&](World& w) {
    require("point", point);
    require("drag", drag);
    const auto how = made<cairn::DragParams>(or_null(params));
    *drag = new cairn_drag{world->content, Drag(w, handle(body), vec3(point), how)};
  });
}
cairn_result cairn_drag_pick(cairn_world* world, const cairn_query* ray, const cairn_drag_params* params,
                             cairn_drag** drag) {
  return call(world, [&](World& w) {
    require("drag", drag);
    const auto c = read<cairn_query>(ray, "cairn_query");
    if (c.shape != nullptr) throw cairn::InvalidArgument("cairn_query.shape must be null: a ray picks");
    std::optional<Drag> picked =
        Drag::pick(w, attributes_of<cairn::RayQuery>(c), made<cairn::DragParams>(or_null(params)));
    *drag = picked ? new cairn_drag{world->content, std::move(*picked)} : nullptr;
  });
}
cairn_result cairn_drag_move(cairn_drag* drag, const double target[3]) {
  return call(drag, &Drag::move, in("target", target));
}
cairn_result cairn_drag_over(const cairn_drag* drag, int32_t* over) {
  return get(drag, out("over", over), &Drag::over);
}
cairn_result cairn_drag_joint(const cairn_drag* drag, cairn_handle* joint) {
  return get(drag, out("joint", joint), &Drag::joint);
}
void cairn_drag_destroy(cairn_drag* drag) { delete drag; }

void cairn_muscle_params_init(cairn_muscle_params* to, size_t size) { initialise(to, size); }

cairn_result cairn_muscle_create(cairn_world* world, const cairn_muscle_point* path, size_t count,
                                 const cairn_muscle_params* params, cairn_muscle** muscle) {
  return call(world, [&](World& w) {
    require("muscle", muscle);
    auto points = made<std::vector<cairn::MusclePoint>>(list("path", path, count));
    const auto how = made<cairn::MuscleParams>(or_null(params));
    *muscle = new cairn_muscle{world->content, Muscle(w, std::move(points), how)};
  });
}
cairn_result cairn_muscle_copy(const cairn_muscle* muscle, cairn_muscle** copy) {
  return get(muscle, out("copy", copy), [&](const Muscle&) { return *muscle; });
}
void cairn_muscle_destroy(cairn_muscle* muscle) { delete muscle; }

cairn_result cairn_muscle_act(cairn_muscle* muscle, double excitation, float dt) {
  return call(muscle, &Muscle::act, excitation, dt);
}
cairn_result cairn_muscle_state(const cairn_muscle* muscle, double* activation, double* force, double* fibre_length,
                                double* length) {
  return call(muscle, [&](const Muscle& m) {
    // throws if a body of the path was removed
    const double of_path = length == nullptr ? 0 : m.length();
    if (activation != nullptr) *activation = m.activation();
    if (force != nullptr) *force = m.force();
    if (fibre_length != nullptr) *fibre_length = m.fibre_length();
    if (length != nullptr) *length = of_path;
  });
}

cairn_result cairn_world_virtual_force(const cairn_world* world, const cairn_handle* chain, size_t count,
                                       const double point[3], const float force[3], cairn_joint_effort* efforts) {
  return get(world, out_all("efforts", "efforts", efforts, count), &cairn::virtual_force, list("chain", chain, count),
             in("point", point), in("force", force));
}
cairn_result cairn_world_exert(cairn_world* world, const cairn_joint_effort* efforts, size_t count) {
  return call(world, &cairn::exert, list("efforts", efforts, count));
}
