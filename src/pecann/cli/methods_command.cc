// pecann methods
#include <cstdio>
#include <memory>
#include <string>

#include "pecann/cli/commands.h"
#include "pecann/cli/methods_text.h"
#include "pecann/cli/terminal.h"

namespace pecann::cli {

void add_methods_command(CLI::App& app, Result&) {
  CLI::App* const command =
      app.add_subcommand("methods", "Optimisers, schedules, penalty strategies and activations with their options");
  auto name = std::make_shared<std::string>();
  std::string kinds;
  for (const std::string& kind : method_kinds()) kinds += kind + ", ";
  command->add_option("name", *name, kinds + "or one method such as adam; without it all");
  command->callback([name] { say(stdout, methods_text(*name)); });
}

}  // namespace pecann::cli
