#pragma once
// Cairn for C and for languages that call C: the same worlds, steps and results as the C++ interface, as plain
// functions. C99. Link the shared library cairn_c. docs/interop.md has examples.
//
// Every function that can fail returns a cairn_result. If it isn't CAIRN_OK, nothing was changed, nothing was written
// to the outputs, and cairn_last_error() has the reason. No C++ exception escapes. Functions that destroy accept null
// and do nothing then. Any other null pointer is CAIRN_INVALID_ARGUMENT, unless the function gives null a meaning.
//
// Structs that may grow begin with struct_size: their size in the caller's header. cairn_..._init(&x, sizeof x) fills
// in the defaults; set struct_size before the library fills in a struct. Bytes that the library doesn't know must be 0.
// A size ends with a member, or with the padding after it; any other is CAIRN_INVALID_ARGUMENT. In an array struct_size
// is also the distance between elements, and must be equal for all; the library takes it from the first element of an
// array that it fills in.
//
// One thread at a time may use a world or a scene; different ones are independent, and several threads may read one
// snapshot, recording or track. Strings are UTF-8 and end with 0. Units are SI. Vectors are x, y, z; quaternions x, y,
// z, w.

#include "cairn/c/actuation.h"
#include "cairn/c/arrays.h"
#include "cairn/c/articulation.h"
#include "cairn/c/body.h"
#include "cairn/c/common.h"
#include "cairn/c/contact.h"
#include "cairn/c/field.h"
#include "cairn/c/joint.h"
#include "cairn/c/params.h"
#include "cairn/c/particles.h"
#include "cairn/c/queries.h"
#include "cairn/c/random.h"
#include "cairn/c/recording.h"
#include "cairn/c/report.h"
#include "cairn/c/scene.h"
#include "cairn/c/sensors.h"
#include "cairn/c/snapshot.h"
#include "cairn/c/solid.h"
#include "cairn/c/world.h"
#include "cairn/c/world_bodies.h"
