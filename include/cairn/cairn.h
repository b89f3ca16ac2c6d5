#pragma once
// Everything a program that simulates needs.

#include "cairn/device.h"
#include "cairn/errors.h"
#include "cairn/params.h"
#include "cairn/report.h"
#include "cairn/residual.h"
#include "cairn/scene.h"
#include "cairn/scene_file.h"
#include "cairn/types.h"
#include "cairn/version.h"
#include "cairn/world.h"
