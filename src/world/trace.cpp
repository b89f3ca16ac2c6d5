// Stage times, and hashes of the output of each stage.

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include <xxhash.h>

#include "kernels/pair/grid.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// A few elements of a device array, on the host.
template <class T, std::size_t kMax>
class Chunk {
 public:
  void read(exec::Memory& memory, const T* array, std::size_t first, std::size_t n) {
    memory.download(values_.data(), array + first, n * sizeof(T));
  }
  /// Bytes that trimmed elements lack are 0.
  void read(exec::Memory& memory, const kernels::StridedArray<T>& array, std::size_t first, std::size_t n) {
    std::array<std::byte, kMax * sizeof(T)> bytes;
    memory.download(bytes.data(), &array[first], n * array.bytes);
    for (std::size_t i = 0; i < n; ++i) {
      values_[i] = {};
      std::memcpy(static_cast<void*>(&values_[i]), bytes.data() + i * array.bytes, array.bytes);
    }
  }
  const T& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::array<T, kMax> values_;
};

template <class T>
T element_of(const T*);
template <class T>
T element_of(const kernels::StridedArray<T>&);
template <class Array>
using Element = decltype(element_of(std::declval<Array>()));

Vec3 plus_zero(const Vec3& v) { return {v.x + 0.0f, v.y + 0.0f, v.z + 0.0f}; }

/// Hashes device arrays one after the other, a few elements at a time. It takes nothing from the heap, so that a traced
/// step can't run out of memory for it. Results of rows count -0 as +0, like the state itself
/// (kernels/finish/finish.h): eight lanes at once may add zeros that a single lane doesn't.
class Hasher {
 public:
  explicit Hasher(exec::Memory& memory) : memory_(memory) {}

