#include "src/articulations/compile_articulation.h"

#include <cmath>
#include <limits>

namespace cairn {
namespace {

using namespace kernels::articulate;
using kernels::kNone;
using kernels::Quatd;

Quatd unit(const Quatd& q) {
  const double norm = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
}
Transform transform(const JointFrame& frame) {
  return {kernels::articulate::matrix_of(unit(kernels::widen(frame.orientation))), frame.position};
}
Transform here() { return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}}; }
Transform inverse(const Transform& x) {
  const Matrix back{row(x.r, 0), row(x.r, 1), row(x.r, 2)};
  return {back, -(back * x.p)};
}

/// Inertia about the origin: m ((c . c) 1 - c c^T) more than about the centre of mass c.
RigidInertia rigid(const ArticulationLink& link) {
  const Vec c = link.centre_of_mass;
  const Vec3 &m = link.inertia.moments, &p = link.inertia.products;
  const Symmetric at_centre{m.x, m.y, m.z, p.x, p.y, p.z};
  const double s = link.mass;
  const Symmetric shift{s * (c.y * c.y + c.z * c.z),
                        s * (c.x * c.x + c.z * c.z),
                        s * (c.x * c.x + c.y * c.y),
                        -s * c.x * c.y,
                        -s * c.x * c.z,
                        -s * c.y * c.z};
  return {s, s * c, at_centre + shift};
}

/// The same in the frame that x leads to.
RigidInertia moved(const Transform& x, const RigidInertia& a) {
  const ArticulatedInertia there = to_parent(x, articulated(a));
  return {a.mass, x.r * a.moment + a.mass * x.p, there.i};
}

RigidInertia together(const RigidInertia& a, const RigidInertia& b) {
  return {a.mass + b.mass, a.moment + b.moment, a.i + b.i};
}

/// Of a joint or a coupling.
template <class T>
JointForces forces_of(const T& of) {
  const bool as_max = of.drive_min_force == std::numeric_limits<double>::infinity();
  return {of.damping,
          of.friction,
          of.lower,
          of.upper,
          of.min_rate,
          of.max_rate,
          of.spring_stiffness,
          of.spring_rest,
          of.drive_stiffness,
          of.drive_damping,
          as_max ? -of.drive_max_force : of.drive_min_force,
          of.drive_max_force};
}
/// Some piece of their law is upright, or bends.
bool has_bounds(const JointForces& f) {
  return f.friction > 0 || std::isfinite(f.lower) || std::isfinite(f.upper) || std::isfinite(f.min_rate) ||
         std::isfinite(f.max_rate) || (driven(f) && (std::isfinite(f.min_force) || std::isfinite(f.max_force)));
}

class ArticulationCompiler {
 public:
  explicit ArticulationCompiler(const Articulation& description) {
    for (const ArticulationLink& link : description.links) add(link);
    for (const ArticulationCoupling& coupling : description.couplings) add(coupling);
  }
  CompiledArticulation made;

 private:
  void add(const ArticulationCoupling& coupling) {
    const auto begin = static_cast<std::uint32_t>(made.terms.size());
    for (const CouplingTerm& term : coupling.terms) made.terms.push_back({made.dof_of[term.link], term.coefficient});
    const JointForces forces = forces_of(coupling);
    made.couplings.push_back({begin, static_cast<std::uint32_t>(made.terms.size()), forces});
    made.bounded = made.bounded || (!locked(forces) && has_bounds(forces));
  }

  void add(const ArticulationLink& link) {
    made.coordinate_of.push_back(made.coordinates);
    made.dof_of.push_back(static_cast<std::uint32_t>(made.dofs.size()));
    LinkPlace on{kNone, here(), {}};
    if (link.parent != kWorldLink) {
      on = made.links[link.parent];
    } else if (link.joint.kind != ArticulationJointKind::kFree) {
      made.floats = false;
    }
    const Transform joint = on.place * transform(link.frame_in_parent);
    const Transform in_node = inverse(transform(link.frame_in_link));
    LinkPlace at{on.node, joint * in_node, link.centre_of_mass};
    if (link.joint.kind != ArticulationJointKind::kFixed) {
      at.node = add_nodes(on.node, joint, link.joint);
      at.place = in_node;
    }
    made.links.push_back(at);
    if (at.node != kNone) {
      RigidInertia& inertia = made.nodes[at.node].inertia;
      inertia = together(inertia, moved(at.place, rigid(link)));
    }
  }

  /// The nodes of a joint that moves; the index of the last.
  std::uint32_t add_nodes(std::uint32_t on, const Transform& place, const ArticulationJoint& joint) {
    switch (joint.kind) {
      case ArticulationJointKind::kRevolute:
        return add(NodeKind::kRevolute, on, place, joint);
      case ArticulationJointKind::kPrismatic:
        return add(NodeKind::kPrismatic, on, place, joint);
      case ArticulationJointKind::kBall:
        return add(NodeKind::kBall, on, place, joint);
      default:
        return add(NodeKind::kBall, add(NodeKind::kShift, on, place, joint), here(), joint);
    }
  }

  /// A node without mass; its index.
  std::uint32_t add(NodeKind kind, std::uint32_t parent, const Transform& place, const ArticulationJoint& joint) {
    const bool ball = kind == NodeKind::kBall, one = kind == NodeKind::kRevolute || kind == NodeKind::kPrismatic;
    const bool turns = kind == NodeKind::kRevolute || ball;
    Node node{
        parent, kind, turns ? 0u : 3u, made.coordinates, static_cast<std::uint32_t>(made.dofs.size()), one ? 1u : 3u,
        place,  {}};
    for (std::uint32_t k = 0; k < node.dofs; ++k) {
      made.dofs.push_back({made.coordinates + (ball ? 0 : k), ball ? k : kNone, joint.armature, forces_of(joint)});
      made.bounded = made.bounded || has_bounds(made.dofs.back().forces);
    }
    if (ball) made.quaternions.push_back(made.coordinates);
    made.coordinates += ball ? 4 : node.dofs;
    made.nodes.push_back(node);
    return static_cast<std::uint32_t>(made.nodes.size() - 1);
  }
};

}  // namespace

CompiledArticulation compile(const Articulation& description) { return ArticulationCompiler(description).made; }

}  // namespace cairn
