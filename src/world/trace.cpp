// Stage times, and hashes of what each stage wrote.

#include <algorithm>
#include <bit>

#include <xxhash.h>

#include "kernels/pair/grid.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

/// Hashes device arrays one after the other. What rows compute counts with -0 as +0, like the state itself
/// (kernels/finish/finish.h): eight lanes at once may add zeros that a single lane doesn't.
class Hasher {
 public:
  explicit Hasher(exec::Memory& memory) : memory_(memory) {}

  template <class T>
  Hasher& add(const T* data, std::size_t n) {
    std::vector<T> host(n);
    if (n != 0) memory_.download(host.data(), data, n * sizeof(T));
    value_ = XXH3_64bits_withSeed(host.data(), n * sizeof(T), value_);
    return *this;
  }
  Hasher& add_host(const std::vector<std::uint32_t>& words) {
    value_ = XXH3_64bits_withSeed(words.data(), words.size() * sizeof words[0], value_);
    return *this;
  }
  /// n of a type that is floats alone.
  template <class T>
  Hasher& add_floats(const T* data, std::size_t n) {
    std::vector<float> host(n * sizeof(T) / sizeof(float));
    if (n != 0) memory_.download(host.data(), data, n * sizeof(T));
    for (float& f : host) f += 0.0f;
    value_ = XXH3_64bits_withSeed(host.data(), n * sizeof(T), value_);
    return *this;
  }
  /// The same, of those elements that `chosen` says yes of: the others are whatever they were.
  template <class Float = float, class T, class F>
  Hasher& add_floats(const T* data, std::size_t n, F chosen) {
    constexpr std::size_t kFloats = sizeof(T) / sizeof(Float);
    std::vector<Float> host(n * kFloats), kept;
    if (n != 0) memory_.download(host.data(), data, n * sizeof(T));
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (chosen(i / kFloats)) kept.push_back(host[i] + Float{0});
    }
    value_ = XXH3_64bits_withSeed(kept.data(), kept.size() * sizeof(Float), value_);
    return *this;
  }
  /// Keys of pairs: of triangles the surface's slot and which of it they are, for their numbers hang on what there was
  /// before.
  Hasher& add_keys(const std::uint64_t* data, std::size_t n, const std::vector<SurfaceSlot>& surfaces) {
    std::vector<std::uint64_t> keys(n);
    std::vector<std::uint32_t> triangles;
    if (n != 0) memory_.download(keys.data(), data, n * sizeof keys[0]);
    for (std::uint64_t& key : keys) {
      const auto number = static_cast<std::uint32_t>(key);
      if (number < kernels::kFirstTriangle) continue;
      const SurfaceSlot& of = *std::prev(std::upper_bound(
          surfaces.begin(), surfaces.end(), number, [](std::uint32_t a, const SurfaceSlot& s) { return a < s.first; }));
      triangles.push_back(number - of.first);
      key = key >> 32 << 32 | of.shape;
    }
    value_ = XXH3_64bits_withSeed(keys.data(), n * sizeof keys[0], value_);
    if (!triangles.empty())
      value_ = XXH3_64bits_withSeed(triangles.data(), triangles.size() * sizeof triangles[0], value_);
    return *this;
  }
  /// A manifold: what lies past its count, and orientations that nothing asks for, are whatever they were.
  Hasher& add(kernels::Manifold m) {
    value_ = XXH3_64bits_withSeed(&m.count, sizeof m.count, value_);
    if (m.count == 0) return *this;
    for (Vec3* a : {&m.friction, &m.rolling, &m.friction_total, &m.slip}) *a = {a->x + 0.0f, a->y + 0.0f, a->z + 0.0f};
    m.twist += 0.0f;
    value_ = XXH3_64bits_withSeed(&m, offsetof(kernels::Manifold, points) + m.count * sizeof m.points[0], value_);
    const std::size_t turns = (m.flags & kernels::kManifoldFlat) != 0 ? 2 * sizeof m.q_a : 0;
    value_ = XXH3_64bits_withSeed(&m.q_a, turns, value_);
    return *this;
  }
  /// Row slots: of each that has points, what `prepare` writes.
  Hasher& add_rows(const kernels::Rows& rows, std::uint32_t slots, bool rolling) {
    using kernels::kRowLanes;
    const std::vector<kernels::RowBlock> host = exec::read(memory_, rows, (slots + kRowLanes - 1) / kRowLanes);
    std::vector<std::uint32_t> words;
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const kernels::RowBlock& row = host[slot / kRowLanes];
      const std::uint32_t lane = slot % kRowLanes;
      const auto add_fields = [&](const float* begin, const float* end) {
        for (; begin != end; begin += kRowLanes) words.push_back(std::bit_cast<std::uint32_t>(begin[lane] + 0.0f));
      };
      if (row.count[lane] == 0) continue;
      words.insert(words.end(), {row.body_a[lane], row.body_b[lane], row.count[lane]});
      add_fields(row.normal[0], row.rolling_a[0][0]);
      if (rolling) add_fields(row.rolling_a[0][0], row.point[0].angular_a[0]);
      for (std::uint32_t j = 0; j < row.count[lane]; ++j) {
        add_fields(row.point[j].angular_a[0], row.point[j].approach + kRowLanes);
      }
    }
    value_ = XXH3_64bits_withSeed(words.data(), words.size() * sizeof words[0], value_);
    return *this;
  }
  std::uint64_t value() const { return value_; }

 private:
  exec::Memory& memory_;
  std::uint64_t value_{0};
};

}  // namespace

