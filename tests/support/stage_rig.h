#pragma once
// The arrays of a step on the CPU, for tests that run one stage on hand-made input. CPU memory is the host's: tests read and write
// the arrays directly.

#include <array>
#include <cstring>

#include "src/exec/cpu.h"
#include "src/exec/cpu_memory.h"
#include "src/step_context.h"

namespace cairn::testing_support {

class StageRig {
 public:
  StageRig(int threads, std::uint32_t body_count, std::uint32_t shape_count, std::uint32_t pair_capacity)
      : exec(threads),
        bodies_(memory_),
        shapes_(memory_),
        pairs_{exec::Table<kernels::Pairs>(memory_), exec::Table<kernels::Pairs>(memory_)},
        work_(memory_),
        rows_(memory_),
        materials_(memory_),
        planes_(memory_),
        bucket_begin_(memory_),
        state_(memory_) {
    bodies_.reserve(std::size_t{body_count} + 1);
    shapes_.reserve(shape_count);
    for (auto& table : pairs_) table.reserve(pair_capacity);
    work_.reserve(pair_capacity);
    const std::size_t row_slots = pair_capacity + std::size_t{kernels::kColorCount} * (kernels::kRowAlign - 1);
    rows_.reserve((row_slots + kernels::kRowLanes - 1) / kernels::kRowLanes);
    materials_.reserve(1);
    planes_.reserve(shape_count);
    state_.reserve(1);

    kernels::StepConstants& k = s.constants;
    k.dt = 1.0f / 60.0f;
    k.h = k.dt / 6.0f;
    k.inv_h = 1.0f / k.h;
    k.gravity = {0, 0, -9.81f};
    k.recycle_tolerance = 0.01f;
    k.warm_scale = 1.0f;
    k.sleep_speed = 0.01f;
    k.sleep_time = 0.5f;
    k.body_count = body_count;
    k.shape_count = shape_count;
    k.pair_capacity = pair_capacity;
    set_buckets(std::max(16u, std::bit_ceil(2 * shape_count)));
    s.bodies = bodies_.view();
    s.shapes = shapes_.view();
    s.pairs[0] = pairs_[0].view();
    s.pairs[1] = pairs_[1].view();
    s.work = work_.view();
    s.rows = rows_.data();
    s.row_capacity = static_cast<std::uint32_t>(rows_.capacity()) * kernels::kRowLanes;
    materials_.set(0, {0.6f, 0, 0});
    s.materials = materials_.data();
    s.planes = planes_.data();
    s.state = state_.data();
    s.substeps = 6;
    exec.guard(&s.state->overflow);
    for (std::uint32_t i = 0; i < body_count; ++i) make_body(i, BodyType::kDynamic);
  }

  void set_buckets(std::uint32_t count) {
    s.constants.bucket_count = count;
    bucket_begin_.reserve(std::size_t{count} + 3);
    s.bucket_begin = bucket_begin_.data();
  }

  /// A body of mass 1 at the origin, at rest.
  void make_body(std::uint32_t i, BodyType type) {
    const kernels::Bodies& b = s.bodies;
    b.flags[i] = static_cast<std::uint32_t>(type) | kernels::kBodyAlive;
    b.x[i] = b.x_low[i] = b.v[i] = b.w[i] = b.force[i] = b.torque[i] = Vec3{0, 0, 0};
    b.q[i] = Quat{0, 0, 0, 1};
    b.inv_mass[i] = type == BodyType::kDynamic ? 1.0f : 0.0f;
    b.inertia[i] = {1, 1, 1};
    b.radius[i] = 0.9f;
    b.least_extent[i] = 0.5f;
  }

  /// One shape a body, at its centre of mass.
  void make_shape(std::uint32_t i, std::uint32_t body, kernels::ShapeKind kind, Vec3 size) {
    s.shapes.body[i] = body;
    s.shapes.material[i] = 0;
    s.shapes.geometry[i] = {kind, size, {0, 0, 0}, {0, 0, 0, 1}};
  }

  void add_plane(std::uint32_t shape) { planes_.set(s.constants.plane_count++, shape); }

  /// Fills an array with bytes 0xff: NaN as a float, kNone as an index.
  template <class T>
  static void poison(T* data, std::size_t n) {
    if (n != 0) std::memset(static_cast<void*>(data), 0xff, n * sizeof(T));
  }

 private:
  exec::CpuMemory memory_;

 public:
  exec::CpuExec exec;
  StepContext s;

 private:
  exec::Table<kernels::Bodies> bodies_;
  exec::Table<kernels::Shapes> shapes_;
  std::array<exec::Table<kernels::Pairs>, 2> pairs_;
  exec::Table<kernels::PairWork> work_;
  exec::Buffer<kernels::RowBlock> rows_;
  exec::Buffer<kernels::ContactMaterial> materials_;
  exec::Buffer<std::uint32_t> planes_, bucket_begin_;
  exec::Buffer<kernels::StepState> state_;
};

}  // namespace cairn::testing_support
