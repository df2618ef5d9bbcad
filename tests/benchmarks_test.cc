// The files of problems/benchmarks: they say what the problem is and nothing about its training, and can be compared
// with a solution.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/problem/catalogue.h"
#include "pecann/train/error_norms.h"

namespace pecann {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::filesystem::path> benchmark_files() {
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator("problems/benchmarks"))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(BenchmarkFilesTest, NameNoTrainingAndHaveASolutionToCompareWith) {
  ASSERT_GE(benchmark_files().size(), 38u);
  for (const std::filesystem::path& file : benchmark_files()) {
    SCOPED_TRACE(file.string());
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    for (const char* word : {"[[network]]", "[[phase]]", "[penalty]", "[windows]", "weight =", "sobol"})
      EXPECT_THAT(text.str(), Not(HasSubstr(word)));
    const problem::Problem problem = problem::load_problem(file.string());
    const train::Comparison known = train::comparison_for(problem, problem.box);
    ASSERT_FALSE(known.fields.empty());
    EXPECT_GE(known.points.count, 1000u);
    for (const std::vector<double>& values : known.values) {
      EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }));
      EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }));
    }
  }
}

TEST(BenchmarkFilesTest, ARowOfTheTableHasAFile) {
  std::ifstream rows("benchmarks/problems.toml");
  std::size_t count = 0;
  for (std::string line; std::getline(rows, line);) {
    if (!line.starts_with("name = \"")) continue;
    const std::string name = line.substr(8, line.size() - 9);
    EXPECT_TRUE(std::filesystem::exists("problems/benchmarks/" + name + ".toml")) << name;
    ++count;
  }
  EXPECT_EQ(count, benchmark_files().size());
}

}  // namespace
}  // namespace pecann
