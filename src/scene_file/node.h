#pragma once
// A small JSON value, and the decoder's typed reads. Lists that may be long (bodies, shapes, materials) are never held
// as nodes: see builder.h.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "src/scene_file/keys.h"
#include "src/scene_file/path.h"

namespace cairn::scene_file {

enum class Kind : std::uint8_t { kNull, kBool, kNumber, kString, kArray, kObject };

/// A number as both precisions, each rounded once from the file's digits.
struct Number {
  double as_double{0};
  float as_float{0};
  bool double_is_lost{false};  ///< no double is near: it would overflow, or underflow to zero
  bool float_is_lost{false};
};

Number read_number(std::string_view digits);

/// Content of a list that may be long, in place of nodes: the vector of its elements' type.
struct LongList {
  std::tuple<std::vector<Vec3>, std::vector<std::array<std::uint32_t, 3>>, std::vector<float>, std::vector<double>,
             std::vector<Vec3d>, std::vector<std::uint32_t>, std::vector<std::string>>
      all;
  std::optional<std::size_t> tuple;  ///< [1] number of indices in a group; empty: single ones

  template <class T>
  std::vector<T>& of() {
    return std::get<std::vector<T>>(all);
  }
};

struct Node {
  Kind kind{Kind::kNull};
  bool truth{false};
  Number number;
  std::string text;                ///< a string, or a number's digits
  std::vector<Node> items;         ///< elements, or values of members
  std::vector<std::string> keys;   ///< of members
  std::shared_ptr<LongList> list;  ///< content of a long array, which then has no items
};

std::string kind_name(Kind kind);
void require_kind(const Node& node, Kind kind, const Path& path);

/// Typed reads. Each throws SceneFileError at `path`.
template <class T>
std::vector<T> take_list(const Node& node, const Path& path) {  ///< a long one
  require_kind(node, Kind::kArray, path);
  std::vector<T> list = std::move(node.list->of<T>());
  list.shrink_to_fit();
  return list;
}
const std::string& read_string(const Node& node, const Path& path);
bool read_bool(const Node& node, const Path& path);
int read_int(const Node& node, const Path& path);
std::uint32_t read_bits(const Node& node, const Path& path);  ///< 32 of them, as a whole number
float read_float(const Node& node, const Path& path);
double read_double(const Node& node, const Path& path);
Vec3 read_vec3(const Node& node, const Path& path);
std::array<std::uint32_t, 3> read_triangle(const Node& node, const Path& path);
Vec3d read_vec3d(const Node& node, const Path& path);
Quat read_quat(const Node& node, const Path& path);

/// "; did you mean "mass"?", or empty if no word is near.
std::string suggestion(std::string_view wrong, std::span<const std::string_view> words);

/// Refuses a key that isn't on the list.
void require_known(std::string_view key, std::span<const std::string_view> known, const Path& object);

/// The index of the word in the list.
std::size_t read_index(const Node& node, std::span<const std::string_view> words, const Path& path);

/// Members of an object, all with known keys.
class Fields {
 public:
  Fields(const Node& object, std::span<const std::string_view> known, const Path& path);

  const Node* find(std::string_view key) const;
  const Node& require(std::string_view key) const;
  /// If the member exists, it must be a list.
  void require_list(std::string_view key) const {
    if (const Node* node = find(key)) require_kind(*node, Kind::kArray, Path(path_, key));
  }

  /// Reads the member into `target` if it exists.
  template <class T, class Read>
  void read(std::string_view key, const Read& read_value, T& target) const {
    if (const Node* node = find(key)) target = read_value(*node, Path(path_, key));
  }

 private:
  const Node& object_;
  const Path& path_;
};

}  // namespace cairn::scene_file
