// The arrays of an Articulations: laid out in lanes, checked, and copied to the device.

#include "src/articulations/articulations_impl.h"

#include <cmath>
#include <utility>

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
    : description(of), made((refuse_faults(of), compile(of))), backend(make_backend(device)) {
  batch = shared_batch(made);
  batch.count = count;
  batch.lanes = device.kind == Device::Kind::kCuda ? kCudaLanes : kCpuLanes;
  batch.gravity = of.gravity;
  tables.reserve(table_bytes(made));
  put_tables(memory, made, tables.data(), batch);
  lay_out();
  stopped.reserve(count);
  batch.stopped = stopped.data();
  start();
  const std::vector<double> rest = at_rest();
  write(batch.q, batch.coordinates, rest);
  write(batch.target, batch.coordinates, rest);
}

void Articulations::Impl::lay_out() {
  using kernels::articulate::Batch;
  const std::uint32_t coordinates = batch.coordinates, dofs = batch.dofs;
  const std::pair<double * Batch::*, std::uint32_t> arrays[]{
      {&Batch::q, coordinates},    {&Batch::v, dofs},     {&Batch::was_q, coordinates},
      {&Batch::was_v, dofs},       {&Batch::force, dofs}, {&Batch::target, coordinates},
      {&Batch::target_rate, dofs}, {&Batch::given, dofs}, {&Batch::work, work_words(batch)}};
  std::size_t all = made.joints.size() + made.build.size();
  for (const auto& [array, each] : arrays) all += padded(each);
  words.reserve(all);
  memory.zero(words.data(), words.bytes());
  double* next = words.data();
  for (const auto& [array, each] : arrays) batch.*array = std::exchange(next, next + padded(each));
  const auto share = [&](const std::vector<double>& values) {
    memory.put(next, values);
    return std::exchange(next, next + values.size());
  };
  batch.joint = share(made.joints);
  batch.build = share(made.build);
}

std::size_t Articulations::Impl::padded(std::uint32_t words) const {
  return (std::size_t{batch.count} + batch.lanes - 1) / batch.lanes * batch.lanes * words;
}
std::size_t Articulations::Impl::place(std::size_t each, std::size_t i, std::size_t word) const {
  return (i / batch.lanes * each + word) * batch.lanes + i % batch.lanes;
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

std::vector<double> Articulations::Impl::ask(ArticulateContext context, std::uint32_t each) {
  if (batch.count == 0 || each == 0) return {};
  out.reserve(padded(each));
  kernels::articulate::Batch asked = batch;
  asked.out = out.data();
  asked.out_words = each;
  std::visit([&](auto& task) { task.b = asked; }, context.task);
  backend->articulate(context);
  return read(out.data(), each);
}

}  // namespace cairn
