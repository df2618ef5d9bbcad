#include "pecann/results/dependencies.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pecann/base/checksum.h"
#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/read_file.h"
#include "pecann/problem/problem_file.h"
#include "pecann/results/json_numbers.h"

namespace pecann::results {
namespace {

using DependsJson = nlohmann::ordered_json;

constexpr double kLongestRecord = 1e7;

struct Dependencies {
  std::string version, simd, blas, problem;
  std::vector<train::RunInput> inputs;
};

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

/// The file that says what the run is: what was asked, where that is kept.
std::string defining_file(const train::RunFolder& folder) {
  return folder.has_asked_problem() ? folder.asked_file() : folder.problem_file();
}

std::string digest_of_problem(const train::RunFolder& folder) {
  return digest_text(checksum(train::read_run_file(defining_file(folder), problem::kLongestFile)));
}

std::optional<Dependencies> read_dependencies(const train::RunFolder& folder) {
  const std::string file = folder.depends_file();
  if (!train::run_file_exists(file)) return std::nullopt;
  const std::string text = train::read_run_file(file, kLongestRecord);
  try {
    const DependsJson json = DependsJson::parse(text);
    Dependencies known{json.at("version"), json.at("simd"), json.at("blas"), json.at("problem"), {}};
    for (const DependsJson& input : json.at("inputs"))
      known.inputs.push_back({input.at("name"), input.at("from"), whole<std::uint64_t>(input.at("bytes")),
                              std::stoull(input.at("digest").get<std::string>(), nullptr, 16)});
    return known;
  } catch (const std::exception&) {  // of the JSON, or of a digest
    throw InputError({.place = {.file = shortened(file, 200)},
                      .rule = "is no record of what a run depends on",
                      .hint = "remove it where you know that nothing has changed"});
  }
}

enum class Found { Same, Changed, Missing };

/// A file that has another length is not read.
Found compare_file(const std::string& path, const train::RunInput& input) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return Found::Missing;
  if (std::filesystem::file_size(path, unknown) != input.bytes) return Found::Changed;
  try {
    return checksum(read_file(path, available_memory() / 2)) == input.digest ? Found::Same : Found::Changed;
  } catch (const InputError&) {
    return Found::Missing;
  }
}

void add_changed_input(const train::RunFolder& folder, const train::RunInput& input,
                       std::vector<std::string>& changes) {
  const std::string copy = shortened(input.name), from = shortened(input.from, 200);
  const std::string of = input.from.empty() ? "" : ", the run's copy of " + from + ",";
  switch (compare_file(folder.path() + "/" + input.name, input)) {
    case Found::Changed:
      changes.push_back(copy + of + " was changed");
      return;
    case Found::Missing:
      changes.push_back(copy + of + " is missing");
      return;
    case Found::Same:
      break;
  }
  if (!input.from.empty() && compare_file(input.from, input) == Found::Changed)
    changes.push_back(from + " was changed; the run goes on with its copy, " + copy);
}

}  // namespace

void record_dependencies(const train::RunFolder& folder, const RunFacts& facts, std::vector<train::RunInput> inputs) {
  if (const std::optional<Dependencies> before = read_dependencies(folder))
    for (train::RunInput& input : inputs)
      for (const train::RunInput& known : before->inputs)
        if (input.from.empty() && input.name == known.name && compare_file(known.from, input) != Found::Changed)
          input.from = known.from;
  DependsJson json = {{"version", facts.version},
                      {"simd", facts.simd},
                      {"blas", facts.blas},
                      {"problem", digest_of_problem(folder)},
                      {"inputs", DependsJson::array()}};
  for (const train::RunInput& input : inputs)
    json["inputs"].push_back(
        {{"name", input.name}, {"from", input.from}, {"bytes", input.bytes}, {"digest", digest_text(input.digest)}});
  // A path that is no UTF-8 is not found again, which is as if the original had gone.
  train::write_run_file(folder.depends_file(), json.dump(1, ' ', false, DependsJson::error_handler_t::replace) + "\n",
                        Durable::Yes);
}

std::vector<std::string> changed_dependencies(const train::RunFolder& folder, const RunFacts& facts) {
  const std::optional<Dependencies> known = read_dependencies(folder);
  std::vector<std::string> changes;
  if (!known) return changes;
  if (digest_of_problem(folder) != known->problem)
    changes.push_back(std::filesystem::path(defining_file(folder)).filename().string() + " was changed");
  for (const train::RunInput& input : known->inputs) add_changed_input(folder, input, changes);
  const auto compare = [&](const char* what, const std::string& now, const std::string& then) {
    if (now != then) changes.push_back(fmt::format("{}: {} here, {} then", what, now, shortened(then)));
  };
  compare("program", facts.version, known->version);
  compare("vector instructions", facts.simd, known->simd);
  compare("dense algebra", facts.blas, known->blas);
  return changes;
}

}  // namespace pecann::results
