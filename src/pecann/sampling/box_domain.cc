#include "pecann/sampling/box_domain.h"

#include "pecann/sampling/box_region.h"

namespace pecann::sampling {
namespace {

class BoxDomain final : public Domain {
 public:
  using Domain::Domain;
  RegionPointer interior(GridChoice choice) const override { return box_interior(box(), choice); }
  RegionPointer boundary(GridChoice choice) const override { return box_boundary(box(), choice); }
  RegionPointer at_start(GridChoice choice) const override { return box_initial(box(), choice); }
  RegionPointer at_end(GridChoice choice) const override { return box_final(box(), choice); }
  RegionPointer plane(int coordinate, double value, GridChoice choice) const override {
    return box_plane(box(), coordinate, value, choice);
  }
  std::vector<char> mask(const PointSet&) const override { return {}; }
  DomainPointer within(const Box& window) const override { return box_domain(window); }
};

}  // namespace

DomainPointer box_domain(const Box& box) { return std::make_shared<BoxDomain>(box); }

}  // namespace pecann::sampling
