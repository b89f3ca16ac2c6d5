#pragma once
// Scales of worlds and bodies: drawn, and applied to the described values.

#include "kernels/common/bases.h"
#include "kernels/common/float_pair.h"
#include "kernels/common/frame.h"
#include "kernels/common/philox.h"
#include "kernels/common/state.h"

namespace cairn::kernels {

/// Draws the scales of world i. One thread per world.
struct ScaleDrawWorld {
  Worlds worlds;
  Selection selection;
  Randomisation ranges;

  CAIRN_HD void operator()(std::uint32_t i) const {
    if (!selection(i)) return;
    const Uniform4 u = uniforms(worlds.seed[i], worlds.episode[i], RandomStream::kWorld, 0);
    worlds.scales[i] = {in_range(u.x, ranges.size), in_range(u.y, ranges.mass), in_range(u.z, ranges.friction),
                        in_range(u.w, ranges.restitution)};
  }
};

/// Draws the own scales of body i, and moves it, unless it is a link. The counter is the body's id, which is its
/// world's own. Writes own, x, x_low, v and w of dynamic bodies. One thread per body slot.
struct ScaleDrawBody {
  Bodies bodies;
  Worlds worlds;
  BodyBases bases;
  Selection selection;
  Randomisation ranges;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i], world = bodies.world[i];
    if ((flags & kBodyAlive) == 0 || !is_dynamic(flags) || !selection(world)) return;
    const std::uint64_t seed = worlds.seed[world];
    const std::uint32_t episode = worlds.episode[world], id = bases.id[i];
    const Uniform4 own = uniforms(seed, episode, RandomStream::kBody, id);
    bases.own[i] = {in_range(own.x, ranges.body_size), in_range(own.y, ranges.body_mass),
                    in_range(own.z, ranges.body_inertia)};
    if (is_link(flags)) return;
    const auto draw = [&](RandomStream stream, Vec3 half) {
      const Uniform4 u = uniforms(seed, episode, stream, id);
      return Vec3{to_either_side(u.x, half.x), to_either_side(u.y, half.y), to_either_side(u.z, half.z)};
    };
    const Vec3 none{0, 0, 0};
    if (!(ranges.position == none))
      add_to_pair(bodies.x[i], bodies.x_low[i], draw(RandomStream::kPosition, ranges.position));
    if (!(ranges.linear_velocity == none))
      bodies.v[i] = bodies.v[i] + draw(RandomStream::kLinearVelocity, ranges.linear_velocity);
    if (!(ranges.angular_velocity == none) && !is_upright(flags))
      bodies.w[i] = bodies.w[i] + draw(RandomStream::kAngularVelocity, ranges.angular_velocity);
  }
};

// [m] of scaled bodies, up to rounding: half extents and reaches that descriptions allow
inline constexpr float kMinScaledExtent = 0.99e-6f, kMaxScaledReach = 4e6f;

/// True if a body with these scales stays within the solver's range: masses, moments and their inverses are normal
/// floats, and sizes are allowed in a scene.
CAIRN_HD bool bears(const BodyScales& by, float inv_mass, Vec3 moments, float radius, float min_extent) {
  constexpr double kMax = 1e37, kMin = 1e-37;
  const InertialScales f = inertial_scales(by);
  const double w = inv_mass / f.mass, x = moments.x * f.moments, y = moments.y * f.moments, z = moments.z * f.moments;
  return w >= kMin && w <= kMax && x >= kMin && x <= kMax && y >= kMin && y <= kMax && z >= kMin && z <= kMax &&
         min_extent * by.size >= kMinScaledExtent && radius * by.size <= kMaxScaledReach;
}

/// Mass, moments and lengths of body i, in double, rounded once. The centre of mass stays in place, so the body's
/// origin moves. With `wakes`, the body wakes. Writes inv_mass, inertia, radius, min_extent and, if there are frames,
/// the centre; perhaps flags and quiet_time. One thread per body slot.
struct ScaleBody {
  Bodies bodies;
  Worlds worlds;
  BodyBases bases;
  Frames frames;
  Selection selection;
  bool wakes;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t flags = bodies.flags[i], world = bodies.world[i];
    if ((flags & kBodyAlive) == 0 || !selection(world)) return;
    if (wakes) {
      bodies.flags[i] = flags & ~std::uint32_t{kBodyAsleep};
      bodies.quiet_time[i] = 0.0f;
    }
    if (!is_dynamic(flags)) return;
    const BodyScales by = total_scales(worlds.scales[world], bases.own[i]);
    const InertialScales f = inertial_scales(by);
    bodies.inv_mass[i] = static_cast<float>(bases.inv_mass[i] / f.mass);
    bodies.inertia[i] = narrow(f.moments * widen(bases.inertia[i]));
    bodies.radius[i] = bases.radius[i] * by.size;
    bodies.min_extent[i] = bases.min_extent[i] * by.size;
    if (frames.centre != nullptr) frames.centre[i] = double{by.size} * bases.centre[i];
  }
};

/// Writes size and position of the geometry of shape i. One thread per shape slot.
struct ScaleShape {
  Bodies bodies;
  Shapes shapes;
  Worlds worlds;
  BodyBases bases;
  ShapeBases shape_bases;
  Selection selection;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t body = shapes.body[i];
    if (body == kNone || !is_dynamic(bodies.flags[body])) return;
    const std::uint32_t world = bodies.world[body];
    if (!selection(world)) return;
    const float size = total_scales(worlds.scales[world], bases.own[body]).size;
    const ShapeGeometry base = shape_bases.geometry[i];
    shapes.geometry[i].size = size * base.size;
    shapes.geometry[i].round = size * base.round;
    shapes.geometry[i].position = size * base.position;
  }
};

/// Writes friction and restitution of material i. One thread per material slot.
struct ScaleMaterial {
  Worlds worlds;
  MaterialBases bases;
  Selection selection;
  ContactMaterial* materials;

  CAIRN_HD void operator()(std::uint32_t i) const {
    const std::uint32_t world = bases.world[i];
    if (!selection(world)) return;
    const Scales by = worlds.scales[world];
    const ContactMaterial base = bases.material[i];
    materials[i].friction = base.friction * by.friction;
    materials[i].restitution = base.restitution * by.restitution;
  }
};

}  // namespace cairn::kernels
