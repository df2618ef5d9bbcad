#include "pecann/mesh/body.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "pecann/base/input_error.h"
#include "pecann/base/toml_number.h"
#include "pecann/mesh/facet_tree.h"

namespace pecann::mesh {
namespace {

constexpr double kFlat = 1e-9;  // of the size of a mesh: how far it may leave the plane

[[noreturn]] void refuse_mesh(const Mesh& mesh, std::string rule, std::string hint = "") {
  throw InputError({.place = {.file = mesh.file}, .rule = std::move(rule), .hint = std::move(hint)});
}

std::string point_text(const Point3& point, int dimension) {
  return toml_numbers(std::span(point).first(static_cast<std::size_t>(dimension)));
}

Facet sorted_facet(Facet facet, int dimension) {
  std::sort(facet.begin(), facet.begin() + dimension);
  return facet;
}

/// The facets of a polygon of cells' nodes: an edge, a triangle, or a quadrangle cut through its first node.
void add_facets(std::span<const std::uint32_t> own, bool reversed, Facets& facets) {
  std::array<std::uint32_t, 4> around{};
  const std::size_t count = own.size();
  for (std::size_t k = 0; k < count; ++k) around[k] = own[reversed ? count - 1 - k : k];
  if (count < 4) return facets.push_back({around[0], around[1], count == 3 ? around[2] : 0});
  const auto first = static_cast<std::size_t>(std::min_element(around.begin(), around.end()) - around.begin());
  const auto at = [&](std::size_t k) { return around[(first + k) % 4]; };
  facets.push_back({at(0), at(1), at(2)});
  facets.push_back({at(0), at(2), at(3)});
}

/// The facets of a cell's faces, oriented out of it.
Facets facets_of_cell(const Mesh& mesh, std::size_t cell, const std::vector<Point3>& points, int dimension) {
  const CellRow& row = row_of(mesh.kinds[cell]);
  const auto nodes = mesh.nodes_of(cell);
  for (const bool reversed : {false, true}) {
    Facets facets;
    for (const std::vector<int>& face : row.faces) {
      std::array<std::uint32_t, 4> own{};
      for (std::size_t k = 0; k < face.size(); ++k) own[k] = nodes[static_cast<std::size_t>(face[k])];
      add_facets(std::span(own).first(face.size()), reversed, facets);
    }
    if (enclosed_measure(points, facets, dimension) > 0) return facets;
  }
  refuse_mesh(mesh, "the " + std::string(row.name) + " " + std::to_string(cell + 1) + " at " +
                        point_text(points[nodes[0]], dimension) + " has no " + (dimension == 2 ? "area" : "volume"));
}

/// True where two facets with the same corners are seen from the same side.
bool same_sense(const Facet& a, const Facet& b, int dimension) {
  const auto own = static_cast<std::size_t>(dimension);
  const auto at = static_cast<std::size_t>(std::find(b.begin(), b.begin() + dimension, a[0]) - b.begin());
  return dimension == 2 ? at == 0 : b[(at + 1) % own] == a[1];
}

/// The facets that only one of the cells has. `chosen` is null for all cells of the dimension.
Facets surface_of_cells(const Mesh& mesh, const std::vector<Point3>& points, int dimension,
                        const std::vector<std::uint32_t>* chosen) {
  struct Entry {
    Facet key, facet;
  };
  std::vector<Entry> all;
  const std::size_t count = chosen != nullptr ? chosen->size() : mesh.cells();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cell = chosen != nullptr ? (*chosen)[i] : i;
    if (row_of(mesh.kinds[cell]).dimension != dimension) continue;
    for (const Facet& facet : facets_of_cell(mesh, cell, points, dimension))
      all.push_back({sorted_facet(facet, dimension), facet});
  }
  std::stable_sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
  Facets surface;
  for (std::size_t i = 0, end = 0; i < all.size(); i = end) {
    while (end < all.size() && all[end].key == all[i].key) ++end;
    if (end - i == 1) surface.push_back(all[i].facet);
    if (end - i > 2 || (end - i == 2 && same_sense(all[i].facet, all[i + 1].facet, dimension)))
      refuse_mesh(mesh, "cells overlap at " + point_text(points[all[i].key[0]], dimension));
  }
  if (surface.empty()) refuse_mesh(mesh, "the cells have no boundary");
  return surface;
}

/// The ridges of facets (points of segments, edges of triangles) with the facets that meet there.
struct Ridge {
  std::array<std::uint32_t, 2> key;  // in the plane the second is 0
  std::uint32_t facet;
  bool forward;
};

std::vector<Ridge> ridges_of(const Facets& facets, int dimension) {
  std::vector<Ridge> ridges;
  for (std::size_t f = 0; f < facets.size(); ++f) {
    const auto own = static_cast<std::uint32_t>(f);
    if (dimension == 2) {
      ridges.push_back({{facets[f][0], 0}, own, false});
      ridges.push_back({{facets[f][1], 0}, own, true});
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = facets[f][k], b = facets[f][(k + 1) % 3];
      ridges.push_back({{std::min(a, b), std::max(a, b)}, own, a < b});
    }
  }
  std::stable_sort(ridges.begin(), ridges.end(), [](const Ridge& a, const Ridge& b) { return a.key < b.key; });
  return ridges;
}

/// Calls work(first, end) for the ridges that lie at the same place.
template <class Work>
void for_each_place(const std::vector<Ridge>& ridges, const Work& work) {
  for (std::size_t i = 0, end = 0; i < ridges.size(); i = end) {
    while (end < ridges.size() && ridges[end].key == ridges[i].key) ++end;
    work(i, end);
  }
}

class SurfaceMender {
 public:
  SurfaceMender(const Mesh& mesh, const std::vector<Point3>& points, Facets facets, int dimension)
      : mesh_(mesh), points_(points), facets_(std::move(facets)), dimension_(dimension) {}

