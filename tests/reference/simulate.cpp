#include "tests/reference/simulate.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "tests/reference/contact_lcp.h"
#include "tests/reference/manifold.h"

namespace cairn::reference {
namespace {

// Wider gaps than the bodies can close within a step are no contacts; twice the speed allows for speed gained in the
// step. The constant keeps resting contacts, whose gaps are rounding.
constexpr double kRestMargin = 1e-6;  // [m]

double reach(const RigidBody& body) {
  double most = 0;
  for (const BodyShape& s : body.shapes) {
    if (!std::holds_alternative<Plane>(s.geometry))
      most = std::max(most, length(s.local.x) + bounding_radius(s.geometry));
  }
  return most;
}

double top_speed(const RigidBody& body) { return length(body.motion.v) + length(body.motion.w_body) * reach(body); }

std::vector<BodyContact> find_contacts(const Simulation& s, double h) {
  std::vector<BodyContact> found;
  const int count = static_cast<int>(s.bodies.size());
  for (int a = 0; a < count; ++a) {
    for (int b = a + 1; b < count; ++b) {
      const RigidBody &body_a = s.bodies[a], &body_b = s.bodies[b];
      if (!body_a.dynamic && !body_b.dynamic) continue;
      const double fall = std::max(std::abs(body_a.gravity_scale), std::abs(body_b.gravity_scale)) * length(s.gravity);
      const double margin = kRestMargin + 2 * h * (top_speed(body_a) + top_speed(body_b) + 2 * h * fall);
      for (int i = 0; i < static_cast<int>(body_a.shapes.size()); ++i) {
        for (int j = 0; j < static_cast<int>(body_b.shapes.size()); ++j) {
          const BodyShape &sa = body_a.shapes[i], &sb = body_b.shapes[j];
          int ordinal = 0;
          for (const Touch& t : manifold(sa.geometry, body_a.motion.pose * sa.local, sb.geometry,
                                         body_b.motion.pose * sb.local, margin)) {
            found.push_back({a, b, i, j, ordinal++, t.point, t.normal, t.gap, {}});
          }
        }
      }
    }
  }
  // the last step's impulse is the initial guess
  for (BodyContact& c : found) {
    for (const BodyContact& old : s.contacts) {
      if (c.a == old.a && c.b == old.b && c.shape_a == old.shape_a && c.shape_b == old.shape_b &&
          c.ordinal == old.ordinal) {
        c.impulse = old.impulse;
      }
    }
  }
  return found;
}

// velocity after forces: Euler's equations by Runge-Kutta, the rest exact for a constant force
ContactBody freed(const RigidBody& body, Vec3 gravity, double h) {
  const Motion& m = body.motion;
  if (!body.dynamic) return {0, {}, m.v, angular_velocity(m)};
  const Vec3 torque = body.load.torque;
  const Motion spun = integrate(body.inertia, m, 0, h, 1, [&](double, const Motion&) { return Wrench{{}, torque}; });
  // d(q w_body)/dt = q w_body', as w x w is zero: axes at the start suffice to first order
  return {1 / body.inertia.mass, to_world(m.pose.q, inverse(body.inertia.tensor)),
          std::exp(-body.linear_damping * h) *
              (m.v + h * (body.gravity_scale * gravity + body.load.force / body.inertia.mass)),
          std::exp(-body.angular_damping * h) * rotate(m.pose.q, spun.w_body)};
}

}  // namespace

void Simulation::step(double h) {
  contacts = find_contacts(*this, h);
  std::vector<ContactBody> velocities;
  for (const RigidBody& body : bodies) velocities.push_back(freed(body, gravity, h));

  std::vector<ContactPoint> points;
  for (const BodyContact& c : contacts) {
    const BodyShape &sa = bodies[c.a].shapes[c.shape_a], &sb = bodies[c.b].shapes[c.shape_b];
    ContactPoint p{c.a,
                   c.b,
                   c.point - bodies[c.a].motion.pose.x,
                   c.point - bodies[c.b].motion.pose.x,
                   c.normal,
                   friction_mix(sa.friction, sb.friction),
                   c.gap / h,
                   c.impulse,
                   {}};
    const Vec3 belt =
        rotate(bodies[c.b].motion.pose.q, sb.surface_velocity) - rotate(bodies[c.a].motion.pose.q, sa.surface_velocity);
    p.belt = belt - dot(belt, c.normal) * c.normal;
    const double approach = dot(c.normal, relative_velocity(velocities, p));
    const double e = restitution_mix(sa.restitution, sb.restitution);
    if (e > 0 && approach < -restitution_threshold && c.gap + h * approach < 0) p.bias = e * approach;
    points.push_back(p);
  }
  solve_contacts(velocities, points, tolerance);

  for (std::size_t k = 0; k < points.size(); ++k) contacts[k].impulse = points[k].impulse;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    Motion& m = bodies[i].motion;
    m.v = velocities[i].v;
    m.pose.x += h * m.v;
    m.pose.q = normalized(rotation(h * velocities[i].w) * m.pose.q);
    set_angular_velocity(m, velocities[i].w);
  }
  time += h;
}

