#pragma once
// Draws figures as SVG: the one place that does.

#include <string>
#include <vector>

namespace cairn::cli {

/// Points joined by a line, in the order given.
struct Series {
  struct Point {
    double x, y;
  };
  std::string name;
  std::vector<Point> points;  ///< those that aren't over 0 have no place on a logarithmic axis and are left out
};

/// Two logarithmic axes.
struct Panel {
  std::string title, x_label, y_label;
  std::vector<Series> series;
};

/// Bars of equal length, each cut into named parts.
struct Shares {
  struct Bar {
    std::string label;
    std::vector<double> parts;  ///< [1] in the order of `names`; in any unit, since a bar's sum is its length
  };
  std::string title;
  std::vector<std::string> names;
  std::vector<Bar> bars;
};

/// Panels, two beside each other, and the shares below them. Panels and bars without figures are left out.
std::string draw_chart(const std::string& title, const std::vector<Panel>& panels, const Shares& shares);

}  // namespace cairn::cli
