// Trees of joints, and the loops and articulations that are solved with them.

#include "src/joints/joint_trees.h"

#include <algorithm>
#include <array>

#include "kernels/common/parts.h"
#include "src/color/first_fit.h"
#include "src/joints/joint_graph.h"

namespace cairn {
namespace {

using kernels::kNone;
using Tree = JointTreePlan;
/// [1] Colour of trees: a class of their own, swept after the whole other class, the joints without a colour included.
/// So they come last, and share no sweep with a joint that closes a loop.
constexpr std::uint32_t kTrees = kernels::kColorsPerClass;

class JointTrees {
 public:
  explicit JointTrees(std::span<const JointEdge> edges) : graph_(edges), colors_(graph_.bodies()) {}

  std::vector<Tree> trees() {
    std::vector<Tree> trees;
    const std::span<const JointGraph::Group> groups = graph_.groups();
    for (const std::uint32_t i : graph_.closing()) {
      const std::uint32_t group = graph_.group_of_edge(i);
      if (group == kNone || !groups[group].at_once()) trees.push_back(closing(i));
    }
    std::vector<std::uint8_t> seen(graph_.bodies(), 0);
    std::vector<Tree> whole(groups.size());
    for (std::uint32_t b = 0; b < graph_.bodies(); ++b) {
      const std::uint32_t tie = graph_.tie(b), of = graph_.group_of_body(b);
      const bool is_root = tie == kNone || graph_.ends(tie).a == b || graph_.ends(tie).b == b;
      const JointGraph::Group& group = groups[of];
      // a body without tree edges is solved only for its loops
      const bool free = tie == kNone && graph_.spanning(b).empty() && !group.at_once();
      if (!is_root || seen[b] != 0 || free || !graph_.links(b).empty()) continue;
      Tree tree = grown(b, tie, seen);
      tree.contested = group.contested;
      if (group.at_once()) {
        append(whole[of], std::move(tree));
      } else {
        trees.push_back(std::move(tree));
      }
    }
    for (std::uint32_t b = 0; b < graph_.bodies(); ++b) {
      const std::uint32_t group = graph_.group_of_body(b);
      if (!groups[group].at_once()) continue;
      for (const std::uint32_t link : graph_.links(b)) put_link(whole[group], link);
      whole[group].consistent = groups[group].consistent;
    }
    for (const std::uint32_t i : graph_.closing()) {
      const std::uint32_t group = graph_.group_of_edge(i);
      if (group != kNone && groups[group].at_once()) close(whole[group], i);
    }
    for (Tree& tree : whole) {
      if (!tree.nodes.empty()) trees.push_back(std::move(tree));
    }
    for (Tree& tree : trees) {
      if (!tree.closes) tree.color = kTrees;
    }
    return trees;
  }

 private:
  kernels::JointNode node(std::uint32_t body, std::uint32_t edge) const {
    kernels::JointNode n{};
    n.body = body == kNone ? kNone : graph_.slot(body);
    n.joint = edge == kNone ? kNone : graph_.edge(edge).joint;
    n.child = n.parent = kNone;
    n.is_b = edge != kNone && graph_.ends(edge).b == body ? 1 : 0;
    n.first = edge == kNone ? 0 : edge;  // the joint's edge, until rows have places
    return n;
  }

  Tree grown(std::uint32_t root, std::uint32_t tie, std::vector<std::uint8_t>& seen) const {
    Tree tree;
    std::vector<std::uint32_t> found{root};
    tree.nodes.push_back(node(root, tie));
    seen[root] = 1;
    for (std::uint32_t at = 0; at < found.size(); ++at) {
      for (const std::uint32_t i : graph_.spanning(found[at])) {
        tree.part = graph_.edge(i).part;
        const auto [a, b] = graph_.ends(i);
        const std::uint32_t next = a == found[at] ? b : a;
        if (seen[next] != 0) continue;
        seen[next] = 1;
        found.push_back(next);
        tree.nodes.push_back(node(next, i));
        tree.nodes.back().parent = at;
      }
    }
    if (tie != kNone) tree.part = graph_.edge(tie).part;
    std::ranges::reverse(tree.nodes);
    const auto count = static_cast<std::uint32_t>(tree.nodes.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      kernels::JointNode& n = tree.nodes[i];
      n.child = i;
      if (n.parent != kNone) n.parent = count - 1 - n.parent;
    }
    tree.links = tree.loops = count;
    return tree;
  }

