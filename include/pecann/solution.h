/// \file
/// The trained fields as functions of the coordinates.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/export.h"
#include "pecann/expression.h"

namespace pecann {

namespace api {
struct SolutionData;
}
struct Result;

/// Numbers of an array of somebody's own that lie `step` numbers apart: evaluate() reads them without a copy.
struct Strided {
  const double* first = nullptr;  ///< the first number
  std::ptrdiff_t step = 1;        ///< to the next one, in numbers
};

/// A trained solution. It is cheap to copy: copies share the networks.
class PECANN_API Solution {
 public:
  /// Not for users: Problem::train makes solutions, open() reads them.
  explicit Solution(std::shared_ptr<const api::SolutionData> data) : data_(std::move(data)) {}
  /// The solution in a folder that `pecann run` or TrainOptions::folder has written; trial 0 is the best one.
  static Solution open(const std::string& folder, int trial = 0);

  /// Values of a field, a derivative or any expression of them at points [point][coordinate], in the problem's order.
  std::vector<double> evaluate(const Expression& expression, std::span<const double> points) const;
  /// The same for an expression as problem files write it: "u_xx", "exact.u - u".
  std::vector<double> evaluate(const std::string& expression, std::span<const double> points) const;
  /// The values [expression][point] of several expressions in one pass through the networks, at `count` points whose
  /// coordinates, in the problem's order, lie where they are. `threads` as in TrainOptions.
  std::vector<std::vector<double>> evaluate(std::span<const std::string> expressions,
                                            std::span<const Strided> coordinates, std::size_t count,
                                            int threads = 0) const;
  /// Which of the points [point][coordinate] belong to the domain: 1 or 0 for each. Outside a field has values too, but
  /// they mean nothing.
  std::vector<char> inside(std::span<const double> points) const;
  /// The same for coordinates that lie where they are.
  std::vector<char> inside(std::span<const Strided> coordinates, std::size_t count) const;
  /// The value at one point.
  double value(const Expression& expression, std::initializer_list<double> point) const;
  /// Names of the coordinates in the problem's order.
  const std::vector<std::string>& coordinates() const;
  /// Names of the fields, network by network.
  std::vector<std::string> fields() const;
  /// The problem as a file.
  std::string problem_text() const;
  /// All trainable numbers of a time window, as TrainOptions::start takes them.
  std::vector<double> parameters(int window = 0) const;

  /// Writes the solution on a grid (empty: the evaluation grid) as .csv, .npy, .vti or .vtu; without
  /// expressions, all fields.
  void write(const std::string& path, const std::vector<Expression>& expressions = {},
             const std::vector<int>& grid = {}) const;
  /// The same for expressions as problem files write them.
  void write_texts(const std::string& path, const std::vector<std::string>& expressions,
                   const std::vector<int>& grid = {}) const;
  /// Writes the fields and their derivatives as one C++17 header without dependencies, in the given namespace.
  void write_header(const std::string& path, const std::string& name_space) const;

 private:
  friend struct Result;  // its estimate looks into the networks
  std::shared_ptr<const api::SolutionData> data_;
};

}  // namespace pecann
