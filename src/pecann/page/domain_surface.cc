#include "pecann/page/domain_surface.h"

#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"

namespace pecann::page {
namespace {

using Place = std::array<double, 3>;
using Node = std::array<int, 3>;

constexpr int kHalvings = 12, kFewestCells = 6;

/// Nodes of a grid over the box with one more layer around it, which is outside.
class Net {
 public:
  Net(const sampling::Domain& domain, int cells) : domain_(domain), space_(three_in_space(domain.box())) {
    require(space_.size() == 3, "a surface needs three coordinates in space");
    double longest = 0;
    for (const int c : space_) longest = std::max(longest, domain.box().upper[c] - domain.box().lower[c]);
    for (int a = 0; a < 3; ++a) {
      const double extent = domain.box().upper[space_[a]] - domain.box().lower[space_[a]];
      nodes_[a] = std::max(kFewestCells, static_cast<int>(std::lround(cells * extent / longest))) + 1;
    }
    find_inside();
  }

  DomainSurface surface() {
    find_crossings();
    add_vertices();
    add_facets();
    return std::move(surface_);
  }

 private:
  struct Crossing {
    Node node;  // the lower end of an edge
    int axis;
    Place inside, outside;  // the surface lies between
  };

  bool in_grid(const Node& node) const {
    for (int a = 0; a < 3; ++a)
      if (node[a] < 0 || node[a] >= nodes_[a]) return false;
    return true;
  }
  std::size_t number_of(const Node& node) const {
    return static_cast<std::size_t>(node[0]) +
           static_cast<std::size_t>(nodes_[0]) *
               (static_cast<std::size_t>(node[1]) +
                static_cast<std::size_t>(nodes_[1]) * static_cast<std::size_t>(node[2]));
  }
  bool inside(const Node& node) const { return in_grid(node) && inside_[number_of(node)] != 0; }

  Place place_of(const Node& node) const {
    Place place;
    for (int a = 0; a < 3; ++a) {
      const double low = domain_.box().lower[space_[a]], high = domain_.box().upper[space_[a]];
      place[a] = node[a] == nodes_[a] - 1 ? high : low + (high - low) * node[a] / (nodes_[a] - 1);
    }
    return place;
  }

  /// Which of some places belong to the domain.
  std::vector<char> mask(const std::vector<Place>& places) const {
    sampling::PointSet points;
    points.count = places.size();
    const sampling::Box& box = domain_.box();
    for (int c = 0; c < box.dimension(); ++c) {
      std::vector<double> column(places.size(), box.upper[c]);
      const auto axis = std::find(space_.begin(), space_.end(), c);
      if (axis != space_.end())
        for (std::size_t i = 0; i < places.size(); ++i)
          column[i] = places[i][static_cast<std::size_t>(axis - space_.begin())];
      points.coordinates.push_back(sampling::padded_column(column));
    }
    std::vector<char> result = domain_.mask(points);
    if (result.empty()) result.assign(places.size(), 1);
    return result;
  }

  void find_inside() {
    std::vector<Place> places;
    for (int k = 0; k < nodes_[2]; ++k)
      for (int j = 0; j < nodes_[1]; ++j)
        for (int i = 0; i < nodes_[0]; ++i) places.push_back(place_of({i, j, k}));
    inside_ = mask(places);
  }

