// A trained solution as one C++17 header without dependencies: weights and functions for the fields and their first and
// second derivatives, for programs that want the answer without linking pecann.
#pragma once

#include <string>

#include "pecann/problem/problem.h"
#include "pecann/train/solution.h"

namespace pecann::results {

/// The text of the header. Functions take all coordinates of the problem in its order: u(x, t), u_x(x, t),
/// u_xt(x, t), …; u_jet gives value, gradient and Hessian at once. Inferred parameters are constants.
/// `origin` is named in the comment on top. Names that C++ keeps for itself or that are taken (the jet of u beside a
/// parameter u_jet) have an underscore more at their end (results/cpp_names.h): the header compiles for every problem.
std::string export_header(const problem::Problem& problem, const train::Solution& solution,
                          const std::string& name_space, const std::string& origin);

/// Writes export_header of a run's trial (0: the best) to `path`; the namespace is the file's stem made a C++ name.
void export_header_file(const std::string& run_folder, int trial, const std::string& path);

}  // namespace pecann::results
