// Articulations as users know them: checked, laid out in lanes, and taken to the device.

#include <cmath>
#include <utility>

#include <xxhash.h>

#include "cairn/articulations.h"
#include "cairn/errors.h"
#include "kernels/articulate/place.h"
#include "kernels/articulate/turn.h"
#include "src/articulate/lower.h"
#include "src/exec/backend.h"
#include "src/exec/exact_floats.h"
#include "src/exec/thread_pool.h"
#include "src/scene/text.h"

namespace cairn {
namespace {

using What = ArticulateContext::What;

/// [1] Articulations side by side: what a warp reads together. A thread of the CPU goes from one to the next, and has
/// the words of each together.
constexpr std::uint32_t kCudaLanes = 32, kCpuLanes = 1;

constexpr double kFinite = std::numeric_limits<double>::max();

std::unique_ptr<exec::Backend> make_backend(const Device& device) {
  if (device.kind == Device::Kind::kCuda) return exec::make_cuda_backend(device.index);
  return exec::make_cpu_backend(device.threads == 0 ? exec::ThreadPool::hardware_threads() : device.threads);
}

}  // namespace

struct Articulations::Impl {
  Articulation description;
  LoweredArticulation made;
  std::unique_ptr<exec::Backend> backend;
  exec::Memory& memory;
  exec::Buffer<kernels::articulate::Node> node;
  exec::Buffer<kernels::articulate::Dof> dof;
  exec::Buffer<kernels::articulate::LinkPlace> link;
  exec::Buffer<std::uint32_t> stopped;
  exec::Buffer<double> q, v, force, target, target_rate, given, work, out;
  kernels::articulate::Batch batch{};

  Impl(const Articulation& of, std::uint32_t count, const Device& device)
      : description(of),
        made((refuse_faults(of), lower(of))),
        backend(make_backend(device)),
        memory(backend->memory()),
        node(memory),
        dof(memory),
        link(memory),
        stopped(memory),
        q(memory),
        v(memory),
        force(memory),
        target(memory),
        target_rate(memory),
        given(memory),
        work(memory),
        out(memory) {
    batch.nodes = static_cast<std::uint32_t>(made.nodes.size());
    batch.dofs = static_cast<std::uint32_t>(made.dofs.size());
    batch.links = static_cast<std::uint32_t>(made.links.size());
    batch.coordinates = made.coordinates;
    batch.count = count;
    batch.lanes = device.kind == Device::Kind::kCuda ? kCudaLanes : kCpuLanes;
    batch.bounded = made.bounded;
    batch.gravity = of.gravity;
    batch.node = table(node, made.nodes);
    batch.dof = table(dof, made.dofs);
    batch.link = table(link, made.links);
    batch.q = lanes(q, batch.coordinates);
    batch.target = lanes(target, batch.coordinates);
    batch.v = lanes(v, batch.dofs);
    batch.force = lanes(force, batch.dofs);
    batch.target_rate = lanes(target_rate, batch.dofs);
    batch.given = lanes(given, batch.dofs);
    batch.work =
        lanes(work, kernels::articulate::kNodeWords * batch.nodes + kernels::articulate::kDofWords * batch.dofs);
    stopped.reserve(count);
    batch.stopped = stopped.data();
    start();
    const std::vector<double> rest = at_rest();
    write(batch.q, batch.coordinates, rest);
    write(batch.target, batch.coordinates, rest);
  }

  template <class T>
  const T* table(exec::Buffer<T>& buffer, const std::vector<T>& values) {
    buffer.reserve(values.size());
    memory.upload(buffer.data(), values.data(), values.size() * sizeof(T));
    return buffer.data();
  }

  /// Words of a batch in lanes, the last of which may stand empty.
  std::size_t padded(std::uint32_t words) const {
    return (std::size_t{batch.count} + batch.lanes - 1) / batch.lanes * batch.lanes * words;
  }
  double* lanes(exec::Buffer<double>& buffer, std::uint32_t words) {
    const std::size_t n = padded(words);
    buffer.reserve(n);
    memory.zero(buffer.data(), n * sizeof(double));
    return buffer.data();
  }
  std::size_t place(std::size_t words, std::size_t i, std::size_t word) const {
    return (i / batch.lanes * words + word) * batch.lanes + i % batch.lanes;
  }
  void write(double* to, std::uint32_t words, std::span<const double> values) {
    std::vector<double> laid(padded(words), 0.0);
    for (std::size_t i = 0; i < batch.count; ++i) {
      for (std::size_t w = 0; w < words; ++w) laid[place(words, i, w)] = values[i * words + w];
    }
    memory.upload(to, laid.data(), laid.size() * sizeof(double));
  }
  std::vector<double> read(const double* from, std::uint32_t words) const {
    std::vector<double> laid(padded(words)), values(std::size_t{batch.count} * words);
    if (!laid.empty()) memory.download(laid.data(), from, laid.size() * sizeof(double));
    for (std::size_t i = 0; i < batch.count; ++i) {
      for (std::size_t w = 0; w < words; ++w) values[i * words + w] = laid[place(words, i, w)];
    }
    return values;
  }