  /// Hashes what f(put, number, element of each array) puts, for the first n.
  template <class F, class... Arrays>
  Hasher& add_each(std::size_t n, const F& f, const Arrays&... arrays) {
    XXH3_state_t state;
    // a reset makes the secret only if the seed is another than what it finds here
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, value_);
    const auto put = [&](const auto& value) { XXH3_64bits_update(&state, &value, sizeof value); };
    constexpr std::size_t kBytes = 16384, kMax = std::max<std::size_t>(kBytes / (sizeof(Element<Arrays>) + ...), 1);
    std::tuple<Chunk<Element<Arrays>, kMax>...> chunks;
    for (std::size_t first = 0; first < n; first += kMax) {
      const std::size_t some = std::min(kMax, n - first);
      std::apply(
          [&](auto&... chunk) {
            (chunk.read(memory_, arrays, first, some), ...);
            for (std::size_t i = 0; i < some; ++i) f(put, first + i, chunk[i]...);
          },
          chunks);
    }
    value_ = XXH3_64bits_digest(&state);
    return *this;
  }

  template <class T>
  Hasher& add(const T* data, std::size_t n) {
    return add_each(
        n, [](const auto& put, std::size_t, const T& value) { put(value); }, data);
  }
  /// For types of floats only.
  template <class T>
  Hasher& add_floats(const T* data, std::size_t n) {
    const auto put_one = [](const auto& put, std::size_t, const T& value) {
      for (float f : std::bit_cast<std::array<float, sizeof(T) / sizeof(float)>>(value)) put(f + 0.0f);
    };
    return add_each(n, put_one, data);
  }
  /// Keys of pairs: for triangles, the surface's slot and the triangle's index in it, since their numbers depend on
  /// earlier surfaces.
  Hasher& add_keys(const std::uint64_t* data, std::size_t n, const std::vector<SurfaceSlot>& surfaces) {
    const auto surface_of = [&](std::uint64_t key) -> const SurfaceSlot* {
      const auto number = static_cast<std::uint32_t>(key);
      if (number < kernels::kFirstTriangle) return nullptr;
      return &*std::prev(std::upper_bound(surfaces.begin(), surfaces.end(), number,
                                          [](std::uint32_t a, const SurfaceSlot& s) { return a < s.first; }));
    };
    const auto put_shapes = [&](const auto& put, std::size_t, std::uint64_t key) {
      const SurfaceSlot* of = surface_of(key);
      put(of != nullptr ? key >> 32 << 32 | of->shape : key);
    };
    const auto put_triangle = [&](const auto& put, std::size_t, std::uint64_t key) {
      if (const SurfaceSlot* of = surface_of(key)) put(static_cast<std::uint32_t>(key) - of->first);
    };
    return add_each(n, put_shapes, data).add_each(n, put_triangle, data);
  }
  /// Manifolds: points past their count, and unused orientations, have no defined value.
  template <class Array>
  Hasher& add_manifolds(const Array& manifolds, std::size_t n) {
    const auto put_one = [](const auto& put, std::size_t, kernels::Manifold m) {
      put(m.count);
      if (m.count == 0) return;
      for (Vec3* a : {&m.friction, &m.rolling, &m.friction_total, &m.slip}) *a = plus_zero(*a);
      m.twist += 0.0f;
      for (std::uint32_t i = m.count; i < std::size(m.points); ++i) m.points[i] = {};
      if ((m.flags & kernels::kManifoldFlat) == 0) m.q_a = m.q_b = {};
      // padding follows the last member
      std::array<unsigned char, offsetof(kernels::Manifold, q_b) + sizeof(m.q_b)> members;
      std::memcpy(members.data(), &m, members.size());
      put(members);
    };
    return add_each(n, put_one, manifolds);
  }
  /// Row slots: the output of `prepare`, for slots with points.
  Hasher& add_rows(const kernels::Rows& rows, std::uint32_t slots, bool rolling, bool belts) {
    using kernels::kRowLanes, kernels::RowBlock;
    const auto put_lane = [&](const auto& put, const RowBlock& row, std::uint32_t lane) {
      const auto put_fields = [&](const float* begin, const float* end) {
        for (; begin != end; begin += kRowLanes) put(begin[lane] + 0.0f);
      };
      if (row.count[lane] == 0) return;
      for (const auto& of : {row.body_a, row.body_b, row.count}) put(of[lane]);
      put_fields(row.normal[0], row.rolling_mass[0]);
      if (rolling) put_fields(row.rolling_mass[0], row.belt[0]);
      if (belts) put_fields(row.belt[0], row.point[0].separation);
      for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
        put_fields(row.point[j].separation, row.point[j].total + kRowLanes);
        for (std::uint32_t i = 0; i < j; ++i) put(row.coupling[kernels::coupling_at(i, j)][lane] + 0.0f);
      }
    };
    const auto put_one = [&](const auto& put, std::size_t i, const RowBlock& row) {
      for (std::uint32_t lane = 0; lane < kRowLanes && i * kRowLanes + lane < slots; ++lane) put_lane(put, row, lane);
    };
    return add_each((slots + kRowLanes - 1) / kRowLanes, put_one, rows);
  }
  std::uint64_t value() const { return value_; }

 private:
  exec::Memory& memory_;
  std::uint64_t value_{0};
};

}  // namespace

StageObserver::StageObserver(World::Impl& world, const StepContext& context) : world_(world), context_(context) {
  // a stage marks once, or up to twice in each substep
  std::vector<recording::Mark> marks;
  if (world.options.trace) marks.reserve(kStageCount * (2 * static_cast<std::size_t>(context.substeps) + 1));
  world.memory.replace(world.marks, std::move(marks));
  world.stage_ms = {};
  world.stage_hash = {};
  last_ = std::chrono::steady_clock::now();
}

