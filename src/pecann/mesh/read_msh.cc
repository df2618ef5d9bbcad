// Gmsh's .msh files, formats 2.2 and 4.1, text and binary (Gmsh reference manual, chapter "MSH file format").
#include <algorithm>
#include <unordered_map>

#include "pecann/mesh/group_list.h"

namespace pecann::mesh {
namespace {

/// Numbers of nodes, which files choose freely, as places in the list of points.
class NodePlaces {
 public:
  bool add(std::int64_t number, std::uint32_t place) { return places_.emplace(number, place).second; }
  void reserve(std::size_t count) { places_.reserve(count); }
  const std::uint32_t* find(std::int64_t number) const {
    const auto found = places_.find(number);
    return found == places_.end() ? nullptr : &found->second;
  }

 private:
  std::unordered_map<std::int64_t, std::uint32_t> places_;
};

class MshReader {
 public:
  MshReader(std::string_view bytes, const std::string& file) : in_(bytes, file) { mesh_.file = file; }

  Mesh mesh() {
    if (in_.word() != "$MeshFormat") in_.fail("is no Gmsh mesh: it must begin with $MeshFormat");
    read_format();
    bool nodes = false, cells = false;
    for (std::string_view section = in_.word(); !section.empty(); section = in_.word()) {
      if (section.front() != '$') in_.fail("a section must begin here, as in $Nodes", section);
      const std::string end = "$End" + std::string(section.substr(1));
      if (section == "$PhysicalNames") {
        read_names();
      } else if (section == "$Entities" && version_ == 4) {
        read_entities();
      } else if (section == "$Nodes" && !nodes) {
        nodes = true;
        version_ == 4 ? read_nodes_4() : read_nodes_2();
      } else if (section == "$Elements" && !cells) {
        if (!nodes) in_.fail("$Nodes must come before $Elements");
        cells = true;
        version_ == 4 ? read_cells_4() : read_cells_2();
      } else {
        const std::size_t found = in_.rest().find(end);
        if (found == std::string_view::npos) in_.fail("the file ends within the section", section);
        in_.skip(found);
      }
      if (in_.word() != end) in_.fail("the section must end with " + shortened(end) + " here");
    }
    if (!cells) in_.fail("the mesh has no $Elements: the file is cut short or holds something else");
    mesh_.groups = groups_.groups();
    if (version_ == 2) merge_equal_cells();
    return std::move(mesh_);
  }

 private:
  void read_format() {
    const std::string_view version = in_.word();
    if (version != "2.2" && version != "4.1" && version != "2.1" && version != "2")
      in_.fail("Gmsh's formats 2.2 and 4.1 are read, not this one", version,
               "write it again: gmsh FILE -save -format msh41 -o NEW.msh");
    version_ = version.front() - '0';
    binary_ = in_.integer("the kind of file") != 0;
    if (in_.integer("the size of numbers") != 8) in_.fail("numbers must have 8 bytes");
    if (binary_) {
      in_.line_text();
      const auto one = in_.binary<std::int32_t>("the format");
      if (one != 1) in_.set_big_endian(true);
      if (one != 1 && one != 0x01000000) in_.fail("the binary file does not begin with the number 1");
    }
    if (in_.word() != "$EndMeshFormat") in_.fail("the section must end with $EndMeshFormat here");
  }

  void begin_binary() {
    if (binary_) in_.line_text();  // the line end behind a section's name or a count
  }
  std::int64_t integer(const char* what) { return binary_ ? in_.binary<std::int32_t>(what) : in_.integer(what); }
  std::int64_t size(const char* what) {
    const std::int64_t value = binary_ ? in_.binary<std::int64_t>(what) : in_.integer(what);
    if (value < 0) in_.fail(std::string(what) + " cannot be negative");
    return value;
  }
  double real(const char* what) {
    if (!binary_) return in_.number(what);
    const auto value = in_.binary<double>(what);
    if (!std::isfinite(value)) in_.fail(std::string(what) + " must be a finite number");
    return value;
  }

