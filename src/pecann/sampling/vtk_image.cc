// .vti files (VTK File Formats, "XML file formats", ImageData): one piece, the arrays of its PointData.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/sampling/grid_table.h"

namespace pecann::sampling {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as little-endian bytes");

/// An element <name attributes>inside, and where the text goes on behind it.
struct Element {
  std::string_view attributes, inside;
};

class VtkImage {
 public:
  VtkImage(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
    const Element head = required("VTKFile", text_);
    if (attribute(head, "type").value_or("") != "ImageData")
      refuse(std::string(attribute(head, "type").value_or("")), "the file holds no ImageData",
             "resample it to an image first (ParaView: Resample To Image)");
    if (attribute(head, "byte_order").value_or("LittleEndian") != "LittleEndian")
      refuse("byte_order", "must be LittleEndian");
    if (attribute(head, "compressor"))
      refuse("compressor", "compressed numbers are not read", "write the file without compression, or as text");
    long_headers_ = attribute(head, "header_type").value_or("UInt32") == "UInt64";
    const Element image = required("ImageData", text_);
    const std::vector<double> origin = numbers_of(image, "Origin", 3, {0, 0, 0}),
                              spacing = numbers_of(image, "Spacing", 3, {1, 1, 1});
    piece_ = required("Piece", text_);
    const Element& with_extent = attribute(piece_, "Extent") ? piece_ : image;
    const std::vector<double> extent =
        numbers_of(with_extent, attribute(piece_, "Extent") ? "Extent" : "WholeExtent", 6, {});
    if (numbers_of(image, "WholeExtent", 6, extent) != extent)
      refuse("Piece", "a file in several pieces is not read", "write it as one piece");
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double first = extent[2 * axis], last = extent[2 * axis + 1];
      if (!(first == std::floor(first) && last == std::floor(last) && std::abs(first) < 1e9 && std::abs(last) < 1e9 &&
            last >= first))
        refuse("Extent", "is not made of whole numbers, each pair from a smaller to a larger one");
      if (!(spacing[axis] > 0)) refuse("Spacing", "must be positive");
      counts_[axis] = last - first + 1;
      starts_[axis] = origin[axis] + first * spacing[axis];
      spacing_[axis] = spacing[axis];
    }
  }

