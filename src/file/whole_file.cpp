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

// [1] chained links that are followed, as many as Linux does
constexpr int kMaxLinks = 40;
// [1] characters of a file's name that its draft keeps: names may have 255
constexpr std::size_t kMaxStem = 200;
// how long a FIFO may be without a reader: a reader started at the same time needs a moment
constexpr std::chrono::seconds kFifoPatience{5};

std::string reason_of(int error) { return std::strerror(error); }

/// The file that a path leads to.
struct Target {
  fs::path path;       ///< without links, except links to things that aren't files
  struct stat now {};  ///< of an existing one
  bool there{false};
  std::string reason;  ///< why it can't be written; empty: no reason known

  bool is_file() const { return !there || S_ISREG(now.st_mode); }
};

Target target_of(fs::path path) {
  Target t;
  std::error_code error;
  t.there = stat(path.c_str(), &t.now) == 0;
  if (!t.there && errno != ENOENT) t.reason = reason_of(errno);
  // a draft replaces the file, not the link; links of /proc/self/fd to pipes have no path behind them
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

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = write(descriptor, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Writes into a device or FIFO; returns 0 or the error.
int write_into(const Target& t, std::string_view content) {
  const auto deadline = std::chrono::steady_clock::now() + kFifoPatience;
  while (true) {
    // without O_NONBLOCK it would wait for a reader forever
    const int file = open(t.path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | (S_ISFIFO(t.now.st_mode) ? O_NONBLOCK : 0));
    if (file < 0) {
      if (errno != ENXIO || !S_ISFIFO(t.now.st_mode) || std::chrono::steady_clock::now() > deadline) return errno;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      continue;
    }
    if (S_ISFIFO(t.now.st_mode)) fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK);
    const int error = write_all(file, content) ? 0 : errno;
    return close(file) == 0 || error != 0 ? error : errno;
  }
}

/// Opens a draft beside the target, with the target's owner and permissions; -1 and errno if that fails.
int open_draft(const Target& t, fs::path& draft) {
  draft = t.path;
  draft.replace_filename(t.path.filename().string().substr(0, kMaxStem) + ".draft" +
                         std::to_string(std::random_device{}()));
  const int descriptor =
      open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, t.there ? S_IRUSR | S_IWUSR : 0666);
  if (descriptor < 0 || !t.there) return descriptor;
  // keeping the owner may fail, keeping the permissions must not
  if (fchown(descriptor, t.now.st_uid, t.now.st_gid) != 0) errno = 0;
  if (fchmod(descriptor, t.now.st_mode & 0777) == 0) return descriptor;
  const int error = errno;
  close(descriptor);
  unlink(draft.c_str());
  errno = error;
  return -1;
}

[[noreturn]] void refuse_writing(const fs::path& path, const std::string& reason) {
  throw InvalidArgument("can't write " + path.string() + ": " + reason);
}

std::optional<FileIdentity> identity_of(const struct stat& now) {
  if (S_ISCHR(now.st_mode)) return std::nullopt;
  return FileIdentity{now.st_dev, now.st_ino, {}};
}

}  // namespace

Draft::Draft(const fs::path& path) : given_(path) {
  const Target t = target_of(path);
  if (!t.reason.empty()) refuse_writing(path, t.reason);
  if (!t.is_file()) refuse_writing(path, "must be a file");
  descriptor_ = open_draft(t, draft_);
  if (descriptor_ < 0) refuse_writing(path, reason_of(errno));
  target_ = t.path;
}

Draft::~Draft() {
  if (descriptor_ < 0) return;
  close(descriptor_);
  unlink(draft_.c_str());
}

bool Draft::write(std::string_view content) { return write_all(descriptor_, content); }

void Draft::finish() {
  if (fsync(descriptor_) != 0) refuse_writing(given_, reason_of(errno));
  const bool closed = close(std::exchange(descriptor_, -1)) == 0;
  if (closed && rename(draft_.c_str(), target_.c_str()) == 0) return;
  const int error = errno;
  unlink(draft_.c_str());
  refuse_writing(given_, reason_of(error));
}

void write_whole_file(const fs::path& path, std::string_view content) {
  const Target t = target_of(path);
  if (t.reason.empty() && !t.is_file()) {
    const int error = write_into(t, content);
    if (error != 0) refuse_writing(path, error == ENXIO ? "nobody reads this FIFO" : reason_of(error));
    return;
  }
  Draft draft(path);
  if (!draft.write(content)) refuse_writing(path, reason_of(errno));
  draft.finish();
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
  // in pieces: a pipe or a device has no known length
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
