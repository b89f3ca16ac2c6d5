#include "tools/cairn/articulation_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "cairn/articulations.h"
#include "cairn/version.h"
#include "tools/cairn/files.h"
#include "tools/cairn/output.h"

namespace cairn::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kH = 1.0 / 240;  // [s]
constexpr int kSecond = 240;      // steps
constexpr double kMinTime = 0.3;  // [s] min time of a measurement

/// Rods of 20 cm on hinges of alternating axes; afloat, on a base of 5 kg.
Articulation chain(std::uint32_t hinges, bool floating, double damping) {
  Articulation made{.name = "chain"};
  ArticulationLink base{.name = "base", .mass = 5, .inertia = {{0.1f, 0.1f, 0.1f}, {}}};
  base.joint.kind = ArticulationJointKind::kFree;
  if (floating) made.links.push_back(base);
  for (std::uint32_t i = 0; i < hinges; ++i) {
    ArticulationLink rod{.name = "rod" + std::to_string(i), .mass = 1, .centre_of_mass = {0, 0, -0.1}};
    rod.parent = made.links.empty() ? kWorldLink : static_cast<std::uint32_t>(made.links.size() - 1);
    rod.inertia.moments = {0.0035f, 0.0035f, 0.0005f};
    rod.joint.kind = ArticulationJointKind::kRevolute;
    rod.joint.damping = damping;
    const Quat axis = i % 2 == 0 ? Quat{0, 0, 0, 1} : Quat{0, 0, 0.70710678f, 0.70710678f};
    rod.frame_in_parent = {{0, 0, i == 0 ? 0 : -0.2}, axis};
    rod.frame_in_link = {{}, axis};
    made.links.push_back(rod);
  }
  return made;
}

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// [J] of the first of a batch: kinetic and potential.
std::pair<double, double> energy(const Articulations& of) {
  const std::size_t n = of.dofs();
  const std::vector<double> v = of.rates(), mass = of.mass_matrix();
  double kinetic = 0, potential = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < n; ++k) kinetic += 0.5 * v[i] * mass[i * n + k] * v[k];
  }
  const std::vector<BodyState> links = of.link_states();
  for (std::size_t i = 0; i < of.description().links.size(); ++i) {
    const ArticulationLink& link = of.description().links[i];
    const QuatT<double> q{links[i].orientation.x, links[i].orientation.y, links[i].orientation.z,
                          links[i].orientation.w};
    // the height of a centre of mass on the link's z axis
    const double up = 1 - 2 * (q.x * q.x + q.y * q.y);
    potential -= link.mass * of.description().gravity.z * (links[i].position.z + up * link.centre_of_mass.z);
  }
  return {kinetic, potential};
}

/// Hanging, each bent a little and differently.
void bend(Articulations& batch) {
  std::vector<double> q = batch.positions();
  const std::size_t hinges = batch.description().links.size(), n = batch.coordinates();
  for (std::size_t i = 0; i < batch.count(); ++i) {
    for (std::uint32_t k = 0; k < hinges; ++k) {
      if (batch.description().links[k].joint.kind == ArticulationJointKind::kRevolute)
        q[i * n + batch.coordinate_of(k)] = 0.5 * std::sin(static_cast<double>(i) + k);
    }
  }
  batch.set_state(q, std::vector<double>(std::size_t{batch.count()} * batch.dofs(), 0.0));
}

template <class F>
double per_ms(const Articulations& batch, const F& f) {
  f();
  const Clock::time_point begin = Clock::now();
  int times = 0;
  double passed = 0;
  while (passed < kMinTime) {
    f();
    ++times;
    passed = seconds_since(begin);
  }
  return batch.count() * times / (passed * 1e3);
}

ArticulationFigures measure(const Device& device, std::uint32_t hinges, bool floating, std::uint32_t count) {
  // timing doesn't depend on the state: damped chains come to rest meanwhile, and cost the same
  Articulations batch(chain(hinges, floating, 0.1), count, device);
  ArticulationFigures figures{
      .name = std::string(floating ? "floating chain" : "chain"), .dofs = batch.dofs(), .count = count};
  bend(batch);
  figures.forward_per_ms = per_ms(batch, [&] { (void)batch.forward_dynamics(); });
  // reading waits for the steps before
  figures.step_per_ms = per_ms(batch,
                               [&] {
                                 for (int i = 0; i < 8; ++i) batch.step(kH);
                                 (void)batch.stopped();
                               }) *
                        8;
  Articulations one(chain(hinges, floating, 0), 1, device);
  bend(one);
  const auto [none, at_first] = energy(one);
  double most = 0, last = 0;
  for (int i = 0; i < kSecond; ++i) {
    one.step(kH);
    const auto [kinetic, potential] = energy(one);
    most = std::max(most, kinetic);
    last = kinetic + potential;
  }
  figures.drift = (last - at_first - none) / most;
  figures.hash = one.state_hash();
  return figures;
}

}  // namespace

std::vector<ArticulationFigures> bench_articulations(const Device& device) {
  std::printf("%s\n", describe(device).description.c_str());
  std::printf("%-16s %5s %7s %14s %14s %10s %17s\n", "articulation", "dofs", "count", "forward 1/ms", "steps 1/ms",
              "drift/s", "hash");
  std::vector<ArticulationFigures> all;
  for (const auto& [hinges, floating] : {std::pair{7u, false}, {20u, false}, {21u, true}, {50u, false}}) {
    for (const std::uint32_t count : {1u, 256u, 4096u}) {
      all.push_back(measure(device, hinges, floating, count));
      const ArticulationFigures& f = all.back();
      std::printf("%-16s %5u %7u %14.1f %14.1f %10.1e %17s\n", f.name.c_str(), f.dofs, f.count, f.forward_per_ms,
                  f.step_per_ms, f.drift, hex(f.hash).c_str());
      flush_stdout();
    }
  }
  return all;
}

nlohmann::ordered_json articulations_json(const Device& device, const std::vector<ArticulationFigures>& all) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ArticulationFigures& f : all) {
    rows.push_back({{"name", f.name},
                    {"dofs", f.dofs},
                    {"count", f.count},
                    {"forward_per_ms", f.forward_per_ms},
                    {"steps_per_ms", f.step_per_ms},
                    {"energy_drift", f.drift},
                    {"hash", hex(f.hash)}});
  }
  return {{"cairn", std::string(kVersion)},
          {"suite", kArticulationSuite},
          {"device", device.name()},
          {"description", describe(device).description},
          {"rows", rows}};
}

}  // namespace cairn::cli
