// Regions of boxes by the words of problem files, and a domain that is not its box, for tests.
#pragma once

#include <string>
#include <vector>

#include "pecann/base/require.h"
#include "pecann/sampling/box_domain.h"

namespace pecann::sampling {

struct Named {
  std::string word = "interior";  // "plane" is none of the words
  int coordinate = -1;            // of a plane
  double value = 0;               // of a plane
  GridChoice choice = {};
};

inline Named plane_at(int coordinate, double value, GridChoice choice = {}) {
  return {"plane", coordinate, value, choice};
}

inline RegionPointer region_in(const Box& box, const Named& named) {
  const DomainPointer domain = box_domain(box);
  if (named.word == "plane") return domain->plane(named.coordinate, named.value, named.choice);
  for (const RegionWord& word : region_words())
    if (named.word == word.word) return (*domain.*word.region)(named.choice);
  require(false, "tests name regions that exist");
  return nullptr;
}

inline Regions regions_in(const Box& box, const std::vector<Named>& all) {
  Regions regions;
  for (const Named& named : all) regions.push_back(region_in(box, named));
  return regions;
}

/// The half of a box where the first coordinate is at most its middle. Its regions are those of the box.
class HalfDomain final : public Domain {
 public:
  explicit HalfDomain(const Box& box) : Domain(box), whole_(box_domain(box)) {}
  RegionPointer interior(GridChoice choice) const override { return whole_->interior(choice); }
  RegionPointer boundary(GridChoice choice) const override { return whole_->boundary(choice); }
  RegionPointer at_start(GridChoice choice) const override { return whole_->at_start(choice); }
  RegionPointer at_end(GridChoice choice) const override { return whole_->at_end(choice); }
  RegionPointer plane(int coordinate, double value, GridChoice choice) const override {
    return whole_->plane(coordinate, value, choice);
  }
  std::vector<char> mask(const PointSet& points) const override {
    std::vector<char> inside(points.count);
    for (std::size_t i = 0; i < points.count; ++i)
      inside[i] = points.coordinates[0][i] <= 0.5 * (box().lower[0] + box().upper[0]);
    return inside;
  }
  DomainPointer within(const Box& window) const override { return std::make_shared<HalfDomain>(window); }

 private:
  DomainPointer whole_;
};

}  // namespace pecann::sampling
