#include "pecann/cli/help_text.h"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pecann/base/input_error.h"

namespace pecann::cli {
namespace {

constexpr std::size_t kOptionColumn = 28;

/// By command, one line each.
const std::map<std::string, std::vector<std::string>>& examples() {
  static const std::map<std::string, std::vector<std::string>> kExamples = {
      {"list", {"pecann list"}},
      {"show", {"pecann show gallery/robin > mine.toml"}},
      {"methods", {"pecann methods", "pecann methods lm"}},
      {"check", {"pecann check mine.toml"}},
      {"run",
       {"pecann run gallery/robin", "pecann run mine.toml --seconds 60 --trials 3",
        "pecann run mine.toml --set phase.1.epochs=500 --out runs/short",
        "pecann run mine.toml --accuracy 1e-4 --live"}},
      {"resume", {"pecann resume runs/mine", "pecann resume runs/mine --set phase.1.epochs=9000"}},
      {"race", {"pecann race helmholtz-1-4 --recipes auto,adam,lm --seconds 20 --trials 3"}},
      {"predict", {"pecann predict runs/mine --grid 101,101 -o field.vti"}},
      {"estimate", {"pecann estimate runs/mine"}},
      {"export", {"pecann export runs/mine --header u.hpp"}},
      {"bench", {"pecann bench", "pecann bench helmholtz-1-4 --training"}},
      {"reproduce", {"pecann reproduce --list", "pecann reproduce burgers --budget quick"}},
      {"report", {"pecann report runs/mine", "pecann report runs/a runs/b -o comparison.html"}},
      {"completion", {"pecann completion bash > ~/.local/share/bash-completion/completions/pecann"}},
      {"man", {"pecann man > ~/.local/share/man/man1/pecann.1"}}};
  return kExamples;
}

/// Options that people expect and that are keys of the problem file.
std::optional<std::string> key_for(const std::string& option) {
  static const std::map<std::string, std::string> kKeys = {
      {"epochs", "phase.1.epochs=N"},         {"learning-rate", "phase.1.learning_rate=X"},
      {"lr", "phase.1.learning_rate=X"},      {"optimizer", "phase.1.optimizer=lm"},
      {"strategy", "penalty.strategy=capu"},  {"hidden", "network.1.hidden=[20,20]"},
      {"layers", "network.1.hidden=[20,20]"}, {"activation", "network.1.activation=sin"},
      {"points", "term.1.points={sobol=500}"}};
  const auto found = kKeys.find(option);
  return found == kKeys.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// Text for a quoted word of a shell: without the quotes and backticks that would end it.
std::string quotable(std::string text) {
  std::erase_if(text, [](char c) {
    return c == '\'' || c == '`' || c == '"' || c == '$' || c == '\\' || c == '[' || c == ']' || c == ':';
  });
  return text;
}

/// Text for roff: no line begins with a request, hyphens stay.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else if ((c == '.' || c == '\'') && (result.empty() || result.back() == '\n'))
      result += std::string("\\&") + c;
    else
      result += c;
  }
  return result;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

/// For zsh's own way of completing; read from a file `_pecann` of its path or by `source`.
std::string zsh_completion(const CLI::App& app, const std::string& headline) {
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += fmt::format("    '{}:{}'\n", command->get_name(), quotable(command->get_description()));
    cases += fmt::format("    {}) options=({}) ;;\n", command->get_name(), joined_names(long_options(*command)));
  }
  return "#compdef pecann\n" + headline + "_pecann() {\n  local -a commands options problems\n  commands=(\n" +
         commands + "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] in\n" +
         cases +
         "  esac\n"
         "  if [[ $words[CURRENT] == -* ]]; then compadd -- $options; return; fi\n"
         "  case $words[2] in\n"
         "    run|show|check|race)\n"
         "      problems=(${(f)\"$(pecann list 2>/dev/null | sed '/^$/,$d; s/ .*//')\"})\n"
         "      compadd -- $problems ;;\n"
         "  esac\n"
         "  _files\n"
         "}\n"
         "if [[ $funcstack[1] == _pecann ]]; then _pecann \"$@\"; else compdef _pecann pecann; fi\n";
}

}  // namespace

void add_examples(CLI::App& app) {
  app.footer(
      "Examples:\n  pecann list                       what there is to solve\n"
      "  pecann run gallery/robin          a first training, with a page at its end\n"
      "  pecann show gallery/robin > mine.toml\n"
      "  pecann run mine.toml --live       a problem of one's own, watched in a browser\n"
      "  pecann help run                   options of a command\n");
  for (CLI::App* command : app.get_subcommands({})) {
    command->get_formatter()->column_width(kOptionColumn);
    const auto found = examples().find(command->get_name());
    if (found == examples().end()) continue;
    std::string text = "Examples:\n";
    for (const std::string& line : found->second) text += "  " + line + "\n";
    const std::string before = command->get_footer();
    command->footer(before.empty() ? text : before + "\n" + text);
  }
}

