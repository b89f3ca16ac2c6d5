#pragma once
// The options of the device.

#include <CLI/CLI.hpp>
#include <string>

namespace cairn::cli {

/// Adds --device and --threads, whose defaults are the current values of the two.
void add_device_options(CLI::App& command, std::string& device, int& threads);

}  // namespace cairn::cli
