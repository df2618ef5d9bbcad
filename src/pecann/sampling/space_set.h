// What a region takes of space: pieces with points, which points belong, and normals. Made once per region, shared by
// the windows in time.
#pragma once

#include "pecann/sampling/piece.h"
#include "pecann/sampling/shape_region.h"

namespace pecann::sampling {

class SpaceSet {
 public:
  SpaceSet(SolidPointer solid, const SolidPlace& place);

  const SolidPlace& place() const { return place_; }
  const std::vector<Piece>& pieces() const { return pieces_; }  // all of positive measure
  const std::vector<double>& measures() const { return measures_; }
  double measure() const;
  int dimension() const;
  bool has_normals() const { return place_.kind != SolidPlace::Kind::Interior; }

  /// Which points belong; with `closed` those at the rim too.
  std::vector<char> contains(const SpacePoints& points, bool closed) const;
  /// The names of the surfaces of the set that have none of the points which belong to it.
  std::vector<std::string> bare_surfaces(const SpacePoints& points, const std::vector<char>& belong) const;
  /// Unit normals of points of the set, as Region::add_normals says.
  Columns normals(const SpacePoints& points) const;

 private:
  struct Candidate {  // a patch, and the normals of the surface that it is of
    PatchPointer patch;
    int shape;  // -1: the plane
  };
  std::vector<Candidate> candidates() const;
  Membership membership_of(int shape) const;
  Columns normals_of(int shape, const SpacePoints& points) const;
  std::vector<double> signs_of(int shape, const SpacePoints& points) const;
  double volume_of_interior() const;

  SolidPointer solid_;
  SolidPlace place_;
  std::vector<Piece> pieces_;
  std::vector<int> owners_;       // of the pieces: the shape on whose surface each lies, or -1
  std::vector<double> measures_;  // of the pieces; that of an interior from its boundary
};

}  // namespace pecann::sampling
