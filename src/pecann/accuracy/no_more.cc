#include "pecann/accuracy/no_more.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pecann/accuracy/means.h"

namespace pecann::accuracy {
namespace {

constexpr double kMet = 1.0 / 3;  // relative residual of the equations over that of the data, at most
constexpr double kAlike = 0.05;

/// True where the data are missed by more than the equations: what is left is not for training.
bool data_are_worst(const Outcome& outcome) {
  const Evidence& evidence = outcome.evidence;
  return !outcome.failed && evidence.data > 0 && evidence.misfit > 0 && std::isfinite(evidence.misfit) &&
         evidence.physics <= kMet * evidence.misfit;
}

}  // namespace

std::string noise_decides(std::span<const Tried> tried, double asked) {
  if (tried.empty() || !data_are_worst(tried.back().outcome)) return "";
  const Outcome& last = tried.back().outcome;
  const std::string missed = fmt::format("the data are missed by {:.1e} of their size, the equations by {:.1e}",
                                         last.evidence.misfit, last.evidence.physics);
  if (last.scalar_error > asked)
    return fmt::format("{}; the standard error of {} is {:.1e} of its value", missed, last.scalar, last.scalar_error);
  const double least = last.evidence.misfit / std::sqrt(last.evidence.data);
  if (least > asked)
    return fmt::format("{}; {:.0f} of them tell nothing better than {:.1e}", missed, last.evidence.data, least);
  if (tried.size() < 2 || !data_are_worst(tried[tried.size() - 2].outcome)) return "";
  const double before = tried[tried.size() - 2].outcome.evidence.misfit;
  if (std::abs(last.evidence.misfit - before) > kAlike * before) return "";
  return missed + fmt::format(", and by {:.1e} in the attempt before", before);
}

std::string nothing_helps(std::span<const Tried> tried) {
  if (tried.size() <= kFruitless) return "";
  for (std::size_t i = tried.size() - kFruitless; i < tried.size(); ++i)
    if (helped(tried.first(i + 1), {{static_cast<int>(i), &tried[i]}})) return "";
  return fmt::format("the last {} attempts have not halved it", kFruitless);
}

}  // namespace pecann::accuracy
