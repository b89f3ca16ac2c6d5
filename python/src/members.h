#pragma once
// All public structs and enums that have a list of their members or words.

#include "cairn/cairn.h"

// made in the build's folder by python/structs.py
#include "cairn_structs.h"

namespace cairn::python {

/// What has a Python class made from its members.
template <class T>
concept Struct = Described<T>;

}  // namespace cairn::python
