// Scenes of particles: ropes, cloth, jelly, water.

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "scenes/builders.h"

namespace cairn::scenes {
namespace {

void solve_by(Scene& scene, SolverKind solver, int substeps, int sweeps) {
  StepParams params = scene.params();
  params.solver = solver;
  params.substeps = substeps;
  params.particle_iterations = sweeps;
  scene.set_params(params);
}

/// Five tetrahedra in each cell of a cube of n cells a side, mirrored in neighbouring cells: elastic, with a Young's
/// modulus; or, where that is 0, springs along their edges and constant volumes.
std::vector<ConstraintGroup> tetrahedra(std::uint32_t n, float young_modulus) {
  const std::uint32_t side = n + 1;
  constexpr std::array<std::array<std::uint32_t, 4>, 5> kEven{
      {{0, 1, 2, 4}, {3, 2, 1, 7}, {5, 4, 7, 1}, {6, 7, 4, 2}, {1, 2, 4, 7}}};
  ConstraintGroup springs{.law = {1e-5f, 20}}, volumes{.kind = ConstraintKind::kVolume, .law = {1e-9f, 0}};
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t cell = 0; cell < n * n * n; ++cell) {
    const std::uint32_t x = cell % n, y = cell / n % n, z = cell / n / n;
    const bool mirrored = (x + y + z) % 2 != 0;
    for (const std::array<std::uint32_t, 4>& tetrahedron : kEven) {
      std::array<std::uint32_t, 4> corners{};
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t bits = mirrored ? tetrahedron[k] ^ 1u : tetrahedron[k];
        corners[k] = ((z + (bits >> 2)) * side + y + (bits >> 1 & 1u)) * side + x + (bits & 1u);
      }
      volumes.particles.insert(volumes.particles.end(), corners.begin(), corners.end());
      for (std::size_t b = 0; b < 4; ++b) {
        for (std::size_t a = 0; a < b; ++a) edges.insert(std::minmax(corners[a], corners[b]));
      }
    }
  }
  if (young_modulus > 0) {
    volumes.kind = ConstraintKind::kElastic;
    volumes.law = {.damping = 0.01f};
    volumes.young_modulus = young_modulus;
    volumes.poisson_ratio = 0.4f;
    return {std::move(volumes)};
  }
  for (const auto& [a, b] : edges) springs.particles.insert(springs.particles.end(), {a, b});
  return {std::move(springs), std::move(volumes)};
}

/// Clusters of `cells` cells a side that keep their shape, one at each cell of such a cube where it fits.
ConstraintGroup clusters(std::uint32_t n, std::uint32_t cells) {
  const std::uint32_t side = n + 1, across = cells + 1, places = n - cells + 1;
  ConstraintGroup made{.kind = ConstraintKind::kShape, .law = {1e-6f, 2000}, .cluster = across * across * across};
  for (std::uint32_t place = 0; place < places * places * places; ++place) {
    const std::uint32_t x = place % places, y = place / places % places, z = place / places / places;
    for (std::uint32_t i = 0; i < made.cluster; ++i) {
      const std::uint32_t at = ((z + i / across / across) * side + y + i / across % across) * side + x + i % across;
      made.particles.push_back(at);
    }
  }
  return made;
}

/// The particles of such a cube, without constraints.
ParticleSet block(std::string name, std::uint32_t n, double width, Vec3d corner) {
  constexpr double kStuff = 1000;  ///< [kg/m^3]
  const std::uint32_t side = n + 1;
  const double step = width / n;
  ParticleSet made{.name = std::move(name)};
  made.mass = static_cast<float>(kStuff * width * width * width / (side * side * side));
  made.radius = static_cast<float>(0.48 * step);
  for (std::uint32_t z = 0; z < side; ++z) {
    for (std::uint32_t y = 0; y < side; ++y) {
      for (std::uint32_t x = 0; x < side; ++x) {
        made.positions.push_back({corner.x + step * x, corner.y + step * y, corner.z + step * z});
      }
    }
  }
  return made;
}

}  // namespace

