#include "src/scene_file/path.h"

#include "cairn/errors.h"

namespace cairn::scene_file {
namespace {

constexpr std::size_t kShownBytes =
    64;  ///< [B] of a name or key in a message: a hostile file must not fill the terminal

/// At most kShownBytes of the text, cut between UTF-8 characters.
std::string shortened(std::string_view text) {
  if (text.size() <= kShownBytes) return std::string(text);
  std::size_t end = kShownBytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

}  // namespace

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : shortened(key)) text += c == '~' ? "~0" : (c == '/' ? "~1" : std::string(1, c));
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out(1, '"');
  return out.append(shortened(text)).append(1, '"');
}

std::string Path::pointer() const {
  if (!parent_) return "";
  return parent_->pointer() + "/" + (is_index_ ? std::to_string(index_) : escaped(key_));
}

void fail(std::string_view file, const std::string& pointer, const std::string& reason) {
  throw SceneFileError(std::string(file) + ": " + (pointer.empty() ? "(root)" : pointer) + ": " + reason);
}

void fail(const Path& path, const std::string& reason) { fail(path.file(), path.pointer(), reason); }

}  // namespace cairn::scene_file
