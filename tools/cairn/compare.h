#pragma once
// Differences between two files of `bench --json`.

#include <filesystem>
#include <string>

namespace cairn::cli {

struct Comparison {
  std::string text;   ///< a line for each row
  bool worse{false};  ///< see compare_benches
};

/// Rows match by scene, worlds, substeps, solver and seed. B is worse than A where a row of both
/// - has no figure in B and had one in A;
/// - takes longer by more than `tolerance` (1: twice as long);
/// - has other bits though the numerics are the same; or
/// - has other bits, and more bodies fell or the mean or deepest penetration grew by more than `tolerance`.
/// Throws InvalidArgument, naming the file, if one can't be read or isn't such a file.
Comparison compare_benches(const std::filesystem::path& a, const std::filesystem::path& b, double tolerance);

}  // namespace cairn::cli
