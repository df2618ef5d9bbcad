#include "pecann/optim/compatible_line_search.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pecann/optim/test_objectives.h"

namespace pecann::optim {
namespace {

const std::vector<double> kOrigin = {0}, kForward = {1};

template <class Line>
CompatibleSearchResult search(Line& line, double first_step, std::vector<double>& gradient) {
  const double value = line.value_and_gradient(kOrigin, gradient), slope = gradient[0];
  line.evaluations = 0;
  CompatibleLineSearch search(1);
  return search.search(line, kOrigin, first_step, kForward, value, slope, gradient);
}

struct Row {
  double a, b, c, first_step;  // φ(t) = a cos(b t) + c t² − t
  int evaluations;
  double step, value;
};

// torch.optim.lbfgs._strong_wolfe, PyTorch 1.13.0, float64. The comment of a row is the decision it was
// chosen for: with that one changed, PyTorch's own function gives another step or count. The rows stay the
// same when a, b, c move by 1e-13.
const Row kRows[] = {
    {0.4772, 86.312, 0.0, 0.181, 7, 1.565371845748621, -2.04245751310431},  // a rise counts from the third trial on
    {3.0759, 43.854, 0.02881, 12.648, 5, 12.82324449573263, -11.16170870673383},  // the same
    {2.8242, 93.95, 0.0, 0.07, 8, 0.1003534584359924, -2.924536850474407},  // a rise above the trial before brackets
    {0.0974, 79.744, 0.0003, 598.298, 5, 604.2954995137453, -494.8408596319798},   // the same
    {0.6716, 28.883, 0.01739, 7.318, 8, 7.288903520560699, -7.036102939738576},    // little progress is remembered
    {1.4002, 4.35, 1.95224, 548.402, 7, 0.6486629116711605, -1.156390947725027},   // the same
    {0.0723, 36.618, 0.0, 17.642, 5, 17.59669642452391, -17.66511083459157},       // the low end becomes the high one
    {0.9569, 12.994, 0.0, 43.884, 6, 43.76445038988088, -44.72029377530382},       // the same
    {0.288, 4.362, 0.01568, 0.016, 4, 7.989891422628748, -7.264516137492848},      // least extrapolation
    {0.0295, 3.59, 3e-05, 0.271, 6, 2350.523495222627, -2184.745229909725},        // the same
    {0.1854, 12.67, 0.0, 0.001, 4, 0.3201836590851344, -0.4332190955291308},       // largest extrapolation
    {0.066, 16.37, 1.39284, 0.013, 3, 0.2062883749456276, -0.2111968109137502},    // the same
    {0.8439, 5.864, 1.03644, 151.666, 5, 0.5502240195708687, -1.077304370287032},  // a tenth of the interval
    {0.2697, 83.002, 0.0, 0.001, 7, 0.03838931796011909, -0.3078187438854934},     // the same
    {1.1793, 92.2, 0.00098, 0.526, 5, 0.443029986961374, -1.62211148035507},       // not below the low end is too high
    {0.0948, 19.022, 0.04792, 81.495, 7, 10.39758542001038, -5.310870318836487},   // the same
    {0.8045, 96.125, 0.02587, 3.596, 5, 3.627854535831275, -4.091824631532513},    // away from the nearer end
    {0.5136, 54.566, 0.8995, 53.172, 9, 0.288190676997341, -0.7270055370473945},   // the same
};

TEST(CompatibleLineSearchTest, DecidesAsPyTorch) {
  for (const Row& row : kRows) {
    testing::OneVariable line([&](double t) { return row.a * std::cos(row.b * t) + row.c * t * t - t; },
                              [&](double t) { return -row.a * row.b * std::sin(row.b * t) + 2 * row.c * t - 1; });
    std::vector<double> gradient(1), expected(1);
    const CompatibleSearchResult found = search(line, row.first_step, gradient);
    const std::string which = "first step " + std::to_string(row.first_step);
    EXPECT_EQ(found.evaluations, row.evaluations) << which;
    EXPECT_EQ(line.evaluations, row.evaluations) << which;
    EXPECT_NEAR(found.step, row.step, 1e-8 * row.step) << which;
    EXPECT_NEAR(found.value, row.value, 1e-8 * std::abs(row.value)) << which;
    line.value_and_gradient(std::vector<double>{found.step}, expected);
    EXPECT_EQ(gradient, expected) << which;
  }
}

// A slope that lies: the interval shrinks by ten each time until it is shorter than 1e-9, an absolute length.
TEST(CompatibleLineSearchTest, GivesUpAtAnAbsoluteLengthAndReturnsTheStart) {
  testing::OneVariable rising([](double t) { return 1 + t; }, [](double) { return -1.0; });
  const std::pair<double, int> history[] = {{1.0, 10}, {1e-3, 7}, {1e-6, 4}};  // of PyTorch, as above
  for (const auto& [first_step, evaluations] : history) {
    std::vector<double> gradient(1);
    const CompatibleSearchResult found = search(rising, first_step, gradient);
    EXPECT_EQ(found.evaluations, evaluations) << first_step;
    EXPECT_EQ(found.step, 0);
    EXPECT_EQ(found.value, 1);
    EXPECT_EQ(gradient[0], -1);
  }
}

TEST(CompatibleLineSearchTest, EndsAfterTwentyFiveExtrapolations) {
  testing::OneVariable falling([](double t) { return -t; }, [](double) { return -1.0; });
  std::vector<double> gradient(1);
  const CompatibleSearchResult found = search(falling, 1, gradient);
  EXPECT_EQ(found.evaluations, 26);
  EXPECT_NEAR(found.step, 1e25, 1e13);
}

}  // namespace
}  // namespace pecann::optim
