// A field prepared for the page: values on a grid that a browser can hold, with the exact solution's
// error where there is one.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::page {

struct FieldView {
  std::string name;
  std::vector<std::string> coordinates;   // of the picture: one (a curve) or two (a map); time is the last of two
  std::vector<std::vector<double>> axes;  // their nodes
  std::string slider;                     // the coordinate of the frames; empty: one frame
  std::vector<double> frames;             // its values
  std::map<std::string, double> fixed;    // the other coordinates, held in the middle or frozen by evaluate.at
  std::vector<float> prediction;          // [frame][second][first]
  std::vector<float> error;               // prediction − exact in double precision, rounded; empty without an exact
                                          // solution, one frame (the last) with evaluate.final_only
  std::vector<std::vector<std::vector<double>>> outline;  // of maps in space: curves that bound the domain
  bool sigmoid = false;                                   // the values are in [0, 1], and the level ½ is an interface
};

/// One view for each field and each function of fields. `budget` bounds the numbers (prediction and error)
/// of all of them together.
std::vector<FieldView> field_views(const problem::Problem& problem, const train::Solution& solution,
                                   std::size_t budget);

/// Pictures of the fields that have two coordinates in space and time, at the times problem.report.snapshots (by
/// default five) and contour_times; they have no errors.
std::vector<FieldView> snapshot_views(const problem::Problem& problem, const train::Solution& solution);

/// The curves that bound the domain on a map with these coordinates; none where the map does not show all of space.
std::vector<std::vector<std::vector<double>>> map_outline(const problem::Problem& problem,
                                                          const std::vector<std::string>& coordinates);

/// The networks of the problem; functions that have an exact solution, and then others of the fields, follow as the
/// fields of one more.
std::vector<problem::NetworkSpec> shown_networks(const problem::Problem& problem);

}  // namespace pecann::page
