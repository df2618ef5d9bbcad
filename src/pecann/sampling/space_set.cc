#include "pecann/sampling/space_set.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "pecann/base/require.h"
#include "pecann/sampling/patches.h"

namespace pecann::sampling {
namespace {

using Kind = SolidPlace::Kind;

Columns chosen_points(const SpacePoints& points, std::span<const std::size_t> chosen) {
  Columns some(points.columns.size());
  for (std::size_t c = 0; c < some.size(); ++c)
    for (const std::size_t i : chosen) some[c].push_back(points.columns[c][i]);
  return some;
}

std::vector<char> where(const std::vector<Solid::Place>& places, Solid::Place wanted, bool equal) {
  std::vector<char> result;
  for (const Solid::Place place : places) result.push_back(static_cast<char>((place == wanted) == equal));
  return result;
}

/// The normals of a shape's surface, or (-1) of a plane.
Columns reference_normals(const Solid& solid, const SolidPlace& place, int shape, const SpacePoints& points) {
  Columns normals;
  if (shape >= 0 && place.side && shape == place.shape) {
    place.side->normals(points, normals);
  } else if (shape >= 0) {
    solid.shapes()[shape].shape->normals(points, normals);
  } else {
    normals.assign(points.columns.size(), std::vector<double>(points.count, 0.0));
    normals[place.coordinate].assign(points.count, 1.0);
  }
  return normals;
}

}  // namespace

SpaceSet::SpaceSet(SolidPointer solid, const SolidPlace& place) : solid_(std::move(solid)), place_(place) {
  for (const Candidate& candidate : candidates()) {
    Piece piece(candidate.patch, membership_of(candidate.shape));
    if (!(piece.measure() > 0)) continue;
    pieces_.push_back(std::move(piece));
    owners_.push_back(candidate.shape);
  }
  for (const Piece& piece : pieces_) measures_.push_back(piece.measure());
  if (place_.kind == Kind::Interior && !pieces_.empty()) measures_ = {volume_of_interior()};
}

std::vector<SpaceSet::Candidate> SpaceSet::candidates() const {
  std::vector<Candidate> all;
  const Bounds around = solid_->bounds();
  for (std::size_t c = 0; c < around.lower.size(); ++c)
    if (!(around.lower[c] < around.upper[c])) return all;
  const auto add_surface = [&](int shape) {
    const Shape& own = *solid_->shapes()[shape].shape;
    for (const PatchPointer& patch : place_.side ? place_.side->patches() : own.surface(around))
      all.push_back({patch, shape});
  };
  switch (place_.kind) {
    case Kind::Interior:
      all.push_back({box_patch(around), -1});
      break;
    case Kind::Boundary:
      for (int s = 0; s < static_cast<int>(solid_->shapes().size()); ++s)
        if (solid_->has(s) && (place_.shape < 0 || place_.shape == s)) add_surface(s);
      break;
    case Kind::Surface:
      add_surface(place_.shape);
      break;
    case Kind::Plane: {
      SpacePoint origin = around.lower;
      origin[place_.coordinate] = place_.value;
      std::vector<SpacePoint> edges;
      for (std::size_t c = 0; c < origin.size(); ++c) {
        if (static_cast<int>(c) == place_.coordinate) continue;
        edges.emplace_back(origin.size(), 0.0);
        edges.back()[c] = around.upper[c] - around.lower[c];
      }
      all.push_back({flat_patch(origin, edges), -1});
    }
  }
  return all;
}

Membership SpaceSet::membership_of(int shape) const {
  Membership membership;
  // The solid is held by value: a set may be moved, its pieces with it.
  const SolidPointer solid = solid_;
  const SolidPlace place = place_;
  const int own = place.kind == Kind::Boundary ? shape : -1;
  membership.clearances = [solid, own](const SpacePoints& points, std::span<double> radii) {
    solid->clearances(points, own, radii);
  };
  if (place.kind == Kind::Interior) {
    membership.belongs = [solid](const SpacePoints& points) {
      return where(solid->places(points), Solid::Place::Inside, true);
    };
    return membership;
  }
  membership.belongs = [solid, place, shape](const SpacePoints& points) {
    const Columns normals = reference_normals(*solid, place, shape, points);
    const bool boundary = place.kind == Kind::Boundary;
    const Solid::Sides sides = solid->sides({points, normals, boundary ? shape : -1});
    std::vector<char> belongs(points.count);
    for (std::size_t i = 0; i < points.count; ++i)
      belongs[i] = static_cast<char>(boundary ? sides.behind[i] != sides.ahead[i] &&
                                                    (place.shape >= 0 || sides.first[i] == shape)
                                              : (sides.behind[i] | sides.ahead[i]) != 0);
    return belongs;
  };
  return membership;
}

Columns SpaceSet::normals_of(int shape, const SpacePoints& points) const {
  return reference_normals(*solid_, place_, shape, points);
}

double SpaceSet::measure() const { return std::accumulate(measures_.begin(), measures_.end(), 0.0); }

int SpaceSet::dimension() const { return solid_->dimension() - (place_.kind == Kind::Interior ? 0 : 1); }

/// +1 where the normal of the shape points out of the solid, −1 where into it.
std::vector<double> SpaceSet::signs_of(int shape, const SpacePoints& points) const {
  const Columns normals = normals_of(shape, points);
  const Solid::Sides sides = solid_->sides({points, normals, shape});
  std::vector<double> signs;
  for (const char behind : sides.behind) signs.push_back(behind != 0 ? 1 : -1);
  return signs;
}

/// The volume by the divergence theorem, n V = ∮ (x − m)·normal dS, with any m. The closed surface of a shape that
/// is on the boundary as a whole gives n times the shape's own volume.
double SpaceSet::volume_of_interior() const {
  const SpaceSet boundary(solid_, {.kind = Kind::Boundary});
  const Bounds around = solid_->bounds();
  double volume = 0;
  for (int s = 0; s < static_cast<int>(solid_->shapes().size()); ++s) {
    const Shape& shape = *solid_->shapes()[s].shape;
    std::vector<const Piece*> own;
    bool closed = true;
    double sign = 0;
    for (std::size_t p = 0; p < boundary.pieces_.size(); ++p) {
      if (boundary.owners_[p] != s) continue;
      own.push_back(&boundary.pieces_[p]);
      RandomStream stream(1, "signs");
      for (const double here : signs_of(s, own.back()->sample(PointRule::Kind::Sobol, 64, 0, stream))) {
        closed = closed && own.back()->is_whole() && sign * here >= 0;
        sign = here;
      }
    }
    if (own.empty()) continue;
    if (closed && own.size() == shape.surface(around).size() && shape.volume()) {
      volume += sign * *shape.volume();
      continue;
    }
    const auto flux = [&](const SpacePoints& points) {
      const Columns normals = normals_of(s, points);
      std::vector<double> values(points.count, 0.0), signs = signs_of(s, points);
      for (std::size_t c = 0; c < normals.size(); ++c)
        for (std::size_t i = 0; i < points.count; ++i)
          values[i] += signs[i] * (points.columns[c][i] - 0.5 * (around.lower[c] + around.upper[c])) * normals[c][i];
      return values;
    };
    for (const Piece* piece : own) volume += piece->integral(flux) / solid_->dimension();
  }
  return volume;
}

std::vector<char> SpaceSet::contains(const SpacePoints& points, bool closed) const {
  const std::vector<Solid::Place> places = solid_->places(points);
  if (place_.kind == Kind::Interior) {
    return closed ? where(places, Solid::Place::Outside, false) : where(places, Solid::Place::Inside, true);
  }
  std::vector<char> result = place_.kind == Kind::Boundary ? where(places, Solid::Place::Boundary, true)
                                                           : where(places, Solid::Place::Outside, false);
  if (place_.shape >= 0) {
    std::vector<double> levels(points.count);
    if (place_.side) {
      place_.side->distances(points, levels);
    } else {
      solid_->shapes()[place_.shape].shape->levels(points, levels);
    }
    for (std::size_t i = 0; i < points.count; ++i)
      if (std::abs(levels[i]) > solid_->tolerance()) result[i] = 0;
  }
  if (place_.kind != Kind::Plane) return result;
  const Columns across = normals_of(-1, points);
  const Solid::Sides sides = solid_->sides({points, across, -1});
  for (std::size_t i = 0; i < points.count; ++i) {
    const bool on = std::abs(points[place_.coordinate][i] - place_.value) <= solid_->tolerance();
    const bool rim = sides.cut[i] != 0 || (sides.behind[i] | sides.ahead[i]) == 0;
    if (!on || (rim && !closed)) result[i] = 0;
  }
  return result;
}

std::vector<std::string> SpaceSet::bare_surfaces(const SpacePoints& points, const std::vector<char>& belong) const {
  std::vector<std::string> bare;
  std::vector<int> owners = owners_;
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  for (const int shape : owners) {
    std::vector<double> levels(points.count);
    solid_->shapes()[shape].shape->levels(points, levels);
    bool has_one = false;
    for (std::size_t i = 0; i < points.count; ++i)
      has_one = has_one || (belong[i] != 0 && std::abs(levels[i]) <= solid_->tolerance());
    if (!has_one) bare.push_back(solid_->shapes()[shape].name);
  }
  return bare;
}

Columns SpaceSet::normals(const SpacePoints& points) const {
  require(has_normals(), "an interior has no normals");
  if (place_.kind == Kind::Surface) return normals_of(place_.shape, points);
  if (place_.kind == Kind::Plane) {
    Columns across = normals_of(-1, points);
    const Solid::Sides sides = solid_->sides({points, across, -1});
    for (std::size_t i = 0; i < points.count; ++i)
      if (sides.behind[i] == 0 && sides.ahead[i] != 0) across[place_.coordinate][i] = -1;
    return across;
  }
  Columns result(points.columns.size(), std::vector<double>(points.count, 0.0));
  std::vector<char> done(points.count, 0);
  // At corners and edges the first shape decides; the second round is for points that rounding has put beside it.
  for (const double reach : {solid_->tolerance(), 1e4 * solid_->tolerance(), std::numeric_limits<double>::infinity()}) {
    for (int s = 0; s < static_cast<int>(solid_->shapes().size()); ++s) {
      if (!solid_->has(s) || (place_.shape >= 0 && place_.shape != s)) continue;
      std::vector<double> levels(points.count);
      solid_->shapes()[s].shape->levels(points, levels);
      std::vector<std::size_t> near;
      for (std::size_t i = 0; i < points.count; ++i)
        if (done[i] == 0 && std::abs(levels[i]) <= reach) near.push_back(i);
      if (near.empty()) continue;
      const Columns some = chosen_points(points, near);
      const SpacePoints close(some);
      const Columns out = normals_of(s, close);
      const Solid::Sides sides = solid_->sides({close, out, s});
      for (std::size_t k = 0; k < near.size(); ++k) {
        if (sides.behind[k] == sides.ahead[k] && std::isfinite(reach)) continue;
        for (std::size_t c = 0; c < out.size(); ++c) result[c][near[k]] = sides.behind[k] != 0 ? out[c][k] : -out[c][k];
        done[near[k]] = 1;
      }
    }
  }
  return result;
}

}  // namespace pecann::sampling