void Simulation::run(double seconds, double h) {
  for (long n = std::lround(seconds / h); n > 0; --n) step(h);
}

double Simulation::energy() const {
  double sum = 0;
  for (const RigidBody& b : bodies) {
    if (b.dynamic)
      sum += kinetic_energy(b.inertia, b.motion) - b.gravity_scale * b.inertia.mass * dot(gravity, b.motion.pose.x);
  }
  return sum;
}

Vec3 Simulation::contact_impulse(int body) const {
  Vec3 sum;
  for (const BodyContact& c : contacts) {
    if (c.b == body) sum += c.impulse;
    if (c.a == body) sum -= c.impulse;
  }
  return sum;
}

double volume(const Geometry& geometry) {
  if (const auto* s = std::get_if<Sphere>(&geometry)) return 4.0 / 3.0 * std::numbers::pi * std::pow(s->radius, 3);
  if (const auto* b = std::get_if<Box>(&geometry)) return 8 * b->half_extents.x * b->half_extents.y * b->half_extents.z;
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    return std::numbers::pi * c->radius * c->radius * (2 * c->half_height + 4.0 / 3.0 * c->radius);
  }
  return 0;
}

Mat3 solid_inertia(const Geometry& geometry, double mass) {
  if (const auto* s = std::get_if<Sphere>(&geometry)) {
    const double i = 0.4 * mass * s->radius * s->radius;
    return diagonal({i, i, i});
  }
  if (const auto* b = std::get_if<Box>(&geometry)) {
    const Vec3 h = b->half_extents;
    return mass / 3 * diagonal({h.y * h.y + h.z * h.z, h.z * h.z + h.x * h.x, h.x * h.x + h.y * h.y});
  }
  if (const auto* c = std::get_if<Capsule>(&geometry)) {
    // cylinder and two hemispheres share the mass by volume; a hemisphere's centre is 3/8 r from its disc
    const double r = c->radius, hh = c->half_height, balls = 4.0 / 3.0 * r / (2 * hh + 4.0 / 3.0 * r);
    const double mb = balls * mass, mc = mass - mb;
    const double axial = mc * r * r / 2 + mb * 0.4 * r * r;
    const double across = mc * (r * r / 4 + hh * hh / 3) + mb * (0.4 * r * r + hh * hh + 0.75 * hh * r);
    return diagonal({across, across, axial});
  }
  return {};
}

RigidBody solid_sphere(double radius, double mass, Vec3 x) {
  const Geometry shape = Sphere{radius};
  return {true, {mass, solid_inertia(shape, mass)}, {{x, {}}, {}, {}}, {{shape, {}}}};
}

RigidBody solid_box(Vec3 half_extents, double mass, Vec3 x) {
  const Geometry shape = Box{half_extents};
  return {true, {mass, solid_inertia(shape, mass)}, {{x, {}}, {}, {}}, {{shape, {}}}};
}

RigidBody fixed_plane(Vec3 normal, double offset) { return {false, {}, {}, {{Plane{normalized(normal), offset}, {}}}}; }

double body_distance(const RigidBody& a, const RigidBody& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const BodyShape& sa : a.shapes) {
    for (const BodyShape& sb : b.shapes) {
      const Pose pa = a.motion.pose * sa.local, pb = b.motion.pose * sb.local;
      least = std::min(least, separation(sa.geometry, pa, sb.geometry, pb).distance);
    }
  }
  return least;
}

}  // namespace cairn::reference
