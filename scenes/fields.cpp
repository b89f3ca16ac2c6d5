// Scenes of force fields: a flag, rubble.

#include <cmath>
#include <string>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {

/// A flag on a pole in gusty wind with eddies.
Built flag(const Spec& spec, std::uint64_t seed) {
  constexpr double kHeight = 1, kFoot = 2;         ///< [m] of the flag, and of its foot over the ground
  constexpr double kAir = 1.2, kDrag = 1.2;        ///< [kg/m^3], [1]
  constexpr double kEddy = 0.5, kEddySpeed = 0.5;  ///< [m], [1] of the wind
  Built built = on_floor();
  StepParams params = built.scene.params();
  params.solver = SolverKind::kXpbd;
  // forces hold for a step: short ones, so that drag can't reverse a light particle
  params.dt = 1.0f / 240;
  params.substeps = 5;
  params.particle_iterations = 4;
  built.scene.set_params(params);
  const auto rows = static_cast<std::uint32_t>(spec.whole("rows"));
  const std::uint32_t columns = rows + rows / 2;
  const double step = kHeight / (rows - 1), wind = spec["wind"];
  Body pole = make_body("pole", BodyType::kStatic, {-0.05, 0, 0.5 * (kFoot + kHeight)},
                        Cylinder{0.03f, static_cast<float>(0.5 * (kFoot + kHeight))});
  built.scene.add_body(std::move(pole));
  ParticleSet set = sheet(columns, rows, step);
  set.name = "flag";
  for (Vec3d& p : set.positions) p = {p.x, 0, kFoot + p.y};
  for (std::uint32_t row = 0; row < rows; ++row) set.fixed.push_back(row * columns);
  const std::uint32_t index = built.scene.add_particles(std::move(set));
  const SceneParticles& made = built.scene.particles()[index];
  std::vector<std::uint32_t> on;
  for (std::uint32_t i = 0; i < columns * rows; ++i) on.push_back(made.first_body + i);
  built.scene.add_field({fields::Wind{.velocity = {wind, 0, 0},
                                      .linear = 0,
                                      .quadratic = 0.5 * kAir * kDrag * step * step,
                                      .gust = {0, 0.5 * wind, 0},
                                      .gust_rate = 5},
                         on});
  // eddies move with the wind
  built.scene.add_field({fields::CurlNoise{.rate = 20,
                                           .speed = kEddySpeed * wind,
                                           .scale = kEddy,
                                           .octaves = 2,
                                           .seed = static_cast<std::uint32_t>(seed),
                                           .drift = {wind, 0, 0}},
                         on});
  built.rule = FallenRule::kNever;
  return built;
}

/// A cloud of boulders under their own gravity, far stronger than that of real rocks of their size.
Built rubble(const Spec& spec, std::uint64_t seed) {
  constexpr double kPitch = 1.7;      ///< [m]
  constexpr double kConstant = 5e-4;  ///< [m^3/(kg s^2)]
  Built built;
  built.scene.add_material(stone());
  built.scene.set_gravity({0, 0, 0});
  const int count = spec.whole("count");
  int side = 1;
  while (side * side * side < count) ++side;
  for (int i = 0; i < count; ++i) {
    const Random random(seed, static_cast<std::uint64_t>(i));
    const auto place = [&](int cell, Channel channel) {
      return kPitch * (cell - 0.5 * (side - 1) + 0.1 * random.symmetric(channel));
    };
    const int kind = static_cast<int>(random.bits(kKind) % kSolidKinds);
    Body body =
        make_body(numbered("boulder", i), BodyType::kDynamic,
                  {place(i % side, kX), place(i / side % side, kY), place(i / side / side, kYaw)}, solid(kind, random));
    body.orientation = random.rotation(kRotation);
    built.scene.add_body(std::move(body));
  }
  built.scene.add_field({fields::PairGravity{.constant = kConstant, .softening = 0.1}, {}});
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