  Facets mended() {
    check_single();
    check_closed();
    orient_parts();
    turn_outwards();
    return std::move(facets_);
  }

 private:
  std::string ridge_text(const Ridge& ridge) const {
    if (dimension_ == 2) return "the point " + point_text(points_[ridge.key[0]], 2);
    return "the edge from " + point_text(points_[ridge.key[0]], 3) + " to " + point_text(points_[ridge.key[1]], 3);
  }

  void check_single() const {
    Facets keys;
    for (const Facet& facet : facets_) keys.push_back(sorted_facet(facet, dimension_));
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end())
      refuse_mesh(mesh_, "a facet at " + point_text(points_[(*twice)[0]], dimension_) + " is there twice",
                  "join the parts in the program that wrote it");
  }

  void check_closed() const {
    std::size_t open = 0;
    const Ridge* first = nullptr;
    const std::vector<Ridge> ridges = ridges_of(facets_, dimension_);
    for_each_place(ridges, [&](std::size_t begin, std::size_t end) {
      if ((end - begin) % 2 == 0) return;
      ++open;
      if (first == nullptr) first = &ridges[begin];
    });
    if (first == nullptr) return;
    const std::string what = dimension_ == 2 ? "curve" : "surface";
    if (dimension_ == 3 && is_flat())
      refuse_mesh(mesh_, "the mesh is flat, and the problem has three coordinates in space",
                  "give a closed surface or a mesh of cells in space");
    refuse_mesh(mesh_,
                "the " + what + " is open: " + ridge_text(*first) + " has facets on one side only" +
                    (open > 1 ? ", and " + std::to_string(open - 1) + " more have" : ""),
                "close the " + what + " in the program that wrote it");
  }

  bool is_flat() const {
    for (std::size_t c = 0; c < 3; ++c) {
      double low = points_[facets_[0][0]][c], high = low;
      for (const Facet& facet : facets_)
        for (const std::uint32_t node : facet) {
          low = std::min(low, points_[node][c]);
          high = std::max(high, points_[node][c]);
        }
      if (high - low < 1e-12 * (std::abs(low) + std::abs(high)) || low == high) return true;
    }
    return false;
  }

  void turn(std::size_t facet) { std::swap(facets_[facet][0], facets_[facet][1]); }

