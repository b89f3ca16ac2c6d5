// Groups of bodies connected by joints.

#include "src/joints/joint_graph.h"

#include <algorithm>
#include <functional>

namespace cairn {

using kernels::kNone;

namespace {

/// Root of a set in a forest of sets, with path halving.
std::uint32_t root_of(std::vector<std::uint32_t>& sets, std::uint32_t b) {
  while (sets[b] != b) b = sets[b] = sets[sets[b]];
  return b;
}

}  // namespace

JointGraph::JointGraph(std::span<const JointEdge> edges) : edges_(edges) {
  ends_.reserve(edges.size());
  for (const JointEdge& e : edges) ends_.push_back({number(e.body_a), number(e.body_b)});
  links_.resize(bodies());
  stands_.assign(bodies(), 0);
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    hold_link(ends_[i].a, edges[i].link_a);
    hold_link(ends_[i].b, edges[i].link_b);
    if (!edges[i].floats_a && ends_[i].a != kNone) stands_[ends_[i].a] = 1;
    if (!edges[i].floats_b && ends_[i].b != kNone) stands_[ends_[i].b] = 1;
  }
  set_.resize(bodies());
  for (std::uint32_t b = 0; b < bodies(); ++b) set_[b] = b;
  tied_.assign(bodies(), kNone);
  spanning_.resize(bodies());
  std::vector<std::uint32_t> by_locks(edges.size());
  for (std::uint32_t i = 0; i < by_locks.size(); ++i) by_locks[i] = i;
  std::ranges::stable_sort(by_locks, std::greater{}, [&](std::uint32_t i) { return edges[i].rows.locked; });
  for (const std::uint32_t i : by_locks) {
    if (edges[i].linked() || !span(i)) closing_.push_back(i);
  }
  alone_.assign(edges.size(), 0);
  find_groups();
  leave_alone();
}

std::uint32_t JointGraph::group_of_edge(std::uint32_t edge) const {
  const auto [a, b] = ends_[edge];
  if (alone_[edge] != 0 || (a == kNone && b == kNone)) return kNone;
  return group_of_body(a == kNone ? b : a);
}

std::uint32_t JointGraph::number(std::uint32_t body) {
  if (body == kNone) return kNone;
  const auto [at, is_new] = number_.try_emplace(body, bodies());
  if (is_new) slot_.push_back(body);
  return at->second;
}

std::uint32_t JointGraph::set_of(std::uint32_t b) const { return root_of(set_, b); }

void JointGraph::hold_link(std::uint32_t articulation, std::uint32_t link) {
  if (link == kNone) return;
  std::vector<std::uint32_t>& links = links_[articulation];
  if (std::ranges::find(links, link) == links.end()) links.push_back(link);
}

/// Takes a joint into a tree, if it closes no loop there. Immovable ends count as one more body, at most once a tree.
bool JointGraph::span(std::uint32_t i) {
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

/// Numbers groups by their lowest body: `group_`.
void JointGraph::find_groups() {
  std::vector<std::uint32_t> sets = set_;
  const auto find = [&](std::uint32_t b) { return root_of(sets, b); };
  for (const std::uint32_t i : closing_) {
    const auto [a, b] = ends_[i];
    if (alone_[i] == 0 && a != kNone && b != kNone) sets[find(a)] = find(b);
  }
  groups_.clear();
  std::vector<std::uint32_t> number(bodies(), kNone);
  group_.assign(bodies(), kNone);
  for (std::uint32_t b = 0; b < bodies(); ++b) {
    std::uint32_t& of = number[find(b)];
    if (of == kNone) {
      of = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    group_[b] = of;
    groups_[of].bodies += 1;
  }
  for (const std::uint32_t i : closing_) {
    const std::uint32_t group = group_of_edge(i);
    if (group != kNone) groups_[group].loop_rows += edges_[i].rows.all;
    for (const std::uint32_t body : {ends_[i].a, ends_[i].b}) {
      if (body != kNone) groups_[group_[body]].contested = true;
    }
  }
  find_loops();
}

/// Groups without loops. Immovable ends are one more body, which includes articulations and trees fixed to it.
void JointGraph::find_loops() {
  const std::uint32_t world = bodies();
  std::vector<std::uint32_t> sets = set_;
  sets.push_back(world);
  const auto find = [&](std::uint32_t b) { return root_of(sets, b == kNone ? world : b); };
  for (std::uint32_t b = 0; b < bodies(); ++b) {
    if (stands_[b] != 0 || tie(b) != kNone) sets[find(b)] = find(world);
  }
  for (const std::uint32_t i : closing_) {
    const std::uint32_t group = group_of_edge(i);
    if (group == kNone) continue;
    const std::uint32_t a = find(ends_[i].a), b = find(ends_[i].b);
    if (a == b) groups_[group].consistent = false;
    sets[a] = b;
  }
}

/// Leaves out joints on links in groups that are too large: the rest may be solved at once.
void JointGraph::leave_alone() {
  bool any = false;
  for (const std::uint32_t i : closing_) {
    const std::uint32_t group = group_of_edge(i);
    if (!edges_[i].linked() || group == kNone || groups_[group].at_once()) continue;
    alone_[i] = 1;
    any = true;
  }
  if (any) find_groups();
}

}  // namespace cairn
