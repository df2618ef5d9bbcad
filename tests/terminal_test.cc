// What reaches the terminal: nothing of a file, a name or an argument that it would obey, and all of the output or an
// exit code that says so.
#include <sys/file.h>

#include "support/cli_fixture.h"

namespace pecann {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Clears the screen, sets the title, begins a command in one character, goes back to the start of the line, and is no
// UTF-8.
const std::string kEvil =
    "\x1b[2J\x1b]0;title\x07\xc2\x9b"
    "31m\r\x9b";
// The same without the last byte, for texts that must be UTF-8, as TOML spells it.
const std::string kEvilToml = R"(\u001b[2J\u001b]0;title\u0007\u009b31m\r)";

class Terminal : public Cli {
 protected:
  /// Nothing but printable characters and line ends in what the program says.
  Ended expect_plain(const Words& words) {
    const Ended end = run(words);
    const std::string all = end.output + end.errors;
    for (const char c : all)
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) {
        ADD_FAILURE() << "a control character: " << ::testing::PrintToString(all);
        break;
      }
    EXPECT_EQ(all.find("\xc2\x9b"), std::string::npos) << ::testing::PrintToString(all);
    EXPECT_LT(end.code, 3);
    EXPECT_LT(all.size(), 20'000u);
    return end;
  }
  Ended run_into(const char* device, const Words& words) {
    const pid_t child = ::fork();
    if (child == 0) {
      if (::chdir(folder_.path().c_str()) != 0) ::_exit(126);
      ::dup2(::open(device, O_WRONLY), STDOUT_FILENO);
      ::dup2(::open("err", O_WRONLY | O_CREAT | O_TRUNC, 0644), STDERR_FILENO);
      ::_exit(become(words));
    }
    fill(folder_ / "out", "");
    return wait_for(child);
  }
};

TEST_F(Terminal, ArgumentsAreShownAndNotObeyed) {
  for (const Words& words :
       std::vector<Words>{{kEvil},
                          {"help", kEvil},
                          {"check", kEvil},
                          {"show", kEvil},
                          {"methods", kEvil},
                          {"run", "tiny.toml", "--" + kEvil},
                          {"run", "tiny.toml", kEvil},
                          {"run", "tiny.toml", "--recipe", kEvil},
                          {"run", "tiny.toml", "--set", kEvil + "=1"},
                          {"run", "tiny.toml", "--set", "stop.loss=" + kEvil},
                          {"run", "tiny.toml", "--threads", kEvil},
                          {"run", "tiny.toml", "--init", kEvil},
                          {"run", "tiny.toml", "--out", "no/" + kEvil + "/" + kEvil, "--set", "a=1"},
                          {"race", "tiny.toml", "--recipes", kEvil},
                          {"report", kEvil},
                          {"resume", kEvil},
                          {"predict", kEvil, "-o", "x.csv"},
                          {"export", kEvil, "--header", "x.hpp"},
                          {"reproduce", kEvil},
                          {"reproduce", "--budget", kEvil}})
    EXPECT_EQ(expect_plain(words).code, 2) << words[0] << " " << words.size();
}

TEST_F(Terminal, NamesOfFilesAndFoldersAreShownAndNotObeyed) {
  const std::string folder = kEvil.substr(0, kEvil.size() - 1);  // a folder's name is kept in files of UTF-8
  fs::copy(folder_ / "tiny.toml", folder_ / (folder + ".toml"));
  EXPECT_EQ(expect_plain({"run", folder + ".toml", "--out", folder}).code, 0);
  EXPECT_THAT(expect_plain({"run", folder + ".toml", "--out", folder}).errors, HasSubstr("[2J"));  // it exists
  expect_plain({"resume", folder, "--set", "phase.2.epochs=8"});
  expect_plain({"report", folder, folder, "--text"});
  expect_plain({"report", folder, "-o", kEvil + ".html"});
  expect_plain({"predict", folder, "-o", kEvil + ".csv"});
  expect_plain({"predict", folder, "-o", kEvil});
  expect_plain({"export", folder, "--header", kEvil + ".hpp"});
}

TEST_F(Terminal, TextsOfFilesAreShownAndNotObeyed) {
  fill(folder_ / "evil.toml", "title = \"" + kEvilToml + "\"" + kProblem.substr(kProblem.find("\ncoordinates")) +
                                  "[origin]\nproblem = \"" + kEvilToml + "\"\nrecipe = \"" + kEvilToml + "\"\n");
  const Ended end = expect_plain({"run", "evil.toml", "--out", "r"});
  EXPECT_EQ(end.code, 0);
  EXPECT_THAT(end.errors, HasSubstr("recipe  [2J")) << "it is shown";
  expect_plain({"check", "evil.toml"});
  expect_plain({"report", "r", "r", "--text"});
  expect_plain({"resume", "r", "--set", "phase.2.epochs=8"});
  fill(folder_ / "comment.toml", "# " + kEvil + "\n" + kProblem);
  expect_plain({"show", "comment.toml"});
  expect_plain({"check", "comment.toml"});
}

TEST_F(Terminal, ColumnsOfDataAreShownAndNotObeyed) {
  const std::string rest =
      "[[term]]\nname = \"obs\"\nrole = \"objective\"\nregion = \"data\"\nequation = \"u = data.u\"\ndata = { file = "
      "\"obs.csv\", u = \"";
  fill(folder_ / "obs.csv", "x," + kEvil + "\n0.25,0.7\n0.5,1\n");
  fill(folder_ / "data.toml", kProblem + rest + "v\" }\n");
  EXPECT_EQ(expect_plain({"check", "data.toml"}).code, 2);
  fill(folder_ / "data.toml", kProblem + rest + kEvilToml + "\" }\n");
  EXPECT_EQ(expect_plain({"check", "data.toml"}).code, 2);
  fill(folder_ / "obs.csv", "x,u\n0.25,0.7\n0.5," + kEvil + "\n");
  fill(folder_ / "data.toml", kProblem + rest + "u\" }\n");
  EXPECT_EQ(expect_plain({"check", "data.toml"}).code, 2);
}

TEST_F(Terminal, TheTextOfAHeldLockIsNotShown) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  fill(folder_ / "r/lock", "12" + kEvil);
  const int held = ::open((folder_ / "r/lock").c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX | LOCK_NB), 0);
  const Ended end = expect_plain({"resume", "r"});
  EXPECT_EQ(end.code, 2);
  EXPECT_THAT(end.errors, HasSubstr("is in use by another process"));
  ::close(held);
}

