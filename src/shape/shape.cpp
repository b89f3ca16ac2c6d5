#include <tuple>

#include "src/shape/data.h"

namespace cairn {
namespace {

/// Whether two have equal data, by the members of `parts`; different ones mostly differ in their hash.
template <class Data, class Parts>
bool same(const std::shared_ptr<const Data>& a, const std::shared_ptr<const Data>& b, const Parts& parts) {
  if (a == b) return true;
  return a && b && a->hash == b->hash && parts(*a) == parts(*b);
}

}  // namespace

std::span<const Vec3> ConvexHull::vertices() const { return data_ ? data_->vertices : std::span<const Vec3>{}; }

std::span<const Vec3> TriangleMesh::vertices() const { return data_ ? data_->vertices : std::span<const Vec3>{}; }
std::span<const TriangleMesh::Triangle> TriangleMesh::triangles() const {
  return data_ ? data_->indices : std::span<const Triangle>{};
}
std::size_t TriangleMesh::dropped() const { return data_ ? data_->dropped : 0; }

std::uint32_t HeightField::columns() const { return data_ ? data_->columns : 0; }
std::uint32_t HeightField::rows() const { return data_ ? data_->rows : 0; }
float HeightField::spacing() const { return data_ ? data_->spacing : 0; }
std::span<const float> HeightField::heights() const { return data_ ? data_->heights : std::span<const float>{}; }

// faces follow from the vertices, trees and flags from vertices and indices
bool operator==(const ConvexHull& a, const ConvexHull& b) {
  return same(a.data_, b.data_, [](const detail::HullData& d) { return std::tie(d.vertices); });
}
bool operator==(const TriangleMesh& a, const TriangleMesh& b) {
  return same(a.data_, b.data_, [](const detail::MeshData& d) { return std::tie(d.vertices, d.indices); });
}
bool operator==(const HeightField& a, const HeightField& b) {
  return same(a.data_, b.data_,
              [](const detail::FieldData& d) { return std::tie(d.columns, d.rows, d.spacing, d.heights); });
}

}  // namespace cairn
