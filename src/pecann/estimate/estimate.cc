#include "pecann/estimate/estimate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "pecann/base/parallel.h"
#include "pecann/base/require.h"
#include "pecann/estimate/finer_parts.h"
#include "pecann/estimate/fresh_points.h"
#include "pecann/estimate/maps_of_error.h"
#include "pecann/estimate/obstacle.h"
#include "pecann/estimate/standard_errors.h"
#include "pecann/estimate/three_solutions.h"
#include "pecann/expr/replace_fields.h"
#include "pecann/problem/inequality_terms.h"
#include "pecann/problem/joints.h"
#include "pecann/problem/scope.h"
#include "pecann/train/choose_training.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/handed_over.h"
#include "pecann/train/held_out.h"

namespace pecann::estimate {
namespace {

constexpr double kProductsOfReference = 6e10;      // of a solve that a trained solution is compared with
constexpr double kFlopsPerSecond = 2e10;           // of one thread with AVX-512; half of them with AVX2
constexpr double kRounding = 1e-8;                 // residuals below this share of the zero solution's may be rounding
constexpr double kFactor = 2, kGoodFactor = 1.25;  // within which a trusted and a good estimate lie
constexpr int kSolveSteps = 12;                    // of Gauss–Newton on features
constexpr std::uint64_t kOtherSeed = 1'000'003;

using Values = std::vector<std::vector<double>>;  // [field][point]

std::vector<double> difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> result(a.begin(), a.end());
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= b[i];
  return result;
}

std::string percent(double share) {
  return share < 0.0095 ? fmt::format("{:.1g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

}  // namespace

class Cascade {
 public:
  Cascade(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
          const EstimateOptions& options)
      : problem_(problem), solution_(solution), seed_(seed), options_(options) {}

  /// Of the first look: the error equation, or a solve again, and the standard errors before it.
  double likely_seconds() {
    names_ = problem::field_names(problem_);
    double seconds = 0;
    if (!problem_.parameters.empty() && solution_.num_windows() == problem_.windows.count)
      seconds += scalar_flops(problem_, solution_) / flops_per_second();
    if (!obstacle_to_estimate(problem_, solution_).empty()) return seconds;
    const std::optional<train::FeatureChoice> features = features_of(problem_);
    if (problem::count_parts(problem_) > 1) return seconds + (features ? parts_seconds() : 0);
    return seconds + (features ? again_seconds(*features) : tangent_seconds());
  }

  ErrorEstimate run() {
    const auto begin = std::chrono::steady_clock::now();
    result_.problem_ = &problem_;
    results::RunEstimate& summary = result_.summary_;
    summary.trial = options_.trial;
    if (!problem_.parameters.empty() && solution_.num_windows() == problem_.windows.count)
      summary.scalars = scalar_estimates(problem_, solution_, seed_);
    if (const std::string reason = obstacle_to_estimate(problem_, solution_); !reason.empty()) {
      summary.decided = "not trusted: " + reason;
    } else {
      prepare();
      if (problem::count_parts(problem_) > 1) {
        if (!finer_parts()) result_.summary_.decided = "not trusted: " + words_;
      } else if (features_of(problem_)) {
        if (!solve_again() && tangent()) add_words(words_);
      } else if (tangent() && !all_good() && determined_) {
        if (!other_solution()) add_words(words_);
      }
      if (result_.has_error()) summary.maps = maps_of_error(problem_, solution_, result_);
    }
    summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return std::move(result_);
  }

 private:
  void prepare() {
    points_ = points_of_norm(problem_);
    names_ = problem::field_names(problem_);
    for (const std::string& name : names_) readings_.push_back(train::evaluation_reading(problem_, name));
    solution_.evaluate(readings_, points_, trained_);
  }

  bool all_good() const { return std::ranges::all_of(result_.summary_.fields, &results::FieldEstimate::good); }

  bool fits(double seconds) const { return seconds <= options_.most_seconds; }

  /// Solves the error equation of all windows, with errors handed over.
  std::vector<WindowError> draw(const DrawSettings& settings) const {
    std::vector<WindowError> windows;
    windows.reserve(static_cast<std::size_t>(solution_.num_windows()));
    for (int w = 0; w < solution_.num_windows(); ++w)
      windows.push_back(solve_error(problem_, solution_, seed_, w, w > 0 ? &windows.back() : nullptr, settings));
    return windows;
  }

  static double flops_per_second() { return kFlopsPerSecond * std::min(thread_count(), 4); }

  double tangent_seconds() const {
    return 2 * solution_.num_windows() * solve_flops(problem_, solution_, 0) / flops_per_second();
  }

  /// The first look: false where it cannot be paid.
  bool tangent() {
    const double seconds = tangent_seconds();
    if (!fits(seconds)) {
      result_.summary_.decided =
          fmt::format("left out: it would take about {:.0f} s (`pecann estimate` makes it)", seconds);
      return false;
    }
    spent_ = seconds;
    result_.windows_ = draw({"first draw", 3});
    const Values first = result_.corrected(readings_, points_), unseen = along(result_.windows_, true),
                 probe = along(result_.windows_, false);
    double left = worst(result_.windows_);
    std::optional<Values> second;
    if (left <= kTrustedLeft) {  // else a second draw has nothing to say
      ErrorEstimate other;
      other.problem_ = &problem_;
      other.windows_ = draw({"second draw", 30});
      second = other.corrected(readings_, points_);
      left = std::max(left, worst(other.windows_));
    }
    double largest_probe = 0;
    for (const std::vector<double>& values : probe) largest_probe = std::max(largest_probe, size_of(values));
    for (std::size_t f = 0; f < names_.size(); ++f) {
      const std::vector<double> error = difference(first[f], trained_[f]);
      const double size = size_of(error);
      results::FieldEstimate field{.field = names_[f], .relative_l2 = size / size_of(first[f])};
      const double hidden = size_of(unseen[f]) / largest_probe;
      double agree = std::numeric_limits<double>::infinity();
      if (second) {
        const double other = size_of(difference((*second)[f], trained_[f]));
        agree = size_of(difference(first[f], (*second)[f])) / std::max(size, other);
      }
      const bool seen = hidden <= kMostUnseen;
      determined_ = determined_ && seen;
      if (size == 0 && !(left <= kTrustedLeft))  // nothing that was found makes the residual smaller
        field.relative_l2 = std::numeric_limits<double>::quiet_NaN();
      field.trusted = left <= kTrustedLeft && agree <= kTrustedAgree && seen && std::isfinite(field.relative_l2);
      field.good = field.trusted && left <= kGoodLeft && agree <= kGoodAgree;
      if (!std::isfinite(left)) {
        field.decided = "the error equation could not be solved";
      } else if (!seen && left <= kTrustedLeft) {
        field.decided =
            fmt::format("the equations leave {} of a change of it unseen: is a condition missing?", percent(hidden));
      } else {
        field.decided = fmt::format("the error equation leaves {} of the residual", percent(left));
        if (second) field.decided += fmt::format(", two draws differ by {}", percent(agree));
      }
      bound(field);
      result_.summary_.fields.push_back(std::move(field));
    }
    return true;
  }

  static double worst(const std::vector<WindowError>& windows) {
    double left = 0;
    for (const WindowError& window : windows) left = std::max(left, window.left);
    return left;
  }

  /// What of a change the equations do not see, or the change itself, over all windows.
  Values along(const std::vector<WindowError>& windows, bool unseen) const {
    ErrorEstimate changed;
    changed.problem_ = &problem_;
    changed.windows_ = windows;
    for (WindowError& window : changed.windows_) {
      window.direction = unseen ? window.unseen : window.probe;
      window.direction.resize(window.space->size(), 0.0);  // where nothing was solved
    }
    Values values = changed.corrected(readings_, points_);
    for (std::size_t f = 0; f < values.size(); ++f) values[f] = difference(values[f], trained_[f]);
    return values;
  }

  /// Sets the range of an estimate.
  static void bound(results::FieldEstimate& field) {
    const double factor = field.good ? kGoodFactor : kFactor;
    field.low = field.relative_l2 / factor;
    field.high = field.relative_l2 * factor;
  }

  /// The second look: another solution. False, with words, where there is none that is much better.
  bool other_solution() {
    const problem::Problem plain = for_reference(problem_);
    if (!can_solve(plain, reference_seconds())) return false;
    const train::FeatureSearch found = train::find_features(plain, {.products = kProductsOfReference});
    if (!found.choice) return fail("no features solve the problem");
    const std::shared_ptr<const Reference> reference =
        solve_reference(plain, *found.choice, found.steps, seed_ + kOtherSeed);
    if (!reference) return fail("a solve of features fails");
    const ResidualRatio ratio = compare_residuals(problem_, solution_, seed_, *reference);
    if (ratio.of_trained <= kReferenceLeft) return take(reference, ratio);
    return fail(fmt::format("features leave {:.2g} times the residual of the solution", ratio.of_trained));
  }

  /// The only look at a run that was itself a solve of features: more of them, from another seed.
  bool solve_again() {
    const problem::Problem plain = for_reference(problem_);
    train::FeatureChoice choice = *features_of(problem_);
    if (!can_solve(plain, again_seconds(choice))) return false;
    const int count = choice.count, steps = is_linear() ? 1 : kSolveSteps;
    choice.count = count * 5 / 4;
    const std::shared_ptr<const Reference> reference = solve_reference(plain, choice, steps, seed_ + kOtherSeed);
    if (!reference) return fail("another solve of features fails");
    const ResidualRatio ratio = compare_residuals(problem_, solution_, seed_, *reference);
    const bool rounding = ratio.of_zero <= kRounding;
    if (!rounding && ratio.of_trained > kReferenceLeft)
      return fail(fmt::format("more features leave {:.2g} times the residual of the solution", ratio.of_trained));
    choice.count = count * 9 / 8;
    const std::shared_ptr<const Reference> other = solve_reference(plain, choice, steps, seed_ + 2 * kOtherSeed);
    if (!other) return fail("a third solve of features fails");
    return rounding ? three_solutions(*reference, *other) : take(reference, ratio, other);
  }

  /// The only look at a solution in parts: more features in each of them, twice.
  bool finer_parts() {
    if (!features_of(problem_)) return fail("nothing is built to judge trained networks in parts of the domain");
    if (!fits(parts_seconds()))
      return fail(fmt::format("left out: it would take about {:.0f} s (`pecann estimate` makes it)", parts_seconds()));
    const std::shared_ptr<const Reference> reference =
        solve_finer_parts(problem_, seed_ + kOtherSeed, is_linear() ? 1 : kSolveSteps);
    if (!reference) return fail("a solve with more features in every part fails");
    const double ratio = residual_in_parts(problem_, solution_, seed_, *reference);
    if (!(ratio <= kPartsLeft))
      return fail(fmt::format("more features in every part leave {:.2g} times the residual", ratio));
    const std::shared_ptr<const Reference> other =
        solve_finer_parts(problem_, seed_ + 2 * kOtherSeed, is_linear() ? 1 : kSolveSteps, kLessInParts);
    if (!other) return fail("a second solve with more features in every part fails");
    return take(reference, {ratio, ratio}, other);
  }

  double parts_seconds() const {
    return finer_parts_flops(problem_, is_linear() ? 1 : kSolveSteps) / (2.5 * flops_per_second());
  }

  bool can_solve(const problem::Problem& plain, double seconds) {
    std::string obstacle = train::obstacle_to_solve(plain);
    if (obstacle.empty() && !fits(spent_ + seconds))
      obstacle = fmt::format("the time: it would take about {:.0f} s (`pecann estimate` makes it)", seconds);
    return obstacle.empty() || fail("no other solution, because of " + obstacle);
  }

  bool is_linear() const {
    return std::ranges::all_of(problem_.terms, [](const problem::TermSpec& term) {
      return std::ranges::all_of(term.residuals, expr::linear_in_fields);
    });
  }

  /// Seconds of probe and solve, from measurements (1 to 8 in the plane): they grow with coordinates, fields and steps.
  double reference_seconds() const {
    const int dimension = problem_.box.dimension();
    const double fields = static_cast<double>(names_.size());
    return (dimension == 1 ? 1 : dimension == 2 ? 6 : 20) * fields * fields * (is_linear() ? 1 : 2);
  }

  /// Seconds of two solves by orthogonal columns, 3 rows a column.
  double again_seconds(const train::FeatureChoice& choice) const {
    const double columns = 1.25 * choice.count * static_cast<double>(names_.size());
    return 2 * 6 * columns * columns * columns * (is_linear() ? 1 : kSolveSteps / 2) / (kFlopsPerSecond / 4);
  }

  bool fail(const std::string& words) {
    words_ = words;
    return false;
  }

  void add_words(const std::string& words) {
    for (results::FieldEstimate& field : result_.summary_.fields) field.decided += "; " + words;
    if (result_.summary_.fields.empty()) result_.summary_.decided += "; " + words;
  }

  /// The estimate is the difference from another solution with much smaller residuals. A third one, where given, has to
  /// be nearer to it.
  bool take(const std::shared_ptr<const Reference>& reference, const ResidualRatio& ratio,
            const std::shared_ptr<const Reference>& third = nullptr) {
    Values other, of_third;
    reference->solution->evaluate(readings_, points_, other);
    if (third) third->solution->evaluate(readings_, points_, of_third);
    result_.summary_.fields.clear();
    result_.summary_.decided.clear();
    result_.windows_.clear();
    result_.reference_ = reference;
    for (std::size_t f = 0; f < names_.size(); ++f) {
      results::FieldEstimate field{.field = names_[f],
                                   .relative_l2 = size_of(difference(other[f], trained_[f])) / size_of(other[f])};
      field.trusted = std::isfinite(field.relative_l2);
      field.good = field.trusted && ratio.of_trained <= kReferenceLeft;
      const std::string parts = problem::parts_words(problem_);
      field.decided = fmt::format("an independent solve of {} features{} leaves {} of the residual",
                                  reference->problem.networks.front().hidden.front(),
                                  parts.empty() ? "" : " in each of " + parts, percent(ratio.of_trained));
      if (third)
        judge_by_two_others(field, distances(trained_[f], other[f], of_third[f]), ratio.of_trained, kReferenceLeft);
      bound(field);
      result_.summary_.fields.push_back(std::move(field));
    }
    return true;
  }

  /// Solutions at the last digits: the size of such an error is known, its shape is not.
  bool three_solutions(const Reference& a, const Reference& b) {
    Values of_a, of_b;
    a.solution->evaluate(readings_, points_, of_a);
    b.solution->evaluate(readings_, points_, of_b);
    result_.summary_.fields.clear();
    result_.summary_.decided.clear();
    result_.windows_.clear();
    for (std::size_t f = 0; f < names_.size(); ++f) {
      results::FieldEstimate field = estimate_at_rounding(names_[f], distances(trained_[f], of_a[f], of_b[f]));
      bound(field);
      result_.summary_.fields.push_back(std::move(field));
    }
    return true;
  }

  const problem::Problem& problem_;
  const train::Solution& solution_;
  std::uint64_t seed_;
  EstimateOptions options_;
  std::vector<std::string> names_;
  std::vector<expr::Expr> readings_;
  sampling::PointSet points_;
  Values trained_;
  double spent_ = 0;        // about, in seconds
  std::string words_;       // why there is no other solution
  bool determined_ = true;  // the equations see every change of the solution
  ErrorEstimate result_;
};

bool ErrorEstimate::good() const {
  return has_error() && !summary_.fields.empty() && std::ranges::all_of(summary_.fields, &results::FieldEstimate::good);
}

Values ErrorEstimate::corrected(std::span<const expr::Expr> expressions, const sampling::PointSet& points) const {
  require(has_error(), "an estimate with an error");
  Values values;
  if (reference_) {
    reference_->solution->evaluate(expressions, points, values);
    return values;
  }
  if (windows_.size() == 1) return windows_[0].space->corrected(expressions, points, windows_[0].direction);
  values.assign(expressions.size(), std::vector<double>(points.count));
  const auto& times = points.coordinates[static_cast<std::size_t>(problem_->box.time)];
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < points.count; ++i)
      if (train::window_of_time(*problem_, times[i], static_cast<int>(windows_.size())) == static_cast<int>(w))
        own.push_back(i);
    if (own.empty()) continue;
    const Values part = windows_[w].space->corrected(expressions, sampling::subset(points, own), windows_[w].direction);
    for (std::size_t e = 0; e < part.size(); ++e)
      for (std::size_t i = 0; i < own.size(); ++i) values[e][own[i]] = part[e][i];
  }
  return values;
}

ErrorEstimate estimate_error(const problem::Problem& problem, const train::Solution& solution, std::uint64_t seed,
                             const EstimateOptions& options) {
  return Cascade(problem, solution, seed, options).run();
}

double likely_seconds(const problem::Problem& problem, const train::Solution& solution) {
  return Cascade(problem, solution, 0, {}).likely_seconds();
}

}  // namespace pecann::estimate
