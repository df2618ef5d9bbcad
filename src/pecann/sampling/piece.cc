#include "pecann/sampling/piece.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/sampling/region.h"
#include "pecann/sampling/unit_points.h"

namespace pecann::sampling {
namespace {

constexpr int kFirstIntervals = 64, kIntervalHalvings = 8;  // the shortest interval is 2^-14 of a curve
constexpr int kFirstDepth = 3;                              // cells begin with a side of 1/8
constexpr int kTouchingDepth = 6;                           // of cells on a surface that coincides with the patch
constexpr double kWorthCells = 0.125;                       // a larger share of the cube needs no smaller cells
constexpr std::size_t kShareSamples = 1 << 13;
constexpr std::size_t kManyCorners = 64;  // a curve of so many straight pieces needs no panels in each

int last_depth(int parameters) { return parameters == 2 ? 8 : 5; }

std::vector<std::vector<double>> fixed_points(int dimension, std::size_t count) {
  RandomStream stream(1, "piece");
  return unit_points(PointRule::Kind::Sobol, dimension, count, stream);
}

/// A grid of so many nodes along each parameter, in the middles of equal parts of the unit cube.
Columns middles(int parameters, int along) {
  Columns unit(static_cast<std::size_t>(parameters));
  const int count = static_cast<int>(std::pow(along, parameters) + 0.5);
  for (int i = 0; i < count; ++i)
    for (int k = 0, rest = i; k < parameters; ++k, rest /= along) unit[k].push_back((rest % along + 0.5) / along);
  return unit;
}

/// Adds the nodes and weights of Gauss's rule with 10 points on equal panels between two ends.
void add_quadrature(double begin, double end, int panels, std::vector<double>& nodes, std::vector<double>& weights) {
  using Gauss = boost::math::quadrature::gauss<double, 10>;  // gives the positive nodes
  const double half = 0.5 * (end - begin) / panels;
  for (int p = 0; p < panels; ++p)
    for (std::size_t k = 0; k < Gauss::abscissa().size(); ++k)
      for (const double side : {-1.0, 1.0}) {
        nodes.push_back(begin + (2 * p + 1) * half + side * half * Gauss::abscissa()[k]);
        weights.push_back(half * Gauss::weights()[k]);
      }
}

}  // namespace

Piece::Piece(PatchPointer patch, Membership membership) : patch_(std::move(patch)), membership_(std::move(membership)) {
  if (patch_->parameters() == 0) {
    whole_ = belongs_at({})[0] != 0;
    measure_ = whole_ ? 1 : 0;
  } else if (patch_->parameters() == 1) {
    find_intervals();
  } else if (patch_->parameters() <= 3 && patch_->is_continuous()) {
    find_cells();
  } else {
    cells_ = {{std::vector<double>(static_cast<std::size_t>(patch_->parameters()), 0.0), 1}};
    estimate_share();
  }
}

std::vector<char> Piece::belongs_at(const Columns& unit) const {
  Columns space;
  patch_->place(unit, unit.empty() ? 1 : unit[0].size(), space);
  return membership_.belongs(space);
}

void Piece::find_intervals() {
  struct Part {
    double middle, half;
    char belongs;
  };
  std::vector<Part> open, done;
  for (int i = 0; i < kFirstIntervals; ++i) open.push_back({(i + 0.5) / kFirstIntervals, 0.5 / kFirstIntervals, 0});
  for (int depth = 0; !open.empty(); ++depth) {
    Columns unit(1), space;
    for (const Part& part : open) unit[0].push_back(part.middle);
    patch_->place(unit, open.size(), space);
    const std::vector<char> belongs = membership_.belongs(space);
    std::vector<double> clear(open.size());
    membership_.clearances(space, clear);
    std::vector<Part> next;
    for (std::size_t i = 0; i < open.size(); ++i) {
      Part part = open[i];
      part.belongs = belongs[i];
      if (clear[i] > part.half * patch_->measure() || depth == kIntervalHalvings) {
        done.push_back(part);
      } else {
        for (const double side : {-0.5, 0.5}) next.push_back({part.middle + side * part.half, 0.5 * part.half, 0});
      }
    }
    open = std::move(next);
  }
  std::sort(done.begin(), done.end(), [](const Part& a, const Part& b) { return a.middle < b.middle; });
  double begin = 0, length = 0;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const bool last = i + 1 == done.size();
    if (!last && done[i].belongs == done[i + 1].belongs) continue;
    const double end = last                   ? 1
                       : done[i].belongs != 0 ? end_between(done[i].middle, done[i + 1].middle)
                                              : end_between(done[i + 1].middle, done[i].middle);
    if (done[i].belongs != 0) {
      intervals_.push_back({begin, end});
      length += end - begin;
    }
    begin = end;
  }
  whole_ = intervals_.size() == 1 && length == 1;
  measure_ = length * patch_->measure();
}

