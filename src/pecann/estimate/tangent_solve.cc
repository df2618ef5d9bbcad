#include "pecann/estimate/tangent_solve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pecann/base/random_stream.h"
#include "pecann/estimate/equation_rows.h"
#include "pecann/estimate/fresh_points.h"
#include "pecann/expr/replace_fields.h"
#include "pecann/optim/dense_cholesky.h"
#include "pecann/optim/dense_gram.h"

namespace pecann::estimate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kRowsPerColumn = 2.2;
constexpr double kLeastInside = 600;
constexpr double kHeldOutShare = 1.0 / 3;
constexpr std::size_t kMostTangent = 3000;  // columns; of larger networks so many are drawn at random
constexpr int kMostSteps = 8;               // of Gauss–Newton
constexpr double kUsualSteps = 3;
constexpr int kMostHalvings = 6;
constexpr double kEnough = 1.2;    // a first step that leaves this times what its linearisation says needs no second
constexpr double kLittle = 0.02;   // less than this left is as good as nothing
constexpr double kStepGain = 0.9;  // a step that leaves more of the residual than this is the last

bool is_linear(const problem::Problem& problem) {
  return std::ranges::all_of(problem.terms, [](const problem::TermSpec& term) {
    return std::ranges::all_of(term.residuals, expr::linear_in_fields);
  });
}

double points_inside(const problem::Problem& problem, std::size_t columns) {
  const auto equations = static_cast<double>(std::max<std::size_t>(equations_inside(problem), 1));
  return std::max(kLeastInside / equations, kRowsPerColumn * static_cast<double>(columns) / equations);
}

/// β of every equation, counted over all terms.
std::vector<double> condition_factors(const problem::Problem& problem, double conditions) {
  std::vector<double> factors;
  for (const problem::TermSpec& term : problem.terms)
    factors.insert(factors.end(), term.residuals.size(), fills_domain(problem, term) ? 1.0 : conditions);
  return factors;
}

/// The columns that are solved for: all, but of a large network only some.
std::vector<std::size_t> chosen_columns(const ErrorSpace& space, const RandomStream& named) {
  std::vector<std::size_t> columns(space.trained_columns());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  if (columns.size() > kMostTangent) {
    RandomStream stream = named;
    for (std::size_t i = 0; i < kMostTangent; ++i) std::swap(columns[i], columns[i + stream.below(columns.size() - i)]);
    columns.resize(kMostTangent);
    std::ranges::sort(columns);
  }
  for (std::size_t p = space.trained_columns(); p < space.size(); ++p) columns.push_back(p);
  return columns;
}

double weighted_size(std::span<const double> weights, std::span<const double> rows) {
  double sum = 0;
  for (std::size_t j = 0; j < rows.size(); ++j) sum += (weights[j] * rows[j]) * (weights[j] * rows[j]);
  return std::sqrt(sum);
}

/// ω by equation from the columns of the trained parameters, and zero for an equation that does not depend on them.
std::vector<double> equation_units(EquationRows& rows, const ErrorSpace& space, std::span<const double> factors) {
  std::vector<double> sums(factors.size(), 0.0);
  const std::vector<int> equations = rows.equations();
  rows.for_panels([&](const double* columns, std::size_t first, std::size_t count, std::size_t stride) {
    for (std::size_t j = 0; j < count; ++j) {
      double square = 0;
      for (std::size_t p = 0; p < space.trained_columns(); ++p) {
        const double entry = columns[p * stride + j];
        square += entry * entry;
      }
      sums[static_cast<std::size_t>(equations[first + j])] += square;
    }
  });
  std::vector<double> units(sums.size(), 0.0);
  for (std::size_t e = 0; e < sums.size(); ++e)
    if (sums[e] > 0) units[e] = factors[e] / std::sqrt(sums[e]);
  return units;
}

