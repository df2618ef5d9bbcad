#include "pecann/sampling/region.h"

#include <cstdio>
#include <numeric>

#include "pecann/base/input_error.h"

namespace pecann::sampling {

std::string Region::text() const {
  const std::string quoted = "\"" + name() + "\"";
  if (!choice_.closed && !choice_.after_start) return quoted;
  return "{ region = " + quoted + (choice_.closed ? ", closed = true" : "") +
         (choice_.after_start ? ", after_start = true" : "") + " }";
}

double Region::count(const PointRule& rule) const {
  const std::vector<double> counts = piece_counts(rule);
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

void refuse_points(std::string value, std::string rule, std::string hint) {
  InputError::Parts parts;
  parts.key = "points";
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = std::move(hint);
  throw InputError(std::move(parts));
}

void require_reasonable(double count, int dimension) {
  if (count <= kMostPoints) return;
  const double gigabytes = count * dimension * static_cast<double>(sizeof(double)) / 1e9;
  char text[160];
  std::snprintf(text, sizeof text,
                "%.3g points need %.3g GB (%.3g bytes) for their coordinates alone; at most %.0e points", count,
                gigabytes, gigabytes * 1e9, kMostPoints);
  refuse_points("", text, "take fewer points, or batch and redraw them");
}

}  // namespace pecann::sampling
