#include "pecann/train/residual_rows.h"

#include "pecann/train/timings.h"

namespace pecann::train {

std::span<const optim::Residuals::Run> ResidualRows::runs() const {
  const std::span<const evaluate::Term> terms = evaluator_->terms();
  std::vector<int> first_equation = {0};
  for (const evaluate::Term& term : terms)
    first_equation.push_back(first_equation.back() + static_cast<int>(term.residuals.size()));
  runs_.clear();
  for (const auto& run : evaluator_->row_runs()) {
    const evaluate::Term& term = terms[run.term];
    const bool constraint = term.role == problem::Role::Constraint;
    runs_.push_back(
        {run.first_row, run.count, first_equation[run.term] + run.equation, constraint, constraint ? 1 : term.weight});
  }
  return runs_;
}

void ResidualRows::values(std::span<const double> x, std::span<double> rows) {
  const Stopwatch watch(seconds_);
  evaluator_->residuals(x, rows);
  const std::span<const double> factors = evaluator_->row_scale();
  for (std::size_t j = 0; j < rows.size(); ++j) rows[j] *= factors[j];
}

void ResidualRows::jacobian(std::span<const double> x, std::size_t first_tile, std::size_t num_tiles, double* columns,
                            std::size_t stride) {
  const Stopwatch watch(seconds_);
  evaluator_->jacobian(x, evaluator_->row_scale(), first_tile, num_tiles, columns, stride);
}

std::span<const optim::Residuals::Block> ResidualRows::blocks() const {
  const evaluate::Model& model = evaluator_->model();
  blocks_.clear();
  if (model.parts().count() == 1) return blocks_;
  for (std::size_t n = 0; n < model.networks().size(); ++n)
    blocks_.push_back({model.network_offset(static_cast<int>(n)), model.networks()[n].num_parameters()});
  return blocks_;
}

void ResidualRows::jacobian(std::span<const double> x, std::span<const std::size_t> tiles,
                            std::span<const std::ptrdiff_t> first_column, double* columns, std::size_t stride) {
  const Stopwatch watch(seconds_);
  evaluator_->jacobian(x, evaluator_->row_scale(), tiles, first_column, columns, stride);
}

}  // namespace pecann::train