std::vector<double> row_units(const EquationRows& rows, std::span<const double> units) {
  std::vector<double> result;
  for (const int equation : rows.equations()) result.push_back(units[static_cast<std::size_t>(equation)]);
  return result;
}

}  // namespace

std::vector<double> scale_to_unit_diagonal(optim::LowerBlocks& gram) {
  std::vector<double> scale(gram.size());
  for (std::size_t c = 0; c < scale.size(); ++c) {
    const double square = gram.at(c, c);
    scale[c] = square > 0 ? 1 / std::sqrt(square) : 0;
  }
  for (std::size_t r = 0; r < scale.size(); ++r)
    for (std::size_t c = 0; c <= r; ++c) gram.at(r, c) *= scale[r] * scale[c];
  return scale;
}

namespace {

/// The sums of products of the changes of all fields on points inside: M = BᵀB.
class FieldMass {
 public:
  FieldMass(const problem::Problem& problem, const ErrorSpace& space, const WindowPoints& window) : space_(space) {
    for (std::size_t t = 0; t < problem.terms.size(); ++t)
      if (t == 0 || fills_domain(problem, problem.terms[t])) points_ = window.points[window.terms[t].point_set];
    evaluate::Term term;
    for (const problem::NetworkSpec& network : problem.networks)
      for (const std::string& field : network.fields) {
        leaves_.push_back(expr::field(field));
        term.residuals.push_back(space.with_features(leaves_.back()));
      }
    evaluator_ = std::make_unique<evaluate::Evaluator>(space.model(), std::vector{term}, std::vector{points_},
                                                       space.coordinates());
  }
  std::vector<double> times(std::span<const double> direction) {
    const std::vector<std::vector<double>> changes = space_.change(leaves_, points_, direction);
    std::vector<double> seeds(evaluator_->num_rows()), result(space_.size());
    for (const evaluate::Evaluator::RowRun& run : evaluator_->row_runs())
      for (std::size_t i = 0; i < run.count; ++i)
        seeds[run.first_row + i] = changes[static_cast<std::size_t>(run.equation)][run.first_point + i];
    evaluator_->pull_back(space_.origin(), seeds, result);
    return result;
  }

 private:
  const ErrorSpace& space_;
  sampling::PointSet points_;
  std::vector<expr::Expr> leaves_;
  std::unique_ptr<evaluate::Evaluator> evaluator_;
};

/// One linearised solve: normal equations with columns scaled to length 1, the ridge by held-out rows.
class LinearStep {
 public:
  LinearStep(EquationRows& fit, EquationRows& held_out, std::span<const double> fit_weights,
             std::span<const double> held_weights, const std::vector<std::size_t>& columns, std::size_t size)
      : columns_(columns), size_(size), gram_(columns.size()), right_(columns.size(), 0.0) {
    add_fit(fit, fit_weights);
    keep_held_out(held_out, held_weights);
  }

  /// The direction with the least held-out residual among ridges from the first one on; `left` is √(Σ ω²(r + J d)²)
  /// there.
  std::vector<double> solve(double first_ridge, double& left) {
    scale_ = scale_to_unit_diagonal(gram_);
    for (std::size_t c = 0; c < scale_.size(); ++c) right_[c] *= scale_[c];
    optim::DenseCholesky cholesky(columns_.size());
    std::vector<double> best(size_, 0.0);
    left = weighted_size(held_weights_, held_values_);
    int worse = 0;
    for (const double ridge : {1e-13, 1e-12, 1e-11, 1e-9, 1e-7, 1e-5, 1e-3}) {
      if (ridge < first_ridge || !cholesky.factor(gram_, ridge)) continue;
      least_ridge_ = std::min(least_ridge_, ridge);
      std::vector<double> step(right_);
      cholesky.solve(step);
      for (std::size_t c = 0; c < step.size(); ++c) step[c] *= -scale_[c];
      const double after = held_out_size(step);
      if (std::isfinite(after) && after < left) {
        left = after;
        std::ranges::fill(best, 0.0);
        for (std::size_t c = 0; c < step.size(); ++c) best[columns_[c]] = step[c];
        chosen_ridge_ = ridge;
        worse = 0;
      } else if (++worse == 2) {
        break;
      }
    }
    return best;
  }

