#include "decoder.h"

#include <algorithm>

#include "options.h"

namespace ptxdev {

std::uint64_t decoded_functions = 0, contractible_operations = 0;

void decode(Kernel& kernel) {
  if (kernel.decoded) return;
  Decoder(kernel).run();
  kernel.decoded = true;
  ++decoded_functions;
  contractible_operations += kernel.contractible;
}

void Decoder::refuse(const std::string& what) const {
  throw Fault("kernel " + std::string(kernel_.name) + ": " + what + " in '" + std::string(now_.whole) + "'");
}

void Decoder::run() {
  scopes_.emplace_back();
  true_ = fresh(0);
  classes_[true_].fixed = true;
  kernel_.constants.push_back({true_, ~std::uint64_t{0}, false});
  kernel_.shared_bytes = module_.shared_bytes;
  read_parameters();
  read_directives();
  read_body();
  kernel_.shared_bytes = (kernel_.shared_bytes + 15) / 16 * 16;
  for (const std::size_t i : dynamic_) kernel_.constants[i].bits += kernel_.shared_bytes;
  // the end of the body is a return
  now_ = {};
  emit(nullptr, Kind::kRet);
  for (const Jump& jump : jumps_) {
    const auto found = labels_.find(jump.label);
    if (found == labels_.end()) refuse("no label " + std::string(jump.label));
    kernel_.code[jump.instr].target = found->second;
  }
  std::vector<std::vector<std::uint32_t>> tables;
  for (const auto name : table_names_) {
    const auto list = target_lists_.find(name);
    if (list == target_lists_.end()) refuse("no list of targets " + std::string(name));
    tables.emplace_back();
    for (const auto label : list->second) {
      const auto found = labels_.find(label);
      if (found == labels_.end()) refuse("no label " + std::string(label));
      tables.back().push_back(found->second);
    }
  }
  for (std::size_t i = kernel_.code.size() - 1; i-- > 0;) {
    Instr& in = kernel_.code[i];
    if (in.kind == Kind::kPlain)
      in.target = kernel_.code[i + 1].kind == Kind::kPlain ? kernel_.code[i + 1].target + 1 : 1;
  }
  kernel_.registers = static_cast<std::uint32_t>(classes_.size());
  assign_registers(kernel_, classes_, tables);
  kernel_.tables = std::move(tables);
}

void Decoder::read_parameters() {
  if (!kernel_.entry) {
    read_frame(kernel_.parameters, kernel_.params);
    read_frame(kernel_.results, kernel_.returned);
    return;
  }
  Cursor cursor(kernel_.parameters);
  std::uint32_t offset = 0;
  while (!cursor.done()) {
    if (cursor.word() != ".param") refuse("unknown parameter");
    const Declaration d = read_declaration(cursor);
    offset = (offset + d.align - 1) / d.align * d.align;
    const auto bytes = static_cast<std::uint32_t>(d.bytes);
    kernel_.params.push_back({d.name, offset, bytes});
    scopes_[0].symbols.emplace(d.name, Symbol{Space::kParam, offset, bytes});
    offset += bytes;
    cursor.take(',');
  }
  kernel_.param_bytes = offset;
}

void Decoder::read_directives() {
  Cursor cursor(kernel_.directives);
  while (!cursor.done()) {
    const std::string_view word = cursor.word();
    if (word == ".maxntid" || word == ".reqntid") {
      std::uint64_t all = 1, n = 0;
      do {
        if (parse_integer(cursor.word(), n)) all *= n;
      } while (cursor.take(','));
      kernel_.max_threads = static_cast<std::uint32_t>(all);
    } else if (word == ".noreturn") {
    } else if (word == ".minnctapersm" || word == ".maxnreg" || word == ".pragma") {
      cursor.line_rest();
    } else {
      refuse("unknown directive " + std::string(word));
    }
  }
}

void Decoder::read_body() {
  Cursor cursor(kernel_.body, kernel_.first_line);
  while (!cursor.done()) {
    const char c = cursor.peek();
    if (c == '{') {
      cursor.take('{');
      scopes_.emplace_back();
    } else if (c == '}') {
      cursor.take('}');
      scopes_.pop_back();
    } else if (c == ';') {
      cursor.take(';');
    } else if (c == '.') {
      const std::string_view word = cursor.word();
      if (word == ".loc") {
        read_location(cursor);
      } else if (word == ".reg") {
        declare_registers(cursor);
      } else if (word == ".shared") {
        declare_variable(cursor, Space::kShared);
      } else if (word == ".local") {
        declare_variable(cursor, Space::kLocal);
      } else if (word == ".param") {
        declare_param(cursor);
      } else if (word == ".pragma") {
        cursor.until(';');
      } else {
        refuse("unknown directive " + std::string(word));
      }
    } else {
      read_instruction(cursor);
    }
  }
}

void Decoder::read_location(Cursor& cursor) {
  std::uint64_t file = 0, line = 0;
  const bool known = parse_integer(cursor.word(), file) && parse_integer(cursor.word(), line);
  cursor.line_rest();
  if (!known) return;
  file_ = static_cast<std::uint32_t>(file);
  source_line_ = static_cast<std::uint32_t>(line);
}

void Decoder::declare_registers(Cursor& cursor) {
  const Type type = type_of(cursor.word().substr(1));
  if (type == Type::kNothing) refuse("unknown type of registers");
  const auto bytes = static_cast<std::uint8_t>(type == Type::kPred ? 0 : is_wide(type) ? 8 : 4);
  do {
    const std::string_view name = cursor.word();
    if (cursor.take('<')) {
      std::uint64_t count = 0;
      parse_integer(cursor.until('>'), count);
      const auto first = static_cast<std::uint32_t>(classes_.size());
      classes_.resize(classes_.size() + count, {bytes, false});
      scopes_.back().ranges[name] = {first, static_cast<std::uint32_t>(count)};
    } else {
      scopes_.back().single[name] = fresh(bytes);
    }
  } while (cursor.take(','));
  cursor.take(';');
}

void Decoder::declare_variable(Cursor& cursor, Space space) {
  const Declaration d = read_declaration(cursor);
  cursor.take(';');
  std::uint32_t& all = space == Space::kShared ? kernel_.shared_bytes : kernel_.local_bytes;
  all = (all + d.align - 1) / d.align * d.align;
  scopes_.back().symbols.emplace(d.name, Symbol{space, all, d.bytes});
  all += static_cast<std::uint32_t>(d.bytes);
  if (space == Space::kLocal) all = (all + 15) / 16 * 16;
}

bool Decoder::find_register(std::string_view name, std::uint32_t& id) const {
  for (std::size_t s = scopes_.size(); s-- > 0;) {
    const Names& names = scopes_[s];
    const auto single = names.single.find(name);
    if (single != names.single.end()) {
      id = single->second;
      return true;
    }
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    if (digits == name.size()) continue;
    const auto range = names.ranges.find(name.substr(0, digits));
    if (range == names.ranges.end()) continue;
    std::uint32_t n = 0;
    for (const char c : name.substr(digits)) n = n * 10 + static_cast<std::uint32_t>(c - '0');
    if (n >= range->second.count) continue;
    id = range->second.first + n;
    return true;
  }
  return false;
}

const Symbol* Decoder::find_symbol(std::string_view name) const {
  for (std::size_t s = scopes_.size(); s-- > 0;) {
    const auto found = scopes_[s].symbols.find(name);
    if (found != scopes_[s].symbols.end()) return &found->second;
  }
  const auto found = module_.symbols.find(name);
  return found == module_.symbols.end() ? nullptr : &found->second;
}

Operand Decoder::read_operand(Cursor& cursor) {
  Operand o;
  const char c = cursor.peek();
  if (c == '[') {
    cursor.take('[');
    o.form = Operand::Form::kAddress;
    Operand base = read_operand(cursor);
    if (!cursor.take(']')) refuse("expected ]");
    o.bits = base.form == Operand::Form::kNumber ? 0 : base.bits;
    o.items.push_back(std::move(base));
    return o;
  }
  if (c == '{') {
    cursor.take('{');
    o.form = Operand::Form::kVector;
    while (!cursor.take('}')) {
      o.items.push_back(read_operand(cursor));
      cursor.take(',');
    }
    return o;
  }
  if (c == '(') {
    cursor.take('(');
    o.form = Operand::Form::kList;
    while (!cursor.take(')')) {
      o.items.push_back(read_operand(cursor));
      cursor.take(',');
    }
    return o;
  }
  if (c == '!') {
    cursor.take('!');
    o = read_operand(cursor);
    o.negated = true;
    return o;
  }
  const bool negative = c == '-' && cursor.take('-');
  const std::string_view word = cursor.word();
  if (word.empty()) refuse("can't read an operand");
  if (word[0] >= '0' && word[0] <= '9') {
    o.form = Operand::Form::kNumber;
    if (word.size() > 2 && (word[1] == 'f' || word[1] == 'F' || word[1] == 'd' || word[1] == 'D') && word[0] == '0') {
      o.literal = word[1] == 'f' || word[1] == 'F' ? 'f' : 'd';
      if (!parse_integer("0x" + std::string(word.substr(2)), o.bits)) refuse("bad number");
      if (negative) o.bits ^= o.literal == 'f' ? std::uint64_t{1} << 31 : std::uint64_t{1} << 63;
    } else {
      if (!parse_integer(word, o.bits)) refuse("bad number");
      if (negative) o.bits = 0 - o.bits;
    }
  } else if (word == "_") {
    o.form = Operand::Form::kSink;
  } else if (find_register(word, o.id)) {
    o.form = Operand::Form::kRegister;
  } else if (word[0] == '%' || word == "WARP_SZ") {
    o.form = Operand::Form::kSpecial;
    o.name = word;
  } else {
    o.form =
        find_symbol(word) != nullptr || find_param(word) != nullptr ? Operand::Form::kSymbol : Operand::Form::kLabel;
    o.name = word;
  }
  // reg+imm, symbol+imm
  if ((o.form == Operand::Form::kRegister || o.form == Operand::Form::kSymbol) &&
      (cursor.peek() == '+' || cursor.peek() == '-')) {
    bool minus = false;
    while (cursor.peek() == '+' || cursor.peek() == '-') {
      if (cursor.take('-')) {
        minus = !minus;
      } else {
        cursor.take('+');
      }
    }
    std::uint64_t more = 0;
    if (!parse_integer(cursor.word(), more)) refuse("bad offset");
    o.bits += minus ? 0 - more : more;
  }
  return o;
}

void Decoder::read_instruction(Cursor& cursor) {
  now_ = {};
  const std::uint32_t line = cursor.line();
  const std::size_t from = cursor.at();
  if (cursor.take('@')) {
    now_.guard_negated = cursor.take('!');
    if (!find_register(cursor.word(), now_.guard)) refuse("unknown guard");
  }
  std::string_view name = cursor.word();
  if (name.empty()) refuse("can't read line " + std::to_string(line));
  if (cursor.peek() == ':') {
    cursor.take(':');
    Cursor ahead = cursor;
    if (ahead.peek() == '.' && ahead.word() == ".branchtargets") {  // name: .branchtargets a, b;
      cursor = ahead;
      auto& list = target_lists_[name];
      do {
        list.push_back(cursor.word());
      } while (cursor.take(','));
      cursor.take(';');
      return;
    }
    labels_[name] = static_cast<std::uint32_t>(kernel_.code.size());
    return;
  }
  {
    // for messages
    Cursor ahead = cursor;
    ahead.until(';');
    std::string_view text = kernel_.body.substr(from, ahead.at() - from);
    while (!text.empty() && (text.front() == ' ' || text.front() == '\n' || text.front() == '\t'))
      text.remove_prefix(1);
    now_.whole = text;
  }
  now_index_ = static_cast<std::uint32_t>(kernel_.statements.size());
  kernel_.statements.push_back({line, file_, source_line_, now_.whole});
  std::size_t at = name.find('.');
  now_.op = name.substr(0, at);
  while (at != std::string_view::npos) {
    const std::size_t next = name.find('.', at + 1);
    now_.mods.push_back(name.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
    at = next;
  }
  while (cursor.peek() != ';') {
    if (cursor.done()) refuse("no ;");
    now_.operands.push_back(read_operand(cursor));
    // d|p
    while (cursor.take('|')) now_.operands.push_back(read_operand(cursor));
    cursor.take(',');
  }
  cursor.take(';');
  operation();
}

// ---- building blocks of the operations ----

std::uint32_t Decoder::fresh(std::uint8_t bytes) {
  classes_.push_back({bytes, false});
  return static_cast<std::uint32_t>(classes_.size() - 1);
}

std::uint32_t Decoder::constant(std::uint64_t bits, bool wide) {
  auto& known = wide ? wide_constants_ : narrow_constants_;
  if (!wide) bits &= 0xffffffffu;
  const auto found = known.find(bits);
  if (found != known.end()) return found->second;
  const std::uint32_t id = fresh(wide ? 8 : 4);
  classes_[id].fixed = true;
  kernel_.constants.push_back({id, bits, wide});
  known.emplace(bits, id);
  return id;
}

std::uint32_t Decoder::carry() {
  if (carry_ == kNone) carry_ = fresh(0);
  return carry_;
}

std::uint32_t Decoder::special(std::string_view name) {
  const auto found = specials_.find(name);
  if (found != specials_.end()) return found->second;
  SpecialSlot slot{};
  std::string_view base = name;
  if (name.size() > 2 && name[name.size() - 2] == '.') {
    const char axis = name.back();
    slot.axis = static_cast<std::uint8_t>(axis - 'x');
    if (slot.axis > 2) refuse("unknown register " + std::string(name));
    base = name.substr(0, name.size() - 2);
  }
  if (name == "WARP_SZ") return constant(32, false);
  if (base == "%tid")
    slot.which = Special::kTid;
  else if (base == "%ntid")
    slot.which = Special::kNtid;
  else if (base == "%ctaid")
    slot.which = Special::kCtaid;
  else if (base == "%nctaid")
    slot.which = Special::kNctaid;
  else if (base == "%laneid")
    slot.which = Special::kLane;
  else if (base == "%warpid")
    slot.which = Special::kWarp;
  else if (base == "%nwarpid")
    slot.which = Special::kNwarp;
  else if (base == "%lanemask_eq")
    slot.which = Special::kMaskEq;
  else if (base == "%lanemask_le")
    slot.which = Special::kMaskLe;
  else if (base == "%lanemask_lt")
    slot.which = Special::kMaskLt;
  else if (base == "%lanemask_ge")
    slot.which = Special::kMaskGe;
  else if (base == "%lanemask_gt")
    slot.which = Special::kMaskGt;
  else if (base == "%smid")
    slot.which = Special::kSmid;
  else if (base == "%nsmid")
    slot.which = Special::kNsmid;
  else if (base == "%dynamic_smem_size")
    slot.which = Special::kDynamicShared;
  else if (base == "%total_smem_size")
    slot.which = Special::kTotalShared;
  else if (base == "%clusterid" || base == "%cluster_ctaid" || base == "%cluster_ctarank")
    slot.which = Special::kClusterZero;
  else if (base == "%cluster_nctaid" || base == "%cluster_nctarank")
    slot.which = Special::kClusterOne;
  else
    refuse("unknown register " + std::string(name));
  slot.slot = fresh(4);
  classes_[slot.slot].fixed = true;
  kernel_.specials.push_back(slot);
  specials_.emplace(name, slot.slot);
  return slot.slot;
}

std::uint32_t Decoder::local_base() {
  constexpr std::string_view kName = "local base";
  const auto found = specials_.find(kName);
  if (found != specials_.end()) return found->second;
  const std::uint32_t id = fresh(8);
  classes_[id].fixed = true;
  kernel_.specials.push_back({id, Special::kLocalBase, 0, true});
  specials_.emplace(kName, id);
  return id;
}

Instr& Decoder::emit(Handler handler, Kind kind) {
  if (kind == Kind::kPlain && handler == nullptr) refuse("no such operation is known");
  Instr in;
  in.run = handler;
  in.kind = kind;
  in.guard = now_.guard == kNone ? true_ : now_.guard;
  in.guard_flip = now_.guard_negated ? kAll : 0;
  in.statement = now_index_;
  kernel_.code.push_back(in);
  return kernel_.code.back();
}

void Decoder::def(Instr& in, int k, std::uint32_t id) {
  in.o[k] = id;
  in.defs |= static_cast<std::uint8_t>(1u << k);
  if (is_wide_id(id)) in.wide |= static_cast<std::uint8_t>(1u << k);
}

void Decoder::use(Instr& in, int k, std::uint32_t id) {
  in.o[k] = id;
  in.uses |= static_cast<std::uint8_t>(1u << k);
  if (is_wide_id(id)) in.wide |= static_cast<std::uint8_t>(1u << k);
}

std::uint32_t Decoder::any_value(const Operand& o, bool wide_if_number) {
  switch (o.form) {
    case Operand::Form::kRegister:
      return o.id;
    case Operand::Form::kNumber:
      return constant(o.bits, wide_if_number);
    case Operand::Form::kSpecial:
      return special(o.name);
    case Operand::Form::kSymbol: {
      const Symbol* symbol = find_symbol(o.name);
      if (symbol == nullptr) {
        // it goes to local memory, as in the ISA
        const ParamVar* var = find_param(o.name);
        if (var == nullptr || !wide_if_number || !classes_[var->first].fixed) refuse("the address of a parameter");
        std::uint32_t& all = kernel_.local_bytes;
        all = (all + 15) / 16 * 16;
        auto stacked = std::find_if(kernel_.stacked.begin(), kernel_.stacked.end(),
                                    [&](const auto& s) { return s.unit == var->first; });
        if (stacked == kernel_.stacked.end()) {
          kernel_.stacked.push_back({var->first, var->units, all});
          all += (var->units * 8 + 15) / 16 * 16;
          stacked = std::prev(kernel_.stacked.end());
        }
        const std::uint32_t base = local_base(), offset = constant(stacked->local + o.bits, true), to = fresh(8);
        Instr& in = emit(integer_handler("add", Type::kU64));
        def(in, 0, to);
        use(in, 1, base);
        use(in, 2, offset);
        return to;
      }
      std::uint64_t at = symbol->value;
      if (symbol->space == Space::kLocal && !kernel_.entry) {
        const std::uint32_t base = local_base(), offset = constant(at + o.bits, true), to = fresh(8);
        Instr& in = emit(integer_handler("add", Type::kU64));
        def(in, 0, to);
        use(in, 1, base);
        use(in, 2, offset);
        return to;
      }
      if (symbol->space == Space::kShared && at == ~std::uint64_t{0}) {
        // the dynamic part begins behind all other variables, whose size is known when the body has been read
        const std::uint32_t id = fresh(wide_if_number ? 8 : 4);
        classes_[id].fixed = true;
        dynamic_.push_back(kernel_.constants.size());
        kernel_.constants.push_back({id, o.bits, wide_if_number});
        return id;
      }
      return constant(at + o.bits, wide_if_number);
    }
    default:
      refuse("expected a value");
  }
}

std::uint32_t Decoder::value(const Operand& o, Type type) {
  if (type == Type::kPred) return predicate(o);
  const bool wide = is_wide(type);
  if (o.form == Operand::Form::kNumber) {
    if (o.literal == 'f' && type == Type::kF64) refuse("single-precision number for a double");
    if (o.literal == 'd' && type == Type::kF32) refuse("double-precision number for a float");
  }
  const std::uint32_t id = any_value(o, wide);
  if (is_predicate_id(id)) refuse("a predicate as a value");
  if (is_wide_id(id) == wide) return id;
  if (wide) {
    if (o.form == Operand::Form::kSpecial) {
      const std::uint32_t to = fresh(8);
      Instr& in = emit(widen_handler(false));
      def(in, 0, to);
      use(in, 1, id);
      return to;
    }
    refuse("a register of 32 bits as a value of 64");
  }
  if (o.form == Operand::Form::kRegister && now_.op != "st" && now_.op != "cvt") {
    refuse("a register of 64 bits as a value of 32");
  }
  const std::uint32_t to = fresh(4);
  Instr& in = emit(narrow_handler());
  def(in, 0, to);
  use(in, 1, id);
  return to;
}

std::uint32_t Decoder::predicate(const Operand& o) {
  if (o.form == Operand::Form::kNumber && o.bits != 0) return true_;
  if (o.form != Operand::Form::kRegister || !is_predicate_id(o.id)) refuse("expected a predicate");
  return o.id;
}

Decoder::Target Decoder::target(const Operand& o, Type type) {
  if (o.form == Operand::Form::kSink) return {fresh(is_wide(type) ? 8 : 4), kNone, false};
  if (o.form != Operand::Form::kRegister) refuse("expected a register to write");
  if (is_predicate_id(o.id)) refuse("a predicate as a result");
  if (is_wide_id(o.id) == is_wide(type)) return {o.id, kNone, false};
  if (is_wide(type)) refuse("a result of 64 bits for a register of 32");
  if (now_.op != "cvt") refuse("a result of 32 bits for a register of 64");
  return {fresh(4), o.id, type == Type::kS8 || type == Type::kS16 || type == Type::kS32};
}

void Decoder::finish(const Target& t) {
  if (t.wide_id == kNone) return;
  Instr& in = emit(widen_handler(t.is_signed));
  def(in, 0, t.wide_id);
  use(in, 1, t.id);
}

Decoder::Place Decoder::place_of(const Operand& o, Space space) {
  if (o.form != Operand::Form::kAddress || o.items.empty()) refuse("expected an address");
  const Operand& base = o.items[0];
  if (base.form == Operand::Form::kRegister) {
    if (is_predicate_id(base.id)) refuse("a predicate as an address");
    return {base.id, static_cast<std::int64_t>(o.bits)};
  }
  if (base.form == Operand::Form::kSymbol) {
    const Symbol* symbol = find_symbol(base.name);
    if (symbol == nullptr) refuse("the address of a parameter");
    const std::uint64_t at = symbol->value;
    if (symbol->space == Space::kLocal && !kernel_.entry) return {local_base(), static_cast<std::int64_t>(at + o.bits)};
    if (symbol->space == Space::kShared && at == ~std::uint64_t{0}) return {any_value(base, true), 0};
    if (space == Space::kGeneric && symbol->space != Space::kGlobal && symbol->space != Space::kConst) {
      refuse("the generic address of a variable that isn't global");
    }
    return {constant(at + o.bits, true), 0};
  }
  if (base.form == Operand::Form::kNumber) return {constant(base.bits, true), 0};
  refuse("can't read an address");
}

void Decoder::branch_to(Instr& in, std::string_view label) {
  jumps_.push_back({static_cast<std::uint32_t>(&in - kernel_.code.data()), label, 0});
}

std::uint32_t Decoder::table_of(std::string_view name) {
  for (std::size_t i = 0; i < table_names_.size(); ++i) {
    if (table_names_[i] == name) return static_cast<std::uint32_t>(i);
  }
  table_names_.push_back(name);
  return static_cast<std::uint32_t>(table_names_.size() - 1);
}

}  // namespace ptxdev
