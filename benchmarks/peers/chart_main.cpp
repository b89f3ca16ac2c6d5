// Draws {"title", "panels": [{"title", "x", "y", "series": [{"name", "points": [[x, y], ...]}]}]} as SVG.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cairn/errors.h"
#include "src/file/whole_file.h"
#include "tools/cairn/chart.h"

int main(int argc, char** argv) {
  std::string from, to;
  CLI::App app{"Draws panels with logarithmic axes."};
  app.add_option("from", from, "JSON file with title and panels")->required();
  app.add_option("to", to, "SVG file to write")->required();
  CLI11_PARSE(app, argc, argv);
  try {
    std::ifstream file(from);
    const auto json = nlohmann::json::parse(file);
    std::vector<cairn::cli::Panel> panels;
    for (const auto& panel : json.at("panels")) {
      auto& drawn = panels.emplace_back();
      drawn = {panel.at("title"), panel.at("x"), panel.at("y"), {}};
      for (const auto& series : panel.at("series")) {
        drawn.series.push_back({series.at("name"), {}});
        for (const auto& point : series.at("points")) {
          drawn.series.back().points.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
        }
      }
    }
    cairn::write_whole_file(to, cairn::cli::draw_chart(json.at("title"), panels, {}));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer_chart: %s\n", error.what());
    return 2;
  }
}
