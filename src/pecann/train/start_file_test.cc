#include "pecann/train/start_file.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>

#include "pecann/base/input_error.h"
#include "pecann/train/test_support.h"

namespace pecann::train {
namespace {

using ::testing::HasSubstr;

std::string refusal(const RunFolder& folder, const problem::Problem& problem) {
  try {
    read_start(folder, problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StartFile, HoldsAsManyNumbersAsTheProblemHasParameters) {
  const testing::TemporaryFolder place;
  const RunFolder folder(place.path());
  const problem::Problem problem = testing::heat();
  EXPECT_FALSE(read_start(folder, problem));
  std::vector<double> numbers(parameter_count(problem), 0.5);
  write_start(folder, numbers);
  EXPECT_EQ(read_start(folder, problem), numbers);
  numbers.back() = std::numeric_limits<double>::quiet_NaN();
  write_start(folder, numbers);
  EXPECT_THAT(refusal(folder, problem), HasSubstr("is not finite"));
  numbers.pop_back();
  write_start(folder, numbers);
  EXPECT_THAT(refusal(folder, problem), HasSubstr("the problem has"));
  std::filesystem::resize_file(folder.start_file(), std::uintmax_t{6} << 30);
  EXPECT_THAT(refusal(folder, problem), HasSubstr("the file has 6.44 GB"));
}

}  // namespace
}  // namespace pecann::train
