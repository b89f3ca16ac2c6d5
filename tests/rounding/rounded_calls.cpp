// Public calls that compute with floats: scenes, files, solids and masses, what drives bodies, particles,
// articulations. rounding_test.cpp looks in these files whether one is left out. What is computed here, in the caller's
// mode, must be exact in each.

#include "cairn/device_arrays.h"
#include "cairn/world_articulations.h"
#include "cairn/world_particles.h"
#include "tests/rounding/support.h"

namespace cairn::rounding_test {
namespace {

Articulation arm() {
  Articulation a{.name = "arm"};
  for (std::uint32_t i = 0; i < 3; ++i) {
    ArticulationLink link{.name = "link" + std::to_string(i),
                          .parent = i == 0 ? kWorldLink : i - 1,
                          .mass = 1.3,
                          .inertia = {.moments = {0.011f, 0.02f, 0.023f}}};
    link.joint = {.kind = i % 2 != 0 ? ArticulationJointKind::kRevolute : ArticulationJointKind::kBall,
                  .damping = 0.3,
                  .friction = 0.1,
                  .drive_stiffness = 0.7,
                  .drive_damping = 0.1};
    link.frame_in_parent.position = {0.31, 0.02, i == 0 ? 5.1 : 0.1};
    link.shapes.push_back({.geometry = Sphere{0.03f}});
    a.links.push_back(link);
  }
  return a;
}

const char* const kScene = R"({"cairn": 1, "bodies": [{"name": "b", "type": "dynamic", "mass": 1.1,
  "position": [0.1, 0.2, 0.3], "orientation_xyzw": [0.1, 0.2, 0.3, 0.4], "linear_velocity": [1e-39, 3e-41, 0.7],
  "shapes": [{"sphere": {"radius": 0.1}}]}], "gravity": [1e-40, 0, -9.81], "solver": {"dt": 0.0166667}})";
const char* const kObj =
    "v 0.1 0 0\nv 1.1 0.3 1e-40\nv 0 1.7 0.123456789\nv 0 0.3 1.2e-39\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
const char* const kStl =
    "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0.1 0 0\nvertex 1.3 0 1e-40\nvertex 0 1.7 0.1\n"
    "endloop\nendfacet\nendsolid a\n";

}  // namespace

Scene mixed_scene() {
  Scene s;
  s.add_material({.name = "m", .density = 700, .friction = 0.5f, .restitution = 0.3f});
  Body floor{.name = "floor", .type = BodyType::kStatic};
  floor.shapes.push_back({.geometry = Plane{{0.1f, 0.05f, 1}}});
  s.add_body(floor);
  for (int i = 0; i < 5; ++i) {
    Body b{.name = "b" + std::to_string(i), .position = {0.015625 * i, 0.03125 * i, 0.625 + 1.0625 * i}};
    b.shapes.push_back({.geometry = Box{{0.4f, 0.33f, 0.51f}}});
    b.linear_damping = 1e-40f;
    if (i == 2) b.point_masses.push_back({3, {0.1f, 0.2f, 0.05f}});
    s.add_body(b);
  }
  Body k{.name = "k", .type = BodyType::kKinematic, .position = {3, 0, 1}};
  k.shapes.push_back({.geometry = Tube{0.5f, 0.3f, 0.5f}});
  s.add_body(k);
  Joint j{.name = "j", .body_a = 4, .body_b = 5, .kind = HingeJoint{}};
  j.frame_a.position = {0.1, 0.2, 0.5};
  s.add_joint(j);
  ParticleSet rope{.name = "rope", .mass = 0.013f};
  ConstraintGroup links{.law = {.compliance = 1e-5f}};
  for (std::uint32_t i = 0; i < 6; ++i) {
    rope.positions.push_back({5 + 0.125 * i, 0.0625 * i, 1.1});
    if (i > 0) links.particles.insert(links.particles.end(), {i - 1, i});
  }
  rope.constraints = {links};
  s.add_particles(rope);
  s.add_field({fields::CurlNoise{0.5, 1, 0.7, 3}});
  s.add_field({fields::Wind{{1, 2, 3}, 0.3, 0.1, {1, 0, 0}, 3.3}});
  return s;
}

void scenes_and_files(Bits& bits) {
  Scene s = mixed_scene();
  s.add_articulation(arm());
  s.ignore(1, 3);
  s.set_gravity({1e-40f, 0.1f, -9.81f});
  s.set_params({.dt = 0.0123f});
  s.set_limits({.speed = 1e4f});
  bits("Scene", scene_to_json(s));
  const Scene read = parse_scene(kScene, "text", {}, {});
  bits("parse_scene", scene_to_json(read));
  const std::string written = through_file(".json", [&](const auto& file) {
    std::ofstream(file) << kScene;
    bits("load_scene", scene_to_json(load_scene(file)));
  });
  for (const auto& mesh : {std::pair{".obj", kObj}, {".stl", kStl}}) {
    through_file(mesh.first, [&](const auto& file) {
      std::ofstream(file) << mesh.second;
      bits("load_surface", load_surface(file));
    });
  }
  bits("parse_obj", parse_obj(kObj, "obj"));
  bits("parse_stl", parse_stl(kStl, "stl"));
  validate(Material{.name = "a", .density = 1e-40f}, "a");
  validate(s.bodies()[1], s.materials(), "b");
  validate(s.params());
  validate(s.limits());
  for (std::uint32_t i = 0; i < 4; ++i) bits("random_uniforms", random_uniforms(7, 1, RandomStream::kUser, i));
  bits("philox4x32", philox4x32({1, 2, 3, 4}, {5, 6}));
  const std::vector<std::string> warnings = constraint_warnings(s);
  for (const std::string& warning : warnings) bits("constraint_warnings", warning);
  bits("estimate_memory", estimate_memory(s, 2, kOptions));
}

