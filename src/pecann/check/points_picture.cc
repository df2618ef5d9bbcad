#include "pecann/check/points_picture.h"

#include <fmt/format.h>

#include <algorithm>

#include "pecann/base/input_error.h"

namespace pecann::check {
namespace {

constexpr double kLongSide = 600, kMargin = 50, kLegendLine = 18;
constexpr std::size_t kMostShown = 4000;  // points of a term
// Okabe and Ito's colours without yellow.
constexpr const char* kColours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : shortened(text, 60))
    result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return result;
}

/// From coordinates to pixels: equal scales in space, y upwards.
struct Plane {
  int x, y;  // coordinates
  double left, top, scale_x, scale_y;

  double across(double value) const { return kMargin + (value - left) * scale_x; }
  double down(double value) const { return kMargin + (top - value) * scale_y; }
};

Plane plane_of(const sampling::Box& box) {
  if (box.dimension() < 2)
    throw InputError({.key = "--picture", .rule = "a picture needs a problem with two coordinates or more"});
  std::vector<int> order;
  for (int c = 0; c < box.dimension(); ++c)
    if (c != box.time) order.push_back(c);
  if (box.time >= 0) order.push_back(box.time);
  const int x = order[0], y = order[1];
  const double wide = box.upper[x] - box.lower[x], high = box.upper[y] - box.lower[y];
  const bool space = y != box.time;
  const double scale = kLongSide / std::max(wide, high);
  return {x, y, box.lower[x], box.upper[y], space ? scale : kLongSide / wide, space ? scale : 0.6 * kLongSide / high};
}

}  // namespace

std::string points_picture(const problem::Problem& problem, const train::Assembly& assembly) {
  const sampling::Box& box = problem.box;
  const Plane plane = plane_of(box);
  const double width = plane.across(box.upper[plane.x]) + kMargin, height = plane.down(box.lower[plane.y]) + kMargin;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"20\">{3}</text>\n<rect x=\"{2}\" y=\"{2}\" width=\"{4:.1f}\" height=\"{5:.1f}\" "
      "fill=\"none\" "
      "stroke=\"#c0c6cc\"/>\n",
      width, height + kLegendLine * static_cast<double>(problem.terms.size()), kMargin, escaped(problem.title),
      width - 2 * kMargin, height - 2 * kMargin);
  text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{} {:.4g} … {:.4g}, {} {:.4g} … {:.4g}</text>\n", kMargin,
                      height - 0.5 * kMargin, escaped(box.names[plane.x]), box.lower[plane.x], box.upper[plane.x],
                      escaped(box.names[plane.y]), box.lower[plane.y], box.upper[plane.y]);
  for (std::size_t t = 0; t < problem.terms.size(); ++t) {
    const sampling::PointSet& points = assembly.points_of(assembly.evaluator().terms()[t].point_set);
    const char* const colour = kColours[t % std::size(kColours)];
    text += fmt::format("<g fill=\"{}\">\n", colour);
    const std::size_t shown = std::min(points.count, kMostShown);
    for (std::size_t k = 0; k < shown; ++k) {
      const std::size_t i = k * points.count / shown;
      text += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"1.6\"/>\n",
                          plane.across(points.coordinates[plane.x][i]), plane.down(points.coordinates[plane.y][i]));
    }
    text += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">{}: {} points</text>\n</g>\n", kMargin,
                        height + kLegendLine * (static_cast<double>(t) + 0.2), escaped(problem.terms[t].name),
                        points.count);
  }
  if (plane.y != box.time) {
    for (const auto& curve : problem.domain->outline()) {
      text += "<polyline fill=\"none\" stroke=\"black\" stroke-width=\"1\" points=\"";
      for (std::size_t i = 0; i < curve[0].size(); ++i)
        text += fmt::format("{:.2f},{:.2f} ", plane.across(curve[0][i]), plane.down(curve[1][i]));
      text += "\"/>\n";
    }
  }
  return text + "</svg>\n";
}

}  // namespace pecann::check
