// Boxes and domains of shapes with the measures that closed forms give them, for tests.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "pecann/sampling/shape_domain.h"
#include "pecann/sampling/shapes.h"

namespace pecann::sampling {

inline constexpr double kCircle = std::numbers::pi;

inline Box square(double half = 1) { return {{"x", "y"}, {-half, -half}, {half, half}, -1}; }
inline Box cube() { return {{"x", "y", "z"}, {-1, -1, -1}, {1, 1, 1}, -1}; }
inline Box square_in_time() { return {{"x", "t", "y"}, {-1, 0, -1}, {1, 5, 1}, 1}; }

inline PointRule drawn(std::size_t count, PointRule::Kind kind = PointRule::Kind::Uniform) {
  return {.kind = kind, .count = count};
}

struct ShapeCase {
  std::string name;
  DomainPointer domain;
  double volume, area;
  double tolerance = 1e-12;  // relative; clipped surfaces in three dimensions are estimated
};

/// Two discs of radius 1 whose centres are 1 apart: each has an arc of 4π/3 outside the other.
inline constexpr double kLens = 2 * kCircle / 3 - 0.8660254037844386;

inline const std::vector<ShapeCase>& shape_cases() {
  const NamedShape hole{"hole", ball({0.2, 0.1}, 0.5)}, left{"left", ball({-0.5, 0}, 1)},
      right{"right", ball({0.5, 0}, 1)}, notch{"notch", box_shape({0, 0}, {1, 1})},
      bubble{"bubble", ball({0, 0, 0}, 0.5)}, big{"big", ball({0, 0, 0}, 1.2)},
      pipe{"pipe", cylinder({0, 0, -2}, {0, 0, 2}, 0.5)}, half{"half", half_space({0, 0}, {1, 1})};
  const double cap = 1.2 - 1;  // height of the caps that the cube cuts off the big ball
  static const std::vector<ShapeCase> all = {
      {"holed square", shape_domain(square(), "box - hole", {hole}), 4 - kCircle / 4, 8 + kCircle},
      {"two holes", shape_domain(square(), "box - hole - other", {hole, {"other", ball({-0.6, 0}, 0.2)}}),
       4 - kCircle * (0.25 + 0.04), 8 + 2 * kCircle * 0.7},
      {"union of discs", shape_domain(square(2), "left + right", {left, right}), 2 * kCircle - kLens, 8 * kCircle / 3},
      {"lens", shape_domain(square(2), "left & right", {left, right}), kLens, 4 * kCircle / 3},
      {"moon", shape_domain(square(2), "left - right", {left, right}), kCircle - kLens, 2 * kCircle},
      {"L", shape_domain(square(), "box - notch", {notch}), 3, 8},
      {"square with a turned hole",
       shape_domain(square(), "box - slot",
                    {{"slot", turned(ellipsoid({0.1, 0}, {0.8, 0.3}), {.angle = 0.5, .about = {0.1, 0}})}}),
       4 - kCircle * 0.24, 8 + 4 * 0.8 * std::comp_ellint_2(std::sqrt(1 - 0.09 / 0.64))},
      {"diamond",
       shape_domain(square(2), "turn",
                    {{"turn", turned(box_shape({-1, -1}, {1, 1}), {.angle = kCircle / 4, .about = {0, 0}})}}),
       4, 8},
      {"triangle", shape_domain(square(), "half", {half}), 2, 4 + 2 * std::sqrt(2)},
      {"cube with a bubble", shape_domain(cube(), "box - bubble", {bubble}), 8 - kCircle / 6, 24 + kCircle},
      {"cube with a pipe", shape_domain(cube(), "box - pipe", {pipe}), 8 - kCircle / 2, 24 - kCircle / 2 + 2 * kCircle,
       1e-3},
      {"ball with flat sides", shape_domain(cube(), "big", {big}),
       4.0 / 3 * kCircle * 1.728 - 6 * kCircle * cap * cap * (3.6 - cap) / 3,
       4 * kCircle * 1.44 - 6 * 2 * kCircle * 1.2 * cap + 6 * kCircle * (1.44 - 1), 1e-3}};
  return all;
}

}  // namespace pecann::sampling