void StageObserver::after(Stage stage) {
  const std::size_t index = static_cast<std::size_t>(stage);
  const auto now = std::chrono::steady_clock::now();
  world_.stage_ms[index] += std::chrono::duration<double, std::milli>(now - last_).count();
  if (world_.options.trace) {
    const StepContext& s = context_;
    const std::uint32_t n = s.constants.body_count;
    const kernels::StepState state = world_.memory.get(s.state);
    const std::uint32_t pairs = state.overflow != 0 ? 0 : state.pair_count[s.constants.parity];
    Hasher hash(world_.memory);
    // remains of removed bodies count as 0: a snapshot leaves them out
    const auto add_of_bodies = [&](const auto* field) {
      const auto put_one = [](const auto& put, std::size_t, auto value, std::uint32_t flags) {
        if ((flags & kernels::kBodyAlive) == 0) value = {};
        if constexpr (std::is_same_v<decltype(value), Vec3>) value = plus_zero(value);
        put(value);
      };
      hash.add_each(n, put_one, field, s.bodies.flags);
    };
    switch (stage) {
      case Stage::kField:
        add_of_bodies(s.bodies.field_force);
        break;
      case Stage::kBound: {
        const std::uint32_t shapes = s.constants.shape_count;
        const auto put_box = [](const auto& put, std::size_t, const auto& box, std::uint64_t cell) {
          if (cell == kernels::kNoCell) return;
          put(plus_zero(box.min));
          put(plus_zero(box.max));
        };
        hash.add(s.shapes.cell, shapes).add_each(shapes, put_box, s.shapes.box, s.shapes.cell);
        break;
      }
      case Stage::kPair:
        hash.add_keys(s.pairs[s.constants.parity].key, pairs, world_.surfaces);
        break;
      case Stage::kMatch: {
        // whether, not where: a snapshot leaves out contacts with removed surfaces
        const auto put_one = [](const auto& put, std::size_t, std::uint32_t match) { put(match != kernels::kNone); };
        hash.add_each(pairs, put_one, s.work.match);
        break;
      }
      case Stage::kCollide:
      case Stage::kFinish:
        add_of_bodies(s.bodies.x);
        add_of_bodies(s.bodies.q);
        hash.add_manifolds(s.pairs[s.constants.parity].manifold, pairs);
        break;
      case Stage::kColor: {
        // whether there is an empty last part depends on all masses that the World ever had
        const std::uint32_t parts = s.parts.swept + (state.direct_rows != 0 ? 1 : 0);
        hash.add(s.work.row_order, pairs).add(s.parts.color_row, std::size_t{parts} * kernels::kColorCount + 1);
        break;
      }
      case Stage::kPrepare:
        hash.add_floats(s.bodies.solve, n)
            .add_rows(s.rows, state.overflow != 0 ? 0 : state.row_count, s.rolling, s.belts.any());
        break;
      case Stage::kAdvance: {
        const auto put_one = [](const auto& put, std::size_t, const auto& q, std::uint32_t flags) {
          if (!kernels::takes_part(flags)) return;
          for (const double part : {q.x, q.y, q.z, q.w}) put(part + 0.0);
        };
        hash.add_floats(s.bodies.solve, n).add_each(n, put_one, s.bodies.q1, s.bodies.flags);
        break;
      }
      case Stage::kParticles:
        hash.add_floats(s.bodies.solve, n).add(s.constraints.breakable.broken, s.constraints.breakable.count);
        break;
      case Stage::kPredict:
      case Stage::kFluids:
      case Stage::kJoints:
      case Stage::kSolve:
      case Stage::kRelax:
      case Stage::kRestitute:
      case Stage::kCcd:
      case Stage::kMove:
        hash.add_floats(s.bodies.solve, n);
        break;
      case Stage::kEvents: {
        const kernels::EventCounts counts = world_.memory.get(s.events.counts);
        const std::uint32_t events = state.overflow != 0 ? 0 : counts.events[s.constants.parity];
        const kernels::EventTable& of = s.events.tables[s.constants.parity];
        hash.add_keys(of.key, events, world_.surfaces).add(of.flags, events).add_floats(of.impulse, events);
        hash.add(s.events.ended.body_a, state.overflow != 0 ? 0 : counts.ended);
        break;
      }
      case Stage::kSleep:
        hash.add(s.bodies.flags, n);
        add_of_bodies(s.bodies.quiet_time);
        break;
    }
    // a stage that runs in every substep chains its hashes
    world_.marks.push_back({stage, hash.value()});
    std::uint64_t& chained = world_.stage_hash[index];
    const std::uint64_t both[2] = {chained, hash.value()};
    chained = XXH3_64bits(both, sizeof both);
    last_ = std::chrono::steady_clock::now();
  } else {
    last_ = now;
  }
}

}  // namespace cairn
