#pragma once
// From the text of a kernel's body to instructions.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "module.h"

namespace ptxdev {

struct Operand {
  enum class Form : std::uint8_t {
    kNothing,
    kRegister,
    kNumber,
    kSpecial,
    kSymbol,
    kAddress,
    kVector,
    kList,
    kSink,
    kLabel
  } form{Form::kNothing};
  bool negated{false};         ///< !p
  std::uint32_t id{0};         ///< of a register
  std::uint64_t bits{0};       ///< of a number; the offset of an address or a symbol
  char literal{'i'};           ///< i, f or d
  std::string_view name;       ///< of a symbol, a label, a special register
  std::vector<Operand> items;  ///< of a vector; the base of an address
};

struct Statement1 {
  std::string_view op;                 ///< the first part of the name
  std::vector<std::string_view> mods;  ///< the others
  std::vector<Operand> operands;
  std::uint32_t guard{kNone};
  bool guard_negated{false};
  std::string_view whole;

  bool has(std::string_view mod) const {
    for (const auto m : mods) {
      if (m == mod) return true;
    }
    return false;
  }
  /// The n-th type from the end of the modifiers.
  Type type(int from_end = 0) const {
    for (std::size_t i = mods.size(); i-- > 0;) {
      const Type t = type_of(mods[i]);
      if (t != Type::kNothing && from_end-- == 0) return t;
    }
    return Type::kNothing;
  }
};

class Decoder {
 public:
  explicit Decoder(Kernel& kernel) : kernel_(kernel), module_(*kernel.module) {}
  void run();

  [[noreturn]] void refuse(const std::string& what) const;

  // ---- for the table of operations ----

  /// A new instruction, under the statement's guard.
  Instr& emit(Handler handler, Kind kind = Kind::kPlain);
  void def(Instr& in, int k, std::uint32_t id);
  void use(Instr& in, int k, std::uint32_t id);

  /// The register or constant of an operand as a value of the type. May emit a conversion of width, so call it before
  /// emitting the instruction itself.
  std::uint32_t value(const Operand& operand, Type type);
  /// With its own width: for 4 or 8 bytes a lane.
  std::uint32_t any_value(const Operand& operand, bool wide_if_number);
  std::uint32_t predicate(const Operand& operand);
  /// The register of a result of the type; `finish` then widens it if the register is wider.
  struct Target {
    std::uint32_t id;
    std::uint32_t wide_id;  ///< kNone where the register has the type's width
    bool is_signed;
  };
  Target target(const Operand& operand, Type type);
  void finish(const Target& target);
  std::uint32_t constant(std::uint64_t bits, bool wide);
  std::uint32_t fresh(std::uint8_t bytes);
  bool is_wide_id(std::uint32_t id) const { return classes_[id].bytes == 8; }
  bool is_predicate_id(std::uint32_t id) const { return classes_[id].bytes == 0; }
  std::uint32_t carry();
  /// Sets o[4], imm and wide of an access.
  struct Place {
    std::uint32_t id;
    std::int64_t offset;
  };
  Place place_of(const Operand& operand, Space space);
  void branch_to(Instr& in, std::string_view label);
  std::uint32_t table_of(std::string_view name);

  /// A variable of the .param space in a function: places of 8 bytes a lane. A scalar one stays a value until the call.
  struct ParamVar {
    std::uint32_t first{0}, units{0};
    bool scalar{false};
    std::uint32_t pending{kNone};
    std::vector<bool> touched;
  };
  /// The variable of an address, or null if it is one of the kernel's own parameters.
  ParamVar* param_of(const Operand& address);
  void load_param(ParamVar& from, std::uint64_t offset, Type type, const Operand& to);
  void store_param(ParamVar& to, std::uint64_t offset, Type type, const Operand& from);
  void call();

  const Statement1& statement() const { return now_; }
  Kernel& kernel() { return kernel_; }

 private:
  struct Names {
    struct Range {
      std::uint32_t first, count;
    };
    std::unordered_map<std::string_view, Range> ranges;
    std::unordered_map<std::string_view, std::uint32_t> single;
    std::unordered_map<std::string_view, Symbol> symbols;
    std::unordered_map<std::string_view, ParamVar> params;
  };

  void read_parameters();
  void read_frame(std::string_view text, std::vector<Parameter>& list);
  void declare_param(Cursor& cursor);
  ParamVar* find_param(std::string_view name);
  void settle(ParamVar& var);
  bool intrinsic(std::string_view name, const std::vector<Operand>& results, const std::vector<Operand>& arguments);
  std::uint32_t local_base();
  void read_directives();
  void read_body();
  void declare_registers(Cursor& cursor);
  void declare_variable(Cursor& cursor, Space space);
  void read_location(Cursor& cursor);
  void read_instruction(Cursor& cursor);
  Operand read_operand(Cursor& cursor);
  bool find_register(std::string_view name, std::uint32_t& id) const;
  const Symbol* find_symbol(std::string_view name) const;
  std::uint32_t special(std::string_view name);
  void operation();  // in decode_ops.cpp

  Kernel& kernel_;
  Module& module_;
  Statement1 now_;
  std::uint32_t now_index_{0};
  std::uint32_t file_{0}, source_line_{0};
  std::vector<Names> scopes_;
  std::vector<RegisterClass> classes_;
  std::unordered_map<std::uint64_t, std::uint32_t> narrow_constants_, wide_constants_;
  std::unordered_map<std::string_view, std::uint32_t> specials_;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  struct Jump {
    std::uint32_t instr;
    std::string_view label;
    std::uint32_t line;
  };
  std::vector<Jump> jumps_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> target_lists_;
  std::vector<std::string_view> table_names_;
  std::vector<std::size_t> dynamic_;  ///< constants with addresses in dynamic shared memory
  std::uint32_t true_{0}, carry_{kNone};
};

}  // namespace ptxdev
