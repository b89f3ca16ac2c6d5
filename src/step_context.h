#pragma once
// All inputs of a step, as plain values and device pointers.

#include <variant>

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
#include "kernels/exchange/exchange_articulation_joints.h"
#include "kernels/exchange/exchange_articulations.h"
#include "kernels/exchange/exchange_joints.h"
#include "kernels/exchange/exchange_materials.h"
#include "kernels/exchange/exchange_states.h"
#include "kernels/fields/field_bodies.h"
#include "kernels/queries/query_rows.h"
#include "kernels/reset/reset.h"
#include "kernels/scale/scale_arrays.h"
#include "src/fields/field_context.h"
#include "src/solve/traits.h"

namespace cairn {

/// Contact events, where they are recorded; null otherwise.
struct EventContext {
  kernels::EventTable tables[2]{};  ///< indexed by parity, like pairs
  kernels::EndedEvents ended{};
  kernels::EventCounts* counts{nullptr};
  friend bool operator==(const EventContext&, const EventContext&) = default;
};

/// Islands that are solved directly; none if `max_bodies` is 0.
struct DirectContext {
  std::uint32_t max_bodies{0};  ///< [1] of an island
  float mass_ratio{1};          ///< [1] min ratio of a body's mass to that of one that it rests on
  kernels::Direct bodies{};
  kernels::DirectPlaces places{};
  kernels::DirectRows rows{};
  std::uint32_t place_capacity{0}, row_capacity{0};  ///< [1] of these
  std::uint32_t* end{nullptr};  ///< [1] (2 pairs) contacts of each body (kernels/direct/direct_islands.h)
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
  kernels::Workers workers{};     ///< if some classes may need EPA
  kernels::Parts parts{};
  kernels::Rows rows;                 ///< may lie in pairs[parity ^ 1].manifold, which nothing reads after `collide`
  std::uint32_t row_capacity{0};      ///< [1] row slots
  bool few_edges{false};              ///< few contacts are expected to need a colour; affects speed only
  bool many_repeats{false};           ///< many rows are expected to be repeated; affects speed only
  kernels::RowEnds row_ends{};        ///< only for xpbd and avbd
  kernels::BodyEnds body_ends{};      ///< only for xpbd and avbd
  kernels::BodyColors body_colors{};  ///< only for avbd
  std::uint32_t* body_color_begin{nullptr};  ///< [1] (parts kBodyColors + 1) only for avbd: begins in the bodies' order
  DirectContext direct{};
  kernels::HertzBlock* hertz{nullptr};  ///< (row blocks) only for hertz_mindlin
  kernels::Joints joints{};
  kernels::JointLayout joint_layout{};  ///< no slots if there are no joints
  kernels::Parts joint_parts{};         ///< `parts`, with the colours of trees of joints
  kernels::Parts joint_node_parts{};    ///< and with their nodes, only for `rows`
  kernels::JointSoftness joint_softness{};
  kernels::Constraints constraints{};     ///< no slots if there are none
  kernels::Parts constraint_parts{};      ///< `parts`, with the colours of constraints
  kernels::Fluids fluids{};               ///< none if their count is 0
  kernels::Parts fluid_parts{};           ///< `parts`, with fluid particles as bodies
  const FieldContext* fields{nullptr};    ///< on the host; null if there are none
  std::uint64_t fields_version{0};        ///< of the content of `fields`
  kernels::Links links{};                 ///< of articulations; none if their count is 0
  kernels::Parts articulation_parts{};    ///< `parts`, with articulations as bodies
  const BodyScales* own_scales{nullptr};  ///< (bodies) for joints in a World with scales
  const kernels::ContactMaterial* materials{nullptr};
  kernels::Belts belts{};  ///< none if no material's surface moves
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

/// Whether a part of the motion has more than contacts of soft_step. With Exec::kOnlyContacts, which is for steps where
/// only_contacts is true, the rest isn't compiled.
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
/// Whether all conditions given to may_have are false.
inline bool only_contacts(const StepContext& s) {
  return s.solver.kind == SolverKind::kSoftStep && s.direct.max_bodies == 0 && s.joint_layout.slots == 0 &&
         s.links.count == 0 && s.constraints.slots == 0 && s.fluids.count == 0 && !s.restitution && !s.rolling;
}

/// Inputs of a reset beside the context of the next step.
struct ResetContext {
  kernels::Starts starts{};
  const std::uint8_t* chosen{nullptr};  ///< [1] (worlds) not 0: reset; null: all worlds
  bool contacts_alone{false};           ///< only ends the contacts
};

/// Inputs of an exchange with the user's arrays, beside that context.
struct ExchangeContext {
  enum class What { kRead, kWrite, kNotify, kMove, kPush };
  What what{What::kRead};
  bool poses{false};    ///< kNotify: positions or orientations changed, too
  bool motions{false};  ///< kNotify: these or velocities changed
  /// The user's; of states for kMove.
  std::variant<kernels::StateColumns, kernels::ArticulationColumns, kernels::ArticulationJointColumns,
               kernels::JointColumns, kernels::MaterialColumns>
      columns{};
  std::uint32_t rows{0};                ///< [1] of `columns`
  double dt{0};                         ///< [s] kMove: time in which the poses are reached
  kernels::BodyPushes pushes{};         ///< kPush: forces for the next step
  const std::uint8_t* chosen{nullptr};  ///< [1] (worlds) not 0: chosen; null: all worlds
  // of the World
  std::uint32_t* refused{nullptr};  ///< [1] (worlds) of writes: not 0 if a row of the world broke a rule
  kernels::Frames frames{};
  const std::uint32_t* articulation_of{nullptr};  ///< [1] (rows of articulations) index
  const std::uint32_t* joint_of{nullptr};         ///< [1] (rows of joints) slots
  kernels::MaterialPlaces materials{};
};

/// Inputs and outputs of queries, beside that context.
struct QueryContext {
  enum class What { kBuild, kFirst, kCount, kFill, kRows };
  What what{What::kBuild};
  kernels::QueryKind kind{kernels::QueryKind::kRay};
  kernels::QueryScene scene{};
  const kernels::Query* queries{nullptr};  ///<     (count)
  std::uint32_t count{0};                  ///< [1]
  std::uint32_t* begin{nullptr};           ///< [1] (count) kCount: number of hits of each; kFill: their places
  kernels::QueryFound* found{nullptr};     ///<     (count) kFirst; (all found) kFill
  kernels::QueryRows rows{};               ///<     kRows: the user's arrays
};

/// How the scales of a world are applied.
enum class Rescale : std::uint8_t {
  kNo,
  kLinks,  ///< only to the dimensions of articulations: all else has them
  kThere,  ///< bodies are already at the scaled places
  kNew,    ///< scales of some body are new: links move
  kFresh,  ///< scales of the world are new; contacts end, and bodies wake
};

/// Inputs of scaling, beside the context of the next step.
struct ScaleContext {
  kernels::BodyBases bodies{};
  kernels::ShapeBases shapes{};
  kernels::MaterialBases material_bases{};
  kernels::Frames frames{};  ///< if there are some
  kernels::ContactMaterial* materials{nullptr};
  std::uint32_t material_count{0};      ///< [1] slots
  const std::uint8_t* chosen{nullptr};  ///< [1] (worlds) not 0: scaled; null: all worlds
  Rescale how{Rescale::kThere};
  enum class From { kThere, kDrawn, kGiven };
  From from{From::kThere};                 ///< the present scales, or new ones
  Randomisation ranges{};                  ///< kDrawn
  kernels::ScaleColumns given{};           ///< kGiven
  const std::uint32_t* row_slot{nullptr};  ///< [1] (rows) kGiven: slot of each living body
  std::uint32_t rows{0};                   ///< [1] kGiven
  std::uint32_t* refused{nullptr};         ///< [1] (worlds) kGiven: not 0 if a scale of the world broke a rule
};

}  // namespace cairn
