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
    int network;
    int site;
    ChannelPlan plan;
    std::vector<int> jets;                            // program jets it delivers, in the order of plan.sources
    std::vector<int> outputs;                         // network output of each of them
    std::vector<AlignedVector<double>> coefficients;  // plan.columns on the points
    std::vector<const double*> inputs;                // the network's coordinates on the points, at the site
  };

  BoundProgram(const Model& model, std::span<const expr::Expr> expressions,
               const std::vector<std::string>& coordinates);

  /// Computes all coordinate-only columns on these points; expressions may read the points' own columns by name
  /// ("data.u"). Keeps its own copy of the points.
  void bind(const sampling::PointSet& points);

  const Model& model() const { return *model_; }
  const expr::Program& program() const { return program_; }
  std::span<const NetworkUse> uses() const { return uses_; }
  const sampling::PointSet& points() const { return points_; }
  int num_outputs() const { return static_cast<int>(program_.tape.outputs.size()); }
  std::size_t tile() const { return tile_; }
  std::size_t num_tiles() const { return (points_.padded() + tile_ - 1) / tile_; }
  double flops_per_point() const;

  const double* column(int c) const { return columns_[c].data(); }
  std::span<const int> scalars() const { return scalars_; }  // the model's index of each scalar the program reads

 private:
  const double* site_coordinate(int site, const std::string& name) const;

  const Model* model_;
  std::vector<int> scalars_;
  std::vector<std::string> coordinates_;
  expr::Program program_;
  std::vector<NetworkUse> uses_;
  std::size_t tile_;
  sampling::PointSet points_;
  std::vector<AlignedVector<double>> columns_;
  std::vector<std::map<std::string, AlignedVector<double>>> site_columns_;  // [site][replaced coordinate]
};

}  // namespace pecann::evaluate
