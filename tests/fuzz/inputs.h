#pragma once
// What the fuzzers of files take for input, so that they get past checksums.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "src/file/container.h"
#include "src/snapshot/image.h"

namespace cairn::fuzz {

/// The sections of an input of fuzz_snapshot that begins with 'S': the sizes of all but the last follow, u32 each, and
/// the sections. None if it ends before.
inline std::vector<std::string> sections_of_input(std::string_view input) {
  input.remove_prefix(1);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i + 1 < snapshot::kSections; ++i) {
    std::uint32_t size = 0;
    if (input.size() < sizeof size) return {};
    std::memcpy(&size, input.data(), sizeof size);
    input.remove_prefix(sizeof size);
    sizes.push_back(size);
  }
  std::vector<std::string> sections;
  for (const std::size_t size : sizes) {
    sections.emplace_back(input.substr(0, size));
    input.remove_prefix(sections.back().size());
  }
  sections.emplace_back(input);
  return sections;
}

/// The file of an input of fuzz_snapshot: after an 'F' the rest of it.
inline std::string snapshot_file_of(std::string_view input) {
  if (input.empty() || input[0] != 'S') return std::string(input.substr(input.empty() ? 0 : 1));
  const std::vector<std::string> sections = sections_of_input(input);
  return sections.empty() ? "" : file::pack(snapshot::kKind, sections);
}

/// The way back: an input that begins with 'S'.
inline std::string input_of_sections(const std::vector<std::string>& sections) {
  std::string input = "S";
  for (std::size_t i = 0; i + 1 < sections.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(sections[i].size());
    input.append(reinterpret_cast<const char*>(&size), sizeof size);
  }
  for (const std::string& section : sections) input += section;
  return input;
}
inline std::string sections_of_snapshot(const Snapshot& snapshot) {
  const std::string bytes = snapshot.to_bytes();
  return input_of_sections(
      file::unpack(snapshot::kKind, snapshot::kSections, file::input_of(bytes), "seed", SnapshotLimits{}.bytes));
}

}  // namespace cairn::fuzz
