#include "pecann/train/parts_cost.h"

#include <algorithm>

#include "pecann/optim/frontal_cholesky.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/parts.h"
#include "pecann/problem/recommended.h"

namespace pecann::train {

bool takes_normal_equations(const problem::Problem& problem) {
  if (problem.phases.empty()) return false;
  const auto cut = problem.phases.front().options.find("cut");
  return cut != problem.phases.front().options.end() && cut->second >= optim::FrontalCholesky::kLeastDelta;
}

double products_of_parts(const problem::Problem& problem, double steps) {
  constexpr double kSmallFront = 600;  // columns: narrower fronts take as long a step as if they had these more
  double own = 0;                      // columns of a part
  for (const problem::NetworkSpec& network : problem.networks) own += problem::count_parameters(network);
  problem::Problem without_joints = problem;
  std::erase_if(without_joints.terms, [](const problem::TermSpec& term) { return term.joint; });
  const double rows = problem::count_residuals(without_joints), joints = problem::count_residuals(problem) - rows;
  const double columns = own * problem::count_parts(problem);
  const double front = own * problem::Parts(problem.box, problem.decompose.planes).widest_front() + kSmallFront;
  // The normal equations: a symmetric matrix halves the products, which take half of the time; a joint has two parts.
  // The rows themselves: each meets a triangle of its part, those of joints and the triangles the whole front.
  const double products = takes_normal_equations(problem)
                              ? rows * own * own + 4 * joints * own * own + columns * front * front
                              : rows * own * own + (joints + columns) * front * front;
  return problem.windows.count * steps * products;
}

}  // namespace pecann::train
