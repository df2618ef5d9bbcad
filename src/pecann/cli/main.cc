#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "pecann/base/blas_kernel.h"
#include "pecann/base/communicator.h"
#include "pecann/base/input_error.h"
#include "pecann/base/reason.h"
#include "pecann/base/require.h"
#include "pecann/base/small_limits.h"
#include "pecann/cli/commands.h"
#include "pecann/cli/help_text.h"
#include "pecann/cli/option_checks.h"
#include "pecann/cli/terminal.h"
#include "pecann/mpi/ranks.h"
#include "pecann/version.h"

namespace {

[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = pecann::meet_small_limits;

/// Says what is wrong and ends all ranks, for others may be waiting for this one. What is wrong on all of them is said
/// by the first one, which gets a second's lead.
int failed(const char* what, int exit_code) {
  const std::string message = pecann::shortened(what, 2 * pecann::kLongestPath);
  const pecann::Communicator& ranks = pecann::communicator();
  if (ranks.rank() > 0) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    std::fprintf(stderr, "pecann: rank %d: %s\n", ranks.rank(), message.c_str());
  } else {
    std::fprintf(stderr, "pecann: %s\n", message.c_str());
  }
  if (ranks.size() > 1) pecann::mpi::abort_all(exit_code);
  return exit_code;
}

/// `pecann help`, `pecann help run`, `pecann help lm`: the same as `pecann --help`, `pecann run --help`
/// and `pecann methods lm`.
std::vector<std::string> without_help(std::vector<std::string> words, const std::vector<std::string>& commands) {
  if (words.empty() || words[0] != "help") return words;
  if (words.size() == 1) return {"--help"};
  if (std::ranges::find(commands, words[1]) != commands.end()) return {words[1], "--help"};
  words[0] = "methods";
  return words;
}

int parse_and_run_words(int argc, char** argv) {
  CLI::App app("pecann: forward and inverse PDE problems solved by neural networks as constrained optimisation");
  app.set_version_flag("--version", pecann::version());
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  pecann::cli::Result result;
  pecann::cli::add_list_command(app, result);
  pecann::cli::add_show_command(app, result);
  pecann::cli::add_methods_command(app, result);
  pecann::cli::add_check_command(app, result);
  pecann::cli::add_run_command(app, result);
  pecann::cli::add_resume_command(app, result);
  pecann::cli::add_race_command(app, result);
  pecann::cli::add_predict_command(app, result);
  pecann::cli::add_estimate_command(app, result);
  pecann::cli::add_report_command(app, result);
  pecann::cli::add_export_command(app, result);
  pecann::cli::add_bench_command(app, result);
  pecann::cli::add_reproduce_command(app, result);
  pecann::cli::add_help_commands(app, result);
  std::vector<std::string> commands;
  for (CLI::App* command : app.get_subcommands({})) {
    commands.push_back(command->get_name());
    if (command->get_option_no_throw("--threads") != nullptr) pecann::cli::add_simd_option(*command);
    pecann::cli::refuse_empty_values(*command);
  }
  pecann::cli::add_examples(app);
  std::vector<std::string> words = without_help({argv + std::min(argc, 1), argv + argc}, commands);
  if (!words.empty() && !words[0].starts_with('-') && std::ranges::find(commands, words[0]) == commands.end()) {
    commands.emplace_back("help");
    std::fprintf(stderr, "pecann: %s: no such command; %s\n", pecann::shortened(words[0]).c_str(),
                 pecann::hint_for(words[0], commands).c_str());
    return 2;
  }
  app.name("pecann");
  std::ranges::reverse(words);  // as CLI11 takes them
  try {
    app.parse(words);
  } catch (const CLI::ExtrasError&) {
    pecann::cli::say(stderr, pecann::cli::unknown_words_text(app, app.remaining(true)) + "\n");
    return 2;
  } catch (const CLI::ParseError& error) {
    std::ostringstream output, errors;
    if (app.exit(error, output, errors) == 0) {  // --help, --version
      pecann::cli::say(stdout, pecann::cli::wrapped_help(output.str()));
      return 0;
    }
    pecann::cli::say(stderr, pecann::cli::mistaken_words_text(app, error) + "\n");
    return 2;
  }
  return result.exit_code;
}

int parse_and_run(int argc, char** argv) try {
  return parse_and_run_words(argc, argv);
} catch (const pecann::InputError& error) {
  return failed(error.what(), 2);
} catch (const pecann::ContractError& error) {  // a bug: whoever looks for it wants the process as it is
  failed(error.what(), 1);
  std::abort();
} catch (const std::exception& error) {
  return failed(pecann::reason_of(error).c_str(), 1);
}

}  // namespace

int main(int argc, char** argv) {
  using pecann::cli::after_output;
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is an error of write, not a death
  // A training goes on when whoever read its progress goes away. (Other commands end, such as `pecann list | head`.)
  for (const std::string_view command : {"run", "resume", "race", "reproduce"})
    if (argc > 1 && argv[1] == command) std::signal(SIGPIPE, SIG_IGN);
  pecann::ensure_blas_kernel(argv);
  const std::unique_ptr<pecann::Communicator> world = pecann::mpi::join();
  if (!world) {
    if (!pecann::mpi::started_by_launcher()) return after_output(parse_and_run(argc, argv));
    std::fprintf(stderr,
                 "pecann: started as one of several processes, but this program is built without MPI; "
                 "see docs/scaling.md for a build with it\n");
    return 2;
  }
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command != "run" && command != "resume" && command != "reproduce")  // other commands are for one process alone
    return world->rank() > 0 ? 0 : after_output(parse_and_run(argc, argv));
  const pecann::UseCommunicator use(*world);
  return after_output(parse_and_run(argc, argv));
}
