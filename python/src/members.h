#pragma once
// The members of the public structs, as their lists beside them have it, and all structs and enums that have one.

#include "cairn/cairn.h"

namespace cairn {

template <>
struct Attributes<WorldOptions> {
  template <class S = WorldOptions>
  static constexpr TypedList all{attribute<&S::device>({.meaning = "or its name: cpu, cuda, cuda:1, best"}),
                                 attribute<&S::capacity>({}),
                                 attribute<&S::tuning>({.meaning = "changes times, never results"}),
                                 attribute<&S::timings>({.meaning = "measure each stage"}),
                                 attribute<&S::contact_events>({.meaning = "keep who touches whom"}),
                                 attribute<&S::trace>({.meaning = "hash what each stage writes; slow"}),
                                 attribute<&S::stream>({.meaning = "a cudaStream_t as a number; 0 makes one"}),
                                 attribute<&S::capturable>({.meaning = "lets step be captured in a CUDA graph"})};
};

}  // namespace cairn

// made in the build's folder by python/structs.py
#include "cairn_structs.h"

namespace cairn::python {

/// What has a Python class made from its members.
template <class T>
concept Struct = Described<T>;

}  // namespace cairn::python
