#pragma once
// Common to snapshots and recordings: both are content that can't be changed, with a file's bytes.

#include "src/c_api/c_call.h"

namespace cairn::c_api {

inline SnapshotLimits limits_of(std::uint64_t bytes) { return bytes == 0 ? SnapshotLimits{} : SnapshotLimits{bytes}; }

template <class H>
cairn_result load(const char* path, std::uint64_t limit, Out<H*> to) noexcept {
  return get(to, [&] {
    require("path", path);
    return decltype(H::content)::load(path, limits_of(limit));
  });
}

inline OutRoom<char> out_bytes(void* bytes, std::size_t size, std::size_t* length) {
  return out_room("bytes", static_cast<char*>(bytes), size, out("length", length));
}

template <class H>
cairn_result from_bytes(const void* bytes, std::size_t length, const char* where, std::uint64_t limit,
                        Out<H*> to) noexcept {
  return get(to, [&] {
    require("where", where);
    require("bytes", bytes);
    const std::string_view view(static_cast<const char*>(bytes), length);
    return decltype(H::content)::from_bytes(view, where, limits_of(limit));
  });
}

}  // namespace cairn::c_api
