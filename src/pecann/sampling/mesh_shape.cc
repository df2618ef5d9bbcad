#include "pecann/sampling/mesh_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/toml_number.h"
#include "pecann/sampling/mesh_patches.h"

namespace pecann::sampling {
namespace {

using mesh::Facets;
using mesh::FacetTree;
using mesh::Point3;

constexpr std::size_t kPointsAtATime = 4096;  // on a thread: fewer are not worth waking one
constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kSingle = 2e-7;               // relative error of a number in single precision, and a little more
constexpr std::size_t kMostExported = 20'000;  // facets of a header

Point3 point_at(const SpacePoints& points, std::size_t i) {
  return {points[0][i], points[1][i], points.dimension() == 3 ? points[2][i] : 0.0};
}

/// Calls work(i) for every point, some thousands at a time on each thread.
template <class Work>
void for_points(std::size_t count, const Work& work) {
  const std::size_t blocks = (count + kPointsAtATime - 1) / kPointsAtATime;
  parallel_for(blocks, blocks > 1 ? thread_count() : 1, [&](std::size_t block, int) {
    for (std::size_t i = block * kPointsAtATime; i < std::min(count, (block + 1) * kPointsAtATime); ++i) work(i);
  });
}

void nearest_normals(const FacetTree& tree, const SpacePoints& points, Columns& normals) {
  normals.assign(static_cast<std::size_t>(points.dimension()), std::vector<double>(points.count));
  for_points(points.count, [&](std::size_t i) {
    const Point3& normal = tree.normal(tree.nearest(point_at(points, i), kInfinite).facet);
    for (std::size_t c = 0; c < normals.size(); ++c) normals[c][i] = normal[c];
  });
}

/// Signed distances of the middles of boxes all over the surface and one box beyond.
class DistanceLattice {
 public:
  DistanceLattice(const FacetTree& tree, std::size_t facets, int dimension) {
    const auto wanted = static_cast<double>(std::clamp<std::size_t>(8 * facets, 4096, 32'768));
    double content = 1, longest = 0;
    for (int c = 0; c < dimension; ++c) {
      content *= tree.upper()[c] - tree.lower()[c];
      longest = std::max(longest, tree.upper()[c] - tree.lower()[c]);
    }
    side_ = std::max(std::pow(content / wanted, 1.0 / dimension), longest / 256);
    std::size_t total = 1;
    for (int c = 0; c < 3; ++c) {
      const bool used = c < dimension;
      lower_[c] = used ? tree.lower()[c] - side_ : -0.5 * side_;
      counts_[c] = used ? static_cast<std::size_t>((tree.upper()[c] - tree.lower()[c]) / side_) + 3 : 1;
      total *= counts_[c];
    }
    distances_.resize(total);
    parallel_for(counts_[1] * counts_[2], thread_count(), [&](std::size_t row, int) {
      double reach = kInfinite;
      for (std::size_t i = 0; i < counts_[0]; ++i) {
        const Point3 middle = middle_of({i, row % counts_[1], row / counts_[1]});
        const double distance = tree.nearest(middle, reach).distance;
        distances_[row * counts_[0] + i] = tree.winding(middle) != 0 ? -distance : distance;
        reach = (distance + side_) * (1 + 1e-9);  // of the next one, by the triangle inequality
      }
    });
  }

  /// A signed lower bound of the distance; zero where the surface may be too near to say.
  double bound(const Point3& point) const {
    std::array<std::size_t, 3> place{};
    double outside = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double along = (point[c] - lower_[c]) / side_;
      const auto count = static_cast<double>(counts_[c]);
      if (!(along >= 0 && along < count)) outside = std::max({outside, -along * side_, (along - count) * side_});
      place[c] = static_cast<std::size_t>(std::clamp(along, 0.0, count - 1));
    }
    if (outside > 0) return outside + side_;  // the lattice reaches one box further than the surface
    const Point3 middle = middle_of(place);
    const double distance = distances_[(place[2] * counts_[1] + place[1]) * counts_[0] + place[0]];
    double square = 0;
    for (std::size_t c = 0; c < 3; ++c) square += (point[c] - middle[c]) * (point[c] - middle[c]);
    const double left = std::abs(distance) - std::sqrt(square);
    return left < 1e-3 * side_ ? 0 : std::copysign(left, distance);
  }

 private:
  Point3 middle_of(const std::array<std::size_t, 3>& place) const {
    Point3 middle;
    for (std::size_t c = 0; c < 3; ++c) middle[c] = lower_[c] + (static_cast<double>(place[c]) + 0.5) * side_;
    return middle;
  }

  double side_;
  Point3 lower_;
  std::array<std::size_t, 3> counts_;
  std::vector<double> distances_;
};

/// What the shapes of one mesh share.
struct MeshData {
  std::shared_ptr<const mesh::Mesh> mesh;
  mesh::Body body;
};
using MeshDataPointer = std::shared_ptr<const MeshData>;

class MeshSide final : public Side {
 public:
  MeshSide(MeshDataPointer data, const mesh::NamedFacets& own)
      : data_(std::move(data)), own_(own), tree_(data_->body.points, own.facets, data_->body.dimension) {}

