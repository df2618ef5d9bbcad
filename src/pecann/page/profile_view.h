// Lines through the fields of a run, over all of its trials: the field itself where it has one coordinate, cuts through
// its map where it has two.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::page {

struct Profile {
  std::string field;
  std::string coordinate;  // along the line
  std::string cut;         // the coordinate that is held …
  double place = 0;        // … here; empty and 0 where the field has one coordinate
  std::vector<double> axis;
  std::vector<float> best, mean, deviation;  // the best trial; mean and standard deviation with several
  std::vector<float> exact;                  // empty where it is not known
};

/// The cuts that problem.report.profiles asks for; by default five times of a map over time. `best` is
/// an index into `trials`.
std::vector<Profile> field_profiles(const problem::Problem& problem, std::span<const train::Solution> trials,
                                    std::size_t best);

}  // namespace pecann::page
