// The surface of a domain with three coordinates in space, as four-cornered facets that a page can draw.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pecann/sampling/domain.h"

namespace pecann::page {

struct DomainSurface {
  std::vector<std::array<double, 3>> vertices;       // in space, in the order of the problem's coordinates
  std::vector<std::array<std::uint32_t, 4>> facets;  // their corners, once around
};

/// The coordinates in space, by their numbers, where there are exactly three; else none.
std::vector<int> three_in_space(const sampling::Box& box);

/// The surface between nodes inside of the domain and nodes outside ("surface nets": a vertex in every cell of a grid
/// that the surface passes through, in the middle of the places where it cuts the cell's edges). `cells` is their
/// number along the longest side of the box. Vertices on sides of the box lie on them exactly; what is thinner than a
/// cell is lost. A domain that moves does not exist: time does not enter.
DomainSurface domain_surface(const sampling::Domain& domain, int cells);

}  // namespace pecann::page
