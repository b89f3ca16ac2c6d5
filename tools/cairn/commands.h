#pragma once
// The subcommands. Each adds itself to the application. If it was given, it runs in its callback and sets the exit
// code.

#include <CLI/CLI.hpp>

namespace cairn::cli {

/// Documented in --help and docs/cli.md.
enum ExitCode : int {
  kGood = 0,
  kStatusRaised = 1,  ///< the simulation raised a status bit, or a replay differs
  kBadInput = 2,      ///< a scene, option or path that can't be used
  kNoDevice = 3,      ///< no such device, or out of memory
  kNotWritten = 4,    ///< a file or stdout could not be written
  kStopped = 128,     ///< plus the number of the signal that stopped a run
};

void add_run(CLI::App& app, int& exit_code);
void add_scenes(CLI::App& app);
void add_info(CLI::App& app);
void add_validate(CLI::App& app);
void add_replay(CLI::App& app, int& exit_code);
void add_view(CLI::App& app);
void add_bench(CLI::App& app, int& exit_code);
void add_lab(CLI::App& app, int& exit_code);

}  // namespace cairn::cli
