#pragma once
// The tree of boxes that the picture's rays walk.

#include <vector>

#include "kernels/picture/trace.h"

namespace cairn::picture {

/// Puts the shapes into the tree's order and returns its nodes. Splits by the surface area heuristic over 16 bins (Wald
/// 2007), and in the middle where that no longer helps, so that no tree is deeper than kPictureDepth.
std::vector<kernels::PictureNode> build_tree(std::vector<kernels::PictureShape>& shapes);

/// [m] Half extents of the box along the world's axes that holds the shape.
Vec3 half_extents(const kernels::PictureShape& shape);

}  // namespace cairn::picture
