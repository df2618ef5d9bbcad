#include "pecann/base/npy.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"
#include "pecann/base/require.h"
#include "pecann/base/text_file.h"

namespace pecann {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as little-endian bytes");

constexpr std::string_view kMagic{"\x93NUMPY", 6};

[[noreturn]] void refuse(const std::string& name, std::string rule, std::string value = "") {
  InputError::Parts parts;
  parts.place.file = name;
  parts.value = std::move(value);
  parts.rule = std::move(rule);
  parts.hint = "write it with numpy.save(…, array.astype(float))";
  throw InputError(std::move(parts));
}

/// The text behind 'key': in the header dictionary, up to the comma or bracket that ends it.
std::string_view entry(std::string_view header, std::string_view key, const std::string& name) {
  const std::string quoted = "'" + std::string(key) + "'";
  std::size_t begin = header.find(quoted);
  if (begin == std::string_view::npos) refuse(name, "the header of the .npy file lacks '" + std::string(key) + "'");
  begin = header.find(':', begin + quoted.size());
  if (begin == std::string_view::npos) refuse(name, "the header of the .npy file is damaged");
  ++begin;
  while (begin < header.size() && header[begin] == ' ') ++begin;
  const bool tuple = begin < header.size() && header[begin] == '(';
  const std::size_t end = header.find_first_of(tuple ? ")" : ",}", begin);
  if (end == std::string_view::npos) refuse(name, "the header of the .npy file is damaged");
  return header.substr(begin, end - begin);
}

std::vector<std::size_t> shape_of(std::string_view text, const std::string& name) {
  std::vector<std::size_t> shape;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    if (*at == '(' || *at == ',' || *at == ' ' || *at == 'L') {
      ++at;
      continue;
    }
    std::size_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc{}) refuse(name, "the shape in the header of the .npy file is damaged", std::string(text));
    shape.push_back(extent);
    at = next;
  }
  return shape;
}

template <class Value>
void copy_values(std::string_view bytes, std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    Value value;
    std::memcpy(&value, bytes.data() + i * sizeof(Value), sizeof(Value));
    values[i] = static_cast<double>(value);
  }
}

}  // namespace

NpyArray parse_npy(std::string_view bytes, const std::string& name, std::size_t most_dimensions) {
  if (bytes.size() < 12 || bytes.substr(0, 6) != kMagic) refuse(name, "not a .npy file");
  const int version = static_cast<unsigned char>(bytes[6]);
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3) refuse(name, "unknown version of the .npy format", std::to_string(version));
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  }
  const std::size_t start = 8 + length_bytes;
  if (length > bytes.size() - start) refuse(name, "the .npy file is cut short in its header");
  const std::string_view header = bytes.substr(start, length), body = bytes.substr(start + length);

  const std::string_view type = entry(header, "descr", name);
  const std::size_t width = type == "'<f8'" ? 8 : type == "'<f4'" ? 4 : 0;
  if (width == 0) refuse(name, "the array must hold float64 or float32", std::string(type));
  if (entry(header, "fortran_order", name) != "False") refuse(name, "the array must be in C order, not Fortran order");
  NpyArray array{shape_of(entry(header, "shape", name), name), {}};
  if (array.shape.empty() || array.shape.size() > most_dimensions) {
    refuse(name,
           std::string("the array must have one ") + (most_dimensions == 2 ? "or two" : "to three") + " dimensions",
           std::string(entry(header, "shape", name)) + ")");
  }
  const std::size_t available = body.size() / width;
  std::size_t count = 1;
  for (const std::size_t extent : array.shape) {
    if (extent != 0 && count > available / extent) refuse(name, "the .npy file holds fewer values than its shape says");
    count *= extent;
  }
  array.data.resize(count);
  width == 8 ? copy_values<double>(body, array.data) : copy_values<float>(body, array.data);
  return array;
}

NpyArray read_npy(const std::string& path, std::size_t most_dimensions) {
  return parse_npy(read_file(path, available_memory() / 3), path,
                   most_dimensions);  // room for the file, and for doubles made of floats
}

std::string npy_bytes(std::span<const std::size_t> shape, std::span<const double> data) {
  std::size_t count = 1;
  std::string extents;
  for (const std::size_t extent : shape) {
    count *= extent;
    extents += std::to_string(extent) + ",";
  }
  require(count == data.size(), "the shape must fit the number of values");
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + extents + "), }";
  // Magic, version and length take 10 bytes; the values begin on a multiple of 64, as the format asks.
  const std::size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
  header.resize(total - 11, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(data.data()), data.size_bytes());
  return bytes;
}

void write_npy(const std::string& path, std::span<const std::size_t> shape, std::span<const double> data) {
  write_text_file(path, npy_bytes(shape, data));
}

}  // namespace pecann
