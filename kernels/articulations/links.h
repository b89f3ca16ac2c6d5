#pragma once
// Articulations in a World: their links are bodies there, with contacts.

#include "kernels/articulations/substep.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

namespace articulate {

/// Words of a node, and of a rate, that only an articulation in a World has.
enum WorldNodeWord : std::uint32_t {
  kPlace = 0,       // Transform to the world, at the substep's start
  kNextPlace = 12,  // the same at its end
  kChange = 24,     // Motion that impulses gave it
  kResponse = 30,   // Motion to Force, by columns
  kWorldNodeWords = 66
};
enum WorldDofWord : std::uint32_t {
  kGiven = 0,  // impulse left for it, then the change of its rate
  kWorldDofWords = 1
};
/// [1] Words of one articulation in Kind::world: of nodes, of dofs, and the nodes' motions along couplings.
CAIRN_HD std::uint32_t world_words(const Batch& b) {
  return kWorldNodeWords * b.nodes + kWorldDofWords * b.dofs + 6 * b.couplings * b.nodes;
}

/// All articulations of a World with the same build. The arrays are in lanes, like those of their batch.
struct Kind {
  Batch batch;               ///< without gravity, which belongs to the worlds
  double* next_q;            ///< [m, rad, 1]     (articulations coordinates) at the substep's end
  double* was_q;             ///< [m, rad, 1]     the same at the step's start
  double* was_v;             ///< [m/s, rad/s]    (articulations dofs) the same
  double* home_q;            ///< [m, rad, 1]     (articulations coordinates) state after a reset
  double* home_v;            ///< [m/s, rad/s]    (articulations dofs) the same
  double* world;             ///< [1]             (articulations world_words)
  const double* made_joint;  ///< [1] (joint_words) Batch::joint as described
  const double* made_build;  ///< [1] (build_words) the same of Batch::build
};

}  // namespace articulate

/// An articulation of a World.
struct Articulated {
  std::uint32_t kind;                  ///< [1] index
  std::uint32_t lane;                  ///< [1] index in its kind
  std::uint32_t world;                 ///< [1] index
  std::uint32_t link_begin, link_end;  ///< [1] of Links::link; at least one
  std::uint32_t joined;                ///< [1] 1: joints of the World push links of it
};

/// A link that is a body. Those of an articulation are in the order of its links.
struct LinkBody {
  std::uint32_t body;          ///< [1] slot
  std::uint32_t articulation;  ///< [1] index
  std::uint32_t node;          ///< [1] the node that it is part of
  std::uint32_t link;          ///< [1] index in its articulation
  articulate::Vec centre;      ///< [m] centre of mass, in the node's frame
  Quatd axes;                  ///< [1] principal frame to the node's
};

/// Impulses of contacts and joints on a link, and its response. As for all bodies of a row, motions are v of the centre
/// of mass, then w~ = I^1/2 w, and impulses are their duals.
struct LinkState {
  articulate::Vec force, moment;  ///< [N s], [N s m] impulses of this substep's contacts, about the centre of mass
  articulate::Vec joint_force, joint_moment;  ///< [N s], [N s m] the same of the World's joints, and of impacts
  float response[36];                         ///< [1/kg, kg^-1/2 / m, 1/m^2] motion by an impulse, by columns
  std::uint32_t renewed;                      ///< [1] 1: `response` may have changed since the substep's start
};

/// [1] Min nodes of an articulation that is worth a team's lanes.
inline constexpr std::uint32_t kTeamNodes = 4;

/// Links of a World's articulations. A row may push any of them: colours treat an articulation as one body, its owner.
struct Links {
  const std::uint32_t* of_body{nullptr};    ///< [1] (bodies + 1) index of a link; kNone
  LinkBody* link{nullptr};                  ///<     (links)
  LinkState* state{nullptr};                ///<     (links)
  const Articulated* articulated{nullptr};  ///<  (articulations)
  const articulate::Kind* kind{nullptr};    ///<  (kinds)
  BodySolve* solve{nullptr};                ///<  (bodies + 1)
  const Sym3* sqrt_inertia{nullptr};        ///<  (bodies) I^1/2, world, at the step's start
  std::uint32_t count{0};                   ///< [1] articulations
  std::uint32_t joined{0};                  ///< [1] not 0: joints of the World push some
  std::uint32_t max_nodes{0};               ///< [1] max of an articulation
  friend bool operator==(const Links&, const Links&) = default;
};

}  // namespace cairn::kernels
