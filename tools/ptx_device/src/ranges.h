#pragma once
// NVTX ranges, by which a program names what it enqueues.

#include <string_view>

namespace ptxdev {

/// The innermost range that the calling thread has open; empty where there is none. It lives as long as the program.
std::string_view open_range();

}  // namespace ptxdev
