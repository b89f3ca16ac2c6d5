// Decoding of loads, stores, atomics and fences.

#include "decode_ops.h"

namespace ptxdev {

Space space_of(const Statement1& s) {
  for (const auto mod : s.mods) {
    if (mod == "global") return Space::kGlobal;
    if (mod == "shared" || mod == "shared::cta") return Space::kShared;
    if (mod == "local") return Space::kLocal;
    if (mod == "param" || mod == "param::entry") return Space::kParam;
    if (mod == "const") return Space::kConst;
  }
  return Space::kGeneric;
}

namespace {

bool is_strong(const Statement1& s) {
  return s.has("volatile") || s.has("relaxed") || s.has("acquire") || s.has("release");
}

std::uint8_t order_of(const Statement1& s) {
  const bool both = s.has("acq_rel");
  return static_cast<std::uint8_t>((both || s.has("acquire") ? kAcquire : 0) |
                                   (both || s.has("release") ? kRelease : 0));
}

std::uint8_t elements(const Statement1& s) { return s.has("v4") ? 4 : s.has("v2") ? 2 : 1; }

/// For `count` elements at a place.
void finish_access(Decoder& d, Instr& in, const Decoder::Place& place, Type type, std::uint8_t count) {
  const Statement1& s = d.statement();
  d.use(in, 4, place.id);
  in.imm = place.offset;
  in.space = space_of(s);
  in.bytes = static_cast<std::uint8_t>(bytes_of(type));
  in.count = count;
  in.flags |= order_of(s);
}

/// Element k of `count`.
const Operand& element(Decoder& d, const Operand& all, std::uint8_t count, int k) {
  if (count == 1) return all;
  if (all.form != Operand::Form::kVector || all.items.size() != count) d.refuse("expected a vector");
  return all.items[static_cast<std::size_t>(k)];
}

}  // namespace

void decode_load(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  const Space space = space_of(s);
  const Operand& to = operand(d, 0);
  const std::uint8_t n = elements(s);
  if (space == Space::kParam) {
    if (auto* var = d.param_of(operand(d, 1)); var != nullptr) {
      for (int k = 0; k < n; ++k) {
        d.load_param(*var, operand(d, 1).bits + static_cast<unsigned>(k) * bytes_of(type), type, element(d, to, n, k));
      }
      return;
    }
  }
  const auto place = d.place_of(operand(d, 1), space);
  bool wide = is_wide(type);
  const auto item = [&](int k) -> const Operand& { return element(d, to, n, k); };
  // elements may go to wider registers, all of one width
  for (int k = 0; k < n; ++k) {
    if (item(k).form == Operand::Form::kRegister && d.is_wide_id(item(k).id)) wide = true;
  }
  Instr& in = d.emit(load_handler(space, type, wide));
  for (int k = 0; k < n; ++k) {
    const Operand& o = item(k);
    if (o.form == Operand::Form::kSink) continue;
    if (o.form != Operand::Form::kRegister || d.is_predicate_id(o.id) || d.is_wide_id(o.id) != wide)
      d.refuse("bad register to load");
    d.def(in, k, o.id);
  }
  finish_access(d, in, place, type, n);
  if (is_strong(s)) in.flags |= kStrong;
}

void decode_store(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  const Space space = space_of(s);
  const std::uint8_t n = elements(s);
  const Operand& from = operand(d, 1);
  if (space == Space::kParam) {
    auto* var = d.param_of(operand(d, 0));
    if (var == nullptr) d.refuse("a store to a kernel's parameter");
    for (int k = 0; k < n; ++k) {
      d.store_param(*var, operand(d, 0).bits + static_cast<unsigned>(k) * bytes_of(type), type, element(d, from, n, k));
    }
    return;
  }
  const auto place = d.place_of(operand(d, 0), space);
  std::uint32_t ids[4];
  for (int k = 0; k < n; ++k) ids[k] = d.value(element(d, from, n, k), type);
  Instr& in = d.emit(store_handler(space, type, is_wide(type)));
  for (int k = 0; k < n; ++k) d.use(in, k, ids[k]);
  finish_access(d, in, place, type, n);
  if (is_strong(s)) in.flags |= kStrong;
}

void decode_atomic(Decoder& d) {
  const Statement1& s = d.statement();
  const Type type = s.type();
  const Space space = space_of(s);
  std::string_view op;
  for (const std::string_view k : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"}) {
    if (s.has(k)) op = k;
  }
  const std::size_t first = s.op == "atom" ? 1 : 0;
  const auto place = d.place_of(operand(d, first), space);
  const std::uint32_t b = d.value(operand(d, first + 1), type);
  const std::uint32_t c = op == "cas" ? d.value(operand(d, first + 2), type) : kNone;
  Instr& in = d.emit(atomic_handler(op, type));
  if (first == 1 && operand(d, 0).form != Operand::Form::kSink) d.def(in, 0, d.target(operand(d, 0), type).id);
  d.use(in, 1, b);
  if (c != kNone) d.use(in, 2, c);
  finish_access(d, in, place, type, 1);
  in.flags |= kStrong | kAtomicOp;
}

void decode_fence(Decoder& d) {
  const Statement1& s = d.statement();
  Instr& in = d.emit(fence_handler());
  if (!s.has("cta")) in.flags |= kWide;
}

}  // namespace ptxdev
