#include "pecann/reference/helmholtz_series.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pecann/base/require.h"

namespace pecann::reference {
namespace {

constexpr double kPi = std::numbers::pi;

/// A matrix of rows × columns, row-major.
struct Matrix {
  int rows, columns;
  std::vector<double> values;
  Matrix(int r, int c) : rows(r), columns(c), values(static_cast<std::size_t>(r) * c) {}
  double& operator()(int r, int c) { return values[static_cast<std::size_t>(r) * columns + c]; }
  double operator()(int r, int c) const { return values[static_cast<std::size_t>(r) * columns + c]; }
};

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix c(a.rows, b.columns);
  for (int i = 0; i < a.rows; ++i)
    for (int k = 0; k < a.columns; ++k) {
      const double factor = a(i, k);
      for (int j = 0; j < b.columns; ++j) c(i, j) += factor * b(k, j);
    }
  return c;
}

/// The matrix of sin(mπ i/(n−1)), m = 1 … modes in the rows, the inner nodes i = 1 … n−2 in the columns.
Matrix sines(int modes, int n) {
  Matrix s(modes, n - 2);
  for (int m = 1; m <= modes; ++m)
    for (int i = 1; i < n - 1; ++i)
      s(m - 1, i - 1) = std::sin(kPi * static_cast<double>((static_cast<long>(m) * i) % (2L * (n - 1))) / (n - 1));
  return s;
}

Matrix transposed(const Matrix& a) {
  Matrix t(a.columns, a.rows);
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < a.columns; ++j) t(j, i) = a(i, j);
  return t;
}

/// Inner values with a frame of zeros.
std::vector<double> framed(const Matrix& inner) {
  const int n = inner.rows + 2;
  std::vector<double> all(static_cast<std::size_t>(n) * n, 0.0);
  for (int j = 1; j < n - 1; ++j)
    for (int i = 1; i < n - 1; ++i) all[static_cast<std::size_t>(j) * n + i] = inner(j - 1, i - 1);
  return all;
}

}  // namespace

std::vector<std::pair<int, int>> free_modes(double k) {
  std::vector<std::pair<int, int>> modes;
  const double square = k * k / (kPi * kPi);
  for (int m = 1; m * m < square; ++m)
    for (int n = 1; m * m + n * n < square + 0.5; ++n)
      if (std::abs(square - (m * m + n * n)) < 1e-9 * square) modes.emplace_back(m, n);
  return modes;
}

std::vector<double> helmholtz_series(const HelmholtzSource& source, int n) {
  require(n >= 3, "a grid has inner nodes");
  // c_m = 2 ∫ g sin mπx over the whole line (the Gaussian is nothing at the ends): falls like exp(−(mπw)²/2).
  const int modes = static_cast<int>(std::ceil(9 / (kPi * source.width)));
  std::vector<double> c(modes);
  const double scale = 1 / (std::sqrt(2 * kPi) * source.width);
  for (int m = 1; m <= modes; ++m)
    c[m - 1] = 2 * scale * source.width * std::sqrt(2 * kPi) * std::exp(-0.5 * std::pow(m * kPi * source.width, 2)) *
               std::sin(m * kPi / 2);
  const auto free = free_modes(source.k);
  Matrix amplitude(modes, modes);
  for (int m = 1; m <= modes; ++m)
    for (int q = 1; q <= modes; ++q) {
      bool resonant = false;
      for (const auto& mode : free) resonant = resonant || (mode.first == m && mode.second == q);
      if (!resonant)
        amplitude(m - 1, q - 1) = c[m - 1] * c[q - 1] / (source.k * source.k - (m * m + q * q) * kPi * kPi);
    }
  const Matrix s = sines(modes, n);
  return framed(product(transposed(s), product(amplitude, s)));
}

std::vector<double> source_values(const HelmholtzSource& source, int n) {
  std::vector<double> values(static_cast<std::size_t>(n) * n);
  const double variance = source.width * source.width;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const double x = static_cast<double>(i) / (n - 1) - 0.5, y = static_cast<double>(j) / (n - 1) - 0.5;
      values[static_cast<std::size_t>(j) * n + i] = std::exp(-(x * x + y * y) / (2 * variance)) / (2 * kPi * variance);
    }
  return values;
}

