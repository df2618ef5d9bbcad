#include "pecann/base/reason.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>
#include <system_error>

namespace pecann {
namespace {

TEST(Reason, OfMemoryAndThreadsSaysWhatIsMissing) {
  EXPECT_EQ(reason_of(std::bad_alloc()), "not enough memory");
  EXPECT_EQ(reason_of(std::bad_array_new_length()), "not enough memory");
  EXPECT_EQ(reason_of(std::system_error(EAGAIN, std::generic_category())),
            "the system gives no more threads: too many processes (ulimit -u, or the limit of a container)");
  EXPECT_EQ(reason_of(std::runtime_error("the disk is full")), "the disk is full");
}

}  // namespace
}  // namespace pecann
