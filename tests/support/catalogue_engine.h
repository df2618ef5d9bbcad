// A catalogue problem made small and assembled as training does it.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/train/assembly.h"
#include "support/engine_problem.h"

namespace pecann::test {

struct CatalogueEngine {
  explicit CatalogueEngine(problem::Problem given)
      : problem(std::move(given)),
        nothing(problem, problem.seed),
        assembly(problem, problem.seed, {0, problem.windows.count}, nothing) {}

  evaluate::Evaluator& evaluator() { return assembly.evaluator(); }

  problem::Problem problem;
  train::Solution nothing;
  train::Assembly assembly;
};

inline std::vector<std::string> catalogue_names() {
  std::vector<std::string> names;
  for (const problem::CatalogueEntry& entry : problem::catalogue()) names.push_back(entry.name);
  return names;
}

/// A catalogue name such as "gallery/beam" as a part of a test's name.
inline std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace pecann::test
