#include "pecann/results/npz_file.h"

#include <array>

#include "pecann/base/input_error.h"
#include "pecann/base/npy.h"
#include "pecann/problem/scope.h"
#include "pecann/sampling/grid.h"
#include "pecann/train/error_norms.h"
#include "pecann/train/run_folder.h"

namespace pecann::results {
namespace {

/// Appends a little-endian integer, as zip wants it.
void put(std::string& bytes, std::uint64_t value, int width) {
  for (int i = 0; i < width; ++i) bytes += static_cast<char>(value >> 8 * i & 0xff);
}

/// Appends the fields that a local header and a central entry share: version 2.0, no flags, stored, 1 January 1980,
/// checksum, sizes, length of the name, no extra field.
void put_member(std::string& bytes, std::uint32_t checksum, std::size_t size, std::size_t name_length) {
  put(bytes, 20, 2), put(bytes, 0, 2), put(bytes, 0, 2), put(bytes, 0, 2), put(bytes, 0x21, 2);
  put(bytes, checksum, 4), put(bytes, size, 4), put(bytes, size, 4);
  put(bytes, name_length, 2), put(bytes, 0, 2);
}

/// Values with the first coordinate fastest, reordered so that the last one is.
std::vector<double> last_fastest(std::span<const double> values, std::span<const int> grid) {
  std::vector<double> result(values.size());
  std::vector<std::size_t> strides(grid.size(), 1);
  for (std::size_t c = grid.size(); c-- > 1;) strides[c - 1] = strides[c] * static_cast<std::size_t>(grid[c]);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::size_t rest = i, target = 0;
    for (std::size_t c = 0; c < grid.size(); ++c) {
      target += rest % static_cast<std::size_t>(grid[c]) * strides[c];
      rest /= static_cast<std::size_t>(grid[c]);
    }
    result[target] = values[i];
  }
  return result;
}

}  // namespace

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t n = 0; n < 256; ++n) {
      std::uint32_t value = n;
      for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
      table[n] = value;
    }
    return table;
  }();
  std::uint32_t value = 0xFFFFFFFFu;
  for (const char c : bytes) value = kTable[(value ^ static_cast<unsigned char>(c)) & 0xff] ^ value >> 8;
  return ~value;
}

std::string zip_bytes(const std::vector<std::pair<std::string, std::string>>& members, const std::string& path) {
  std::string bytes, directory;
  for (const auto& [name, content] : members) {
    const std::size_t offset = bytes.size();
    if (offset + content.size() > 0xFFFF0000u)
      throw InputError({.place = {.file = path},
                        .rule = "the archive would be larger than 4 GB",
                        .hint = "take a coarser evaluation grid, evaluate.grid"});
    const std::uint32_t checksum = crc32(content);
    put(bytes, 0x04034b50, 4);
    put_member(bytes, checksum, content.size(), name.size());
    bytes += name + content;
    put(directory, 0x02014b50, 4), put(directory, 20, 2);
    put_member(directory, checksum, content.size(), name.size());
    put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 2), put(directory, 0, 4), put(directory, offset, 4);
    directory += name;
  }
  const std::size_t start = bytes.size();
  bytes += directory;
  put(bytes, 0x06054b50, 4), put(bytes, 0, 2), put(bytes, 0, 2);
  put(bytes, members.size(), 2), put(bytes, members.size(), 2);
  put(bytes, directory.size(), 4), put(bytes, start, 4), put(bytes, 0, 2);
  return bytes;
}

void write_solution_npz(const problem::Problem& problem, const train::Solution& solution, const std::string& path) {
  const std::vector<int>& grid = problem.evaluate.grid;
  std::vector<std::string> names;
  std::vector<expr::Expr> expressions;
  for (const std::string& field : problem::quantity_names(problem)) {
    names.push_back(field);
    expressions.push_back(train::evaluation_reading(problem, field));
    if (const auto exact = problem.exact.find(field); exact != problem.exact.end()) {
      names.push_back("exact." + field);
      expressions.push_back(exact->second);
    }
  }
  const sampling::PointSet points = sampling::grid_points(problem.box, grid);
  std::vector<std::vector<double>> values;
  solution.evaluate(expressions, points, values);
  sampling::hide_outside(*problem.domain, points, values);

  std::vector<std::pair<std::string, std::string>> members;
  std::vector<std::size_t> shape;
  std::size_t stride = 1;
  for (std::size_t c = 0; c < grid.size(); ++c) {
    std::vector<double> axis;
    for (int node = 0; node < grid[c]; ++node)
      axis.push_back(points.coordinates[c][static_cast<std::size_t>(node) * stride]);
    stride *= static_cast<std::size_t>(grid[c]);
    shape.push_back(static_cast<std::size_t>(grid[c]));
    members.emplace_back(problem.box.names[c] + ".npy", npy_bytes(std::span(&shape.back(), 1), axis));
  }
  for (std::size_t e = 0; e < names.size(); ++e)
    members.emplace_back(names[e] + ".npy", npy_bytes(shape, last_fastest(values[e], grid)));
  train::write_run_file(path, zip_bytes(members, path));
}

}  // namespace pecann::results
