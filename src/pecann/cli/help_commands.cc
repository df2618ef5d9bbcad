// pecann completion, pecann man
#include <memory>

#include "pecann/cli/commands.h"
#include "pecann/cli/help_text.h"
#include "pecann/cli/terminal.h"

namespace pecann::cli {

void add_help_commands(CLI::App& app, Result&) {
  CLI::App* const completion =
      app.add_subcommand("completion", "Completion of commands, options and names for a shell");
  auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  completion->callback([shell, &app] { say(stdout, completion_text(app, *shell)); });
  CLI::App* const manual = app.add_subcommand("man", "The manual page, for man(1)");
  manual->callback([&app] { say(stdout, manual_page(app)); });
}

}  // namespace pecann::cli
