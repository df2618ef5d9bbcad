#include "pecann/base/reason.h"

#include <new>
#include <system_error>

namespace pecann {

std::string reason_of(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return "not enough memory";
  const auto* const system = dynamic_cast<const std::system_error*>(&error);
  if (system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
    return "the system gives no more threads: too many processes (ulimit -u, or the limit of a container)";
  return error.what();
}

}  // namespace pecann
