// The token in the address of a live page, which only the user sees who began the run.
#pragma once

#include <string>
#include <string_view>

namespace pecann::page {

/// 128 random bits as text.
std::string random_token();

/// Takes the same time wherever the texts differ: who guesses learns nothing from how long an answer takes.
bool same_secret(std::string_view given, std::string_view secret);

}  // namespace pecann::page
