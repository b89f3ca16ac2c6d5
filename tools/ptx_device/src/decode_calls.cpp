// Calls of device functions, and values between caller and callee.

#include <algorithm>

#include "decoder.h"

namespace ptxdev {

/// The parameters or results of a function: units of 8 bytes a lane at fixed places.
void Decoder::read_frame(std::string_view text, std::vector<Parameter>& list) {
  Cursor cursor(text);
  while (!cursor.done()) {
    if (cursor.word() != ".param") refuse("unknown parameter");
    const Declaration d = read_declaration(cursor);
    cursor.take(',');
    ParamVar var;
    var.units = static_cast<std::uint32_t>((d.bytes + 7) / 8);
    var.first = static_cast<std::uint32_t>(classes_.size());
    var.touched.assign(var.units, true);
    classes_.resize(classes_.size() + var.units, {8, true});
    list.push_back({d.name, var.first, static_cast<std::uint32_t>(d.bytes)});
    scopes_[0].params.emplace(d.name, var);
  }
}

void Decoder::declare_param(Cursor& cursor) {
  const Declaration d = read_declaration(cursor);
  cursor.take(';');
  ParamVar var;
  var.units = static_cast<std::uint32_t>((d.bytes + 7) / 8);
  var.first = static_cast<std::uint32_t>(classes_.size());
  var.scalar = d.bytes == bytes_of(d.type) && d.bytes >= 4;
  var.touched.assign(var.units, false);
  classes_.resize(classes_.size() + var.units, {8, false});
  scopes_.back().params[d.name] = var;
}

Decoder::ParamVar* Decoder::find_param(std::string_view name) {
  for (std::size_t s = scopes_.size(); s-- > 0;) {
    const auto found = scopes_[s].params.find(name);
    if (found != scopes_[s].params.end()) return &found->second;
  }
  return nullptr;
}

Decoder::ParamVar* Decoder::param_of(const Operand& address) {
  if (address.form != Operand::Form::kAddress || address.items.empty()) refuse("expected an address");
  const Operand& base = address.items[0];
  if (base.form == Operand::Form::kSymbol) {
    if (ParamVar* var = find_param(base.name); var != nullptr) return var;
  }
  if (!kernel_.entry) refuse("a computed address of a function's parameter");
  return nullptr;
}

void Decoder::load_param(ParamVar& from, std::uint64_t offset, Type type, const Operand& to) {
  if (to.form == Operand::Form::kSink) return;
  if (to.form != Operand::Form::kRegister) refuse("expected a register");
  if (from.pending != kNone) {
    // the result of an operation with its own call: it may go to its place at once
    if (is_wide_id(from.pending) != is_wide_id(to.id) || offset != 0) refuse("a part of a scalar parameter");
    Instr& last = kernel_.code.back();
    if (last.o[0] == from.pending && (last.defs & 1) != 0) {
      last.o[0] = to.id;
      from.pending = to.id;
      return;
    }
    Instr& in = emit(move_handler(is_wide_id(to.id)));
    def(in, 0, to.id);
    use(in, 1, from.pending);
    return;
  }
  if (offset / 8 >= from.units || offset % 8 + bytes_of(type) > 8) refuse("past the end of a parameter");
  Instr& in = emit(take_handler(type, is_wide_id(to.id)));
  def(in, 0, to.id);
  use(in, 1, from.first + static_cast<std::uint32_t>(offset / 8));
  in.imm = static_cast<std::int64_t>(offset % 8);
}

void Decoder::store_param(ParamVar& to, std::uint64_t offset, Type type, const Operand& from) {
  const std::uint32_t id = value(from, type);
  if (to.scalar && offset == 0) {
    to.pending = id;
    return;
  }
  const auto unit = static_cast<std::uint32_t>(offset / 8);
  if (unit >= to.units || offset % 8 + bytes_of(type) > 8) refuse("past the end of a parameter");
  Instr& in = emit(put_handler(type));
  def(in, 0, to.first + unit);
  // the first element of a unit defines it, the others add to it
  if (to.touched[unit] && bytes_of(type) < 8) use(in, 0, to.first + unit);
  to.touched[unit] = true;
  use(in, 1, id);
  in.imm = static_cast<std::int64_t>(offset % 8);
}

/// Moves a pending value to its place.
void Decoder::settle(ParamVar& var) {
  if (var.pending == kNone) return;
  const Type type = is_wide_id(var.pending) ? Type::kU64 : Type::kU32;
  Instr& in = emit(put_handler(type));
  def(in, 0, var.first);
  use(in, 1, var.pending);
  in.imm = 0;
  var.pending = kNone;
}

/// Functions that stand for one instruction each.
bool Decoder::intrinsic(std::string_view name, const std::vector<Operand>& results,
                        const std::vector<Operand>& arguments) {
  struct Known {
    std::string_view name, op;
    Type type;
    std::size_t arguments;
  };
  static constexpr Known kKnown[] = {{"__fmaf_rn", "fma", Type::kF32, 3},
                                     {"__fma_rn", "fma", Type::kF64, 3},
                                     {"__fsqrt_rn", "sqrt", Type::kF32, 1},
                                     {"__dsqrt_rn", "sqrt", Type::kF64, 1},
                                     {"__fdiv_rn", "div", Type::kF32, 2},
                                     {"__ddiv_rn", "div", Type::kF64, 2},
                                     {"__fadd_rn", "add", Type::kF32, 2},
                                     {"__dadd_rn", "add", Type::kF64, 2},
                                     {"__fmul_rn", "mul", Type::kF32, 2},
                                     {"__dmul_rn", "mul", Type::kF64, 2},
                                     {"__uint_as_float", "mov", Type::kU32, 1},
                                     {"__float_as_uint", "mov", Type::kU32, 1},
                                     {"__int_as_float", "mov", Type::kU32, 1},
                                     {"__float_as_int", "mov", Type::kU32, 1},
                                     {"__longlong_as_double", "mov", Type::kU64, 1},
                                     {"__double_as_longlong", "mov", Type::kU64, 1}};
  const auto* found =
      std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) { return k.name == name; });
  if (found == std::end(kKnown) || arguments.size() != found->arguments || results.size() != 1) return false;
  std::uint32_t ids[3];
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const ParamVar* var = find_param(arguments[k].name);
    if (var == nullptr || var->pending == kNone || is_wide_id(var->pending) != is_wide(found->type)) return false;
    ids[k] = var->pending;
  }
  ParamVar* result = find_param(results[0].name);
  if (result == nullptr) return false;
  Instr& in = emit(found->op == "mov" ? move_handler(is_wide(found->type)) : float_handler(found->op, found->type));
  result->pending = fresh(is_wide(found->type) ? 8 : 4);
  def(in, 0, result->pending);
  for (std::size_t k = 0; k < arguments.size(); ++k) use(in, static_cast<int>(k) + 1, ids[k]);
  return true;
}

