#include "tools/cairn/bench_output.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <numeric>

#include "cairn/version.h"
#include "tools/cairn/format.h"
#include "tools/cairn/output.h"

namespace cairn::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kShareShown = 0.02;  ///< [1] of a step; smaller stages are only in the JSON

/// Three digits and a prefix: 1.23k, 45.6M.
std::string short_number(double value) {
  const char* prefix = "";
  for (const char* next : {"k", "M", "G"}) {
    if (value < 999.5) break;
    value /= 1e3;
    prefix = next;
  }
  return format("%.3g%s", value, prefix);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%d", std::gmtime(&now));
  return text.data();
}

double total(const std::array<double, kStageCount>& stage_ms) {
  return std::accumulate(stage_ms.begin(), stage_ms.end(), 0.0);
}

std::string stage(int index) { return std::string(stage_name(static_cast<Stage>(index))); }

Json row_json(const BenchHead& head, const Measured& m) {
  if (!m.not_run.empty()) {
    return {{"scene", m.row.scene},
            {"worlds", m.row.worlds},
            {"substeps", m.row.substeps},
            {"device", head.device.device.name()},
            {"not_run", m.not_run}};
  }
  Json json = outcome_json(m.outcome);
  json["driver"] = head.device.driver;
  json["settle_steps"] = m.row.settle;
  json["timed_steps"] = m.row.steps;
  json["repeats"] = m.queued_ms.size();
  json["dynamic_bodies"] = m.dynamic_bodies;
  json["memory_bytes"] = m.memory_bytes;
  json["same_hash"] = m.same_hash;
  json["drift"] = m.drift;
  json["seconds"] = m.seconds;
  // measured after each step only in `run`
  json["quality"].erase("max_excursion");
  Json shares = Json::object();
  const double sum = total(m.outcome.stage_ms);
  for (int s = 0; s < kStageCount && sum > 0; ++s) shares[stage(s)] = m.outcome.stage_ms[s] / sum;
  json["stage_share"] = shares;
  json["queued_ms_per_step"] = m.ms();
  json["world_steps_per_second"] = m.world_steps();
  json["body_steps_per_second"] = m.body_steps();
  json["joints"] = m.joints.count;
  json["joint_steps_per_ms"] = m.joint_steps();
  json["joint_error"] = m.joints.error;
  if (m.has_figure()) return json;
  json["no_figure"] = m.no_figure;
  for (const char* key : {"ms_per_step", "queued_ms_per_step", "world_steps_per_second", "body_steps_per_second",
                          "joint_steps_per_ms", "joint_error", "drift", "stages", "stage_share", "quality"}) {
    json[key] = nullptr;
  }
  return json;
}

}  // namespace

std::string table_head() {
  return format("%-36s %6s %3s %8s %9s %8s %8s %8s %8s %8s %7s %7s %8s %8s %8s %7s  %s\n", "scene", "worlds", "sub",
                "bodies", "contacts", "ms", "p95", "queued", "worlds/s", "bodies/s", "MiB", "max mm", "mean mm",
                "drift mm", "rms mm/s", "fallen", "hash");
}

std::string table_row(const Measured& m) {
  const std::string start = format("%-36s %6u", m.row.scene.c_str(), m.row.worlds);
  if (!m.not_run.empty()) return start + "  not run: " + m.not_run + "\n";
  if (!m.no_figure.empty()) return start + "  no figure: " + m.no_figure + "\n";
  const Outcome& o = m.outcome;
  const Quality& q = o.quality;
  const Timing t = summarise(o.step_ms);
  std::string text = start;
  text += format(" %3d %8u %9u %8.3f %8.3f %8.3f %8s %8s %7.1f", o.params.substeps, o.report.bodies, o.report.manifolds,
                 t.median, t.p95, m.ms(), short_number(m.world_steps()).c_str(), short_number(m.body_steps()).c_str(),
                 static_cast<double>(m.memory_bytes) / 0x1p20);
  text += format(" %7.2f %7.3f %8.3f %8.3f %8u  %s\n", 1e3 * q.max_penetration, 1e3 * q.mean_penetration, 1e3 * m.drift,
                 1e3 * q.rms_speed, q.fallen, hex(o.hash).c_str());
  const double sum = total(o.stage_ms);
  std::string shares;
  for (int s = 0; s < kStageCount && sum > 0; ++s) {
    const double share = o.stage_ms[s] / sum;
    if (share >= kShareShown)
      shares += format("%s%s %.0f %%", shares.empty() ? "" : ", ", stage(s).c_str(), 1e2 * share);
  }
  text += "    " + shares + format("; %.4g J kinetic, %.6g J potential", q.kinetic_energy, q.potential_energy);
  if (m.joints.count != 0)
    text += format("; %u joints, %.4g a ms, %.3g mm", m.joints.count, m.joint_steps(), 1e3 * m.joints.error);
  return text + "\n";
}

Json bench_json(const BenchHead& head, const std::vector<Measured>& rows) {
  Json list = Json::array();
  for (const Measured& m : rows) list.push_back(row_json(head, m));
  return {{"cairn_bench", 1},
          {"version", kVersion},
          {"numerics", kNumericsVersion},
          {"commit", head.commit},
          {"date", today()},
          {"device", head.device.device.name()},
          {"description", head.device.description},
          {"driver", head.device.driver},
          {"device_memory_bytes", head.device.memory},
          {"suite", head.suite},
          {"rows", list}};
}

}  // namespace cairn::cli