  void read_names() {
    const std::int64_t count = in_.integer("the number of names");
    if (count < 0 || count > 1'000'000) in_.fail("the number of names is wrong", std::to_string(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t dimension = in_.integer("the dimension of a group"), number = in_.integer("a group's number");
      std::string_view text = in_.line_text();
      const std::size_t first = text.find('"'), last = text.rfind('"');
      if (first == std::string_view::npos || last <= first) in_.fail("a group's name stands in quotation marks", text);
      if (dimension < 0 || dimension > 3) in_.fail("a group has 0 to 3 dimensions", std::to_string(dimension));
      groups_.name(static_cast<int>(dimension), number, std::string(text.substr(first + 1, last - first - 1)));
    }
  }

  void read_entities() {
    begin_binary();
    std::int64_t counts[4];
    for (std::int64_t& count : counts) count = size("the number of entities");
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::int64_t i = 0; i < counts[dimension]; ++i) {
        const std::int64_t tag = integer("an entity");
        for (int k = 0; k < (dimension == 0 ? 3 : 6); ++k) real("an entity's box");
        std::vector<std::int64_t>& own = physical_[{dimension, tag}];
        for (std::int64_t k = size("the number of an entity's groups"); k > 0; --k)
          own.push_back(integer("an entity's group"));
        if (dimension > 0)
          for (std::int64_t k = size("the number of an entity's sides"); k > 0; --k) integer("an entity's side");
      }
  }

  void add_node(std::int64_t number, double x, double y, double z) {
    if (!places_.add(number, static_cast<std::uint32_t>(mesh_.points.size())))
      in_.fail("two nodes have the same number", std::to_string(number));
    mesh_.points.push_back({x, y, z});
  }

  void read_nodes_2() {
    const std::int64_t count = in_.integer("the number of nodes");
    check_sizes(in_, static_cast<double>(count), 0, kMostNodes, kMostCells);
    begin_binary();
    in_.require_room(static_cast<double>(count), binary_ ? 28 : 8, "the nodes");
    places_.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t number = integer("a node's number");
      const double x = real("a coordinate"), y = real("a coordinate"), z = real("a coordinate");
      add_node(number, x, y, z);
    }
  }

  void read_nodes_4() {
    begin_binary();
    const std::int64_t blocks = size("the number of blocks"), count = size("the number of nodes");
    size("the least number of a node");
    size("the largest number of a node");
    check_sizes(in_, static_cast<double>(count), 0, kMostNodes, kMostCells);
    in_.require_room(static_cast<double>(count), binary_ ? 32 : 8, "the nodes");
    places_.reserve(static_cast<std::size_t>(count));
    std::vector<std::int64_t> numbers;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = integer("a block's dimension");
      integer("a block's entity");
      const std::int64_t more = integer("whether parameters follow") != 0 ? dimension : 0;
      const std::int64_t own = size("the number of nodes of a block");
      if (own > count - static_cast<std::int64_t>(mesh_.points.size())) in_.fail("there are more nodes than announced");
      numbers.clear();
      for (std::int64_t i = 0; i < own; ++i) numbers.push_back(size("a node's number"));
      for (const std::int64_t number : numbers) {
        const double x = real("a coordinate"), y = real("a coordinate"), z = real("a coordinate");
        for (std::int64_t k = 0; k < more && k < 3; ++k) real("a parameter");
        add_node(number, x, y, z);
      }
    }
  }

  const CellRow& row_of_type(std::int64_t type) const {
    const CellRow* row = gmsh_cell(type);
    if (row == nullptr)
      in_.fail("cells of Gmsh's type " + std::to_string(type) + " are not read: first-order ones are", "",
               "write the mesh with gmsh -order 1");
    return *row;
  }

  std::uint32_t place_of(std::int64_t number) const {
    const std::uint32_t* place = places_.find(number);
    if (place == nullptr) in_.fail("a cell uses a node that is not there", std::to_string(number));
    return *place;
  }

  void add_cell(const CellRow& row) {
    own_.clear();
    for (int k = 0; k < row.nodes; ++k)
      own_.push_back(place_of(version_ == 4 ? size("a cell's node") : integer("a cell's node")));
    mesh_.add_cell(row.kind, own_);
  }

