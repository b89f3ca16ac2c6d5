#include "forms.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "types.h"

namespace ptxdev {
namespace {

/// The parts of a name between dots: one of the words between the bars, where an empty word is a choice, too. A capital
/// letter stands for a set of words, `+` joins words to one choice.
struct Row {
  std::string_view name;
  int min_operands, max_operands;
};

constexpr Row kRows[] = {
    // integers
    {"add|sub|div|rem|min|max.I", 3, 3},
    {"neg|abs.s16|s32|s64", 2, 2},
    {"mul.lo|hi.I", 3, 3},
    {"mul.wide.u16|s16|u32|s32", 3, 3},
    {"mad.lo|hi.I", 4, 4},
    {"mad.wide.u16|s16|u32|s32", 4, 4},
    {"add|sub.cc.N", 3, 3},
    {"addc|subc.|cc.N", 3, 3},
    {"mad.lo|hi.cc.N", 4, 4},
    {"madc.lo|hi.|cc.N", 4, 4},
    // floats
    {"add|sub|mul.|rn.|sat.f32", 3, 3},
    {"add|sub|mul.|rn.f64", 3, 3},
    {"div.rn.F", 3, 3},
    {"min|max.F", 3, 3},
    {"fma.rn.|sat.f32", 4, 4},
    {"fma.rn.f64", 4, 4},
    {"mad.rn.F", 4, 4},
    {"neg|abs.F", 2, 2},
    {"sqrt|rcp.rn.F", 2, 2},
    {"copysign.F", 3, 3},
    {"testp.finite|infinite|number|notanumber|normal|subnormal.F", 2, 2},
    // bits
    {"and|or|xor.pred|B", 3, 3},
    {"not.pred|B", 2, 2},
    {"cnot.B", 2, 2},
    {"popc|clz|brev.b32|b64", 2, 2},
    {"bfind.|shiftamt.N", 2, 2},
    {"bfe.N", 4, 4},
    {"bfi.b32|b64", 5, 5},
    {"bmsk.clamp|wrap.b32", 3, 3},
    {"shl.B", 3, 3},
    {"shr.B|I", 3, 3},
    {"shf.l|r.clamp|wrap.b32", 4, 4},
    {"prmt.b32", 4, 4},
    {"lop3.b32", 5, 5},
    // moves, comparisons, conversions
    {"mov.pred|A", 2, 2},
    {"selp.A", 4, 4},
    {"setp.eq|ne.B", 3, 4},
    {"setp.eq|ne|lt|le|gt|ge.s16|s32|s64", 3, 4},
    {"setp.eq|ne|lt|le|gt|ge|lo|ls|hi|hs.u16|u32|u64", 3, 4},
    {"setp.eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan.F", 3, 4},
    {"setp.eq|ne.and|or|xor.B", 4, 5},
    {"setp.eq|ne|lt|le|gt|ge.and|or|xor.s16|s32|s64", 4, 5},
    {"setp.eq|ne|lt|le|gt|ge|lo|ls|hi|hs.and|or|xor.u16|u32|u64", 4, 5},
    {"setp.eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan.and|or|xor.F", 4, 5},
    {"cvt.C.C", 2, 2},
    // with clamping where the range shrinks
    {"cvt.sat.u8.s8|u16|s16|u32|s32|u64|s64", 2, 2},
    {"cvt.sat.s8.u8|u16|s16|u32|s32|u64|s64", 2, 2},
    {"cvt.sat.u16.s8|s16|u32|s32|u64|s64", 2, 2},
    {"cvt.sat.s16.u16|u32|s32|u64|s64", 2, 2},
    {"cvt.sat.u32.s8|s16|s32|u64|s64", 2, 2},
    {"cvt.sat.s32.u32|u64|s64", 2, 2},
    {"cvt.sat.u64.s8|s16|s32|s64", 2, 2},
    {"cvt.sat.s64.u64", 2, 2},
    {"cvt.rni|rzi|rmi|rpi.|sat.C.F", 2, 2},
    {"cvt.rn|rz|rm|rp.|sat.F.C", 2, 2},
    {"cvt.rn|rz|rm|rp.|sat.f32.f64", 2, 2},
    {"cvt.|sat.f64.f32", 2, 2},
    {"cvt.|rni|rzi|rmi|rpi.|sat.f32.f32", 2, 2},
    {"cvt.|rni|rzi|rmi|rpi.|sat.f64.f64", 2, 2},
    {"cvta.|to.const|global|local|shared|shared::cta|param|param::entry.u64", 2, 2},
    // memory
    {"ld.|weak.const|local|param|param::entry|shared|shared::cta.|ca|cg|cs|lu|cv.V", 2, 2},
    {"ld.|weak.|global.|ca|cg|cs|lu|cv|E.|P.V", 2, 2},
    {"ld.global.|ca|cg|cs|E.nc.|P.V", 2, 2},
    {"ld.volatile.|global.|P.V", 2, 2},
    {"ld.volatile.shared|shared::cta.V", 2, 2},
    {"ld.relaxed|acquire.cta|gpu|sys.|global.|E.|P.V", 2, 2},
    {"ld.relaxed|acquire.cta|gpu|sys.shared|shared::cta.V", 2, 2},
    {"ldu.|global.V", 2, 2},
    {"st.|weak.|global|local|param|shared|shared::cta.|wb|cg|cs|wt.V", 2, 2},
    {"st.|weak.|global.E.V", 2, 2},
    {"st.volatile.|global|shared|shared::cta.V", 2, 2},
    {"st.relaxed|release.cta|gpu|sys.|global.|E.V", 2, 2},
    {"st.relaxed|release.cta|gpu|sys.shared|shared::cta.V", 2, 2},
    {"atom.|relaxed|acquire|release|acq_rel.|cta|gpu|sys.|global|shared|shared::cta.O", 3, 3},
    {"atom.|relaxed|acquire|release|acq_rel.|cta|gpu|sys.|global|shared|shared::cta.exch.b32|b64", 3, 3},
    {"atom.|relaxed|acquire|release|acq_rel.|cta|gpu|sys.|global|shared|shared::cta.cas.b32|b64", 4, 4},
    {"red.|relaxed|release.|cta|gpu|sys.|global|shared|shared::cta.O", 2, 2},
    {"membar.cta|gl|sys", 0, 0},
    {"fence.|sc|acq_rel|acquire|release.cta|gpu|sys", 0, 0},
    {"prefetch.|global|local.L1|L2", 1, 1},
    {"prefetch.global.L2::evict_last|L2::evict_normal", 1, 1},
    {"prefetchu.L1", 1, 1},
    // warps and blocks
    {"shfl.sync.up|down|bfly|idx.b32", 5, 6},
    {"vote.sync.all|any|uni.pred", 3, 3},
    {"vote.sync.ballot.b32", 3, 3},
    {"match.any.sync.b32|b64", 3, 3},
    {"match.all.sync.b32|b64", 3, 4},
    {"redux.sync.add|min|max.u32|s32", 3, 3},
    {"redux.sync.and|or|xor.b32", 3, 3},
    {"elect.sync", 3, 3},
    {"activemask.b32", 1, 1},
    {"bar.warp.sync", 1, 1},
    {"bar.|cta.sync", 1, 2},
    {"bar.|cta.red.and|or.pred", 3, 4},
    {"bar.|cta.red.popc.u32", 3, 4},
    {"barrier.|cta.sync.|aligned", 1, 2},
    {"barrier.|cta.red.and|or.|aligned.pred", 3, 4},
    {"barrier.|cta.red.popc.|aligned.u32", 3, 4},
    {"griddepcontrol.launch_dependents|wait", 0, 0},
    {"nanosleep.u32", 1, 1},
    // control flow
    {"bra.|uni", 1, 1},
    {"brx.idx.|uni", 2, 2},
    {"call.|uni", 1, 4},
    {"ret.|uni", 0, 0},
    {"exit", 0, 0},
    {"trap", 0, 0},
};

constexpr std::string_view set_of(std::string_view word) {
  if (word == "B") return "b16|b32|b64";
  if (word == "I") return "u16|s16|u32|s32|u64|s64";
  if (word == "N") return "u32|s32|u64|s64";
  if (word == "F") return "f32|f64";
  if (word == "A") return "b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64";
  if (word == "C") return "u8|s8|u16|s16|u32|s32|u64|s64";
  if (word == "E") return "L1::evict_normal|L1::evict_unchanged|L1::evict_first|L1::evict_last|L1::no_allocate";
  if (word == "P") return "L2::64B|L2::128B|L2::256B";
  // 16 bytes at most
  if (word == "V") {
    return "b8|u8|s8|b16|u16|s16|b32|u32|s32|f32|b64|u64|s64|f64|v2+b8|v2+u8|v2+s8|v2+b16|v2+u16|v2+s16|v2+b32|v2+u32|"
           "v2+s32|v2+f32|v2+b64|v2+u64|v2+s64|v2+f64|v4+b8|v4+u8|v4+s8|v4+b16|v4+u16|v4+s16|v4+b32|v4+u32|v4+s32|v4+"
           "f32";
  }
  if (word == "O") {
    return "and+b32|and+b64|or+b32|or+b64|xor+b32|xor+b64|add+u32|add+s32|add+u64|add+f32|add+f64|inc+u32|dec+u32|"
           "min+u32|min+s32|min+u64|min+s64|max+u32|max+s32|max+u64|max+s64";
  }
  return {};
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

using Words = std::vector<std::string_view>;

/// A row as a list of choices for each part.
struct Pattern {
  std::vector<std::vector<Words>> parts;
  int min_operands, max_operands;
};

const std::vector<Pattern>& patterns() {
  static const std::vector<Pattern> all = [] {
    std::vector<Pattern> made;
    for (const Row& row : kRows) {
      Pattern& pattern = made.emplace_back(Pattern{{}, row.min_operands, row.max_operands});
      for (const auto part : split(row.name, '.')) {
        auto& choices = pattern.parts.emplace_back();
        for (const auto choice : split(part, '|')) {
          if (const auto set = set_of(choice); !set.empty()) {
            for (const auto word : split(set, '|')) choices.push_back(split(word, '+'));
          } else {
            choices.push_back(choice.empty() ? Words{} : Words{choice});
          }
        }
      }
    }
    return made;
  }();
  return all;
}

/// True if the parts from `part` on match all of the modifiers that aren't `used`.
bool fits(const Pattern& pattern, std::size_t part, const Words& mods, std::uint32_t used) {
  if (part == pattern.parts.size()) return used == (1u << mods.size()) - 1;
  for (const Words& choice : pattern.parts[part]) {
    std::uint32_t now = used;
    bool found = true;
    for (const auto word : choice) {
      std::size_t k = 0;
      while (k < mods.size() && ((now >> k & 1) != 0 || mods[k] != word)) ++k;
      // the first of two types is the result's
      const bool in_order =
          k < mods.size() &&
          (type_of(word) == Type::kNothing ||
           std::none_of(mods.begin(), mods.begin() + static_cast<std::ptrdiff_t>(k), [&](const auto& m) {
             return type_of(m) != Type::kNothing && (now >> (&m - mods.data()) & 1) == 0;
           }));
      found = found && in_order;
      if (!found) break;
      now |= 1u << k;
    }
    if (found && fits(pattern, part + 1, mods, now)) return true;
  }
  return false;
}

bool is_op(const Pattern& pattern, std::string_view op) {
  return std::any_of(pattern.parts[0].begin(), pattern.parts[0].end(), [&](const Words& w) { return w[0] == op; });
}

bool has_word(const Pattern& pattern, std::string_view word) {
  for (std::size_t p = 1; p < pattern.parts.size(); ++p) {
    for (const Words& choice : pattern.parts[p]) {
      if (std::find(choice.begin(), choice.end(), word) != choice.end()) return true;
    }
  }
  return false;
}

struct Operands {
  int min_operands{99}, max_operands{-1};
};

std::string explain(std::string_view op, const Words& mods, Operands& operands) {
  std::vector<const Pattern*> of_op;
  for (const Pattern& pattern : patterns()) {
    if (is_op(pattern, op)) of_op.push_back(&pattern);
  }
  if (of_op.empty()) return "unknown instruction " + std::string(op);
  for (const auto mod : mods) {
    if (std::none_of(of_op.begin(), of_op.end(), [&](const Pattern* p) { return has_word(*p, mod); }))
      return "unknown modifier ." + std::string(mod);
  }
  for (const Pattern* pattern : of_op) {
    if (mods.size() < 16 && fits(*pattern, 1, mods, 0)) {
      operands.min_operands = std::min(operands.min_operands, pattern->min_operands);
      operands.max_operands = std::max(operands.max_operands, pattern->max_operands);
    }
  }
  return operands.max_operands < 0 ? "unknown combination of modifiers" : "";
}

void expand(const Pattern& pattern, std::size_t part, const std::string& name, std::vector<Form>& all) {
  if (part == pattern.parts.size()) {
    all.push_back({name, pattern.min_operands, pattern.max_operands});
    return;
  }
  for (const Words& choice : pattern.parts[part]) {
    std::string longer = name;
    for (const auto word : choice) longer += (part == 0 ? "" : ".") + std::string(word);
    expand(pattern, part + 1, longer, all);
  }
}

}  // namespace

std::vector<Form> forms() {
  std::vector<Form> all;
  for (const Pattern& pattern : patterns()) expand(pattern, 0, "", all);
  return all;
}

std::string unknown_form(std::string_view op, const std::vector<std::string_view>& mods, int operands) {
  struct Known {
    std::string problem;
    Operands operands;
  };
  static std::unordered_map<std::string, Known> all;  // under the lock of launches, as all decoding
  std::string name(op);
  for (const auto mod : mods) (name += '.') += mod;
  const auto [at, is_new] = all.try_emplace(std::move(name));
  if (is_new) at->second.problem = explain(op, mods, at->second.operands);
  if (!at->second.problem.empty()) return at->second.problem;
  if (operands < at->second.operands.min_operands) return "too few operands";
  if (operands > at->second.operands.max_operands) return "too many operands";
  return {};
}

}  // namespace ptxdev