  void start() { memory.zero(batch.stopped, batch.count * sizeof(std::uint32_t)); }

  std::vector<double> at_rest() const {
    std::vector<double> rest(std::size_t{batch.count} * batch.coordinates, 0.0);
    for (std::size_t i = 0; i < batch.count; ++i) {
      for (const std::uint32_t first : made.quaternions) rest[i * batch.coordinates + first + 3] = 1;
    }
    return rest;
  }

  void check(const char* what, std::span<const double> values, std::uint32_t words, double most) const {
    const auto refuse = [&](const std::string& rule) {
      throw InvalidArgument("articulation \"" + description.name + "\": " + what + " " + rule);
    };
    const std::size_t wanted = std::size_t{batch.count} * words;
    if (values.size() != wanted) {
      refuse("must be " + std::to_string(wanted) + " numbers, are " + std::to_string(values.size()));
    }
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (!(std::abs(values[k]) <= most)) {
        refuse("must be " + std::string(most < kFinite ? "within +-1e9" : "finite") + ", number " +
               std::to_string(k % words) + " of articulation " + std::to_string(k / words) + " is " +
               rules::digits(values[k]));
      }
    }
  }

  /// Coordinates with their quaternions made unit.
  std::vector<double> sound(const char* what, std::span<const double> values) const {
    check(what, values, batch.coordinates, kernels::articulate::kMost);
    std::vector<double> made_unit(values.begin(), values.end());
    for (std::size_t i = 0; i < batch.count; ++i) {
      for (const std::uint32_t first : made.quaternions) {
        double* const c = made_unit.data() + i * batch.coordinates + first;
        const double norm = std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3]);
        if (!(norm > 0) || !std::isfinite(norm)) {
          throw InvalidArgument("articulation \"" + description.name + "\": " + what +
                                " must not hold a zero quaternion, nor one too long, at number " +
                                std::to_string(first) + " of articulation " + std::to_string(i));
        }
        for (int k = 0; k < 4; ++k) c[k] /= norm;
      }
    }
    return made_unit;
  }

  /// What an algorithm says, `words` of each articulation.
  std::vector<double> ask(ArticulateContext context, std::uint32_t words) {
    if (batch.count == 0 || words == 0) return {};
    context.batch = batch;
    out.reserve(padded(words));
    context.batch.out = out.data();
    context.batch.out_words = words;
    backend->articulate(context);
    return read(out.data(), words);
  }
};

Articulations::Articulations(const Articulation& description, std::uint32_t count, const Device& device) {
  const exec::ExactFloats exact;
  impl_ = std::make_unique<Impl>(description, count, device);
}
Articulations::~Articulations() = default;
Articulations::Articulations(Articulations&&) noexcept = default;
Articulations& Articulations::operator=(Articulations&&) noexcept = default;

std::uint32_t Articulations::count() const { return impl_->batch.count; }
const Articulation& Articulations::description() const { return impl_->description; }
std::uint32_t Articulations::coordinates() const { return impl_->batch.coordinates; }
std::uint32_t Articulations::dofs() const { return impl_->batch.dofs; }

namespace {
std::uint32_t of_link(const std::vector<std::uint32_t>& of, std::uint32_t link, const Articulation& description) {
  if (link < of.size()) return of[link];
  throw InvalidArgument("articulation \"" + description.name + "\": there is no link " + std::to_string(link));
}
}  // namespace

std::uint32_t Articulations::coordinate_of(std::uint32_t link) const {
  return of_link(impl_->made.coordinate_of, link, impl_->description);
}
std::uint32_t Articulations::dof_of(std::uint32_t link) const {
  return of_link(impl_->made.dof_of, link, impl_->description);
}

