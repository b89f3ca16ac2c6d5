#include "src/file/whole_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <system_error>

#include <unistd.h>

#include "cairn/errors.h"

namespace cairn {

void write_whole_file(const std::filesystem::path& path, std::string_view content) {
  const auto refuse = [&](const std::string& reason) {
    throw InvalidArgument("can't write " + path.string() + ": " + reason);
  };
  std::filesystem::path draft = path;
  draft += ".draft" + std::to_string(std::random_device{}());
  std::FILE* file = std::fopen(draft.c_str(), "wbx");
  if (file == nullptr) refuse(std::strerror(errno));
  // on the disk before it takes the name, so that a machine that stops leaves the old file or the new one
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() &&
                       std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const bool closed = std::fclose(file) == 0;
  std::error_code error;
  if (!written || !closed) {
    const std::string reason = std::strerror(errno);
    std::filesystem::remove(draft, error);
    refuse(reason);
  }
  std::filesystem::rename(draft, path, error);
  if (error) {
    const std::string reason = error.message();
    std::filesystem::remove(draft, error);
    refuse(reason);
  }
}

std::string read_whole_file(const std::filesystem::path& path, std::uint64_t most,
                            const std::function<void(const std::string& reason)>& refuse) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse("can't be opened");
  // in pieces, for a pipe or a device doesn't tell its length
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string bytes;
  while (stream) {
    const std::size_t size = bytes.size();
    bytes.resize(size + kPiece);
    stream.read(bytes.data() + size, static_cast<std::streamsize>(kPiece));
    bytes.resize(size + static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > most) refuse("longer than " + std::to_string(most) + " bytes");
  }
  if (stream.bad()) refuse("can't be read");
  return bytes;
}

}  // namespace cairn
