#include "module.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <immintrin.h>

namespace ptxdev {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
         c == '%' || c == '.';
}

[[noreturn]] void refuse(const Cursor& cursor, const std::string& what) {
  throw Fault("PTX line " + std::to_string(cursor.line()) + ": " + what);
}

}  // namespace

void Cursor::skip() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++at_;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      const auto end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '*') {
      const auto end = text_.find("*/", at_ + 2);
      const std::size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
      for (; at_ < stop; ++at_) line_ += text_[at_] == '\n';
    } else {
      break;
    }
  }
}

std::string_view Cursor::word() {
  skip();
  const std::size_t from = at_;
  while (at_ < text_.size()) {
    if (is_word(text_[at_])) {
      ++at_;
    } else if (text_[at_] == ':' && at_ + 1 < text_.size() && text_[at_ + 1] == ':') {
      at_ += 2;
    } else {
      break;
    }
  }
  return text_.substr(from, at_ - from);
}

std::string_view Cursor::until(char end) {
  const std::size_t from = at_;
  while (at_ < text_.size() && text_[at_] != end) {
    line_ += text_[at_] == '\n';
    ++at_;
  }
  const std::string_view found = text_.substr(from, at_ - from);
  if (at_ < text_.size()) {
    line_ += text_[at_] == '\n';
    ++at_;
  }
  return found;
}

std::string_view Cursor::line_rest() { return until('\n'); }

/// Skips to the next bracket, quote or slash, 32 bytes at a time: the bodies of kernels are most of a module.
void Cursor::skip_plain(char open, char close) {
  const auto all = [](char c) { return _mm256_set1_epi8(c); };
  const __m256i o = all(open), c = all(close), q = all('"'), s = all('/'), n = all('\n');
  while (at_ + 32 <= text_.size()) {
    const __m256i v = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text_.data() + at_));
    const auto is = [&](__m256i x) { return _mm256_cmpeq_epi8(v, x); };
    const auto found = static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(is(o), is(c)), _mm256_or_si256(is(q), is(s)))));
    const auto lines = static_cast<std::uint32_t>(_mm256_movemask_epi8(is(n)));
    if (found != 0) {
      const int at = __builtin_ctz(found);
      line_ += static_cast<std::uint32_t>(__builtin_popcount(lines & ((1u << at) - 1)));
      at_ += static_cast<std::size_t>(at);
      return;
    }
    line_ += static_cast<std::uint32_t>(__builtin_popcount(lines));
    at_ += 32;
  }
  for (; at_ < text_.size(); ++at_) {
    const char x = text_[at_];
    if (x == open || x == close || x == '"' || x == '/') return;
    line_ += x == '\n';
  }
}

std::string_view Cursor::bracketed(char open, char close) {
  skip();
  if (at_ >= text_.size() || text_[at_] != open) refuse(*this, std::string("expected ") + open);
  ++at_;
  const std::size_t from = at_;
  int depth = 1;
  bool quoted = false;
  while (at_ < text_.size()) {
    skip_plain(open, close);
    if (at_ >= text_.size()) break;
    const char c = text_[at_];
    if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
    } else if (c == '/' && at_ + 1 < text_.size() && text_[at_ + 1] == '/') {
      const auto end = text_.find('\n', at_);
      at_ = end == std::string_view::npos ? text_.size() : end;
      continue;
    } else if (c == open) {
      ++depth;
    } else if (c == close && --depth == 0) {
      ++at_;
      return text_.substr(from, at_ - 1 - from);
    }
    ++at_;
  }
  refuse(*this, std::string("no ") + close);
}

bool parse_integer(std::string_view text, std::uint64_t& value) {
  bool negative = false;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (!text.empty() && (text.back() == 'U' || text.back() == 'u')) text.remove_suffix(1);
  if (text.empty() || text[0] < '0' || text[0] > '9') return false;
  std::uint64_t v = 0;
  unsigned base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.size() > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  for (const char c : text) {
    unsigned digit;
    if (c >= '0' && c <= '9') {
      digit = static_cast<unsigned>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      digit = static_cast<unsigned>(c - 'a') + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = static_cast<unsigned>(c - 'A') + 10;
    } else {
      return false;
    }
    if (digit >= base) return false;
    v = v * base + digit;
  }
  value = negative ? 0 - v : v;
  return true;
}

Declaration read_declaration(Cursor& cursor) {
  Declaration d;
  std::uint64_t elements = 1;
  while (cursor.peek() == '.') {
    const std::string_view word = cursor.word();
    if (word == ".align") {
      std::uint64_t align = 1;
      if (!parse_integer(cursor.word(), align)) refuse(cursor, "bad alignment");
      d.align = static_cast<std::uint32_t>(align);
    } else if (word == ".ptr") {
      // attributes of a pointer parameter
      while (cursor.peek() == '.') {
        const std::string_view more = cursor.word();
        if (more == ".align") cursor.word();
      }
    } else if (word.starts_with(".v") && word.size() == 3) {
      elements *= static_cast<std::uint64_t>(word[2] - '0');
    } else if (word == ".attribute") {
      cursor.bracketed('(', ')');
    } else {
      // .type, which may be joined to more
      d.type = type_of(word.substr(1));
      if (d.type == Type::kNothing) refuse(cursor, "unknown in a declaration: " + std::string(word));
    }
  }
  d.name = cursor.word();
  if (d.type == Type::kNothing) refuse(cursor, "no type for " + std::string(d.name));
  while (cursor.peek() == '[') {
    const std::string_view size = cursor.bracketed('[', ']');
    std::uint64_t n = 0;
    std::string_view trimmed = size;
    while (!trimmed.empty() && trimmed.front() == ' ') trimmed.remove_prefix(1);
    if (!trimmed.empty() && !parse_integer(trimmed, n)) refuse(cursor, "bad array size");
    elements *= n;
  }
  d.align = std::max(d.align, ptxdev::bytes_of(d.type));
  d.bytes = elements * ptxdev::bytes_of(d.type);
  return d;
}