void solids_and_masses(Bits& bits) {
  const std::vector<Vec3> points{
      {0.1f, 0, 0}, {1.1f, 0.3f, 1e-40f}, {0, 1.7f, 0.12f}, {0.3f, 0.3f, 1.2f}, {0.4f, 0.9f, 0.7f}};
  const ConvexHull hull(points);
  bits("ConvexHull", hull.vertices());
  const std::vector<TriangleMesh::Triangle> triangles{{0, 1, 2}, {1, 2, 3}, {0, 2, 3}, {0, 1, 3}};
  const TriangleMesh mesh(points, triangles);
  bits("TriangleMesh", mesh.vertices(), mesh.triangles(), mesh.dropped());
  const HeightField field(2, 2, 0.3f, std::vector<float>{1e-40f, -0.0f, 0.1f, 0.7f});
  bits("HeightField", field.columns(), field.rows(), field.spacing(), field.heights());
  const Geometry solids[] = {Sphere{0.3f},
                             Box{{0.1f, 0.2f, 0.3f}},
                             Capsule{0.1f, 0.7f},
                             Cylinder{0.3f, 0.1f},
                             Cone{0.3f, 0.7f},
                             TaperedCylinder{0.3f, 0.1f, 0.7f},
                             Tube{0.3f, 0.1f, 1},
                             Ellipsoid{{0.1f, 0.2f, 0.3f}},
                             RoundedBox{{0.3f, 0.3f, 0.4f}, 0.07f},
                             hull};
  std::vector<MassProperties> all;
  for (const Geometry& solid : solids) all.push_back(mass_properties(solid, 713.3));
  all.push_back(mass_properties_of_hollow_ball(0.31, 0.17, 1.3));
  all.push_back(mass_properties(PointMass{1.3f, {0.1f, 0.2f, 0.3f}}));
  all.push_back(moved(all[1], {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3, 0.9}));
  all.push_back(together(all));
  bits("mass", all);
  Body body = mixed_scene().bodies()[3];
  bits("mass_properties", mass_properties(body, mixed_scene().materials()));
  give_mass(body, all.back());
  bits("give_mass", *body.mass, *body.inertia, *body.centre_of_mass);
  bits("inertia_of", inertia_of(all[4]));
  const Inertia impossible{{1, 1.3f, 5.1f}, {0.1f, 0.2f, 0.3f}};
  bits("repaired", repaired(impossible), fault_of(impossible));
  bits("rayleigh_time", rayleigh_time(0.013f, 2500, 7.1e7f, 0.23f));
}

void actuators(Bits& bits) {
  const Track track({{0, 0}, {0.3, 0.7}, {1, -0.4}});
  const PoseTrack path({{0, {3, 0, 1}, {}}, {1, {0.3, 0.2, 1.3}, {0.1f, 0.5f, 0.2f, 0.7f}}});
  for (int i = 0; i < 20; ++i) bits("Track", track.value(0.0625 * i), track.rate(0.0625 * i), path.pose(0.0625 * i));
  {
    World w(mixed_scene(), kOptions);
    const JointHandle j = w.joints()[0];
    w.set_drive(j, {.stiffness = 100, .damping = 10, .max_force = 1000});
    for (int i = 1; i <= 20; ++i) {
      follow(w, j, JointDof::kTwist, track, i * 0.015625, 1 / 60.f);
      follow(w, w.bodies()[6], path, i * 0.015625, 1 / 60.f);
      w.step();
    }
    bits("follow", testing_support::states(w), w.drive(j, JointDof::kTwist).rate);
  }
  {
    World w(mixed_scene(), kOptions);
    Drag drag(w, w.bodies()[3], {0.05, 0.07, 2.9});
    for (int i = 0; i < 12; ++i) drag.move({0.0625 + 0.015625 * i, 0.1, 3}), w.step();
    std::optional<Drag> picked = Drag::pick(w, {.origin = {0.1, 0.1, 12}, .direction = {0.001f, 0, -1}});
    if (picked) picked->move({0.3, 0.1, 6.1});
    run(w, 5);
    bits("Drag", testing_support::states(w), picked.has_value());
  }
  {
    World w(mixed_scene(), kOptions);
    Muscle m(w, {{w.bodies()[3], {0.1, 0.1, 0.1}}, {w.bodies()[5], {0.1, 0.0, 0.1}}},
             {.max_isometric_force = 1000, .optimal_fibre_length = 0.8, .tendon_slack_length = 1.1, .pennation = 0.3});
    for (int i = 0; i < 12; ++i) m.act(0.6, 1 / 60.f), w.step();
    bits("Muscle", testing_support::states(w), m.length(), m.force(), m.fibre_length(), m.activation());
  }
  {
    World w(mixed_scene(), kOptions);
    for (int i = 0; i < 12; ++i) {
      const auto efforts = virtual_force(w, w.joints(), {0.3, 0.4, 5.1}, {13.7f, 3.1f, 21.3f});
      exert(w, efforts);
      w.step();
      bits("virtual_force", efforts);
    }
    bits("exert", testing_support::states(w));
  }
}

