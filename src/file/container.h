#pragma once
// Files of sections: each is compressed, and a checksum covers every byte of the file.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::file {

/// Type of a file: its first eight characters, its name in messages, and the version of its sections.
struct Kind {
  std::string_view magic;
  std::string_view name;
  std::uint32_t version;
};

/// The file's bytes. Little-endian throughout:
///   8 bytes magic, u32 version, u32 numerics version, u64 number of sections,
///   of each section: u64 size, u64 stored size, u64 XXH3 of the stored bytes,
///   u64 XXH3 of all before it; then the sections, each a zstd frame.
std::string pack(const Kind& kind, std::span<const std::string> sections);

/// Source of a file's bytes: writes the next n to `to` and returns their number, less only at the end.
using Input = std::function<std::size_t(char* to, std::size_t n)>;
Input input_of(std::string_view bytes);
/// Throws SnapshotError if the file can't be opened; the Input throws if it can't be read.
Input input_of_file(const std::string& path);

/// The sections. Throws SnapshotError, naming `where`, unless the bytes are a complete, sound file of that kind,
/// version and numerics version, with that many sections of at most `most` bytes in all. Reads no more than so many
/// bytes compress to, so that an endless input ends too, and holds only the expanded bytes.
std::vector<std::string> unpack(const Kind& kind, std::size_t sections, const Input& input, const std::string& where,
                                std::uint64_t most);

/// XXH3, 64 bits.
std::uint64_t hash_of(std::string_view bytes);

}  // namespace cairn::file