Module::Module(std::string of) : text(std::move(of)) { index(); }

void Module::index() {
  Cursor cursor(text);
  bool is_extern = false;
  while (!cursor.done()) {
    const char c = cursor.peek();
    if (c != '.') refuse(cursor, std::string("unknown at module scope: ") + c);
    const std::string_view word = cursor.word();
    if (word == ".version" || word == ".address_size") {
      cursor.line_rest();
    } else if (word == ".target") {
      target = std::string(cursor.word());
      cursor.line_rest();
    } else if (word == ".file") {
      std::uint64_t number = 0;
      parse_integer(cursor.word(), number);
      cursor.take('"');
      files[static_cast<std::uint32_t>(number)] = cursor.until('"');
      cursor.line_rest();
    } else if (word == ".section") {
      cursor.word();
      cursor.bracketed('{', '}');
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
    } else if (word == ".extern") {
      is_extern = true;
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      variable(cursor,
               word == ".global"  ? Space::kGlobal
               : word == ".const" ? Space::kConst
                                  : Space::kShared,
               is_extern);
      is_extern = false;
    } else if (word == ".entry" || word == ".func") {
      function(cursor, word == ".entry");
      is_extern = false;
    } else {
      refuse(cursor, "unknown at module scope: " + std::string(word));
    }
  }
}

void Module::variable(Cursor& cursor, Space space, bool is_extern) {
  const Declaration d = read_declaration(cursor);
  if (space == Space::kShared) {
    Symbol symbol{space, 0, d.bytes};
    if (is_extern && d.bytes == 0) {
      has_dynamic_shared = true;
      symbol.value = ~std::uint64_t{0};  // behind all others: known at the decoding of a kernel
    } else {
      shared_bytes = (shared_bytes + d.align - 1) / d.align * d.align;
      symbol.value = shared_bytes;
      shared_bytes += static_cast<std::uint32_t>(d.bytes);
    }
    symbols.emplace(d.name, symbol);
    cursor.until(';');
    return;
  }
  if (is_extern) refuse(cursor, "extern variable " + std::string(d.name));
  DeviceMemory& memory = DeviceMemory::get();
  const std::uint64_t at = memory.allocate(std::max<std::uint64_t>(d.bytes, 1), Home::kVariable, std::string(d.name));
  Range* range = nullptr;
  auto* bytes = static_cast<std::uint8_t*>(memory.bytes_of(at, d.bytes, &range));
  std::memset(bytes, 0, d.bytes);
  DeviceMemory::note_write(*range, at, d.bytes);
  symbols.emplace(d.name, Symbol{space, at, d.bytes});
  if (cursor.take('=')) {
    const std::uint32_t element = ptxdev::bytes_of(d.type);
    std::uint64_t offset = 0;
    const std::string_view all = cursor.until(';');
    Cursor values(all, cursor.line());
    while (!values.done()) {
      const char c = values.peek();
      if (c == '{' || c == '}' || c == ',') {
        values.take(c);
        continue;
      }
      const bool negative = values.take('-');
      const std::string_view word = values.word();
      std::uint64_t value = 0;
      if (word.size() > 2 &&
          (word.starts_with("0f") || word.starts_with("0F") || word.starts_with("0d") || word.starts_with("0D"))) {
        if (!parse_integer("0x" + std::string(word.substr(2)), value)) refuse(cursor, "bad float " + std::string(word));
      } else if (!parse_integer(word, value)) {
        const auto symbol = symbols.find(word == "generic" ? std::string_view{} : word);
        if (symbol == symbols.end())
          refuse(cursor, "unknown initial value " + std::string(word) + " of " + std::string(d.name));
        value = symbol->second.value;
      }
      if (negative) value = 0 - value;
      if (offset + element > d.bytes) refuse(cursor, "too many initial values of " + std::string(d.name));
      std::memcpy(bytes + offset, &value, element);
      offset += element;
    }
  } else {
    cursor.until(';');
  }
}

void Module::function(Cursor& cursor, bool entry) {
  Kernel kernel;
  kernel.module = this;
  kernel.entry = entry;
  if (!entry && cursor.peek() == '(') kernel.results = cursor.bracketed('(', ')');
  kernel.name = cursor.word();
  if (cursor.peek() == '(') kernel.parameters = cursor.bracketed('(', ')');
  const std::size_t from = cursor.at();
  while (true) {
    const char c = cursor.peek();
    if (c == '{') break;
    if (c == ';') {  // a prototype
      cursor.take(';');
      return;
    }
    if (c == 0) refuse(cursor, "no body of " + std::string(kernel.name));
    if (cursor.word().empty()) cursor.take(c);
  }
  kernel.directives = cursor.text(from, cursor.at());
  kernel.first_line = cursor.line();
  kernel.body = cursor.bracketed('{', '}');
  kernels.push_back(std::move(kernel));
  by_name.emplace(kernels.back().name, &kernels.back());
}

}  // namespace ptxdev
