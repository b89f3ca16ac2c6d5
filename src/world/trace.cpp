// Stage times, and hashes of what each stage wrote.

#include <xxhash.h>

#include "src/world/impl.h"

namespace cairn {
namespace {

/// Hashes device arrays one after the other.
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
  /// A manifold: what lies past its count is whatever it was.
  Hasher& add(const kernels::Manifold& m) {
    value_ = XXH3_64bits_withSeed(&m.count, sizeof m.count, value_);
    if (m.count == 0) return *this;
    value_ = XXH3_64bits_withSeed(m.points, m.count * sizeof m.points[0], value_);
    value_ = XXH3_64bits_withSeed(&m.normal, sizeof(kernels::Manifold) - offsetof(kernels::Manifold, normal), value_);
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
      case Stage::kBound:
        hash.add(s.shapes.box, s.constants.shape_count).add(s.shapes.cell, s.constants.shape_count);
        break;
      case Stage::kPair: hash.add(s.pairs[s.constants.parity].key, pairs); break;
      case Stage::kMatch: hash.add(s.work.match, pairs); break;
      case Stage::kCollide:
      case Stage::kFinish:
        hash.add(s.bodies.x, n).add(s.bodies.q, n);
        for (const kernels::Manifold& m : world_.read(s.pairs[s.constants.parity].manifold, pairs)) hash.add(m);
        break;
      case Stage::kColor:
        hash.add(s.work.row_order, pairs).add(&s.state->color_row[0], kernels::kColorCount + 1);
        break;
      case Stage::kPrepare:
      case Stage::kPredict:
      case Stage::kSolve:
      case Stage::kAdvance:
      case Stage::kRelax:
      case Stage::kRestitute: hash.add(s.bodies.solve, n); break;
      case Stage::kSleep: hash.add(s.bodies.flags, n).add(s.bodies.quiet_time, n); break;
    }
    // a stage that runs in every substep chains its hashes
    std::uint64_t& chained = world_.stage_hash[index];
    const std::uint64_t both[2] = {chained, hash.value()};
    chained = XXH3_64bits(both, sizeof both);
    last_ = std::chrono::steady_clock::now();
  } else {
    last_ = now;
  }
}

}  // namespace cairn
