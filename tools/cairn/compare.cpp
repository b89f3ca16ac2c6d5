#include "tools/cairn/compare.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "cairn/errors.h"
#include "src/file/whole_file.h"
#include "tools/cairn/format.h"

namespace cairn::cli {
namespace {

using Json = nlohmann::ordered_json;

struct BenchRow {
  std::string key, missing;                               ///< its settings; the reason why it has no figure
  double ms{0}, max_penetration{0}, mean_penetration{0};  ///< [ms]; [m]; [m]
  std::uint64_t fallen{0};
  std::string hash;
};

struct Bench {
  std::string device;
  int numerics{0};
  std::vector<BenchRow> rows;
};

BenchRow read_row(const Json& json) {
  BenchRow row;
  row.key = json.at("scene").get<std::string>() + " x " + std::to_string(json.at("worlds").get<int>()) + ", " +
            std::to_string(json.at("substeps").get<int>()) + " substeps";
  if (json.contains("not_run")) {
    row.missing = "not run: " + json.at("not_run").get<std::string>();
    return row;
  }
  // settings beyond the suite's are shown only if present
  if (json.at("solver") != "soft_step") row.key += ", " + json.at("solver").get<std::string>();
  if (json.at("seed") != 1) row.key += ", seed " + json.at("seed").dump();
  if (json.contains("no_figure")) {
    row.missing = "no figure: " + json.at("no_figure").get<std::string>();
    return row;
  }
  // on a shared processor means are unreliable
  const bool queued = json.at("device").get<std::string>().rfind("cuda", 0) == 0;
  row.ms = queued ? json.at("queued_ms_per_step").get<double>() : json.at("ms_per_step").at("median").get<double>();
  row.hash = json.at("hash").get<std::string>();
  const Json& quality = json.at("quality");
  row.max_penetration = quality.at("max_penetration").get<double>();
  row.mean_penetration = quality.at("mean_penetration").get<double>();
  row.fallen = quality.at("fallen").get<std::uint64_t>();
  return row;
}

Bench read_bench(const std::filesystem::path& path) {
  // [B] far more than a suite of thousands of rows
  constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 26;
  const auto refuse = [&](const std::string& reason) { throw InvalidArgument(path.string() + ": " + reason); };
  const std::string text = read_whole_file(path, kMaxBytes, refuse);
  if (const std::string reason = reason_against_text(text); !reason.empty()) refuse(reason);
  try {
    const Json json = Json::parse(text);
    if (json.value("cairn_bench", 0) != 1) throw InvalidArgument(path.string() + ": is no file of cairn bench --json");
    Bench bench;
    bench.device = json.at("description").get<std::string>();
    bench.numerics = json.at("numerics").get<int>();
    for (const Json& row : json.at("rows")) bench.rows.push_back(read_row(row));
    return bench;
  } catch (const nlohmann::json::exception& error) {
    throw InvalidArgument(path.string() + ": is no file of cairn bench --json: " + error.what());
  }
}

/// "-3.4 %"
std::string change(double a, double b) { return a == 0 ? "-" : format("%+.1f %%", 1e2 * (b - a) / a); }

}  // namespace

Comparison compare_benches(const std::filesystem::path& path_a, const std::filesystem::path& path_b, double tolerance) {
  const Bench a = read_bench(path_a), b = read_bench(path_b);
  Comparison result;
  if (a.device != b.device) result.text += "A ran on " + a.device + "\nB ran on " + b.device + "\n";
  if (a.numerics != b.numerics) {
    result.text += format("A has numerics version %d and B %d: bits may differ\n", a.numerics, b.numerics);
  }
  result.text += format("%-56s %10s %10s %9s %9s %9s %8s  %s\n", "row", "ms in A", "ms in B", "time", "max pen",
                        "mean pen", "fallen", "bits");
  std::map<std::string, const BenchRow*> in_b;
  for (const BenchRow& row : b.rows) in_b[row.key] = &row;
  int faster = 0, slower = 0, others = 0, both = 0, worse = 0;
  for (const BenchRow& one : a.rows) {
    const auto found = in_b.find(one.key);
    if (found == in_b.end()) {
      result.text += format("%-56s only in A\n", one.key.c_str());
      continue;
    }
    const BenchRow& other = *found->second;
    in_b.erase(found);
    if (!one.missing.empty() || !other.missing.empty()) {
      const bool lost = one.missing.empty();
      worse += lost;
      result.text += format("%-56s %s%s\n", one.key.c_str(),
                            lost ? ("WORSE: in B " + other.missing).c_str() : ("in A " + one.missing).c_str(),
                            !lost && other.missing.empty() ? ", in B it has figures" : "");
      continue;
    }
    ++both;
    const bool same = one.hash == other.hash;
    const double most = 1 + tolerance;
    const bool is_slower = other.ms > most * one.ms;
    slower += is_slower;
    faster += other.ms * most < one.ms;
    others += !same;
    std::string verdict = is_slower ? "slower" : "";
    const auto blame = [&](bool is, const char* what) {
      if (is) verdict += (verdict.empty() ? "" : ", ") + std::string(what);
    };
    blame(!same && a.numerics == b.numerics, "other bits");
    blame(!same && (other.max_penetration > most * one.max_penetration ||
                    other.mean_penetration > most * one.mean_penetration),
          "deeper");
    blame(!same && other.fallen > one.fallen, "more fallen");
    worse += !verdict.empty();
    result.text += format("%-56s %10.3f %10.3f %9s %9s %9s %+8lld  %s%s\n", one.key.c_str(), one.ms, other.ms,
                          change(one.ms, other.ms).c_str(), change(one.max_penetration, other.max_penetration).c_str(),
                          change(one.mean_penetration, other.mean_penetration).c_str(),
                          static_cast<long long>(other.fallen) - static_cast<long long>(one.fallen),
                          same ? "same" : "differ", verdict.empty() ? "" : ("  WORSE: " + verdict).c_str());
  }
  for (const BenchRow& row : b.rows) {
    if (in_b.contains(row.key)) result.text += format("%-56s only in B\n", row.key.c_str());
  }
  result.text +=
      format("%d rows with figures in both: %d faster, %d slower by more than %g %%; bits differ in %d; %d worse\n",
             both, faster, slower, 1e2 * tolerance, others, worse);
  result.worse = worse > 0;
  return result;
}

}  // namespace cairn::cli
