#include "pecann/accuracy/means.h"

#include <algorithm>
#include <cmath>

#include "pecann/accuracy/continuation.h"

namespace pecann::accuracy {
namespace {

/// True when the first is at most so much of the second: estimates, or residuals where none is trusted and both are
/// known.
bool smaller_by(double share, const Outcome& a, const Outcome& b) {
  const double of_a = a.evidence.residual, of_b = b.evidence.residual;
  if (!a.trusted && !b.trusted && !std::isnan(of_a) && !std::isnan(of_b))
    return std::isfinite(of_a) && of_a <= share * of_b;
  return std::isfinite(a.error) && a.error <= share * b.error;
}

}  // namespace

std::vector<Own> of_means(TriedSpan all, Means means) {
  std::vector<Own> own;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].attempt.means == means) own.push_back({static_cast<int>(i), &all[i]});
  return own;
}

bool helped(TriedSpan all, const std::vector<Own>& own) {
  if (own.empty() || own.back().tried->outcome.failed) return false;
  const Outcome& last = own.back().tried->outcome;
  const Outcome* best = nullptr;
  for (const Tried& tried : all.first(static_cast<std::size_t>(own.back().place)))
    if (!tried.outcome.failed && (best == nullptr || better(tried.outcome, *best))) best = &tried.outcome;
  if (best == nullptr) return true;
  if (last.trusted != best->trusted) return last.trusted;
  return smaller_by(kHelps, last, *best);
}

const Own* best_network(const std::vector<Own>& own) {
  const Own* best = nullptr;
  for (const Own& one : own)
    if (!one.tried->outcome.failed && (best == nullptr || better(one.tried->outcome, best->tried->outcome)))
      best = &one;
  return best;
}

std::vector<Own> trained_whole(TriedSpan tried) {
  std::vector<Own> all;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    const Means means = tried[i].attempt.means;
    const bool of_networks =
        means != Means::Features && means != Means::WindowsFeatures && means != Means::PartsFeatures;
    if (of_networks && tried[i].attempt.problem.windows.count == 1) all.push_back({static_cast<int>(i), &tried[i]});
  }
  return all;
}

bool networks_open(const problem::Problem& problem) {
  return problem.training_open || named_continuation(problem).has_value();
}

}  // namespace pecann::accuracy
