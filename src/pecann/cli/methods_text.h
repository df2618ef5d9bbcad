// Optimisers, schedules, penalty strategies and activations as tables, from the rows that describe them. The tables are
// Markdown: `pecann methods` prints them, and the documents hold the same text (tests/docs_test.cc).
#pragma once

#include <string>
#include <vector>

namespace pecann::cli {

/// The kinds of methods: "optimisers", "schedules", "strategies", "activations".
std::vector<std::string> method_kinds();

/// The tables of a kind, or of one method by its name; "" for all kinds with their headings. Throws InputError with the
/// nearest known name for any other word.
std::string methods_text(const std::string& kind_or_name);

}  // namespace pecann::cli
