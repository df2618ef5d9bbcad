// Functions with known minima for the tests of optimisers; `weight` stands for what multipliers change between steps.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "pecann/optim/objective.h"

namespace pecann::optim::testing {

/// Counts evaluations and answers value() by value_and_gradient().
class CountedObjective : public Objective {
 public:
  explicit CountedObjective(std::size_t size) : size_(size), scratch_(size) {}
  std::size_t size() const override { return size_; }
  double value(std::span<const double> x) override { return value_and_gradient(x, scratch_); }
  double value_and_gradient(std::span<const double> x, std::span<double> gradient) override {
    ++evaluations;
    for (double& g : gradient) g = 0;
    return evaluate(x, gradient);
  }

  int evaluations = 0;
  double weight = 1;

 protected:
  virtual double evaluate(std::span<const double> x, std::span<double> gradient) = 0;

 private:
  std::size_t size_;
  std::vector<double> scratch_;
};

/// Σ (1 − x_i)² + 100 weight Σ (x_{i+1} − x_i²)²; minimum 0 at 1.
class Rosenbrock : public CountedObjective {
 public:
  using CountedObjective::CountedObjective;

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      const double a = 1 - x[i], b = x[i + 1] - x[i] * x[i], factor = weight * 100;
      sum += a * a + factor * b * b;
      gradient[i] += -2 * a - 4 * factor * b * x[i];
      gradient[i + 1] += 2 * factor * b;
    }
    return sum;
  }
};

/// ½·10⁻³ weight Σ d_i (x_i − 1)² + ¼·10⁻² weight² (Σ x_i − n)², d_i from 1 to 10⁶; minimum 0 at 1.
class Quadratic : public CountedObjective {
 public:
  using CountedObjective::CountedObjective;

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    const double n = static_cast<double>(x.size());
    double sum = 0, excess = -n;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double d = std::pow(10.0, 6.0 * static_cast<double>(i) / (n - 1)), e = x[i] - 1;
      sum += d * e * e;
      gradient[i] = d * e * weight * 1e-3;
      excess += x[i];
    }
    for (double& g : gradient) g += 0.5e-2 * weight * weight * excess;
    return 0.5 * sum * weight * 1e-3 + 0.25 * weight * weight * excess * excess * 1e-2;
  }
};

/// ½ weight Σ i x_i² + 20 Σ sin(3 i x_i) + Σ (x_i x_{i+1})⁴, i from 1: many local minima, long line searches.
class Wavy : public CountedObjective {
 public:
  using CountedObjective::CountedObjective;

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      const double i = static_cast<double>(k + 1);
      sum += 0.5 * weight * i * x[k] * x[k] + 20 * std::sin(3 * i * x[k]);
      gradient[k] += weight * i * x[k] + 60 * i * std::cos(3 * i * x[k]);
      if (k + 1 == x.size()) continue;
      const double p = x[k] * x[k + 1];
      sum += p * p * p * p;
      gradient[k] += 4 * p * p * p * x[k + 1];
      gradient[k + 1] += 4 * p * p * p * x[k];
    }
    return sum;
  }
};

/// A function of one variable given by two callables.
template <class Value, class Slope>
class OneVariable : public CountedObjective {
 public:
  OneVariable(Value value, Slope slope) : CountedObjective(1), value_(value), slope_(slope) {}

 protected:
  double evaluate(std::span<const double> x, std::span<double> gradient) override {
    gradient[0] = slope_(x[0]);
    return value_(x[0]);
  }

 private:
  Value value_;
  Slope slope_;
};

inline std::vector<double> rosenbrock_start(std::size_t size) {
  std::vector<double> x(size);
  for (std::size_t i = 0; i < size; ++i) x[i] = i % 2 == 0 ? -1.2 : 1.0;
  return x;
}

}  // namespace pecann::optim::testing
