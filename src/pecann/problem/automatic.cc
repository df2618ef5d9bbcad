#include "pecann/problem/automatic.h"

#include <algorithm>
#include <cmath>

#include "pecann/sampling/sampler.h"

namespace pecann::problem {

NetworkSpec automatic_network(std::string name, std::vector<std::string> fields, std::vector<std::string> inputs) {
  const int width = inputs.size() == 1 ? 20 : inputs.size() == 2 && fields.size() == 1 ? 30 : 40;
  NetworkSpec network;
  network.name = std::move(name);
  network.fields = std::move(fields);
  network.inputs = std::move(inputs);
  network.hidden = {width, width};
  network.automatic = true;
  return network;
}

std::size_t automatic_points_inside(int coordinates) {
  return coordinates == 1 ? 200 : coordinates == 2 ? 2000 : coordinates == 3 ? 4000 : 6000;
}

std::size_t points_for_piece(const Problem& problem, const TermSpec& term, double inside) {
  constexpr double kFaceDensity = 4;  // points on a face over those at the distances of the points inside
  const double box = problem.box.dimension();
  double least_dimension = box;
  for (const sampling::RegionPointer& region : term.regions)
    least_dimension = std::min<double>(least_dimension, region->dimension());
  if (least_dimension == box) return static_cast<std::size_t>(inside);
  const double pieces = sampling::count_points(term.regions, {.kind = sampling::PointRule::Kind::Sobol, .count = 1});
  const double wanted = kFaceDensity * std::pow(inside, least_dimension / box);
  return static_cast<std::size_t>(std::ceil(std::min(wanted, std::max(inside / pieces, 1.0))));
}

}  // namespace pecann::problem
