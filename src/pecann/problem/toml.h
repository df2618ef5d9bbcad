// toml++ as this module uses it: compiled once (toml.cc), errors as values.
//
// Its internal assertions are switched off in every build: some fail on malformed text ("[[["), which a debug build would
// turn into an abort and a clang release build into an assumption, while the parser behind them reports an error in order.
#pragma once

#define TOML_HEADER_ONLY 0
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(condition) static_cast<void>(0)
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
