#include "pecann/reproduce/results_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::reproduce {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
const double kNan = std::numeric_limits<double>::quiet_NaN();

constexpr const char* kTable = R"toml(
title = "A table"
source = "table 0"
measure = "u.relative_l2"
also = ["u.linf", "constraint.boundary"]
problem = "helmholtz-1-4"
short = ["phase.1.epochs=50", "penalty.eta=2"]
trials = 3
[[row]]
name = "one"
title = "One"
published = { mean = 2e-3, std = 1e-3, best = 5e-4 }
best = true
notes = "Why | ours."
[[row]]
name = "two"
title = "Two"
set = ["penalty.strategy=mpu"]
published = { text = "fails" }
[[cited]]
title = "Others"
published = { best = 7e-3 }
)toml";

class ResultsPage : public ::testing::Test {
 protected:
  ResultsPage() : table_(read_table(kTable, "t", "t.toml")), store_(folder_ / "results") {}

  void add(const Row& row, Budget budget, int trial, double error) {
    const problem::Problem problem = *problem_of(row, budget);
    store_.prepare(row, budget, problem);
    UnitResult result;
    result.trial.trial = trial;
    result.trial.seed = static_cast<std::uint64_t>(trial);
    result.trial.epochs = 100 * trial;
    result.trial.evaluations = 2200;
    result.trial.seconds = 12;
    result.trial.last.constraints = {{.value = 4e-6}};
    result.trial.errors = {{"u", error, 10 * error, kNan, kNan}};
    result.facts.commit = "abc" + std::to_string(trial);
    result.facts.threads = 1;
    result.load = 3;
    result.processor_seconds = 6;
    store_.write(row, budget, problem, result);
  }
  std::string text() {
    return markdown(results_page({table_}, {{"F", "Text.", "pecann x", {"t/one"}}}, store_, {{"t/two", 7200}}));
  }

  train::testing::TemporaryFolder folder_;
  Table table_;
  ResultStore store_;
};

TEST_F(ResultsPage, AResultComesBackAsItWasWritten) {
  add(table_.rows[0], Budget::Paper, 2, 1.25e-3);
  const RowResults results = store_.read(table_.rows[0], Budget::Paper);
  ASSERT_EQ(results.units.size(), 1u);
  EXPECT_FALSE(results.superseded);
  const UnitResult& unit = results.units[0];
  EXPECT_EQ(unit.trial.seed, 2u);
  EXPECT_EQ(unit.trial.epochs, 200);
  EXPECT_EQ(unit.trial.errors[0].relative_l2, 1.25e-3);
  EXPECT_EQ(unit.facts.commit, "abc2");
  EXPECT_EQ(unit.load, 3);
  EXPECT_EQ(unit.processor_seconds, 6);
  EXPECT_TRUE(store_.read(table_.rows[1], Budget::Paper).units.empty());
}

TEST_F(ResultsPage, MeansAndWhatIsMissingAreSaid) {
  add(table_.rows[0], Budget::Paper, 1, 1e-3);
  add(table_.rows[0], Budget::Paper, 2, 2e-3);
  const std::string page = text();
  EXPECT_THAT(
      page,
      HasSubstr("| One | paper | (2.00 ± 1.00)e-3 | **(1.50 ± 0.71)e-3** | 5.00e-4 | 1.00e-3 | (1.50 ± 0.71)e-2 | "
                "(2.00 ± 0.00)e-3 | 2 of 3, seeds 1–2 | 150 | 2200 | 6 s | 3 | abc1, abc2 |"));
  EXPECT_THAT(page, HasSubstr("| One | best | (2.00 ± 1.00)e-3 | not run |"));
  EXPECT_THAT(page, HasSubstr("| Two | paper | fails | not run at the paper's budget (about 2 h 00 min a trial) |"));
  EXPECT_THAT(page, Not(HasSubstr("| Two | best")));
  EXPECT_THAT(page,
              HasSubstr("Of 2 rows, 0 were run at the paper's budget with all of the paper's trials and 1 with fewer"));
  EXPECT_THAT(page, HasSubstr("- **One**: Why | ours."));
  EXPECT_THAT(page, HasSubstr("| Others | cited | – |  | 7.00e-3 |"));
  EXPECT_THAT(page, HasSubstr("### F\n\nText. Command: `pecann x`.\n\n| row |"));
}

TEST_F(ResultsPage, AnErrorBelowAPublishedBoundIsBold) {
  table_.rows[1].published = {.below = 1e-2};
  add(table_.rows[1], Budget::Paper, 1, 2e-2);
  EXPECT_THAT(text(), HasSubstr("| Two | paper | below 1.00e-2 | 2.00e-2 |"));
  add(table_.rows[1], Budget::Paper, 1, 2e-3);
  EXPECT_THAT(text(), HasSubstr("| Two | paper | below 1.00e-2 | **2.00e-3** |"));
}