  GridTable grid(const std::string& wanted) {
    const std::vector<double> image = values(array_named(wanted));
    GridTable grid;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (counts_[axis] < 2) continue;
      std::vector<double>& nodes = grid.axes.emplace_back(static_cast<std::size_t>(counts_[axis]));
      for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = starts_[axis] + static_cast<double>(i) * spacing_[axis];
      for (std::size_t i = 1; i < nodes.size(); ++i)
        if (!std::isfinite(nodes[i]) || !(nodes[i - 1] < nodes[i])) refuse("Spacing", "the nodes are not apart");
    }
    if (grid.axes.empty()) refuse("Extent", "the image has a single node");
    const auto nx = static_cast<std::size_t>(counts_[0]), ny = static_cast<std::size_t>(counts_[1]),
               nz = static_cast<std::size_t>(counts_[2]);
    grid.values.resize(image.size());
    for (std::size_t z = 0; z < nz; ++z)  // in the file x is fastest
      for (std::size_t y = 0; y < ny; ++y)
        for (std::size_t x = 0; x < nx; ++x) grid.values[(x * ny + y) * nz + z] = image[(z * ny + y) * nx + x];
    return grid;
  }

 private:
  [[noreturn]] void refuse(std::string value, std::string rule, std::string hint = "") const {
    throw InputError(
        {.place = {.file = file_}, .value = shortened(value), .rule = std::move(rule), .hint = std::move(hint)});
  }

  /// The next element of this name in the text, which is cut behind its begin; nothing when there is none.
  std::optional<Element> next(std::string_view name, std::string_view& text) const {
    for (std::size_t begin = text.find('<'); begin != std::string_view::npos; begin = text.find('<', begin + 1)) {
      const std::string_view after = text.substr(begin + 1);
      if (!after.starts_with(name)) continue;
      const std::size_t close = after.find('>');
      if (close == std::string_view::npos) return std::nullopt;
      if (close > name.size() && std::string_view(" \t\r\n/").find(after[name.size()]) == std::string_view::npos)
        continue;
      Element element{after.substr(name.size(), close - name.size()), {}};
      text = after.substr(close + 1);
      if (!element.attributes.empty() && element.attributes.back() == '/') return element;
      element.inside = text.substr(0, text.find("</" + std::string(name) + ">"));
      return element;
    }
    return std::nullopt;
  }

  Element required(std::string_view name, std::string_view text) const {
    const auto found = next(name, text);
    if (!found)
      refuse("", "the file has no <" + std::string(name) + ">", "images of VTK are .vti files with point data");
    return *found;
  }

  static std::optional<std::string_view> attribute(const Element& element, std::string_view key) {
    for (std::size_t at = element.attributes.find(key); at != std::string_view::npos;
         at = element.attributes.find(key, at + 1)) {
      const bool begins =
          at > 0 && std::string_view(" \t\r\n").find(element.attributes[at - 1]) != std::string_view::npos;
      const std::string_view rest = element.attributes.substr(at + key.size());
      if (!begins || rest.size() < 2 || rest[0] != '=' || (rest[1] != '"' && rest[1] != '\'')) continue;
      const std::size_t end = rest.find(rest[1], 2);
      if (end == std::string_view::npos) return std::nullopt;
      return rest.substr(2, end - 2);
    }
    return std::nullopt;
  }

  /// Numbers as text, `most` of them at most; anything else is refused.
  std::vector<double> numbers(std::string_view text, std::string_view what, std::size_t most) const {
    std::vector<double> result;
    for (;;) {
      const std::size_t begin = text.find_first_not_of(" \t\r\n");
      if (begin == std::string_view::npos) return result;
      text.remove_prefix(begin);
      double value = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
      if (error != std::errc{} || result.size() == most)
        refuse(std::string(what), "has something else than its numbers");
      result.push_back(value);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
  }

  std::vector<double> numbers_of(const Element& element, std::string_view key, std::size_t count,
                                 std::vector<double> usual) const {
    const auto text = attribute(element, key);
    if (!text && !usual.empty()) return usual;
    const std::vector<double> result = numbers(text.value_or(""), key, count);
    if (result.size() != count) refuse(std::string(key), "needs " + std::to_string(count) + " numbers");
    for (const double value : result)
      if (!std::isfinite(value)) refuse(std::string(key), "needs finite numbers");
    return result;
  }

  Element array_named(const std::string& wanted) const {
    std::string_view points = required("PointData", piece_.inside).inside;
    std::vector<std::string> names;
    std::vector<Element> arrays;
    while (const auto array = next("DataArray", points)) {
      arrays.push_back(*array);
      names.emplace_back(attribute(*array, "Name").value_or(""));
      if (!wanted.empty() && names.back() == wanted) return *array;
    }
    if (arrays.empty())
      refuse("", "the image has no array of point data",
             "cell data become point data in ParaView (Cell Data to Point Data)");
    if (!wanted.empty()) refuse(wanted, "the image has no such array", hint_for(wanted, names));
    if (arrays.size() > 1)
      refuse("", "the image has several arrays",
             "say which one holds the values, as in value = \"" + shortened(names[0], 40) + "\"");
    return arrays.front();
  }

  std::vector<double> values(const Element& array) const {
    if (attribute(array, "NumberOfComponents").value_or("1") != "1")
      refuse("NumberOfComponents", "the array must have one component");
    const double expected = counts_[0] * counts_[1] * counts_[2];
    // A number takes a byte or more: what the text cannot hold is not made room for.
    if (expected > static_cast<double>(text_.size()) || 24 * expected > available_memory())
      refuse("Extent", "the image has " + std::to_string(expected) + " nodes, more than the file or the memory holds");
    const auto count = static_cast<std::size_t>(expected);
    const std::string_view format = attribute(array, "format").value_or("ascii");
    std::vector<double> result;
    if (format == "ascii") {
      result = numbers(array.inside, "DataArray", count);
    } else if (format == "binary") {
      result = decoded(array, from_base64(array.inside), count);
    } else if (format == "appended") {
      result = decoded(array, appended(array), count);
    } else {
      refuse(std::string(format), "an array is in the format ascii, binary or appended");
    }
    if (result.size() != count)
      refuse("DataArray",
             "holds " + std::to_string(result.size()) + " values; the image has " + std::to_string(count) + " nodes");
    for (std::size_t i = 0; i < count; ++i)
      if (!std::isfinite(result[i]))
        refuse("value " + std::to_string(i + 1), "is not a finite number",
               "fill the gaps before: a table has a value at every node");
    return result;
  }

  std::string appended(const Element& array) const {
    std::string_view text = text_;
    const Element data = required("AppendedData", text);
    const std::size_t begin = data.inside.find('_');
    std::uint64_t offset = 0;
    const std::string_view given = attribute(array, "offset").value_or("");
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), offset);
    if (error != std::errc{} || begin == std::string_view::npos || offset >= data.inside.size() - begin - 1)
      refuse("offset", "the appended data have no such place");
    const std::string_view body = data.inside.substr(begin + 1 + offset);
    if (attribute(data, "encoding").value_or("base64") != "raw") return from_base64(body);
    // What looks like a tag may be numbers: the bytes reach to the end of the file.
    return std::string(body.data(), text_.data() + text_.size());
  }

  /// Groups of four digits. Padding ends a group, not the text: some writers encode the length by itself.
  std::string from_base64(std::string_view text) const {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned group = 0;
    int digits = 0, padding = 0;
    for (const char c : text) {
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
      const std::size_t value = c == '=' ? 0 : kDigits.find(c);
      if (value == std::string_view::npos || (c != '=' && padding > 0))
        refuse("DataArray", "the numbers are not base64");
      padding += c == '=';
      group = group << 6 | static_cast<unsigned>(value);
      if (++digits < 4) continue;
      for (int k = 0; k < 3 - std::min(padding, 3); ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 255);
      group = 0;
      digits = padding = 0;
    }
    return bytes;
  }

  template <class Number>
  static std::vector<double> copied(std::string_view bytes) {
    std::vector<double> result(bytes.size() / sizeof(Number));
    for (std::size_t i = 0; i < result.size(); ++i) {
      Number value;
      std::memcpy(&value, bytes.data() + i * sizeof(Number), sizeof(Number));
      result[i] = static_cast<double>(value);
    }
    return result;
  }

  /// The numbers behind their length in bytes.
  std::vector<double> decoded(const Element& array, const std::string& bytes, std::size_t count) const {
    const std::size_t header = long_headers_ ? 8 : 4;
    std::uint64_t length = 0;
    if (bytes.size() >= header) std::memcpy(&length, bytes.data(), header);
    if (bytes.size() < header || length > bytes.size() - header) refuse("DataArray", "the numbers are cut short");
    const std::string_view body = std::string_view(bytes).substr(header, length);
    const std::string_view type = attribute(array, "type").value_or("");
    if (length / count > 8) refuse("DataArray", "holds more values than the image has nodes");
    if (type == "Float64") return copied<double>(body);
    if (type == "Float32") return copied<float>(body);
    if (type == "Int8") return copied<std::int8_t>(body);
    if (type == "UInt8") return copied<std::uint8_t>(body);
    if (type == "Int16") return copied<std::int16_t>(body);
    if (type == "UInt16") return copied<std::uint16_t>(body);
    if (type == "Int32") return copied<std::int32_t>(body);
    if (type == "UInt32") return copied<std::uint32_t>(body);
    if (type == "Int64") return copied<std::int64_t>(body);
    if (type == "UInt64") return copied<std::uint64_t>(body);
    refuse(std::string(type), "an array holds Float64, Float32 or whole numbers");
  }

  std::string_view text_;
  std::string file_;
  Element piece_;
  bool long_headers_ = false;
  double counts_[3] = {1, 1, 1}, starts_[3] = {0, 0, 0}, spacing_[3] = {1, 1, 1};
};

}  // namespace

GridTable parse_vti(std::string_view text, const std::string& value, const std::string& file) {
  return VtkImage(text, file).grid(value);
}

}  // namespace pecann::sampling
