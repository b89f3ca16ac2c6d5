#pragma once
// Forces on particles as functors: ready-made ones and a program's own (docs/fields.md).

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "cairn/particle_view.h"

namespace cairn {

/// The job of a field: one of three outputs at a time. The energy, if there is an array for it. Otherwise the change of
/// the force as positions and velocities change by dx and dv, if these are given. Otherwise the force.
template <class T>
struct FieldJob {
  ParticleView<T> at;
  Vec3T<T>* force{nullptr};     ///< [N]   (count) added to
  double* energy{nullptr};      ///< [J]   (count) added to
  const Vec3T<T>* dx{nullptr};  ///< [m]   (count)
  const Vec3T<T>* dv{nullptr};  ///< [m/s] (count)
};

/// A functor, compiled for one processor or both.
template <class T>
struct FieldCode {
  /// Particles [begin, end), on the CPU. Null: numbers of this precision aren't supported.
  void (*range)(const void* functor, const FieldJob<T>& job, std::uint32_t begin, std::uint32_t end){nullptr};
  /// All particles, on a stream (cudaStream_t) of the current CUDA device. Null: compiled without nvcc.
  void (*launch)(const void* functor, const FieldJob<T>& job, void* stream){nullptr};
  bool potential{false};   ///< [1] has an energy
  bool derivative{false};  ///< [1] has a derivative
};

namespace field_detail {

template <class F, class T>
concept HasForce = requires(const F& f, const ParticleView<T>& p) {
  { f(p, std::uint32_t{0}) } -> std::same_as<Vec3T<T>>;
};
template <class F, class T>
concept HasPotential = requires(const F& f, const ParticleView<T>& p) {
  { f.potential(p, std::uint32_t{0}) } -> std::convertible_to<double>;
};
template <class F, class T>
concept HasDerivative = requires(const F& f, const ParticleView<T>& p, const Vec3T<T>* d) {
  { f.derivative(p, std::uint32_t{0}, d, d) } -> std::same_as<Vec3T<T>>;
};

/// Writes force or energy of particle i only.
template <class F, class T>
CAIRN_FUNCTOR void run_one(const F& f, const FieldJob<T>& job, std::uint32_t i) {
  if (job.energy != nullptr) {
    if constexpr (HasPotential<F, T>) job.energy[i] += static_cast<double>(f.potential(job.at, i));
    return;
  }
  Vec3T<T> more{};
  if (job.dx != nullptr) {
    if constexpr (HasDerivative<F, T>) more = f.derivative(job.at, i, job.dx, job.dv);
  } else {
    more = f(job.at, i);
  }
  Vec3T<T>& sum = job.force[i];
  sum = {sum.x + more.x, sum.y + more.y, sum.z + more.z};
}

// The names below differ between compilers. A program may use one functor in a .cpp and in a .cu, and the linker must
// not take the code of one for that of the other.
#if defined(__CUDACC__)
inline namespace on_both {
template <class F, class T>
__global__ void run_kernel(F f, FieldJob<T> job) {
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < job.at.count;
       i += stride) {
    run_one(f, job, static_cast<std::uint32_t>(i));
  }
}
template <class F, class T>
void launch(const void* f, const FieldJob<T>& job, void* stream) {
  constexpr std::uint32_t kThreads = 128, kMaxBlocks = 65536;
  if (job.at.count == 0) return;
  const std::uint32_t all = (job.at.count - 1) / kThreads + 1, blocks = all < kMaxBlocks ? all : kMaxBlocks;
  const auto kernel = &run_kernel<F, T>;
  kernel<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(*static_cast<const F*>(f), job);
}
#else
inline namespace on_host {
#endif
struct Side {};

template <class F, class T>
void range(const void* f, const FieldJob<T>& job, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; ++i) run_one(*static_cast<const F*>(f), job, i);
}

template <class F, class T>
FieldCode<T> code_of() {
  FieldCode<T> code;
  if constexpr (HasForce<F, T>) {
    code.range = &range<F, T>;
    code.potential = HasPotential<F, T>;
    code.derivative = HasDerivative<F, T>;
#if defined(__CUDACC__)
    static_assert(std::is_trivially_copyable_v<F>, "a functor is copied to the device byte by byte");
    code.launch = &launch<F, T>;
#endif
  }
  return code;
}
}  // namespace on_both or on_host

/// An event as a field without force; its energy is the watched number.
template <class F, class Side>
struct Watch {
  F f;
  template <class T>
  requires std::invocable < const F&, const ParticleView<T>
  &, std::uint32_t > CAIRN_FUNCTOR Vec3T<T> operator()(const ParticleView<T>&, std::uint32_t) const { return {}; }
  template <class T>
  requires std::invocable < const F&, const ParticleView<T>
  &, std::uint32_t > CAIRN_FUNCTOR double potential(const ParticleView<T>& p, std::uint32_t i) const {
    return static_cast<double>(f(p, i));
  }
};

}  // namespace field_detail

