#include "pecann/sampling/lattice_surface.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pecann::sampling {
namespace {

/// The corners of the simplices that a mesh is divided into: paths from one corner to the opposite one along the
/// coordinates in all orders (Kuhn). A corner is a number whose bits are its coordinates.
std::vector<std::vector<int>> simplices_of_mesh(int dimension) {
  std::vector<int> order;
  for (int c = 0; c < dimension; ++c) order.push_back(c);
  std::vector<std::vector<int>> all;
  do {
    std::vector<int> path = {0};
    for (const int c : order) path.push_back(path.back() | (1 << c));
    all.push_back(path);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

class LatticeReader {
 public:
  LatticeReader(const Bounds& box, const std::function<std::vector<double>(const Columns&)>& values_at)
      : dimension_(box.dimension()), nodes_(kLatticeNodes[dimension_] + 5) {
    Columns lattice(static_cast<std::size_t>(dimension_));
    std::size_t total = 1;
    for (int c = 0; c < dimension_; ++c) total *= static_cast<std::size_t>(nodes_);
    for (std::size_t i = 0; i < total; ++i) {
      std::size_t rest = i;
      for (int c = 0; c < dimension_; ++c, rest /= static_cast<std::size_t>(nodes_)) {
        const double mesh = (box.upper[c] - box.lower[c]) / kLatticeNodes[dimension_];
        lattice[c].push_back(box.lower[c] + (static_cast<double>(rest % static_cast<std::size_t>(nodes_)) - 2) * mesh);
      }
    }
    values_ = values_at(lattice);
    lattice_ = std::move(lattice);
    surface_.vertices.resize(static_cast<std::size_t>(dimension_));
  }

  LatticeSurface read() {
    const std::vector<std::vector<int>> parts = simplices_of_mesh(dimension_);
    std::vector<std::size_t> at(static_cast<std::size_t>(dimension_), 0), steps;
    for (std::size_t c = 0, step = 1; c < at.size(); ++c, step *= static_cast<std::size_t>(nodes_))
      steps.push_back(step);
    for (bool more = true; more;) {
      std::size_t base = 0;
      for (std::size_t c = 0; c < at.size(); ++c) base += at[c] * steps[c];
      for (const std::vector<int>& part : parts) {
        std::vector<std::size_t> corners;
        for (const int corner : part) {
          corners.push_back(base);
          for (std::size_t c = 0; c < at.size(); ++c)
            if ((corner >> c & 1) != 0) corners.back() += steps[c];
        }
        cut(corners);
      }
      more = false;
      for (std::size_t c = 0; c < at.size() && !more; ++c) {
        more = ++at[c] + 1 < static_cast<std::size_t>(nodes_);
        if (!more) at[c] = 0;
      }
    }
    return std::move(surface_);
  }

 private:
  /// Adds the piece of the surface in a simplex of the lattice.
  void cut(const std::vector<std::size_t>& corners) {
    std::vector<std::size_t> inside, outside;
    for (const std::size_t corner : corners) (values_[corner] < 0 ? inside : outside).push_back(corner);
    if (inside.empty() || outside.empty()) return;
    std::vector<std::size_t> ends;  // around the piece
    for (std::size_t i = 0; i < inside.size(); ++i)
      for (std::size_t k = 0; k < outside.size(); ++k)
        ends.push_back(vertex(inside[i], outside[i % 2 == 0 ? k : outside.size() - 1 - k]));
    if (ends.size() == 2) surface_.simplices.push_back({ends[0], ends[1], 0});
    if (ends.size() >= 3) surface_.simplices.push_back({ends[0], ends[1], ends[2]});
    if (ends.size() == 4) surface_.simplices.push_back({ends[0], ends[2], ends[3]});
  }

  /// The zero between two nodes, by a straight line between their values.
  std::size_t vertex(std::size_t a, std::size_t b) {
    const auto [found, added] = vertices_.try_emplace(std::minmax(a, b), surface_.vertices[0].size());
    if (!added) return found->second;
    const double share = values_[a] / (values_[a] - values_[b]);
    for (std::size_t c = 0; c < lattice_.size(); ++c)
      surface_.vertices[c].push_back(lattice_[c][a] +
                                     (std::isfinite(share) ? share : 0.5) * (lattice_[c][b] - lattice_[c][a]));
    return found->second;
  }

  int dimension_, nodes_;
  Columns lattice_;
  std::vector<double> values_;
  LatticeSurface surface_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> vertices_;  // of the edges that are cut
};

/// The chains that segments form, each from end to end or once around.
std::vector<LatticeSurface> chains_of(const LatticeSurface& all) {
  std::vector<std::vector<std::size_t>> neighbours(all.vertices[0].size());
  for (const auto& [a, b, unused] : all.simplices) {
    neighbours[a].push_back(b);
    neighbours[b].push_back(a);
  }
  std::vector<char> seen(neighbours.size(), 0);
  std::vector<LatticeSurface> chains;
  const auto follow = [&](std::size_t start) {
    LatticeSurface chain;
    chain.vertices.resize(all.vertices.size());
    const auto add = [&](std::size_t vertex) {
      for (std::size_t c = 0; c < all.vertices.size(); ++c) chain.vertices[c].push_back(all.vertices[c][vertex]);
      const std::size_t last = chain.vertices[0].size() - 1;
      if (last > 0) chain.simplices.push_back({last - 1, last, 0});
    };
    std::size_t at = start;
    for (bool more = true; more;) {
      seen[at] = 1;
      add(at);
      more = false;
      for (const std::size_t next : neighbours[at])
        if (seen[next] == 0) {
          at = next;
          more = true;
          break;
        }
    }
    if (neighbours[start].size() == 2) add(start);  // closed
    chains.push_back(std::move(chain));
  };
  for (const std::size_t ends : {1, 2})
    for (std::size_t v = 0; v < neighbours.size(); ++v)
      if (seen[v] == 0 && neighbours[v].size() == ends) follow(v);
  return chains;
}

/// Every segment or triangle divided into two or four, with the new vertices put on the surface.
LatticeSurface refined(const LatticeSurface& coarse, const std::function<void(Columns&)>& onto) {
  LatticeSurface fine{coarse.vertices, {}};
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> middles;
  const auto middle = [&](std::size_t a, std::size_t b) {
    const auto [found, added] = middles.try_emplace(std::minmax(a, b), fine.vertices[0].size());
    if (added)
      for (std::vector<double>& column : fine.vertices) column.push_back(0.5 * (column[a] + column[b]));
    return found->second;
  };
  for (const auto& [a, b, c] : coarse.simplices) {
    const std::size_t ab = middle(a, b);
    if (fine.vertices.size() == 2) {
      fine.simplices.push_back({a, ab, 0});
      fine.simplices.push_back({ab, b, 0});
      continue;
    }
    const std::size_t bc = middle(b, c), ca = middle(c, a);
    fine.simplices.push_back({a, ab, ca});
    fine.simplices.push_back({ab, b, bc});
    fine.simplices.push_back({ab, bc, ca});
    fine.simplices.push_back({ca, bc, c});
  }
  onto(fine.vertices);
  return fine;
}

}  // namespace

std::vector<double> LatticeSurface::cumulative_measures() const {
  std::vector<double> ends;
  double total = 0;
  for (const auto& simplex : simplices) {
    const auto edge = [&](std::size_t c, int k) { return vertices[c][simplex[k]] - vertices[c][simplex[0]]; };
    if (vertices.size() == 2) {
      total += std::hypot(edge(0, 1), edge(1, 1));
    } else {
      const double x = edge(1, 1) * edge(2, 2) - edge(2, 1) * edge(1, 2),
                   y = edge(2, 1) * edge(0, 2) - edge(0, 1) * edge(2, 2),
                   z = edge(0, 1) * edge(1, 2) - edge(1, 1) * edge(0, 2);
      total += 0.5 * std::hypot(x, y, z);
    }
    ends.push_back(total);
  }
  return ends;
}

std::vector<LatticeSurface> lattice_surface(const Bounds& box,
                                            const std::function<std::vector<double>(const Columns&)>& values_at,
                                            const std::function<void(Columns&)>& onto) {
  LatticeSurface all = LatticeReader(box, values_at).read();
  if (all.simplices.empty()) return {};
  onto(all.vertices);
  std::vector<LatticeSurface> parts =
      box.dimension() == 2 ? chains_of(all) : std::vector<LatticeSurface>{std::move(all)};
  for (LatticeSurface& part : parts)
    for (int times = box.dimension() == 2 ? 2 : 1; times > 0; --times) part = refined(part, onto);
  return parts;
}

}  // namespace pecann::sampling