  /// Neighbours get the same sense of rotation; part_[f] is the connected part of a facet.
  void orient_parts() {
    const std::vector<Ridge> ridges = ridges_of(facets_, dimension_);
    struct Neighbour {
      std::uint32_t facet;
      bool same;
    };
    std::vector<std::vector<Neighbour>> near(facets_.size());
    for_each_place(ridges, [&](std::size_t begin, std::size_t end) {
      if (end - begin != 2) return;
      const Ridge &a = ridges[begin], &b = ridges[begin + 1];
      near[a.facet].push_back({b.facet, a.forward != b.forward});
      near[b.facet].push_back({a.facet, a.forward != b.forward});
    });
    part_.assign(facets_.size(), -1);
    std::vector<char> turned(facets_.size(), 0);
    for (std::size_t seed = 0; seed < facets_.size(); ++seed) {
      if (part_[seed] >= 0) continue;
      std::vector<std::uint32_t> open = {static_cast<std::uint32_t>(seed)};
      part_[seed] = parts_;
      while (!open.empty()) {
        const std::uint32_t facet = open.back();
        open.pop_back();
        for (const Neighbour& next : near[facet]) {
          const auto wanted = static_cast<char>(next.same ? turned[facet] : 1 - turned[facet]);
          if (part_[next.facet] < 0) {
            part_[next.facet] = parts_;
            turned[next.facet] = wanted;
            open.push_back(next.facet);
          } else if (turned[next.facet] != wanted) {
            refuse_mesh(mesh_, "the surface has no inside and outside: around " +
                                   point_text(points_[facets_[facet][0]], dimension_) + " it is twisted");
          }
        }
      }
      ++parts_;
    }
    for (std::size_t f = 0; f < facets_.size(); ++f)
      if (turned[f] != 0) turn(f);
  }

  /// A part inside an odd number of others is a cavity: its normals point into it.
  void turn_outwards() {
    std::vector<Facets> parts(static_cast<std::size_t>(parts_));
    for (std::size_t f = 0; f < facets_.size(); ++f) parts[static_cast<std::size_t>(part_[f])].push_back(facets_[f]);
    std::vector<double> measures;
    for (const Facets& part : parts) measures.push_back(enclosed_measure(points_, part, dimension_));
    std::vector<std::size_t> depth(parts.size(), 0);
    if (parts.size() > 1) {
      constexpr std::size_t kMostParts = 2000;
      if (parts.size() > kMostParts)
        refuse_mesh(mesh_, "the surface has " + std::to_string(parts.size()) + " separate parts; at most " +
                               std::to_string(kMostParts) + " are read");
      for (std::size_t i = 0; i < parts.size(); ++i) {
        const FacetTree tree(points_, parts[i], dimension_);
        for (std::size_t j = 0; j < parts.size(); ++j)
          if (j != i && tree.winding(points_[parts[j][0][0]]) != 0) ++depth[j];
      }
    }
    for (std::size_t f = 0; f < facets_.size(); ++f) {
      const auto part = static_cast<std::size_t>(part_[f]);
      if ((measures[part] > 0) != (depth[part] % 2 == 0)) turn(f);
    }
  }

  const Mesh& mesh_;
  const std::vector<Point3>& points_;
  Facets facets_;
  int dimension_;
  std::vector<int> part_;
  int parts_ = 0;
};

/// Refuses surfaces that overlap or cross themselves: there some facets have the inside on both sides, or on neither.
void check_sides(const Mesh& mesh, const std::vector<Point3>& points, const Facets& facets, int dimension) {
  constexpr std::size_t kMostChecked = 200'000;
  const FacetTree tree(points, facets, dimension);
  const std::size_t step = facets.size() / kMostChecked + 1;
  for (std::size_t f = 0; f < facets.size(); f += step) {
    const Point3 normal = tree.normal(f);
    Point3 middle{};
    double size = 0;
    for (int k = 0; k < dimension; ++k)
      for (std::size_t c = 0; c < 3; ++c) middle[c] += points[facets[f][static_cast<std::size_t>(k)]][c] / dimension;
    for (std::size_t c = 0; c < 3; ++c) size = std::max(size, std::abs(points[facets[f][0]][c] - middle[c]));
    if (normal == Point3{}) continue;
    const double way = 1e-6 * size;
    Point3 behind = middle, ahead = middle;
    for (std::size_t c = 0; c < 3; ++c) {
      behind[c] -= way * normal[c];
      ahead[c] += way * normal[c];
    }
    if (tree.winding(behind) != 1 || tree.winding(ahead) != 0)
      refuse_mesh(mesh, "the surface touches, overlaps or crosses itself at " + point_text(middle, dimension),
                  "join the parts in the program that wrote it");
  }
}

