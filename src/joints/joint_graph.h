#pragma once
// Bodies connected by joints.

#include <span>
#include <unordered_map>
#include <vector>

#include "src/joints/joint_order.h"

namespace cairn {

/// Bodies that joints push, numbered in the order in which joints name them, and the joints between them: a spanning
/// tree of each connected set, and the joints that no tree took. An articulation is one body, and no joint on it is in
/// a tree.
class JointGraph {
 public:
  explicit JointGraph(std::span<const JointEdge> edges);

  struct Ends {
    std::uint32_t a, b;  ///< [1] numbers; kNone for an immovable end
  };

  /// Trees and articulations connected by joints.
  struct Group {
    std::uint32_t bodies{0}, loop_rows{0};  ///< [1] an articulation is one body
    bool contested{false};                  ///< joints close loops in it, or hold it to articulations
    bool consistent{true};                  ///< they close none, articulations counted in: no contradiction is possible
    bool at_once() const {
      return loop_rows != 0 && loop_rows <= kernels::kMaxLoopRows && loop_rows * bodies <= kernels::kMaxLoopWork;
    }
  };

  std::uint32_t bodies() const { return static_cast<std::uint32_t>(slot_.size()); }
  std::uint32_t slot(std::uint32_t body) const { return slot_[body]; }
  const JointEdge& edge(std::uint32_t i) const { return edges_[i]; }
  Ends ends(std::uint32_t edge) const { return ends_[edge]; }
  /// Edges of its tree at this body.
  std::span<const std::uint32_t> spanning(std::uint32_t body) const { return spanning_[body]; }
  /// The edge that ties the tree of a body to an immovable end, or kNone.
  std::uint32_t tie(std::uint32_t body) const { return tied_[set_of(body)]; }
  /// Slots of links that joints hold; empty for a body that isn't an articulation.
  std::span<const std::uint32_t> links(std::uint32_t body) const { return links_[body]; }
  /// Edges in no tree, the most locked axes first.
  std::span<const std::uint32_t> closing() const { return closing_; }

  std::span<const Group> groups() const { return groups_; }
  std::uint32_t group_of_body(std::uint32_t body) const { return group_[set_of(body)]; }
  /// For an edge in no tree; kNone if both ends are immovable, or it is on links of a group that is too large.
  std::uint32_t group_of_edge(std::uint32_t edge) const;

 private:
  std::uint32_t number(std::uint32_t body);
  std::uint32_t set_of(std::uint32_t body) const;
  bool span(std::uint32_t edge);
  void hold_link(std::uint32_t articulation, std::uint32_t link);
  void find_groups();
  void find_loops();
  void leave_alone();

  std::span<const JointEdge> edges_;
  std::unordered_map<std::uint32_t, std::uint32_t> number_;
  std::vector<std::uint32_t> slot_;                   ///< [1] (bodies)
  std::vector<Ends> ends_;                            ///<     (edges)
  mutable std::vector<std::uint32_t> set_;            ///< [1] (bodies) sets that trees join
  std::vector<std::uint32_t> tied_;                   ///< [1] (bodies) edge that ties a set to an immovable end
  std::vector<std::vector<std::uint32_t>> spanning_;  ///< [1] (bodies)
  std::vector<std::vector<std::uint32_t>> links_;     ///< [1] (bodies)
  std::vector<std::uint8_t> stands_;                  ///< [1] (bodies) 1: an articulation fixed to the world
  std::vector<std::uint32_t> closing_;                ///< [1] edges
  std::vector<std::uint32_t> group_;                  ///< [1] (bodies) of its set
  std::vector<Group> groups_;
  std::vector<std::uint8_t> alone_;  ///< [1] (edges) 1: on links, and in no group
};

}  // namespace cairn
