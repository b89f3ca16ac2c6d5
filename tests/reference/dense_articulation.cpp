#include "tests/reference/dense_articulation.h"

namespace cairn::reference {
namespace {

Vec3 vec(Vec3d v) { return {v.x, v.y, v.z}; }
Quat quat(const cairn::Quat& q) { return normalized({q.w, q.x, q.y, q.z}); }

Mat3 tensor(const Inertia& i) {
  const double xx = i.moments.x, yy = i.moments.y, zz = i.moments.z;
  const double xy = i.products.x, xz = i.products.y, yz = i.products.z;
  return {{Vec3{xx, xy, xz}, Vec3{xy, yy, yz}, Vec3{xz, yz, zz}}};
}

/// A moving frame: position, orientation, their rates and accelerations, and their derivatives by each rate of the
/// whole.
struct Moving {
  Vec3 x;
  Quat q;
  Vec3 v, w, a, alpha;
  std::vector<Vec3> j, j_turn;
};

/// A point or frame fixed to it at `offset` in its own axes.
Moving carried(Moving m, Vec3 offset) {
  const Vec3 d = rotate(m.q, offset);
  m.x += d;
  m.v += cross(m.w, d);
  m.a += cross(m.alpha, d) + cross(m.w, cross(m.w, d));
  for (std::size_t k = 0; k < m.j.size(); ++k) m.j[k] += cross(m.j_turn[k], d);
  return m;
}

/// Slides along the frame's own axis e; things that it carries get the Coriolis acceleration.
void slide(Moving& m, Vec3 e, double rate, std::size_t dof) {
  const Vec3 axis = rotate(m.q, e);
  m.v += rate * axis;
  m.a += 2 * rate * cross(m.w, axis);
  m.j[dof] += axis;
}

/// Shifted by `d` in its own axes, as if fixed there. Rates follow separately.
void shift(Moving& m, Vec3 d) { m = carried(m, d); }

/// Turned by `turn`, at angular velocity `rate` in the axes after it; its three rates are dof, dof + 1 and dof + 2, or
/// one about x.
void spin(Moving& m, Quat turn, Vec3 rate, std::size_t dof, std::size_t axes) {
  m.q = m.q * turn;
  const Vec3 spun = rotate(m.q, rate);
  m.alpha += cross(m.w, spun);
  m.w += spun;
  constexpr Vec3 kAxes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t k = 0; k < axes; ++k) m.j_turn[dof + k] += rotate(m.q, kAxes[k]);
}

std::size_t dofs_of(ArticulationJointKind kind) {
  constexpr std::size_t kDofs[] = {0, 1, 1, 3, 6};
  return kDofs[static_cast<std::size_t>(kind)];
}
bool has_quaternion(ArticulationJointKind kind) {
  return kind == ArticulationJointKind::kBall || kind == ArticulationJointKind::kFree;
}

}  // namespace

ArticulationModel articulation_model(const Articulation& of, const std::vector<double>& q,
                                     const std::vector<double>& v) {
  std::size_t n = 0;
  for (const ArticulationLink& link : of.links) n += dofs_of(link.joint.kind);
  ArticulationModel model{{}, Dense(n, std::vector<double>(n, 0.0)), std::vector<double>(n, 0.0), 0, 0, {}, {}};
  std::vector<Moving> frames;
  std::size_t at = 0, dof = 0;
  const Vec3 gravity = vec(of.gravity);
  for (const ArticulationLink& link : of.links) {
    Moving m{{}, {}, {}, {}, {}, {}, std::vector<Vec3>(n), std::vector<Vec3>(n)};
    if (link.parent != kWorldLink) m = frames[link.parent];
    m = carried(m, vec(link.frame_in_parent.position));
    m.q = m.q * quat(link.frame_in_parent.orientation);
    const std::size_t first = dof;
    const auto ball = [&](std::size_t c, std::size_t d) {
      spin(m, Quat{q[c + 3], q[c], q[c + 1], q[c + 2]}, {v[d], v[d + 1], v[d + 2]}, d, 3);
    };
    switch (link.joint.kind) {
      case ArticulationJointKind::kFixed:
        break;
      case ArticulationJointKind::kRevolute:
        spin(m, rotation({q[at], 0, 0}), {v[dof], 0, 0}, dof, 1);
        break;
      case ArticulationJointKind::kPrismatic:
        shift(m, {q[at], 0, 0});
        slide(m, {1, 0, 0}, v[dof], dof);
        break;
      case ArticulationJointKind::kBall:
        ball(at, dof);
        break;
      case ArticulationJointKind::kFree:
        shift(m, {q[at], q[at + 1], q[at + 2]});
        slide(m, {1, 0, 0}, v[dof], dof);
        slide(m, {0, 1, 0}, v[dof + 1], dof + 1);
        slide(m, {0, 0, 1}, v[dof + 2], dof + 2);
        ball(at + 3, dof + 3);
        break;
    }
    const std::size_t own = dofs_of(link.joint.kind);
    dof += own;
    at += own + (has_quaternion(link.joint.kind) ? 1 : 0);
    // the link's frame from the joint's
    m.q = m.q * conjugate(quat(link.frame_in_link.orientation));
    m = carried(m, -vec(link.frame_in_link.position));
    frames.push_back(m);

    const Moving c = carried(m, vec(link.centre_of_mass));
    const Mat3 inertia = to_world(c.q, tensor(link.inertia));
    model.bodies.push_back({m.x, c.x, matrix(c.q), inertia, link.mass, c.j, c.j_turn, c.w, c.v, c.alpha, c.a});
    const Vec3 spin_momentum = inertia * c.w;
    const Vec3 force = link.mass * (c.a - gravity), moment = inertia * c.alpha + cross(c.w, spin_momentum);
    for (std::size_t i = 0; i < n; ++i) {
      model.against[i] += dot(c.j[i], force) + dot(c.j_turn[i], moment);
      for (std::size_t k = 0; k < n; ++k) {
        model.mass[i][k] += link.mass * dot(c.j[i], c.j[k]) + dot(c.j_turn[i], inertia * c.j_turn[k]);
      }
    }
    for (std::size_t i = first; i < dof; ++i) {
      model.mass[i][i] += link.joint.armature;
      model.against[i] += link.joint.damping * v[i];
    }
    model.kinetic += 0.5 * link.mass * dot(c.v, c.v) + 0.5 * dot(c.w, spin_momentum);
    model.potential -= link.mass * dot(gravity, c.x);
    model.momentum += link.mass * c.v;
    model.angular_momentum += link.mass * cross(c.x, c.v) + spin_momentum;
  }
  return model;
}

std::vector<double> solve(Dense a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double s = a[i][k];
      for (std::size_t m = 0; m < k; ++m) s -= a[i][m] * a[k][m];
      a[i][k] = i == k ? std::sqrt(s) : s / a[k][k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[k][i] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

std::vector<double> times(const Dense& a, const std::vector<double>& x) {
  std::vector<double> y(a.size(), 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < x.size(); ++k) y[i] += a[i][k] * x[k];
  }
  return y;
}

std::vector<double> accelerations(const ArticulationModel& model, const std::vector<double>& force) {
  std::vector<double> left = force;
  for (std::size_t i = 0; i < left.size(); ++i) left[i] -= model.against[i];
  return solve(model.mass, left);
}

}  // namespace cairn::reference