TEST_F(Terminal, OutputThatIsLostIsAnError) {
  ASSERT_EQ(run({"run", "tiny.toml", "--out", "r", "--quiet"}).code, 0);
  for (const Words& words : std::vector<Words>{{"--help"},
                                               {"--version"},
                                               {"run", "--help"},
                                               {"list"},
                                               {"show", "tiny.toml"},
                                               {"methods"},
                                               {"check", "tiny.toml"},
                                               {"run", "tiny.toml", "--out", "full"},
                                               {"resume", "r"},
                                               {"report", "r"},
                                               {"report", "r", "--text"},
                                               {"predict", "r", "-o", "x.csv"},
                                               {"export", "r", "--header", "x.hpp"}}) {
    const Ended end = run_into("/dev/full", words);
    EXPECT_EQ(end.code, 1) << words[0];
    EXPECT_THAT(end.errors, HasSubstr("pecann: the output could not be written: No space left on device")) << words[0];
    EXPECT_EQ(run_into("/dev/null", words).errors.find("could not be written"), std::string::npos) << words[0];
  }
  EXPECT_TRUE(exists("full/report.html")) << "the run itself is done";
  EXPECT_EQ(run_into("/dev/full", {"show", "nowhere"}).code, 2);
  EXPECT_EQ(run_into("/dev/full", {"run", "tiny.toml", "--out", "quiet", "--quiet"}).code, 0) << "nothing was lost";
}

}  // namespace
}  // namespace pecann