void Decoder::call() {
  // call (results), name, (arguments)
  std::vector<Operand> results, arguments;
  std::string_view name;
  for (const Operand& o : now_.operands) {
    if (o.form == Operand::Form::kList) {
      (name.empty() ? results : arguments) = o.items;
    } else if (name.empty()) {
      name = o.name;
    } else {
      refuse("only direct calls are known");
    }
  }
  if (name.empty()) refuse("only direct calls are known");
  if (intrinsic(name, results, arguments)) return;
  const auto found = module_.by_name.find(name);
  if (found == module_.by_name.end()) refuse("a call of " + std::string(name) + ", which has no body");
  Kernel& callee = *found->second;
  CallSite site;
  site.callee = &callee;
  const auto units_of = [&](const Operand& o) -> ParamVar& {
    ParamVar* var = find_param(o.name);
    if (var == nullptr) refuse("expected a parameter");
    settle(*var);
    return *var;
  };
  for (const Operand& o : arguments) {
    const ParamVar& var = units_of(o);
    for (std::uint32_t u = 0; u < var.units; ++u) site.arguments.push_back(var.first + u);
  }
  for (const Operand& o : results) {
    const ParamVar& var = units_of(o);
    for (std::uint32_t u = 0; u < var.units; ++u) site.results.push_back(var.first + u);
  }
  kernel_.calls.push_back(std::move(site));
  Instr& in = emit(nullptr, Kind::kCall);
  in.target = static_cast<std::uint32_t>(kernel_.calls.size() - 1);
}

}  // namespace ptxdev