  static void append(Tree& to, Tree from) {
    const auto begin = static_cast<std::uint32_t>(to.nodes.size());
    for (kernels::JointNode& n : from.nodes) {
      n.child += begin;
      if (n.parent != kNone) n.parent += begin;
      to.nodes.push_back(n);
    }
    to.links = to.loops = begin + from.loops;
    to.part = from.part;
    to.contested = from.contested;
  }

  /// A link that joints hold, behind bodies and other links.
  static void put_link(Tree& tree, std::uint32_t link) {
    kernels::JointNode n{};
    n.body = link;
    n.joint = n.parent = kNone;
    n.child = tree.loops;
    tree.nodes.push_back(n);
    tree.loops += 1;
    tree.linked = true;
    tree.contested = false;
  }

  /// A joint that closes a loop or holds links, behind the nodes of links and of its trees.
  void close(Tree& tree, std::uint32_t i) const {
    const JointEdge& edge = graph_.edge(i);
    const auto [a, b] = graph_.ends(i);
    const auto place = [&](std::uint32_t body, std::uint32_t link) {
      if (body == kNone) return kNone;
      const std::uint32_t slot = link != kNone ? link : graph_.slot(body);
      const auto at = std::ranges::find(tree.nodes, slot, &kernels::JointNode::body);
      return static_cast<std::uint32_t>(at - tree.nodes.begin());
    };
    kernels::JointNode n = node(b == kNone ? a : b, i);
    n.child = b == kNone ? place(a, edge.link_a) : place(b, edge.link_b);
    n.parent = b == kNone ? kNone : place(a, edge.link_a);
    n.body = kNone;
    for (std::uint32_t at : {n.child, n.parent}) {
      for (; at != kNone; at = tree.nodes[at].parent) tree.nodes[at].on_loop = 1;
    }
    tree.nodes.push_back(n);
    tree.part = graph_.edge(i).part;
    tree.loop_rows += graph_.edge(i).rows.all;
  }

  /// A joint outside of trees.
  Tree closing(std::uint32_t i) {
    const auto [a, b] = graph_.ends(i);
    Tree tree{.part = graph_.edge(i).part, .closes = true, .contested = true};
    tree.color = colors_.color(std::array{a, b}, [](std::uint32_t body) { return body != kNone; });
    if (graph_.edge(i).linked()) {
      hold_alone(tree, i);
    } else {
      hang(tree, i);
    }
    return tree;
  }
  /// Adds the node of its body b, with body a as parent if it can be pushed.
  void hang(Tree& tree, std::uint32_t i) const {
    const auto [a, b] = graph_.ends(i);
    tree.nodes.push_back(node(b == kNone ? a : b, i));
    tree.nodes.back().child = 0;
    if (a != kNone && b != kNone && a != b) {
      tree.nodes.back().parent = 1;
      tree.nodes.push_back(node(a, kNone));
      tree.nodes.back().child = 1;
    }
    tree.links = tree.loops = static_cast<std::uint32_t>(tree.nodes.size());
  }
  /// Its links, at least one, and its body.
  void hold_alone(Tree& tree, std::uint32_t i) const {
    const JointEdge& edge = graph_.edge(i);
    const auto [a, b] = graph_.ends(i);
    for (const auto& [body, link] : {std::pair{a, edge.link_a}, std::pair{b, edge.link_b}}) {
      if (body == kNone || link != kNone) continue;
      tree.nodes.push_back(node(body, kNone));
      tree.nodes.back().child = 0;
      tree.links = tree.loops = 1;
    }
    for (const std::uint32_t link : {edge.link_a, edge.link_b}) {
      if (link != kNone && (link != edge.link_a || tree.loops == tree.links)) put_link(tree, link);
    }
    close(tree, i);
  }

  JointGraph graph_;
  FirstFit colors_;
};

}  // namespace

std::vector<JointTreePlan> trees_of(std::span<const JointEdge> edges) { return JointTrees(edges).trees(); }

}  // namespace cairn
