// Public calls that compute with floats: those of World and of what is taken of it. rounding_test.cpp looks in these
// files whether one is left out. What is computed here, in the caller's mode, must be exact in each.

#include "cairn/device_arrays.h"
#include "cairn/queries.h"
#include "cairn/sensors.h"
#include "cairn/world_particles.h"
#include "cairn/world_scales.h"
#include "tests/rounding/support.h"

namespace cairn::rounding_test {

void worlds(Bits& bits) {
  Scene scene = mixed_scene();
  World world(std::vector<Scene>{scene, scene}, kOptions);
  world.start_recording();
  run(world, 25);
  world.step(0.0123f);
  const std::vector<BodyState> states = testing_support::states(world);
  bits("read_states", states);
  std::vector<BodyState> second(world.body_count(1));
  world.read_states(1, second);
  bits("read_states", second, world.state(world.bodies()[3]));
  bits("contacts", world.contacts());
  bits("contact_events", world.contact_events(), world.contact_events(1));
  bits("residual", world.residual(), world.residual(1), world.residuals());
  bits("report", world.report(), world.report(1), world.reports());
  bits("joint_state", world.state(world.joints()[0]));
  bits("anchors", world.anchors(world.joints()[0]));
  std::vector<double> driven(6 * (world.joints(0).size() + world.joints(1).size()), 0.3);
  world.arrays().set_joints({.drive_target = view(driven, static_cast<std::int64_t>(driven.size() / 6), 6)});
  world.arrays().get_joints({.coordinate = view(driven, static_cast<std::int64_t>(driven.size() / 6), 6)});
  bits("get_joints", driven, world.description(world.joints()[0]) == world.description(world.joints(1)[0]));
  std::vector<double> frictions(world.materials(0).size() + world.materials(1).size(), 0.1);
  const auto materials = static_cast<std::int64_t>(frictions.size());
  world.arrays().set_materials({.friction = view(frictions, materials)});
  world.arrays().get_materials({.friction = view(frictions, materials)});
  bits("get_materials", frictions, world.materials(0) == world.materials(1));
  bits("mass_properties", world.mass_properties(world.bodies()[3]));
  const ParticlesHandle rope = world.particles().list()[0];
  bits("constraint_forces", world.particles().constraint_forces(rope));
  bits("constraint_residuals", world.particles().constraint_residuals(rope));
  bits("constraint_residual", world.particles().constraint_residual().max,
       world.particles().constraint_residual(1).mean);
  bits("pressures", world.particles().pressures(rope), world.particles().densities(rope));
  bits("state_hash", world.state_hash(), world.state_hashes());
  const Snapshot snapshot = world.snapshot(), one = world.snapshot(1);
  bits("snapshot", snapshot.time(1));
  bits("to_bytes", snapshot.to_bytes(), one.to_bytes());
  bits("save", through_file(".snapshot", [&](const auto& file) {
         snapshot.save(file);
         bits("load", Snapshot::load(file).to_bytes());
       }));
  const Recording recording = world.stop_recording();
  bits("recording", recording.to_bytes(), Recording::from_bytes(recording.to_bytes(), "here").to_bytes());
  through_file(".recording", [&](const auto& file) {
    recording.save(file);
    bits("recording", Recording::load(file).to_bytes());
  });
  const Replay again = replay(recording, kOptions);
  bits("replay", again.steps, again.hash, again.difference.has_value());
  World played(recording.start(), kOptions);
  Playback playback(played, recording);
  while (playback.step()) {
  }
  bits("Playback", played.state_hash(), playback.differs_at().has_value());
  playback.seek(10);
  bits("seek", played.state_hash());
  World other(Snapshot::from_bytes(snapshot.to_bytes(), "here"), kOptions);
  World branches = World::copies(one, 2, kOptions);
  run(branches, 3);
  bits("copies", branches.state_hash(), World::copies(scene, 2, kOptions).state_hash());
  run(other, 5);
  bits("restored", other.state_hash());
  other.restore(snapshot);
  other.restore(one, 0, 1);
  const std::uint8_t both[] = {1, 1};
  other.restore(one, 0, both);
  run(other, 5);
  other.wait();
  bits("restored", other.state_hash());
  other.reset();
  other.reset(1);
  other.reset(both);
  run(other, 5);
  bits("reset", other.state_hash());
  QualityMeter meter(scene);
  std::span<const BodyState> first = std::span(states).first(scene.bodies().size());
  meter.observe(first);
  meter.observe(0.01);
  bits("QualityMeter", meter.measure(first), meter.max_excursion());
  World alone(scene, kOptions);
  run(alone, 5);
  meter.observe(alone);
  bits("QualityMeter", meter.measure(alone));
  bits("render", render(alone, {.width = 48, .height = 27, .samples = 1}).rgb);
  bits("render", png(render(scene.bodies(), first, {0.1f, 0, 1}, {.width = 48, .height = 27, .samples = 1})));
  const PictureOptions framed = framing(alone);
  bits("picture_color", picture_color(3), picture_color(3, false),
       picture_color(Body{.color = Vec3{0.3f, 0.7f, 0.1f}}, 3));
  Scene seen = scene;
  seen.add_camera({"along", {{1.1, -9.3, 2.7}, {0.1, 0.3, 0.7}, 33.3}, 3});
  const PictureCamera now = camera_now(seen.cameras()[0], seen, world, 1);
  bits("camera_now", std::array{now.eye, now.target});
  bits("framing", std::array{framed.camera->eye, framed.camera->target}, *framed.sun);
  bits("write_picture", through_file(".png", [&](const auto& file) {
         write_picture(alone, file, {.width = 48, .height = 27, .samples = 1});
       }));
}

void edits(Bits& bits) {
  const auto with = [&](const char* name, const auto& edit) {
    World world(std::vector<Scene>{mixed_scene(), mixed_scene()}, kOptions);
    run(world, 3);
    edit(world, world.bodies());
    run(world, 12);
    bits(name, testing_support::states(world));
  };
  with("set_state", [](World& w, const auto& b) {
    w.set_state(b[3], {{0.1, 0.2, 3.3}, {0.1f, 0.2f, 0.3f, 0.9f}, {1, 2, 3}, {0.1f, 0.2f, 0.3f}});
  });
  with("set_pose", [](World& w, const auto& b) { w.set_pose(b[2], {0.11, 0.13, 1.9}, {0.3f, 0.1f, 0, 1}); });
  with("set_velocity", [](World& w, const auto& b) { w.set_velocity(b[2], {0.1f, 1e-40f, 0}, {0.3f, 0.1f, 0}); });
  with("move_to", [](World& w, const auto& b) {
    for (int i = 1; i < 20; ++i) {
      w.move_to(b[6], {3 - 0.0625 * i, 0.015625 * i, 1 + 0.03125 * i},
                {0.015625f * static_cast<float>(i), 0.02f, 0.3f, 1}, 1 / 60.f);
      w.step();
    }
  });
  with("add_force", [](World& w, const auto& b) {
    for (int i = 0; i < 3; ++i) w.add_force(b[2], {0.1f, 0.7f, 1e3f}), w.add_torque(b[2], {0.1f, 0.3f, 17});
    w.add_impulse(b[2], {0.1f, 0.3f, 0.7f});
    w.add_impulse(b[2], {0.3f, 0.1f, 0.7f}, {0.1, 0.3, 0.7});
    w.add_angular_impulse(b[2], {0.7f, 0.3f, 0.1f});
    w.add_force(b[3], {101.7f, 33.3f, 17.1f}, {0.033, 0.31, 1.77});
    w.add_force(b[3], {11.7f, 3.3f, 7.1f}, {0.133, 0.31, 1.77});
  });
  with("set_mass", [](World& w, const auto& b) { w.set_mass(b[3], 333.3f); });
  with("set_body", [](World& w, const auto& b) {
    Body body = w.description(b[3]);
    body.linear_damping = 0.1f;
    body.gravity_scale = 0.3f;
    w.set_body(b[3], body);
  });
  with("set_type",
       [](World& w, const auto& b) { w.set_type(b[1], BodyType::kKinematic), w.set_type(b[1], BodyType::kDynamic); });
  with("set_enabled", [](World& w, const auto& b) { w.set_enabled(b[1], false), w.set_enabled(b[1], true); });
  with("set_body_material", [](World& w, const auto& b) {
    w.set_material(b[1], w.add_material({.name = "n", .density = 77, .friction = 0.1f}, 0));
  });
  with("set_material",
       [](World& w, const auto&) { w.set_material(0, {.name = "m", .density = 777.7f, .friction = 0.1f}, 0); });
  with("set_filter", [](World& w, const auto& b) {
    w.set_filter(b[1], {1, 1, 1}), w.ignore(b[2], b[3]), w.wake(b[2]);
  });
  with("add_body", [](World& w, const auto& b) {
    w.add_body([] {
      Body body = mixed_scene().bodies()[3];
      body.name = "new", body.position = {0.3, 0.2, 9};
      return body;
    }());
    w.remove_body(b[1]);
  });
  with("add_joint", [](World& w, const auto& b) {
    Joint joint{.name = "x", .body_a = w.index_of(b[1]), .body_b = w.index_of(b[2]), .kind = BallJoint{}};
    joint.frame_a.position = {0.1, 0.2, 0.7};
    joint.frame_b.position = {0.1, 0.2, -0.4};
    const JointHandle added = w.add_joint(joint);
    w.remove_joint(w.joints()[0]);
    w.set_drive(added, JointDof::kTwist, {.stiffness = 100, .damping = 1, .target = 0.3f, .max_force = 1e3f});
  });
  with("set_joint", [](World& w, const auto&) {
    Joint joint = w.description(w.joints()[0]);
    joint.frame_a.position.x += 0.1;
    w.set_joint(w.joints()[0], joint);
  });
  with("set_drive", [](World& w, const auto&) {
    w.set_drive(w.joints()[0], {.stiffness = 100, .damping = 1, .target = 0.3f, .max_force = 1e3f});
  });
  with("set_params", [](World& w, const auto&) {
    StepParams p = w.params();
    p.max_depenetration_speed = 1.7f, p.dt = 0.013f;
    w.set_params(p);
    p.restitution_threshold = 0.3f;
    w.set_params(p, 1);
    w.set_gravity({0.1f, 1e-40f, -9.1f}, 0);
    w.set_limits({.speed = 1e3f});
    w.set_limits({.speed = 1e2f}, 1);
    w.set_origin({0.1, 0.2, 0.3}, 1);
    w.clear_status();
  });
  with("set_fields", [](World& w, const auto&) {
    w.set_fields({{fields::PairGravity{1e-3, 0.1}}, {fields::QuadraticDrag{0.1}}}, 0);
  });
  // worlds with particles can't be scaled
  const auto scaled = [&](const char* name, const auto& edit) {
    Scene boxes;
    boxes.add_material({.name = "m", .density = 700});
    for (int i = 0; i < 4; ++i)
      boxes.add_body([&] {
        Body body = mixed_scene().bodies()[static_cast<std::size_t>(i)];
        return body;
      }());
    World world(std::vector<Scene>{boxes, boxes}, kOptions);
    run(world, 3);
    edit(world, world.bodies());
    run(world, 12);
    bits(name, testing_support::states(world), world.scales().get(1), world.scales().get(world.bodies()[2]),
         world.mass_properties(world.bodies()[2]),
         *world.scales().description(world.bodies()[2]).shapes.begin() == Shape{});
  };
  scaled("set_scales", [](World& w, const auto& b) {
    w.scales().set({.size = 1.13f, .mass = 0.77f, .friction = 0.9f}, 1);
    w.scales().set(BodyScales{1.1f, 0.9f}, b[2]);
  });
  scaled("randomise", [](World& w, const auto&) {
    const std::uint8_t both[] = {1, 1};
    w.scales().set_seed(7, 1);
    w.scales().randomise(
        both,
        {.mass = {0.8f, 1.2f}, .friction = {0.5f, 1}, .body_size = {0.95f, 1.05f}, .position = {0.01f, 0.01f, 0}});
  });
  scaled("set_all_scales", [](World& w, const auto& b) {
    std::vector<float> of_worlds{1.1f, 0.7f, 0.9f, 0.3f, 1.3f, 0.9f, 0.1f, 0.7f}, of_bodies(3 * b.size(), 1.07f);
    w.arrays().set_scales(
        {dense_view(of_worlds.data(), ElementType::kFloat32, Device::cpu(), 2, 4),
         dense_view(of_bodies.data(), ElementType::kFloat32, Device::cpu(), static_cast<std::int64_t>(b.size()), 3)});
  });
  with("write_states", [](World& w, const auto&) {
    std::vector<BodyState> states = testing_support::states(w);
    for (BodyState& s : states) std::swap(s.position.x, s.position.y), s.orientation.x = 0.1f;
    w.write_states(states);
    std::vector<BodyState> of_one(w.body_count(1));
    w.read_states(1, of_one);
    w.write_states(1, of_one);
  });
  with("set_states", [](World& w, const auto& b) {
    const auto n = static_cast<std::int64_t>(b.size());
    std::vector<double> x(3 * b.size());
    std::vector<float> q(4 * b.size()), v(3 * b.size());
    const StateArrays all{dense_view(x.data(), ElementType::kFloat64, Device::cpu(), n, 3),
                          dense_view(q.data(), ElementType::kFloat32, Device::cpu(), n, 4),
                          dense_view(v.data(), ElementType::kFloat32, Device::cpu(), n, 3),
                          {}};
    w.arrays().get_states(all);
    w.arrays().set_states(all);
    w.arrays().move_to({.position = all.position, .orientation = all.orientation}, 0.07f);
    w.arrays().written(Written::kPoses);
    const std::uint8_t second[] = {0, 1};
    w.arrays().reset(second);
  });
}

void queries(Bits& bits) {
  World world(mixed_scene(), kOptions);
  run(world, 10);
  ShapeQuery shape;
  shape.geometry = Box{{0.3f, 0.2f, 0.1f}};
  shape.position = {0.1, 0.02, 7};
  shape.orientation = {0.1f, 0.2f, 0.3f, 1};
  shape.direction = {0.01f, 0.03f, -1};
  ShapeQuery within = shape;
  within.position.z = 1.7;
  const RayQuery ray{.origin = {0.1, 0.02, 7.3}, .direction = {0.01f, 0.03f, -1.7f}};
  bits("cast_rays", world.queries().cast_rays({&ray, 1}), world.queries().cast_rays_all({&ray, 1}));
  bits("cast_shapes", world.queries().cast_shapes({&shape, 1}), world.queries().cast_shapes_all({&shape, 1}));
  bits("overlaps", world.queries().overlaps({&within, 1}));
  bits("closest", world.queries().closest({&shape, 1}), world.queries().closest_all({&within, 1}));
  const auto arrays = [&](const char* name, const auto& ask) {
    double x[3] = {0.1, 0.02, 7.3}, distance[1] = {}, position[3] = {};
    float normal[3] = {};
    const QueryArrays from{.position = dense_view(x, ElementType::kFloat64, Device::cpu(), 1, 3)};
    const HitArrays to{.distance = dense_view(distance, ElementType::kFloat64, Device::cpu(), 1),
                       .position = dense_view(position, ElementType::kFloat64, Device::cpu(), 1, 3),
                       .normal = dense_view(normal, ElementType::kFloat32, Device::cpu(), 1, 3)};
    ask(from, to);
    bits(name, distance[0], position[0], position[1], position[2], normal[0], normal[1], normal[2]);
  };
  arrays("cast_rays", [&](const auto& from, const auto& to) { world.queries().cast_rays(from, to, ray); });
  arrays("cast_shapes", [&](const auto& from, const auto& to) { world.queries().cast_shapes(from, to, shape); });
  arrays("overlaps", [&](const auto& from, const auto& to) { world.queries().overlaps(from, to, shape); });
  arrays("closest", [&](const auto& from, const auto& to) { world.queries().closest(from, to, shape); });

  const Site on{3, {0.1, 0.2, 0.3}, {0.1f, 0.2f, 0.3f, 1}};
  SensorSet set{.frames = {{on, {4}}}, .imus = {{on}}, .contacts = {{1}, {3, 2}}};
  set.scans = {{.site = on, .directions = {{0.01f, 0.03f, -1.7f}, {1, 0.3f, 0.1f}}, .axes = RayAxes::kYaw}};
  set.cameras = {{.site = {kWorldBody, {0.1, 0.02, 7.3}}, .width = 4, .height = 3}};
  Sensors sensors(world, set);
  for (int i = 0; i < 3; ++i) world.step(), sensors.update();
  for (const NamedArray& array : sensors.list()) {
    std::int64_t words = 1;
    for (int i = 0; i < array.view.rank; ++i) words *= array.view.shape[static_cast<std::size_t>(i)];
    bits("Sensors", std::span(static_cast<const std::uint32_t*>(array.view.data), static_cast<std::size_t>(words)));
  }
}

}  // namespace cairn::rounding_test
