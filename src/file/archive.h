#pragma once
// Values as bytes and back: field by field, little-endian, lengths first. A file holds the fields that `members` lists
// of a type.

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

#include "cairn/errors.h"
#include "src/file/file_solids.h"
#include "src/file/members.h"

namespace cairn::file {

template <class T>
concept Scalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

static_assert(std::endian::native == std::endian::little, "scalars go to files byte by byte");

class Writer {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (value(values), ...);
  }
  /// n values, without their number.
  template <class T>
  void array(const T* data, std::size_t n) {
    if constexpr (Scalar<T>) {
      raw(data, n * sizeof(T));
    } else {
      for (std::size_t i = 0; i < n; ++i) value(data[i]);
    }
  }
  std::string take() { return std::move(bytes_); }

 private:
  void raw(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }

  template <Scalar T>
  void value(T x) {
    raw(&x, sizeof x);
  }
  void value(const std::string& text) {
    value(std::uint64_t{text.size()});
    raw(text.data(), text.size());
  }
  template <class T>
  void value(const std::vector<T>& list) {
    value(std::uint64_t{list.size()});
    array(list.data(), list.size());
  }
  template <class T>
  void value(const std::optional<T>& x) {
    value(x.has_value());
    if (x) value(*x);
  }
  template <class... T>
  void value(const std::variant<T...>& x) {
    value(static_cast<std::uint8_t>(x.index()));
    std::visit([this](const auto& held) { this->value(held); }, x);
  }
  template <class T>
  requires kIsArray<T>
  void value(const T& list) {
    for (const auto& x : list) value(x);
  }
  template <class T>
  requires requires(const T& x) { members(x, kAnyMembers); }
  void value(const T& x) {
    members(x, [this](const auto&... fields) { (this->value(fields), ...); });
  }
  template <Solid T>
  void value(const T& shape) {
    const auto [number, is_new] = std::get<Numbered<T>>(numbered_).number_of(shape);
    value(number);
    if (is_new) value(ContentOf<T>::of(shape));
  }

  std::string bytes_;
  std::tuple<Numbered<ConvexHull>, Numbered<TriangleMesh>, Numbered<HeightField>> numbered_;
};

/// Reads the output of a Writer. Throws SnapshotError, naming `where`, if bytes are missing, or for a value that its
/// type can't have. Its memory is at most a few times the size of the bytes given.
class Reader {
 public:
  Reader(std::string_view bytes, std::string where) : bytes_(bytes), where_(std::move(where)) {}

  template <class... T>
  void operator()(T&... values) {
    (value(values), ...);
  }
  /// n values written by a Writer's `array`.
  template <class T>
  void array(T* data, std::size_t n) {
    if constexpr (Scalar<T>) {
      static_assert(!std::same_as<T, bool>, "not every byte is a truth value");
      if (n > left() / sizeof(T)) refuse("a list of " + std::to_string(n) + " elements, more than there are bytes");
      const std::string_view taken = take(n * sizeof(T));
      if (n != 0) std::memcpy(data, taken.data(), taken.size());
    } else {
      for (std::size_t i = 0; i < n; ++i) value(data[i]);
    }
  }
  std::size_t left() const { return bytes_.size(); }
  /// Throws if bytes are left.
  void end() const {
    if (!bytes_.empty()) refuse(std::to_string(bytes_.size()) + " bytes too many");
  }
  [[noreturn]] void refuse(const std::string& what) const { throw SnapshotError(where_ + ": " + what); }

 private:
  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size()) {
      refuse("ends " + std::to_string(size - bytes_.size()) + " bytes too early");
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t length() {
    std::uint64_t n = 0;
    value(n);
    // each list element takes at least one byte
    if (n > bytes_.size()) refuse("a list of " + std::to_string(n) + " elements, more than there are bytes");
    return n;
  }

  template <Scalar T>
  void value(T& x) {
    const std::string_view taken = take(sizeof x);
    if constexpr (std::same_as<T, bool>) {
      if (taken[0] != 0 && taken[0] != 1) refuse("a truth value that is neither 0 nor 1");
      x = taken[0] != 0;
    } else {
      std::memcpy(&x, taken.data(), sizeof x);
    }
  }
  void value(std::string& text) { text = take(length()); }
  template <class T>
  void value(std::vector<T>& list) {
    const std::uint64_t n = length();
    list.clear();
    if constexpr (Scalar<T>) {
      list.resize(n);
      array(list.data(), n);
    } else {
      // one by one, so that a false length takes no memory
      for (std::uint64_t i = 0; i < n; ++i) value(list.emplace_back());
    }
  }
  template <class T>
  void value(std::optional<T>& x) {
    bool has = false;
    value(has);
    x.reset();
    if (has) value(x.emplace());
  }
  template <class... T>
  void value(std::variant<T...>& x) {
    std::uint8_t index = 0;
    value(index);
    if (index >= sizeof...(T)) refuse("a value of an unknown kind, number " + std::to_string(index));
    std::uint8_t i = 0;
    // the alternative of that number
    ((i++ == index ? value(x.template emplace<T>()) : void()), ...);
  }
  template <class T>
  requires kIsArray<T>
  void value(T& list) {
    for (auto& x : list) value(x);
  }
  template <class T>
  requires requires(T& x) { members(x, kAnyMembers); }
  void value(T& x) {
    members(x, [this](auto&... fields) { (this->value(fields), ...); });
  }
  /// Rebuilt by the constructor that checks users' shapes.
  template <Solid T>
  void value(T& shape) {
    Numbered<T>& known = std::get<Numbered<T>>(numbered_);
    std::uint32_t number = 0;
    value(number);
    if (number > known.count() + 1) refuse("a shape by the number " + std::to_string(number) + ", which none has");
    if (number == known.count() + 1) {
      ContentOf<T> content;
      value(content);
      T made;
      try {
        made = content.made();
      } catch (const InvalidArgument& error) {
        refuse(error.what());
      }
      if (!known.number_of(made).second) refuse("a shape that is there already, under another number");
    }
    shape = number == 0 ? T() : known.at(number);
  }

  std::tuple<Numbered<ConvexHull>, Numbered<TriangleMesh>, Numbered<HeightField>> numbered_;
  std::string_view bytes_;
  std::string where_;
};

}  // namespace cairn::file
