// .stl files: triangles of a surface, text ("solid … facet normal …") or binary (80 bytes, a count, 50 bytes a
// triangle).
// Corners that are equal to the last bit are one point. The solids of a text file are groups.
#include <unordered_map>

#include "pecann/mesh/group_list.h"

namespace pecann::mesh {
namespace {

constexpr std::size_t kStlHeader = 80, kStlTriangle = 50;

struct CornerHash {
  std::size_t operator()(const std::array<double, 3>& point) const {
    std::uint64_t sum = 0;
    for (const double value : point) {
      sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15ull;
      sum ^= sum >> 29;
    }
    return sum;
  }
};

class StlReader {
 public:
  StlReader(std::string_view bytes, const std::string& file) : in_(bytes, file) { mesh_.file = file; }

  Mesh mesh() {
    // Binary files may begin with "solid" too: the count must fit the length of the file.
    if (is_binary()) {
      read_binary();
    } else if (in_.rest().substr(0, 5) == "solid") {
      read_text();
    } else {
      in_.fail("is no .stl file: neither text that begins with \"solid\" nor as long as the number of triangles says",
               "", "the file may be cut short");
    }
    if (mesh_.cells() == 0) in_.fail("the surface has no triangles");
    mesh_.groups = groups_.groups();
    return std::move(mesh_);
  }

 private:
  bool is_binary() const {
    if (in_.left() < kStlHeader + 4) return false;
    BytesReader header = in_;
    header.skip(kStlHeader);
    const auto count = header.binary<std::uint32_t>("the number of triangles");
    const double length = kStlHeader + 4 + static_cast<double>(kStlTriangle) * count;
    return length == static_cast<double>(in_.left());
  }

  std::uint32_t place_of(std::array<double, 3> corner) {
    for (double& value : corner) {
      if (!std::isfinite(value)) in_.fail("a corner must have finite coordinates");
      if (value == 0) value = 0;  // -0
    }
    const auto [found, added] = places_.emplace(corner, static_cast<std::uint32_t>(mesh_.points.size()));
    if (added) mesh_.points.push_back(corner);
    return found->second;
  }

  /// Triangles with two equal corners have no area and are left out; their neighbours share the edge that is left.
  void add_triangle(const std::array<std::array<double, 3>, 3>& corners) {
    std::uint32_t own[3];
    for (int k = 0; k < 3; ++k) own[k] = place_of(corners[k]);
    if (own[0] == own[1] || own[1] == own[2] || own[2] == own[0]) return;
    if (solid_ > 0) groups_.add(in_, 2, solid_, mesh_.cells());
    mesh_.add_cell(CellKind::Triangle, own);
  }

  void read_binary() {
    in_.skip(kStlHeader);
    const auto count = in_.binary<std::uint32_t>("the number of triangles");
    check_sizes(in_, 0, count, kMostNodes, kMostCells);
    for (std::uint32_t i = 0; i < count; ++i) {
      for (int k = 0; k < 3; ++k) in_.binary<float>("a normal");
      std::array<std::array<double, 3>, 3> corners;
      for (auto& corner : corners)
        for (double& value : corner) value = in_.binary<float>("a corner");
      in_.binary<std::uint16_t>("a triangle");
      add_triangle(corners);
    }
  }

  void read_text() {
    for (std::string_view word = in_.word(); !word.empty(); word = in_.word()) {
      if (word != "solid") in_.fail("a solid must begin here", word);
      std::string name(in_.line_text());
      const std::size_t begin = name.find_first_not_of(" \t"), end = name.find_last_not_of(" \t");
      name = begin == std::string::npos ? "" : name.substr(begin, end - begin + 1);
      // The same solid may come in parts.
      const auto [found, added] = solids_.emplace(name, static_cast<std::int64_t>(solids_.size()) + 1);
      solid_ = found->second;
      groups_.name(2, solid_, name);
      read_facets();
      in_.line_text();  // endsolid NAME
    }
  }

  void read_facets() {
    for (std::string_view word = in_.word(); word != "endsolid"; word = in_.word()) {
      expect(word, "facet");
      expect(in_.word(), "normal");
      for (int k = 0; k < 3; ++k) in_.word();  // the corners say it better; some programs write nan
      expect(in_.word(), "outer");
      expect(in_.word(), "loop");
      std::array<std::array<double, 3>, 3> corners;
      for (auto& corner : corners) {
        expect(in_.word(), "vertex");
        for (double& value : corner) value = in_.number("a coordinate");
      }
      expect(in_.word(), "endloop");
      expect(in_.word(), "endfacet");
      add_triangle(corners);
      check_sizes(in_, 0, static_cast<double>(mesh_.cells()), kMostNodes, kMostCells);
    }
  }

  void expect(std::string_view word, const char* wanted) const {
    if (word.empty()) in_.fail("the file ends within a solid: it is cut short");
    if (word != wanted) in_.fail("'" + std::string(wanted) + "' must stand here", word);
  }

  BytesReader in_;
  Mesh mesh_;
  GroupList groups_;
  std::unordered_map<std::array<double, 3>, std::uint32_t, CornerHash> places_;
  std::map<std::string, std::int64_t> solids_;
  std::int64_t solid_ = 0;
};

}  // namespace

Mesh parse_stl(std::string_view bytes, const std::string& file) { return StlReader(bytes, file).mesh(); }

}  // namespace pecann::mesh
