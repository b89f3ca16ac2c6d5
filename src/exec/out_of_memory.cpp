#include "src/exec/out_of_memory.h"

#include "cairn/errors.h"

namespace cairn {
namespace {

// made while there is memory; copies share its text
const CapacityError kOutOfMemory("out of memory: the host has no room for this call; it was not made");

}  // namespace

void throw_out_of_memory() { throw kOutOfMemory; }

}  // namespace cairn
