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

/// The file of an input of fuzz_snapshot: that begins with 'F', and a file follows, or with 'S'; then come the sizes of
/// all sections but the last, u32 each, and the sections.
inline std::string snapshot_file_of(std::string_view input) {
  if (input.empty() || input[0] != 'S') return std::string(input.substr(input.empty() ? 0 : 1));
  input.remove_prefix(1);
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i + 1 < snapshot::kSections; ++i) {
    std::uint32_t size = 0;
    if (input.size() < sizeof size) return "";
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
  return file::pack(snapshot::kKind, sections);
}

/// The way back: an input that begins with 'S'.
inline std::string sections_of_snapshot(const Snapshot& snapshot) {
  const std::vector<std::string> sections =
      file::unpack(snapshot::kKind, snapshot::kSections, snapshot.to_bytes(), "seed", SnapshotLimits{}.bytes);
  std::string input = "S";
  for (std::size_t i = 0; i + 1 < sections.size(); ++i) {
    const auto size = static_cast<std::uint32_t>(sections[i].size());
    input.append(reinterpret_cast<const char*>(&size), sizeof size);
  }
  for (const std::string& section : sections) input += section;
  return input;
}

}  // namespace cairn::fuzz
