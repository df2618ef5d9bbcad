#include "pecann/sampling/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/base/require.h"

namespace pecann::sampling {
namespace {

constexpr double kTolerance = 1e-10;   // of the diagonal of the box around everything
constexpr double kSameTangent = 1e-5;  // sine of the angle between two surfaces that coincide
constexpr std::size_t kBlock = 2048;   // points at a time

}  // namespace

/// a & b, a + b - c, ( … ): one kind of operation per level of parentheses, + and − from left to right.
class Solid::TextReader {
 public:
  TextReader(const std::string& text, const std::vector<NamedShape>& shapes) : text_(text), shapes_(shapes) {}

  std::vector<int> program() {
    read_sum(0);
    if (at_ < text_.size()) fail("unexpected '" + text_.substr(at_, 1) + "'", "write names, +, -, & and parentheses");
    return std::move(program_);
  }

 private:
  void read_sum(int depth) {
    if (depth > 100) fail("parentheses nest too deep");
    read_operand(depth);
    bool sums = false, cuts = false;
    for (;;) {
      skip_spaces();
      if (at_ == text_.size() || std::string("+-&").find(text_[at_]) == std::string::npos) return;
      const char sign = text_[at_++];
      (sign == '&' ? cuts : sums) = true;
      if (sums && cuts) fail("'&' beside '+' or '-' needs parentheses", "write (a + b) & c or a + (b & c)");
      read_operand(depth);
      program_.push_back(sign == '+' ? kUnion : sign == '-' ? kDifference : kIntersection);
      if (program_.size() > 20'000) fail("too many shapes");
    }
  }

  void read_operand(int depth) {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      read_sum(depth + 1);
      skip_spaces();
      if (at_ == text_.size() || text_[at_] != ')') fail("a ')' is missing");
      ++at_;
      return;
    }
    const std::size_t begin = at_;
    const auto in_name = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name.empty()) fail("the name of a shape is missing", "as in \"box - hole\"");
    std::vector<std::string> known;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      known.push_back(shapes_[i].name);
      if (shapes_[i].name == name) return program_.push_back(static_cast<int>(i));
    }
    fail("there is no shape '" + shortened(name) + "'", hint_for(name, known));
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  [[noreturn]] void fail(std::string rule, std::string hint = "") const {
    throw InputError({.place = {.column = static_cast<int>(at_) + 1},
                      .key = "domain",
                      .value = text_,
                      .rule = std::move(rule),
                      .hint = std::move(hint)});
  }

  const std::string& text_;
  const std::vector<NamedShape>& shapes_;
  std::size_t at_ = 0;
  std::vector<int> program_;
};

Solid::Solid(std::string text, std::vector<NamedShape> shapes)
    : text_(std::move(text)),
      shapes_(std::move(shapes)),
      program_(TextReader(text_, shapes_).program()),
      tolerance_(kTolerance * shapes_.back().shape->bounds().diagonal()) {
  program_.insert(program_.end(), {static_cast<int>(shapes_.size()) - 1, kIntersection});
}

bool Solid::has(int shape) const { return std::find(program_.begin(), program_.end(), shape) != program_.end(); }

int Solid::index_of(const std::string& name) const {
  for (std::size_t i = 0; i < shapes_.size(); ++i)
    if (shapes_[i].name == name) return static_cast<int>(i);
  return -1;
}

Bounds Solid::bounds() const {
  std::vector<Bounds> stack;
  for (const int code : program_) {
    if (code >= 0) {
      stack.push_back(shapes_[code].shape->bounds());
      continue;
    }
    const Bounds second = std::move(stack.back());
    stack.pop_back();
    Bounds& first = stack.back();
    for (std::size_t c = 0; c < first.lower.size() && code != kDifference; ++c) {
      const bool both = code == kIntersection;
      first.lower[c] = both ? std::max(first.lower[c], second.lower[c]) : std::min(first.lower[c], second.lower[c]);
      first.upper[c] = both ? std::min(first.upper[c], second.upper[c]) : std::max(first.upper[c], second.upper[c]);
    }
  }
  return stack.back();
}

