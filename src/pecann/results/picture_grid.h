// The nodes that a picture of a field is made on: one coordinate makes a curve, two a map, a third (time before
// others) its frames; further ones stay in the middle, or where evaluate.at freezes them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/sampling/points.h"

namespace pecann::results {

struct PictureGrid {
  std::vector<std::string> coordinates;   // of the picture, at most two; time is the last of two
  std::vector<std::vector<double>> axes;  // their nodes
  std::string slider;                     // the coordinate of the frames; empty: one frame
  std::vector<double> frames;             // its values
  std::map<std::string, double> fixed;    // the other coordinates that the field depends on
  std::vector<int> nodes;                 // along every coordinate of the problem; 1 along those that are fixed
  std::vector<int> places;                // of `coordinates` among those of the problem
  int slider_place = -1;                  // of `slider`; -1: none
  sampling::PointSet points;              // the first coordinate of the problem runs fastest

  /// Values at the points, as [frame][second][first].
  std::vector<float> ordered(const std::vector<double>& values) const;
};

/// The grid for a field of a network, with about `budget` points where it is a map. With `frames` given, these are the
/// values of its slider, and a map has `framed_nodes` along each axis.
PictureGrid picture_grid(const problem::Problem& problem, const problem::NetworkSpec& network, const std::string& field,
                         double budget, const std::vector<double>& frames = {}, int framed_nodes = 0);

/// The coordinates that a field depends on, without those frozen by evaluate.at, in the problem's order with time last.
std::vector<std::string> field_coordinates(const problem::Problem& problem, const problem::NetworkSpec& network,
                                           const std::string& field);

}  // namespace pecann::results
