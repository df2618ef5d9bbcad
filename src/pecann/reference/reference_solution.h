// A solution that fields are compared with where the problem has none in closed form ([exact]).
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/sampling/points.h"

namespace pecann::reference {

/// What a reference solution is made for: the problem as far as references look at it, and where values are wanted.
struct Subject {
  std::string file;                         // the problem's file, for messages
  std::string name;                         // the reference, as the problem calls it
  std::vector<std::string> fields;          // the networks' fields
  std::map<std::string, double> constants;  // the problem's constants
  sampling::Box domain;                     // the problem's box
  sampling::Box part;                       // all of the box, or one of its time windows
  std::vector<int> grid;                    // nodes per coordinate of a grid over the part, ends included
};

class ReferenceSolution {
 public:
  virtual ~ReferenceSolution() = default;
  virtual bool knows(const std::string& quantity) const = 0;
  /// The points of the part where the solution is known; null where these are the nodes of the grid, the
  /// first coordinate fastest.
  virtual const sampling::PointSet* points() const { return nullptr; }
  /// The values at these points of a quantity that the solution knows.
  virtual std::vector<double> values(const std::string& quantity) const = 0;
  /// The measures that the reference offers (registry.h), by name, of a prediction at the same points.
  virtual std::map<std::string, double> measures(std::span<const double> /*predicted*/) const { return {}; }
};

}  // namespace pecann::reference
