#include "src/shape/data.h"

namespace cairn {

bool operator==(const ConvexHull& a, const ConvexHull& b) { return a.data_ == b.data_; }
bool operator==(const TriangleMesh& a, const TriangleMesh& b) { return a.data_ == b.data_; }
bool operator==(const HeightField& a, const HeightField& b) { return a.data_ == b.data_; }

}  // namespace cairn
