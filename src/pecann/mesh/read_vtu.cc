// VTK's XML files of unstructured grids (.vtu): arrays as text, as base64, or appended behind the XML, plain or
// compressed by zlib.
#include <zlib.h>

#include <charconv>
#include <map>

#include "pecann/mesh/point_data.h"
#include "pecann/mesh/vtk_cells.h"

namespace pecann::mesh {
namespace {

constexpr double kMostArrayBytes = 64 * kMostCells;
constexpr double kMostInflation = 1100;  // zlib makes at most some 1032 bytes of one

using Attributes = std::map<std::string, std::string, std::less<>>;

struct XmlArray {
  Attributes attributes;
  std::string_view text;  // between its tags
};

struct XmlPiece {
  std::int64_t points = 0, cells = 0;
  XmlArray coordinates, connectivity, offsets, types, group;
  std::vector<XmlArray> at_points;
  int group_rank = -1;
};

/// Bytes of base64 text, at most so many; padding within it ends one stream and begins another.
std::string from_base64(const BytesReader& in, std::string_view text, std::size_t most) {
  std::string bytes;
  unsigned group = 0;
  int digits = 0, padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
    if (bytes.size() >= most && digits == 0) break;
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z')
      value = static_cast<unsigned>(c - 'A');
    else if (c >= 'a' && c <= 'z')
      value = static_cast<unsigned>(c - 'a') + 26;
    else if (c >= '0' && c <= '9')
      value = static_cast<unsigned>(c - '0') + 52;
    else if (c == '+')
      value = 62;
    else if (c == '/')
      value = 63;
    else if (c == '=')
      ++padding;
    else
      break;
    group = group << 6 | value;
    if (++digits < 4) continue;
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
    group = 0;
    digits = padding = 0;
  }
  if (digits != 0) in.fail("base64 text is cut short");
  return bytes;
}

class VtuReader {
 public:
  VtuReader(std::string_view bytes, const std::string& file) : bytes_(bytes), in_(bytes, file) { mesh_.file = file; }

  Mesh mesh() {
    read_pieces();
    GroupList groups;
    for (const XmlPiece& piece : pieces_) add_piece(piece, groups);
    if (mesh_.cells() == 0) in_.fail("the mesh has no cells");
    mesh_.groups = groups.groups();
    return std::move(mesh_);
  }

  PointData point_data() {
    read_pieces();
    PointData data{{"x", "y", "z"}, std::vector<std::vector<double>>(3)};
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      const XmlPiece& piece = pieces_[p];
      check_sizes(in_, static_cast<double>(piece.points) + static_cast<double>(data.columns[0].size()), 0, kMostNodes,
                  kMostCells);
      const auto points = static_cast<std::size_t>(piece.points);
      const std::size_t before = data.columns[0].size();
      append_columns(values_of(piece.coordinates, "the points"), points, 3, 0, data);
      std::size_t next = 3;
      for (const XmlArray& array : piece.at_points) {
        if (text_in(array.attributes, "type") == "String") continue;
        const std::string name = text_in(array.attributes, "Name");
        const std::vector<double> values = values_of(array, name.c_str());
        const std::size_t components = points == 0 ? 0 : values.size() / points;
        if (components == 0 || components > kMostComponents)
          in_.fail("the array has no number for every point, or too many", name);
        for (std::size_t c = 0; c < components && p == 0; ++c) {
          data.names.push_back(components == 1 ? name : name + "." + std::to_string(c + 1));
          data.columns.emplace_back();
          if (data.names.size() > kMostColumns) in_.fail("the points have too many arrays");
        }
        const std::string first = components == 1 ? name : name + ".1";
        if (next + components > data.names.size() || data.names[next] != first)
          in_.fail("the pieces of the file have different arrays at their points", name);
        append_columns(values, points, components, next, data);
        next += components;
      }
      if (next != data.names.size()) in_.fail("the pieces of the file have different arrays at their points");
      if (before == data.columns[0].size() && pieces_.size() == 1) in_.fail("the file has no points");
    }
    return data;
  }

 private:
  static constexpr std::size_t kMostComponents = 9, kMostColumns = 200;

