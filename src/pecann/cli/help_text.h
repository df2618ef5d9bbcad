// What `--help`, completions and the manual page say, all from the declared commands and options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace pecann::cli {

inline constexpr std::size_t kHelpWidth = 80;

/// Gives every command its examples and all of them narrow columns.
void add_examples(CLI::App& app);

/// Lines of at most kHelpWidth columns: what is longer goes on below the text that it belongs to.
std::string wrapped_help(const std::string& text);

/// What to say of words that a command does not know: the first option among them with the nearest known one, or with
/// the key of a problem file that it is meant for.
std::string unknown_words_text(const CLI::App& app, const std::vector<std::string>& words);

/// What to say of words that a command knows and that are incomplete or out of range.
std::string mistaken_words_text(const CLI::App& app, const CLI::ParseError& error);

/// The text of a completion for "bash", "zsh" or "fish".
std::string completion_text(const CLI::App& app, std::string_view shell);

/// The manual page, for man(1).
std::string manual_page(const CLI::App& app);

}  // namespace pecann::cli