/// The end of the piece between a parameter that belongs and one that does not, by bisection.
double Piece::end_between(double inside, double outside) const {
  while (true) {
    const double middle = 0.5 * (inside + outside);
    if (middle == inside || middle == outside) return inside;
    (belongs_at({{middle}})[0] != 0 ? inside : outside) = middle;
  }
}

void Piece::find_cells() {
  const int parameters = patch_->parameters();
  const auto size = static_cast<std::size_t>(parameters);
  const double root = std::ldexp(1.0, -kFirstDepth);
  std::vector<Cell> open;
  for (const Columns first = middles(parameters, 1 << kFirstDepth); open.size() < first[0].size();) {
    Cell cell{std::vector<double>(size), root};
    for (std::size_t k = 0; k < size; ++k) cell.lower[k] = first[k][open.size()] - 0.5 * root;
    open.push_back(std::move(cell));
  }
  const Columns corners = middles(parameters, 2);
  std::vector<Cell> cut;
  double belonging = 0;
  for (int depth = kFirstDepth; !open.empty(); ++depth) {
    Columns unit(size), space, ends(size), end_space;
    for (const Cell& cell : open)
      for (std::size_t k = 0; k < size; ++k) {
        unit[k].push_back(cell.lower[k] + 0.5 * cell.side);
        for (const double corner : corners[k]) ends[k].push_back(cell.lower[k] + (corner < 0.5 ? 0 : cell.side));
      }
    patch_->place(unit, open.size(), space);
    patch_->place(ends, ends[0].size(), end_space);
    const std::vector<char> belongs = membership_.belongs(space);
    std::vector<double> clear(open.size());
    membership_.clearances(space, clear);
    std::vector<Cell> next;
    for (std::size_t i = 0; i < open.size(); ++i) {
      double radius = 0;  // of the cell in space; curved cells reach a little further than their corners
      for (std::size_t e = i * corners[0].size(); e < (i + 1) * corners[0].size(); ++e) {
        double square = 0;
        for (std::size_t c = 0; c < space.size(); ++c)
          square += (end_space[c][e] - space[c][i]) * (end_space[c][e] - space[c][i]);
        radius = std::max(radius, 1.5 * std::sqrt(square));
      }
      Cell& cell = open[i];
      const double content = std::pow(cell.side, parameters);
      if (clear[i] > radius) {
        if (belongs[i] == 0) continue;
        belonging += content;
        cells_.push_back(std::move(cell));
      } else if (depth < (clear[i] < 1e-9 * radius ? kTouchingDepth : last_depth(parameters))) {
        for (std::size_t e = 0; e < corners[0].size(); ++e) {
          next.push_back({cell.lower, 0.5 * cell.side});
          for (std::size_t k = 0; k < size; ++k)
            if (corners[k][e] > 0.5) next.back().lower[k] += 0.5 * cell.side;
        }
      } else {
        cut.push_back(std::move(cell));
      }
    }
    open = std::move(next);
  }
  belonging += content_of(cut);
  cells_.insert(cells_.end(), cut.begin(), cut.end());
  whole_ = std::abs(belonging - 1) < 1e-12;
  measure_ = (whole_ ? 1 : belonging) * patch_->measure();
  if (belonging > kWorthCells || patch_->is_thinned()) {
    cells_ = {{std::vector<double>(size, 0.0), 1}};
    share_ = belonging;
    if (patch_->is_thinned()) estimate_share();
    return;
  }
  double total = 0;
  for (const Cell& cell : cells_) cell_ends_.push_back(total += std::pow(cell.side, parameters));
  for (double& end : cell_ends_) end /= total;
  share_ = total > 0 ? belonging / total : 0;
}

