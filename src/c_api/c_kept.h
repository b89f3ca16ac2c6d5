#pragma once
// What snapshots and recordings share: both are content that can't be changed, with a file's bytes.

#include "src/c_api/common.h"

namespace cairn::c_api {

inline SnapshotLimits limits_of(std::uint64_t bytes) { return bytes == 0 ? SnapshotLimits{} : SnapshotLimits{bytes}; }

template <class H>
cairn_result save(const H* handle, const char* name, const char* path) noexcept {
  return guarded([&] {
    require(name, handle);
    require("path", path);
    handle->content.save(path);
  });
}

template <class H>
cairn_result load(const char* path, std::uint64_t limit, const char* name, H** handle) noexcept {
  return guarded([&] {
    require(name, handle);
    require("path", path);
    *handle = new H{decltype(H::content)::load(path, limits_of(limit))};
  });
}

template <class H>
cairn_result to_bytes(const H* handle, const char* name, void* bytes, std::size_t size, std::size_t* length) noexcept {
  return guarded([&] {
    require(name, handle);
    require("length", length);
    if (size != 0) require("bytes", bytes);
    const std::string made = handle->content.to_bytes();
    *length = made.size();
    if (size >= made.size()) std::memcpy(bytes, made.data(), made.size());
  });
}

template <class H>
cairn_result from_bytes(const void* bytes, std::size_t length, const char* where, std::uint64_t limit, const char* name,
                        H** handle) noexcept {
  return guarded([&] {
    require(name, handle);
    require("where", where);
    require("bytes", bytes);
    const std::string_view view(static_cast<const char*>(bytes), length);
    *handle = new H{decltype(H::content)::from_bytes(view, where, limits_of(limit))};
  });
}

}  // namespace cairn::c_api
