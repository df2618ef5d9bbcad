// A trained solution and expressions of it as a table of numbers, which `predict` and a run hand to other tools.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"
#include "pecann/sampling/points.h"
#include "pecann/train/solution.h"

namespace pecann::results {

struct Prediction {
  sampling::Box box;  // names of the coordinates, and which is time
  sampling::PointSet points;
  std::vector<int> grid;                    // nodes per coordinate, the first varies fastest; empty: scattered points
  std::vector<std::string> names;           // of the expressions, as written
  std::vector<std::vector<double>> values;  // [expression][point]; NaN outside the domain and at untrained times
  std::string note;                         // a sentence about what is missing; empty: nothing is
  std::shared_ptr<const mesh::Mesh> mesh;   // the points are those of this mesh's cells, at one time after the other
  std::vector<std::uint32_t> mesh_nodes;    // the mesh's own numbers of the points of one time
};

/// Parses expressions of fields, derivatives, parameters and exact.NAME. Throws InputError naming the text and
/// the nearest known name.
std::vector<expr::Expr> parse_fields(const problem::Problem& problem, std::span<const std::string> texts);

struct PredictRequest {
  std::string folder;                    // the folder of the run
  int trial = 0;                         // 0: the best one
  std::vector<int> grid;                 // nodes per coordinate; empty: the points file, or else the evaluation grid
  std::string points_file;               // .csv or .npy with the coordinates; empty: a grid
  std::vector<std::string> expressions;  // empty: all fields
  std::string output;                    // .csv, .npy, .vti (grids) or .vtu
  bool on_mesh = false;                  // without grid and points: the points of the domain's mesh, where it has one
};

/// The table that a request asks for; `output` is not looked at. Points of a file at times that the run was not trained
/// for are refused (InputError); nodes of a grid there are NaN, with a note.
Prediction predict_values(const PredictRequest& request);

/// Writes a prediction in the format that the file's ending names and returns the files written: more than one for a
/// time series (.vti per time, of meshes .vtu, and a .pvd that lists them). Throws InputError for an ending that is
/// none of these.
std::vector<std::string> write_prediction(const Prediction& prediction, const std::string& path);

/// Does predict_values and write_prediction, .vtu files on the domain's mesh; a wrong ending is noticed before
/// anything is computed. `warn` hears the
/// note of the prediction.
std::vector<std::string> predict(const PredictRequest& request,
                                 const std::function<void(const std::string&)>& warn = {});

}  // namespace pecann::results
