// Every catalogue problem against the slow reference engine, and with 1 to 4 threads.
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "pecann/problem/inequality_terms.h"
#include "support/catalogue_engine.h"

namespace pecann {
namespace {

class CatalogueEngines : public testing::TestWithParam<std::string> {};

TEST_P(CatalogueEngines, TermValuesAgreeWithTheReference) {
  test::CatalogueEngine engine(test::reduced(GetParam(), 10));
  evaluate::Evaluator& evaluator = engine.evaluator();
  const std::vector<double> theta = test::random_parameters(engine.assembly.model(), 31);
  const std::vector<double> rows = test::residual_rows(evaluator, theta);
  std::vector<double> sums(evaluator.terms().size(), 0), errors(sums), largest(sums);
  for (const auto& run : evaluator.row_runs()) {
    for (std::size_t i = 0; i < run.count; ++i) {
      const double reference =
          test::reference_row(evaluator, theta, engine.problem.box.names, run, i, engine.problem.exact);
      const double violation = evaluate::violation(evaluator.terms()[run.term], reference);
      sums[run.term] += violation * violation;
      errors[run.term] = std::max(errors[run.term], std::abs(rows[run.first_row + i] - reference));
      largest[run.term] = std::max(largest[run.term], std::abs(reference));
    }
  }
  const evaluate::TermValues& values = evaluator.values(theta);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    const evaluate::Term& term = evaluator.terms()[t];
    const auto count = static_cast<double>(evaluator.count_of(term));
    const double value = term.aggregate == problem::Aggregate::Sum ? sums[t] : sums[t] / count;
    if (!problem::has_inequality(engine.problem.terms[t])) EXPECT_GT(value, 0) << term.name;
    EXPECT_NEAR(values.terms[t], value, 1e-10 * value) << term.name;
    EXPECT_LE(errors[t], 1e-10 * largest[t]) << term.name;
  }
}

TEST_P(CatalogueEngines, ThreadsDoNotChangeABit) {
  const int before = thread_count();
  std::vector<double> first;
  evaluate::TermValues first_values;
  for (const int threads : {1, 2, 3, 4}) {
    set_thread_count(threads);
    test::CatalogueEngine engine(test::reduced(GetParam(), 400));
    const std::vector<double> theta = test::random_parameters(engine.assembly.model(), 31);
    const test::RandomDuals duals(engine.evaluator().num_constraint_entries(), 6);
    std::vector<double> gradient(theta.size());
    const evaluate::TermValues values = engine.evaluator().gradient(theta, duals.view(), gradient);
    if (threads == 1) first = gradient, first_values = values;
    EXPECT_EQ(gradient, first) << threads << " threads";
    EXPECT_EQ(values.terms, first_values.terms) << threads << " threads";
  }
  set_thread_count(before);
}

INSTANTIATE_TEST_SUITE_P(All, CatalogueEngines, testing::ValuesIn(test::catalogue_names()), test::test_name);

}  // namespace
}  // namespace pecann
