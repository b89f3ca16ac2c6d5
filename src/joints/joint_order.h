#pragma once
// The order in which joints are solved.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/joint.h"
#include "kernels/common/joints.h"
#include "src/joints/compile_joint.h"

namespace cairn {

/// A joint as an edge of the graph.
struct JointEdge {
  std::uint32_t joint;           ///< [1] slot
  std::uint32_t part;            ///< [1]
  std::uint32_t body_a, body_b;  ///< [1] slots; kNone for an immovable end; for a link that of its articulation
  JointRowCount rows;
  std::uint32_t link_a{kernels::kNone}, link_b{kernels::kNone};  ///< [1] slots of links; kNone of bodies
  bool floats_a{true}, floats_b{true};                           ///< false for articulations fixed to the world
  bool linked() const { return link_a != kernels::kNone || link_b != kernels::kNone; }
};

/// kernels::JointLayout, on the host.
struct JointOrder {
  std::vector<kernels::JointTree> trees;  ///<     (slots)
  std::vector<kernels::JointNode> nodes;
  std::vector<std::uint32_t> color_begin;  ///< [1] (bands + 1) like kernels::Parts, in trees
  std::vector<std::uint32_t> color_row;    ///< [1] (bands + 1) the same, in slots
  std::vector<std::uint32_t> node_row;     ///< [1] (bands + 1) the same, in nodes; all of a part are in its first band
  std::uint32_t rows{0};                   ///< [1] kernels::JointRow
  std::uint32_t matrix{0};                 ///< [1] kernels::JointLayout::matrix
  std::uint32_t largest{0};                ///< [1] nodes of the largest tree
  std::uint32_t colors{0};  ///< [1] of joints outside of trees; trees are the one colour of the other class
};

/// Finds a spanning tree of joints for all connected bodies: joints in the given order, but those that lock more axes
/// come first. Trees are one colour, behind all others. Joints that close a loop are solved with their trees, up to
/// kernels::kMaxLoopRows rows of them. So are all but one of the joints that tie a tree to immovable ends, and all
/// joints on links: an articulation is a tree by itself. Beyond these rows, joints are trees of their own, in colours
/// found first-fit, so that no two of a colour push one body; an articulation counts as one. Sorts by part, colour and
/// size.
JointOrder order_joints(std::span<const JointEdge> edges, std::uint32_t parts);

}  // namespace cairn