std::vector<char> Solid::combined(const std::vector<std::vector<char>>& truth, std::size_t count) const {
  std::vector<std::vector<char>> stack;
  for (const int code : program_) {
    if (code >= 0) {
      stack.push_back(truth[code]);
      continue;
    }
    const std::vector<char> second = std::move(stack.back());
    stack.pop_back();
    std::vector<char>& first = stack.back();
    for (std::size_t i = 0; i < count; ++i)
      first[i] = static_cast<char>(code == kUnion        ? first[i] | second[i]
                                   : code == kDifference ? first[i] & (second[i] ^ 1)
                                                         : first[i] & second[i]);
  }
  return std::move(stack.back());
}

std::vector<std::vector<double>> Solid::levels(const SpacePoints& points) const {
  std::vector<std::vector<double>> all(shapes_.size());
  for (std::size_t s = 0; s < shapes_.size(); ++s) {
    if (!has(static_cast<int>(s))) continue;
    all[s].resize(points.count);
    shapes_[s].shape->levels(points, all[s]);
  }
  return all;
}

Solid::Sides Solid::sides(const Surface& surface) const {
  Sides sides;
  for (std::size_t begin = 0; begin < surface.points.count; begin += kBlock) {
    const std::size_t count = std::min(kBlock, surface.points.count - begin);
    const SpacePoints points = surface.points.part(begin, count);
    const std::vector<std::vector<double>> level = levels(points);
    std::vector<std::vector<char>> behind(shapes_.size(), std::vector<char>(count)), ahead = behind;
    std::vector<char> cut(count, 0);
    std::vector<int> first(count, surface.shape);
    for (int s = 0; s < static_cast<int>(shapes_.size()); ++s) {
      if (s == surface.shape) {
        behind[s].assign(count, 1);
        continue;
      }
      if (level[s].empty()) continue;
      Columns normals;
      for (std::size_t i = 0; i < count; ++i) {
        if (std::abs(level[s][i]) > tolerance_) {
          behind[s][i] = ahead[s][i] = level[s][i] < 0;
          continue;
        }
        if (normals.empty()) shapes_[s].shape->normals(points, normals);
        double along = 0;
        for (int c = 0; c < dimension(); ++c) along += normals[c][i] * surface.normals[c][begin + i];
        const bool same = 1 - std::abs(along) < 0.5 * kSameTangent * kSameTangent + 1e-12;
        if (!same) {
          cut[i] = 1;
          behind[s][i] = ahead[s][i] = level[s][i] <= 0;
          continue;
        }
        behind[s][i] = along > 0;
        ahead[s][i] = along < 0;
        if (first[i] < 0 || s < first[i]) first[i] = s;
      }
    }
    const std::vector<char> in_behind = combined(behind, count), in_ahead = combined(ahead, count);
    sides.behind.insert(sides.behind.end(), in_behind.begin(), in_behind.end());
    sides.ahead.insert(sides.ahead.end(), in_ahead.begin(), in_ahead.end());
    sides.cut.insert(sides.cut.end(), cut.begin(), cut.end());
    sides.first.insert(sides.first.end(), first.begin(), first.end());
  }
  return sides;
}

std::vector<Solid::Place> Solid::places(const SpacePoints& points) const {
  std::vector<Place> places(points.count, Place::Outside);
  const std::size_t blocks = (points.count + kBlock - 1) / kBlock;
  parallel_for(blocks, blocks > 1 ? thread_count() : 1, [&](std::size_t number, int) {
    const std::size_t begin = number * kBlock, count = std::min(kBlock, points.count - begin);
    const SpacePoints block = points.part(begin, count);
    const std::vector<std::vector<double>> level = levels(block);
    std::vector<std::vector<char>> truth(shapes_.size(), std::vector<char>(count));
    std::vector<std::vector<std::size_t>> on(shapes_.size());  // points on the surface of each shape
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      for (std::size_t i = 0; i < level[s].size(); ++i) {
        truth[s][i] = level[s][i] < 0;
        if (std::abs(level[s][i]) <= tolerance_) on[s].push_back(i);
      }
    }
    const std::vector<char> inside = combined(truth, count);
    for (std::size_t i = 0; i < count; ++i) places[begin + i] = inside[i] != 0 ? Place::Inside : Place::Outside;
    // A point on the surfaces of shapes is on the boundary unless the solid is, or is not, on both sides of all of them
    // and all around: at its corners a shape has more than the two sides of its normal.
    std::vector<char> some_in(count, 0), some_out(count, 0);
    for (std::size_t s = 0; s < shapes_.size(); ++s) {
      Columns close(block.columns.size());
      for (std::size_t c = 0; c < close.size(); ++c)
        for (const std::size_t i : on[s]) close[c].push_back(block.columns[c][i]);
      if (on[s].empty()) continue;
      Columns normals;
      shapes_[s].shape->normals(close, normals);
      const SpacePoints close_points(close);
      const Sides beside = sides({close_points, normals, static_cast<int>(s)});
      for (std::size_t k = 0; k < on[s].size(); ++k) {
        some_in[on[s][k]] |= static_cast<char>(beside.behind[k] | beside.ahead[k]);
        some_out[on[s][k]] |= static_cast<char>((beside.behind[k] & beside.ahead[k]) ^ 1);
      }
    }
    probe_around(block, on, some_in, some_out);
    for (std::size_t i = 0; i < count; ++i)
      if (some_in[i] != 0 || some_out[i] != 0)
        places[begin + i] = some_in[i] == 0 ? Place::Outside : some_out[i] == 0 ? Place::Inside : Place::Boundary;
  });
  return places;
}

