#include "pecann/base/input_error.h"

#include <gtest/gtest.h>

namespace pecann {
namespace {

std::string text_of(InputError::Parts parts) { return InputError(std::move(parts)).what(); }

TEST(InputError, PutsItsPartsIntoOneSentence) {
  EXPECT_EQ(text_of({.place = {"a.toml", 3, 7},
                     .key = "term.pde.weight",
                     .value = "-1",
                     .rule = "must be positive",
                     .hint = "try 1"}),
            "a.toml:3:7: term.pde.weight = -1: must be positive; try 1");
  EXPECT_EQ(text_of({.place = {"a.toml", 3}, .key = "k", .rule = "is unknown"}), "a.toml:3: k: is unknown");
  EXPECT_EQ(text_of({.place = {"a.toml", 0, 9}, .value = "7", .rule = "is odd"}), "a.toml: 7: is odd")
      << "a column needs a line";
  EXPECT_EQ(text_of({.rule = "no"}), "no");
}

TEST(InputError, KeepsItsParts) {
  const InputError error({.key = "k", .value = "v", .rule = "r", .hint = "h"});
  EXPECT_EQ(error.parts().key, "k");
  EXPECT_EQ(error.parts().hint, "h");
}

TEST(InputError, NoPartReachesATerminalAsItsCommand) {
  const std::string evil =
      "a\x1b[31m\x07\r\n\x9b\xc2\x9b"
      "2J";
  const std::string text = text_of(
      {.place = {evil, 1, 2}, .key = evil, .value = evil, .rule = evil, .hint = hint_for("x", {{evil, "a\x1b"}})});
  for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(text.substr(0, 12), "a [31m   ? 2") << text;
  EXPECT_EQ(hint_for("ab\x1b", {{"ab\x1b"}}), "did you mean 'ab '?");
}

TEST(InputError, EveryPartIsBounded) {
  const std::string endless(100'000, 'x');
  EXPECT_LT(text_of({.place = {endless}, .key = endless, .value = endless, .rule = endless, .hint = endless}).size(),
            4000u);
}

TEST(NearestName, FindsMisspellingsAndOnlyThose) {
  const std::vector<std::string> names = {"epochs", "seconds", "loss", "violation"};
  EXPECT_EQ(nearest_name("epoch", names), "epochs");
  EXPECT_EQ(nearest_name("violaton", names), "violation");
  EXPECT_EQ(nearest_name("lsos", names), "loss") << "two letters exchanged are one edit";
  EXPECT_EQ(nearest_name("epohcs", names), "epochs");
  EXPECT_EQ(nearest_name("lase", names), std::nullopt) << "two edits of four letters are another word";
  EXPECT_EQ(nearest_name("entirely else", names), std::nullopt);
  EXPECT_EQ(nearest_name("epochs", {}), std::nullopt);
  EXPECT_EQ(nearest_name(std::string(100000, 'x'), names), std::nullopt) << "and at once";
}

TEST(NearestName, TakesTheFirstOfEquallyNearOnes) {
  const std::vector<std::string> names = {"beta1", "beta2"};
  EXPECT_EQ(nearest_name("beta3", names), "beta1");
}

TEST(HintFor, OffersTheNearestOrTheKnownNames) {
  const std::vector<std::string> names = {"adam", "lbfgs"};
  EXPECT_EQ(hint_for("adm", names), "did you mean 'adam'?");
  EXPECT_EQ(hint_for("newton", names), "known: adam, lbfgs");
  EXPECT_EQ(hint_for("newton", {}), "");
  std::vector<std::string> many;
  for (int i = 0; i < 20; ++i) many.push_back("name-" + std::to_string(i));
  const std::string hint = hint_for("zzzzzz", many);
  EXPECT_NE(hint.find("name-11, …"), std::string::npos);
  EXPECT_EQ(hint.find("name-12"), std::string::npos);
}

TEST(Shortened, CutsLongTextsBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("aéb", 2), "a…") << "é has two bytes and is not cut in half";
  EXPECT_EQ(shortened("a\nb\tc\x7f", 80), "a b c ");
  EXPECT_EQ(shortened("", 0), "");
}

TEST(Shortened, LeavesNothingThatATerminalObeys) {
  EXPECT_EQ(shortened("a\xc2\x9b"
                      "b"),
            "a b")
      << "U+009B begins commands as ESC [ does";
  EXPECT_EQ(shortened("a\xe2\x80\xae"
                      "b\xe2\x81\xa6"
                      "c"),
            "a b c")
      << "marks of direction";
  EXPECT_EQ(shortened("a\x9b"
                      "b\xff"),
            "a?b?")
      << "bytes that are no UTF-8";
  EXPECT_EQ(shortened("\xe0\x82\x9b|\xed\xa0\x80|\xc3"), "???|???|?") << "longer spellings, half pairs, a cut";
  EXPECT_EQ(shortened(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(shortened("Schrödinger ∂u/∂t 𝛻 – ü"), "Schrödinger ∂u/∂t 𝛻 – ü");
}

TEST(SafeLines, KeepsLinesAndTabsAlone) {
  EXPECT_EQ(safe_lines("a\n\tb\r\nc\x1b[2J"), "a\n\tb \nc [2J");
  EXPECT_EQ(safe_lines(std::string(10'000, 'x')).size(), 10'000u);
}

}  // namespace
}  // namespace pecann
