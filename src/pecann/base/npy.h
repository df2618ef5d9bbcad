// NumPy's .npy files (format 1.0 and 2.0): arrays of float64 or float32 in C order, one to three dimensions
// when read. The format: magic "\x93NUMPY", version, header length, a Python dictionary as text padded to 64
// bytes, then raw values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pecann {

struct NpyArray {
  std::vector<std::size_t> shape;
  std::vector<double> data;  // row-major
};

/// Throws InputError naming the file when it cannot be read, is no .npy file, is cut short, or holds another
/// type or order.
NpyArray read_npy(const std::string& path, std::size_t most_dimensions = 2);

/// The same from bytes in memory; `name` stands for the file in messages.
NpyArray parse_npy(std::string_view bytes, const std::string& name, std::size_t most_dimensions = 2);

/// Writes float64 in C order, version 1.0. `data` must have the product of `shape` values. Throws InputError when
/// the file cannot be written.
void write_npy(const std::string& path, std::span<const std::size_t> shape, std::span<const double> data);

/// The bytes that write_npy writes.
std::string npy_bytes(std::span<const std::size_t> shape, std::span<const double> data);

}  // namespace pecann
