// pecann list, pecann show
#include <cstdio>

#include "pecann/cli/commands.h"
#include "pecann/cli/terminal.h"
#include "pecann/problem/catalogue.h"

namespace pecann::cli {

void add_list_command(CLI::App& app, Result&) {
  CLI::App* const command = app.add_subcommand("list", "The catalogue: problems that `run` and `show` know by name");
  command->callback([] {
    std::size_t width = 0;
    for (const auto& entry : problem::catalogue()) width = std::max(width, entry.name.size());
    for (const auto& entry : problem::catalogue())
      std::printf("%-*s  %s\n", static_cast<int>(width), entry.name.c_str(), entry.title.c_str());
    std::printf("\nSee one with `pecann show NAME`, run one with `pecann run NAME`.\n");
  });
}

void add_show_command(CLI::App& app, Result&) {
  CLI::App* const command = app.add_subcommand("show", "A problem as the text file that it is, ready to copy and edit");
  auto name = std::make_shared<std::string>();
  command->add_option("problem", *name, "catalogue name or file")->required();
  command->callback([name] { say(stdout, problem::problem_text(*name)); });
}

}  // namespace pecann::cli
