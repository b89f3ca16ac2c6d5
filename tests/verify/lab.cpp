#include "tests/verify/lab.h"

#include <algorithm>
#include <cmath>

namespace cairn::verify {

Lab::Lab(const Method& method, int substeps, double dt) {
  params = {.solver = method.solver, .sweep = method.sweep, .substeps = substeps, .dt = static_cast<float>(dt)};
  if (method.all_direct) {
    params.direct_bodies = 256;
    params.direct_mass_ratio = 1;
  }
  if (method.solver == SolverKind::kSequentialImpulse) {
    params.dt = static_cast<float>(dt / substeps);
    params.substeps = 12;
  }
}

std::uint32_t Lab::material(double friction, double restitution, double rolling_friction) {
  material_ = scene.add_material({.name = "material" + std::to_string(scene.materials().size()),
                                  .density = 1000,
                                  .friction = static_cast<float>(friction),
                                  .restitution = static_cast<float>(restitution),
                                  .rolling_friction = static_cast<float>(rolling_friction)});
  return material_;
}

std::uint32_t Lab::belt(double friction, ref::Vec3 velocity, double restitution) {
  material_ = scene.add_material({.name = "belt" + std::to_string(scene.materials().size()),
                                  .density = 1000,
                                  .friction = static_cast<float>(friction),
                                  .restitution = static_cast<float>(restitution),
                                  .surface_velocity = narrow(velocity)});
  return material_;
}

Body Lab::make(Geometry geometry, ref::Vec3 x, ref::Quat q, BodyType type) const {
  return {.name = "body" + std::to_string(scene.bodies().size()),
          .type = type,
          .position = {x.x, x.y, x.z},
          .orientation = narrow(q),
          .shapes = {{.geometry = geometry, .material = material_}}};
}

std::uint32_t Lab::add(Body body) { return scene.add_body(std::move(body)); }

std::uint32_t Lab::launch(Geometry geometry, ref::Vec3 x, ref::Vec3 v, ref::Vec3 w, ref::Quat q) {
  Body body = make(geometry, x, q);
  body.linear_velocity = narrow(v);
  body.angular_velocity = narrow(w);
  return add(body);
}

std::uint32_t Lab::add_floor(ref::Vec3 normal) {
  return add(make(Plane{.normal = narrow(normal)}, {}, {}, BodyType::kStatic));
}

World& Lab::world() {
  if (!world_) {
    scene.set_params(params);
    world_.emplace(scene, WorldOptions{.device = Device::cpu(1)});
  }
  return *world_;
}

void Lab::step() {
  world().step();
  ++steps;
}

void Lab::run(double seconds) {
  for (int i = static_cast<int>(std::lround(seconds / dt())); i > 0; --i) step();
}

BodyHandle Lab::handle(std::uint32_t body) { return world().bodies().at(body); }
ref::Vec3 Lab::x(std::uint32_t body) { return wide(world().state(handle(body)).position); }
ref::Vec3 Lab::v(std::uint32_t body) { return wide(world().state(handle(body)).linear_velocity); }
ref::Vec3 Lab::w(std::uint32_t body) { return wide(world().state(handle(body)).angular_velocity); }
ref::Quat Lab::q(std::uint32_t body) { return wide(world().state(handle(body)).orientation); }

double Lab::mass(std::uint32_t body) const {
  return ref::body_inertia(scene.bodies().at(body), scene.materials()).inertia.mass;
}

template <class F>
void Lab::each_motion(F f) {
  std::vector<BodyState> states(world().body_count());
  world().read_states(states);
  for (std::size_t i = inertia_.size(); i < states.size(); ++i) {
    const Body& body = scene.bodies()[i];
    const bool moves = body.type == BodyType::kDynamic;
    inertia_.push_back(moves ? ref::body_inertia(body, scene.materials()) : ref::BodyInertia{});
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (scene.bodies()[i].type != BodyType::kDynamic) continue;
    ref::Motion m{{wide(states[i].position), wide(states[i].orientation)}, wide(states[i].linear_velocity), {}};
    m.pose.x = ref::to_world(m.pose, inertia_[i].centre);
    ref::set_angular_velocity(m, wide(states[i].angular_velocity));
    f(inertia_[i].inertia, m);
  }
}

double Lab::kinetic_energy() {
  double sum = 0;
  each_motion([&](const ref::Inertia& i, const ref::Motion& m) { sum += ref::kinetic_energy(i, m); });
  return sum;
}

Growth Lab::growth(double seconds) {
  const double start = kinetic_energy();
  Growth most{};
  double before = start;
  while (time() < seconds) {
    step();
    const double now = kinetic_energy();
    const double gain = (now - before) / start;
    if (!(gain <= most.step)) {  // one that is no number counts
      most.step = gain;
      most.at = steps;
    }
    most.whole = std::max(most.whole, now / start - 1);
    before = now;
  }
  return most;
}

double Lab::potential_energy() {
  double sum = 0;
  const ref::Vec3 g = wide(scene.gravity());
  each_motion([&](const ref::Inertia& i, const ref::Motion& m) { sum -= i.mass * dot(g, m.pose.x); });
  return sum;
}

double Lab::weight_mass() const {
  double sum = 0;
  for (std::uint32_t i = 0; i < scene.bodies().size(); ++i) {
    if (scene.bodies()[i].type == BodyType::kDynamic) sum += mass(i);
  }
  return sum;
}

ref::Vec3 Lab::momentum() {
  ref::Vec3 sum;
  each_motion([&](const ref::Inertia& i, const ref::Motion& m) { sum += i.mass * m.v; });
  return sum;
}

ref::Vec3 Lab::angular_momentum() {
  ref::Vec3 sum;
  each_motion([&](const ref::Inertia& i, const ref::Motion& m) {
    sum += cross(m.pose.x, i.mass * m.v) + ref::spin_momentum(i, m);
  });
  return sum;
}

ref::Vec3 Lab::contact_impulse(std::uint32_t body) {
  const BodyHandle wanted = handle(body);
  ref::Vec3 sum;
  for (const Contact& c : world().contacts()) {
    ref::Vec3 on_b = wide(c.friction_impulse);
    for (int j = 0; j < c.count; ++j) on_b += double{c.points[static_cast<std::size_t>(j)].impulse} * wide(c.normal);
    if (c.b == wanted) sum += on_b;
    if (c.a == wanted) sum -= on_b;
  }
  return sum;
}

Lab on_floor(const Method& method, double friction, double restitution, int substeps) {
  Lab lab(method, substeps);
  lab.material(friction, restitution);
  lab.add_floor();
  return lab;
}

Lab in_space(const Method& method, double friction, double restitution, int substeps, double dt) {
  Lab lab(method, substeps, dt);
  lab.scene.set_gravity({});
  lab.material(friction, restitution);
  return lab;
}

}  // namespace cairn::verify
