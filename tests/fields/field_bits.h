#pragma once
// Short runs of every field, for comparing bits.

#include <cstring>

#include "tests/fields/systems.h"

namespace cairn::fields_test {

struct BitsCase {
  const char* name;
  fields::Any (*field)(std::uint32_t count);
};

inline constexpr std::uint32_t kBitsCount = 600;
inline const BitsCase kBitsCases[] = {
    {"wind and gravity",
     [](std::uint32_t) -> fields::Any {
       return fields::Wind{.velocity = {1, 0, 0}, .linear = 0.5, .quadratic = 0.2, .gust = {0, 2, 0}, .gust_rate = 3};
     }},
    {"springs",
     [](std::uint32_t count) -> fields::Any {
       fields::Springs s;
       for (std::uint32_t i = 1; i < count; ++i) s.springs.push_back({i - 1, i, 40, 0.3, 0.5});
       return s;
     }},
    {"Lennard-Jones",
     [](std::uint32_t) -> fields::Any { return fields::LennardJones{.epsilon = 0.01, .sigma = 0.4, .cut_off = 1}; }},
    {"all pairs", [](std::uint32_t) -> fields::Any { return fields::PairGravity{.constant = 1e-3, .softening = 0.3}; }},
    {"tree",
     [](std::uint32_t) -> fields::Any {
       return fields::PairGravity{.constant = 1e-3, .softening = 0.3, .tree_above = 0, .opening_angle = 0.5};
     }},
    {"boids", [](std::uint32_t) -> fields::Any { return fields::Boids{.cruise_speed = 1, .cruise = 1}; }},
    {"curl noise", [](std::uint32_t) -> fields::Any { return fields::CurlNoise{.octaves = 3, .seed = 9}; }},
};

/// After six steps of the field and gravity, energies and momentum included.
inline std::uint64_t hash_of(const BitsCase& c, Integrator method, Precision precision, const Device& device) {
  ParticleStates s;
  for (std::uint32_t i = 0; i < kBitsCount; ++i) {
    const auto r = random_uniforms(1, 0, RandomStream::kUser, i), q = random_uniforms(2, 0, RandomStream::kUser, i);
    // a lattice that is a little disturbed
    s.position.push_back({0.8 * (i % 9) + 0.2 * r[0], 0.8 * (i / 9 % 9) + 0.2 * r[1], 0.8 * (i / 81) + 0.2 * r[2]});
    s.velocity.push_back({q[0] - 0.5, q[1] - 0.5, q[2] - 0.5});
    s.mass.push_back(0.5 + r[3]);
    s.held.push_back(i % 50 == 0 ? 1 : 0);
  }
  ParticleSystem system(s, device, precision);
  system.add(c.field(kBitsCount));
  system.add(fields::Gravity{{0, 0, -1}});
  const IntegrationReport report = system.integrate(0.06, 0.01, method);
  EXPECT_EQ(report.stop, Stop::kTime) << c.name << ", " << name_of(method);
  const Vec3d p = system.momentum();
  const double sums[] = {system.kinetic_energy(), system.potential_energy(), p.x, p.y, p.z};
  std::uint64_t hash = system.state_hash();
  for (const double sum : sums) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15ull;
  }
  return hash;
}

}  // namespace cairn::fields_test
