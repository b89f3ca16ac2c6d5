#pragma once
// Place of a value in a file, as a list on the stack: the JSON pointer is written out only for errors.

#include <cstddef>
#include <string>
#include <string_view>

namespace cairn::scene_file {

/// One step of a JSON pointer (RFC 6901). The root step carries the file's name.
class Path {
 public:
  explicit Path(std::string_view file) : key_(file) {}
  Path(const Path& parent, std::string_view key) : parent_(&parent), key_(key) {}
  Path(const Path& parent, std::size_t index) : parent_(&parent), index_(index), is_index_(true) {}

  std::string_view file() const { return parent_ ? parent_->file() : key_; }
  std::string pointer() const;

 private:
  const Path* parent_{nullptr};
  std::string_view key_;
  std::size_t index_{0};
  bool is_index_{false};
};

/// A key as a step of a JSON pointer: ~ and / escaped, long ones cut.
std::string escaped(std::string_view key);

/// A piece of the file for a message, in quotes, long ones cut.
std::string in_quotes(std::string_view text);

/// Throws SceneFileError: "file: /bodies/3/name: must be a string, is a number".
[[noreturn]] void fail(std::string_view file, const std::string& pointer, const std::string& reason);
[[noreturn]] void fail(const Path& path, const std::string& reason);

}  // namespace cairn::scene_file
