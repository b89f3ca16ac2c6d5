#pragma once
// Common to the tables of operations.

#include "decoder.h"

namespace ptxdev {

/// The k-th operand of the statement.
const Operand& operand(Decoder& d, std::size_t k);
Space space_of(const Statement1& s);

// decode_accesses.cpp
void decode_load(Decoder& d);
void decode_store(Decoder& d);
void decode_atomic(Decoder& d);
void decode_fence(Decoder& d);

}  // namespace ptxdev
