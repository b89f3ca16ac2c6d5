#include "tools/cairn/output.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "cairn/attributes.h"
#include "cairn/version.h"
#include "tools/cairn/format.h"

namespace cairn::cli {
namespace {

using Json = nlohmann::ordered_json;

// shortest text that reads back to the same number, for floats and doubles
template <class T>
void append(std::string& text, T value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

template <class... T>
std::string joined(T... values) {
  std::string text;
  ((append(text, values), text += ','), ...);
  text.pop_back();
  return text;
}

std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

std::string hex(std::uint64_t hash) { return format("%016llx", static_cast<unsigned long long>(hash)); }

Json timing_json(const Timing& t) { return {{"min", t.min}, {"median", t.median}, {"mean", t.mean}, {"p95", t.p95}}; }

Json quality_json(const Quality& q) {
  const auto figure = [&](double value) { return q.finite ? number(value) : Json(nullptr); };
  Json json;
  json["max_penetration"] = figure(q.max_penetration);
  json["mean_penetration"] = figure(q.mean_penetration);
  json["overlaps"] = q.overlaps;
  json["max_drift"] = figure(q.max_drift);
  json["max_excursion"] = figure(q.max_excursion);
  json["height_loss"] = figure(q.height_loss);
  json["rms_speed"] = figure(q.rms_speed);
  json["kinetic_energy"] = figure(q.kinetic_energy);
  json["potential_energy"] = figure(q.potential_energy);
  json["momentum"] = {figure(q.momentum.x), figure(q.momentum.y), figure(q.momentum.z)};
  json["fallen"] = q.finite ? Json(q.fallen) : Json(nullptr);
  return json;
}

Json outcome_json(const Outcome& o) {
  Json stages = Json::object();
  for (int s = 0; o.timed_stages && s < kStageCount; ++s) {
    stages[std::string(stage_name(static_cast<Stage>(s)))] = o.stage_ms[s];
  }
  Json json;
  json["scene"] = o.scene;
  json["seed"] = o.seed;
  json["version"] = kVersion;
  json["numerics"] = kNumericsVersion;
  json["device"] = o.device;
  json["threads"] = o.threads;
  json["solver"] = word_of(o.params.solver);
  json["dt"] = Json::parse(joined(o.params.dt));  // as short as for a float
  json["substeps"] = o.params.substeps;
  json["bodies"] = o.report.bodies;
  json["worlds"] = o.worlds;
  json["steps"] = o.report.steps;
  json["status"] = status_names(o.report.status);
  json["frozen"] = Json::array();
  for (const FrozenWorld& f : o.frozen) {
    json["frozen"].push_back(
        {{"world", f.world}, {"step", f.step}, {"status", status_names(f.status)}, {"body", f.body}});
  }
  json["hash"] = hex(o.hash);
  json["ms_per_step"] = timing_json(summarise(o.step_ms));
  json["stages"] = stages;
  json["contacts"] = {{"manifolds", o.report.manifolds}, {"points", o.report.points}, {"colors", o.report.colors}};
  json["broken_constraints"] = o.report.broken_constraints;
  json["constraints"] = {
      {"count", o.constraints.constraints}, {"max_residual", o.constraints.max}, {"mean_residual", o.constraints.mean}};
  json["quality"] = quality_json(o.quality);
  return json;
}

std::string summary(const Outcome& o) {
  const Timing t = summarise(o.step_ms);
  const Quality& q = o.quality;
  std::string text;
  const std::string worlds = o.worlds == 1 ? "" : std::to_string(o.worlds) + " worlds, ";
  text +=
      format("%s: %s%u bodies, %llu steps of %.6g s (%.6g s), %s with %d substeps, %s", o.scene.c_str(), worlds.c_str(),
             o.report.bodies, static_cast<unsigned long long>(o.report.steps), static_cast<double>(o.params.dt),
             o.report.time, std::string(word_of(o.params.solver)).c_str(), o.params.substeps, o.device.c_str());
  if (o.threads > 0) text += format(", %d thread%s", o.threads, o.threads == 1 ? "" : "s");
  text += format("\n  time a step     %.3f ms median, %.3f min, %.3f mean, %.3f p95\n", t.median, t.min, t.mean, t.p95);
  for (int s = 0; o.timed_stages && s < kStageCount; ++s) {
    const std::string name(stage_name(static_cast<Stage>(s)));
    text += format("    %-13s %.3f ms\n", name.c_str(), o.stage_ms[s]);
  }
  text += format("  contacts        %u manifolds, %u points, %u colours\n", o.report.manifolds, o.report.points,
                 o.report.colors);
  if (o.constraints.constraints != 0) {
    text += format("  constraints     %u, off their laws by %.3g %% of their size at most, %.3g %% in the mean\n",
                   o.constraints.constraints, 100 * static_cast<double>(o.constraints.max),
                   100 * static_cast<double>(o.constraints.mean));
  }
  if (o.report.broken_constraints != 0)
    text += format("  broken          %u constraints\n", o.report.broken_constraints);
  if (q.finite) {
    text += format("  penetration     %.3f mm deepest, %.3f mm mean of %llu overlaps\n", 1e3 * q.max_penetration,
                   1e3 * q.mean_penetration, static_cast<unsigned long long>(q.overlaps));
    text += format("  from the start  %.4f m at the farthest, %.4f m ever; height lost %.4f m\n", q.max_drift,
                   q.max_excursion, q.height_loss);
    text += format("  motion          %.4f m/s rms, %.6g J kinetic, %.6g J potential\n", q.rms_speed, q.kinetic_energy,
                   q.potential_energy);
    text += format("  fallen          %u\n", q.fallen);
  } else {
    text += "  the state is not finite: no figures\n";
  }
  text += "  hash            " + hex(o.hash) + "\n";
  for (const std::string& bit : status_names(o.report.status)) text += "  status          " + bit + "\n";
  constexpr std::size_t kMaxListed = 10;
  for (std::size_t i = 0; i < std::min(o.frozen.size(), kMaxListed); ++i) {
    const FrozenWorld& f = o.frozen[i];
    text += "  frozen          world " + std::to_string(f.world) + " before step " + std::to_string(f.step) + " by \"" +
            f.body + "\":";
    for (const std::string& bit : status_names(f.status)) text += " " + bit;
    text += "\n";
  }
  if (o.frozen.size() > kMaxListed)
    text += "                  and " + std::to_string(o.frozen.size() - kMaxListed) + " more\n";
  return text;
}

std::string states_json(const World& world) {
  const auto handles = world.bodies();
  std::vector<BodyState> states(handles.size());
  world.read_states(states);
  std::string text = "{\"cairn_states\": 1, \"time\": " + joined(world.report().time) + ", \"bodies\": [";
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const BodyState& s = states[i];
    const Vec3 v = s.linear_velocity, w = s.angular_velocity;
    text += i == 0 ? "\n" : ",\n";
    text += "{\"name\": " + Json(name_of(world, handles[i])).dump();
    text += ", \"position\": [" + joined(s.position.x, s.position.y, s.position.z);
    text += "], \"orientation_xyzw\": [" + joined(s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w);
    text += "], \"linear_velocity\": [" + joined(v.x, v.y, v.z);
    text += "], \"angular_velocity\": [" + joined(w.x, w.y, w.z) + "]}";
  }
  return text + "\n]}\n";
}

std::string states_csv(const World& world) {
  const auto handles = world.bodies();
  std::vector<BodyState> states(handles.size());
  world.read_states(states);
  std::string text = "name,x,y,z,qx,qy,qz,qw,vx,vy,vz,wx,wy,wz\n";
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const BodyState& s = states[i];
    const Vec3 v = s.linear_velocity, w = s.angular_velocity;
    text += quoted(name_of(world, handles[i])) + ',' + joined(s.position.x, s.position.y, s.position.z) + ',' +
            joined(s.orientation.x, s.orientation.y, s.orientation.z, s.orientation.w) + ',' +
            joined(v.x, v.y, v.z, w.x, w.y, w.z) + '\n';
  }
  return text;
}

}  // namespace cairn::cli
