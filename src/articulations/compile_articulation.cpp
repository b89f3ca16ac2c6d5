#include "src/articulations/compile_articulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cairn/device_arrays.h"
#include "kernels/articulations/build.h"
#include "kernels/articulations/joint_rules.h"
#include "src/describe/attributes.h"

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

Symmetric symmetric(const Inertia& inertia) {
  const Vec3 &m = inertia.moments, &p = inertia.products;
  return {m.x, m.y, m.z, p.x, p.y, p.z};
}

/// Names of a joint's numbers, and of the columns that hold them: Batch::joint has their order.
template <class T, class Member>
constexpr auto names_of() {
  std::array<std::string_view, kJointWords> names{};
  std::size_t at = 0;
  const auto take = [&]<auto kMember>(const Attribute<kMember>& a) {
    if (std::same_as<typename Attribute<kMember>::Type, Member>) names[at++] = a.name();
  };
  attribute_list<T>().apply([&](const auto&... a) { (take(a), ...); });
  return names;
}
static_assert(names_of<ArticulationJoint, double>() == names_of<ArticulationJointArrays, ArrayView>() &&
              names_of<ArticulationJoint, double>()[kArmature] == "armature" &&
              names_of<ArticulationJoint, double>()[kUpper] == "upper" &&
              names_of<ArticulationJoint, double>()[kSpringRest] == "spring_rest" &&
              names_of<ArticulationJoint, double>()[kMinForce] == "drive_min_force");

/// [1] The numbers along the rates of a joint or a coupling, in the order of its list.
template <class T>
std::vector<double> numbers_of(const T& of) {
  std::vector<double> numbers;
  each_attribute<T>([&]<auto kMember>(const Attribute<kMember>&) {
    if constexpr (std::same_as<typename Attribute<kMember>::Type, double>) numbers.push_back(of.*kMember);
  });
  double& min_force = numbers.back();
  if (min_force == std::numeric_limits<double>::infinity()) min_force = -of.drive_max_force;
  return numbers;
}

class ArticulationCompiler {
 public:
  explicit ArticulationCompiler(const Articulation& description) {
    for (const ArticulationLink& link : description.links) add(link);
    find_levels();
    const Batch batch = shared_batch(made);
    made.build.resize(build_words(batch));
    static_cast<void>(build(batch, {made.build.data(), 1}, [](std::uint32_t) { return BodyScales{}; }));
    made.joints.push_back(0);
    note_bounds({made.joints.data(), 1}, batch.dofs);
    for (const ArticulationCoupling& coupling : description.couplings) add(coupling);
  }
  CompiledArticulation made;

 private:
  /// Children of each node, and nodes by depth.
  void find_levels() {
    std::vector<std::vector<std::uint32_t>> of_depth;
    std::vector<std::size_t> depth;
    for (std::uint32_t n = 0; n < made.nodes.size(); ++n) {
      Node& node = made.nodes[n];
      if (node.parent != kNone) node.sibling = std::exchange(made.nodes[node.parent].last_child, n);
      depth.push_back(node.parent == kNone ? 0 : depth[node.parent] + 1);
      of_depth.resize(std::max(of_depth.size(), depth[n] + 1));
      of_depth[depth[n]].push_back(n);
    }
    for (const std::vector<std::uint32_t>& nodes : of_depth) {
      made.levels.insert(made.levels.end(), nodes.begin(), nodes.end());
    }
    std::uint32_t begin = 0;
    made.levels.push_back(begin);
    for (const std::vector<std::uint32_t>& nodes : of_depth) {
      made.levels.push_back(begin += static_cast<std::uint32_t>(nodes.size()));
    }
  }

  void add(const ArticulationCoupling& coupling) {
    const auto begin = static_cast<std::uint32_t>(made.terms.size());
    for (const CouplingTerm& term : coupling.terms) made.terms.push_back({made.dof_of[term.link], term.coefficient});
    std::vector<double> numbers = numbers_of(coupling);
    const JointForces forces = load_as<JointForcesT>(Lane{numbers.data(), 1});
    made.couplings.push_back({begin, static_cast<std::uint32_t>(made.terms.size()), forces});
    made.bounded = made.bounded || (!locked(forces) && has_bounds(forces));
  }

  void add(const ArticulationLink& link) {
    made.coordinate_of.push_back(made.coordinates);
    made.dof_of.push_back(static_cast<std::uint32_t>(made.dofs.size()));
    std::uint32_t on = kNone;
    Matrix turn = here().r;
    if (link.parent != kWorldLink) {
      on = made.links[link.parent].node;
      turn = made.links[link.parent].turn;
    } else if (link.joint.kind != ArticulationJointKind::kFree) {
      made.floats = false;
    }
    const Transform in_parent = transform(link.frame_in_parent), on_joint = inverse(transform(link.frame_in_link));
    turn = turn * in_parent.r;
    Link at{.parent = link.parent == kWorldLink ? kNone : link.parent,
            .joint = kNone,
            .node = on,
            .turn = turn * on_joint.r,
            .in_parent = in_parent,
            .on_joint = on_joint,
            .mass = link.mass,
            .centre = link.centre_of_mass,
            .inertia = symmetric(link.inertia)};
    if (link.joint.kind != ArticulationJointKind::kFixed) {
      at.joint = static_cast<std::uint32_t>(made.nodes.size());
      at.node = add_nodes(on, turn, link.joint);
      at.turn = on_joint.r;
    }
    made.links.push_back(at);
  }