std::string wrapped_help(const std::string& text) {
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    // The text of an option begins after two spaces or more.
    const std::size_t first = line.find_first_not_of(' ');
    std::size_t indent = first == std::string::npos ? 0 : first;
    if (indent > 0) {
      if (const std::size_t gap = line.find("  ", indent); gap != std::string::npos)
        indent = std::min(line.find_first_not_of(' ', gap), kHelpWidth / 2);
      else if (line[indent] == '-')
        indent = kOptionColumn;  // its name fills its column
    }
    while (line.size() > kHelpWidth) {
      const std::size_t space = line.rfind(' ', kHelpWidth);
      if (space == std::string::npos || space <= indent) break;
      result += line.substr(0, line.find_last_not_of(' ', space) + 1) + "\n";
      line = std::string(indent, ' ') + line.substr(space + 1);
    }
    result += line + "\n";
  }
  return result;
}

std::string mistaken_words_text(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const std::string name = parsed.empty() ? "pecann" : "pecann " + parsed.front()->get_name();
  std::string what = error.what();
  // CLI11 says "--seed: 1 required UINT missing" and "Could not convert: --seed = x".
  const std::string convert = "Could not convert: ";
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && what.ends_with(" missing"))
    what = what.substr(0, what.find(':')) + ": its value is missing; write it behind the option";
  else if (what.starts_with(convert))
    what = what.substr(convert.size()) + ": is not the kind of value that it takes";
  return fmt::format("{}: {}{} see `{} --help`", name, shortened(what, 300), what.find(';') == what.npos ? ";" : ",",
                     name);
}

std::string unknown_words_text(const CLI::App& app, const std::vector<std::string>& words) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  const CLI::App& command = parsed.empty() ? app : *parsed.front();
  const std::string name = parsed.empty() ? "pecann" : "pecann " + command.get_name();
  const auto option =
      std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-') && word.size() > 1; });
  if (option == words.end())
    return fmt::format("{}: {}: one argument too many; see `{} --help`", name,
                       shortened(words.empty() ? "" : words.front()), name);
  const std::string given = option->substr(0, option->find('='));
  const std::string bare = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  const std::vector<std::string> known = long_options(command);
  if (const std::optional<std::string> key = key_for(bare); key && std::ranges::find(known, "--set") != known.end())
    return fmt::format("{}: {}: no such option; it is a key of the problem: --set {}", name, given, *key);
  const std::optional<std::string> near = nearest_name(given, known);
  return fmt::format("{}: {}: no such option; {}`{} --help` lists them", name, shortened(given),
                     near ? fmt::format("did you mean '{}'? ", *near) : "", name);
}

std::string completion_text(const CLI::App& app, std::string_view shell) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  std::string text = fmt::format("# {} completion of pecann, made by `pecann completion {}`\n", shell, shell);
  if (shell == "zsh") return zsh_completion(app, text);
  if (shell == "fish") {
    for (const CLI::App* command : app.get_subcommands({})) {
      text += fmt::format("complete -c pecann -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                          quotable(command->get_description()));
      for (const CLI::Option* option : command->get_options())
        for (const std::string& name : option->get_lnames())
          text += fmt::format("complete -c pecann -n '__fish_seen_subcommand_from {}' -l {} -d '{}'\n",
                              command->get_name(), name, quotable(option->get_description()));
    }
    return text +
           "complete -c pecann -n '__fish_seen_subcommand_from run show check race' -a '(pecann list | string match -r "
           "\"^\\S+(?=  )\")'\n";
  }
  text += "_pecann() {\n  local word=${COMP_WORDS[COMP_CWORD]} options=\n";
  text += fmt::format(
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then COMPREPLY=($(compgen -W '{} help --help --version' -- \"$word\")); return; "
      "fi\n",
      joined_names(commands));
  text += "  case ${COMP_WORDS[1]} in\n";
  for (const CLI::App* command : app.get_subcommands({}))
    text += fmt::format("    {}) options='{}' ;;\n", command->get_name(), joined_names(long_options(*command)));
  text +=
      "  esac\n"
      "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); return; fi\n"
      "  COMPREPLY=($(compgen -f -- \"$word\"))\n"
      "  case ${COMP_WORDS[1]} in\n"
      "    run|show|check|race) COMPREPLY+=($(compgen -W \"$(pecann list 2>/dev/null | sed '/^$/,$d; s/ .*//')\" -- "
      "\"$word\")) ;;\n"
      "  esac\n"
      "}\n"
      "complete -o filenames -F _pecann pecann\n";
  return text;
}

std::string manual_page(const CLI::App& app) {
  std::string text =
      ".TH PECANN 1\n.SH NAME\npecann \\- solve partial differential equations with neural networks\n.SH SYNOPSIS\n.B "
      "pecann\n.I command\n[options]\n.SH DESCRIPTION\n" +
      roff(app.get_description()) + "\n.SH COMMANDS\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    text += fmt::format(".SS pecann {}\n{}.\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::Option* option : command->get_options())
      text += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(true, true)), roff(option->get_description()));
    if (const auto found = examples().find(command->get_name()); found != examples().end()) {
      text += ".PP\n.nf\n";
      for (const std::string& line : found->second) text += roff(line) + "\n";
      text += ".fi\n";
    }
  }
  return text +
         ".SH EXIT STATUS\n0: done; 1: ended without reaching what was asked; 2: bad input; 3: \\-\\-strict and a "
         "verdict that is doubtful or bad.\n";
}

}  // namespace pecann::cli
