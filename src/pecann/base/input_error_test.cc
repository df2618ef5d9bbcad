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

}  // namespace
}  // namespace pecann