  /// Adds the nodes of a moving joint; returns the index of the last.
  std::uint32_t add_nodes(std::uint32_t on, const Matrix& turn, const ArticulationJoint& joint) {
    using K = ArticulationJointKind;
    if (joint.kind == K::kRevolute) return add(NodeKind::kRevolute, on, turn, joint);
    if (joint.kind == K::kPrismatic) return add(NodeKind::kPrismatic, on, turn, joint);
    if (joint.kind == K::kBall) return add(NodeKind::kBall, on, turn, joint);
    return add(NodeKind::kBall, add(NodeKind::kShift, on, turn, joint), here().r, joint);
  }

  /// Adds a node without mass; returns its index.
  std::uint32_t add(NodeKind kind, std::uint32_t parent, const Matrix& turn, const ArticulationJoint& joint) {
    const bool ball = kind == NodeKind::kBall, one = kind == NodeKind::kRevolute || kind == NodeKind::kPrismatic;
    const bool turns = kind == NodeKind::kRevolute || ball;
    Node node{parent,        kind, turns ? 0u : 3u, made.coordinates, static_cast<std::uint32_t>(made.dofs.size()),
              one ? 1u : 3u, turn};
    for (std::uint32_t k = 0; k < node.dofs; ++k) {
      made.dofs.push_back({made.coordinates + (ball ? 0 : k), ball ? k : kNone, false});
      made.joints.resize(made.joints.size() + kJointWords);
      put_joint(joint, std::span(made.joints).last(kJointWords));
    }
    if (ball) made.quaternions.push_back(made.coordinates);
    made.coordinates += ball ? 4 : node.dofs;
    made.nodes.push_back(node);
    return static_cast<std::uint32_t>(made.nodes.size() - 1);
  }
};

}  // namespace

Transform place_of_link(const CompiledArticulation& made, std::size_t link) {
  const auto at = made.build.begin() + static_cast<std::ptrdiff_t>(kNodeBuild * made.nodes.size() + kLinkBuild * link);
  return {made.links[link].turn, {at[kLinkPlace], at[kLinkPlace + 1], at[kLinkPlace + 2]}};
}

double mass_of_node(const CompiledArticulation& made, std::uint32_t node) {
  return made.build[kNodeBuild * node + kNodeInertia];
}

Batch shared_batch(const CompiledArticulation& made) {
  Batch b{};
  b.nodes = static_cast<std::uint32_t>(made.nodes.size());
  b.dofs = static_cast<std::uint32_t>(made.dofs.size());
  b.coordinates = made.coordinates;
  b.links = static_cast<std::uint32_t>(made.links.size());
  b.couplings = static_cast<std::uint32_t>(made.couplings.size());
  b.bounded = made.bounded;
  each_table([&](auto table, auto array) { b.*array = (made.*table).data(); });
  b.depths = static_cast<std::uint32_t>(made.levels.size() - made.nodes.size() - 1);
  return b;
}

namespace {
/// [B] Of a table in a block of tables.
template <class T>
std::size_t bytes_of(const std::vector<T>& table) {
  constexpr std::size_t kAlign = alignof(double);
  return (table.size() * sizeof(T) + kAlign - 1) / kAlign * kAlign;
}
}  // namespace

std::size_t table_bytes(const CompiledArticulation& made) {
  std::size_t bytes = 0;
  each_table([&](auto table, auto) { bytes += bytes_of(made.*table); });
  return bytes;
}

std::byte* put_tables(exec::Memory& memory, const CompiledArticulation& made, std::byte* to, Batch& batch) {
  each_table([&](auto table, auto array) {
    const auto& from = made.*table;
    if (!from.empty()) memory.upload(to, from.data(), from.size() * sizeof(from[0]));
    exec::point_to(batch.*array, to);
    to += bytes_of(from);
  });
  return to;
}

void put_joint(const ArticulationJoint& joint, std::span<double> words) {
  const std::vector<double> numbers = numbers_of(joint);
  for (; !words.empty(); words = words.subspan(kJointWords)) std::ranges::copy(numbers, words.begin());
}

ArticulationJoint joint_of(ArticulationJointKind kind, std::span<const double> words) {
  ArticulationJoint joint{.kind = kind};
  if (words.empty()) return joint;
  auto word = words.begin();
  each_attribute<ArticulationJoint>([&]<auto kMember>(const Attribute<kMember>&) {
    if constexpr (std::same_as<typename Attribute<kMember>::Type, double>) joint.*kMember = *word++;
  });
  if (joint.drive_min_force == -joint.drive_max_force) {
    joint.drive_min_force = ArticulationJoint{}.drive_min_force;
  }
  return joint;
}

bool joints_are_allowed(const CompiledArticulation& made, std::span<const double> joints) {
  if (joints.size() != made.joints.size()) return false;
  const Batch batch = shared_batch(made);
  std::vector<double> words(joints.begin(), joints.end()), noted = words;
  note_bounds({noted.data(), 1}, batch.dofs);
  return noted == words && kernels::articulate::joints_are_allowed(batch, {words.data(), 1});
}

std::uint32_t rates_of(ArticulationJointKind kind) {
  using K = ArticulationJointKind;
  return kind == K::kFixed ? 0 : (kind == K::kFree ? 6 : (kind == K::kBall ? 3 : 1));
}

CompiledArticulation compile(const Articulation& description) {
  CompiledArticulation made = ArticulationCompiler(description).made;
  for (std::size_t i = 0; i < made.links.size(); ++i) {
    if (made.links[i].mass != 0) continue;
    for (std::uint32_t k = 0; k < rates_of(description.links[i].joint.kind); ++k) {
      const std::uint32_t d = made.dof_of[i] + k;
      made.dofs[d].bare = made.joints[kJointWords * d + kArmature] > 0;
    }
  }
  return made;
}

}  // namespace cairn
