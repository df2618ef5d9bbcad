// `pecann check` as its users meet it: exit codes, and lines that fit a terminal.
#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/train/test_support.h"
#include "pecann/verdict/wrapped_text.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CheckCommand : public ::testing::Test {
 protected:
  /// Exit code of `pecann check` with these words; what it printed is in `output`.
  int check(const std::string& words) {
    const std::string file = folder_ / "output";
    const int status =
        std::system(("'" PECANN_PROGRAM "' check " + words + " --threads 1 > '" + file + "' 2>&1").c_str());
    output = train::testing::content(file);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    for (const std::string& line : train::testing::lines_of(file)) {
      if (code != 2) EXPECT_LE(verdict::columns_of(line), 80u) << line;  // refusals are one line each
    }
    return code;
  }
  train::testing::TemporaryFolder folder_;
  std::string output;
};

TEST_F(CheckCommand, AGoodProblem) {
  EXPECT_EQ(check("gallery/taylor-green"), 0);
  EXPECT_THAT(output, HasSubstr("x, y, t → 30 → 30 → u, v, p: 1143 parameters"));
  EXPECT_THAT(output, HasSubstr("momentum, continuity: 4 (value, 2 first, 1 second)"));
  EXPECT_THAT(output, HasSubstr("Taylor test of order 2.0"));
  EXPECT_THAT(output, HasSubstr("no findings"));
}

TEST_F(CheckCommand, PartsOfABoundaryAreCountedAndDrawn) {
  EXPECT_EQ(check("gallery/perforated-plate --picture '" + (folder_ / "points.svg") + "'"), 0);
  EXPECT_THAT(output, HasSubstr("points of holes: left 120, right 120, slot 120"));
  const std::string picture = train::testing::content(folder_ / "points.svg");
  std::size_t circles = 0;
  for (std::size_t at = 0; (at = picture.find("<circle", at)) != std::string::npos; ++at) ++circles;
  EXPECT_EQ(circles, 1500u + 300u + 300u + 360u);
  EXPECT_THAT(picture, HasSubstr("<polyline"));
  EXPECT_EQ(check("gallery/beam --picture '" + (folder_ / "beam.svg") + "'"), 2);  // one coordinate
}

TEST_F(CheckCommand, NotesAreNoFailure) {
  EXPECT_EQ(check("gallery/beam --set constants.unused=1"), 0);
  EXPECT_THAT(output, HasSubstr("note: Nothing uses the constant 'unused'."));
}

TEST_F(CheckCommand, ContradictionsAre) {
  EXPECT_EQ(check("gallery/wave-1d --set 'term.boundary.equation=u = 0.3'"), 1);
  EXPECT_THAT(output, HasSubstr("warning: Terms 'boundary' and 'displacement' contradict"));
  EXPECT_THAT(output, HasSubstr("warning: The exact solution does not satisfy term 'boundary'"));
}

TEST_F(CheckCommand, BadInput) {
  EXPECT_EQ(check("gallery/beam --set 'term.pde.equation=w_xxxx + q = 0'"), 2);
  EXPECT_THAT(output, HasSubstr("term.pde.equation"));
  EXPECT_THAT(output,
              Not(HasSubstr("coordinates  ")));  // nothing is printed about a problem that cannot be read
  EXPECT_EQ(check("gallery/kdv --set phase.1.optimizer=adm"), 2);
  EXPECT_EQ(check("gallery/beem"), 2);
}

}  // namespace
}  // namespace pecann
