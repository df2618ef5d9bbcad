#include <gtest/gtest.h>

#include <cmath>

#include "pecann/base/aligned_vector.h"
#include "pecann/base/random_stream.h"
#include "pecann/kernel/dense_adjoint.h"
#include "pecann/kernel/dense_multiply.h"
#include "support/simd_targets.h"

namespace pecann::kernel {
namespace {

struct Matrix {
  std::size_t rows, columns, stride;
  AlignedVector<double> values;  // the padding behind every row holds kUntouched
  static constexpr double kUntouched = -777;

  Matrix(std::size_t num_rows, std::size_t num_columns, RandomStream& stream)
      : rows(num_rows), columns(num_columns), stride(row_stride(num_columns)), values(rows * stride, kUntouched) {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c) at(r, c) = stream.normal();
  }
  double& at(std::size_t r, std::size_t c) { return values[r * stride + c]; }
  bool padding_untouched() {
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = columns; c < stride; ++c)
        if (at(r, c) != kUntouched) return false;
    return true;
  }
};

struct Size {
  std::size_t outputs, inputs, columns;
};

std::vector<Size> sizes() {
  std::vector<Size> all;
  for (const std::size_t outputs : {1, 2, 3, 4, 5, 7, 13, 16, 20, 30})
    for (const std::size_t inputs : {1, 2, 3, 4, 6, 9, 16, 31})
      for (const std::size_t columns : {8, 16, 24, 40, 104}) all.push_back({outputs, inputs, columns});
  all.push_back({40, 40, 192});
  all.push_back({128, 128, 96});
  return all;
}

TEST(DenseTest, RowStrideIsAnOddNumberOfCacheLines) {
  for (std::size_t columns = 8; columns <= 800; columns += 8) {
    EXPECT_GE(row_stride(columns), columns);
    EXPECT_LE(row_stride(columns), columns + 8);
    EXPECT_EQ(row_stride(columns) / 8 % 2, 1u);
  }
}

TEST(DenseTest, MultiplyEqualsTheDefinition) {
  test::for_each_simd_target([] {
    RandomStream stream(1, "multiply");
    for (const auto& [rows, depth, columns] : sizes()) {
      Matrix a(rows, 8 * ((depth + 7) / 8), stream), b(depth, columns, stream), c(rows, columns, stream);
      AlignedVector<double> packed(rows * depth);
      pack_rows(a.values.data(), a.stride, 1, rows, depth, packed.data());
      multiply(packed.data(), rows, depth, b.values.data(), b.stride, c.values.data(), c.stride, columns);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t n = 0; n < columns; ++n) {
          double expected = 0;
          for (std::size_t k = 0; k < depth; ++k) expected += a.at(r, k) * b.at(k, n);
          ASSERT_NEAR(c.at(r, n), expected, 1e-13 * static_cast<double>(depth))
              << rows << "x" << depth << "x" << columns;
        }
      ASSERT_TRUE(c.padding_untouched());
    }
  });
}

TEST(DenseTest, PackingTheTransposeMultipliesByTheTranspose) {
  RandomStream stream(2, "transpose");
  const std::size_t in = 7, out = 5, columns = 16;
  Matrix w(out, 8, stream), dz(out, columns, stream), dh(in, columns, stream);
  AlignedVector<double> packed(in * out);
  pack_rows(w.values.data(), 1, w.stride, in, out, packed.data());
  multiply(packed.data(), in, out, dz.values.data(), dz.stride, dh.values.data(), dh.stride, columns);
  for (std::size_t i = 0; i < in; ++i)
    for (std::size_t n = 0; n < columns; ++n) {
      double expected = 0;
      for (std::size_t o = 0; o < out; ++o) expected += w.at(o, i) * dz.at(o, n);
      EXPECT_NEAR(dh.at(i, n), expected, 1e-13);
    }
}

TEST(DenseTest, BitsOfAColumnDoNotDependOnItsPlace) {
  test::for_each_simd_target([] {
    RandomStream stream(3, "columns");
    const std::size_t rows = 11, depth = 29, columns = 72;
    Matrix b(depth, columns, stream), c(rows, columns, stream);
    AlignedVector<double> packed(rows * depth);
    for (double& weight : packed) weight = stream.normal();
    for (std::size_t k = 0; k < depth; ++k)
      for (std::size_t n = 1; n < columns; ++n) b.at(k, n) = b.at(k, 0);
    multiply(packed.data(), rows, depth, b.values.data(), b.stride, c.values.data(), c.stride, columns);
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t n = 1; n < columns; ++n) ASSERT_EQ(c.at(r, n), c.at(r, 0));
  });
}

TEST(DenseTest, GradientAddsTheSumsOfProducts) {
  test::for_each_simd_target([] {
    RandomStream stream(4, "gradient");
    for (const auto& [outputs, inputs, columns] : sizes()) {
      Matrix dz(outputs, columns, stream), h(inputs, columns, stream);
      std::vector<double> gradient(outputs * inputs + 1, 0.5), bias(outputs + 1, 0.25);
      add_weight_gradient(dz.values.data(), dz.stride, outputs, h.values.data(), h.stride, inputs, columns,
                          gradient.data());
      add_bias_gradient(dz.values.data(), dz.stride, outputs, 8, bias.data());
      for (std::size_t o = 0; o < outputs; ++o) {
        for (std::size_t i = 0; i < inputs; ++i) {
          double expected = 0.5;
          for (std::size_t n = 0; n < columns; ++n) expected += dz.at(o, n) * h.at(i, n);
          ASSERT_NEAR(gradient[o * inputs + i], expected, 1e-12) << outputs << "x" << inputs << "x" << columns;
        }
        double expected = 0.25;
        for (std::size_t t = 0; t < 8; ++t) expected += dz.at(o, t);
        ASSERT_NEAR(bias[o], expected, 1e-14);
      }
      ASSERT_EQ(gradient.back(), 0.5);
      ASSERT_EQ(bias.back(), 0.25);
    }
  });
}

TEST(DenseTest, JacobianKeepsThePointsApart) {
  test::for_each_simd_target([] {
    RandomStream stream(5, "jacobian");
    for (const auto& [outputs, inputs, columns] : sizes()) {
      const std::size_t channels = columns % 3 == 0 ? 3 : 1, points = columns / channels, stride = points + 3;
      Matrix dz(outputs, columns, stream), h(inputs, columns, stream);
      std::vector<double> jacobian(outputs * inputs * stride, 0.5);
      weight_jacobian(dz.values.data(), dz.stride, outputs, h.values.data(), h.stride, inputs, channels, points,
                      jacobian.data(), stride);
      for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t i = 0; i < inputs; ++i) {
          const double* row = jacobian.data() + (o * inputs + i) * stride;
          for (std::size_t t = 0; t < points; ++t) {
            double expected = 0;
            for (std::size_t c = 0; c < channels; ++c) expected += dz.at(o, c * points + t) * h.at(i, c * points + t);
            ASSERT_NEAR(row[t], expected, 1e-14);
          }
          for (std::size_t t = points; t < stride; ++t) ASSERT_EQ(row[t], 0.5);
        }
    }
  });
}

}  // namespace
}  // namespace pecann::kernel
