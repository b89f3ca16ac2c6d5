#include "src/file/whole_file.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cairn/errors.h"

namespace cairn {
namespace {

namespace fs = std::filesystem;

// [1] links to links that are followed, as many as Linux does
constexpr int kMaxLinks = 40;
// [1] characters of a file's name that its draft keeps: names may have 255
constexpr std::size_t kMaxStem = 200;
// how long a FIFO may be without a reader: one that is started beside needs a moment
constexpr std::chrono::seconds kFifoPatience{5};

std::string reason_of(int error) { return std::strerror(error); }

/// Where a path leads.
struct Target {
  fs::path path;       ///< without links, but to what isn't a file
  struct stat now {};  ///< of what is there
  bool there{false};
  std::string reason;  ///< why nothing can be written to it; empty: nothing is known

  bool is_file() const { return !there || S_ISREG(now.st_mode); }
};

Target target_of(fs::path path) {
  Target t;
  std::error_code error;
  t.there = stat(path.c_str(), &t.now) == 0;
  if (!t.there && errno != ENOENT) t.reason = reason_of(errno);
  // what a draft replaces is the file, not the link; links of /proc/self/fd to pipes have no path behind them
  for (int i = 0; t.is_file() && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
    const fs::path to = fs::read_symlink(path, error);
    if (error || i == kMaxLinks) {
      t.reason = error ? error.message() : reason_of(ELOOP);
      break;
    }
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  t.path = path;
  if (t.reason.empty() && !path.has_filename()) t.reason = reason_of(t.there ? EISDIR : ENOENT);
  if (t.reason.empty() && t.there) {
    if (S_ISDIR(t.now.st_mode))
      t.reason = reason_of(EISDIR);
    else if (S_ISSOCK(t.now.st_mode))
      t.reason = "is a socket";
    else if (access(path.c_str(), W_OK) != 0)
      t.reason = reason_of(errno);
  }
  if (t.reason.empty() && t.is_file()) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, error))
      t.reason = "there is no folder " + folder.string();
    else if (access(folder.c_str(), W_OK | X_OK) != 0)
      t.reason = "in its folder: " + reason_of(errno);
  }
  return t;
}

/// A file that is written to, closed in the end.
class Opened {
 public:
  Opened(const fs::path& path, int flags, mode_t mode = 0) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, mode)) {}
  ~Opened() {
    if (good()) close(descriptor_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  bool good() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool write_all(std::string_view content) const {
    while (!content.empty()) {
      const ssize_t n = write(descriptor_, content.data(), content.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return false;
      content.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  bool close_well() { return close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

/// Into a device or FIFO; 0 or the error.
int write_into(const Target& t, std::string_view content) {
  const auto deadline = std::chrono::steady_clock::now() + kFifoPatience;
  while (true) {
    // without O_NONBLOCK it would wait for a reader for ever
    Opened file(t.path, O_WRONLY | O_NOCTTY | (S_ISFIFO(t.now.st_mode) ? O_NONBLOCK : 0));
    if (!file.good()) {
      if (errno != ENXIO || !S_ISFIFO(t.now.st_mode) || std::chrono::steady_clock::now() > deadline) return errno;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    }
    if (S_ISFIFO(t.now.st_mode)) fcntl(file.descriptor(), F_SETFL, fcntl(file.descriptor(), F_GETFL) & ~O_NONBLOCK);
    return file.write_all(content) && file.close_well() ? 0 : errno;
  }
}

/// Into a new file that takes the name of the old one; 0 or the error.
int replace(const Target& t, std::string_view content) {
  fs::path draft = t.path;
  draft.replace_filename(t.path.filename().string().substr(0, kMaxStem) + ".draft" +
                         std::to_string(std::random_device{}()));
  Opened file(draft, O_WRONLY | O_CREAT | O_EXCL, t.there ? S_IRUSR | S_IWUSR : 0666);
  if (!file.good()) return errno;
  // the owner stays where we may say so, and so must the permissions
  if (t.there && fchown(file.descriptor(), t.now.st_uid, t.now.st_gid) != 0) errno = 0;
  // on the disk before it takes the name, so that a machine that stops leaves the old file or the new one
  const bool written = (!t.there || fchmod(file.descriptor(), t.now.st_mode & 0777) == 0) && file.write_all(content) &&
                       fsync(file.descriptor()) == 0 && file.close_well() && rename(draft.c_str(), t.path.c_str()) == 0;
  if (written) return 0;
  const int error = errno;
  unlink(draft.c_str());
  return error;
}

std::optional<FileIdentity> identity_of(const struct stat& now) {
  if (S_ISCHR(now.st_mode)) return std::nullopt;
  return FileIdentity{now.st_dev, now.st_ino, {}};
}

}  // namespace

void write_whole_file(const fs::path& path, std::string_view content) {
  const Target t = target_of(path);
  std::string reason = t.reason;
  if (reason.empty()) {
    const int error = t.is_file() ? replace(t, content) : write_into(t, content);
    if (error == ENXIO)
      reason = "nobody reads this FIFO";
    else if (error != 0)
      reason = reason_of(error);
  }
  if (!reason.empty()) throw InvalidArgument("can't write " + path.string() + ": " + reason);
}

std::string reason_against_writing(const fs::path& path) { return target_of(path).reason; }

std::optional<FileIdentity> identity_of(const fs::path& path) {
  const Target t = target_of(path);
  if (t.there) return identity_of(t.now);
  struct stat folder {};
  const fs::path parent = t.path.has_parent_path() ? t.path.parent_path() : fs::path(".");
  if (stat(parent.c_str(), &folder) != 0) return std::nullopt;
  return FileIdentity{folder.st_dev, folder.st_ino, t.path.filename().string()};
}

std::optional<FileIdentity> identity_of(int descriptor) {
  struct stat now {};
  if (fstat(descriptor, &now) != 0) return std::nullopt;
  return identity_of(now);
}

std::string read_whole_file(const fs::path& path, std::uint64_t most,
                            const std::function<void(const std::string& reason)>& refuse) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) refuse("can't be opened");
  // in pieces, for a pipe or a device has no known length
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

std::string reason_against_text(std::string_view bytes) {
  const std::size_t at = bytes.find('\0');
  return at == std::string_view::npos ? "" : "is no text: byte " + std::to_string(at) + " is 0";
}

}  // namespace cairn
