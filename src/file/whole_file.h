#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace cairn {

/// Writes a file whole or not at all: into a new file beside it, which then takes its name. Throws InvalidArgument with
/// path and reason.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

/// All bytes of a file, `most` of them. `refuse` gets the reason if that fails, and throws.
std::string read_whole_file(const std::filesystem::path& path, std::uint64_t most,
                            const std::function<void(const std::string& reason)>& refuse);

}  // namespace cairn
