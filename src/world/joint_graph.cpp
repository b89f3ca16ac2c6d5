// Trees of joints, and the loops that are solved with them.

#include "src/world/joint_graph.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <unordered_map>

#include "kernels/common/parts.h"

namespace cairn {
namespace {

using kernels::kNone;
/// [1] Colour of trees: a class of their own, swept when all of the other class are done, with what found no colour
/// there. So they have the last word, and share no sweep with a joint that closes a loop.
constexpr std::uint32_t kTrees = kernels::kColorsPerClass;

/// Bodies that joints push, by number in the order in which joints name them, and the joints between them.
class JointGraph {
 public:
  explicit JointGraph(std::span<const JointEdge> edges) : edges_(edges) {
    ends_.reserve(edges.size());
    for (const JointEdge& e : edges) ends_.push_back({number(e.body_a), number(e.body_b)});
    const auto bodies = static_cast<std::uint32_t>(slot_.size());
    set_.resize(bodies);
    for (std::uint32_t b = 0; b < bodies; ++b) set_[b] = b;
    tied_.assign(bodies, kNone);
    spanning_.resize(bodies);
    taken_.assign(bodies, 0);
    std::vector<std::uint32_t> by_locks(edges.size());
    for (std::uint32_t i = 0; i < by_locks.size(); ++i) by_locks[i] = i;
    std::ranges::stable_sort(by_locks, std::greater{}, [&](std::uint32_t i) { return edges[i].rows.locked; });
    for (const std::uint32_t i : by_locks) {
      if (edges[i].linked || !span(i)) closing_.push_back(i);
    }
  }

