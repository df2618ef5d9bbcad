// VTK's XML files, for ParaView: image data (.vti) on grids of one to three coordinates in space, with a collection
// (.pvd) over time; points, and the cells of meshes (.vtu). Numbers are Float64 in base64.
#pragma once

#include <string>
#include <vector>

#include "pecann/results/prediction.h"

namespace pecann::results {

/// Writes the file `path`, or for a problem in time STEM-0001.vti, … and STEM.pvd with the stem of `path`. Returns the
/// files written, the .pvd first. Throws InputError for scattered points and for more than three coordinates in space.
std::vector<std::string> write_vti(const Prediction& prediction, const std::string& path);

/// The text of a .vtu file: every point is a vertex, time is one more array.
std::string vtu_text(const Prediction& prediction);

/// Writes the cells of the prediction's mesh with the values at their points: the file `path`, or for a problem in time
/// STEM-0001.vtu, … and STEM.pvd. Returns the files written, the .pvd first.
std::vector<std::string> write_mesh_vtu(const Prediction& prediction, const std::string& path);

/// A text inside an XML attribute; characters that XML does not allow become spaces.
std::string xml_attribute(const std::string& text);

}  // namespace pecann::results