  /// Every edge with one end inside, and by halving where it leaves the domain. Edges that leave the box do so at once.
  void find_crossings() {
    std::vector<std::size_t> open;
    for (int k = -1; k < nodes_[2]; ++k)
      for (int j = -1; j < nodes_[1]; ++j)
        for (int i = -1; i < nodes_[0]; ++i)
          for (int axis = 0; axis < 3; ++axis) {
            const Node low = {i, j, k};
            Node high = low;
            ++high[axis];
            if (inside(low) == inside(high)) continue;
            const Node &in = inside(low) ? low : high, &out = inside(low) ? high : low;
            crossings_.push_back({low, axis, place_of(in), in_grid(out) ? place_of(out) : place_of(in)});
            if (in_grid(out)) open.push_back(crossings_.size() - 1);
          }
    for (int halving = 0; halving < kHalvings && !open.empty(); ++halving) {
      std::vector<Place> middles;
      for (const std::size_t c : open) {
        Place middle;
        for (int a = 0; a < 3; ++a) middle[a] = 0.5 * (crossings_[c].inside[a] + crossings_[c].outside[a]);
        middles.push_back(middle);
      }
      const std::vector<char> in = mask(middles);
      for (std::size_t m = 0; m < open.size(); ++m)
        (in[m] != 0 ? crossings_[open[m]].inside : crossings_[open[m]].outside) = middles[m];
    }
  }

  /// The cell whose lowest node this is; cells begin one layer outside.
  std::size_t cell_of(const Node& node) const {
    return static_cast<std::size_t>(node[0] + 1) +
           static_cast<std::size_t>(nodes_[0] + 1) *
               (static_cast<std::size_t>(node[1] + 1) +
                static_cast<std::size_t>(nodes_[1] + 1) * static_cast<std::size_t>(node[2] + 1));
  }

  /// The four cells around an edge, once around.
  std::array<std::size_t, 4> cells_around(const Crossing& crossing) const {
    const int p = (crossing.axis + 1) % 3, q = (crossing.axis + 2) % 3;
    std::array<std::size_t, 4> cells;
    constexpr int kSteps[4][2] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}};
    for (int n = 0; n < 4; ++n) {
      Node node = crossing.node;
      node[p] += kSteps[n][0];
      node[q] += kSteps[n][1];
      cells[n] = cell_of(node);
    }
    return cells;
  }

  void add_vertices() {
    std::size_t count = 1;
    for (int a = 0; a < 3; ++a) count *= static_cast<std::size_t>(nodes_[a] + 1);
    vertex_of_.assign(count, -1);
    std::vector<int> cuts;  // of the cell of each vertex
    for (const Crossing& crossing : crossings_)
      for (const std::size_t cell : cells_around(crossing)) {
        if (vertex_of_[cell] < 0) {
          vertex_of_[cell] = static_cast<std::int64_t>(surface_.vertices.size());
          surface_.vertices.push_back({0, 0, 0});
          cuts.push_back(0);
        }
        const auto vertex = static_cast<std::size_t>(vertex_of_[cell]);
        for (int a = 0; a < 3; ++a) surface_.vertices[vertex][a] += 0.5 * (crossing.inside[a] + crossing.outside[a]);
        ++cuts[vertex];
      }
    for (std::size_t v = 0; v < cuts.size(); ++v)
      for (double& coordinate : surface_.vertices[v]) coordinate /= cuts[v];
  }

  void add_facets() {
    for (const Crossing& crossing : crossings_) {
      const std::array<std::size_t, 4> cells = cells_around(crossing);
      std::array<std::uint32_t, 4> facet;
      for (int n = 0; n < 4; ++n) facet[n] = static_cast<std::uint32_t>(vertex_of_[cells[n]]);
      surface_.facets.push_back(facet);
    }
  }

  const sampling::Domain& domain_;
  std::vector<int> space_;
  Node nodes_{};
  std::vector<char> inside_;
  std::vector<Crossing> crossings_;
  std::vector<std::int64_t> vertex_of_;  // [cell]
  DomainSurface surface_;
};

}  // namespace

std::vector<int> three_in_space(const sampling::Box& box) {
  std::vector<int> space;
  for (int c = 0; c < box.dimension(); ++c)
    if (box.in_space(c)) space.push_back(c);
  if (space.size() != 3) space.clear();
  return space;
}

DomainSurface domain_surface(const sampling::Domain& domain, int cells) { return Net(domain, cells).surface(); }

}  // namespace pecann::page
