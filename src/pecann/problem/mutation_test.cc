// Malformed files, generated from the good ones by a fixed sequence of mutations: each ends in an InputError
// that names the file, or in a valid problem. None may crash, hang, or come out as anything else.
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/base/random_stream.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/test_problem.h"

namespace pecann::problem {
namespace {

std::string mutated(std::string text, const std::string& other, RandomStream& stream) {
  static const std::string kPieces[] = {"[",
                                        "]",
                                        "{",
                                        "}",
                                        "\"",
                                        "=",
                                        "\n",
                                        "1e308",
                                        "-1",
                                        "0",
                                        "nan",
                                        "''",
                                        "\\u",
                                        "^^",
                                        "sin(",
                                        "u_xx",
                                        "99999999999999999999",
                                        "#",
                                        "true",
                                        ".",
                                        "[[term]]\n",
                                        "((((((((((((((((",
                                        "\xff\xfe",
                                        std::string(1, '\0'),
                                        "exact.u",
                                        "inf",
                                        ", "};
  const std::uint64_t changes = 1 + stream.below(4);
  for (std::uint64_t change = 0; change < changes; ++change) {
    const std::size_t at = stream.below(text.size()),
                      length = std::min<std::size_t>(text.size() - at, stream.below(12));
    switch (stream.below(6)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kPieces[stream.below(std::size(kPieces))]);
        break;
      case 2:
        text[at] = static_cast<char>(stream.below(256));
        break;
      case 3:
        text.replace(at, length, kPieces[stream.below(std::size(kPieces))]);
        break;
      case 4: {  // a line twice, or lost
        const std::size_t begin = text.rfind('\n', at) + 1, end = std::min(text.find('\n', at), text.size() - 1) + 1;
        if (begin < end)
          stream.below(2) == 0 ? text.erase(begin, end - begin) : text.insert(begin, text.substr(begin, end - begin));
        break;
      }
      default:  // a piece of another problem
        text.insert(at, other.substr(stream.below(other.size()), stream.below(60)));
    }
    if (text.empty()) text = "x";
  }
  return text;
}

TEST(MutationTest, EveryMalformedFileEndsInOrder) {
  std::vector<std::string> good = {kHeatText};
  for (const CatalogueEntry& entry : catalogue()) good.push_back(entry.text);
  RandomStream stream(2026, "mutations");
  int refused = 0;
  const int files = 1500;
  for (int i = 0; i < files; ++i) {
    const std::string text = mutated(good[stream.below(good.size())], good[stream.below(good.size())], stream);
    try {
      const Problem problem = read_problem(text, "mutant.toml");
      const std::string written = write_problem(problem);
      EXPECT_EQ(write_problem(read_problem(written, "again.toml")), written) << text;
    } catch (const InputError& error) {
      EXPECT_EQ(error.parts().place.file, "mutant.toml") << error.what() << "\n" << text;
      EXPECT_FALSE(error.parts().rule.empty());
      ++refused;
    }
  }
  EXPECT_GE(refused, 200);  // malformed in truth, not only changed
  EXPECT_LT(refused, files);
}

}  // namespace
}  // namespace pecann::problem
