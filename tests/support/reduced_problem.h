// A problem of the catalogue made small enough for a test.
#pragma once

#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann {

/// Changes that leave the problem what it is, but small: about 48 points a region, at most two windows,
/// a few epochs a phase.
inline std::vector<std::string> reduced(const problem::Problem& problem, int adam_epochs = 150, int other_epochs = 4) {
  std::vector<std::string> changes;
  const auto nodes = [&](int count) {
    std::string text;
    for (int c = 0; c < problem.box.dimension(); ++c) text += (c == 0 ? "[" : ", ") + std::to_string(count);
    return text + "]";
  };
  for (const problem::TermSpec& term : problem.terms) {
    if (!term.points_of.empty() || !term.points_file.empty()) continue;
    if (term.points.kind == sampling::PointRule::Kind::Grid) {
      changes.push_back("term." + term.name + ".points.grid=" + nodes(problem.box.dimension() == 1 ? 50 : 9));
    } else if (term.points.kind == sampling::PointRule::Kind::Gauss) {
      changes.push_back("term." + term.name + ".points.gauss=" + nodes(problem.box.dimension() == 1 ? 20 : 6));
    } else {
      constexpr const char* kKinds[] = {"grid", "gauss", "sobol", "uniform", "latin"};
      changes.push_back("term." + term.name + ".points." + kKinds[static_cast<int>(term.points.kind)] + "=48");
    }
    if (term.near)
      changes.insert(changes.end(),
                     {"term." + term.name + ".points.near=48", "term." + term.name + ".points.pool=500"});
  }
  const bool chosen = !problem.recommendation.empty();  // phases that the file does not have
  if (chosen) changes.push_back("stop.epochs=" + std::to_string(10 * other_epochs));
  for (std::size_t p = 0; p < problem.phases.size() && !chosen; ++p) {
    const int epochs = problem.phases[p].optimizer == "adam" ? adam_epochs : other_epochs;
    changes.push_back("phase." + std::to_string(p + 1) + ".epochs=" + std::to_string(epochs));
  }
  if (problem.windows.count > 2) changes.push_back("windows.count=2");
  if (!problem.windows.check.empty()) changes.push_back("windows.check={}");  // a few epochs pass none
  changes.push_back("evaluate.grid=" + nodes(5));
  return changes;
}

}  // namespace pecann
