#include "pecann/optim/lm_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "pecann/base/require.h"
#include "pecann/optim/dense_gram.h"
#include "pecann/optim/refuse.h"

namespace pecann::optim {
namespace {

// Rows that one update of the P × P matrix takes at once: the update is then bound by arithmetic, not by the traffic of
// the matrix itself. Whole tiles of the problem are joined up to this many rows.
constexpr std::size_t kPanelRows = kGramDepth;

// One cache line beyond a power of two: consecutive parameters then do not fall into the same cache set.
std::size_t padded_stride(std::size_t rows) { return round_up(rows, kLanes) + kLanes; }

std::size_t panel_end(std::span<const std::size_t> offsets, std::size_t first_tile) {
  std::size_t end = first_tile + 1;
  while (end + 1 < offsets.size() && offsets[end + 1] - offsets[first_tile] <= kPanelRows) ++end;
  return end;
}

/// Does the work and adds its wall time.
template <class Work>
void timed(double& seconds, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

double normal_form_bytes(NormalForm form, std::size_t parameters, std::size_t rows) {
  const bool primal = form == NormalForm::Primal;
  const auto p = static_cast<double>(parameters), n = static_cast<double>(rows);
  const double panel = kGramDepth;
  const double jacobian = primal ? 2 * p * panel : p * n + n * panel;                     // with its packed panel
  return 2 * LowerBlocks::bytes(primal ? parameters : rows) + jacobian * sizeof(double);  // the matrix and its factor
}

NormalForm choose_normal_form(std::size_t parameters, std::size_t rows, double memory_limit) {
  const double primal = normal_form_bytes(NormalForm::Primal, parameters, rows);
  const double dual = normal_form_bytes(NormalForm::Dual, parameters, rows);
  const NormalForm smaller = parameters <= rows ? NormalForm::Primal : NormalForm::Dual;
  const NormalForm other = parameters <= rows ? NormalForm::Dual : NormalForm::Primal;
  if (normal_form_bytes(smaller, parameters, rows) <= memory_limit) return smaller;
  if (normal_form_bytes(other, parameters, rows) <= memory_limit) return other;
  const double bytes = std::min(primal, dual);
  refuse("optimizer", "lm",
         fmt::format("{} parameters and {} residuals need {:.3g} GB ({:.0f} bytes), the limit is {:.3g} GB", parameters,
                     rows, bytes / 1e9, bytes, memory_limit / 1e9),
         "use lbfgs, a smaller network or fewer points");
}

NormalEquations::NormalEquations(NormalForm form, std::size_t parameters, std::size_t rows)
    : form_(form),
      parameters_(parameters),
      rows_(rows),
      gram_(form == NormalForm::Primal ? parameters : rows),
      cholesky_(gram_.size()),
      row_solution_(form == NormalForm::Dual ? rows : 0) {}

void NormalEquations::build(LeastSquares& problem) {
  require(fits(problem.size(), problem.num_rows()), "the normal equations were made for another size");
  timed(seconds_.gram, [&] { gram_.set_zero(); });
  form_ == NormalForm::Primal ? build_primal(problem) : build_dual(problem);
  timed(seconds_.gram, [&] { share_gram(gram_); });
}

void NormalEquations::build_primal(LeastSquares& problem) {
  const std::span<const std::size_t> offsets = problem.row_offsets();
  for (std::size_t first = 0; first + 1 < offsets.size();) {
    const std::size_t end = panel_end(offsets, first);
    const std::size_t depth = offsets[end] - offsets[first];
    const std::size_t stride = padded_stride(std::max(depth, kPanelRows));
    if (columns_.size() < parameters_ * stride) columns_.resize(parameters_ * stride);
    problem.jacobian(first, end - first, columns_.data(), stride);
    timed(seconds_.gram, [&] { product_.add_outer(columns_.data(), depth, stride, gram_); });
    first = end;
  }
}

void NormalEquations::build_dual(LeastSquares& problem) {
  const std::size_t stride = padded_stride(rows_);
  columns_.resize(parameters_ * stride);
  problem.jacobian(0, problem.row_offsets().size() - 1, columns_.data(), stride);
  timed(seconds_.gram, [&] { product_.add_inner(columns_.data(), parameters_, stride, gram_); });
}

bool NormalEquations::factor(double damping) {
  bool positive = false;
  timed(seconds_.factor, [&] { positive = cholesky_.factor(gram_, damping); });
  return positive;
}

void NormalEquations::solve(LeastSquares& problem, std::span<const double> v, std::span<const double> pulled,
                            std::span<double> step) {
  if (form_ == NormalForm::Primal) {
    if (pulled.empty()) {
      problem.pull_back(v, step);
    } else {
      std::copy(pulled.begin(), pulled.end(), step.begin());
    }
    timed(seconds_.solve, [&] { cholesky_.solve(step); });
  } else {
    std::copy(v.begin(), v.end(), row_solution_.begin());
    timed(seconds_.solve, [&] { cholesky_.solve(row_solution_); });
    problem.pull_back(row_solution_, step);
  }
  for (double& entry : step) entry = -entry;
}

}  // namespace pecann::optim
