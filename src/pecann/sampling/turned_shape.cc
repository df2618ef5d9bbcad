#include <algorithm>
#include <cmath>

#include "pecann/base/require.h"
#include "pecann/base/toml_number.h"
#include "pecann/sampling/shapes.h"

namespace pecann::sampling {
namespace {

/// matrix[i][k] is the component i of what the axis k is turned into.
using Matrix = std::vector<std::vector<double>>;

Matrix rotation(const Turn& turn) {
  const double c = std::cos(turn.angle), s = std::sin(turn.angle);
  if (turn.about.size() == 2) return {{c, -s}, {s, c}};
  // Rodrigues: turned(v) = c v + s (a × v) + (1 − c) a (a·v) with the unit vector a.
  SpacePoint a = turn.axis;
  const double largest = std::max({std::abs(a[0]), std::abs(a[1]), std::abs(a[2])});
  for (double& component : a) component /= largest;  // also where the axis is near the ends of the range of numbers
  const double length = std::hypot(a[0], a[1], a[2]);
  for (double& component : a) component /= length;
  const double cross[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
  Matrix matrix(3, std::vector<double>(3));
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) matrix[i][k] = (i == k ? c : 0) + s * cross[i][k] + (1 - c) * a[i] * a[k];
  return matrix;
}

/// The turn of points about a point, of directions, and the way back.
class Rotation {
 public:
  explicit Rotation(const Turn& turn) : matrix_(rotation(turn)), about_(turn.about) {}

  void turn_points(Columns& points) const { apply(points, about_, false); }
  void turn_directions(Columns& directions) const { apply(directions, SpacePoint(about_.size(), 0.0), false); }
  Columns turned_back(const SpacePoints& points) const {
    Columns back;
    for (int c = 0; c < points.dimension(); ++c) back.emplace_back(points[c], points[c] + points.count);
    apply(back, about_, true);
    return back;
  }
  /// The coordinate c of a point before the turn as an expression of C++; names are those of its coordinates.
  std::string cpp_coordinate(std::size_t c, std::span<const std::string> names) const {
    std::string sum = "(" + toml_number(about_[c]);
    for (std::size_t k = 0; k < names.size(); ++k)
      sum += " + (" + names[k] + " - (" + toml_number(about_[k]) + ")) * (" + toml_number(matrix_[k][c]) + ")";
    return sum + ")";
  }

 private:
  void apply(Columns& columns, const SpacePoint& centre, bool back) const {
    const std::size_t dimension = columns.size();
    double before[3] = {};
    for (std::size_t i = 0; i < columns[0].size(); ++i) {
      for (std::size_t k = 0; k < dimension; ++k) before[k] = columns[k][i] - centre[k];
      for (std::size_t r = 0; r < dimension; ++r) {
        double sum = 0;
        for (std::size_t k = 0; k < dimension; ++k) sum += (back ? matrix_[k][r] : matrix_[r][k]) * before[k];
        columns[r][i] = centre[r] + sum;
      }
    }
  }

  Matrix matrix_;
  SpacePoint about_;
};

class TurnedPatch final : public Patch {
 public:
  TurnedPatch(PatchPointer patch, const Rotation& rotation)
      : Patch(patch->parameters(), patch->measure()), patch_(std::move(patch)), rotation_(rotation) {}

  void place(const Columns& unit, std::size_t count, Columns& space) const override {
    patch_->place(unit, count, space);
    rotation_.turn_points(space);
  }
  std::vector<double> corners() const override { return patch_->corners(); }
  bool is_continuous() const override { return patch_->is_continuous(); }
  bool is_thinned() const override { return patch_->is_thinned(); }
  std::vector<double> kept_share(const Columns& unit, std::size_t count) const override {
    return patch_->kept_share(unit, count);
  }

 private:
  PatchPointer patch_;
  Rotation rotation_;
};

class TurnedShape final : public Shape {
 public:
  TurnedShape(ShapePointer shape, Turn turn) : shape_(std::move(shape)), turn_(std::move(turn)), rotation_(turn_) {}

  int dimension() const override { return shape_->dimension(); }
  void levels(const SpacePoints& points, std::span<double> levels) const override {
    shape_->levels(rotation_.turned_back(points), levels);
  }
  bool levels_are_distances() const override { return shape_->levels_are_distances(); }
  void normals(const SpacePoints& points, Columns& normals) const override {
    shape_->normals(rotation_.turned_back(points), normals);
    rotation_.turn_directions(normals);
  }

  Bounds bounds() const override {
    const Bounds own = shape_->bounds();
    const std::size_t corners = std::size_t{1} << own.lower.size();
    Columns points(own.lower.size(), std::vector<double>(corners));
    for (std::size_t c = 0; c < own.lower.size(); ++c)
      for (std::size_t i = 0; i < corners; ++i) points[c][i] = (i >> c & 1) != 0 ? own.upper[c] : own.lower[c];
    rotation_.turn_points(points);
    Bounds around;
    for (const std::vector<double>& column : points) {
      const auto [least, most] = std::minmax_element(column.begin(), column.end());
      around.lower.push_back(*least);
      around.upper.push_back(*most);
    }
    return around;
  }
  std::optional<double> volume() const override { return shape_->volume(); }

  std::vector<PatchPointer> surface(const Bounds&) const override {
    std::vector<PatchPointer> patches;
    for (const PatchPointer& patch : shape_->surface(shape_->bounds()))
      patches.push_back(std::make_shared<TurnedPatch>(patch, rotation_));
    return patches;
  }

  std::string text() const override {
    const std::string own = shape_->text();  // { box = { … } }
    return own.substr(0, own.size() - 2) + ", angle = " + toml_number(turn_.angle) +
           (dimension() == 3 ? ", axis = " + toml_numbers(turn_.axis) : "") + ", about = " + toml_numbers(turn_.about) +
           " }";
  }

  std::string cpp_condition(std::span<const std::string> names) const override {
    std::vector<std::string> before;
    for (std::size_t c = 0; c < names.size(); ++c) before.push_back(rotation_.cpp_coordinate(c, names));
    return shape_->cpp_condition(before);
  }

 private:
  ShapePointer shape_;
  Turn turn_;
  Rotation rotation_;
};

}  // namespace

ShapePointer turned(ShapePointer shape, const Turn& turn) {
  require(
      static_cast<int>(turn.about.size()) == shape->dimension() && (turn.about.size() == 2 || turn.axis.size() == 3),
      "a turn has a point, and in space an axis");
  return std::make_shared<TurnedShape>(std::move(shape), turn);
}

}  // namespace pecann::sampling
