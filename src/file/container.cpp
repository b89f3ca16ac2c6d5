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
// fast, and most of what it has to compress are floats that nothing compresses well
constexpr int kLevel = 1;
// what is made room for at first; more as bytes come out, so that a size that lies takes no memory
constexpr std::size_t kFirstRoom = std::size_t{1} << 20;

/// One line of the table of sections.
struct Entry {
  std::uint64_t size{0}, stored{0}, hash{0};
};
auto members(Is<Entry> auto& e) { return std::tie(e.size, e.stored, e.hash); }

std::string compressed(const std::string& section) {
  std::string out(ZSTD_compressBound(section.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), section.data(), section.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw CapacityError(std::string("can't compress: ") + ZSTD_getErrorName(size));
  out.resize(size);
  return out;
}

std::string expanded(std::string_view stored, std::uint64_t size, const Reader& reader) {
  const std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  if (stream == nullptr) throw CapacityError("out of memory: no room to expand a section in");
  std::string out;
  ZSTD_inBuffer in{stored.data(), stored.size(), 0};
  std::size_t done = 0, left = 1;
  while (left != 0) {
    if (done == out.size()) out.resize(std::min<std::uint64_t>(std::max(kFirstRoom, 2 * out.size()), size + 1));
    ZSTD_outBuffer to{out.data(), out.size(), done};
    const std::size_t consumed = in.pos;
    left = ZSTD_decompressStream(stream.get(), &to, &in);
    if (ZSTD_isError(left) != 0) reader.refuse(std::string("a section can't be expanded: ") + ZSTD_getErrorName(left));
    if (to.pos > size) reader.refuse("a section is larger than the " + std::to_string(size) + " bytes that it says");
    if (left != 0 && to.pos == done && in.pos == consumed) reader.refuse("a section ends too early");
    done = to.pos;
  }
  if (done != size || in.pos != in.size) reader.refuse("a section isn't the size that it says");
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

std::vector<std::string> unpack(const Kind& kind, std::size_t sections, std::string_view bytes,
                                const std::string& where, std::uint64_t most) {
  const Reader whole({}, where);
  const std::string name(kind.name);
  if (bytes.substr(0, kMagic) != kind.magic) whole.refuse("is no " + name + " of Cairn's");
  Reader reader(bytes.substr(kMagic), where);
  std::uint32_t version = 0, numerics = 0;
  std::uint64_t count = 0, hash = 0;
  reader(version, numerics, count);
  if (version != kind.version) {
    whole.refuse("a " + name + " of format version " + std::to_string(version) + "; this build reads version " +
                 std::to_string(kind.version));
  }
  if (count != sections) whole.refuse("damaged: the table of sections is not what was written");
  std::vector<Entry> entries(count);
  for (Entry& entry : entries) reader(entry);
  reader(hash);
  const std::size_t head = kMagic + 2 * sizeof version + sizeof count + count * sizeof(Entry);
  if (hash != hash_of(bytes.substr(0, head))) whole.refuse("damaged: the table of sections is not what was written");
  if (numerics != kNumericsVersion) {
    whole.refuse("made with numerics version " + std::to_string(numerics) + "; this build has " +
                 std::to_string(kNumericsVersion) + ", which would go on with other bits");
  }
  std::size_t at = head + sizeof hash;
  std::uint64_t room = most;
  std::vector<std::string> out;
  for (const Entry& entry : entries) {
    if (entry.size > room) {
      whole.refuse("expands to more than the " + std::to_string(most) + " bytes that are allowed");
    }
    room -= entry.size;
    if (entry.stored > bytes.size() - at) {
      whole.refuse("cut off: has " + std::to_string(bytes.size()) + " bytes, and a section ends later");
    }
    const std::string_view stored = bytes.substr(at, entry.stored);
    if (hash_of(stored) != entry.hash) whole.refuse("damaged: a section is not what was written");
    out.push_back(expanded(stored, entry.size, whole));
    at += entry.stored;
  }
  if (at != bytes.size()) whole.refuse(std::to_string(bytes.size() - at) + " bytes too many at its end");
  return out;
}

std::string read_file(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  const auto refuse = [&] { throw SnapshotError("can't read " + path + ": " + std::strerror(errno)); };
  if (file == nullptr) refuse();
  std::string bytes;
  char block[1 << 16];
  for (std::size_t n = 0; (n = std::fread(block, 1, sizeof block, file.get())) != 0;) bytes.append(block, n);
  if (std::ferror(file.get()) != 0) refuse();
  return bytes;
}

}  // namespace cairn::file