TEST_F(ResultsPage, TheTimeOfAllTrialsAtOurBudgetIsSummed) {
  EXPECT_THAT(text(), Not(HasSubstr("All trials of")));
  add(table_.rows[0], Budget::Best, 1, 1e-3);
  EXPECT_THAT(text(), HasSubstr("All trials of 1 of these 1 rows take 18.0 s of one thread with `best`"));
}

TEST_F(ResultsPage, SmokeRunsAndEarlierRecipesAreMarked) {
  add(table_.rows[1], Budget::Quick, 1, 0.9);
  EXPECT_THAT(text(), HasSubstr("smoke run: its errors say nothing"));
  add(table_.rows[0], Budget::Paper, 1, 1e-3);
  Row changed = table_.rows[0];
  changed.set = {"phase.1.epochs=4999"};
  EXPECT_TRUE(store_.read(changed, Budget::Paper).superseded);
  EXPECT_THAT(store_.prepare(changed, Budget::Paper, *problem_of(changed, Budget::Paper)),
              HasSubstr("paper.earlier-1"));
  EXPECT_TRUE(store_.read(changed, Budget::Paper).units.empty());
  EXPECT_EQ(store_.prepare(changed, Budget::Paper, *problem_of(changed, Budget::Paper)), "");
}

TEST_F(ResultsPage, ARowWithTheResultsOfAnotherHasThemAtItsOwnBudgetsOnly) {
  add(table_.rows[0], Budget::Paper, 1, 1e-3);
  add(table_.rows[0], Budget::Best, 1, 1e-5);
  Row same = table_.rows[0];
  same.name = "same";
  same.best = false;
  EXPECT_EQ(store_.read(same, Budget::Paper).units.size(), 1u);
  EXPECT_TRUE(store_.read(same, Budget::Best).units.empty());
}

TEST_F(ResultsPage, AShortStudyStandsBesideThePapersBudgetAndNamesWhatItChanged) {
  EXPECT_THAT(text(), HasSubstr("| One | short | (2.00 ± 1.00)e-3 | not run |"));
  EXPECT_EQ(problem_of(table_.rows[0], Budget::Short)->phases[0].epochs, 50);
  add(table_.rows[0], Budget::Short, 1, 1e-3);
  const std::string page = text();
  EXPECT_THAT(page, HasSubstr("Budget `short`: `phase.1.epochs=50 penalty.eta=2`."));
  EXPECT_THAT(page, HasSubstr("| One | short | (2.00 ± 1.00)e-3 | 1.00e-3 |"))
      << "not bold: another budget than the published";
  EXPECT_THAT(page, HasSubstr("| t: One | (2.00 ± 1.00)e-3 | 1.00e-3 | short |")) << "the finding";
  add(table_.rows[0], Budget::Paper, 1, 3e-3);
  EXPECT_THAT(text(), HasSubstr("| t: One | (2.00 ± 1.00)e-3 | 3.00e-3 | paper |")) << "the paper's budget goes first";
}

TEST_F(ResultsPage, ABrokenResultIsNamed) {
  add(table_.rows[0], Budget::Paper, 1, 1e-3);
  train::testing::fill(store_.file(table_.rows[0], Budget::Paper, 1), "{}");
  EXPECT_THROW(
      {
        try {
          store_.read(table_.rows[0], Budget::Paper);
        } catch (const InputError& error) {
          EXPECT_THAT(error.what(), HasSubstr("trial-1.json"));
          throw;
        }
      },
      InputError);
}

TEST(FigureText, RoundsBeforeItChoosesThePower) {
  EXPECT_EQ(figure_text(5.42e-3, 2.41e-3), "(5.42 ± 2.41)e-3");
  EXPECT_EQ(figure_text(1.37, 2.15), "(1.37 ± 2.15)");
  EXPECT_EQ(figure_text(9.999e-4, kNan), "1.00e-3");
  EXPECT_EQ(figure_text(kNan, kNan), "not finite");
  EXPECT_EQ(figure_text(0, kNan), "0");
}

TEST(DocumentTest, HtmlEscapesWhatIsNotMarkup) {
  const Document document{
      {Heading{1, "A < B"}, Paragraph{"**x** & `y<z`"}, BulletList{{"i"}}, CellTable{{"h"}, {{"a|b"}}}}};
  const std::string page = html_page(document, "t");
  EXPECT_THAT(page, HasSubstr("<h1>A &lt; B</h1>"));
  EXPECT_THAT(page, HasSubstr("<p><b>x</b> &amp; <code>y&lt;z</code></p>"));
  EXPECT_THAT(page, HasSubstr("<td>a|b</td>"));
  EXPECT_THAT(markdown(document), HasSubstr("| a\\|b |"));
}

}  // namespace
}  // namespace pecann::reproduce