void Articulations::set_state(std::span<const double> q, std::span<const double> v) {
  const exec::ExactFloats exact;
  Impl& m = *impl_;
  const std::vector<double> sound = m.sound("coordinates", q);
  m.check("rates", v, m.batch.dofs, kernels::articulate::kMost);
  m.write(m.batch.q, m.batch.coordinates, sound);
  m.write(m.batch.v, m.batch.dofs, v);
  m.start();
}
std::vector<double> Articulations::positions() const { return impl_->read(impl_->batch.q, impl_->batch.coordinates); }
std::vector<double> Articulations::rates() const { return impl_->read(impl_->batch.v, impl_->batch.dofs); }

void Articulations::set_forces(std::span<const double> forces) {
  impl_->check("forces", forces, impl_->batch.dofs, kFinite);
  impl_->write(impl_->batch.force, impl_->batch.dofs, forces);
}
void Articulations::set_targets(std::span<const double> q, std::span<const double> v) {
  const exec::ExactFloats exact;
  Impl& m = *impl_;
  const std::vector<double> sound = m.sound("target coordinates", q);
  m.check("target rates", v, m.batch.dofs, kernels::articulate::kMost);
  m.write(m.batch.target, m.batch.coordinates, sound);
  m.write(m.batch.target_rate, m.batch.dofs, v);
}

std::vector<double> Articulations::forward_dynamics() const {
  return impl_->ask({.what = What::kForward}, impl_->batch.dofs);
}
std::vector<double> Articulations::inverse_dynamics(std::span<const double> accelerations) const {
  impl_->check("accelerations", accelerations, impl_->batch.dofs, kFinite);
  impl_->write(impl_->batch.given, impl_->batch.dofs, accelerations);
  return impl_->ask({.what = What::kInverse}, impl_->batch.dofs);
}
std::vector<double> Articulations::mass_matrix() const {
  return impl_->ask({.what = What::kMass}, impl_->batch.dofs * impl_->batch.dofs);
}
std::vector<double> Articulations::jacobian(std::uint32_t link, Vec3d point) const {
  of_link(impl_->made.dof_of, link, impl_->description);
  if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) {
    throw InvalidArgument("articulation \"" + impl_->description.name + "\", link \"" +
                          impl_->description.links[link].name + "\": point must be finite");
  }
  return impl_->ask({.what = What::kJacobian, .link = link, .point = point}, 6 * impl_->batch.dofs);
}

std::vector<BodyState> Articulations::link_states() const {
  using namespace kernels::articulate;
  const exec::ExactFloats exact;
  const std::vector<double> all = impl_->ask({.what = What::kLinks}, kLinkWords * impl_->batch.links);
  std::vector<BodyState> states;
  states.reserve(all.size() / kLinkWords);
  for (std::size_t at = 0; at < all.size(); at += kLinkWords) {
    const double* const s = all.data() + at;
    const Matrix r{{s[0], s[1], s[2]}, {s[3], s[4], s[5]}, {s[6], s[7], s[8]}};
    states.push_back({{s[9], s[10], s[11]},
                      kernels::narrow(quaternion_of(r)),
                      kernels::narrow(Vec{s[15], s[16], s[17]}),
                      kernels::narrow(Vec{s[12], s[13], s[14]})});
  }
  return states;
}

void Articulations::step(double h, std::uint32_t substeps) {
  if (!(h > 0) || !std::isfinite(h)) {
    throw InvalidArgument("articulation \"" + impl_->description.name + "\": h must be over 0 and finite, is " +
                          rules::digits(h));
  }
  if (substeps == 0) {
    throw InvalidArgument("articulation \"" + impl_->description.name + "\": substeps must be over 0");
  }
  if (impl_->batch.count == 0) return;
  impl_->backend->articulate({.what = What::kStep, .batch = impl_->batch, .h = h / substeps, .substeps = substeps});
}

std::vector<std::uint32_t> Articulations::stopped() const {
  const std::vector<std::uint32_t> flags = impl_->stopped.read(impl_->batch.count);
  std::vector<std::uint32_t> which;
  for (std::uint32_t i = 0; i < flags.size(); ++i) {
    if (flags[i] != 0) which.push_back(i);
  }
  return which;
}

std::uint64_t Articulations::state_hash() const {
  std::vector<double> state = positions();
  const std::vector<double> v = rates();
  state.insert(state.end(), v.begin(), v.end());
  return XXH3_64bits(state.data(), state.size() * sizeof(double));
}

}  // namespace cairn