  double chosen_ridge() const { return chosen_ridge_; }

  /// The change of the solution that the equations see least for its size, by inverse iteration v ← (G + λ)⁻¹ M v with
  /// the least ridge λ and the mass M of the fields; and what is left of it after solving for its opposite,
  /// λ(G + λ)⁻¹ v.
  void find_least_seen(FieldMass& mass, RandomStream& stream, WindowError& result) const {
    constexpr int kIterations = 4;
    optim::DenseCholesky cholesky(columns_.size());
    std::vector<double> part(columns_.size());
    for (double& entry : part) entry = stream.normal();
    result.probe = result.unseen = placed(part);
    if (!cholesky.factor(gram_, least_ridge_)) return;
    for (int iteration = 0; iteration < kIterations; ++iteration) {
      const std::vector<double> product = mass.times(placed(part));
      for (std::size_t c = 0; c < part.size(); ++c) part[c] = scale_[c] * product[columns_[c]];
      cholesky.solve(part);
      const std::vector<double> ones(part.size(), 1.0);
      const double size = weighted_size(ones, part);
      for (double& entry : part) entry /= size;
    }
    result.probe = placed(part);
    cholesky.solve(part);
    for (double& entry : part) entry *= least_ridge_;
    result.unseen = placed(part);
  }

 private:
  /// The direction of the space that scaled columns make.
  std::vector<double> placed(std::span<const double> part) const {
    std::vector<double> direction(size_, 0.0);
    for (std::size_t c = 0; c < part.size(); ++c) direction[columns_[c]] = scale_[c] * part[c];
    return direction;
  }

  void add_fit(EquationRows& fit, std::span<const double> weights) {
    const std::vector<double> values = fit.values();
    AlignedVector<double> packed;
    fit.for_panels([&](const double* panel, std::size_t first, std::size_t count, std::size_t stride) {
      packed.resize(columns_.size() * stride);
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const double* const column = panel + columns_[c] * stride;
        double* const target = packed.data() + c * stride;
        for (std::size_t j = 0; j < count; ++j) {
          target[j] = weights[first + j] * column[j];
          right_[c] += target[j] * (weights[first + j] * values[first + j]);
        }
      }
      product_.add_outer(packed.data(), count, stride, gram_);
    });
    optim::share_gram(gram_);
  }

  void keep_held_out(EquationRows& held_out, std::span<const double> weights) {
    held_weights_.assign(weights.begin(), weights.end());
    held_values_ = held_out.values();
    held_jacobian_.resize(columns_.size() * held_values_.size());
    held_out.for_panels([&](const double* panel, std::size_t first, std::size_t count, std::size_t stride) {
      for (std::size_t c = 0; c < columns_.size(); ++c)
        std::copy_n(panel + columns_[c] * stride, count, held_jacobian_.data() + c * held_values_.size() + first);
    });
  }

  double held_out_size(std::span<const double> step) const {
    std::vector<double> rows = held_values_;
    for (std::size_t c = 0; c < step.size(); ++c) {
      const double* const column = held_jacobian_.data() + c * rows.size();
      for (std::size_t j = 0; j < rows.size(); ++j) rows[j] += step[c] * column[j];
    }
    return weighted_size(held_weights_, rows);
  }

  const std::vector<std::size_t>& columns_;
  std::size_t size_;
  optim::LowerBlocks gram_;
  optim::GramProduct product_;
  std::vector<double> right_, scale_;
  double least_ridge_ = 1, chosen_ridge_ = 0;  // of those with a factor
  std::vector<double> held_weights_, held_values_;
  AlignedVector<double> held_jacobian_;  // [column][row]
};

}  // namespace