/// A force on each particle: any functor with
///   Vec3T<T> operator()(const ParticleView<T>& p, std::uint32_t i) const;                         // [N] on particle i
///   T potential(const ParticleView<T>& p, std::uint32_t i) const; // [J] optional: its share
///   Vec3T<T> derivative(const ParticleView<T>& p, std::uint32_t i, const Vec3T<T>* dx, const Vec3T<T>* dv) const;
///                           // [N] optional: the change of the force on i as x and v of all change by dx and dv
/// for T = double, float or both, marked CAIRN_FUNCTOR and const. They are called for many particles at a time, in any
/// order, and may read all particles. In a .cu the field runs on both processors; its functor must be trivially
/// copyable and of a type that nvcc accepts in a kernel: no private type, no lambda without CAIRN_FUNCTOR. In a .cpp it
/// runs on the CPU only. An energy between two particles is shared between them.
class Field {
 public:
  /// `name` is used in messages. With a `cut_off` [m] over 0, ParticleView::each_near gives the neighbours that are
  /// closer; 0 means none. ParticleSystem::add throws InvalidArgument for other numbers.
  template <class F, class Side = field_detail::Side>
  Field(std::string name, F functor, double cut_off = 0)
      : name_(std::move(name)),
        cut_off_(cut_off),
        functor_(std::make_shared<const F>(std::move(functor))),
        of_double_(field_detail::code_of<F, double>()),
        of_float_(field_detail::code_of<F, float>()) {
    static_assert(field_detail::HasForce<F, double> || field_detail::HasForce<F, float>,
                  "a field is called with (const ParticleView<T>&, std::uint32_t) and gives a Vec3T<T>");
  }

  const std::string& name() const { return name_; }
  double cut_off() const { return cut_off_; }  ///< [m]
  const std::shared_ptr<const void>& functor() const { return functor_; }
  template <class T>
  const FieldCode<T>& code() const {
    if constexpr (std::is_same_v<T, double>) {
      return of_double_;
    } else {
      return of_float_;
    }
  }

 private:
  std::string name_;
  double cut_off_;
  std::shared_ptr<const void> functor_;
  FieldCode<double> of_double_;
  FieldCode<float> of_float_;
};

/// A number for each particle whose sign is watched, such as its distance from a wall: any functor
///   T operator()(const ParticleView<T>& p, std::uint32_t i) const;
/// under the rules of Field. `cut_off` lets it see neighbours, for collisions between particles.
class Event {
 public:
  enum class Direction { kFalling, kRising, kEither };

  template <class F, class Side = field_detail::Side>
  Event(std::string name, F functor, Direction direction = Direction::kFalling, double cut_off = 0)
      : field_(std::move(name), field_detail::Watch<F, Side>{std::move(functor)}, cut_off), direction_(direction) {}

  double tolerance{1e-10};  ///< [s] over 0: how far past the change of sign the state may be

  const Field& field() const { return field_; }  ///< its energy is the watched number
  Direction direction() const { return direction_; }

 private:
  Field field_;
  Direction direction_;
};

}  // namespace cairn