  void append_columns(const std::vector<double>& values, std::size_t points, std::size_t components, std::size_t first,
                      PointData& data) const {
    if (values.size() != points * components)
      in_.fail("an array has not as many numbers for every point", data.names[first]);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) in_.fail("a number at a point must be finite", data.names[first + i % components]);
      data.columns[first + i % components].push_back(values[i]);
    }
  }

  void read_pieces() {
    read_tags();
    if (pieces_.empty()) in_.fail("is no .vtu file, or holds no piece of a mesh");
  }

  /// Goes through the tags and keeps where the arrays of each piece are.
  void read_tags() {
    std::string section;
    for (std::size_t at = bytes_.find('<'); at != std::string_view::npos; at = bytes_.find('<', at)) {
      in_.skip(at - std::min(at, in_.at()));
      if (bytes_.substr(at, 4) == "<!--") {
        at = std::min(bytes_.find("-->", at), bytes_.size() - 1);
        continue;
      }
      std::size_t end = at;
      for (char quote = 0; end < bytes_.size() && (quote != 0 || bytes_[end] != '>'); ++end) {
        if (quote == 0 && (bytes_[end] == '"' || bytes_[end] == '\''))
          quote = bytes_[end];
        else if (bytes_[end] == quote)
          quote = 0;
      }
      if (end == bytes_.size()) in_.fail("the file ends within a tag: it is cut short");
      const std::string_view tag = bytes_.substr(at + 1, end - at - 1);
      const std::string name(tag.substr(0, tag.find_first_of(" \t\r\n/", 1)));
      const Attributes attributes = attributes_of(tag);
      at = end + 1;
      if (name == "VTKFile") {
        read_file_tag(attributes);
      } else if (name == "Piece") {
        pieces_.emplace_back();
        if (pieces_.size() > 10'000) in_.fail("the file has too many pieces");
        pieces_.back().points = count_in(attributes, "NumberOfPoints");
        pieces_.back().cells = count_in(attributes, "NumberOfCells");
      } else if (name == "Points" || name == "Cells" || name == "CellData" || name == "PointData") {
        section = name;
      } else if (name == "DataArray" && !pieces_.empty()) {
        const bool single = tag.ends_with('/');
        const std::size_t close = single ? at : bytes_.find('<', at);
        if (close == std::string_view::npos) in_.fail("the file ends within an array: it is cut short");
        keep_array(section, {attributes, bytes_.substr(at, close - at)});
      } else if (name == "AppendedData") {
        const auto encoding = attributes.find("encoding");
        raw_ = encoding != attributes.end() && encoding->second == "raw";
        const std::size_t mark = bytes_.find('_', at);
        appended_ = mark == std::string_view::npos ? std::string_view() : bytes_.substr(mark + 1);
        return;
      }
    }
  }

  static Attributes attributes_of(std::string_view tag) {
    Attributes attributes;
    for (std::size_t at = 0; (at = tag.find('=', at)) != std::string_view::npos;) {
      std::size_t begin = at;
      while (begin > 0 && std::string_view(" \t\r\n").find(tag[begin - 1]) == std::string_view::npos) --begin;
      const std::size_t open = tag.find_first_of("\"'", at);
      const std::size_t close = open == std::string_view::npos ? open : tag.find(tag[open], open + 1);
      if (close == std::string_view::npos) break;
      attributes[std::string(tag.substr(begin, at - begin))] = std::string(tag.substr(open + 1, close - open - 1));
      at = close + 1;
    }
    return attributes;
  }

  static std::string text_in(const Attributes& attributes, const char* name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? "" : found->second;
  }

  std::int64_t count_in(const Attributes& attributes, const char* name) const {
    const std::string text = text_in(attributes, name);
    std::int64_t count = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error != std::errc{} || end != text.data() + text.size() || count < 0)
      in_.fail(std::string(name) + " must be a whole number", text);
    return count;
  }

  void read_file_tag(const Attributes& attributes) {
    if (text_in(attributes, "type") != "UnstructuredGrid")
      in_.fail("a .vtu file holds an UnstructuredGrid", text_in(attributes, "type"));
    big_endian_ = text_in(attributes, "byte_order") == "BigEndian";
    wide_headers_ = text_in(attributes, "header_type") == "UInt64";
    const std::string compressor = text_in(attributes, "compressor");
    compressed_ = !compressor.empty();
    if (compressed_ && compressor != "vtkZLibDataCompressor")
      in_.fail("arrays that zlib compressed are read, not these", compressor,
               "write the file with zlib, or without compression");
  }

  void keep_array(const std::string& section, XmlArray array) {
    XmlPiece& piece = pieces_.back();
    const std::string name = text_in(array.attributes, "Name");
    if (section == "Points")
      piece.coordinates = std::move(array);
    else if (section == "Cells" && name == "connectivity")
      piece.connectivity = std::move(array);
    else if (section == "Cells" && name == "offsets")
      piece.offsets = std::move(array);
    else if (section == "Cells" && name == "types")
      piece.types = std::move(array);
    else if (section == "PointData") {
      piece.at_points.push_back(std::move(array));
    } else if (section == "CellData") {
      const int rank = group_array_rank(name);
      if (rank < 0 || (piece.group_rank >= 0 && piece.group_rank <= rank)) return;
      piece.group_rank = rank;
      piece.group = std::move(array);
    }
  }

  void add_piece(const XmlPiece& piece, GroupList& groups) {
    check_sizes(in_, static_cast<double>(piece.points) + static_cast<double>(mesh_.points.size()),
                static_cast<double>(piece.cells) + static_cast<double>(mesh_.cells()), kMostNodes, kMostCells);
    const std::size_t first_point = mesh_.points.size();
    const std::vector<double> places = values_of(piece.coordinates, "the points");
    if (places.size() != 3 * static_cast<std::size_t>(piece.points))
      in_.fail("the array of points has not three numbers for each of them");
    for (std::size_t i = 0; i < places.size(); i += 3) {
      for (std::size_t c = 0; c < 3; ++c)
        if (!std::isfinite(places[i + c])) in_.fail("a coordinate must be a finite number");
      mesh_.points.push_back({places[i], places[i + 1], places[i + 2]});
    }
    VtkCells cells;
    cells.connectivity = integers_of(piece.connectivity, "the cells' points");
    cells.offsets = integers_of(piece.offsets, "the cells' ends");
    cells.types = integers_of(piece.types, "the cells' types");
    if (cells.offsets.size() != static_cast<std::size_t>(piece.cells)) in_.fail("there is not an end for every cell");
    const auto became = add_vtk_cells(in_, cells, first_point, mesh_);
    if (piece.group_rank < 0) return;
    const std::vector<double> numbers = values_of(piece.group, "the groups");
    if (numbers.size() != became.size()) return;  // several numbers for each cell group nothing
    for (std::size_t i = 0; i < numbers.size(); ++i)
      for (std::uint32_t cell = became[i].first; cell < became[i].second; ++cell)
        if (std::abs(numbers[i]) < 1e15)
          groups.add(in_, row_of(mesh_.kinds[cell]).dimension, static_cast<std::int64_t>(numbers[i]), cell);
  }

  std::vector<std::int64_t> integers_of(const XmlArray& array, const char* what) const {
    std::vector<std::int64_t> whole;
    for (const double value : values_of(array, what)) {
      if (!(std::abs(value) < 1e15)) in_.fail(std::string(what) + " must be whole numbers");
      whole.push_back(static_cast<std::int64_t>(value));
    }
    return whole;
  }

  std::vector<double> values_of(const XmlArray& array, const char* what) const {
    if (array.attributes.empty()) in_.fail(std::string("the file has no array for ") + what);
    const std::string format = text_in(array.attributes, "format"), type = text_in(array.attributes, "type");
    if (format == "ascii") {
      std::vector<double> values;
      BytesReader words(array.text, in_.file());
      for (words.skip_blanks(); words.left() > 0; words.skip_blanks()) values.push_back(words.number(what));
      return values;
    }
    std::string bytes;
    if (format == "appended") {
      const std::int64_t offset = count_in(array.attributes, "offset");
      if (static_cast<double>(offset) >= static_cast<double>(appended_.size()))
        in_.fail(std::string("the file ends before ") + what + ": it is cut short");
      bytes = unpacked(appended_.substr(static_cast<std::size_t>(offset)), raw_, what);
    } else if (format == "binary") {
      bytes = unpacked(array.text, false, what);
    } else {
      in_.fail("is no format of arrays: ascii, binary or appended are", format);
    }
    if (type == "Float64") return numbers_of<double>(bytes);
    if (type == "Float32") return numbers_of<float>(bytes);
    if (type == "Int64") return numbers_of<std::int64_t>(bytes);
    if (type == "UInt64") return numbers_of<std::uint64_t>(bytes);
    if (type == "Int32") return numbers_of<std::int32_t>(bytes);
    if (type == "UInt32") return numbers_of<std::uint32_t>(bytes);
    if (type == "Int16") return numbers_of<std::int16_t>(bytes);
    if (type == "UInt16") return numbers_of<std::uint16_t>(bytes);
    if (type == "Int8") return numbers_of<std::int8_t>(bytes);
    if (type == "UInt8") return numbers_of<std::uint8_t>(bytes);
    in_.fail("is no type of numbers", type);
  }

  template <class T>
  std::vector<double> numbers_of(const std::string& bytes) const {
    BytesReader reader(bytes, in_.file());
    reader.set_big_endian(big_endian_);
    std::vector<double> values;
    for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i)
      values.push_back(static_cast<double>(reader.binary<T>("an array")));
    return values;
  }

  /// So many bytes of the packed text from its beginning.
  std::string taken(std::string_view packed, bool raw, double count, const char* what) const {
    if (!(count >= 0 && count <= kMostArrayBytes)) in_.fail(std::string("the array of ") + what + " is too large");
    const auto size = static_cast<std::size_t>(count);
    std::string bytes = raw ? std::string(packed.substr(0, size)) : from_base64(in_, packed, size);
    if (bytes.size() < size) in_.fail("the file ends within " + std::string(what) + ": it is cut short");
    return bytes;
  }

  /// The bytes of an array: a header with its length and the bytes, or the lengths of blocks and each compressed.
  std::string unpacked(std::string_view packed, bool raw, const char* what) const {
    const double word = wide_headers_ ? 8 : 4;
    const auto words = [&](double count) {
      const std::string bytes = taken(packed, raw, count * word, what);
      BytesReader reader(bytes, in_.file());
      reader.set_big_endian(big_endian_);
      std::vector<double> values;
      for (int i = 0; i < static_cast<int>(count); ++i)
        values.push_back(wide_headers_ ? static_cast<double>(reader.binary<std::uint64_t>("an array"))
                                       : static_cast<double>(reader.binary<std::uint32_t>("an array")));
      return values;
    };
    if (!compressed_) {
      const double length = words(1)[0];
      return taken(packed, raw, word + length, what).substr(static_cast<std::size_t>(word));
    }
    const std::vector<double> sizes = words(3);
    const double blocks = sizes[0], block = sizes[1], last = sizes[2];
    if (blocks == 0) return "";
    const double total = last > 0 ? (blocks - 1) * block + last : blocks * block;
    if (blocks > 1e7 || total > kMostArrayBytes || total > kMostInflation * static_cast<double>(packed.size()) + 1024)
      in_.fail(std::string("the array of ") + what + " is too large");
    const std::vector<double> header = words(3 + blocks);
    double length = 0;
    for (std::size_t b = 3; b < header.size(); ++b) length += header[b];
    // The header is a stream of base64 of its own; from_base64 goes on behind its padding.
    const std::string all = taken(packed, raw, (3 + blocks) * word + length, what);
    std::string bytes(static_cast<std::size_t>(total), '\0');
    auto from = static_cast<std::size_t>((3 + blocks) * word);
    std::size_t to = 0;
    for (std::size_t b = 3; b < header.size(); ++b) {
      const bool is_last = b + 1 == header.size();
      uLongf room = static_cast<uLongf>(is_last && last > 0 ? last : block);
      const uLongf wanted = room;
      const int status = uncompress(reinterpret_cast<Bytef*>(bytes.data() + to), &room,
                                    reinterpret_cast<const Bytef*>(all.data() + from), static_cast<uLong>(header[b]));
      if (status != Z_OK || room != wanted) in_.fail(std::string("the array of ") + what + " is damaged");
      from += static_cast<std::size_t>(header[b]);
      to += room;
    }
    return bytes;
  }

  std::string_view bytes_;
  BytesReader in_;
  Mesh mesh_;
  std::vector<XmlPiece> pieces_;
  std::string_view appended_;
  bool big_endian_ = false, wide_headers_ = false, compressed_ = false, raw_ = false;
};

}  // namespace

Mesh parse_vtu(std::string_view bytes, const std::string& file) { return VtuReader(bytes, file).mesh(); }

PointData parse_vtu_points(std::string_view bytes, const std::string& file) {
  return VtuReader(bytes, file).point_data();
}

}  // namespace pecann::mesh
