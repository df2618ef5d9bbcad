#include "pecann/results/run_facts.h"

#include <fmt/chrono.h>

#include <chrono>
#include <fstream>

#include "pecann/base/parallel.h"

namespace pecann::results {
namespace {

/// The first "model name" that Linux gives; empty on other systems.
std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

RunFacts facts_of_this_machine() {
  RunFacts facts;
  facts.version = kVersion;
  facts.commit = kCommit;
  facts.cpu = cpu_model();
  facts.date =
      fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  facts.threads = thread_count();
  return facts;
}

std::string describe_machine(const RunFacts& facts) {
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  };
  add(facts.simd);
  if (facts.threads > 0) add(fmt::format("{} thread{}", facts.threads, facts.threads == 1 ? "" : "s"));
  add(facts.cpu);
  return text;
}

}  // namespace pecann::results