/// The mesh's points; in the plane those that the cells use must lie in it.
void check_plane(const Mesh& mesh) {
  double low = 0, high = 0, size = 0;
  bool any = false;
  for (std::size_t cell = 0; cell < mesh.cells(); ++cell)
    for (const std::uint32_t node : mesh.nodes_of(cell)) {
      const Point3& point = mesh.points[node];
      low = any ? std::min(low, point[2]) : point[2];
      high = any ? std::max(high, point[2]) : point[2];
      any = true;
      size = std::max({size, std::abs(point[0]), std::abs(point[1])});
    }
  if (high - low > kFlat * size)
    refuse_mesh(mesh,
                "the mesh is not flat: its third coordinate runs from " + toml_number(low) + " to " +
                    toml_number(high) + ", and the problem has two coordinates in space",
                "give a mesh in the plane, or the problem a third coordinate");
}

void add_groups(const Mesh& mesh, Body& body, bool has_cells) {
  Facets keys;
  std::vector<std::pair<Facet, std::uint32_t>> places;
  for (std::size_t f = 0; f < body.whole.size(); ++f)
    places.emplace_back(sorted_facet(body.whole[f], body.dimension), static_cast<std::uint32_t>(f));
  std::sort(places.begin(), places.end());
  for (const Group& group : mesh.groups) {
    if (group.dimension == body.dimension && has_cells)
      body.volumes.push_back({group.name, surface_of_cells(mesh, body.points, body.dimension, &group.cells), false});
    if (group.dimension != body.dimension - 1) continue;
    NamedFacets side{group.name, {}, false};
    Facets own, inner;
    for (const std::uint32_t cell : group.cells) add_facets(mesh.nodes_of(cell), false, own);
    for (const Facet& facet : own) {
      const Facet key = sorted_facet(facet, body.dimension);
      const auto found = std::lower_bound(places.begin(), places.end(), std::make_pair(key, std::uint32_t{0}));
      if (found != places.end() && found->first == key) {
        side.facets.push_back(body.whole[found->second]);
      } else {
        inner.push_back(facet);
      }
    }
    if (side.facets.empty()) {
      side.facets = std::move(inner);
      side.inner = true;
    }
    if (!side.facets.empty()) body.sides.push_back(std::move(side));
  }
}

}  // namespace

double enclosed_measure(const std::vector<Point3>& points, const Facets& facets, int dimension) {
  if (facets.empty()) return 0;
  const Point3 origin = points[facets[0][0]];
  const auto from = [&](std::uint32_t node) {
    Point3 point = points[node];
    for (std::size_t c = 0; c < 3; ++c) point[c] -= origin[c];
    return point;
  };
  double sum = 0;
  for (const Facet& facet : facets) {
    const Point3 a = from(facet[0]), b = from(facet[1]);
    if (dimension == 2) {
      sum += a[0] * b[1] - a[1] * b[0];
    } else {
      const Point3 c = from(facet[2]);
      sum +=
          a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
  }
  return sum / (dimension == 2 ? 2 : 6);
}

Body body_of(const Mesh& mesh, int dimension) {
  const int own = mesh.dimension();
  if (own < dimension - 1 || own > dimension)
    refuse_mesh(mesh, "the mesh has cells of " + std::to_string(own) + (own == 1 ? " dimension" : " dimensions") +
                          ", and the problem has " + std::to_string(dimension) + " coordinates in space");
  if (dimension == 2) check_plane(mesh);
  Body body;
  body.dimension = dimension;
  body.points = mesh.points;
  if (own == dimension) {
    body.whole = surface_of_cells(mesh, body.points, dimension, nullptr);
  } else {
    Facets facets;
    for (std::size_t cell = 0; cell < mesh.cells(); ++cell)
      if (row_of(mesh.kinds[cell]).dimension == own) add_facets(mesh.nodes_of(cell), false, facets);
    body.whole = SurfaceMender(mesh, body.points, std::move(facets), dimension).mended();
  }
  if (dimension == 2)
    for (Point3& point : body.points) point[2] = 0;
  check_sides(mesh, body.points, body.whole, dimension);
  if (!(enclosed_measure(body.points, body.whole, dimension) > 0)) refuse_mesh(mesh, "the surface encloses nothing");
  add_groups(mesh, body, own == dimension);
  return body;
}

}  // namespace pecann::mesh
