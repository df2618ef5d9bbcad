#include "pecann/reproduce/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "pecann/base/input_error.h"
#include "pecann/reproduce/budget.h"
#include "pecann/reproduce/estimate.h"

namespace pecann::reproduce {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

const Row& row(const std::string& id) {
  for (const Table& table : paper_tables())
    for (const Row& candidate : table.rows)
      if (candidate.id() == id) return candidate;
  throw std::runtime_error("no row " + id);
}

TEST(TableTest, ThePaperHasItsTablesAndRows) {
  std::map<std::string, std::size_t> rows;
  for (const Table& table : paper_tables()) rows[table.name] = table.rows.size();
  const std::map<std::string, std::size_t> expected = {{"heat-composite", 6},
                                                       {"burgers", 6},
                                                       {"poisson", 6},
                                                       {"poisson-fourier", 6},
                                                       {"fourier-scale", 28},
                                                       {"helmholtz-6-6", 4},
                                                       {"helmholtz-1-4-settings", 6},
                                                       {"helmholtz-1-4-methods", 6},
                                                       {"helmholtz-source-l4", 4},
                                                       {"helmholtz-source-l5", 8},
                                                       {"vortex", 2},
                                                       {"heat-source-inverse", 3}};
  EXPECT_EQ(rows, expected);
}

TEST(TableTest, EveryRowIsAProblemAtThePapersBudgetAndMeasuresWhatItPublishes) {
  for (const Table& table : paper_tables()) {
    for (const Row& each : table.rows) {
      const auto problem = problem_of(each, Budget::Paper);
      ASSERT_TRUE(problem) << each.id();
      std::vector<std::string> measures = table.also;
      measures.push_back(table.measure);
      for (const std::string& measure : measures) {
        const std::size_t dot = measure.find('.');
        if (measure.starts_with("constraint.")) {
          EXPECT_THAT(problem->terms,
                      ::testing::Contains(::testing::Field(&problem::TermSpec::name, measure.substr(dot + 1))))
              << each.id();
          continue;
        }
        EXPECT_THAT(problem->evaluate.measures,
                    ::testing::Contains(value_named<problem::Measure>("measure", measure.substr(dot + 1))))
            << each.id();
        EXPECT_THAT(problem->networks[0].fields, ::testing::Contains(measure.substr(0, dot))) << each.id();
      }
      EXPECT_EQ(problem->seed, 1u);
      EXPECT_EQ(problem->trials, each.trials);
      EXPECT_TRUE(problem_of(each, Budget::Quick)) << each.id();
      if (each.store != each.id()) {
        EXPECT_TRUE(same_training(*problem, *problem_of(row(each.store), Budget::Paper))) << each.id();
      }
    }
  }
}

TEST(TableTest, RowsOfATableTrainDifferently) {
  for (const Table& table : paper_tables())
    for (std::size_t a = 0; a < table.rows.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        EXPECT_FALSE(
            same_training(*problem_of(table.rows[a], Budget::Paper), *problem_of(table.rows[b], Budget::Paper)))
            << table.rows[a].id() << " and " << table.rows[b].id();
}

TEST(TableTest, NamesAndPanelsOfTheReportAreNoPartOfATraining) {
  const problem::Problem problem = *problem_of(row("burgers/coarse-capu"), Budget::Paper);
  problem::Problem other = problem;
  other.title = "another";
  other.origin = "elsewhere.toml";
  other.report.snapshots = {0.5};
  other.seed = 9;
  EXPECT_TRUE(same_training(problem, other));
  other.penalty.omega = 0.5;
  EXPECT_FALSE(same_training(problem, other));
}

TEST(TableTest, FindingsNameRowsThatExist) {
  EXPECT_EQ(paper_findings().size(), 6u);
  for (const Finding& finding : paper_findings())
    for (const std::string& id : finding.rows) EXPECT_EQ(row(id).id(), id);
}

TEST(TableTest, OverridesReachTheTraining) {
  EXPECT_EQ(problem_of(row("burgers/fine-mpu"), Budget::Paper)->penalty.strategy, "mpu");
  const auto pinn = problem_of(row("helmholtz-1-4-methods/pinn-1000"), Budget::Paper);
  EXPECT_EQ(pinn->penalty.strategy, "fixed");
  EXPECT_EQ(pinn->penalty.multiplier, 1000);
  const auto sa = problem_of(row("helmholtz-1-4-methods/sa-pinn"), Budget::Paper);
  EXPECT_EQ(sa->phases.size(), 2u);
  EXPECT_EQ(sa->networks[0].hidden, (std::vector<int>{50, 50, 50, 50}));
  EXPECT_FALSE(problem_of(row("helmholtz-source-l5/mlp-3x40"), Budget::Paper)->networks[0].fourier_sigma);
  EXPECT_TRUE(problem_of(row("helmholtz-source-l5/fourier-9x20"), Budget::Paper)->networks[0].fourier_sigma);
  EXPECT_EQ(problem_of(row("helmholtz-source-l4/rmsprop"), Budget::Paper)->penalty.strategy, "rmsprop");
  EXPECT_EQ(problem_of(row("helmholtz-source-l4/rmsprop"), Budget::Paper)->penalty.eta, 1);
  const auto smaller_eta = problem_of(row("helmholtz-source-l4/rmsprop-eta-0.01"), Budget::Paper);
  EXPECT_EQ(smaller_eta->penalty.strategy, "rmsprop");
  EXPECT_EQ(smaller_eta->penalty.eta, 0.01);
  EXPECT_EQ(problem_of(row("helmholtz-1-4-settings/eta-0.01-zeta"), Budget::Paper)->penalty.zeta, 0.9);
}

TEST(TableTest, BudgetsDiffer) {
  const Row& capu = row("burgers/coarse-capu");
  EXPECT_EQ(problem_of(capu, Budget::Paper)->phases[0].epochs, 10000);
  EXPECT_LT(problem_of(capu, Budget::Quick)->phases[0].epochs, 1000);
  EXPECT_EQ(problem_of(capu, Budget::Best)->recipe, "best");
  EXPECT_FALSE(problem_of(row("burgers/coarse-mpu"), Budget::Best));
  EXPECT_FALSE(problem_of(capu, Budget::Short)) << "the table gives none";
  const auto study = problem_of(row("heat-composite/pointwise-mpu"), Budget::Short);
  ASSERT_TRUE(study);
  EXPECT_LT(study->phases[0].epochs, problem_of(row("heat-composite/pointwise-mpu"), Budget::Paper)->phases[0].epochs);
  EXPECT_EQ(study->penalty.strategy, "mpu");
  EXPECT_THAT(refusal([] { budget_of("papr"); }), HasSubstr("did you mean 'paper'?"));
}

TEST(TableTest, EvaluationsAreCountedByPhaseAndWindow) {
  EXPECT_EQ(expected_evaluations(*problem_of(row("burgers/fine-capu"), Budget::Paper)), 10000);
  EXPECT_EQ(expected_evaluations(*problem_of(row("helmholtz-1-4-methods/capu"), Budget::Paper)), 5000 * 22);
  EXPECT_EQ(expected_evaluations(*problem_of(row("vortex/coarse"), Budget::Paper)), 40 * (3000 + 2000 * 22));
}

TEST(TableTest, TablesAndRowsAreSelectedByName) {
  EXPECT_EQ(select_tables({}).size(), paper_tables().size());
  const auto chosen = select_tables({"burgers/fine-capu", "vortex", "burgers/coarse-capu", "burgers/fine-capu"});
  ASSERT_EQ(chosen.size(), 2u);
  ASSERT_EQ(chosen[0].rows.size(), 2u);
  EXPECT_EQ(chosen[0].rows[0].name, "fine-capu");
  EXPECT_EQ(chosen[1].rows.size(), 2u);
  EXPECT_THAT(refusal([] { select_tables({"burger"}); }), HasSubstr("did you mean 'burgers'?"));
  EXPECT_THAT(refusal([] { select_tables({"burgers/fine-cap"}); }), HasSubstr("did you mean 'fine-capu'?"));
  EXPECT_THAT(refusal([] { select_tables({"nowhere.toml"}); }), HasSubstr("no file"));
}

TEST(TableTest, BadTablesAreRefusedWithTheirLine) {
  const auto message = [](const std::string& text) { return refusal([&] { read_table(text, "mine", "mine.toml"); }); };
  EXPECT_THAT(message("title = \"x\"\n"), HasSubstr("measure"));
  EXPECT_THAT(message("measure = \"u\"\n"), HasSubstr("FIELD.MEASURE"));
  EXPECT_THAT(message("measure = \"u.linf\"\nmesure = 1\n"), HasSubstr("mine.toml:2"));
  EXPECT_THAT(message("measure = \"u.linf\"\n[[row]]\nname = \"a\"\n"), HasSubstr("names a problem"));
  EXPECT_THAT(message("measure = \"u.linf\"\nproblem = \"poisson\"\n[[row]]\nname = \"a/b\"\n"),
              HasSubstr("letters, digits"));
  EXPECT_THAT(message("measure = \"u.linf\"\nproblem = \"poisson\"\n[[row]]\nname = \"a\"\n[[row]]\nname = \"a\"\n"),
              HasSubstr("two rows"));
  EXPECT_THAT(message("measure = \n"), HasSubstr("not valid TOML"));
}

}  // namespace
}  // namespace pecann::reproduce
