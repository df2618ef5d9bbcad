// What a small problem costs from the start of the program to its files: processor seconds, so that other work on the
// machine does not matter, with room for machines several times slower than that of docs/performance.md.
#include <sys/resource.h>

#include <algorithm>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

const std::string kSixtyPoints = R"toml(
coordinates = { x = [0, 1] }
[exact]
u = "sin(pi*x)"
[[network]]
fields = ["u"]
hidden = [10]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "-u_xx = pi^2*sin(pi*x)"
points = { grid = [60] }
[[term]]
name = "ends"
role = "constraint"
region = "boundary"
equation = "u = 0"
[[phase]]
optimizer = "lm"
epochs = 20
)toml";

double processor_seconds_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

class SmallProblem : public Cli {
 protected:
  /// The least of three runs.
  double processor_seconds(const Words& words) {
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      fs::remove_all(folder_ / "r");
      const double before = processor_seconds_of_children();
      EXPECT_EQ(run(words).code, 0);
      least = std::min(least, processor_seconds_of_children() - before);
    }
    return least;
  }
};

TEST_F(SmallProblem, HelpIsThereAtOnce) { EXPECT_LT(processor_seconds({"--help"}), 0.2); }

TEST_F(SmallProblem, SixtyPointsOnALineTakeAFractionOfASecond) {
  fill(folder_ / "line.toml", kSixtyPoints);
  EXPECT_LT(processor_seconds({"run", "line.toml", "--out", "r", "--threads", "1"}), 1.0);
  EXPECT_TRUE(exists("r/report.html"));
}

}  // namespace
}  // namespace pecann
