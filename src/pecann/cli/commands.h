// The commands of the program. Each function declares the options of a command and what it calls.
#pragma once

#include <CLI/CLI.hpp>

namespace pecann::cli {

/// What a command returns: 0 done, 1 ended without reaching what was asked, 2 bad input.
struct Result {
  int exit_code = 0;
};

void add_list_command(CLI::App& app, Result& result);
void add_show_command(CLI::App& app, Result& result);
void add_methods_command(CLI::App& app, Result& result);
void add_run_command(CLI::App& app, Result& result);
void add_resume_command(CLI::App& app, Result& result);
void add_race_command(CLI::App& app, Result& result);
void add_check_command(CLI::App& app, Result& result);
void add_bench_command(CLI::App& app, Result& result);
void add_reproduce_command(CLI::App& app, Result& result);
void add_predict_command(CLI::App& app, Result& result);
void add_estimate_command(CLI::App& app, Result& result);
void add_report_command(CLI::App& app, Result& result);
void add_export_command(CLI::App& app, Result& result);
void add_help_commands(CLI::App& app, Result& result);  // completion, man

}  // namespace pecann::cli
