// Requirements of hertz_mindlin on a World: spheres with moduli, and substeps short enough for them.

#include <cmath>
#include <numbers>

#include "cairn/hertz.h"
#include "src/exec/exactly.h"
#include "src/scene/text.h"
#include "src/world/impl.h"

namespace cairn {
namespace {

constexpr const char* kAsker = "step by hertz_mindlin: ";

void require_over_zero(float value, const char* what) {
  if (std::isfinite(value) && value > 0) return;
  throw InvalidArgument(std::string("rayleigh_time: ") + what + " must be over 0 and finite, is " +
                        rules::digits(value));
}

const Material& elastic(const BodySlot& slot, std::size_t shape, const std::vector<Material>& materials) {
  const Material& material = materials[slot.body.shapes[shape].material];
  if (material.young_modulus > 0) return material;
  throw InvalidArgument(kAsker + label(slot.body) + ", shape " + std::to_string(shape) + ": its material \"" +
                        material.name + "\" has no young_modulus");
}

/// [s] Min over the spheres of a moving body.
float min_rayleigh(const BodySlot& slot, const std::vector<Material>& materials) {
  double volume = 0;
  for (std::size_t i = 0; i < slot.body.shapes.size(); ++i) {
    const Shape& shape = slot.body.shapes[i];
    if (shape.sensor) continue;
    const auto* sphere = std::get_if<Sphere>(&shape.geometry);
    if (sphere == nullptr) {
      throw InvalidArgument(kAsker + label(slot.body) + ", shape " + std::to_string(i) +
                            " is no sphere: what moves must be of spheres, and what they touch may be of any shape "
                            "that is static or kinematic");
    }
    volume += 4.0 / 3.0 * std::numbers::pi * (double{sphere->radius} * sphere->radius * sphere->radius);
  }
  float least = INFINITY;
  if (!(volume > 0)) return least;
  const auto density = static_cast<float>(slot.mass.mass / volume);
  for (std::size_t i = 0; i < slot.body.shapes.size(); ++i) {
    const Shape& shape = slot.body.shapes[i];
    if (shape.sensor) continue;
    const Material& m = elastic(slot, i, materials);
    least = std::min(least,
                     rayleigh_time(std::get<Sphere>(shape.geometry).radius, density, m.young_modulus, m.poisson_ratio));
  }
  return least;
}

}  // namespace

float rayleigh_time(float radius, float density, float young_modulus, float poisson_ratio) {
  require_over_zero(radius, "radius");
  require_over_zero(density, "density");
  require_over_zero(young_modulus, "young_modulus");
  if (!(poisson_ratio >= 0) || !(poisson_ratio <= 0.5f)) {
    throw InvalidArgument("rayleigh_time: poisson_ratio must be between 0 and 0.5, is " + rules::digits(poisson_ratio));
  }
  return exec::exactly([&] {
    const double nu = poisson_ratio, shear = young_modulus / (2 * (1 + nu));
    return static_cast<float>(std::numbers::pi * radius * std::sqrt(density / shear) / (0.1631 * nu + 0.8766));
  });
}

void World::Impl::check_grains(float dt) {
  if (!grains_known) {
    rayleigh = INFINITY;
    for (const WorldSlot& world : worlds) {
      for (const std::uint32_t at : world.body_slots) {
        const BodySlot& slot = slots[at];
        if (!slot.alive || !slot.body.enabled) continue;
        if (slot.body.type == BodyType::kDynamic) {
          const float least = min_rayleigh(slot, world.materials);
          if (!(least < rayleigh)) continue;
          rayleigh = least;
          rayleigh_of = label(slot.body);
        } else {
          for (std::size_t i = 0; i < slot.body.shapes.size(); ++i) {
            if (!slot.body.shapes[i].sensor) elastic(slot, i, world.materials);
          }
        }
      }
    }
    grains_known = true;
  }
  const float h = dt / static_cast<float>(params.substeps);
  if (h <= kMaxRayleigh * rayleigh) return;
  throw InvalidArgument(kAsker + std::string("substeps of ") + rules::digits(h) +
                        " s are longer than the Rayleigh time of " + rayleigh_of + ", " + rules::digits(rayleigh) +
                        " s: contacts as stiff as its would throw it out. Take more substeps, a shorter dt or a softer "
                        "material; a tenth to a fifth of that time is accurate");
}

}  // namespace cairn
