#pragma once
// NVTX ranges, in which a program groups its enqueued work.

#include <string_view>

namespace ptxdev {

/// The calling thread's innermost open range; empty if there is none. It lives as long as the program.
std::string_view open_range();

}  // namespace ptxdev
