#include "pecann/accuracy/next_attempt.h"

#include <cmath>
#include <vector>

#include "pecann/accuracy/means.h"

namespace pecann::accuracy {
namespace {

using Proposal = std::optional<Attempt> (*)(Planner&, TriedSpan);

/// Cheap means first; windows before other means where the best network fails at late times.
std::vector<Proposal> means_in_order(TriedSpan tried) {
  const std::vector<Own> networks = trained_whole(tried);
  const Own* const best = best_network(networks);
  if (best != nullptr && fails_late(best->tried->outcome.evidence))
    return {features,     parts_features, windows_features, network,    windows_network,
            continuation, fresh_points,   larger_network,   other_start};
  return {features,     parts_features, windows_features, network,    continuation,
          fresh_points, larger_network, windows_network,  other_start};
}

}  // namespace

const char* name_of(Means means) {
  switch (means) {
    case Means::Features:
      return "features";
    case Means::PartsFeatures:
      return "features in parts";
    case Means::WindowsFeatures:
      return "windows of features";
    case Means::Network:
      return "network";
    case Means::Continuation:
      return "continuation";
    case Means::FreshPoints:
      return "fresh points";
    case Means::LargerNetwork:
      return "larger network";
    case Means::WindowsNetwork:
      return "windows of networks";
    case Means::OtherStart:
      return "other start";
  }
  return "";
}

bool better(const Outcome& a, const Outcome& b) {
  if (a.failed != b.failed) return b.failed;
  if (a.of_another.empty() != b.of_another.empty()) return a.of_another.empty();
  if (a.trusted != b.trusted) return a.trusted;
  const double of_a = a.evidence.residual, of_b = b.evidence.residual;
  const bool known = !std::isnan(of_a) && !std::isnan(of_b);  // infinite ones are known to be bad
  if (!a.trusted && known && of_a != of_b) return of_a < of_b;
  return a.error < b.error;
}

const train::FeatureSearch& Planner::probed(const problem::Problem& cut) {
  const auto known = probes_.find(cut.windows.count);
  return known != probes_.end() ? known->second
                                : probes_[cut.windows.count] = train::find_features(
                                      cut, {.products = train::affordable_products(cut) / cut.windows.count});
}

std::optional<Attempt> Planner::next(TriedSpan tried) {
  for (const Proposal means : means_in_order(tried))
    if (std::optional<Attempt> attempt = means(*this, tried)) return attempt;
  return std::nullopt;
}

}  // namespace pecann::accuracy
