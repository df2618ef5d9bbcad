// Expressions of fields bound to a model and to points: coordinate-only columns are computed and network
// passes planned. A bound program is shared by all threads and read-only while they run; a TileRunner holds
// one thread's memory.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "pecann/base/aligned_vector.h"
#include "pecann/evaluate/channel_plan.h"
#include "pecann/evaluate/model.h"
#include "pecann/expr/program.h"
#include "pecann/network/pass.h"
#include "pecann/sampling/points.h"

namespace pecann::evaluate {

/// A model's parameters made ready for passes.
class PackedModel {
 public:
  explicit PackedModel(const Model& model);
  void pack(std::span<const double> parameters);
  const network::PackedParameters& network(int n) const { return networks_[n]; }
  const ScalarValue& scalar(int index) const { return scalars_[index]; }

 private:
  const Model* model_;
  std::vector<network::PackedParameters> networks_;
  std::vector<ScalarValue> scalars_;
};

class BoundProgram {
 public:
  /// One network at one site: what it reads and which jets it delivers.
  struct NetworkUse {
    int network;  // of the file; which part's it is, the tile decides
    int site;
    ChannelPlan plan;
    std::vector<int> jets;                            // program jets it delivers, in the order of plan.sources
    std::vector<int> outputs;                         // network output of each of them
    std::vector<AlignedVector<double>> coefficients;  // plan.columns on the points
    std::vector<const double*> inputs;                // the network's coordinates on the points, at the site
  };

  /// Points that are evaluated together: all of them lie in one part of the domain, at every site.
  struct Tile {
    std::size_t first, count;  // of the points as they were given
    std::size_t place;         // where they begin in columns, coefficients and inputs, a multiple of kLanes
    std::size_t padded() const { return round_up(count, kLanes); }
  };

  BoundProgram(const Model& model, std::span<const expr::Expr> expressions,
               const std::vector<std::string>& coordinates);

  /// Computes all coordinate-only columns on these points; expressions may read the points' own columns by name
  /// ("data.u"). Keeps its own copy of the points. Points of one part should follow each other.
  void bind(const sampling::PointSet& points);

  const Model& model() const { return *model_; }
  const expr::Program& program() const { return program_; }
  std::span<const NetworkUse> uses() const { return uses_; }
  const sampling::PointSet& points() const { return points_; }
  int num_outputs() const { return static_cast<int>(program_.tape.outputs.size()); }
  std::size_t tile() const { return tile_; }
  std::size_t num_tiles() const { return tiles_.size(); }
  const Tile& tile_at(std::size_t t) const { return tiles_[t]; }
  /// The network that a use has on a tile: a number of Model::networks().
  int network_on(std::size_t use, std::size_t t) const {
    return networks_.empty() ? uses_[use].network : networks_[t * uses_.size() + use];
  }
  std::vector<int> networks_on(std::size_t t) const;  // of all uses, each once
  double flops_per_point() const;

  const double* column(int c) const { return columns_[c].data(); }
  std::span<const int> scalars() const { return scalars_; }  // the model's index of each scalar the program reads

 private:
  const double* site_coordinate(const sampling::PointSet& points, int site, const std::string& name) const;
  void cut_into_tiles();
  void cut_by_parts(const sampling::PointSet& points);
  void bind_columns(const sampling::PointSet& points);

  const Model* model_;
  std::vector<int> scalars_;
  std::vector<std::string> coordinates_;
  expr::Program program_;
  std::vector<NetworkUse> uses_;
  std::size_t tile_;  // the most points of a tile
  sampling::PointSet points_;
  sampling::PointSet laid_out_;  // of a domain in parts: the points with every tile padded
  std::vector<Tile> tiles_;
  std::vector<int> networks_;  // of a domain in parts: by tile and use
  std::vector<AlignedVector<double>> columns_;
  std::vector<std::map<std::string, AlignedVector<double>>> site_columns_;  // [site][replaced coordinate]
};

}  // namespace pecann::evaluate
