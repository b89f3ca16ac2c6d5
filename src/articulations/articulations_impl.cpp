// The arrays of an Articulations: laid out in lanes, checked, and copied to the device.

#include "src/articulations/articulations_impl.h"

#include <cmath>

#include "cairn/errors.h"
#include "kernels/articulations/turn.h"
#include "src/exec/thread_pool.h"
#include "src/scene/text.h"

namespace cairn {
namespace {

/// [1] Articulations side by side: the width of a warp's read. A CPU thread takes them one by one, and so keeps the
/// words of each together.
constexpr std::uint32_t kCudaLanes = 32, kCpuLanes = 1;

std::unique_ptr<exec::Backend> make_backend(const Device& device) {
  if (device.kind == Device::Kind::kCuda) return exec::make_cuda_backend(device.index);
  return exec::make_cpu_backend(device.threads == 0 ? exec::ThreadPool::hardware_threads() : device.threads);
}

}  // namespace

Articulations::Impl::Impl(const Articulation& of, std::uint32_t count, const Device& device)
    : description(of),
      made((refuse_faults(of), compile(of))),
      backend(make_backend(device)),
      memory(backend->memory()),
      node(memory),
      dof(memory),
      link(memory),
      coupling(memory),
      term(memory),
      level(memory),
      stopped(memory),
      q(memory),
      v(memory),
      was_q(memory),
      was_v(memory),
      force(memory),
      target(memory),
      target_rate(memory),
      joint(memory),
      build(memory),
      given(memory),
      work(memory),
      out(memory) {
  batch = shared_batch(made);
  batch.count = count;
  batch.lanes = device.kind == Device::Kind::kCuda ? kCudaLanes : kCpuLanes;
  batch.gravity = of.gravity;
  batch.node = table(node, made.nodes);
  batch.dof = table(dof, made.dofs);
  batch.link = table(link, made.links);
  batch.coupling = table(coupling, made.couplings);
  batch.term = table(term, made.terms);
  batch.level = table(level, made.levels);
  batch.q = lanes(q, batch.coordinates);
  batch.target = lanes(target, batch.coordinates);
  batch.v = lanes(v, batch.dofs);
  batch.was_q = lanes(was_q, batch.coordinates);
  batch.was_v = lanes(was_v, batch.dofs);
  batch.force = lanes(force, batch.dofs);
  batch.target_rate = lanes(target_rate, batch.dofs);
  batch.joint = table(joint, made.joints);
  batch.build = table(build, made.build);
  batch.given = lanes(given, batch.dofs);
  batch.work = lanes(work, kernels::articulate::work_words(batch.nodes, batch.dofs, batch.couplings));
  stopped.reserve(count);
  batch.stopped = stopped.data();
  start();
  const std::vector<double> rest = at_rest();
  write(batch.q, batch.coordinates, rest);
  write(batch.target, batch.coordinates, rest);
}

template <class T>
T* Articulations::Impl::table(exec::Buffer<T>& buffer, const std::vector<T>& values) {
  buffer.assign(values);
  return buffer.data();
}

std::size_t Articulations::Impl::padded(std::uint32_t words) const {
  return (std::size_t{batch.count} + batch.lanes - 1) / batch.lanes * batch.lanes * words;
}
double* Articulations::Impl::lanes(exec::Buffer<double>& buffer, std::uint32_t words) {
  buffer.assign_zeros(padded(words));
  return buffer.data();
}
std::size_t Articulations::Impl::place(std::size_t words, std::size_t i, std::size_t word) const {
  return (i / batch.lanes * words + word) * batch.lanes + i % batch.lanes;
}
void Articulations::Impl::write(double* to, std::uint32_t words, std::span<const double> values) {
  std::vector<double> laid(padded(words), 0.0);
  for (std::size_t i = 0; i < batch.count; ++i) {
    for (std::size_t w = 0; w < words; ++w) laid[place(words, i, w)] = values[i * words + w];
  }
  memory.put(to, laid);
}
std::vector<double> Articulations::Impl::read(const double* from, std::uint32_t words) const {
  const std::vector<double> laid = exec::read(memory, from, padded(words));
  std::vector<double> values(std::size_t{batch.count} * words);
  for (std::size_t i = 0; i < batch.count; ++i) {
    for (std::size_t w = 0; w < words; ++w) values[i * words + w] = laid[place(words, i, w)];
  }
  return values;
}

void Articulations::Impl::set_build(std::span<const double> words) { memory.put(batch.build, words); }

void Articulations::Impl::start() { memory.clear(batch.stopped, batch.count); }

std::vector<double> Articulations::Impl::at_rest() const {
  std::vector<double> rest(std::size_t{batch.count} * batch.coordinates, 0.0);
  for (std::size_t i = 0; i < batch.count; ++i) {
    for (const std::uint32_t first : made.quaternions) rest[i * batch.coordinates + first + 3] = 1;
  }
  return rest;
}

void Articulations::Impl::refuse(const std::string& rule) const {
  throw InvalidArgument("articulation \"" + description.name + "\": " + rule);
}

void Articulations::Impl::check(const char* what, std::span<const double> values, std::uint32_t words,
                                double most) const {
  const std::string named = std::string(what) + " must be ";
  const std::size_t wanted = std::size_t{batch.count} * words;
  if (values.size() != wanted) {
    refuse(named + std::to_string(wanted) + " numbers, are " + std::to_string(values.size()));
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!(std::abs(values[k]) <= most)) {
      refuse(named + (most < kFinite ? "within +-1e9" : "finite") + ", number " + std::to_string(k % words) +
             " of articulation " + std::to_string(k / words) + " is " + rules::digits(values[k]));
    }
  }
}

std::vector<double> Articulations::Impl::sound(const char* what, std::span<const double> values) const {
  check(what, values, batch.coordinates, kernels::articulate::kMax);
  std::vector<double> made_unit(values.begin(), values.end());
  for (std::size_t i = 0; i < batch.count; ++i) {
    for (const std::uint32_t first : made.quaternions) {
      if (kernels::articulate::make_unit({made_unit.data() + i * batch.coordinates + first, 1})) continue;
      refuse(std::string(what) + " must not hold a zero quaternion, at number " + std::to_string(first) +
             " of articulation " + std::to_string(i));
    }
  }
  return made_unit;
}

std::vector<double> Articulations::Impl::ask(ArticulateContext context, std::uint32_t words) {
  if (batch.count == 0 || words == 0) return {};
  context.batch = batch;
  out.reserve(padded(words));
  context.batch.out = out.data();
  context.batch.out_words = words;
  backend->articulate(context);
  return read(out.data(), words);
}

}  // namespace cairn