  std::string name() const override { return own_.name; }
  bool is_inner() const override { return own_.inner; }
  std::vector<PatchPointer> patches() const override {
    return facet_patches(data_->body.points, in_order(tree_, own_.facets), data_->body.dimension);
  }
  void distances(const SpacePoints& points, std::span<double> distances) const override {
    for_points(points.count,
               [&](std::size_t i) { distances[i] = tree_.nearest(point_at(points, i), kInfinite).distance; });
  }
  void normals(const SpacePoints& points, Columns& normals) const override { nearest_normals(tree_, points, normals); }

 private:
  MeshDataPointer data_;
  const mesh::NamedFacets& own_;
  FacetTree tree_;
};

class MeshShape final : public Shape {
 public:
  /// `volume`: a group of cells, or -1 for all of them.
  MeshShape(MeshDataPointer data, int volume)
      : data_(std::move(data)),
        volume_(volume),
        facets_(volume < 0 ? data_->body.whole : data_->body.volumes[static_cast<std::size_t>(volume)].facets),
        tree_(data_->body.points, facets_, data_->body.dimension) {}

  int dimension() const override { return data_->body.dimension; }

  void levels(const SpacePoints& points, std::span<double> levels) const override {
    std::call_once(lattice_made_,
                   [&] { lattice_ = std::make_unique<DistanceLattice>(tree_, facets_.size(), dimension()); });
    for_points(points.count, [&](std::size_t i) {
      const Point3 point = point_at(points, i);
      levels[i] = lattice_->bound(point);
      if (levels[i] != 0) return;
      const double distance = tree_.nearest(point, kInfinite).distance;
      levels[i] = tree_.winding(point) != 0 ? -distance : distance;
    });
  }

  void normals(const SpacePoints& points, Columns& normals) const override { nearest_normals(tree_, points, normals); }

  Bounds bounds() const override {
    Bounds bounds;
    for (int c = 0; c < dimension(); ++c) {
      bounds.lower.push_back(tree_.lower()[c]);
      bounds.upper.push_back(tree_.upper()[c]);
    }
    return bounds;
  }

  std::optional<double> volume() const override {
    return mesh::enclosed_measure(data_->body.points, facets_, dimension());
  }

  /// One set of patches for each side and one for the rest, so that small sides have points.
  std::vector<PatchPointer> surface(const Bounds&) const override {
    std::vector<std::pair<mesh::Facet, std::size_t>> owner;  // facets with the numbers of their sides
    if (volume_ < 0)
      for (std::size_t s = 0; s < data_->body.sides.size(); ++s)
        for (const mesh::Facet& facet : data_->body.sides[s].facets)
          if (!data_->body.sides[s].inner) owner.emplace_back(facet, s);
    std::sort(owner.begin(), owner.end());
    std::vector<Facets> parts(data_->body.sides.size() + 1);
    for (const mesh::Facet& facet : in_order(tree_, facets_)) {
      const auto found = std::lower_bound(owner.begin(), owner.end(), std::make_pair(facet, std::size_t{0}));
      const bool named = found != owner.end() && found->first == facet;
      parts[named ? found->second : data_->body.sides.size()].push_back(facet);
    }
    std::vector<PatchPointer> patches;
    for (const Facets& part : parts)
      for (PatchPointer& patch : facet_patches(data_->body.points, part, dimension())) patches.push_back(patch);
    return patches;
  }

