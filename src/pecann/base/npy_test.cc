#include "pecann/base/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "pecann/base/input_error.h"

namespace pecann {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A file as numpy writes it, assembled by hand from the format's description.
std::string file_with(const std::string& header, const std::string& body) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size() & 0xff);
  bytes += static_cast<char>(header.size() >> 8);
  return bytes + header + body;
}

template <class Value>
std::string raw(std::initializer_list<Value> values) {
  std::string bytes;
  for (const Value value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

std::string message_of(const std::string& bytes) {
  try {
    parse_npy(bytes, "a.npy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(NpyTest, ReadsBothFloatTypesAndBothDimensions) {
  const NpyArray doubles = parse_npy(
      file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n", raw({1.0, 2.0, 3.0, 4.0, 5.0, 6.5})),
      "a");
  EXPECT_THAT(doubles.shape, ElementsAre(2, 3));
  EXPECT_THAT(doubles.data, ElementsAre(1, 2, 3, 4, 5, 6.5));
  const NpyArray floats =
      parse_npy(file_with("{'shape': (2,), 'descr': '<f4', 'fortran_order': False}", raw({0.5f, -2.0f})), "a");
  EXPECT_THAT(floats.shape, ElementsAre(2));
  EXPECT_THAT(floats.data, ElementsAre(0.5, -2));
}

TEST(NpyTest, WritesWhatItReads) {
  const std::string path = (std::filesystem::temp_directory_path() / "pecann_npy_test.npy").string();
  const std::size_t shape[] = {3, 2};
  const double data[] = {1, -0.0, 1e-300, std::numeric_limits<double>::infinity(), 0.1, 6};
  write_npy(path, shape, data);
  const NpyArray array = read_npy(path);
  EXPECT_EQ(std::filesystem::file_size(path), 128 + sizeof data);  // values begin on a multiple of 64 bytes
  std::filesystem::remove(path);
  EXPECT_THAT(array.shape, ElementsAre(3, 2));
  ASSERT_EQ(array.data.size(), 6u);
  EXPECT_EQ(std::memcmp(array.data.data(), data, sizeof data), 0);
}

TEST(NpyTest, RefusesWhatItCannotRead) {
  EXPECT_THAT(message_of("PK\x03\x04 and more bytes"), HasSubstr("not a .npy file"));
  EXPECT_THAT(message_of(file_with("{'descr': '<i8', 'fortran_order': False, 'shape': (1,)}", raw({1.0}))),
              HasSubstr("'<i8': the array must hold float64 or float32"));
  EXPECT_THAT(message_of(file_with("{'descr': '<f8', 'fortran_order': True, 'shape': (1,)}", raw({1.0}))),
              HasSubstr("C order"));
  EXPECT_THAT(message_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", raw({1.0}))),
              HasSubstr("fewer values"));
  EXPECT_THAT(message_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1)}", raw({1.0}))),
              HasSubstr("one or two dimensions"));
  EXPECT_THAT(message_of(file_with("{'descr': '<f8', 'shape': (1,)}", raw({1.0}))), HasSubstr("lacks 'fortran_order'"));
  EXPECT_THAT(message_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (x,)}", raw({1.0}))),
              HasSubstr("shape in the header"));
  // Extents whose product overflows must not look like a small array.
  EXPECT_THAT(
      message_of(file_with("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}", raw({1.0}))),
      HasSubstr("fewer values"));
  EXPECT_THAT(message_of(std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18)), HasSubstr("cut short"));
  EXPECT_THROW(read_npy("no/such/file.npy"), InputError);
}

}  // namespace
}  // namespace pecann
