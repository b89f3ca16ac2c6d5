#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cairn {

/// Writes a file whole or not at all: into a new file beside it, which then takes its name and its permissions. A
/// symbolic link is followed, to a file that isn't there yet too. A device or a FIFO is written into, and so is what
/// /dev/fd names; a FIFO must be read within a few seconds. Throws InvalidArgument with path and reason.
void write_whole_file(const std::filesystem::path& path, std::string_view content);

/// A new file beside another one, whose permissions it has; `finish` gives it that one's name. It goes with this object
/// where that isn't called.
class Draft {
 public:
  /// Throws InvalidArgument with path and reason: of what isn't a file, too.
  explicit Draft(const std::filesystem::path& path);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Another program may write to it, too.
  const std::filesystem::path& path() const { return draft_; }
  bool write(std::string_view content);  ///< false: errno tells why not
  /// On the disk before it takes the name, so that a machine that stops leaves the old file or the new one. Throws
  /// InvalidArgument.
  void finish();

 private:
  std::filesystem::path given_, target_, draft_;
  int descriptor_;
};

/// Why write_whole_file would throw, as far as it can be known before; empty if nothing speaks against it.
std::string reason_against_writing(const std::filesystem::path& path);

/// What two paths must share to be one file, through links too: device and inode, or of a file that isn't there yet
/// those of its folder and its name.
struct FileIdentity {
  std::uint64_t device{0}, inode{0};
  std::string name;
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};
/// None of a character device, which many may write to, nor where there is no such folder.
std::optional<FileIdentity> identity_of(const std::filesystem::path& path);
std::optional<FileIdentity> identity_of(int descriptor);

/// All bytes of a file, at most `most`. `refuse` gets the reason if that fails, and throws.
std::string read_whole_file(const std::filesystem::path& path, std::uint64_t most,
                            const std::function<void(const std::string& reason)>& refuse);

/// Why bytes are no text: a byte of 0, at which readers of text end without a word about what follows. Empty if they
/// may be.
std::string reason_against_text(std::string_view bytes);

}  // namespace cairn