/// Looks beside the points that are on some surface, along the coordinates and their diagonals.
void Solid::probe_around(const SpacePoints& points, const std::vector<std::vector<std::size_t>>& on,
                         std::vector<char>& some_in, std::vector<char>& some_out) const {
  std::vector<std::size_t> close;
  for (const std::vector<std::size_t>& own : on) close.insert(close.end(), own.begin(), own.end());
  std::sort(close.begin(), close.end());
  close.erase(std::unique(close.begin(), close.end()), close.end());
  if (close.empty()) return;
  const double step = 1e3 * tolerance_;
  const int directions = dimension() <= 3 ? static_cast<int>(std::pow(3, dimension()) + 0.5) : 2 * dimension();
  for (int d = 0; d < directions; ++d) {
    Columns moved(points.columns.size());
    for (int c = 0, rest = d; c < dimension(); ++c, rest /= 3) {
      const double way = dimension() <= 3 ? rest % 3 - 1 : (d / 2 == c ? 2 * (d % 2) - 1 : 0);
      for (const std::size_t i : close) moved[c].push_back(points[c][i] + step * way);
    }
    const std::vector<std::vector<double>> level = levels(moved);
    std::vector<std::vector<char>> truth(shapes_.size(), std::vector<char>(close.size()));
    std::vector<char> clear(close.size(), 1);  // a probe that meets another surface says nothing
    for (std::size_t s = 0; s < shapes_.size(); ++s)
      for (std::size_t k = 0; k < level[s].size(); ++k) {
        truth[s][k] = level[s][k] < 0;
        if (std::abs(level[s][k]) <= tolerance_) clear[k] = 0;
      }
    const std::vector<char> inside = combined(truth, close.size());
    for (std::size_t k = 0; k < close.size(); ++k)
      if (clear[k] != 0) (inside[k] != 0 ? some_in : some_out)[close[k]] = 1;
  }
}

void Solid::clearances(const SpacePoints& points, int except, std::span<double> radii) const {
  std::fill(radii.begin(), radii.end(), std::numeric_limits<double>::infinity());
  std::vector<double> level(points.count);
  for (int s = 0; s < static_cast<int>(shapes_.size()); ++s) {
    if (s == except || !has(s)) continue;
    const Shape& shape = *shapes_[s].shape;
    if (!shape.levels_are_distances()) return std::fill(radii.begin(), radii.end(), 0.0);
    shape.levels(points, level);
    for (std::size_t i = 0; i < points.count; ++i) radii[i] = std::min(radii[i], std::abs(level[i]));
  }
}

std::string Solid::cpp_condition(std::span<const std::string> names) const {
  std::vector<std::string> stack;
  for (const int code : program_) {
    if (code >= 0) {
      stack.push_back("(" + shapes_[code].shape->cpp_condition(names) + ")");
      continue;
    }
    const std::string second = std::move(stack.back());
    stack.pop_back();
    stack.back() = "(" + stack.back() +
                   (code == kUnion        ? " || "
                    : code == kDifference ? " && !"
                                          : " && ") +
                   second + ")";
  }
  return stack.back();
}

}  // namespace pecann::sampling
