#pragma once
// What docs/fields.md shows. In a namespace without a name: its functions make fields, and those that nvcc compiles
// make others.

#include "cairn/cairn.h"

namespace {
#include "fields.inc"
}  // namespace
