// Random ropes, cloths, soft bodies, fluids and loose particles.

#include "tests/mixed/mixed.h"

namespace cairn::mixed {
namespace {

ConstraintLaw random_law(Dice& dice, bool breaks) {
  ConstraintLaw law;
  switch (dice.below(4)) {
    case 0:
      break;
    case 1:
      law.stiffness = dice.number(0.25, 1);
      break;
    default:
      law.compliance = dice.number(1e-6, 1e-3);
      law.damping = dice.chance(0.3) ? dice.number(0, 10) : 0;
  }
  if (breaks && dice.chance(0.3)) law.breaking_force = dice.number(1, 200);
  return law;
}

ConstraintGroup group_of(Dice& dice, ConstraintKind kind, std::vector<std::uint32_t> particles) {
  ConstraintGroup group{.kind = kind, .law = random_law(dice, kind == ConstraintKind::kStretch)};
  group.particles = std::move(particles);
  group.unilateral = kind == ConstraintKind::kStretch && dice.chance(0.2);
  return group;
}

void make_rope(Dice& dice, ParticleSet& set, Vec3d at) {
  const std::uint32_t n = 3 + dice.below(6);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 0; i < n; ++i) {
    set.positions.push_back({at.x + 0.12 * i, at.y, at.z});
    if (i != 0) ends.insert(ends.end(), {i - 1, i});
  }
  set.constraints.push_back(group_of(dice, ConstraintKind::kStretch, ends));
  if (dice.chance(0.6)) set.fixed.push_back(0);
}

void make_cloth(Dice& dice, ParticleSet& set, Vec3d at) {
  const std::uint32_t columns = 2 + dice.below(3), rows = 2 + dice.below(2);
  std::vector<std::uint32_t> stretch, bend;
  for (std::uint32_t j = 0; j < rows; ++j) {
    for (std::uint32_t i = 0; i < columns; ++i) {
      const std::uint32_t k = j * columns + i;
      set.positions.push_back({at.x + 0.15 * i, at.y + 0.15 * j, at.z});
      if (i != 0) stretch.insert(stretch.end(), {k - 1, k});
      if (j != 0) stretch.insert(stretch.end(), {k - columns, k});
      if (i != 0 && j != 0) bend.insert(bend.end(), {k - 1, k - columns, k - columns - 1, k});
    }
  }
  set.constraints.push_back(group_of(dice, ConstraintKind::kStretch, stretch));
  if (dice.chance(0.7)) set.constraints.push_back(group_of(dice, ConstraintKind::kBend, bend));
  if (dice.chance(0.6)) set.fixed = {0, columns - 1};
}

void make_block(Dice& dice, ParticleSet& set, Vec3d at) {
  std::vector<std::uint32_t> all;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const Vec3 off = dice.vector(0.02);
    set.positions.push_back({at.x + 0.2 * (i & 1u) + off.x, at.y + 0.1 * (i & 2u) + off.y, at.z + 0.05 * (i & 4u)});
    all.push_back(i);
  }
  if (dice.chance(0.5)) {
    ConstraintGroup shape = group_of(dice, ConstraintKind::kShape, all);
    shape.cluster = dice.of({8u, 4u});
    set.constraints.push_back(shape);
    return;
  }
  set.constraints.push_back(group_of(dice, ConstraintKind::kVolume, {0, 1, 2, 4, 3, 1, 7, 2, 1, 4, 7, 5}));
  set.constraints.push_back(group_of(dice, ConstraintKind::kStretch, {0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6,
                                                                      6, 4, 0, 4, 1, 5, 2, 6, 3, 7, 0, 7, 1, 6}));
}

/// More constraints on one particle than there are colours.
void make_fan(Dice& dice, ParticleSet& set, Vec3d at) {
  set.positions.push_back(at);
  std::vector<std::uint32_t> ends;
  for (std::uint32_t i = 1; i <= 70; ++i) {
    set.positions.push_back({at.x + 0.1 * (i % 8), at.y + 0.1 * (i / 8), at.z + 0.1});
    ends.insert(ends.end(), {0, i});
  }
  set.constraints.push_back(group_of(dice, ConstraintKind::kStretch, ends));
}

}  // namespace

PlannedSet random_set(Dice& dice, const std::string& name, const WorldPlan& plan, const Scene& around) {
  PlannedSet made;
  ParticleSet& set = made.set;
  set.name = name;
  set.radius = dice.of({0.02f, 0.05f});
  set.mass = dice.number(0.05, 2);
  set.material = dice.below(plan.materials.size());
  if (dice.chance(0.2)) set.filter.group = -3;
  if (dice.chance(0.2)) set.linear_damping = dice.number(0, 2);
  Vec3d at = dice.place(0.8);
  at.z += 1.2;
  switch (plan.style == "hub" ? 4 : dice.below(4)) {
    case 0:
      make_rope(dice, set, at);
      break;
    case 1:
      make_cloth(dice, set, at);
      break;
    case 2:
      make_block(dice, set, at);
      break;
    case 4:
      make_fan(dice, set, at);
      break;
    default:
      for (int i = dice.whole(1, 5); i > 0; --i) set.positions.push_back(dice.place(1));
  }
  if (dice.chance(0.3)) {
    for (std::size_t i = 0; i < set.positions.size(); ++i) set.masses.push_back(dice.number(0.05, 2));
  }
  if (dice.chance(0.3)) {
    for (std::size_t i = 0; i < set.positions.size(); ++i) set.velocities.push_back(dice.vector(5));
  }
  while (!around.bodies().empty() && dice.chance(0.5)) {
    set.attachments.push_back({.particle = dice.below(set.positions.size()), .law = random_law(dice, true)});
    made.held_by.push_back(any_body(dice, around));
  }
  return made;
}

PlannedSet random_fluid(Dice& dice, const std::string& name, const WorldPlan& plan, int side) {
  PlannedSet made;
  ParticleSet& set = made.set;
  set.name = name;
  const float spacing = 0.1f;
  set.fluid = Fluid{.density = dice.of({1000.0f, 800.0f}), .spacing = spacing};
  if (dice.chance(0.4)) set.fluid->viscosity = dice.number(0, 5);
  if (dice.chance(0.4)) set.fluid->surface_tension = dice.number(0, 1);
  set.radius = dice.of({0.5f, 0.25f}) * spacing;
  set.material = dice.below(plan.materials.size());
  const Vec3d at = dice.place(0.5);
  for (int i = 0; i < side * side * side; ++i) {
    const double x = i % side, y = i / side % side, z = static_cast<double>(i / side / side);
    set.positions.push_back({at.x + 0.1 * x, at.y + 0.1 * y, 0.6 + at.z + 0.1 * z});
  }
  if (dice.chance(0.2)) set.fixed.push_back(0);
  return made;
}

}  // namespace cairn::mixed
