#pragma once
// From descriptions to the kernels' data, and the rules of descriptions.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cairn/articulation.h"
#include "cairn/errors.h"
#include "kernels/articulations/model.h"
#include "src/exec/memory.h"

namespace cairn {

/// [1] Limits of an articulation, and of a coupling.
inline constexpr std::size_t kMaxCouplings = 1000, kMaxTerms = 1000;

struct CompiledArticulation {
  std::vector<kernels::articulate::Node> nodes;
  std::vector<kernels::articulate::Dof> dofs;
  std::vector<kernels::articulate::Link> links;
  std::vector<double> build;   ///< [1] Batch::build, without scales
  std::vector<double> joints;  ///< [1] Batch::joint
  std::vector<kernels::articulate::Coupling> couplings;
  std::vector<kernels::articulate::Term> terms;
  std::vector<std::uint32_t> levels;                 ///< [1] Batch::level
  std::vector<std::uint32_t> coordinate_of, dof_of;  ///< [1] (links) first of each link's joint
  std::uint32_t coordinates{0};                      ///< [1]
  std::vector<std::uint32_t> quaternions;            ///< [1] first coordinate of each
  bool floats{true};                                 ///< no part of it stands on the world
  bool bounded{false};                               ///< kernels::articulate::Batch
};

/// Link or coupling `index`, or what `all` has of it. Throws InvalidArgument if there is none.
template <class T>
const T& part_at(const Articulation& of, const std::vector<T>& all, std::uint32_t index, const char* kind) {
  if (index < all.size()) return all[index];
  throw InvalidArgument("articulation \"" + of.name + "\": there is no " + kind + " " + std::to_string(index));
}
inline const ArticulationLink& link_at(const Articulation& of, std::uint32_t link) {
  return part_at(of, of.links, link, "link");
}

/// Of a valid description. Links fixed to others become one node with them. A free joint becomes two nodes: one that
/// shifts, without mass, and one that turns.
CompiledArticulation compile(const Articulation& description);

/// Of a link's frame in its node's frame, without scales.
kernels::articulate::Transform place_of_link(const CompiledArticulation& made, std::size_t link);

/// [kg] Without scales.
double mass_of_node(const CompiledArticulation& made, std::uint32_t node);

/// f(table, its array in a Batch) for each table that all articulations of a build share.
template <class F>
void each_table(const F& f) {
  using kernels::articulate::Batch;
  f(&CompiledArticulation::nodes, &Batch::node);
  f(&CompiledArticulation::dofs, &Batch::dof);
  f(&CompiledArticulation::links, &Batch::link);
  f(&CompiledArticulation::couplings, &Batch::coupling);
  f(&CompiledArticulation::terms, &Batch::term);
  f(&CompiledArticulation::levels, &Batch::level);
}

/// The tables and their counts, in the host's memory.
kernels::articulate::Batch shared_batch(const CompiledArticulation& made);
/// [B] Of all tables in one block.
std::size_t table_bytes(const CompiledArticulation& made);
/// Copies the tables to a block, and points the batch to them. Returns their end.
std::byte* put_tables(exec::Memory& memory, const CompiledArticulation& made, std::byte* to,
                      kernels::articulate::Batch& batch);

/// The words of a joint's rates in kernels::articulate::Batch::joint, and back.
void put_joint(const ArticulationJoint& joint, std::span<double> words);
ArticulationJoint joint_of(ArticulationJointKind kind, std::span<const double> words);

/// A massless link whose joint moves only what the joints behind it can move in the same way, at all coordinates within
/// its limits: the mass matrix is singular everywhere. Each moving link must carry mass.
std::optional<std::size_t> link_without_inertia(const Articulation& description);

/// The same at coordinates `q`, where axes may coincide by chance.
std::optional<std::size_t> link_without_inertia(const CompiledArticulation& made, std::span<const double> q);

/// Whether an articulation may have these words of kernels::articulate::Batch::joint.
bool joints_are_allowed(const CompiledArticulation& made, std::span<const double> joints);

/// [1] Rates of a joint.
std::uint32_t rates_of(ArticulationJointKind kind);

/// Throws InvalidArgument, naming articulation, link and rule.
void refuse_faults(const Articulation& description);

}  // namespace cairn
