// VTK's legacy files (.vtk): unstructured grids and surfaces, text and binary, of versions up to 5.1.
#include "pecann/mesh/vtk_cells.h"

namespace pecann::mesh {
namespace {

std::string upper_case(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, const std::string& file) : in_(bytes, file) { mesh_.file = file; }

  Mesh mesh() {
    if (!in_.line_text().starts_with("# vtk DataFile")) in_.fail("is no .vtk file: it must begin with # vtk DataFile");
    in_.line_text();  // a title
    const std::string kind = upper_case(in_.word());
    if (kind != "ASCII" && kind != "BINARY") in_.fail("ASCII or BINARY must stand here", kind);
    binary_ = kind == "BINARY";
    in_.set_big_endian(true);
    if (upper_case(in_.word()) != "DATASET") in_.fail("DATASET must stand here");
    const std::string set = upper_case(in_.word());
    if (set != "UNSTRUCTURED_GRID" && set != "POLYDATA")
      in_.fail("unstructured grids and surfaces are read, not this", set, "write UNSTRUCTURED_GRID or POLYDATA");
    while (read_section()) {
    }
    if (cells_.types.empty()) in_.fail("the file has no cells: it is cut short or holds points alone");
    add_cells();
    return std::move(mesh_);
  }

 private:
  /// False at the end, or where something begins that says nothing about the mesh.
  bool read_section() {
    const std::string word = upper_case(in_.word());
    if (word == "METADATA") {
      in_.line_text();
      while (in_.left() > 0 && !in_.line_text().empty()) {
      }
      return true;
    }
    if (word == "POINTS") return read_points();
    if (word == "CELLS") return read_cells(-1);
    if (word == "VERTICES") return read_cells(1);
    if (word == "LINES") return read_cells(4);
    if (word == "POLYGONS") return read_cells(7);
    if (word == "CELL_TYPES") {
      const std::int64_t count = count_of("the number of types");
      if (count != static_cast<std::int64_t>(cells_.offsets.size())) in_.fail("there must be a type for every cell");
      cells_.types = integers(count, "INT", "a cell's type");
      return true;
    }
    if (word == "CELL_DATA" || word == "POINT_DATA") {
      of_cells_ = word == "CELL_DATA";
      data_count_ = count_of("the number of values");
      return true;
    }
    if (word == "SCALARS") return read_scalars();
    if (word == "FIELD") return read_field();
    return false;
  }

  std::int64_t count_of(const char* what) {
    const std::int64_t count = in_.integer(what);
    if (count < 0 || static_cast<double>(count) > 16 * kMostCells)
      in_.fail(std::string(what) + " is too large", std::to_string(count), "make a coarser mesh");
    return count;
  }

  bool read_points() {
    const std::int64_t count = in_.integer("the number of points");
    check_sizes(in_, static_cast<double>(count), 0, kMostNodes, kMostCells);
    const std::vector<double> values = numbers(3 * count, upper_case(in_.word()), "a coordinate");
    for (std::size_t i = 0; i + 2 < values.size(); i += 3) {
      for (std::size_t c = 0; c < 3; ++c)
        if (!std::isfinite(values[i + c])) in_.fail("a coordinate must be a finite number");
      mesh_.points.push_back({values[i], values[i + 1], values[i + 2]});
    }
    return true;
  }

  /// `type`: of all of them; -1: CELL_TYPES follows.
  bool read_cells(std::int64_t type) {
    const std::int64_t first = count_of("the number of cells"), second = count_of("the length of the list of cells");
    check_sizes(in_, 0, static_cast<double>(first), kMostNodes, kMostCells);
    BytesReader ahead = in_;
    const auto base = static_cast<std::int64_t>(cells_.connectivity.size());
    const std::size_t before = cells_.offsets.size();
    if (ahead.word() == "OFFSETS") {  // version 5.1: ends and nodes by themselves
      in_.word();
      const std::vector<std::int64_t> ends = integers(first, upper_case(in_.word()), "a cell's end");
      if (in_.word() != "CONNECTIVITY") in_.fail("CONNECTIVITY must stand here");
      const std::vector<std::int64_t> nodes = integers(second, upper_case(in_.word()), "a cell's point");
      cells_.connectivity.insert(cells_.connectivity.end(), nodes.begin(), nodes.end());
      for (std::size_t i = 1; i < ends.size(); ++i) cells_.offsets.push_back(base + ends[i]);
    } else {
      const std::vector<std::int64_t> list = integers(second, "INT", "a cell's point");
      std::size_t at = 0;
      for (std::int64_t i = 0; i < first; ++i) {
        if (at >= list.size() || list[at] < 0 || static_cast<std::size_t>(list[at]) > list.size() - at - 1)
          in_.fail("the list of cells is shorter than they are");
        const auto own = static_cast<std::size_t>(list[at]);
        cells_.connectivity.insert(cells_.connectivity.end(), list.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                   list.begin() + static_cast<std::ptrdiff_t>(at + own) + 1);
        cells_.offsets.push_back(static_cast<std::int64_t>(cells_.connectivity.size()));
        at += own + 1;
      }
    }
    if (type >= 0) cells_.types.resize(cells_.types.size() + cells_.offsets.size() - before, type);
    return true;
  }

