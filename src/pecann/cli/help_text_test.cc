#include "pecann/cli/help_text.h"

#include <gmock/gmock.h>

#include <sstream>

namespace pecann::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Sample {
  CLI::App app{"pecann: a test"};
  int epochs = 0;
  std::vector<std::string> set;

  Sample() {
    CLI::App* const run = app.add_subcommand("run", "Trains a problem");
    run->add_option("--trials", epochs,
                    "number of seeds, of which every one begins a training of its own and ends it as well");
    run->add_option("--set", set, "key=value");
    add_examples(app);
  }
};

TEST(HelpTextTest, NoLineIsLongerThanATerminal) {
  Sample sample;
  const std::string help = wrapped_help(sample.app.get_subcommand("run")->help());
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), kHelpWidth) << line;
  EXPECT_THAT(help, HasSubstr("pecann run gallery/robin"));
}

TEST(HelpTextTest, WrappedTextStandsBelowItself) {
  const std::string line =
      "  --name       " + std::string(30, 'a') + " " + std::string(30, 'b') + " " + std::string(30, 'c');
  EXPECT_EQ(wrapped_help(line), "  --name       " + std::string(30, 'a') + " " + std::string(30, 'b') + "\n" +
                                    std::string(15, ' ') + std::string(30, 'c') + "\n");
}

TEST(HelpTextTest, WrappedTextOfALongNameStandsInItsColumn) {
  const std::string line = "  --out TEXT=runs/reproduce " + std::string(50, 'a') + " " + std::string(20, 'b');
  EXPECT_EQ(wrapped_help(line), line.substr(0, 78) + "\n" + std::string(28, ' ') + std::string(20, 'b') + "\n");
}

TEST(HelpTextTest, UnknownOptionsNameTheKeyOrTheNearest) {
  Sample sample;
  sample.app.parse("run");
  EXPECT_EQ(unknown_words_text(sample.app, {"10", "--epochs"}),
            "pecann run: --epochs: no such option; it is a key of the problem: --set phase.1.epochs=N");
  EXPECT_THAT(unknown_words_text(sample.app, {"--trails"}), HasSubstr("did you mean '--trials'?"));
  EXPECT_THAT(unknown_words_text(sample.app, {"--qqqq=1"}), Not(HasSubstr("did you mean")));
  EXPECT_THAT(unknown_words_text(sample.app, {"more"}), HasSubstr("more: one argument too many"));
}

TEST(HelpTextTest, CompletionsAndTheManualKnowEveryCommandAndOption) {
  Sample sample;
  for (const char* shell : {"bash", "zsh", "fish"}) {
    EXPECT_THAT(completion_text(sample.app, shell), HasSubstr("run")) << shell;
    EXPECT_THAT(completion_text(sample.app, shell), HasSubstr("trials")) << shell;
  }
  EXPECT_THAT(manual_page(sample.app), HasSubstr(".SS pecann run"));
  EXPECT_THAT(manual_page(sample.app), HasSubstr("\\-\\-trials"));
}

}  // namespace
}  // namespace pecann::cli
