#pragma once
// A PTX module: its text, indexed. Bodies of kernels are decoded when they are first launched.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "machine.h"
#include "types.h"

namespace ptxdev {

/// Reads a text from front to back.
class Cursor {
 public:
  explicit Cursor(std::string_view text, std::uint32_t line = 1) : text_(text), line_(line) {}

  /// Skips blanks and comments.
  void skip();
  bool done() {
    skip();
    return at_ >= text_.size();
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : 0;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  /// Letters, digits and . _ $ % : (the last only doubled).
  std::string_view word();
  /// All up to `end`, which is skipped.
  std::string_view until(char end);
  std::string_view line_rest();
  /// The text between a bracket, which is next, and its partner.
  std::string_view bracketed(char open, char close);
  std::string_view text(std::size_t from, std::size_t to) const { return text_.substr(from, to - from); }
  std::size_t at() const { return at_; }
  std::uint32_t line() const { return line_; }

 private:
  void skip_plain(char open, char close);

  std::string_view text_;
  std::size_t at_{0};
  std::uint32_t line_;
};

/// .align A .type name[n] and the like, without its initial value.
struct Declaration {
  std::string_view name;
  Type type{Type::kNothing};
  std::uint32_t align{1};
  std::uint64_t bytes{0};  ///< 0 for an array without a size
};
Declaration read_declaration(Cursor& cursor);

struct Symbol {
  Space space{Space::kGlobal};
  std::uint64_t value{0};  ///< an address, or an offset in the space
  std::uint64_t bytes{0};
};

struct Module {
  explicit Module(std::string text);
  Module(const Module&) = delete;

  std::string text;
  std::string target;
  std::deque<Kernel> kernels;
  std::unordered_map<std::string_view, Kernel*> by_name;
  std::unordered_map<std::string_view, Symbol> symbols;  ///< variables of the module
  std::uint32_t shared_bytes{0};                         ///< of module-scope shared variables
  bool has_dynamic_shared{false};
  std::unordered_map<std::uint32_t, std::string_view> files;

 private:
  void index();
  void variable(Cursor& cursor, Space space, bool is_extern);
  void function(Cursor& cursor, bool entry);
};

/// Fills code, statements, constants and sizes. Throws Fault for unknown instructions.
void decode(Kernel& kernel);
/// Totals so far; the second is of sums and products without a rounding.
extern std::uint64_t decoded_functions, contractible_operations;
/// Assigns each register a place in the file.
struct RegisterClass {
  std::uint8_t bytes;  ///< a lane: 0 for predicates
  bool fixed;          ///< constants and special registers: they keep their place
};
void assign_registers(Kernel& kernel, const std::vector<RegisterClass>& registers,
                      const std::vector<std::vector<std::uint32_t>>& tables);

bool parse_integer(std::string_view text, std::uint64_t& value);

}  // namespace ptxdev
