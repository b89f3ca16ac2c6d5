#pragma once
// Tests of instructions: the PTX around each, the kinds of its operands, and a model on the host of its results. The
// models are written from the PTX ISA, not from the interpreter.

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace semantics {

using U64 = std::uint64_t;
using I64 = std::int64_t;

constexpr int kIns = 12, kOuts = 8;  ///< slots of 8 bytes a thread
constexpr int kBlock = 128;          ///< threads of a block
constexpr int kAreaSlot = 6;         ///< slots of the outputs from here on are for plans with stores of their own

/// Kind: p, b, u, s, f, or 0 for a word that isn't a type.
struct Type {
  char kind{0};
  int bits{0};
  bool operator==(const Type&) const = default;
  std::string name() const { return kind == 'p' ? "pred" : kind + std::to_string(bits); }
  bool is_float() const { return kind == 'f'; }
  bool is_signed() const { return kind == 's'; }
};
Type type_named(std::string_view word);
inline U64 ones(int bits) { return bits >= 64 ? ~U64{0} : (U64{1} << bits) - 1; }
inline I64 sign_extended(U64 bits, int width) { return static_cast<I64>(bits << (64 - width)) >> (64 - width); }
/// As a 64-bit number: sign or zero extended.
inline U64 extended(U64 bits, Type t) {
  return t.is_signed() ? static_cast<U64>(sign_extended(bits, t.bits)) : bits & ones(t.bits);
}

struct Operand {
  enum class Values : std::uint8_t { kAny, kShift, kFlag, kMembers };
  Type type;
  Values values{Values::kAny};
  int register_bits{0};  ///< 0: those of the type, at least 16
  bool immediate{true};  ///< also tested with an immediate in its place
  int width() const {
    return type.kind == 'p' ? 1 : register_bits != 0 ? register_bits : type.bits < 16 ? 16 : type.bits;
  }
};

/// One output: the expected value, or allowed alternatives.
struct Want {
  U64 value{0}, other{0};
  bool has_other{false}, any_nan{false};
  Want& operator=(U64 v) {
    *this = Want{};
    value = v;
    return *this;
  }
  void either(U64 v, U64 w) {
    *this = v;
    other = w;
    has_other = true;
  }
};

struct Lane {
  U64 in[kIns]{};
  Want out[kOuts];
  bool on{true};      ///< its guard holds
  bool open{false};   ///< unspecified by the ISA: not compared
  bool stored{true};  ///< it reaches the end of the kernel
  unsigned index{0};  ///< of the thread in the grid
  unsigned threads{0};
};

using Block = std::span<Lane>;
using Model = std::function<void(Block)>;

struct Plan {
  std::string before;  ///< PTX in front of it
  std::string text;    ///< $0, $1, ...: outputs, then inputs. $@: place of a guard
  std::vector<Operand> outs, ins;
  Model model;
  /// Makes generated inputs valid for the instruction.
  Model prepare;
  bool guards{true};       ///< also tested with a guard
  bool own_guard{false};   ///< the model handles Lane::on itself
  bool partial{false};     ///< the text has a guard of its own, and the model sets the active lanes
  bool plain_only{false};  ///< not tested in other ways
  int cases{0};            ///< 0: one for each pair of edge values
};

/// A form's name, in parts.
struct Name {
  explicit Name(std::string text);
  std::string text, op;
  std::vector<std::string> words;
  std::vector<Type> types;
  bool has(std::string_view word) const;
  /// The first of these words in the name, or nothing.
  std::string_view one_of(std::initializer_list<std::string_view> words) const;
  Type type() const { return types.back(); }
};

using Planner = std::function<void(const Name&, std::vector<Plan>&)>;
using Planners = std::map<std::string, Planner, std::less<>>;

void add_integers(Planners& all);
void add_bits(Planners& all);
void add_floats(Planners& all);
void add_moves(Planners& all);
void add_conversions(Planners& all);
void add_memory(Planners& all);
void add_warps(Planners& all);
void add_flow(Planners& all);

inline Model each(std::function<void(Lane&)> lane) {
  return [lane = std::move(lane)](Block block) {
    for (Lane& l : block) lane(l);
  };
}

inline Operand of(Type t) { return {t}; }
inline Operand any(std::string_view type) { return {type_named(type)}; }
inline Operand shift() { return {type_named("u32"), Operand::Values::kShift}; }
inline Operand flag() { return {type_named("pred"), Operand::Values::kFlag, 0, false}; }
/// The mask of members of a warp operation; the same in all lanes of a warp.
inline Operand members() { return {type_named("b32"), Operand::Values::kMembers, 0, false}; }

/// name $0, $1, ...;
Plan plain(const Name& name, std::vector<Operand> outs, std::vector<Operand> ins, std::function<void(Lane&)> model);

/// Content of const and parameter memory.
const std::vector<std::uint8_t>& table_bytes();

/// Fills the inputs of a plan: pairs of edge values, then random ones. The same for each run.
void generate(const Plan& plan, std::span<Lane> lanes, U64 seed);
std::vector<U64> edge_values(const Operand& operand);
/// A number as PTX writes it.
std::string literal(Type type, U64 bits);

U64 random_bits(U64& state);

/// The functions that plans may call.
std::string function_declarations();

/// Statements that aren't PTX, and the number of those that the device accepts.
std::span<const char* const> refused_statements();
int not_refused();

}  // namespace semantics
