#include "pecann/results/vtk_files.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>

#include "pecann/base/input_error.h"
#include "pecann/base/require.h"
#include "pecann/base/text_file.h"
#include "pecann/mesh/mesh.h"
#include "pecann/results/base64.h"

namespace pecann::results {
namespace {

constexpr const char* kByteOrder = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

std::string opening(const char* type) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\">\n",
      type, kByteOrder);
}

/// The array that ParaView colours by at first.
std::string point_data(const std::vector<std::string>& names) {
  return names.empty() ? "<PointData>\n" : fmt::format("<PointData Scalars=\"{}\">\n", xml_attribute(names[0]));
}

/// VTK's inline binary: the number of bytes and the bytes in one base64 text.
template <class T>
std::string data_array(const char* type, const std::string& name, int components, std::span<const T> values) {
  const std::uint64_t length = values.size_bytes();
  std::string bytes(sizeof length + values.size_bytes(), '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  if (!values.empty()) std::memcpy(bytes.data() + sizeof length, values.data(), values.size_bytes());
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type, xml_attribute(name), components, base64(bytes));
}

/// The indices of the coordinates that become x, y, z. Time is among them only where there is no other coordinate.
std::vector<std::size_t> space_of(const sampling::Box& box, const std::string& path) {
  std::vector<std::size_t> space;
  for (std::size_t c = 0; c < box.names.size(); ++c)
    if (static_cast<int>(c) != box.time) space.push_back(c);
  if (space.empty()) space.push_back(0);
  if (space.size() > 3)
    throw InputError(
        {.place = {.file = path},
         .rule = fmt::format("VTK files have at most three coordinates in space, the problem has {}", space.size()),
         .hint = "write .csv or .npy"});
  return space;
}

/// One time of the prediction as image data: node i of the image is point first + i * stride of the
/// table for every axis.
std::string vti_text(const Prediction& prediction, const std::vector<std::size_t>& space, int time_node) {
  std::string extent, origin, spacing;
  std::vector<std::size_t> nodes, strides;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool used = axis < space.size();
    const int count = used ? prediction.grid[space[axis]] : 1;
    const double low = used ? prediction.box.lower[space[axis]] : 0,
                 high = used ? prediction.box.upper[space[axis]] : 0;
    extent += fmt::format("{}0 {}", axis ? " " : "", count - 1);
    origin += fmt::format("{}{}", axis ? " " : "", count > 1 ? low : 0.5 * (low + high));
    spacing += fmt::format("{}{}", axis ? " " : "", count > 1 ? (high - low) / (count - 1) : 1.0);
    std::size_t stride = 0;
    if (used) {
      stride = 1;
      for (std::size_t c = 0; c < space[axis]; ++c) stride *= static_cast<std::size_t>(prediction.grid[c]);
    }
    nodes.push_back(static_cast<std::size_t>(count));
    strides.push_back(stride);
  }
  std::size_t first = 0;
  if (prediction.box.time >= 0 && static_cast<std::size_t>(prediction.box.time) != space[0]) {
    first = static_cast<std::size_t>(time_node);
    for (int c = 0; c < prediction.box.time; ++c) first *= static_cast<std::size_t>(prediction.grid[c]);
  }
  std::string text = opening("ImageData");
  text += fmt::format("<ImageData WholeExtent=\"{0}\" Origin=\"{1}\" Spacing=\"{2}\">\n<Piece Extent=\"{0}\">\n",
                      extent, origin, spacing);
  text += point_data(prediction.names);
  std::vector<double> image(nodes[0] * nodes[1] * nodes[2]);
  for (std::size_t e = 0; e < prediction.names.size(); ++e) {
    std::size_t i = 0;
    for (std::size_t z = 0; z < nodes[2]; ++z)
      for (std::size_t y = 0; y < nodes[1]; ++y)
        for (std::size_t x = 0; x < nodes[0]; ++x)
          image[i++] = prediction.values[e][first + x * strides[0] + y * strides[1] + z * strides[2]];
    text += data_array<double>("Float64", prediction.names[e], 1, image);
  }
  return text + "</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n";
}

/// One time of a prediction on a mesh; its points begin at `first`.
std::string mesh_vtu_text(const Prediction& prediction, std::size_t first) {
  const mesh::Mesh& mesh = *prediction.mesh;
  const std::size_t count = prediction.mesh_nodes.size();
  std::vector<double> places;
  std::vector<std::int64_t> place_of(mesh.points.size(), -1), connectivity, offsets;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& point = mesh.points[prediction.mesh_nodes[i]];
    places.insert(places.end(), point.begin(), point.end());
    place_of[prediction.mesh_nodes[i]] = static_cast<std::int64_t>(i);
  }
  std::vector<std::uint8_t> types;
  for (std::size_t cell = 0; cell < mesh.cells(); ++cell) {
    const mesh::CellRow& row = mesh::row_of(mesh.kinds[cell]);
    if (row.dimension != mesh.dimension()) continue;
    for (const std::uint32_t node : mesh.nodes_of(cell)) connectivity.push_back(place_of[node]);
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    types.push_back(static_cast<std::uint8_t>(row.vtk));
  }
  std::string text = opening("UnstructuredGrid");
  text += fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n", count, types.size());
  text += point_data(prediction.names);
  for (std::size_t e = 0; e < prediction.names.size(); ++e)
    text +=
        data_array<double>("Float64", prediction.names[e], 1, std::span(prediction.values[e]).subspan(first, count));
  text += "</PointData>\n<Points>\n" + data_array<double>("Float64", "Points", 3, places) + "</Points>\n<Cells>\n";
  text += data_array<std::int64_t>("Int64", "connectivity", 1, connectivity);
  text += data_array<std::int64_t>("Int64", "offsets", 1, offsets);
  text += data_array<std::uint8_t>("UInt8", "types", 1, types);
  return text + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace

