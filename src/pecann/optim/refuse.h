// Both functions throw the InputError of an option that an optimiser or schedule cannot work with.
#pragma once

#include <string>

namespace pecann::optim {

[[noreturn]] void refuse(std::string key, std::string value, std::string rule, std::string hint = "");
[[noreturn]] void refuse(std::string key, double value, std::string rule, std::string hint = "");

}  // namespace pecann::optim
