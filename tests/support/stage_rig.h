#pragma once
// The arrays of a step on the CPU, for tests that run one stage on hand-made input. CPU memory is the host's: tests
// read and write the arrays directly.

#include <cstring>
#include <vector>

#include "cairn/scene.h"
#include "src/exec/cpu_exec.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/journal.h"
#include "src/world/arrays.h"

namespace cairn::testing_support {

class StageRig {
 public:
  StageRig(int threads, std::uint32_t body_count, std::uint32_t shape_count, std::uint32_t pair_capacity,
           std::uint32_t worlds = 1)
      : exec(threads), arrays_(journal_) {
    arrays_.workers = max_workers(Device::cpu(threads));
    arrays_.worlds.reserve(std::size_t{worlds} + 1);
    arrays_.bodies.reserve(std::size_t{body_count} + 1);
    arrays_.shapes.reserve(shape_count);
    arrays_.reserve_pairs(pair_capacity);
    arrays_.materials.reserve(1);
    arrays_.planes.reserve(shape_count);
    arrays_.set_parts({.of_world = std::vector<std::uint32_t>(worlds)});
    s = arrays_.context(StepParams{}, {.worlds = worlds, .bodies = body_count, .shapes = shape_count});
    for (std::uint32_t w = 0; w < worlds; ++w) {
      s.worlds.gravity[w] = Scene{}.gravity();
      // searched by cells, however few there are
      s.worlds.shape_count[w] = kernels::kNone;
      s.worlds.params[w] = kernels::world_params(StepParams{});
      s.worlds.limits[w] = WorldLimits{};
    }
    arrays_.materials.data()[0] = {0.6f, 0, 0};
    exec.guard(&s.state->overflow);
    for (std::uint32_t i = 0; i < body_count; ++i) make_body(i, BodyType::kDynamic);
  }

  void set_buckets(std::uint32_t count) { arrays_.set_buckets(s, count); }
  /// All that there are, and their workers.
  void set_pair_classes() { arrays_.set_pair_classes(s, (1u << kernels::kListedClasses) - 1); }

  /// A body of mass 1 at the origin of world 0, at rest.
  void make_body(std::uint32_t i, BodyType type) {
    const kernels::Bodies& b = s.bodies;
    b.flags[i] = static_cast<std::uint32_t>(type) | kernels::kBodyAlive;
    b.x[i] = b.x_low[i] = b.v[i] = b.w[i] = b.force[i] = b.torque[i] = Vec3{0, 0, 0};
    b.q[i] = Quat{0, 0, 0, 1};
    b.world[i] = 0;
    b.id[i] = i;
    b.inv_mass[i] = type == BodyType::kDynamic ? 1.0f : 0.0f;
    b.inertia[i] = {1, 1, 1};
    b.gravity_scale[i] = 1;
    b.radius[i] = 0.9f;
    b.min_extent[i] = 0.5f;
  }

  /// One shape a body, at its centre of mass.
  void make_shape(std::uint32_t i, std::uint32_t body, kernels::ShapeKind kind, Vec3 size) {
    s.shapes.body[i] = body;
    s.shapes.id[i] = i;
    s.shapes.material[i] = 0;
    s.shapes.filter[i] = {};
    s.shapes.geometry[i] = {kind, size, {0, 0, 0}, {0, 0, 0, 1}};
  }

  /// Pair p of this step's first table, of two shapes.
  void make_pair(std::uint32_t p, std::uint64_t key) {
    s.pairs[0].key[p] = key;
    s.pairs[0].shape_b[p] = static_cast<std::uint32_t>(key);
    s.pairs[0].triangle[p] = 0;
  }

  /// Of world 0.
  void add_plane(std::uint32_t shape) {
    const std::uint32_t at = s.worlds.plane_begin[1];
    arrays_.planes.data()[at] = shape;
    set_planes(at + 1);
  }
  void set_planes(std::uint32_t count) {
    for (std::uint32_t w = 1; w <= s.constants.world_count; ++w) s.worlds.plane_begin[w] = count;
  }

  /// Fills an array with bytes 0xff: NaN as a float, kNone as an index.
  template <class T>
  static void poison(T* data, std::size_t n) {
    if (n != 0) std::memset(static_cast<void*>(data), 0xff, n * sizeof(T));
  }
  /// Arrays of one size.
  template <class... T>
  static void poison_all(std::size_t n, T*... data) {
    (poison(data, n), ...);
  }

 private:
  exec::CpuMemory memory_;
  exec::Journal journal_{memory_};

 public:
  exec::CpuExec exec;
  StepContext s;

 private:
  Arrays arrays_;
};

}  // namespace cairn::testing_support
