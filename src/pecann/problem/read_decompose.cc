#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/problem/joints.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

constexpr int kMostParts = 100'000;

/// Points on each face between two parts: as far from each other as those that two hundred inside a part are, but
/// closer, for joints carry what one part knows of the others.
int usual_points(int dimension) {
  constexpr double kInside = 200, kCloser = 4;
  return static_cast<int>(std::ceil(kCloser * std::pow(kInside, (dimension - 1.0) / dimension)));
}

/// A number of equal parts, or the planes between them.
std::vector<double> read_planes(const Item& item, const sampling::Box& box, int coordinate) {
  const double lower = box.lower[coordinate], upper = box.upper[coordinate];
  if (!item.is_list()) return equal_planes(lower, upper, item.integer({.low = 1, .high = kMostParts}));
  std::vector<double> planes = item.numbers();
  double before = lower;
  for (const double plane : planes) {
    if (!(plane > before && plane < upper))
      item.refuse("planes between parts rise from one to the next, inside the range of the coordinate",
                  fmt::format("it goes from {} to {}", lower, upper));
    before = plane;
  }
  return planes;
}

void check_names(const Section& section, const Problem& problem) {
  for (const TermSpec& term : problem.terms)
    if (term.name.starts_with(kJoints))
      section.refuse("the term '" + term.name + "' has the name of a joint between parts", "rename the term");
  for (const NetworkSpec& network : problem.networks)
    for (int c = 0; c < problem.box.dimension(); ++c)
      if (problem.decompose.along(c) > 1 &&
          std::ranges::find(network.inputs, problem.box.names[c]) == network.inputs.end())
        section.refuse(
            "'" + problem.box.names[c] + "' is cut, and the fields of '" + network.name + "' do not depend on it",
            "cut coordinates that all fields depend on");
}

}  // namespace

void read_decompose(Section& root, Problem& problem) {
  auto section = root.section("decompose");
  if (!section) return;
  problem.decompose.points = usual_points(problem.box.dimension());
  double parts = 1;
  for (int c = 0; c < problem.box.dimension(); ++c) {
    const auto item = section->find(problem.box.names[c]);
    problem.decompose.planes.push_back(item ? read_planes(*item, problem.box, c) : std::vector<double>{});
    parts *= problem.decompose.along(c);
  }
  if (problem.box.index_of("points") < 0) section->read("points", problem.decompose.points, {.low = 1, .high = 1e6});
  section->finish();
  if (problem.box.time >= 0 && problem.decompose.along(problem.box.time) > 1 && root.has("windows"))
    section->refuse("windows cut time too", "cut it by one of them: parts are solved at once, windows in turn");
  if (parts > kMostParts) section->refuse(fmt::format("{:.3g} parts; at most {}", parts, kMostParts));
  check_names(*section, problem);
  join_parts(problem);
}

}  // namespace pecann::problem