ParticleSet sheet(std::uint32_t columns, std::uint32_t rows, double step) {
  constexpr double kWeight = 0.5;  ///< [kg/m^2]
  ParticleSet made{.name = "cloth", .linear_damping = 0.5f};
  const double width = step * (columns - 1), height = step * (rows - 1);
  made.mass = static_cast<float>(kWeight * width * height / (columns * rows));
  made.radius = static_cast<float>(0.45 * step);
  ConstraintGroup edges{.law = {1e-6f, 0.1f}}, hinges{.kind = ConstraintKind::kBend, .law = {10, 0.01f}};
  const auto at = [&](std::uint32_t x, std::uint32_t y) { return y * columns + x; };
  const auto put = [](ConstraintGroup& group, std::initializer_list<std::uint32_t> particles) {
    group.particles.insert(group.particles.end(), particles);
  };
  for (std::uint32_t y = 0; y < rows; ++y) {
    for (std::uint32_t x = 0; x < columns; ++x) {
      made.positions.push_back({step * x, step * y, 0});
      const bool right = x + 1 < columns, up = y + 1 < rows;
      if (right) put(edges, {at(x, y), at(x + 1, y)});
      if (up) put(edges, {at(x, y), at(x, y + 1)});
      if (!right || !up) continue;
      put(edges, {at(x, y), at(x + 1, y + 1)});
      put(hinges, {at(x, y), at(x + 1, y + 1), at(x, y + 1), at(x + 1, y)});
      if (y > 0) put(hinges, {at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y - 1)});
      if (x > 0) put(hinges, {at(x, y + 1), at(x, y), at(x + 1, y + 1), at(x - 1, y)});
    }
  }
  made.constraints = {std::move(edges), std::move(hinges)};
  return made;
}

/// A rope that swings from a fixed end, a crate at the other.
Built rope(const Spec& spec, std::uint64_t) {
  constexpr double kLength = 2, kTop = 3, kHalf = 0.15, kLean = 0.6;  ///< [m], [rad] off the vertical
  Built built = on_floor();
  const auto n = static_cast<std::uint32_t>(spec.whole("segments"));
  solve_by(built.scene, SolverKind::kXpbd, 20, spec.whole("sweeps"));
  const Vec3d along{std::sin(kLean), 0, -std::cos(kLean)};
  const auto at = [&](double way) { return Vec3d{way * along.x, 0, kTop + way * along.z}; };
  const auto half = static_cast<float>(kHalf);
  Body crate = make_body("crate", BodyType::kDynamic, at(kLength + kHalf), Box{{half, half, half}});
  crate.orientation = {0, static_cast<float>(-std::sin(kLean / 2)), 0, static_cast<float>(std::cos(kLean / 2))};
  crate.mass = static_cast<float>(spec["load"]);
  const std::uint32_t held = built.scene.add_body(std::move(crate));
  ParticleSet set{.name = "rope", .radius = 0.01f, .fixed = {0}, .linear_damping = 0.1f};
  set.mass = static_cast<float>(1.0 / n);
  ConstraintGroup segments{.law = {1e-7f, 0}};
  for (std::uint32_t i = 0; i <= n; ++i) {
    set.positions.push_back(at(kLength * i / n));
    if (i != 0) segments.particles.insert(segments.particles.end(), {i - 1, i});
  }
  set.constraints = {std::move(segments)};
  set.attachments = {{n, held, {}}};
  built.scene.add_particles(std::move(set));
  built.rule = FallenRule::kNever;
  return built;
}

