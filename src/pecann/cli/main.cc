#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "pecann/base/blas_kernel.h"
#include "pecann/base/input_error.h"
#include "pecann/cli/commands.h"
#include "pecann/version.h"

int main(int argc, char** argv) {
  pecann::ensure_blas_kernel(argv);
  CLI::App app("pecann: forward and inverse PDE problems solved by neural networks as constrained optimisation");
  app.set_version_flag("--version", pecann::version());
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  pecann::cli::Result result;
  pecann::cli::add_list_command(app, result);
  pecann::cli::add_show_command(app, result);
  pecann::cli::add_check_command(app, result);
  pecann::cli::add_run_command(app, result);
  pecann::cli::add_resume_command(app, result);
  pecann::cli::add_predict_command(app, result);
  pecann::cli::add_report_command(app, result);
  pecann::cli::add_export_command(app, result);
  pecann::cli::add_bench_command(app, result);
  pecann::cli::add_reproduce_command(app, result);
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(commands, argv[1]) == commands.end()) {
    std::fprintf(stderr, "pecann: %s: no such command; %s\n", argv[1], pecann::hint_for(argv[1], commands).c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const pecann::InputError& error) {
    std::fprintf(stderr, "pecann: %s\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "pecann: not enough memory\n");
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pecann: %s\n", error.what());
    return 1;
  }
  return result.exit_code;
}
