// The error estimate as users of the program meet it.
#include <nlohmann/json.hpp>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EstimateCommand : public Cli {
 protected:
  nlohmann::json summary(const std::string& run) {
    return nlohmann::json::parse(content(folder_ / (run + "/summary.json")));
  }
};

TEST_F(EstimateCommand, ARunEstimatesItsError) {
  const Ended end = run({"run", "tiny.toml", "--out", "r"});
  EXPECT_THAT(end.output, HasSubstr("estimated error without the exact solution"));
  const nlohmann::json json = summary("r");
  const double truth = json["trials"][0]["errors"]["u"]["relative_l2"], told = json["estimate"]["u"]["relative_l2"];
  EXPECT_TRUE(json["estimate"]["u"]["trusted"]);
  EXPECT_NEAR(told, truth, 0.2 * truth);
  const nlohmann::json before = json["estimate"];
  EXPECT_EQ(run({"estimate", "r", "--threads", "1"}).code, 0);
  EXPECT_EQ(summary("r")["estimate"], before);
}

TEST_F(EstimateCommand, NoEstimateIsMadeWhereNoneIsWanted) {
  const Ended end = run({"run", "tiny.toml", "--out", "r", "--no-estimate"});
  EXPECT_THAT(end.output, Not(HasSubstr("estimated error")));
  EXPECT_FALSE(summary("r").contains("estimate"));
}

TEST_F(EstimateCommand, AGoodEstimateCorrectsAPrediction) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  ASSERT_TRUE(summary("r")["estimate"]["u"]["good"]);
  const auto largest_error = [&](const Words& more) {
    Words words = {"predict", "r", "--fields", "u - exact.u", "-o", "e.csv"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).code, 0);
    double largest = 0;
    const std::vector<std::string> lines = lines_of(folder_ / "e.csv");
    for (std::size_t i = 1; i < lines.size(); ++i)
      largest = std::max(largest, std::abs(std::stod(lines[i].substr(lines[i].find(',') + 1))));
    return largest;
  };
  EXPECT_LT(largest_error({"--corrected"}), 0.1 * largest_error({}));
}

TEST_F(EstimateCommand, APredictionIsNotCorrectedByABadEstimate) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet", "--no-estimate", "--set", "term.ends.region=x = 0"}).code,
            0);
  const Ended end = run({"predict", "r", "--corrected", "-o", "u.csv"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("the estimate of the error is not good"));
  EXPECT_THAT(end.errors, HasSubstr("is a condition missing?"));
  EXPECT_FALSE(exists("u.csv"));
}

}  // namespace
}  // namespace pecann
