#include "pecann/sampling/points.h"

#include <algorithm>

#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

AlignedVector<double> chosen_of(const AlignedVector<double>& values, std::span<const std::size_t> chosen) {
  AlignedVector<double> result;
  result.reserve(round_up(chosen.size(), kLanes));
  for (const std::size_t i : chosen) result.push_back(values[i]);
  result.resize(round_up(chosen.size(), kLanes), result.empty() ? 0.0 : result.back());
  return result;
}

void append_values(const AlignedVector<double>& more, std::size_t more_count, AlignedVector<double>& values,
                   std::size_t count) {
  values.resize(count);
  values.insert(values.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(more_count));
  const double last = values.back();  // a copy: resize may move the column
  values.resize(round_up(count + more_count, kLanes), last);
}

}  // namespace

bool Box::in_space(int coordinate) const {
  return coordinate != time && std::find(family.begin(), family.end(), coordinate) == family.end();
}

int Box::index_of(const std::string& name) const {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

AlignedVector<double> padded_column(std::span<const double> values) {
  AlignedVector<double> column;
  column.reserve(round_up(values.size(), kLanes));
  column.assign(values.begin(), values.end());
  column.resize(round_up(values.size(), kLanes), values.empty() ? 0.0 : values.back());
  return column;
}

void PointSet::set_column(const std::string& name, std::span<const double> values) {
  require(values.size() == count, "a column has one value per point");
  columns[name] = padded_column(values);
}

const double* PointSet::column(const std::string& name) const {
  const auto found = columns.find(name);
  return found == columns.end() ? nullptr : found->second.data();
}

PointSet subset(const PointSet& points, std::span<const std::size_t> chosen) {
  PointSet result;
  result.count = chosen.size();
  for (const auto& coordinate : points.coordinates) result.coordinates.push_back(chosen_of(coordinate, chosen));
  for (const auto& [name, values] : points.columns) result.columns.emplace(name, chosen_of(values, chosen));
  return result;
}

void append(const PointSet& more, PointSet& points) {
  if (more.count == 0) return;
  if (points.count == 0) {
    points = more;
    return;
  }
  require(points.columns.size() == more.columns.size(), "sets that are joined have the same columns");
  for (std::size_t c = 0; c < points.coordinates.size(); ++c)
    append_values(more.coordinates[c], more.count, points.coordinates[c], points.count);
  for (auto& [name, values] : points.columns) {
    const auto found = more.columns.find(name);
    require(found != more.columns.end(), "sets that are joined have the same columns");
    append_values(found->second, more.count, values, points.count);
  }
  points.count += more.count;
}

PointSet single_point(std::span<const double> coordinates) {
  PointSet point;
  point.count = 1;
  for (const double value : coordinates) point.coordinates.emplace_back(point.padded(), value);
  return point;
}

}  // namespace pecann::sampling