/// The content of cells that are cut, as far as it belongs, by a few points in each.
double Piece::content_of(const std::vector<Cell>& cut) const {
  const int parameters = patch_->parameters();
  const Columns inner = middles(parameters, parameters == 2 ? 4 : 2);
  constexpr std::size_t kCellsAtATime = 1024;
  double content = 0;
  for (std::size_t begin = 0; begin < cut.size(); begin += kCellsAtATime) {
    const std::size_t end = std::min(begin + kCellsAtATime, cut.size());
    Columns tried(inner.size());
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t k = 0; k < inner.size(); ++k)
        for (const double place : inner[k]) tried[k].push_back(cut[i].lower[k] + place * cut[i].side);
    const std::vector<char> belongs = belongs_at(tried);
    const auto each = static_cast<std::ptrdiff_t>(inner[0].size());
    for (std::size_t i = begin; i < end; ++i) {
      const auto first = belongs.begin() + static_cast<std::ptrdiff_t>(i - begin) * each;
      content += std::pow(cut[i].side, parameters) * static_cast<double>(std::count(first, first + each, 1)) /
                 static_cast<double>(each);
    }
  }
  return content;
}

/// Estimates the measure, and the share of candidates that are kept, from points all over the patch.
void Piece::estimate_share() {
  const Columns unit = fixed_points(patch_->parameters(), kShareSamples);
  const std::vector<char> belongs = belongs_at(unit);
  const std::vector<double> kept = patch_->kept_share(unit, kShareSamples);
  double all = 0, belonging = 0;
  for (std::size_t i = 0; i < kShareSamples; ++i) {
    all += kept[i];
    belonging += belongs[i] != 0 ? kept[i] : 0;
  }
  whole_ = belonging == all;
  measure_ = belonging / all * patch_->measure();
  share_ = belonging / static_cast<double>(kShareSamples);
}

