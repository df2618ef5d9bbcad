#include "pecann/regions.h"

namespace pecann {
namespace {

Region named(const char* name) { return Region({{.name = name}}); }

Points random_points(Points::Kind kind, std::size_t count) {
  Points points;
  points.kind = kind;
  points.count = count;
  return points;
}

Points from_elsewhere(Points::Kind kind, const std::string& source) {
  Points points;
  points.kind = kind;
  points.source = source;
  return points;
}

}  // namespace

Region Region::closed() const {
  Region region = *this;
  for (Piece& piece : region.pieces_) piece.closed = true;
  return region;
}

Region Region::after_start() const {
  Region region = *this;
  for (Piece& piece : region.pieces_) piece.after_start = true;
  return region;
}

Region operator|(const Region& a, const Region& b) {
  std::vector<Region::Piece> pieces = a.pieces();
  pieces.insert(pieces.end(), b.pieces().begin(), b.pieces().end());
  return Region(std::move(pieces));
}

Region interior() { return named("interior"); }
Region boundary() { return named("boundary"); }
Region initial_time() { return named("initial"); }
Region final_time() { return named("final"); }
Region face(const Coordinate& x, double value) {
  return Region({{.name = "face", .coordinate = x.name(), .value = value}});
}
Region of_points() { return Region(std::vector<Region::Piece>{}); }

Points Points::redraw(int epochs) const {
  Points points = *this;
  points.redraw_every = epochs;
  return points;
}

Points Points::near(std::size_t more, const Expression& density, std::size_t pool) const {
  Points points = *this;
  points.near_count = more;
  points.density = density;
  points.near_pool = pool;
  return points;
}

Points chosen_points() {
  Points points;
  points.kind = Points::Kind::Chosen;
  return points;
}
Points grid(const std::vector<int>& nodes) {
  Points points;
  points.nodes = nodes;
  return points;
}
Points gauss(const std::vector<int>& nodes) {
  Points points;
  points.kind = Points::Kind::Gauss;
  points.nodes = nodes;
  return points;
}
Points sobol(std::size_t count) { return random_points(Points::Kind::Sobol, count); }
Points uniform(std::size_t count) { return random_points(Points::Kind::Uniform, count); }
Points latin_hypercube(std::size_t count) { return random_points(Points::Kind::LatinHypercube, count); }
Points points_file(const std::string& path) { return from_elsewhere(Points::Kind::File, path); }
Points points_table(std::vector<Column> columns) {
  Points points;
  points.kind = Points::Kind::Table;
  points.columns = std::move(columns);
  return points;
}
Points points_of(const std::string& term) { return from_elsewhere(Points::Kind::SameAs, term); }

}  // namespace pecann
