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
  std::string file;                         // of the problem, for messages
  std::string name;                         // the reference, as the problem calls it
  std::vector<std::string> fields;          // of the networks
  std::map<std::string, double> constants;  // of the problem
  sampling::Box domain;                     // of the problem
  sampling::Box part;                       // all of it, or one of its time windows
  std::vector<int> grid;                    // nodes per coordinate of a grid over the part, ends included
};

class ReferenceSolution {
 public:
  virtual ~ReferenceSolution() = default;
  virtual bool knows(const std::string& quantity) const = 0;
  /// Where it is known, of the part; null: at the nodes of the grid, the first coordinate fastest.
  virtual const sampling::PointSet* points() const { return nullptr; }
  /// [point], of a quantity that it knows.
  virtual std::vector<double> values(const std::string& quantity) const = 0;
  /// The measures that it offers (registry.h) by name, of a prediction at the same places.
  virtual std::map<std::string, double> measures(std::span<const double> /*predicted*/) const { return {}; }
};

}  // namespace pecann::reference