  bool read_scalars() {
    const std::string name(in_.word()), type = upper_case(in_.word());
    BytesReader ahead = in_;
    std::int64_t components = 1;
    if (upper_case(ahead.word()) != "LOOKUP_TABLE") components = in_.integer("the number of components");
    if (upper_case(in_.word()) != "LOOKUP_TABLE") in_.fail("LOOKUP_TABLE must stand here");
    in_.word();
    if (components < 1 || components > 100) in_.fail("the number of components is wrong");
    keep_groups(name, components, data_count_, numbers(components * data_count_, type, "a value"));
    return true;
  }

  bool read_field() {
    in_.word();
    for (std::int64_t k = count_of("the number of arrays"); k > 0; --k) {
      std::string name(in_.word());
      if (upper_case(name) == "METADATA") {
        in_.line_text();
        while (in_.left() > 0 && !in_.line_text().empty()) {
        }
        name = in_.word();
      }
      const std::int64_t components = count_of("the number of components"), rows = count_of("the number of rows");
      if (static_cast<double>(components) * static_cast<double>(rows) > 16 * kMostCells)
        in_.fail("an array is too large", name);
      const std::string type = upper_case(in_.word());
      if (type == "STRING" || type == "BIT") return false;
      keep_groups(name, components, rows, numbers(components * rows, type, "a value"));
    }
    return true;
  }

  void keep_groups(const std::string& name, std::int64_t components, std::int64_t rows,
                   const std::vector<double>& values) {
    const int rank = group_array_rank(name);
    if (!of_cells_ || rank < 0 || components != 1 || rows != static_cast<std::int64_t>(cells_.offsets.size())) return;
    if (group_rank_ >= 0 && group_rank_ <= rank) return;
    group_rank_ = rank;
    group_of_ = values;
  }

  void add_cells() {
    const auto became = add_vtk_cells(in_, cells_, 0, mesh_);
    GroupList groups;
    for (std::size_t i = 0; i < group_of_.size(); ++i)
      for (std::uint32_t cell = became[i].first; cell < became[i].second; ++cell)
        if (std::abs(group_of_[i]) < 1e15)
          groups.add(in_, row_of(mesh_.kinds[cell]).dimension, static_cast<std::int64_t>(group_of_[i]), cell);
    mesh_.groups = groups.groups();
  }

  template <class T>
  void add_binary(std::int64_t count, std::vector<double>& values, const char* what) {
    in_.require_room(static_cast<double>(count), sizeof(T), "an array");
    for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<double>(in_.binary<T>(what)));
  }

  /// Numbers of any type; whole ones up to 2^53 keep all digits.
  std::vector<double> numbers(std::int64_t count, const std::string& type, const char* what) {
    std::vector<double> values;
    if (!binary_) {
      in_.require_room(static_cast<double>(count), 1, "an array");
      for (std::int64_t i = 0; i < count; ++i) values.push_back(in_.number(what));
      return values;
    }
    in_.line_text();
    if (type == "DOUBLE")
      add_binary<double>(count, values, what);
    else if (type == "FLOAT")
      add_binary<float>(count, values, what);
    else if (type == "INT")
      add_binary<std::int32_t>(count, values, what);
    else if (type == "UNSIGNED_INT")
      add_binary<std::uint32_t>(count, values, what);
    else if (type == "LONG" || type == "VTKTYPEINT64" || type == "VTKIDTYPE")
      add_binary<std::int64_t>(count, values, what);
    else if (type == "UNSIGNED_LONG" || type == "VTKTYPEUINT64")
      add_binary<std::uint64_t>(count, values, what);
    else if (type == "SHORT")
      add_binary<std::int16_t>(count, values, what);
    else if (type == "UNSIGNED_SHORT")
      add_binary<std::uint16_t>(count, values, what);
    else if (type == "CHAR")
      add_binary<std::int8_t>(count, values, what);
    else if (type == "UNSIGNED_CHAR")
      add_binary<std::uint8_t>(count, values, what);
    else
      in_.fail("is no type of numbers", type);
    return values;
  }

  std::vector<std::int64_t> integers(std::int64_t count, const std::string& type, const char* what) {
    std::vector<std::int64_t> whole;
    for (const double value : numbers(count, type, what)) {
      if (!(std::abs(value) < 1e15)) in_.fail(std::string(what) + " is no whole number");
      whole.push_back(static_cast<std::int64_t>(value));
    }
    return whole;
  }

  BytesReader in_;
  Mesh mesh_;
  VtkCells cells_;
  bool binary_ = false, of_cells_ = false;
  std::int64_t data_count_ = 0;
  int group_rank_ = -1;
  std::vector<double> group_of_;
};

}  // namespace

Mesh parse_vtk(std::string_view bytes, const std::string& file) { return VtkReader(bytes, file).mesh(); }

}  // namespace pecann::mesh
