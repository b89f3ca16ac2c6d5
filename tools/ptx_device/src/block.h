#pragma once
// A launch, and the blocks of it that are resident.

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "machine.h"

namespace ptxdev {

struct Dim3 {
  std::uint32_t x{1}, y{1}, z{1};
  std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
};

struct Launch {
  Kernel* kernel{nullptr};
  Dim3 grid, block;
  std::uint32_t dynamic_shared{0};
  std::vector<std::uint8_t> params;
  std::uint64_t serial{0};
  std::string_view range;    ///< in which it was enqueued
  std::uint64_t longest{0};  ///< max instructions of one warp
  class RaceMap* races{nullptr};
};

struct Block {
  Launch* launch{nullptr};
  std::uint64_t index{0};
  std::uint32_t x{0}, y{0}, z{0};
  std::vector<Warp> warps;
  std::vector<std::uint8_t> registers, shared;
  std::uint64_t stamp{0};  ///< changes with every begin
  std::uint32_t next{0};   ///< the next warp to run

  void prepare(Launch& of);
  void begin(std::uint64_t which);
  /// Runs until all warps are done (true) or `budget` instructions have run.
  bool run(std::uint64_t budget, std::mt19937_64* random);

 private:
  bool release_barriers();
};

/// A frame for a function, with its constants.
Frame* new_frame(Warp& warp, Kernel& function);
void set_local_base(Warp& warp, Frame& frame, std::uint32_t base);

/// Runs a warp until it waits, is done, or has used up the budget.
void run_warp(Warp& warp, std::uint64_t budget);

/// Runs the whole grid. Throws Fault.
void execute(Launch& launch);

std::uint64_t total_instructions();
std::uint64_t total_launches();

}  // namespace ptxdev
