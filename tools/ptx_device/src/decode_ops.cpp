// The table of operations: decoding of each PTX instruction.

#include "decode_ops.h"

#include "forms.h"

namespace ptxdev {
const Operand& operand(Decoder& d, std::size_t k) {
  const auto& all = d.statement().operands;
  if (k >= all.size()) d.refuse("too few operands");
  return all[k];
}

namespace {

using Apply = void (*)(Decoder&);

/// d = f(a, b, ...) with operands of the given types.
void map(Decoder& d, Handler handler, Type result, std::initializer_list<Type> of) {
  std::uint32_t ids[5];
  int n = 0;
  for (const Type type : of) {
    ids[n] = d.value(operand(d, static_cast<std::size_t>(n) + 1), type);
    ++n;
  }
  const auto target = d.target(operand(d, 0), result);
  Instr& in = d.emit(handler);
  d.def(in, 0, target.id);
  for (int k = 0; k < n; ++k) d.use(in, k + 1, ids[k]);
  d.finish(target);
}

void saturate_result(Decoder& d, Type type) {
  const auto target = d.target(operand(d, 0), type);
  Instr& in = d.emit(float_handler("saturate", type));
  d.def(in, 0, target.id);
  d.use(in, 1, target.id);
}

void note_contraction(Decoder& d) {
  // the assembler may fuse operations without a rounding
  if (!d.statement().has("rn")) d.kernel().contractible++;
}

void arithmetic(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  if (is_float(type)) {
    if (s.op == "add" || s.op == "sub" || s.op == "mul") note_contraction(d);
    if (s.op == "fma") {
      map(d, float_handler("fma", type), type, {type, type, type});
    } else {
      map(d, float_handler(s.op, type), type, {type, type});
    }
    if (s.has("sat")) saturate_result(d, type);
    return;
  }
  if (s.has("cc") || s.op == "addc" || s.op == "subc") {
    const bool reads = s.op.back() == 'c';
    const std::uint32_t a = d.value(operand(d, 1), type), b = d.value(operand(d, 2), type);
    const auto target = d.target(operand(d, 0), type);
    Instr& in = d.emit(carry_handler(s.op.substr(0, 3), type, reads, s.has("cc"), false));
    d.def(in, 0, target.id);
    d.use(in, 1, a);
    d.use(in, 2, b);
    in.o[5] = d.carry();
    return;
  }
  map(d, integer_handler(s.op, type), type, {type, type});
}

void multiply(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  if (is_float(type)) {
    if (s.op == "mad") {
      // for floats it is fma
      map(d, float_handler("fma", type), type, {type, type, type});
      return;
    }
    arithmetic(d);
    return;
  }
  const std::string_view part = s.has("wide") ? "wide" : s.has("hi") ? "hi" : "lo";
  if (s.has("cc") || s.op == "madc") {
    std::uint32_t ids[3];
    for (std::size_t k = 0; k < 3; ++k) ids[k] = d.value(operand(d, k + 1), type);
    const auto target = d.target(operand(d, 0), type);
    Instr& in = d.emit(carry_handler("mad", type, s.op == "madc", s.has("cc"), part == "hi"));
    d.def(in, 0, target.id);
    for (int k = 0; k < 3; ++k) d.use(in, k + 1, ids[k]);
    in.o[5] = d.carry();
    return;
  }
  Type result = type;
  if (part == "wide") {
    result = type == Type::kU16   ? Type::kU32
             : type == Type::kS16 ? Type::kS32
             : type == Type::kU32 ? Type::kU64
                                  : Type::kS64;
  }
  if (s.op == "mul") {
    map(d, multiply_handler("mul", part, type), result, {type, type});
  } else {
    map(d, multiply_handler("mad", part, type), result, {type, type, result});
  }
}

void unary(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  if (is_float(type)) {
    map(d, float_handler(s.op, type), type, {type});
  } else {
    map(d, integer_handler(s.op, type), type, {type});
  }
}

void copysign(Decoder& d) {
  const Type type = d.statement().type();
  map(d, float_handler("copysign", type), type, {type, type});
}

void test_property(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  const std::uint32_t a = d.value(operand(d, 1), type);
  Instr& in = d.emit(float_handler("testp." + std::string(s.mods[0]), type));
  d.def(in, 0, d.predicate(operand(d, 0)));
  d.use(in, 1, a);
}

bool is_signed(Type type) { return type == Type::kS16 || type == Type::kS32 || type == Type::kS64; }

void bits(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  if (type == Type::kPred) {
    std::uint32_t ids[2]{kNone, kNone};
    std::int64_t negated = 0;
    const std::size_t n = s.op == "not" ? 1 : 2;
    for (std::size_t k = 0; k < n; ++k) {
      ids[k] = d.predicate(operand(d, k + 1));
      if (operand(d, k + 1).negated) negated |= 2 << k;
    }
    Instr& in = d.emit(predicate_handler(s.op));
    d.def(in, 0, d.predicate(operand(d, 0)));
    d.use(in, 1, ids[0]);
    if (n == 2) d.use(in, 2, ids[1]);
    in.imm = negated;
    return;
  }
  const Type u32 = Type::kU32;
  if (s.op == "and" || s.op == "or" || s.op == "xor") {
    map(d, bit_handler(s.op, type), type, {type, type});
  } else if (s.op == "not" || s.op == "cnot" || s.op == "brev") {
    map(d, bit_handler(s.op, type), type, {type});
  } else if (s.op == "popc" || s.op == "clz") {
    map(d, bit_handler(s.op, type), u32, {type});
  } else if (s.op == "bfind") {
    std::string name = s.has("shiftamt") ? "bfind.shiftamt" : "bfind";
    if (is_signed(type)) name += ".signed";
    map(d, bit_handler(name, type), u32, {type});
  } else if (s.op == "shl") {
    map(d, bit_handler("shl", type), type, {type, u32});
  } else if (s.op == "shr") {
    map(d, bit_handler(is_signed(type) ? "shr.signed" : "shr", type), type, {type, u32});
  } else if (s.op == "bfe") {
    map(d, bit_handler(is_signed(type) ? "bfe.signed" : "bfe", type), type, {type, u32, u32});
  } else if (s.op == "bfi") {
    map(d, bit_handler("bfi", type), type, {type, type, u32, u32});
  } else if (s.op == "bmsk") {
    map(d, bit_handler(s.has("wrap") ? "bmsk.wrap" : "bmsk.clamp", type), u32, {u32, u32});
  } else if (s.op == "shf") {
    map(d, bit_handler("shf." + std::string(s.mods[0]) + "." + std::string(s.mods[1]), type), u32, {u32, u32, u32});
  } else if (s.op == "prmt") {
    map(d, bit_handler("prmt", type), u32, {u32, u32, u32});
  } else {  // lop3
    const auto table = static_cast<std::int64_t>(operand(d, 4).bits);
    map(d, bit_handler("lop3", type), u32, {u32, u32, u32});
    d.kernel().code.back().imm = table;
  }
}

void move(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  if (type == Type::kPred) {
    const Operand& from = operand(d, 1);
    std::int64_t negated = from.negated ? 2 : 0;
    std::uint32_t id;
    if (from.form == Operand::Form::kNumber) {
      Operand yes = from;
      yes.bits = 1;
      id = d.predicate(yes);
      if (from.bits == 0) negated ^= 2;
    } else {
      id = d.predicate(from);
    }
    Instr& in = d.emit(predicate_handler("mov"));
    d.def(in, 0, d.predicate(operand(d, 0)));
    d.use(in, 1, id);
    in.imm = negated;
    return;
  }
  const Operand& to = operand(d, 0);
  const Operand& from = operand(d, 1);
  const bool packs = to.form == Operand::Form::kVector || from.form == Operand::Form::kVector;
  if (packs && s.mods[0] != "b32" && s.mods[0] != "b64") d.refuse("only b32 and b64 have parts");
  const bool whole_is_wide = is_wide(type);
  const Type half = whole_is_wide ? Type::kU32 : Type::kU16;
  if (to.form == Operand::Form::kVector) {
    if (to.items.size() != 2) d.refuse("only pairs are known");
    const std::uint32_t id = d.value(from, type);
    Decoder::Target targets[2];
    bool there[2];
    for (int k = 0; k < 2; ++k) {
      there[k] = to.items[static_cast<std::size_t>(k)].form != Operand::Form::kSink;
      if (there[k]) targets[k] = d.target(to.items[static_cast<std::size_t>(k)], half);
    }
    Instr& in = d.emit(bit_handler("split", type));
    for (int k = 0; k < 2; ++k) {
      if (there[k]) d.def(in, k, targets[k].id);
    }
    d.use(in, 2, id);
    for (int k = 0; k < 2; ++k) {
      if (there[k]) d.finish(targets[k]);
    }
    return;
  }
  if (from.form == Operand::Form::kVector) {
    if (from.items.size() != 2) d.refuse("only pairs are known");
    const std::uint32_t lo = d.value(from.items[0], half), hi = d.value(from.items[1], half);
    const auto target = d.target(to, type);
    Instr& in = d.emit(bit_handler("join", type));
    d.def(in, 0, target.id);
    d.use(in, 1, lo);
    d.use(in, 2, hi);
    d.finish(target);
    return;
  }
  map(d, move_handler(whole_is_wide), type, {type});
}

void select(Decoder& d) {
  const Type type = d.statement().type();
  const std::uint32_t a = d.value(operand(d, 1), type), b = d.value(operand(d, 2), type),
                      p = d.predicate(operand(d, 3));
  const auto target = d.target(operand(d, 0), type);
  Instr& in = d.emit(select_handler(type));
  d.def(in, 0, target.id);
  d.use(in, 1, a);
  d.use(in, 2, b);
  d.use(in, 3, p);
  in.imm = operand(d, 3).negated ? 0xffffffff : 0;
  d.finish(target);
}

void set_predicate(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  // setp.cmp[.combine].type p[|q], a, b[, c]
  std::string_view combine;
  if (s.mods.size() == 3) combine = s.mods[1];
  const std::size_t after = s.operands.size() - (combine.empty() ? 2 : 3);
  const std::uint32_t a = d.value(operand(d, after), type), b = d.value(operand(d, after + 1), type);
  std::uint32_t c = kNone;
  bool negated = false;
  if (!combine.empty()) {
    c = d.predicate(operand(d, after + 2));
    negated = operand(d, after + 2).negated;
  }
  Instr& in = d.emit(compare_handler(s.mods[0], type, combine));
  if (operand(d, 0).form != Operand::Form::kSink) d.def(in, 0, d.predicate(operand(d, 0)));
  d.use(in, 1, a);
  d.use(in, 2, b);
  if (c != kNone) d.use(in, 3, c);
  if (after == 2 && operand(d, 1).form != Operand::Form::kSink) d.def(in, 4, d.predicate(operand(d, 1)));
  in.imm = negated ? 8 : 0;
}

void convert(Decoder& d) {
  const Statement1& s = d.statement();
  const Type to = s.type(1), from = s.type(0);
  std::string_view rounding;
  for (const auto mod : s.mods) {
    if (mod.size() >= 2 && mod[0] == 'r' && mod != "relu") rounding = mod;
  }
  const bool clamps = is_float(from) && !is_float(to);  // always
  map(d, convert_handler(to, from, rounding, s.has("sat") && !clamps && !is_float(to)), to, {from});
  if (s.has("sat") && is_float(to)) saturate_result(d, to);
}

void convert_address(Decoder& d) {
  const Statement1& s = d.statement();
  const Space space = space_of(s);
  const Type type = s.type();
  const std::uint64_t window = space == Space::kShared  ? kSharedWindow
                               : space == Space::kLocal ? kLocalWindow
                               : space == Space::kParam ? kParamWindow
                                                        : 0;
  if (window == 0) {
    map(d, move_handler(is_wide(type)), type, {type});
    return;
  }
  if (space == Space::kParam && !d.kernel().entry) d.refuse("the generic address of a function's parameter");
  const std::uint32_t from = d.value(operand(d, 1), type), shift = d.constant(s.has("to") ? 0 - window : window, true);
  const auto target = d.target(operand(d, 0), type);
  Instr& in = d.emit(integer_handler("add", Type::kU64));
  d.def(in, 0, target.id);
  d.use(in, 1, from);
  d.use(in, 2, shift);
}

void nothing(Decoder&) {}

/// Lets other groups run.
void pause(Decoder& d) { d.emit(nullptr, Kind::kYield); }

/// With o[5], the mask of members.
void together(Decoder& d, Handler handler, std::size_t mask_operand, const auto& operands) {
  const std::uint32_t mask = d.value(operand(d, mask_operand), Type::kU32);
  Instr& in = d.emit(handler, Kind::kTogether);
  if (handler == nullptr) d.refuse("no such operation is known");
  operands(in);
  d.use(in, 5, mask);
}

void shuffle(Decoder& d) {
  const Statement1& s = d.statement();
  const bool pair = s.operands.size() == 6;
  const std::size_t first = pair ? 2 : 1;
  std::uint32_t ids[3];
  for (std::size_t k = 0; k < 3; ++k) ids[k] = d.value(operand(d, first + k), Type::kU32);
  std::string_view mode;
  for (const auto mod : s.mods) {
    if (mod != "sync" && type_of(mod) == Type::kNothing) mode = mod;
  }
  together(d, shuffle_handler(mode), first + 3, [&](Instr& in) {
    d.def(in, 0, d.target(operand(d, 0), Type::kU32).id);
    if (pair && operand(d, 1).form != Operand::Form::kSink) d.def(in, 1, d.predicate(operand(d, 1)));
    for (int k = 0; k < 3; ++k) d.use(in, k + 2, ids[k]);
  });
}

void vote(Decoder& d) {
  const Statement1& s = d.statement();
  std::string_view mode;
  for (const auto mod : s.mods) {
    if (mod != "sync" && type_of(mod) == Type::kNothing) mode = mod;
  }
  const std::uint32_t p = d.predicate(operand(d, 1));
  together(d, vote_handler(mode), 2, [&](Instr& in) {
    d.def(in, 0, mode == "ballot" ? d.target(operand(d, 0), Type::kU32).id : d.predicate(operand(d, 0)));
    d.use(in, 1, p);
    in.imm = operand(d, 1).negated ? 2 : 0;
  });
}

void match(Decoder& d) {
  const Statement1& s = d.statement();
  const bool pair = s.operands.size() == 4;
  const std::size_t first = pair ? 2 : 1;
  const std::uint32_t a = d.value(operand(d, first), s.type());
  together(d, match_handler(s.has("all") ? "all" : "any", s.type()), first + 1, [&](Instr& in) {
    d.def(in, 0, d.target(operand(d, 0), Type::kU32).id);
    if (pair && operand(d, 1).form != Operand::Form::kSink) d.def(in, 1, d.predicate(operand(d, 1)));
    d.use(in, 2, a);
  });
}

void reduce(Decoder& d) {
  const Statement1& s = d.statement();
  std::string_view op;
  for (const auto mod : s.mods) {
    if (mod != "sync" && type_of(mod) == Type::kNothing) op = mod;
  }
  const std::uint32_t a = d.value(operand(d, 1), s.type());
  together(d, reduce_handler(op, s.type()), 2, [&](Instr& in) {
    d.def(in, 0, d.target(operand(d, 0), s.type()).id);
    d.use(in, 1, a);
  });
}

void elect(Decoder& d) {
  together(d, vote_handler("elect"), 2, [&](Instr& in) {
    if (operand(d, 0).form != Operand::Form::kSink) d.def(in, 0, d.target(operand(d, 0), Type::kU32).id);
    d.def(in, 1, d.predicate(operand(d, 1)));
  });
}

void active_mask(Decoder& d) {
  const auto target = d.target(operand(d, 0), Type::kU32);
  Instr& in = d.emit(vote_handler("activemask"));
  d.def(in, 0, target.id);
}

/// o: result, number, threads, predicate. imm: 0 sync, 1 or, 2 and, 3 popc, 4 arrive; 16 more where the predicate is
/// negated.
void barrier(Decoder& d) {
  const Statement1& s = d.statement();
  if (s.has("warp")) {
    together(d, vote_handler("nothing"), 0, [](Instr& in) { in.flags |= kMeets; });
    return;
  }
  const Type u32 = Type::kU32;
  std::uint32_t number, threads = kNone, p = kNone;
  std::int64_t what = 0;
  if (s.has("red")) {
    number = d.value(operand(d, 1), u32);
    const std::size_t last = s.operands.size() - 1;
    if (last == 3) threads = d.value(operand(d, 2), u32);
    p = d.predicate(operand(d, last));
    what = (s.has("or") ? 1 : s.has("and") ? 2 : 3) | (operand(d, last).negated ? 16 : 0);
  } else {
    number = d.value(operand(d, 0), u32);
    if (s.operands.size() > 1) threads = d.value(operand(d, 1), u32);
  }
  Instr& in = d.emit(nullptr, Kind::kBarrier);
  if (p != kNone) d.def(in, 0, (what & 15) == 3 ? d.target(operand(d, 0), u32).id : d.predicate(operand(d, 0)));
  d.use(in, 1, number);
  if (threads != kNone) d.use(in, 2, threads);
  if (p != kNone) d.use(in, 3, p);
  in.imm = what;
  if (s.op == "bar" || s.has("aligned")) in.flags |= kAligned;
}

void branch(Decoder& d) {
  Instr& in = d.emit(nullptr, Kind::kBranch);
  if (d.statement().has("uni")) in.flags |= kUniform;
  d.branch_to(in, operand(d, 0).name);
}

void branch_indirect(Decoder& d) {
  const std::uint32_t index = d.value(operand(d, 0), Type::kU32);
  const std::uint32_t table = d.table_of(operand(d, 1).name);
  Instr& in = d.emit(nullptr, Kind::kIndirect);
  d.use(in, 0, index);
  in.target = table;
}

void call(Decoder& d) { d.call(); }
void leave(Decoder& d) { d.emit(nullptr, d.statement().op == "ret" ? Kind::kRet : Kind::kExit); }
void trap(Decoder& d) { d.emit(nullptr, Kind::kTrap); }

const std::unordered_map<std::string_view, Apply>& table() {
  static const std::unordered_map<std::string_view, Apply> all{
      {"add", arithmetic},
      {"sub", arithmetic},
      {"addc", arithmetic},
      {"subc", arithmetic},
      {"div", arithmetic},
      {"rem", arithmetic},
      {"min", arithmetic},
      {"max", arithmetic},
      {"fma", arithmetic},
      {"mul", multiply},
      {"mad", multiply},
      {"madc", multiply},
      {"neg", unary},
      {"abs", unary},
      {"sqrt", unary},
      {"rcp", unary},
      {"copysign", copysign},
      {"testp", test_property},
      {"and", bits},
      {"or", bits},
      {"xor", bits},
      {"not", bits},
      {"cnot", bits},
      {"shl", bits},
      {"shr", bits},
      {"shf", bits},
      {"popc", bits},
      {"clz", bits},
      {"brev", bits},
      {"bfind", bits},
      {"bfe", bits},
      {"bfi", bits},
      {"bmsk", bits},
      {"prmt", bits},
      {"lop3", bits},
      {"mov", move},
      {"selp", select},
      {"setp", set_predicate},
      {"cvt", convert},
      {"cvta", convert_address},
      {"ld", decode_load},
      {"ldu", decode_load},
      {"st", decode_store},
      {"atom", decode_atomic},
      {"red", decode_atomic},
      {"membar", decode_fence},
      {"fence", decode_fence},
      {"prefetch", nothing},
      {"prefetchu", nothing},
      {"griddepcontrol", nothing},
      {"nanosleep", pause},
      {"shfl", shuffle},
      {"vote", vote},
      {"match", match},
      {"redux", reduce},
      {"elect", elect},
      {"activemask", active_mask},
      {"bar", barrier},
      {"barrier", barrier},
      {"bra", branch},
      {"brx", branch_indirect},
      {"call", call},
      {"ret", leave},
      {"exit", leave},
      {"trap", trap},
  };
  return all;
}

}  // namespace

void Decoder::operation() {
  const std::string problem = unknown_form(now_.op, now_.mods, static_cast<int>(now_.operands.size()));
  if (!problem.empty()) refuse(problem);
  const auto found = table().find(now_.op);
  if (found == table().end()) refuse("unknown instruction " + std::string(now_.op));
  found->second(*this);
}

}  // namespace ptxdev