StageObserver::StageObserver(World::Impl& world, const StepContext& context)
    : world_(world), context_(context), last_(std::chrono::steady_clock::now()) {}

void StageObserver::after(Stage stage) {
  const std::size_t index = static_cast<std::size_t>(stage);
  const auto now = std::chrono::steady_clock::now();
  world_.stage_ms[index] += std::chrono::duration<double, std::milli>(now - last_).count();
  if (world_.options.trace) {
    const StepContext& s = context_;
    const std::uint32_t n = s.constants.body_count;
    kernels::StepState state;
    world_.memory.download(&state, s.state, sizeof state);
    const std::uint32_t pairs = state.overflow != 0 ? 0 : state.pair_count[s.constants.parity];
    Hasher hash(world_.memory);
    switch (stage) {
      case Stage::kField: hash.add_floats(s.bodies.field_force, n); break;
      case Stage::kBound: {
        const std::uint32_t shapes = s.constants.shape_count;
        const auto cell = world_.read(s.shapes.cell, shapes);
        hash.add(s.shapes.cell, shapes);
        hash.add_floats(s.shapes.box, shapes, [&](std::size_t i) { return cell[i] != kernels::kNoCell; });
        break;
      }
      case Stage::kPair: hash.add_keys(s.pairs[s.constants.parity].key, pairs, world_.surfaces); break;
      case Stage::kMatch: {
        // whether, not where: a snapshot leaves out contacts with surfaces that were removed
        std::vector<std::uint32_t> match = world_.read(s.work.match, pairs);
        for (std::uint32_t& m : match) m = m != kernels::kNone ? 1 : 0;
        hash.add_host(match);
        break;
      }
      case Stage::kCollide:
      case Stage::kFinish:
        hash.add(s.bodies.x, n).add(s.bodies.q, n);
        for (const kernels::Manifold& m : world_.read(s.pairs[s.constants.parity].manifold, pairs)) hash.add(m);
        break;
      case Stage::kColor:
        hash.add(s.work.row_order, pairs).add(s.parts.color_row, s.parts.bands() + 1);
        break;
      case Stage::kPrepare: hash.add_floats(s.bodies.solve, n).add_rows(s.rows, state.row_count, s.rolling); break;
      case Stage::kAdvance: {
        const auto flags = world_.read(s.bodies.flags, n);
        hash.add_floats(s.bodies.solve, n);
        hash.add_floats<double>(s.bodies.q1, n, [&](std::size_t i) { return kernels::takes_part(flags[i]); });
        break;
      }
      case Stage::kStrain:
        hash.add_floats(s.bodies.solve, n).add(s.strains.tears.torn, s.strains.tears.count);
        break;
      case Stage::kPredict:
      case Stage::kPress:
      case Stage::kLink:
      case Stage::kSolve:
      case Stage::kRelax:
      case Stage::kRestitute:
      case Stage::kStop:
      case Stage::kMove: hash.add_floats(s.bodies.solve, n); break;
      case Stage::kTouch: {
        kernels::TouchCounts counts;
        world_.memory.download(&counts, s.touch.counts, sizeof counts);
        const std::uint32_t touches = state.overflow != 0 ? 0 : counts.touches[s.constants.parity];
        const kernels::Touches& of = s.touch.tables[s.constants.parity];
        hash.add_keys(of.key, touches, world_.surfaces).add(of.flags, touches).add_floats(of.impulse, touches);
        hash.add(s.touch.ended.body_a, state.overflow != 0 ? 0 : counts.ended);
        break;
      }
      case Stage::kSleep: hash.add(s.bodies.flags, n).add(s.bodies.quiet_time, n); break;
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
