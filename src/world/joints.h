#pragma once
// The joints of a World as the host keeps them, and their order in the solver.

#include <cstdint>
#include <span>
#include <vector>

#include "cairn/joint.h"
#include "kernels/common/joints.h"

namespace cairn {

struct JointSlot {
  std::uint32_t world{0};
  std::uint32_t id{0};  ///< [1] the slot that it has in its world alone
  std::uint32_t generation{0};
  bool alive{false};
  Joint joint;  ///< as added, with later changes of its drives; bodies and joints by the ids they have in its world
};

/// A joint as the order goes by it.
struct JointEdge {
  std::uint32_t joint;           ///< [1] slot
  std::uint32_t part;            ///< [1]
  std::uint32_t body_a, body_b;  ///< [1] slots; kNone for what no joint can push
  std::uint32_t hard, soft;      ///< [1] rows
};

/// kernels::JointLayout, on the host.
struct JointOrder {
  std::vector<std::uint32_t> joint;        ///< [1] (slots) kNone in padding lanes
  std::vector<std::uint32_t> color_begin;  ///< [1] (bands + 1) like kernels::Parts, in joints
  std::vector<std::uint32_t> color_row;    ///< [1] (bands + 1) likewise, in slots
  std::vector<kernels::JointBlock> blocks;
  std::uint32_t rows{0};    ///< [1] kernels::JointRow
  std::uint32_t colors{0};  ///< [1] in use
};

/// Colours joints in the order given, first-fit, so that no two of a colour push one body; and sorts them by part,
/// colour and how many rows they have.
JointOrder order_joints(std::span<const JointEdge> edges, std::uint32_t parts);

}  // namespace cairn