double solve_flops(const problem::Problem& problem, const train::Solution& solution, int window) {
  const ErrorSpace space(problem, {window, problem.windows.count}, problem.seed, solution.parameters(window), "cost");
  const auto columns =
      static_cast<double>(std::min(space.trained_columns(), kMostTangent) + space.size() - space.trained_columns());
  const double rows = 1.5 * points_inside(problem, static_cast<std::size_t>(columns)) *
                      static_cast<double>(std::max<std::size_t>(equations_inside(problem), 1));
  const double steps = is_linear(problem) ? 1 : kUsualSteps;
  return steps * (rows * columns * columns + 4 * columns * columns * columns / 3);
}

WindowError solve_error(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                        int window, const WindowError* before, const DrawSettings& draw) {
  const auto space = std::make_shared<ErrorSpace>(problem, train::Window{window, problem.windows.count}, seed,
                                                  solution.parameters(window), draw.name);
  WindowError result{space, std::vector<double>(space->size(), 0.0)};
  const std::vector<std::size_t> columns = chosen_columns(*space, RandomStream(seed, draw.name + ".columns"));
  const double inside = points_inside(problem, columns.size());
  const bool linear = is_linear(problem);
  EquationRows fit(*space, window_points(problem, solution, seed, window, before, " " + draw.name, inside), linear);
  const WindowPoints held_points =
      window_points(problem, solution, seed, window, before, " " + draw.name + " held out", kHeldOutShare * inside);
  EquationRows held_out(*space, held_points, linear);
  const std::vector<double> units = equation_units(held_out, *space, condition_factors(problem, draw.conditions));
  const std::vector<double> fit_weights = row_units(fit, units), held_weights = row_units(held_out, units);
  const double first = weighted_size(held_weights, held_out.values());
  const std::vector<double> values = held_out.values();
  bool blind = false;  // an equation with a residual that no parameter changes
  for (std::size_t j = 0; j < values.size(); ++j) blind = blind || (held_weights[j] == 0 && values[j] != 0);
  if (!std::isfinite(first) || blind) {
    result.left = kInfinity;
    return result;
  }
  if (first == 0) {
    result.left = 0;
    return result;
  }
  double least = first, ridge = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    double expected = 0;
    LinearStep linearised(fit, held_out, fit_weights, held_weights, columns, space->size());
    const std::vector<double> direction = linearised.solve(ridge, expected);
    ridge = linearised.chosen_ridge();  // later steps need not look below it
    if (step == 0) {
      RandomStream stream(seed, draw.name + ".probe");
      FieldMass mass(problem, *space, held_points);
      linearised.find_least_seen(mass, stream, result);
    }
    if (linear) {
      result.direction = direction;
      result.left = expected / first;
      result.steps = 1;
      return result;
    }
    const EquationRows::Change of_fit = fit.change_along(direction), of_held = held_out.change_along(direction);
    double share = 1, reached = kInfinity, moved = 0;
    for (int halving = 0; halving <= kMostHalvings; ++halving, share /= 2) {
      held_out.add(of_held, share - moved);
      moved = share;
      const double size = weighted_size(held_weights, held_out.values());
      if (std::isfinite(size)) reached = size;
      if (std::isfinite(size) && size < least) break;
      reached = kInfinity;
    }
    if (!(reached < least)) {
      held_out.add(of_held, -moved);
      break;
    }
    fit.add(of_fit, moved);
    for (std::size_t p = 0; p < direction.size(); ++p) result.direction[p] += moved * direction[p];
    const bool stalled = reached > kStepGain * least;
    least = reached;
    result.left = least / first;
    result.steps = step + 1;
    if (stalled || result.left <= kLittle || (step == 0 && moved == 1 && reached <= kEnough * expected)) break;
  }
  return result;
}

}  // namespace pecann::estimate
