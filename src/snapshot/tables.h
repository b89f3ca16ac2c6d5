#pragma once
// What a snapshot keeps of the tables of kernels/common/: of each the arrays that its list says are kept, and of their
// elements the members that are named here.

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/common/state.h"
#include "src/file/archive.h"
#include "src/world/arrays.h"

namespace cairn::kernels {

auto members(Is<ContactMaterial> auto& m) {
  auto& [friction, restitution, rolling_friction, compliance, shear_compliance, surface_velocity] = m;
  return std::tie(friction, restitution, rolling_friction, compliance, shear_compliance, surface_velocity);
}
auto members(Is<ShapeGeometry> auto& g) {
  auto& [kind, size, position, orientation, round, data, first] = g;
  // follow from the description and the World: data, first
  return std::tie(kind, size, position, orientation, round);
}
auto members(Is<ManifoldPoint> auto& p) {
  auto& [r_a, r_b, separation, rest, impulse, total, feature] = p;
  return std::tie(r_a, r_b, separation, rest, impulse, total, feature);
}
auto members(Is<Manifold> auto& m) {
  auto& [normal, count, friction, twist, rolling, color, friction_total, flags, offset, slip, points, q_a, q_b] = m;
  return std::tie(points, normal, count, friction, twist, rolling, color, friction_total, flags, q_a, q_b, offset,
                  slip);
}

auto members(Is<JointMemory> auto& m) {
  auto& [impulse, coordinate, broken] = m;
  return std::tie(impulse, coordinate, broken);
}
auto members(Is<JointResult> auto& r) {
  auto& [force, torque] = r;
  return std::tie(force, torque);
}

}  // namespace cairn::kernels

namespace cairn::snapshot {

template <class View>
auto kept(View& view) {
  return kernels::arrays_that_live<kernels::Life::kKept>(view);
}

/// Calls f(index, field) for each array that is kept of a table.
template <class View, class F>
void each_kept(View& view, F f) {
  std::apply(
      [&](auto&... field) {
        std::size_t i = 0;
        (f(i++, field), ...);
      },
      kept(view));
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

  /// Forgets what there was.
  void resize(std::size_t count) {
    count_ = count;
    storage_.clear();
    each_kept(view_, [&](std::size_t, auto& field) {
      using T = std::remove_cvref_t<decltype(field[0])>;
      auto array = std::shared_ptr<T[]>(new T[count]());
      exec::point_to(field, array.get());
      storage_.push_back(std::move(array));
    });
  }

  /// Calls f(here, there) for each kept array of two tables of one kind.
  template <class F>
  static void each_pair(const View& a, const View& b, F f) {
    const auto of_a = kept(a), of_b = kept(b);
    std::apply([&](auto&... here) { std::apply([&](auto&... there) { (f(here, there), ...); }, of_b); }, of_a);
  }

  void write(file::Writer& writer) const {
    writer(std::uint64_t{count_});
    each_kept(view_, [&](std::size_t, auto& field) { writer.array(&field[0], count_); });
  }
  void read(file::Reader& reader, std::size_t count) {
    std::uint64_t said = 0;
    reader(said);
    if (said != count) {
      reader.refuse("a table of " + std::to_string(said) + " elements, where there must be " + std::to_string(count));
    }
    if (count > reader.left() / row_bytes()) reader.refuse("a table that is longer than the bytes at hand");
    resize(count);
    each_kept(view_, [&](std::size_t, auto& field) { reader.array(&field[0], count); });
  }

 private:
  /// [B] of one element of each array, in a file.
  static std::size_t row_bytes() {
    file::Writer writer;
    const View none{};
    each_kept(none, [&](std::size_t, auto& field) { writer(std::remove_cvref_t<decltype(field[0])>{}); });
    return writer.take().size();
  }

  std::size_t count_{0};
  View view_{};
  std::vector<std::shared_ptr<void>> storage_;  ///< no field's type is known to it
};

}  // namespace cairn::snapshot
