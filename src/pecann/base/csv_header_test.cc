#include "pecann/base/csv_header.h"

#include <gtest/gtest.h>

namespace pecann {
namespace {

TEST(CsvHeader, OddNamesComeBack) {
  const std::vector<std::string> names = {"epoch", "a, \"b\"", "two\nlines", ""};
  const std::string line = csv_header(names);
  EXPECT_EQ(line, "epoch,\"a, \"\"b\"\"\",\"two\nlines\",\n");
  const std::string text = line + "1,2";
  std::string_view rest = text;
  EXPECT_EQ(take_csv_header(rest), names);
  EXPECT_EQ(rest, "1,2");
}

TEST(CsvHeader, ALineThatIsBeingWrittenIsLeftAlone) {
  std::string_view text = "epoch,\"a\nb";
  EXPECT_TRUE(take_csv_header(text).empty());
  EXPECT_EQ(text, "epoch,\"a\nb");
}

}  // namespace
}  // namespace pecann