  void read_cells_2() {
    const std::int64_t count = in_.integer("the number of cells");
    check_sizes(in_, 0, static_cast<double>(count), kMostNodes, kMostCells);
    begin_binary();
    in_.require_room(static_cast<double>(count), 8, "the cells");
    for (std::int64_t done = 0; done < count;) {
      std::int64_t type = 0, together = 1, tags = 0;
      if (!binary_) integer("a cell's number");
      type = integer("a cell's type");
      if (binary_) together = integer("the number of cells of a block");
      tags = integer("the number of a cell's tags");
      if (tags < 0 || tags > 1000 || together < 1 || together > count - done)
        in_.fail("the numbers of a cell's block are wrong");
      const CellRow& row = row_of_type(type);
      for (std::int64_t i = 0; i < together; ++i, ++done) {
        if (binary_) integer("a cell's number");
        std::int64_t physical = 0;
        for (std::int64_t k = 0; k < tags; ++k) {
          const std::int64_t tag = integer("a cell's tag");
          if (k == 0) physical = tag;
        }
        groups_.add(in_, row.dimension, physical, mesh_.cells());
        add_cell(row);
      }
    }
  }

  void read_cells_4() {
    begin_binary();
    const std::int64_t blocks = size("the number of blocks"), count = size("the number of cells");
    size("the least number of a cell");
    size("the largest number of a cell");
    check_sizes(in_, 0, static_cast<double>(count), kMostNodes, kMostCells);
    in_.require_room(static_cast<double>(count), binary_ ? 16 : 4, "the cells");
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t dimension = integer("a block's dimension"), tag = integer("a block's entity");
      const CellRow& row = row_of_type(integer("a cell's type"));
      const std::int64_t own = size("the number of cells of a block");
      if (own > count - static_cast<std::int64_t>(mesh_.cells())) in_.fail("there are more cells than announced");
      const auto physical = physical_.find({static_cast<int>(dimension), tag});
      for (std::int64_t i = 0; i < own; ++i) {
        size("a cell's number");
        if (physical != physical_.end())
          for (const std::int64_t group : physical->second) groups_.add(in_, row.dimension, group, mesh_.cells());
        add_cell(row);
      }
    }
  }

  /// Format 2.2 writes a cell once for every group that it is in.
  void merge_equal_cells() {
    const std::size_t count = mesh_.cells();
    std::vector<std::uint32_t> order(count), first(count);
    std::vector<std::uint32_t> sorted = mesh_.nodes;
    for (std::size_t c = 0; c < count; ++c) {
      order[c] = first[c] = static_cast<std::uint32_t>(c);
      std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(mesh_.starts[c]),
                sorted.begin() + static_cast<std::ptrdiff_t>(mesh_.starts[c + 1]));
    }
    const auto nodes_of = [&](std::uint32_t c) {
      return std::span(sorted).subspan(mesh_.starts[c], mesh_.starts[c + 1] - mesh_.starts[c]);
    };
    const auto compare = [&](std::uint32_t a, std::uint32_t b) {
      if (mesh_.kinds[a] != mesh_.kinds[b]) return mesh_.kinds[a] < mesh_.kinds[b] ? -1 : 1;
      const auto x = nodes_of(a), y = nodes_of(b);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
      return 0;
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const int sign = compare(a, b);
      return sign != 0 ? sign < 0 : a < b;
    });
    std::size_t equal = 0;
    for (std::size_t i = 1; i < count; ++i)
      if (compare(order[i - 1], order[i]) == 0) {
        first[order[i]] = first[order[i - 1]];
        ++equal;
      }
    if (equal == 0) return;
    Mesh merged;
    std::vector<std::uint32_t> moved(count);
    for (std::size_t c = 0; c < count; ++c) {
      if (first[c] != c) continue;
      moved[c] = static_cast<std::uint32_t>(merged.cells());
      merged.add_cell(mesh_.kinds[c], mesh_.nodes_of(c));
    }
    for (Group& group : mesh_.groups) {
      for (std::uint32_t& cell : group.cells) cell = moved[first[cell]];
      std::sort(group.cells.begin(), group.cells.end());
      group.cells.erase(std::unique(group.cells.begin(), group.cells.end()), group.cells.end());
    }
    mesh_.kinds = std::move(merged.kinds);
    mesh_.starts = std::move(merged.starts);
    mesh_.nodes = std::move(merged.nodes);
  }

  BytesReader in_;
  Mesh mesh_;
  NodePlaces places_;
  GroupList groups_;
  std::map<std::pair<int, std::int64_t>, std::vector<std::int64_t>> physical_;  // of entities (4.1)
  std::vector<std::uint32_t> own_;
  int version_ = 4;
  bool binary_ = false;
};

}  // namespace

Mesh parse_msh(std::string_view bytes, const std::string& file) { return MshReader(bytes, file).mesh(); }

}  // namespace pecann::mesh
