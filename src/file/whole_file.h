#pragma once

#include <filesystem>
#include <string_view>

namespace cairn {

/// Writes a file whole or not at all: into a new file beside it, which then takes its name. Throws InvalidArgument with
/// path and reason.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

}  // namespace cairn
