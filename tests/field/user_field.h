#pragma once
// What docs/fields.md shows.

#include "cairn/cairn.h"
#include "fields.inc"
