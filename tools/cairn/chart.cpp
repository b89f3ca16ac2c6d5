#include "tools/cairn/chart.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/cairn/format.h"

namespace cairn::cli {
namespace {

// all lengths are in pixels
constexpr double kPlotWidth = 400, kPlotHeight = 280;
constexpr double kLeft = 70, kRight = 190, kTop = 40, kBottom = 50;  // around a plot; its legend is at the right
constexpr double kPanelWidth = kLeft + kPlotWidth + kRight, kPanelHeight = kTop + kPlotHeight + kBottom;
constexpr std::size_t kPanelsAcross = 2;
constexpr double kHead = 30;
constexpr double kLine = 16;  // from a line of text to the next
constexpr double kBarLeft = 260, kBarWidth = 600;

// Okabe and Ito's colours, which eyes of all kinds tell apart, and lighter ones of the same
constexpr std::array<const char*, 14> kColors{"#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7",
                                              "#56b4e9", "#7a7a00", "#444444", "#7fb8d8", "#f2cf80",
                                              "#7fceb9", "#eaae7f", "#e5bcd3", "#a1a1a1"};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string write(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return format("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\"%s>", x, y, anchor, more) + escaped(text) + "</text>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* color) {
  return format("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, color);
}

std::string block(double x, double y, double width, double height, std::size_t color) {
  return format("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height,
                kColors[color % kColors.size()]);
}

bool drawable(const Series::Point& p) { return p.x > 0 && p.y > 0 && std::isfinite(p.x) && std::isfinite(p.y); }

/// Whole decades that hold all values, one at least.
struct Axis {
  int low{0}, high{0};
  bool empty{true};

  void include(double value) {
    const int below = static_cast<int>(std::floor(std::log10(value)));
    const int above = std::max(static_cast<int>(std::ceil(std::log10(value))), below + 1);
    low = empty ? below : std::min(low, below);
    high = empty ? above : std::max(high, above);
    empty = false;
  }
  double share(double value) const { return (std::log10(value) - low) / (high - low); }
};

/// 0.01, 1, 1000, 1e5
std::string decade(int exponent) {
  return exponent > 3 || exponent < -3 ? format("1e%d", exponent) : format("%g", std::pow(10.0, exponent));
}

/// Empty without a point.
std::string draw(const Panel& panel, double left, double top) {
  Axis x, y;
  for (const Series& series : panel.series) {
    for (const Series::Point& p : series.points) {
      if (!drawable(p)) continue;
      x.include(p.x);
      y.include(p.y);
    }
  }
  if (x.empty) return {};
  const double x0 = left + kLeft, y0 = top + kTop + kPlotHeight;
  std::string svg = write(x0, top + kTop - 12, "start", panel.title, " font-weight=\"bold\"");
  for (int e = x.low; e <= x.high; ++e) {
    const double at = x0 + kPlotWidth * (e - x.low) / (x.high - x.low);
    svg += line(at, y0, at, y0 - kPlotHeight, "#dddddd") + write(at, y0 + kLine, "middle", decade(e));
  }
  for (int e = y.low; e <= y.high; ++e) {
    const double at = y0 - kPlotHeight * (e - y.low) / (y.high - y.low);
    svg += line(x0, at, x0 + kPlotWidth, at, "#dddddd") + write(x0 - 6, at + 4, "end", decade(e));
  }
  svg += write(x0 + 0.5 * kPlotWidth, y0 + 36, "middle", panel.x_label);
  svg += format("<g transform=\"translate(%.1f %.1f) rotate(-90)\">", left + 16, y0 - 0.5 * kPlotHeight) +
         write(0, 0, "middle", panel.y_label) + "</g>\n";

  std::size_t color = 0;
  for (const Series& series : panel.series) {
    const char* const shade = kColors[color % kColors.size()];
    std::string path, dots;
    for (const Series::Point& p : series.points) {
      if (!drawable(p)) continue;
      const double at_x = x0 + kPlotWidth * x.share(p.x), at_y = y0 - kPlotHeight * y.share(p.y);
      path += format("%s%.1f,%.1f", path.empty() ? "" : " ", at_x, at_y);
      dots += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>\n", at_x, at_y, shade);
    }
    if (path.empty()) continue;
    svg += "<polyline points=\"" + path + "\" fill=\"none\" stroke=\"" + shade + "\"/>\n" + dots;
    const double at_y = top + kTop + kLine * static_cast<double>(color) + 10;
    svg +=
        block(x0 + kPlotWidth + 12, at_y - 9, 10, 10, color) + write(x0 + kPlotWidth + 28, at_y, "start", series.name);
    ++color;
  }
  return svg;
}

std::string draw(const Shares& shares, double top) {
  std::string svg = write(kLeft, top + 14, "start", shares.title, " font-weight=\"bold\"");
  double at_x = kLeft;
  for (std::size_t i = 0; i < shares.names.size(); ++i) {
    svg += block(at_x, top + 26, 10, 10, i) + write(at_x + 14, top + 35, "start", shares.names[i]);
    at_x += 26 + 7 * static_cast<double>(shares.names[i].size());
  }
  double at_y = top + 48;
  for (const Shares::Bar& bar : shares.bars) {
    double sum = 0;
    for (const double part : bar.parts) sum += part;
    svg += write(kBarLeft - 8, at_y + 11, "end", bar.label);
    double from = kBarLeft;
    for (std::size_t i = 0; i < bar.parts.size() && sum > 0; ++i) {
      const double width = kBarWidth * bar.parts[i] / sum;
      if (width > 0) svg += block(from, at_y, width, kLine - 3, i);
      from += width;
    }
    at_y += kLine;
  }
  return svg;
}

}  // namespace

std::string draw_chart(const std::string& title, const std::vector<Panel>& panels, const Shares& shares) {
  std::string body;
  double width = kBarLeft + kBarWidth + 20, bottom = kHead;
  std::size_t count = 0;
  for (const Panel& panel : panels) {
    const double left = kPanelWidth * static_cast<double>(count % kPanelsAcross);
    const double top = kHead + kPanelHeight * static_cast<double>(count / kPanelsAcross);
    const std::string drawn = draw(panel, left, top);
    if (drawn.empty()) continue;
    body += drawn;
    ++count;
    width = std::max(width, left + kPanelWidth);
    bottom = top + kPanelHeight;
  }
  if (!shares.bars.empty()) {
    body += draw(shares, bottom + 10);
    bottom += 10 + 48 + kLine * static_cast<double>(shares.bars.size()) + 10;
  }
  std::string svg = format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" ", width, bottom);
  svg += "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
  return svg + write(kLeft, 20, "start", title, " font-size=\"14\"") + body + "</svg>\n";
}

}  // namespace cairn::cli