/// A cloth held by its corners, and boxes that fall onto it.
Built cloth(const Spec& spec, std::uint64_t) {
  constexpr double kWidth = 2, kHeight = 1.5, kHalf = 0.12;  ///< [m]
  Built built = on_floor();
  const auto side = static_cast<std::uint32_t>(spec.whole("side"));
  solve_by(built.scene, SolverKind::kXpbd, 20, 4);
  ParticleSet set = sheet(side, side, kWidth / (side - 1));
  for (Vec3d& p : set.positions) p = {p.x - 0.5 * kWidth, p.y - 0.5 * kWidth, kHeight};
  const double breaking_force = spec["breaking_force"];
  if (breaking_force > 0) set.constraints[0].law.breaking_force = static_cast<float>(breaking_force);
  set.fixed = {0, side - 1, side * (side - 1), side * side - 1};
  built.scene.add_particles(std::move(set));
  const auto half = static_cast<float>(kHalf);
  for (int i = 0; i < spec.whole("boxes"); ++i) {
    Body box =
        make_body(numbered("box", i), BodyType::kDynamic,
                  {0.25 * (i % 3 - 1), 0.25 * (i / 3 % 3 - 1), kHeight + 0.4 + 0.3 * i}, Box{{half, half, half}});
    box.mass = 0.5f;
    built.scene.add_body(std::move(box));
  }
  built.rule = FallenRule::kNever;
  return built;
}

/// Cubes of jelly that fall onto each other.
Built jelly(const Spec& spec, std::uint64_t) {
  constexpr double kWidth = 0.5;  ///< [m]
  Built built = on_floor();
  solve_by(built.scene, SolverKind::kXpbd, 20, spec["young_modulus"] > 0 ? 0 : 2);
  const auto cells = static_cast<std::uint32_t>(spec.whole("cells"));
  const auto cluster = static_cast<std::uint32_t>(spec.whole("cluster"));
  if (cluster > cells) throw InvalidArgument("scene jelly: cluster must be at most cells, " + std::to_string(cells));
  for (int i = 0; i < spec.whole("count"); ++i) {
    const double aside = i % 2 == 0 ? 0 : 0.1;
    ParticleSet set = block(numbered("jelly", i), cells, kWidth, {aside, aside, 0.2 + 1.4 * kWidth * i});
    if (cluster > 0) {
      set.constraints = {clusters(cells, cluster)};
    } else {
      set.constraints = tetrahedra(cells, static_cast<float>(spec["young_modulus"]));
    }
    built.scene.add_particles(std::move(set));
  }
  built.rule = FallenRule::kNever;
  return built;
}

/// A column of water that collapses in a tank, and boxes that it carries away.
Built dam_break(const Spec& spec, std::uint64_t) {
  constexpr double kLength = 1.6, kWidth = 0.5, kHalf = 0.06;  ///< [m]
  Built built = on_floor();
  const auto wall = [&](const char* name, Vec3 normal, Vec3d at) {
    built.scene.add_body(make_body(name, BodyType::kStatic, at, Plane{normal, 0}));
  };
  wall("left", {1, 0, 0}, {0, 0, 0});
  wall("right", {-1, 0, 0}, {kLength, 0, 0});
  wall("front", {0, 1, 0}, {0, 0, 0});
  wall("back", {0, -1, 0}, {0, kWidth, 0});
  const auto side = static_cast<std::uint32_t>(spec.whole("side"));
  check_count("dam_break", 1.5 * side * side * side);
  const double step = kWidth / side;
  const auto half = static_cast<float>(kHalf);
  for (int i = 0; i < spec.whole("boxes"); ++i) {
    Body box =
        make_body(numbered("box", i), BodyType::kDynamic,
                  {0.9 + 0.2 * (i % 3), 0.15 + 0.2 * (i / 3 % 2), kHalf + 0.15 * (i / 6)}, Box{{half, half, half}});
    box.density = 400.0f;
    built.scene.add_body(std::move(box));
  }
  ParticleSet water{.name = "water"};
  water.radius = static_cast<float>(0.25 * step);
  water.fluid = Fluid{.spacing = static_cast<float>(step)};
  water.fluid->viscosity = static_cast<float>(spec.values.at("viscosity"));
  for (std::uint32_t z = 0; z < side + side / 2; ++z) {
    for (std::uint32_t y = 0; y < side; ++y) {
      for (std::uint32_t x = 0; x < side; ++x) {
        water.positions.push_back({(x + 0.5) * step, (y + 0.5) * step, (z + 0.5) * step});
      }
    }
  }
  built.scene.add_particles(std::move(water));
  built.rule = FallenRule::kNever;
  return built;
}

}  // namespace cairn::scenes