Columns Piece::sample(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const {
  require(measure_ > 0, "an empty piece has no points");
  if (patch_->parameters() > 1) return sample_cells(kind, count, more, stream);
  return sample_intervals(kind, count, more, stream);
}

Columns Piece::sample_intervals(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const {
  const int parameters = patch_->parameters();
  Columns unit = unit_points(kind, parameters + more, count, stream);
  Columns further(unit.begin() + parameters, unit.end());
  unit.resize(static_cast<std::size_t>(parameters));
  if (parameters == 1) {
    double length = 0;
    for (const Interval& interval : intervals_) length += interval.end - interval.begin;
    for (double& value : unit[0]) {
      double rest = value * length;
      std::size_t i = 0;
      while (i + 1 < intervals_.size() && rest > intervals_[i].end - intervals_[i].begin) {
        rest -= intervals_[i].end - intervals_[i].begin;
        ++i;
      }
      value = std::min(intervals_[i].begin + rest, intervals_[i].end);
    }
  }
  Columns points;
  patch_->place(unit, count, points);
  for (std::vector<double>& column : further) points.push_back(std::move(column));
  return points;
}

/// Moves points of the unit cube into the cells: the first number chooses the cell and then the place along it.
void Piece::move_into_cells(Columns& unit) const {
  if (cells_.size() == 1) {
    const Cell& cell = cells_[0];
    for (std::size_t k = 0; k < cell.lower.size(); ++k)
      for (double& value : unit[k]) value = cell.lower[k] + cell.side * value;
    return;
  }
  for (std::size_t i = 0; i < unit[0].size(); ++i) {
    const auto at = std::upper_bound(cell_ends_.begin(), cell_ends_.end() - 1, unit[0][i]) - cell_ends_.begin();
    const Cell& cell = cells_[static_cast<std::size_t>(at)];
    const double begin = at == 0 ? 0 : cell_ends_[static_cast<std::size_t>(at) - 1];
    unit[0][i] = (unit[0][i] - begin) / (cell_ends_[static_cast<std::size_t>(at)] - begin);
    for (std::size_t k = 0; k < cell.lower.size(); ++k) unit[k][i] = cell.lower[k] + cell.side * unit[k][i];
  }
}

Columns Piece::sample_cells(PointRule::Kind kind, std::size_t count, int more, RandomStream& stream) const {
  const int parameters = patch_->parameters();
  const std::uint64_t start = stream.counter();
  for (double candidates = 1.02 * static_cast<double>(count) / share_ + 64;; candidates *= 2) {
    require_reasonable(candidates, parameters + more);
    stream.set_counter(start);
    const bool thinned = patch_->is_thinned();  // then one more number decides about every point
    Columns unit =
        unit_points(kind, parameters + more + (thinned ? 1 : 0), static_cast<std::size_t>(candidates), stream);
    const std::size_t drawn = unit[0].size();
    const Columns further(unit.begin() + parameters, unit.begin() + parameters + more);
    const std::vector<double> chance = thinned ? std::move(unit.back()) : std::vector<double>();
    unit.resize(static_cast<std::size_t>(parameters));
    move_into_cells(unit);
    Columns space;
    patch_->place(unit, drawn, space);
    std::vector<char> belongs = membership_.belongs(space);
    if (thinned) {
      const std::vector<double> kept = patch_->kept_share(unit, drawn);
      for (std::size_t i = 0; i < drawn; ++i) belongs[i] = static_cast<char>(belongs[i] != 0 && chance[i] < kept[i]);
    }
    Columns points(space.size() + further.size());
    for (std::vector<double>& column : points) column.reserve(count);
    for (std::size_t i = 0; i < drawn && points[0].size() < count; ++i) {
      if (belongs[i] == 0) continue;
      for (std::size_t c = 0; c < space.size(); ++c) points[c].push_back(space[c][i]);
      for (std::size_t c = 0; c < further.size(); ++c) points[space.size() + c].push_back(further[c][i]);
    }
    if (points[0].size() == count) return points;
  }
}

std::vector<Columns> Piece::curves() const {
  constexpr int kPoints = 200;
  const std::vector<double> corners = patch_->corners();
  std::vector<Columns> curves;
  for (const Interval& interval : intervals_) {
    std::vector<double> along;
    for (int k = 0; k <= kPoints; ++k) along.push_back(interval.begin + (interval.end - interval.begin) * k / kPoints);
    if (corners.size() <= kPoints)
      for (const double corner : corners)
        if (corner > interval.begin && corner < interval.end) along.push_back(corner);
    std::sort(along.begin(), along.end());
    patch_->place({along}, along.size(), curves.emplace_back());
  }
  return curves;
}

double Piece::integral(const std::function<std::vector<double>(const SpacePoints&)>& function) const {
  if (measure_ == 0) return 0;
  if (patch_->parameters() == 1) {
    Columns unit(1), space;
    std::vector<double> weights;
    const std::vector<double> corners = patch_->corners();
    for (const Interval& interval : intervals_)
      for (std::size_t k = 0; k + 1 < corners.size(); ++k) {
        const double begin = std::max(interval.begin, corners[k]), end = std::min(interval.end, corners[k + 1]);
        if (begin < end) add_quadrature(begin, end, corners.size() < kManyCorners ? 4 : 1, unit[0], weights);
      }
    patch_->place(unit, weights.size(), space);
    const std::vector<double> values = function(space);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += weights[i] * values[i];
    return sum * patch_->measure();
  }
  RandomStream stream(1, "piece");
  const std::size_t count = is_point() ? 1 : kShareSamples;
  const std::vector<double> values = function(sample(PointRule::Kind::Sobol, count, 0, stream));
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size()) * measure_;
}

}  // namespace pecann::sampling