  using Tree = JointTreePlan;
  std::vector<Tree> trees() {
    std::vector<Tree> trees;
    std::vector<Group> groups = find_groups();
    for (const std::uint32_t i : closing_) {
      const std::uint32_t group = group_of(i);
      if (group == kNone || !groups[group].at_once()) trees.push_back(closing(i));
    }
    std::vector<std::uint8_t> seen(slot_.size(), 0);
    std::vector<Tree> whole(groups.size());
    for (std::uint32_t b = 0; b < slot_.size(); ++b) {
      const std::uint32_t tie = tied_[set_of(b)];
      const bool is_root = tie == kNone || ends_[tie].a == b || ends_[tie].b == b;
      const Group& group = groups[group_[set_of(b)]];
      // what hangs on nothing is solved for the loops that it is in
      const bool alone = tie == kNone && spanning_[b].empty() && !group.at_once();
      if (!is_root || seen[b] != 0 || alone) continue;
      Tree tree = grown(b, tie, seen);
      tree.contested = group.contested;
      if (group.at_once()) {
        append(whole[group_[set_of(b)]], std::move(tree));
      } else {
        trees.push_back(std::move(tree));
      }
    }
    for (const std::uint32_t i : closing_) {
      const std::uint32_t group = group_of(i);
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
  struct Ends {
    std::uint32_t a, b;  ///< [1] numbers; kNone for what no joint can push
  };

  /// Trees that loops hold together.
  struct Group {
    std::uint32_t bodies{0}, loop_rows{0};  ///< [1]
    bool contested{false};                  ///< joints close loops in it, or hold it to articulations
    bool at_once() const {
      return loop_rows != 0 && loop_rows <= kernels::kMostLoopRows && loop_rows * bodies <= kernels::kMostLoopWork;
    }
  };

  /// kNone: of a joint that nothing can push, or on a link.
  std::uint32_t group_of(std::uint32_t edge) {
    const auto [a, b] = ends_[edge];
    if (edges_[edge].linked || (a == kNone && b == kNone)) return kNone;
    return group_[set_of(a == kNone ? b : a)];
  }

  /// Numbers them by their lowest body: `group_`.
  std::vector<Group> find_groups() {
    std::vector<std::uint32_t> sets = set_;
    const auto find = [&](std::uint32_t b) {
      while (sets[b] != b) b = sets[b] = sets[sets[b]];
      return b;
    };
    for (const std::uint32_t i : closing_) {
      const auto [a, b] = ends_[i];
      if (!edges_[i].linked && a != kNone && b != kNone) sets[find(a)] = find(b);
    }
    std::vector<Group> groups;
    std::vector<std::uint32_t> number(slot_.size(), kNone);
    group_.assign(slot_.size(), kNone);
    for (std::uint32_t b = 0; b < slot_.size(); ++b) {
      std::uint32_t& of = number[find(b)];
      if (of == kNone) {
        of = static_cast<std::uint32_t>(groups.size());
        groups.emplace_back();
      }
      group_[b] = of;
      groups[of].bodies += 1;
    }
    for (const std::uint32_t i : closing_) {
      const std::uint32_t group = group_of(i);
      if (group != kNone) groups[group].loop_rows += edges_[i].rows.all;
      for (const std::uint32_t body : {ends_[i].a, ends_[i].b}) {
        if (body != kNone) groups[group_[body]].contested = true;
      }
    }
    return groups;
  }

  std::uint32_t number(std::uint32_t body) {
    if (body == kNone) return kNone;
    const auto [at, is_new] = number_.try_emplace(body, static_cast<std::uint32_t>(slot_.size()));
    if (is_new) slot_.push_back(body);
    return at->second;
  }

  std::uint32_t set_of(std::uint32_t b) {
    while (set_[b] != b) b = set_[b] = set_[set_[b]];
    return b;
  }

  /// Takes a joint into a tree, if it closes no loop there. What can't be pushed is one more body, at most once a tree.
  bool span(std::uint32_t i) {
    const auto [a, b] = ends_[i];
    if (a == kNone || b == kNone) {
      if (a == b) return false;
      const std::uint32_t set = set_of(a == kNone ? b : a);
      if (tied_[set] != kNone) return false;
      tied_[set] = i;
      return true;
    }
    const std::uint32_t set_a = set_of(a), set_b = set_of(b);
    if (set_a == set_b || (tied_[set_a] != kNone && tied_[set_b] != kNone)) return false;
    set_[set_b] = set_a;
    if (tied_[set_a] == kNone) tied_[set_a] = tied_[set_b];
    spanning_[a].push_back(i);
    spanning_[b].push_back(i);
    return true;
  }

  kernels::JointNode node(std::uint32_t body, std::uint32_t edge) const {
    kernels::JointNode n{};
    n.body = body == kNone ? kNone : slot_[body];
    n.joint = edge == kNone ? kNone : edges_[edge].joint;
    n.child = n.parent = kNone;
    n.is_b = edge != kNone && ends_[edge].b == body ? 1 : 0;
    n.first = edge == kNone ? 0 : edge;  // its joint, until rows have places
    return n;
  }

  Tree grown(std::uint32_t root, std::uint32_t tie, std::vector<std::uint8_t>& seen) const {
    Tree tree;
    std::vector<std::uint32_t> found{root};
    tree.nodes.push_back(node(root, tie));
    seen[root] = 1;
    for (std::uint32_t at = 0; at < found.size(); ++at) {
      for (const std::uint32_t i : spanning_[found[at]]) {
        tree.part = edges_[i].part;
        const std::uint32_t next = ends_[i].a == found[at] ? ends_[i].b : ends_[i].a;
        if (seen[next] != 0) continue;
        seen[next] = 1;
        found.push_back(next);
        tree.nodes.push_back(node(next, i));
        tree.nodes.back().parent = at;
      }
    }
    if (tie != kNone) tree.part = edges_[tie].part;
    std::ranges::reverse(tree.nodes);
    const auto count = static_cast<std::uint32_t>(tree.nodes.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      kernels::JointNode& n = tree.nodes[i];
      n.child = i;
      if (n.parent != kNone) n.parent = count - 1 - n.parent;
    }
    tree.loops = count;
    return tree;
  }

  static void append(Tree& to, Tree from) {
    const auto begin = static_cast<std::uint32_t>(to.nodes.size());
    for (kernels::JointNode& n : from.nodes) {
      n.child += begin;
      if (n.parent != kNone) n.parent += begin;
      to.nodes.push_back(n);
    }
    to.loops = begin + from.loops;
    to.part = from.part;
    to.contested = from.contested;
  }

  /// A joint that closes a loop, behind the trees that it is on.
  void close(Tree& tree, std::uint32_t i) const {
    const auto [a, b] = ends_[i];
    const auto place = [&](std::uint32_t body) {
      if (body == kNone) return kNone;
      const auto at = std::ranges::find(tree.nodes, slot_[body], &kernels::JointNode::body);
      return static_cast<std::uint32_t>(at - tree.nodes.begin());
    };
    kernels::JointNode n = node(b == kNone ? a : b, i);
    n.child = place(b == kNone ? a : b);
    n.parent = b == kNone ? kNone : place(a);
    n.body = kNone;
    for (std::uint32_t at : {n.child, n.parent}) {
      for (; at != kNone; at = tree.nodes[at].parent) tree.nodes[at].on_loop = 1;
    }
    tree.nodes.push_back(n);
    tree.part = edges_[i].part;
    tree.loop_rows += edges_[i].rows.all;
  }

  /// A joint alone: its body b hangs on its body a, if that can be pushed.
  Tree closing(std::uint32_t i) {
    const auto [a, b] = ends_[i];
    Tree tree{.part = edges_[i].part, .closes = true, .contested = true, .linked = edges_[i].linked};
    std::uint64_t mask = 0;
    for (const std::uint32_t body : {a, b}) {
      if (body != kNone) mask |= taken_[body];
    }
    // what finds no colour is solved one at a time, in the last band of the class
    tree.color = static_cast<std::uint32_t>(std::countr_one(mask));
    for (const std::uint32_t body : {a, b}) {
      if (body != kNone && tree.color < kernels::kMaskColors) taken_[body] |= std::uint64_t{1} << tree.color;
    }
    tree.nodes.push_back(node(b == kNone ? a : b, i));
    tree.nodes.back().child = 0;
    if (a != kNone && b != kNone && a != b && !tree.linked) {
      tree.nodes.back().parent = 1;
      tree.nodes.push_back(node(a, kNone));
      tree.nodes.back().child = 1;
    }
    tree.loops = static_cast<std::uint32_t>(tree.nodes.size());
    return tree;
  }

  std::span<const JointEdge> edges_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;
  std::vector<std::uint32_t> slot_;                   ///< [1] (bodies)
  std::vector<Ends> ends_;                            ///<     (edges)
  std::vector<std::uint32_t> set_, tied_;             ///< [1] (bodies) sets that trees join; edge that ties a set down
  std::vector<std::uint32_t> group_;                  ///< [1] (bodies) of its set
  std::vector<std::vector<std::uint32_t>> spanning_;  ///< [1] (bodies) edges of its tree
  std::vector<std::uint64_t> taken_;                  ///< [1] (bodies) colours
  std::vector<std::uint32_t> closing_;                ///< [1] edges
};

}  // namespace

std::vector<JointTreePlan> trees_of(std::span<const JointEdge> edges) { return JointGraph(edges).trees(); }

}  // namespace cairn
