#pragma once
// The types of PTX instructions, and handlers picked by them.

#include <cstdint>
#include <string_view>

#include "machine.h"

namespace ptxdev {

enum class Type : std::uint8_t { kNothing, kPred, kU8, kS8, kU16, kS16, kU32, kS32, kU64, kS64, kF32, kF64 };

/// kNothing for a word that isn't a type. Bit types count as unsigned.
Type type_of(std::string_view word);
std::uint32_t bytes_of(Type type);
inline bool is_wide(Type type) { return bytes_of(type) == 8; }
inline bool is_float(Type type) { return type == Type::kF32 || type == Type::kF64; }

// null if there is none: the decoder then reports it
Handler integer_handler(std::string_view op, Type type);
Handler bit_handler(std::string_view op, Type type);
Handler float_handler(std::string_view op, Type type);
Handler multiply_handler(std::string_view op, std::string_view part, Type type);
/// `rounding`: rn, rz, rm, rp, rni, rzi, rmi, rpi or nothing.
Handler convert_handler(Type to, Type from, std::string_view rounding, bool saturate);
Handler compare_handler(std::string_view comparison, Type type, std::string_view combine);
Handler select_handler(Type type);
Handler move_handler(bool wide);
Handler widen_handler(bool is_signed);  ///< 4 bytes a lane to 8
Handler narrow_handler();               ///< 8 bytes a lane to 4
Handler carry_handler(std::string_view op, Type type, bool reads, bool writes, bool high);
Handler predicate_handler(std::string_view op);
Handler load_handler(Space space, Type type, bool wide_register);
Handler store_handler(Space space, Type type, bool wide_register);
Handler fence_handler();
Handler atomic_handler(std::string_view op, Type type);
Handler shuffle_handler(std::string_view mode);
Handler vote_handler(std::string_view mode);
Handler match_handler(std::string_view mode, Type type);
Handler reduce_handler(std::string_view op, Type type);
/// Elements of a parameter in the register file: imm is the byte within the unit of 8.
Handler take_handler(Type type, bool wide_register);
Handler put_handler(Type type);

}  // namespace ptxdev
