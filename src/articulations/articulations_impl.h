#pragma once
// Members of an Articulations: the description, compiled, and the arrays of its batch on the device.

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cairn/articulations.h"
#include "src/articulations/articulate_context.h"
#include "src/articulations/compile_articulation.h"
#include "src/exec/backend.h"

namespace cairn {

/// [1] Stands for a bound: any finite value.
inline constexpr double kFinite = std::numeric_limits<double>::max();

struct Articulations::Impl {
  Articulation description;
  CompiledArticulation made;
  std::unique_ptr<exec::Backend> backend;
  exec::Memory& memory{backend->memory()};
  exec::Buffer<std::byte> tables{memory};
  exec::Buffer<std::uint32_t> stopped{memory};
  exec::Buffer<double> words{memory}, out{memory};
  kernels::articulate::Batch batch{};

  Impl(const Articulation& of, std::uint32_t count, const Device& device);

  /// Numbers of all articulations, `words` of each, to their lanes and back.
  void write(double* to, std::uint32_t words, std::span<const double> values);
  std::vector<double> read(const double* from, std::uint32_t words) const;
  /// In the scales of the links of another articulation: kernels::articulate::Batch::build.
  void set_build(std::span<const double> words);
  /// Clears all stops.
  void start();

  /// Throws InvalidArgument, naming `what`, unless there are `words` of each, up to `most` in size.
  void check(const char* what, std::span<const double> values, std::uint32_t words, double most) const;
  /// Coordinates with normalised quaternions.
  std::vector<double> sound(const char* what, std::span<const double> values) const;
  [[noreturn]] void refuse(const std::string& rule) const;

  /// Result of an algorithm for this batch, `each` words of each articulation.
  std::vector<double> ask(ArticulateContext context, std::uint32_t each);

 private:
  /// Allocates all arrays of `words`.
  void lay_out();
  /// [1] Words of a batch in lanes; the last lanes may be empty.
  std::size_t padded(std::uint32_t words) const;
  std::size_t place(std::size_t words, std::size_t i, std::size_t word) const;
  std::vector<double> at_rest() const;
};

}  // namespace cairn
