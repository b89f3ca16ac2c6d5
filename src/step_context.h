#pragma once
// Everything that a step works on, as plain values and device pointers.

#include "cairn/params.h"
#include "cairn/report.h"
#include "kernels/articulations/links.h"
#include "kernels/color/body_color.h"
#include "kernels/common/bases.h"
#include "kernels/common/belts.h"
#include "kernels/common/constraints.h"
#include "kernels/common/direct.h"
#include "kernels/common/fluids.h"
#include "kernels/common/hertz.h"
#include "kernels/common/pair_class.h"
#include "kernels/common/state.h"
#include "kernels/exchange/exchange.h"
#include "kernels/exchange/exchange_articulation_joints.h"
#include "kernels/exchange/exchange_articulations.h"
#include "kernels/exchange/exchange_joints.h"
#include "kernels/fields/field_bodies.h"
#include "kernels/queries/query_rows.h"
#include "kernels/reset/reset.h"
#include "kernels/scale/scale_arrays.h"
#include "src/fields/field_context.h"
#include "src/solve/traits.h"

namespace cairn {

/// Where it is kept who touches whom; null where nobody asks.
struct EventContext {
  kernels::EventTable tables[2]{};  ///< indexed by parity, like pairs
  kernels::EndedEvents ended{};
  kernels::EventCounts* counts{nullptr};
  friend bool operator==(const EventContext&, const EventContext&) = default;
};

/// Islands that are solved directly; none where `max_bodies` is 0.
struct DirectContext {
  std::uint32_t max_bodies{0};  ///< [1] of one
  float mass_ratio{1};          ///< [1] of a body of it to one that it rests on, at least
  kernels::Direct bodies{};
  kernels::DirectPlaces places{};
  kernels::DirectRows rows{};
  std::uint32_t place_capacity{0}, row_capacity{0};  ///< [1] of these
  std::uint32_t* end{nullptr};  ///< [1] (2 pairs) what pushes each body (kernels/direct/direct_islands.h)
  friend bool operator==(const DirectContext&, const DirectContext&) = default;
};

struct StepContext {
  kernels::StepConstants constants{};
  kernels::Bodies bodies{};
  kernels::Shapes shapes{};
  kernels::Worlds worlds{};
  kernels::Pairs pairs[2]{};  ///< indexed by parity; [constants.parity] is this step's
  kernels::PairWork work{};
  std::uint32_t pair_classes{0};  ///< bit by PairClass: pairs of it may occur
  kernels::Workers workers{};     ///< where some of those may take EPA
  kernels::Parts parts{};
  kernels::Rows rows;
  std::uint32_t row_capacity{0};             ///< [1] row slots
  bool few_edges{false};                     ///< few contacts will want a colour; a matter of speed alone
  bool many_repeats{false};                  ///< many rows will be repeated; a matter of speed alone
  kernels::RowEnds row_ends{};               ///< for xpbd and avbd alone
  kernels::BodyEnds body_ends{};             ///< the same
  kernels::BodyColors body_colors{};         ///< for avbd alone
  std::uint32_t* body_color_begin{nullptr};  ///< [1] (parts kBodyColors + 1) the same, first entry of the bodies' order
  DirectContext direct{};
  kernels::HertzBlock* hertz{nullptr};  ///< (row blocks) for hertz_mindlin alone
  kernels::Joints joints{};
  kernels::JointLayout joint_layout{};  ///< no slots where there are no joints
  kernels::Parts joint_parts{};         ///< `parts`, with the colours of trees of joints
  kernels::Parts joint_node_parts{};    ///< and with their nodes, for `rows` alone
  kernels::JointSoftness joint_softness{};
  kernels::Constraints constraints{};     ///< no slots where there are none
  kernels::Parts constraint_parts{};      ///< `parts`, with the colours of constraints
  kernels::Fluids fluids{};               ///< none where their count is 0
  kernels::Parts fluid_parts{};           ///< `parts`, with particles of fluids for bodies
  const FieldContext* fields{nullptr};    ///< on the host; null where there are none
  std::uint64_t fields_version{0};        ///< of what that says
  kernels::Links links{};                 ///< of articulations; none where their count is 0
  kernels::Parts articulation_parts{};    ///< `parts`, with articulations for bodies
  const BodyScales* own_scales{nullptr};  ///< (bodies) for joints in a World with scales
  const kernels::ContactMaterial* materials{nullptr};
  kernels::Belts belts{};  ///< none where no material's surface moves
  kernels::Surfaces surfaces{};
  kernels::Solids solids{};
  const std::uint32_t* planes{nullptr};  ///< [1] (planes) shape slots, world by world
  kernels::IgnoredPairs ignored{};
  EventContext events{};
  std::uint32_t* bucket_begin{nullptr};  ///< [1] (bucket_count + 3) first entry of Shapes::sorted of each bucket
  kernels::StepState* state{nullptr};
  SolverTraits solver{traits_of(SolverKind::kSoftStep)};
  SweepKind sweep{SweepKind::kGaussSeidel};
  int substeps{1};
  int passes{1};            ///< [1] of `solve` in a substep
  bool restitution{false};  ///< some material bounces
  bool rolling{false};      ///< some material resists rolling
  bool ccd{true};
  bool sleeping{false};
  bool mirrored{false};  ///< every step works on the same pair tables (kernels/finish/mirror.h)
  friend bool operator==(const StepContext&, const StepContext&) = default;
};

/// Whether a part of the motion has something beside contacts of soft_step. Where it can have none (Exec::kOnlyContacts,
/// which is for steps that only_contacts is true of) it is compiled without.
template <class Exec>
CAIRN_BOTH constexpr bool may_have(bool what) {
  return !Exec::kOnlyContacts && what;
}
template <class Exec>
CAIRN_BOTH constexpr SolverTraits solver_of(const StepContext& s) {
  if constexpr (Exec::kOnlyContacts) {
    return kSoftStepTraits;
  } else {
    return s.solver;
  }
}
/// What all that may_have is asked for comes to.
inline bool only_contacts(const StepContext& s) {
  return s.solver.kind == SolverKind::kSoftStep && s.direct.max_bodies == 0 && s.joint_layout.slots == 0 &&
         s.links.count == 0 && s.constraints.slots == 0 && s.fluids.count == 0 && !s.restitution && !s.rolling;
}

/// What a reset needs beside the context of the next step.
struct ResetContext {
  kernels::Starts starts{};
  const std::uint8_t* chosen{nullptr};  ///< [1] (worlds) not 0 for those that are reset; null for all
  bool contacts_alone{false};           ///< ends the contacts, and leaves the rest
};

/// What an exchange of states with the user's arrays needs beside that context.
struct ExchangeContext {
  enum class What {
    kRead,
    kWrite,
    kNotify,
    kMove,
    kPush,
    kReadArticulations,
    kWriteArticulations,
    kReadArticulationJoints,
    kWriteArticulationJoints,
    kReadJoints,
    kWriteJoints
  };
  What what{What::kRead};
  bool poses{false};    ///< kNotify: positions or orientations changed, too
  bool motions{false};  ///< kNotify: these, or velocities
  kernels::Frames frames{};
  kernels::StateColumns columns{};               ///< the user's
  double dt{0};                                  ///< [s] kMove: in which the poses are reached
  std::uint32_t rows{0};                         ///< [1] of them, one a living body
  kernels::BodyPushes pushes{};                  ///< kPush: forces for the next step
  kernels::ArticulationColumns articulations{};  ///< the same, one row an articulation
  kernels::ArticulationJointColumns articulation_joints{};
  const std::uint32_t* articulation_of{nullptr};  ///< [1] (their rows) index
  kernels::JointColumns joints{};                 ///< the same, one row a joint
  const std::uint32_t* joint_of{nullptr};         ///< [1] (their rows) slots
  std::uint32_t joint_rows{0};                    ///< [1]
  const std::uint8_t* chosen{nullptr};            ///< [1] (worlds) not 0 for those that it is for; null for all
  std::uint32_t* refused{nullptr};                ///< [1] (worlds) where rows are written: not 0 where one broke a rule
};

/// What queries need beside that context: what they read, and where the answers go.
struct QueryContext {
  enum class What { kBuild, kFirst, kCount, kFill, kRows };
  What what{What::kBuild};
  kernels::QueryKind kind{kernels::QueryKind::kRay};
  kernels::QueryScene scene{};
  const kernels::Query* queries{nullptr};  ///<     (count)
  std::uint32_t count{0};                  ///< [1]
  std::uint32_t* begin{nullptr};           ///< [1] (count) kCount: how many each finds; kFill: where they go
  kernels::QueryFound* found{nullptr};     ///<     (count) kFirst; (all found) kFill
  kernels::QueryRows rows{};               ///<     kRows: arrays of the user's
};

/// How the scales of a world are applied.
enum class Rescale : std::uint8_t {
  kNo,
  kLinks,  ///< to how articulations are built alone: all else has them
  kThere,  ///< bodies are already where they have them
  kNew,    ///< those of some body are new: links move
  kFresh,  ///< the same of the world's; contacts end, and bodies wake
};

/// What scaling worlds needs beside the context of the next step.
struct ScaleContext {
  kernels::BodyBases bodies{};
  kernels::ShapeBases shapes{};
  kernels::MaterialBases material_bases{};
  kernels::Frames frames{};  ///< where there are some
  kernels::ContactMaterial* materials{nullptr};
  std::uint32_t material_count{0};      ///< [1] slots
  const std::uint8_t* chosen{nullptr};  ///< [1] (worlds) not 0 for those that are scaled; null for all
  Rescale how{Rescale::kThere};
  enum class From { kThere, kDrawn, kGiven };
  From from{From::kThere};                 ///< the scales that there are, or new ones
  Randomisation ranges{};                  ///< kDrawn
  kernels::ScaleColumns given{};           ///< kGiven
  const std::uint32_t* row_slot{nullptr};  ///< [1] (rows) kGiven: slot of each living body
  std::uint32_t rows{0};                   ///< [1] kGiven
  std::uint32_t* refused{nullptr};         ///< [1] (worlds) kGiven: not 0 for those whose scales broke a rule
};

}  // namespace cairn
