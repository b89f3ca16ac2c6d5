#include "src/scene_file/node.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>

namespace cairn::scene_file {
namespace {

constexpr double kMaxBits = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kLongestWord = 64;  ///< [B] longer keys get no suggestion: the comparison is quadratic

template <class T>
T convert(std::string_view digits, bool not_zero, bool& lost) {
  T value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  lost =
      error != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(value) || (not_zero && value == 0);
  return lost ? T{0} : value;
}

/// Levenshtein distance: number of letters to insert, remove or replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row[b.size()];
}

/// A whole number in [low, high]; otherwise refuses it by this rule.
double read_whole(const Node& node, const Path& path, double low, double high, const char* rule) {
  require_kind(node, Kind::kNumber, path);
  const double value = node.number.as_double;
  if (!node.number.double_is_lost && value == std::floor(value) && value >= low && value <= high) return value;
  fail(path, std::string("must be ") + rule + ", is " + in_quotes(node.text));
}

/// Elements of an array of numbers of fixed length.
template <std::size_t N, class T, class Read>
std::array<T, N> read_tuple(const Node& node, const Path& path, const Read& read_value) {
  require_kind(node, Kind::kArray, path);
  if (node.items.size() != N) {
    fail(path, "must have " + std::to_string(N) + " numbers, has " + std::to_string(node.items.size()));
  }
  std::array<T, N> values;
  for (std::size_t k = 0; k < N; ++k) values[k] = read_value(node.items[k], Path(path, k));
  return values;
}

}  // namespace

Number read_number(std::string_view digits) {
  const std::string_view mantissa = digits.substr(0, digits.find_first_of("eE"));
  const bool not_zero = mantissa.find_first_of("123456789") != std::string_view::npos;
  Number number;
  number.as_double = convert<double>(digits, not_zero, number.double_is_lost);
  number.as_float = convert<float>(digits, not_zero, number.float_is_lost);
  return number;
}

std::string kind_name(Kind kind) {
  constexpr const char* kNames[] = {"null", "true or false", "a number", "a string", "an array", "an object"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Kind::kObject) + 1);
  return kNames[static_cast<std::size_t>(kind)];
}

void require_kind(const Node& node, Kind kind, const Path& path) {
  if (node.kind != kind) fail(path, "must be " + kind_name(kind) + ", is " + kind_name(node.kind));
}

const std::string& read_string(const Node& node, const Path& path) {
  require_kind(node, Kind::kString, path);
  return node.text;
}

bool read_bool(const Node& node, const Path& path) {
  require_kind(node, Kind::kBool, path);
  return node.truth;
}

int read_int(const Node& node, const Path& path) {
  constexpr double kMax = std::numeric_limits<int>::max();
  return static_cast<int>(read_whole(node, path, -kMax, kMax, "a whole number"));
}

std::uint32_t read_bits(const Node& node, const Path& path) {
  return static_cast<std::uint32_t>(read_whole(node, path, 0, kMaxBits, "a whole number from 0 to 4294967295"));
}

float read_float(const Node& node, const Path& path) {
  require_kind(node, Kind::kNumber, path);
  if (node.number.float_is_lost) fail(path, "must be a number that float32 can hold, is " + in_quotes(node.text));
  return node.number.as_float;
}

double read_double(const Node& node, const Path& path) {
  require_kind(node, Kind::kNumber, path);
  if (node.number.double_is_lost) fail(path, "must be a number that float64 can hold, is " + in_quotes(node.text));
  return node.number.as_double;
}

Vec3 read_vec3(const Node& node, const Path& path) {
  const auto v = read_tuple<3, float>(node, path, read_float);
  return {v[0], v[1], v[2]};
}

std::array<std::uint32_t, 3> read_triangle(const Node& node, const Path& path) {
  return read_tuple<3, std::uint32_t>(node, path, [](const Node& item, const Path& at) {
    return static_cast<std::uint32_t>(read_whole(item, at, 0, kMaxBits, "the number of a vertex, from 0"));
  });
}

Vec3d read_vec3d(const Node& node, const Path& path) {
  const auto v = read_tuple<3, double>(node, path, read_double);
  return {v[0], v[1], v[2]};
}

Quat read_quat(const Node& node, const Path& path) {
  const auto v = read_tuple<4, float>(node, path, read_float);
  return {v[0], v[1], v[2], v[3]};
}

std::string suggestion(std::string_view wrong, std::span<const std::string_view> words) {
  if (wrong.size() > kLongestWord) return "";
  std::string_view nearest;
  // a word that shares less than half its letters isn't suggested
  std::size_t least = std::max<std::size_t>(wrong.size() / 2, 1) + 1;
  for (const std::string_view word : words) {
    const std::size_t d = distance(wrong, word);
    if (d < least) {
      least = d;
      nearest = word;
    }
  }
  return nearest.empty() ? "" : "; did you mean " + in_quotes(nearest) + "?";
}

void require_known(std::string_view key, std::span<const std::string_view> known, const Path& object) {
  if (std::find(known.begin(), known.end(), key) != known.end()) return;
  fail(Path(object, key), "unknown key" + suggestion(key, known));
}

Fields::Fields(const Node& object, std::span<const std::string_view> known, const Path& path)
    : object_(object), path_(path) {
  require_kind(object, Kind::kObject, path);
  for (const std::string& key : object.keys) require_known(key, known, path);
}

const Node* Fields::find(std::string_view key) const {
  for (std::size_t k = 0; k < object_.keys.size(); ++k) {
    if (object_.keys[k] == key) return &object_.items[k];
  }
  return nullptr;
}

const Node& Fields::require(std::string_view key) const {
  const Node* node = find(key);
  if (!node) fail(Path(path_, key), "is required, is missing");
  return *node;
}

std::size_t read_index(const Node& node, std::span<const std::string_view> words, const Path& path) {
  const std::string& text = read_string(node, path);
  std::string all;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (words[k] == text) return k;
    all += (k > 0 ? ", " : "") + std::string(words[k]);
  }
  fail(path, "must be one of " + all + ", is " + in_quotes(text) + suggestion(text, words));
}

}  // namespace cairn::scene_file
