#include "pecann/results/history_table.h"

#include <gmock/gmock.h>

#include <cmath>

#include "pecann/base/input_error.h"
#include "pecann/results/sample_runs.h"

namespace pecann::results {
namespace {

using testing::ElementsAre;

TEST(HistoryTableTest, ReadsQuotedNamesAndEmptyCells) {
  const HistoryTable table =
      parse_history("epoch,\"constraint.a, \"\"b\"\"\",error.u.linf\n1,0.5,\n2,1e-3,inf\n", "h.csv");
  EXPECT_THAT(table.names, ElementsAre("epoch", "constraint.a, \"b\"", "error.u.linf"));
  EXPECT_THAT(*table.find("constraint.a, \"b\""), ElementsAre(0.5, 1e-3));
  EXPECT_TRUE(std::isnan(table.columns[2][0]));
  EXPECT_TRUE(std::isinf(table.columns[2][1]));
  EXPECT_EQ(table.find("loss"), nullptr);
}

TEST(HistoryTableTest, LeavesOutALineThatIsBeingWritten) {
  EXPECT_EQ(parse_history("epoch,loss\n1,2\n2,3", "h.csv").rows(), 1u);
  EXPECT_EQ(parse_history("epoch,loss\n1,2\n2,", "h.csv").rows(), 1u);
}

TEST(HistoryTableTest, RefusesBrokenRowsWithTheirLine) {
  for (const char* text : {"epoch,loss\n1,2\n3\n", "epoch,loss\n1,2\n3,4,5\n", "epoch,loss\n1,2\n3,x\n"}) {
    try {
      parse_history(text, "h.csv");
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.parts().place.line, 3);
    }
  }
  EXPECT_THROW(parse_history("", "h.csv"), InputError);
}

TEST(HistoryTableTest, RefusesCountsThatAreNone) {
  for (const char* row : {"nan,1", "inf,1", "-1,1", "1.5,1", "1e300,1", ",1", "1,1e300", "1,-inf", "1,0.5"}) {
    SCOPED_TRACE(row);
    EXPECT_THROW(parse_history(std::string("epoch,window\n1,1\n") + row + "\n", "history.csv"), InputError);
  }
  EXPECT_EQ(parse_history("epoch,window\n1,\n", "history.csv").rows(), 1u) << "a column that a resumed run has lost";
}

TEST(HistoryTableTest, EpochsRunOnThroughWindows) {
  const HistoryTable table = parse_history("window,epoch\n1,1\n1,5\n2,1\n2,7\n3,2\n", "h.csv");
  EXPECT_THAT(table.running_epochs(), ElementsAre(1, 5, 6, 12, 14));
}

TEST(HistoryTableTest, SaysWherePhasesAndWindowsBegin) {
  const HistoryTable table = parse_history("window,epoch,phase\n1,1,1\n1,2,2\n1,3,2\n2,1,1\n2,2,2\n", "h.csv");
  EXPECT_THAT(table.starts_of("window"), ElementsAre(0, 3, 5));
  EXPECT_THAT(table.starts_of("phase"), ElementsAre(0, 1, 3, 4, 5));
  const HistoryTable old = parse_history("epoch,learning_rate\n1,0.001\n2,1\n", "h.csv");
  EXPECT_THAT(old.starts_of("phase"), ElementsAre(0, 2)) << "a history of an earlier version is one phase";
}

TEST(HistoryTableTest, ReadsWhatTrainingWrites) {
  const TemporaryFolder folder;
  make_run(folder / "run", kPoissonText);
  const HistoryTable table = read_history(folder / "run/trial-1/history.csv");
  EXPECT_GT(table.rows(), 1u);
  for (const char* name :
       {"epoch", "seconds", "loss", "constraint.ends", "multiplier.ends", "penalty.ends", "error.u.relative_l2"})
    EXPECT_NE(table.find(name), nullptr) << name;
}

TEST(HistoryTableTest, AMissingFileIsEmpty) { EXPECT_EQ(read_history("/nowhere/history.csv").rows(), 0u); }

}  // namespace
}  // namespace pecann::results
