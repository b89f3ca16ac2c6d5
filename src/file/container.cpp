#include "src/file/container.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <xxhash.h>
#include <zstd.h>

#include "cairn/errors.h"
#include "cairn/version.h"
#include "src/file/archive.h"

namespace cairn::file {
namespace {

constexpr std::size_t kMagic = 8;
// fast; most of the data are floats, which compress poorly at any level
constexpr int kLevel = 1;
// first allocation; it grows with the output, so that a false size takes no memory
constexpr std::size_t kFirstRoom = std::size_t{1} << 20;
/// [B] read of a section at a time
constexpr std::size_t kPiece = std::size_t{1} << 16;

/// An entry of the table of sections.
struct Entry {
  std::uint64_t size{0}, stored{0}, hash{0};
};
void members(Is<Entry> auto& e, const auto& f) { f(e.size, e.stored, e.hash); }

std::string compressed(const std::string& section) {
  std::string out(ZSTD_compressBound(section.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), section.data(), section.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw CapacityError(std::string("can't compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

/// Reads an input and counts its bytes.
class Source {
 public:
  Source(const Input& input, const Reader& reader) : input_(input), reader_(reader) {}

  /// Reads n bytes, or refuses a file that ends earlier.
  void read(char* to, std::size_t n) {
    const std::size_t got = input_(to, n);
    count_ += got;
    if (got != n) reader_.refuse("cut off: has " + std::to_string(count_) + " bytes, and what it holds ends later");
  }
  bool ended() const {
    char next = 0;
    return input_(&next, 1) == 0;
  }

 private:
  const Input& input_;
  const Reader& reader_;
  std::uint64_t count_{0};
};

/// Piece by piece, so that the compressed data are never in memory as a whole.
std::string expanded(Source& source, const Entry& entry, const Reader& reader) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> hash(XXH3_createState(), XXH3_freeState);
  if (stream == nullptr || hash == nullptr) throw CapacityError("out of memory: no room to expand a section in");
  XXH3_64bits_reset(hash.get());
  std::string out, piece(std::min<std::uint64_t>(kPiece, entry.stored), '\0');
  std::uint64_t unread = entry.stored;
  ZSTD_inBuffer in{piece.data(), 0, 0};
  std::size_t done = 0, left = 1;
  bool full = false;  // some expanded bytes may not have been returned yet
  while (left != 0) {
    if (in.pos == in.size && !full) {
      in = {piece.data(), static_cast<std::size_t>(std::min<std::uint64_t>(piece.size(), unread)), 0};
      if (in.size == 0) reader.refuse("damaged: a section ends too early");
      source.read(piece.data(), in.size);
      XXH3_64bits_update(hash.get(), piece.data(), in.size);
      unread -= in.size;
    }
    if (done == out.size()) out.resize(std::min<std::uint64_t>(std::max(kFirstRoom, 2 * out.size()), entry.size + 1));
    ZSTD_outBuffer to{out.data(), out.size(), done};
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left) != 0) {
      reader.refuse(std::string("damaged: a section can't be expanded: ") + ZSTD_getErrorName(left));
    }
    if (to.pos > entry.size) {
      reader.refuse("damaged: a section is larger than the " + std::to_string(entry.size) + " bytes that it says");
    }
    done = to.pos;
    full = done == out.size();
  }
  if (done != entry.size || in.pos != in.size || unread != 0) {
    reader.refuse("damaged: a section isn't the size that it says");
  }
  if (XXH3_64bits_digest(hash.get()) != entry.hash) reader.refuse("damaged: a section is not what was written");
  out.resize(done);
  return out;
}

}  // namespace

std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string pack(const Kind& kind, std::span<const std::string> sections) {
  std::vector<std::string> stored;
  Writer head;
  for (const char c : kind.magic) head(c);
  head(kind.version, kNumericsVersion, std::uint64_t{sections.size()});
  for (const std::string& section : sections) {
    stored.push_back(compressed(section));
    head(Entry{section.size(), stored.back().size(), hash_of(stored.back())});
  }
  std::string bytes = head.take();
  Writer tail;
  tail(hash_of(bytes));
  bytes += tail.take();
  for (const std::string& section : stored) bytes += section;
  return bytes;
}

Input input_of(std::string_view bytes) {
  return [bytes](char* to, std::size_t n) mutable {
    n = bytes.copy(to, n);
    bytes.remove_prefix(n);
    return n;
  };
}

Input input_of_file(const std::string& path) {
  const auto refuse = [](const std::string& of) {
    throw SnapshotError("can't read " + of + ": " + std::strerror(errno));
  };
  const std::shared_ptr<std::FILE> file(std::fopen(path.c_str(), "rb"), [](std::FILE* opened) {
    if (opened != nullptr) std::fclose(opened);
  });
  if (file == nullptr) refuse(path);
  return [file, path, refuse](char* to, std::size_t n) {
    n = std::fread(to, 1, n, file.get());
    if (std::ferror(file.get()) != 0) refuse(path);
    return n;
  };
}

std::vector<std::string> unpack(const Kind& kind, std::size_t sections, const Input& input, const std::string& where,
                                std::uint64_t most) {
  const Reader whole({}, where);
  const std::string name(kind.name);
  Source source(input, whole);
  // the magic first: a foreign input may be endless, or shorter than a head
  std::string head(kMagic, '\0');
  head.resize(input(head.data(), kMagic));
  if (head != kind.magic) whole.refuse("is no " + name + " of Cairn's");
  const auto next = [&](std::size_t n) {
    head.resize(head.size() + n);
    source.read(head.data() + head.size() - n, n);
    return Reader(std::string_view(head).substr(head.size() - n), where);
  };
  std::uint32_t version = 0, numerics = 0;
  std::uint64_t count = 0, hash = 0;
  next(2 * sizeof version + sizeof count)(version, numerics, count);
  if (version != kind.version) {
    whole.refuse("a " + name + " of format version " + std::to_string(version) + "; this build reads version " +
                 std::to_string(kind.version));
  }
  if (count != sections) whole.refuse("damaged: the table of sections is not what was written");
  std::vector<Entry> entries(count);
  Reader table = next(count * sizeof(Entry));
  for (Entry& entry : entries) table(entry);
  const std::uint64_t found = hash_of(head);
  next(sizeof hash)(hash);
  if (hash != found) whole.refuse("damaged: the table of sections is not what was written");
  if (numerics != kNumericsVersion) {
    whole.refuse("made with numerics version " + std::to_string(numerics) + "; this build has " +
                 std::to_string(kNumericsVersion) + ", which would go on with other bits");
  }
  std::uint64_t room = most;
  std::vector<std::string> out;
  for (const Entry& entry : entries) {
    if (entry.size > room) {
      whole.refuse("expands to more than the " + std::to_string(most) + " bytes that are allowed");
    }
    room -= entry.size;
    // a false stored size would bound nothing
    if (entry.stored > ZSTD_compressBound(entry.size)) {
      whole.refuse("damaged: a section of " + std::to_string(entry.size) + " bytes takes more in the file");
    }
    out.push_back(expanded(source, entry, whole));
  }
  if (!source.ended()) whole.refuse("bytes too many at its end");
  return out;
}

}  // namespace cairn::file