void particles(Bits& bits) {
  World w(mixed_scene(), kOptions);
  BodyFields on(w);
  on.add(fields::PairGravity{1e-3, 0.1});
  on.add(fields::CurlNoise{0.5, 1, 0.7, 3});
  for (int i = 0; i < 12; ++i) on.apply(), w.step();
  bits("BodyFields", on.forces(), testing_support::states(w));
  for (const Precision precision : {Precision::kDouble, Precision::kFloat}) {
    ParticleStates start;
    for (int i = 0; i < 40; ++i) start.position.push_back({0.125 * i, 0.03125 * i * i, 0.25 * (i % 7)});
    ParticleSystem p(start, Device::cpu(), precision);
    p.add(fields::PairGravity{1e-2, 0.1});
    p.set_time(0.1);
    bits("rates", p.rates());
    p.integrate(0.5, 0.013, Integrator::kRungeKutta4);
    p.integrate(0.8, 0.013, Integrator::kImplicitEuler, {}, {.tolerance = 1e-4});
    bits("ParticleSystem", p.state(), p.kinetic_energy(), p.potential_energy(), p.momentum(), p.time(), p.state_hash());
    start.position[0].x = 0.1;
    p.set_state(start);
    bits("ParticleSystem", p.state());
  }
}

void articulated(Bits& bits) {
  Articulations all(arm(), 2);
  std::vector<double> q = all.positions(), v = all.rates();
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = 0.25 + static_cast<double>(i % 4);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 0.25 * static_cast<double>(i % 5);
  all.set_state(q, v);
  all.set_forces(v);
  all.set_targets(q, v);
  for (int i = 0; i < 20; ++i) all.step(0.01, 2);
  bits("Articulations", all.positions(), all.rates(), all.state_hash(), all.link_states(), all.stopped());
  bits("dynamics", all.forward_dynamics(), all.inverse_dynamics(v), all.mass_matrix(),
       all.jacobian(2, {0.1, 0.2, 0.3}));
  Scene scene;
  scene.add_articulation(arm(), {});
  World world(scene, kOptions);
  const ArticulationHandle a = world.articulations().list()[0];
  ArticulationState s = world.state(a);
  for (double& each : s.v) each = 0.3;
  world.set_state(a, s);
  world.articulations().set_forces(a, s.v);
  world.articulations().set_targets(a, s);
  run(world, 12);
  bits("articulation_state", world.state(a), testing_support::states(world));
  const ArticulationRows rows = world.arrays().articulation_rows();
  std::vector<double> on_q(rows.coordinates), on_v(rows.rates);
  const ArticulationArrays arrays{
      .q = dense_view(on_q.data(), ElementType::kFloat64, Device::cpu(), 1, rows.coordinates),
      .v = dense_view(on_v.data(), ElementType::kFloat64, Device::cpu(), 1, rows.rates)};
  world.arrays().get_articulations(arrays);
  world.arrays().set_articulations(arrays);
  run(world, 3);
  bits("set_articulations", on_q, on_v, world.state(a));
  ArticulationJoint joint = world.articulations().joint(a, 0);
  joint.damping = 0.25;
  world.articulations().set_joint(a, 0, joint);
  world.arrays().get_articulation_joints({.damping = arrays.v});
  world.arrays().set_articulation_joints({.friction = arrays.v});
  run(world, 3);
  bits("set_articulation_joints", on_v, world.state(a));
  ParticleSet hung{.name = "hung", .positions = {{0.1, 0.2, 3.3}, {0.15, 0.2, 3.2}}};
  hung.attachments = {{.particle = 0,
                       .body = world.index_of(world.add_body({.name = "peg",
                                                              .type = BodyType::kStatic,
                                                              .position = {0.1, 0.3, 3.4},
                                                              .shapes = {{.geometry = Sphere{0.1f}}}}))}};
  world.articulations().remove(a);
  world.articulations().add(arm(), s);
  const ParticlesHandle set = world.particles().add(hung);
  run(world, 3);
  bits("add_particles", testing_support::states(world));
  world.particles().remove(set);
  run(world, 3);
  bits("remove_particles", testing_support::states(world));
}

}  // namespace cairn::rounding_test
