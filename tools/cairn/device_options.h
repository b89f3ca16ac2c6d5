#pragma once
// The options that say where to run.

#include <CLI/CLI.hpp>
#include <string>

namespace cairn::cli {

/// Adds --device and --threads, with what the two hold as defaults.
void add_device_options(CLI::App& command, std::string& device, int& threads);

}  // namespace cairn::cli