std::vector<double> helmholtz_differences(double k, std::span<const double> source, int n) {
  require(n >= 3 && source.size() == static_cast<std::size_t>(n) * n, "source values on n×n nodes");
  const int inner = n - 2;
  const double h = 1.0 / (n - 1);
  Matrix s(inner, inner);
  for (int j = 0; j < inner; ++j)
    for (int i = 0; i < inner; ++i) s(j, i) = source[static_cast<std::size_t>(j + 1) * n + i + 1];
  const Matrix sine = sines(inner, n);  // symmetric, sine² = (n−1)/2 · I
  Matrix coefficients = product(product(sine, s), sine);
  const double norm = std::pow(2.0 / (n - 1), 2);
  for (int m = 1; m <= inner; ++m)
    for (int q = 1; q <= inner; ++q) {
      const double eigenvalue =
          -4 / (h * h) * (std::pow(std::sin(m * kPi * h / 2), 2) + std::pow(std::sin(q * kPi * h / 2), 2));
      coefficients(m - 1, q - 1) *= norm / (k * k + eigenvalue);
    }
  return framed(product(product(sine, coefficients), sine));
}

std::vector<double> without_modes(std::span<const double> values, int n, std::span<const std::pair<int, int>> modes) {
  std::vector<double> rest(values.begin(), values.end());
  for (const auto& [m, q] : modes) {
    // The modes are orthogonal on the nodes: Σ sin² sin² = ((n−1)/2)².
    const auto mode = [&, m = m, q = q](int i, int j) {
      return std::sin(kPi * static_cast<double>((static_cast<long>(m) * i) % (2L * (n - 1))) / (n - 1)) *
             std::sin(kPi * static_cast<double>((static_cast<long>(q) * j) % (2L * (n - 1))) / (n - 1));
    };
    double amplitude = 0;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) amplitude += values[static_cast<std::size_t>(j) * n + i] * mode(i, j);
    amplitude *= std::pow(2.0 / (n - 1), 2);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) rest[static_cast<std::size_t>(j) * n + i] -= amplitude * mode(i, j);
  }
  return rest;
}

std::string helmholtz_misfit(const Subject& subject) {
  const bool unit_square =
      subject.domain.lower == std::vector<double>{0, 0} && subject.domain.upper == std::vector<double>{1, 1};
  if (!unit_square || subject.grid.size() != 2 || subject.grid[0] != subject.grid[1] || subject.grid[0] < 3)
    return "is for the unit square and an evaluation grid [n, n]";
  for (const char* const name : {"k", "width"})
    if (!subject.constants.contains(name)) return std::string("needs the constant '") + name + "'";
  return "";
}

namespace {

double relative_distance(std::span<const double> predicted, std::span<const double> exact) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double d = predicted[i] - exact[i];
    difference += d * d;
    norm += exact[i] * exact[i];
  }
  return std::sqrt(difference / norm);
}

class HelmholtzSeries final : public ReferenceSolution {
 public:
  explicit HelmholtzSeries(const Subject& subject)
      : fields_(subject.fields),
        source_{subject.constants.at("k"), subject.constants.at("width")},
        nodes_(subject.grid[0]),
        free_modes_(free_modes(source_.k)),
        series_(helmholtz_series(source_, nodes_)) {}

  bool knows(const std::string& quantity) const override {
    return std::find(fields_.begin(), fields_.end(), quantity) != fields_.end();
  }
  std::vector<double> values(const std::string&) const override { return series_; }
  std::map<std::string, double> measures(std::span<const double> predicted) const override {
    if (differences_.empty()) differences_ = helmholtz_differences(source_.k, source_values(source_, nodes_), nodes_);
    return {{"finite_differences", relative_distance(predicted, differences_)},
            {"projected", relative_distance(without_modes(predicted, nodes_, free_modes_), series_)}};
  }

 private:
  std::vector<std::string> fields_;
  HelmholtzSource source_;
  int nodes_;  // per side
  std::vector<std::pair<int, int>> free_modes_;
  std::vector<double> series_;
  mutable std::vector<double> differences_;  // made for the first measure: pictures do without
};

}  // namespace

std::unique_ptr<ReferenceSolution> make_helmholtz_series(const Subject& subject) {
  return std::make_unique<HelmholtzSeries>(subject);
}

}  // namespace pecann::reference
