// ∇L of every catalogue problem: the observed order of the Taylor test, and single components by differences.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/catalogue_engine.h"

namespace pecann {
namespace {

/// The remainder |L(θ + h d) − L(θ) − h ∇L·d| falls like h² if and only if ∇L is the gradient, and like h
/// with any other vector.
void expect_second_order(test::CatalogueEngine& engine, const std::vector<double>& theta,
                         const test::RandomDuals& duals, const std::vector<double>& gradient) {
  RandomStream stream(17, "direction");
  std::vector<double> direction(theta.size()), moved(theta.size());
  double norm = 0, slope = 0;
  for (double& d : direction) {
    d = stream.normal();
    norm += d * d;
  }
  for (double& d : direction) d /= std::sqrt(norm);
  for (std::size_t p = 0; p < theta.size(); ++p) slope += gradient[p] * direction[p];
  const double at = test::lagrangian(engine.evaluator(), engine.evaluator().values(theta), duals);

  double previous = 0;
  for (int k = 8; k <= 12; ++k) {
    const double h = std::ldexp(1.0, -k);
    for (std::size_t p = 0; p < theta.size(); ++p) moved[p] = theta[p] + h * direction[p];
    const double remainder =
        std::abs(test::lagrangian(engine.evaluator(), engine.evaluator().values(moved), duals) - at - h * slope);
    ASSERT_GT(remainder, 100 * 2e-16 * std::abs(at)) << "h = 2^-" << k << " is lost in rounding";
    if (previous > 0) {
      EXPECT_GE(std::log2(previous / remainder), 1.9) << "h = 2^-" << k;
    }
    previous = remainder;
  }
}

void expect_components(test::CatalogueEngine& engine, std::vector<double> theta, const test::RandomDuals& duals,
                       const std::vector<double>& gradient) {
  double scale = 0;
  for (const double g : gradient) scale = std::max(scale, std::abs(g));
  RandomStream stream(23, "components");
  std::vector<std::size_t> chosen;
  for (int i = 0; i < 5; ++i) chosen.push_back(stream.below(theta.size()));
  for (std::size_t p = engine.assembly.model().scalar_offset(); p < theta.size(); ++p) chosen.push_back(p);
  for (const std::size_t p : chosen) {
    const double h = 1e-5, at = theta[p];
    theta[p] = at + h;
    const double above = test::lagrangian(engine.evaluator(), engine.evaluator().values(theta), duals);
    theta[p] = at - h;
    const double below = test::lagrangian(engine.evaluator(), engine.evaluator().values(theta), duals);
    theta[p] = at;
    EXPECT_NEAR(gradient[p], (above - below) / (2 * h), 1e-6 * scale + 1e-9 * std::abs(above)) << "parameter " << p;
  }
}

void expect_gradient(problem::Problem problem) {
  test::CatalogueEngine engine(std::move(problem));
  const std::vector<double> theta = test::random_parameters(engine.assembly.model(), 5);
  const test::RandomDuals duals(engine.evaluator().num_constraint_entries(), 6);
  std::vector<double> gradient(theta.size());
  engine.evaluator().gradient(theta, duals.view(), gradient);
  expect_second_order(engine, theta, duals, gradient);
  expect_components(engine, theta, duals, gradient);
}

class CatalogueGradient : public testing::TestWithParam<std::string> {};

TEST_P(CatalogueGradient, Aggregated) { expect_gradient(test::reduced(GetParam(), 120)); }

TEST_P(CatalogueGradient, Pointwise) { expect_gradient(test::pointwise(test::reduced(GetParam(), 120))); }

INSTANTIATE_TEST_SUITE_P(All, CatalogueGradient, testing::ValuesIn(test::catalogue_names()), test::test_name);

}  // namespace
}  // namespace pecann