  std::vector<SidePointer> sides() const override {
    std::vector<SidePointer> sides;
    if (volume_ < 0)
      for (const mesh::NamedFacets& side : data_->body.sides) sides.push_back(std::make_shared<MeshSide>(data_, side));
    return sides;
  }
  std::shared_ptr<const mesh::Mesh> mesh() const override { return volume_ < 0 ? data_->mesh : nullptr; }

  std::string text() const override { return "{ file = " + toml_text(data_->mesh->file) + " }"; }

  std::string cpp_condition(std::span<const std::string> names) const override {
    if (facets_.size() > kMostExported)
      throw InputError({.place = {.file = data_->mesh->file},
                        .rule = "the surface has " + std::to_string(facets_.size()) +
                                " facets; a header holds at most " + std::to_string(kMostExported),
                        .hint = "make a coarser mesh"});
    const bool plane = dimension() == 2;
    std::string numbers;
    for (const mesh::Facet& facet : facets_) {
      numbers += numbers.empty() ? "{" : ",{";
      for (int k = 0; k < dimension(); ++k)
        for (int c = 0; c < dimension(); ++c)
          numbers += (k + c > 0 ? "," : "") + toml_number(data_->body.points[facet[static_cast<std::size_t>(k)]][c]);
      numbers += "}";
    }
    const std::string crossing =
        "const auto crossing = [](double as, double at, double bs, double bt, double s, double t) { const bool up = "
        "bt > t; if ((at > t) == up) return 0; const double ls = up ? as : bs, lt = up ? at : bt, hs = up ? bs : as, "
        "ht "
        "= up ? bt : at; return (hs - ls) * (t - lt) - (ht - lt) * (s - ls) > 0 ? (up ? 1 : -1) : 0; };";
    if (plane)
      return "[](double x, double y) { static const double facets[][4] = {" + numbers + "}; " + crossing +
             " int round = 0; for (const double* f : facets) round += crossing(f[0], f[1], f[2], f[3], x, y); return "
             "round != 0; }(" +
             names[0] + ", " + names[1] + ")";
    return "[](double x, double y, double z) { static const double facets[][9] = {" + numbers + "}; " + crossing +
           " int round = 0; for (const double* f : facets) { const int r = crossing(f[1], f[2], f[4], f[5], y, z) + "
           "crossing(f[4], f[5], f[7], f[8], y, z) + crossing(f[7], f[8], f[1], f[2], y, z); if (r == 0) continue; "
           "const double a = f[3] - f[0], b = f[4] - f[1], c = f[5] - f[2], d = f[6] - f[0], e = f[7] - f[1], g = f[8] "
           "- f[2]; const double side = (b * g - c * e) * (x - f[0]) + (c * d - a * g) * (y - f[1]) + (a * e - b * d) "
           "* "
           "(z - f[2]); if (side * r < 0) round += r; } return round != 0; }(" +
           names[0] + ", " + names[1] + ", " + names[2] + ")";
  }

 private:
  MeshDataPointer data_;
  int volume_;
  const Facets& facets_;  // of the data
  FacetTree tree_;
  mutable std::once_flag lattice_made_;
  mutable std::unique_ptr<DistanceLattice> lattice_;
};

}  // namespace

MeshShapes mesh_shapes(mesh::Mesh mesh, const Bounds& box) {
  for (Point3& point : mesh.points)
    for (std::size_t c = 0; c < box.lower.size(); ++c) {
      const double reach = kSingle * std::max(std::abs(box.lower[c]), std::abs(box.upper[c]));
      for (const double end : {box.lower[c], box.upper[c]})
        if (std::abs(point[c] - end) <= reach) point[c] = end;
    }
  auto data = std::make_shared<MeshData>();
  data->body = mesh::body_of(mesh, box.dimension());
  data->mesh = std::make_shared<const mesh::Mesh>(std::move(mesh));
  MeshShapes shapes;
  shapes.whole = std::make_shared<MeshShape>(data, -1);
  for (std::size_t v = 0; v < data->body.volumes.size(); ++v)
    shapes.volumes.emplace_back(data->body.volumes[v].name, std::make_shared<MeshShape>(data, static_cast<int>(v)));
  return shapes;
}

}  // namespace pecann::sampling
