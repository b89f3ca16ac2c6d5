#pragma once
// What a step knows of the fields of its World.

#include <span>
#include <tuple>

#include "kernels/field/curl_noise.h"
#include "kernels/field/laws.h"
#include "kernels/field/near_laws.h"
#include "kernels/field/pair_gravity.h"
#include "kernels/field/rows.h"
#include "kernels/field/springs.h"
#include "kernels/field/tree_gravity.h"

namespace cairn {

/// The tree of one system.
struct FieldTree {
  kernels::MassTree<double> tree;
  std::uint32_t first, count;  ///< [1] rows
};

struct FieldContext {
  kernels::FieldRows rows;
  std::span<const FieldTree> trees;  ///< on the host
  std::uint32_t sorted{0};           ///< [1] most items that are sorted
  /// Laws by kind, in the order in which they are summed.
  std::tuple<kernels::FieldLaws<kernels::GravityForce<double>>, kernels::FieldLaws<kernels::DragForce<double>>,
             kernels::FieldLaws<kernels::SpringForce<double>>, kernels::FieldLaws<kernels::LennardJonesForce<double>>,
             kernels::FieldLaws<kernels::AllPairsGravity<double>>, kernels::FieldLaws<kernels::TreeGravity<double>>,
             kernels::FieldLaws<kernels::BoidsForce<double>>, kernels::FieldLaws<kernels::CurlNoiseForce<double>>>
      laws;
};

}  // namespace cairn
