#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hash of a tower of so many unit boxes after so many steps, with a snapshot through bytes into another world in
   between, computed by C code; 0 if a call failed. */
uint64_t tower_hash_in_c(uint32_t boxes, uint32_t before, uint32_t after);
/* Of a rope of so many particles in the wind. */
uint64_t rope_hash_in_c(uint32_t particles, uint32_t steps);

#ifdef __cplusplus
}
#endif
