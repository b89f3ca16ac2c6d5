#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// Writes a file completely or not at all: to a new file beside it, which then takes its name and permissions. Symbolic
/// links are followed, also to files that don't exist yet. Devices, FIFOs and names of /dev/fd are written directly; a
/// FIFO needs a reader within a few seconds. Throws InvalidArgument with path and reason.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

/// A new file beside another one, with the permissions of that one; `finish` gives it the name. Otherwise it is deleted
/// with this object.
class Draft {
 public:
  /// Throws InvalidArgument with path and reason, also for things that aren't files.
  explicit Draft(const std::filesystem::path& path);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Another program may write to it, too.
  const std::filesystem::path& path() const { return draft_; }
  bool write(std::string_view content);  ///< false: see errno
  /// Writes to disk before it takes the name, so that a crash leaves either the old file or the new one. Throws
  /// InvalidArgument.
  void finish();

 private:
  std::filesystem::path given_, target_, draft_;
  int descriptor_;
};

/// The reason why write_whole_file would throw, as far as it is known before; empty if none is.
std::string reason_against_writing(const std::filesystem::path& path);

/// Identity of a file, through links too: device and inode, or for a file that doesn't exist yet those of its folder
/// and its name.
struct FileIdentity {
  std::uint64_t device{0}, inode{0};
  std::string name;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
/// Empty for a character device, which many may write to, and where there is no such folder.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);
std::optional<FileIdentity> identity_of(int descriptor);

/// All bytes of a file, at most `most`. `refuse` gets the reason if that fails, and throws.
std::string read_whole_file(const std::filesystem::path& path, std::uint64_t most,
                            const std::function<void(const std::string& reason)>& refuse);

/// The reason why bytes aren't text: a byte of 0, at which text readers end silently. Empty if there is none.
std::string reason_against_text(std::string_view bytes);

}  // namespace cairn
