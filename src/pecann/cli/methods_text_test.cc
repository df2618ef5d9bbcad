#include "pecann/cli/methods_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pecann/base/input_error.h"
#include "pecann/optim/registry.h"
#include "pecann/penalty/registry.h"

namespace pecann::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(MethodsTextTest, EveryRowAndEveryOptionIsThere) {
  const std::string all = methods_text("");
  for (const std::string& kind : method_kinds()) EXPECT_THAT(all, HasSubstr(methods_text(kind)));
  for (const optim::OptimizerRow& row : optim::optimizer_table()) {
    EXPECT_THAT(all, HasSubstr(row.suits));
    for (const OptionDescription& option : row.options) EXPECT_THAT(methods_text(row.name), HasSubstr(option.text));
  }
  for (const penalty::PenaltyOption& option : penalty::penalty_options())
    EXPECT_THAT(methods_text("strategies"), HasSubstr(option.description.text));
}

TEST(MethodsTextTest, OneMethodAloneWithItsOwnOptions) {
  const std::string adam = methods_text("adam");
  EXPECT_THAT(adam, HasSubstr("beta1"));
  EXPECT_THAT(adam, Not(HasSubstr("lbfgs")));
  EXPECT_THAT(methods_text("cpu"), HasSubstr("penalty_max"));
  EXPECT_THAT(methods_text("cpu"), Not(HasSubstr("zeta")));
}

TEST(MethodsTextTest, AnUnknownWordGetsTheNearest) {
  try {
    methods_text("adm");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'adam'"));
  }
}

}  // namespace
}  // namespace pecann::cli