std::string xml_attribute(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

std::vector<std::string> write_vti(const Prediction& prediction, const std::string& path) {
  require(!prediction.grid.empty(), "image data is made of grids; points are refused before they are computed");
  const std::vector<std::size_t> space = space_of(prediction.box, path);
  const int time = prediction.box.time;
  if (time < 0 || static_cast<std::size_t>(time) == space[0]) {
    write_text_file(path, vti_text(prediction, space, 0));
    return {path};
  }
  const std::filesystem::path target(path);
  const std::string stem = target.stem().string();
  const std::string collection = (target.parent_path() / (stem + ".pvd")).string();
  std::vector<std::string> files = {collection};
  std::string list = opening("Collection") + "<Collection>\n";
  const int steps = prediction.grid[time];
  std::size_t stride = 1;
  for (int c = 0; c < time; ++c) stride *= static_cast<std::size_t>(prediction.grid[c]);
  for (int step = 0; step < steps; ++step) {
    const std::string name = fmt::format("{}-{:04}.vti", stem, step + 1);
    files.push_back((target.parent_path() / name).string());
    write_text_file(files.back(), vti_text(prediction, space, step));
    list +=
        fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                    prediction.points.coordinates[time][static_cast<std::size_t>(step) * stride], xml_attribute(name));
  }
  write_text_file(collection, list + "</Collection>\n</VTKFile>\n");
  return files;
}

std::vector<std::string> write_mesh_vtu(const Prediction& prediction, const std::string& path) {
  const int time = prediction.box.time;
  const std::size_t count = prediction.mesh_nodes.size();
  if (time < 0) {
    write_text_file(path, mesh_vtu_text(prediction, 0));
    return {path};
  }
  const std::filesystem::path target(path);
  const std::string stem = target.stem().string();
  std::vector<std::string> files = {(target.parent_path() / (stem + ".pvd")).string()};
  std::string list = opening("Collection") + "<Collection>\n";
  for (std::size_t first = 0; first < prediction.points.count; first += count) {
    const std::string name = fmt::format("{}-{:04}.vtu", stem, files.size());
    files.push_back((target.parent_path() / name).string());
    write_text_file(files.back(), mesh_vtu_text(prediction, first));
    list += fmt::format("<DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n",
                        prediction.points.coordinates[time][first], xml_attribute(name));
  }
  write_text_file(files[0], list + "</Collection>\n</VTKFile>\n");
  return files;
}

std::string vtu_text(const Prediction& prediction) {
  const std::vector<std::size_t> space = space_of(prediction.box, ".vtu");
  const std::size_t count = prediction.points.count;
  std::vector<double> places(3 * count, 0.0);
  std::vector<std::int64_t> connectivity(count), offsets(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t axis = 0; axis < space.size(); ++axis)
      places[3 * i + axis] = prediction.points.coordinates[space[axis]][i];
    connectivity[i] = static_cast<std::int64_t>(i);
    offsets[i] = static_cast<std::int64_t>(i + 1);
  }
  const std::vector<std::uint8_t> types(count, 1);  // VTK_VERTEX
  std::string text = opening("UnstructuredGrid");
  text += fmt::format("<UnstructuredGrid>\n<Piece NumberOfPoints=\"{0}\" NumberOfCells=\"{0}\">\n", count);
  text += point_data(prediction.names);
  const int time = prediction.box.time;
  if (time >= 0)
    text += data_array<double>("Float64", prediction.box.names[time], 1,
                               std::span(prediction.points.coordinates[time].data(), count));
  for (std::size_t e = 0; e < prediction.names.size(); ++e)
    text += data_array<double>("Float64", prediction.names[e], 1, prediction.values[e]);
  text += "</PointData>\n<Points>\n" + data_array<double>("Float64", "Points", 3, places) + "</Points>\n<Cells>\n";
  text += data_array<std::int64_t>("Int64", "connectivity", 1, connectivity);
  text += data_array<std::int64_t>("Int64", "offsets", 1, offsets);
  text += data_array<std::uint8_t>("UInt8", "types", 1, types);
  return text + "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

}  // namespace pecann::results
