#pragma once
// Fields of a World as a step sees them.

#include <span>
#include <tuple>

#include "kernels/fields/curl_noise.h"
#include "kernels/fields/field_rows.h"
#include "kernels/fields/gravity.h"
#include "kernels/fields/laws.h"

namespace cairn {

/// The tree of one system.
struct FieldTree {
  kernels::MassTree<double> tree;
  std::uint32_t first, count;  ///< [1] rows
};

struct FieldContext {
  kernels::FieldRows rows;
  std::span<const FieldTree> trees;  ///< on the host
  std::uint32_t sorted{0};           ///< [1] max items of a sort
  /// Laws by kind, in the order in which they are summed.
  std::tuple<kernels::FieldLaws<kernels::GravityForce<double>>, kernels::FieldLaws<kernels::DragForce<double>>,
             kernels::FieldLaws<kernels::SpringForce<double>>, kernels::FieldLaws<kernels::LennardJonesForce<double>>,
             kernels::FieldLaws<kernels::AllPairsGravity<double>>, kernels::FieldLaws<kernels::TreeGravity<double>>,
             kernels::FieldLaws<kernels::BoidsForce<double>>, kernels::FieldLaws<kernels::CurlNoiseForce<double>>>
      laws;
};

}  // namespace cairn
