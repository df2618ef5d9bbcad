#include "pecann/base/near_file.h"

#include <gtest/gtest.h>

#include "pecann/base/text_file.h"
#include "support/temporary_folder.h"

namespace pecann {
namespace {

TEST(NearFile, NamesTheFileThatIsMeant) {
  const test::TemporaryFolder folder;
  write_text_file(folder / "plate.toml", "");
  write_text_file(folder / "sensors.csv", "");
  EXPECT_EQ(hint_for_file(folder / "plte.toml"), "did you mean '" + (folder / "plate.toml") + "'?");
  EXPECT_EQ(hint_for_file(folder / "sensor.csv"), "did you mean '" + (folder / "sensors.csv") + "'?");
  EXPECT_EQ(hint_for_file(folder / "something else entirely"), "");
  EXPECT_EQ(hint_for_file(folder / "no/such.csv"), "there is no folder '" + (folder / "no") + "'");
}

}  // namespace
}  // namespace pecann
