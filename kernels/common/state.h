#pragma once
// The world's arrays as the kernels see them, by topic; every line of a table ends with unit, shape and meaning. The
// list below each table describes its arrays (arrays.h).

#include "kernels/common/bodies.h"
#include "kernels/common/contact_rows.h"
#include "kernels/common/contacts.h"
#include "kernels/common/ends.h"
#include "kernels/common/events.h"
#include "kernels/common/index.h"
#include "kernels/common/joints.h"
#include "kernels/common/parts.h"
#include "kernels/common/shapes.h"
#include "kernels/common/solids.h"
#include "kernels/common/step_state.h"
#include "kernels/common/worlds.h"
