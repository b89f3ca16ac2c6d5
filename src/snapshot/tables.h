#pragma once
// The part of the tables of kernels/common/ that a snapshot keeps: the arrays marked as kept in their lists, and the
// members of their elements that are named here.

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/common/state.h"
#include "src/file/archive.h"
#include "src/world/arrays.h"

namespace cairn::kernels {

CAIRN_MEMBERS(ContactMaterial, friction, restitution, rolling_friction, compliance, shear_compliance, surface_velocity)
void members(Is<ShapeGeometry> auto& g, const auto& f) {
  auto& [kind, size, position, orientation, round, data, first] = g;
  // data and first are derived from the description and the World
  f(kind, size, position, orientation, round);
}
CAIRN_MEMBERS(ManifoldPoint, r_a, r_b, separation, rest, impulse, total, feature)
void members(Is<Manifold> auto& m, const auto& f) {
  auto& [n, count, friction, twist, rolling, color, total, flags, offset, slip, points, q_a, q_b, unused] = m;
  f(points, n, count, friction, twist, rolling, color, total, flags, q_a, q_b, offset, slip);
}

CAIRN_MEMBERS(JointMemory, impulse, coordinate, broken)
CAIRN_MEMBERS(JointResult, force, torque)

}  // namespace cairn::kernels

namespace cairn::snapshot {

/// Calls f(row of the list) for each kept array of a table.
template <class View, class F>
void each_kept_row(const F& f) {
  kernels::each_row<View>([&]<class Row>(const Row& row) {
    if constexpr (Row::life == kernels::Life::kKept) f(row);
  });
}

/// Calls f(field) for each kept array of a table.
template <class View, class F>
void each_kept(View& view, const F& f) {
  each_kept_row<std::remove_const_t<View>>([&](const auto& row) { f(view.*row.member); });
}

/// The kept arrays of a table, on the host, all of one length. The others are null.
template <class View>
class Columns {
 public:
  Columns() = default;
  Columns(Columns&&) noexcept = default;
  Columns& operator=(Columns&&) noexcept = default;

  std::size_t count() const { return count_; }
  const View& view() const { return view_; }

  /// Drops the former content.
  void resize(std::size_t count) {
    count_ = count;
    storage_.clear();
    each_kept(view_, [&](auto& field) {
      using T = std::remove_cvref_t<decltype(field[0])>;
      auto array = std::shared_ptr<T[]>(new T[count]());
      exec::point_to(field, array.get());
      storage_.push_back(std::move(array));
    });
  }

  /// Calls f(here, there) for each kept array of two tables of one kind.
  template <class F>
  static void each_pair(const View& a, const View& b, F f) {
    each_kept_row<View>([&](const auto& row) { f(a.*row.member, b.*row.member); });
  }

  void write(file::Writer& writer) const {
    writer(std::uint64_t{count_});
    each_kept(view_, [&](auto& field) { writer.array(&field[0], count_); });
  }
  void read(file::Reader& reader, std::size_t count) {
    std::uint64_t said = 0;
    reader(said);
    if (said != count) {
      reader.refuse("a table of " + std::to_string(said) + " elements, where there must be " + std::to_string(count));
    }
    if (count > reader.left() / row_bytes()) reader.refuse("a table that is longer than the bytes at hand");
    resize(count);
    each_kept(view_, [&](auto& field) { reader.array(&field[0], count); });
  }

 private:
  /// [B] of one element of each array, in a file.
  static std::size_t row_bytes() {
    file::Writer writer;
    const View none{};
    each_kept(none, [&](auto& field) { writer(std::remove_cvref_t<decltype(field[0])>{}); });
    return writer.take().size();
  }

  std::size_t count_{0};
  View view_{};
  std::vector<std::shared_ptr<void>> storage_;  ///< of any field type
};

}  // namespace cairn::snapshot
