#pragma once
// Every feature, listed once.

#include "src/articulations/articulation_feature.h"
#include "src/events/event_feature.h"
#include "src/fields/field_feature.h"
#include "src/filter/filter_feature.h"
#include "src/joints/joint_feature.h"
#include "src/particles/particle_feature.h"
#include "src/scale/scale_feature.h"

/// A row a feature: its type, and its member of World::Impl. A World calls them in this order: scales before those
/// that rescale, and articulations before particles, whose check of files asks for links.
// clang-format off
#define CAIRN_FEATURES(row)               \
  row(FilterFeature, filters)             \
  row(ScaleFeature, scales)               \
  row(JointFeature, joints)               \
  row(ArticulationFeature, articulations) \
  row(ParticleFeature, particles)         \
  row(FieldFeature, fields)               \
  row(EventFeature, events)
// clang-format on
