#pragma once
// Files of sections: what each holds is compressed, and every byte of the file is under a checksum.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::file {

/// What a file is: eight characters that it begins with, how messages call it, and the version of its sections.
struct Kind {
  std::string_view magic;
  std::string_view name;
  std::uint32_t version;
};

/// The file's bytes. Little-endian throughout:
///   8 bytes magic, u32 version, u32 numerics version, u64 number of sections,
///   of each section: u64 size, u64 size as stored, u64 XXH3 of what is stored,
///   u64 XXH3 of all that so far; then the sections, each a zstd frame.
std::string pack(const Kind& kind, std::span<const std::string> sections);

/// Where a file's bytes come from: puts the next n to `to` and gives how many those were, fewer only at the end.
using Input = std::function<std::size_t(char* to, std::size_t n)>;
Input input_of(std::string_view bytes);
/// Throws SnapshotError if the file can't be opened, and from the Input if it can't be read.
Input input_of_file(const std::string& path);

/// The sections. Throws SnapshotError, naming `where`, if the bytes aren't a whole, sound file of that kind, version
/// and numerics version, with that many sections of `most` bytes at most together. Reads no more than these bytes
/// compress to, so that an endless input ends too, and holds nothing but what they expand to.
std::vector<std::string> unpack(const Kind& kind, std::size_t sections, const Input& input, const std::string& where,
                                std::uint64_t most);

/// XXH3, 64 bits.
std::uint64_t hash_of(std::string_view bytes);

}  // namespace cairn::file
