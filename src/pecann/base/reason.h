// Why something failed, in words for people: libraries say "std::bad_alloc" or "Resource temporarily unavailable".
#pragma once

#include <exception>
#include <string>

namespace pecann {

/// What is said of an exception; of memory and threads that the system does not give, what is missing.
std::string reason_of(const std::exception& error);

}  // namespace pecann
