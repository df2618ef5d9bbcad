#include <algorithm>

#include "pecann/problem/recommended.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

/// schedule = "plateau" or schedule = { kind = "plateau", factor = 0.98, patience = 100 }
ScheduleSpec read_schedule(const Item& item) {
  static const std::vector<std::string> kKinds = {"constant", "plateau", "step", "cosine"};
  ScheduleSpec schedule;
  if (!item.is_table()) {
    schedule.kind = item.word(kKinds);
    if (schedule.kind == "step") schedule.factor = 0.9;
    return schedule;
  }
  Section section = item.table();
  schedule.kind = section.require("kind", "constant, plateau, step or cosine").word(kKinds);
  if (schedule.kind == "step") schedule.factor = 0.9;
  if (schedule.kind == "plateau" || schedule.kind == "step") {
    section.read("factor", schedule.factor, {.low = 0, .high = 1, .open_low = true});
  }
  if (schedule.kind == "plateau") section.read("patience", schedule.patience, {.low = 0});
  if (schedule.kind == "step") section.read("every", schedule.every, {.low = 1});
  section.finish();
  return schedule;
}

void require_constant(const Item& item, const std::string& name, const Problem& problem) {
  if (problem.constants.contains(name)) return;
  std::vector<std::string> known;
  for (const auto& [other, value] : problem.constants) known.push_back(other);
  item.refuse("'" + shortened(name) + "' is no constant", hint_for(name, known));
}

/// What a phase says beside its optimiser.
PhaseSpec read_phase(Section& section, const Problem& problem) {
  static const std::vector<std::string> kOptimizers = {"auto", "adam", "lbfgs", "ssbroyden", "bfgs", "lm"};
  PhaseSpec phase;
  phase.optimizer = section.require("optimizer", "as in optimizer = \"adam\"").word(kOptimizers);
  const bool chosen_by_us = phase.optimizer == "auto";
  phase.learning_rate = phase.optimizer == "adam" ? 1e-3 : 1;
  if (chosen_by_us) {
    phase.epochs = 0;
    section.read("epochs", phase.epochs, {.low = 1});
    for (const char* key : {"learning_rate", "schedule", "mode", "options"})
      if (const auto item = section.find(key)) item->refuse("optimizer = \"auto\" chooses this itself");
  } else {
    phase.epochs = section.require("epochs", "how many epochs the phase lasts").integer({.low = 1});
    section.read("learning_rate", phase.learning_rate, kPositive);
    if (const auto schedule = section.find("schedule")) phase.schedule = read_schedule(*schedule);
    if (const auto mode = section.find("mode")) {
      phase.mode = mode->word({"", "compatible"});
      if (!phase.mode.empty() && phase.optimizer != "lbfgs") mode->refuse("only lbfgs has a mode");
    }
    if (auto options = section.section("options")) {
      for (const auto& [name, value] : options->entries()) phase.options[name] = value.number();
    }
  }
  section.read("until", phase.until, {.low = 0, .high = 1, .open_low = true, .open_high = true});
  if (auto constants = section.section("constants")) {
    for (const auto& [name, value] : constants->entries()) {
      require_constant(value, name, problem);
      phase.constants[name] = value.number();
    }
  }
  return phase;
}

/// continue = { constant = "a", values = [2, 4, 6] }: the phase once for each value.
std::vector<PhaseSpec> read_continuation(Section& section, const PhaseSpec& phase, const Problem& problem) {
  auto table = section.section("continue");
  if (!table) return {phase};
  const Item constant = table->require("constant", "the name of a constant");
  const std::string name = constant.text();
  require_constant(constant, name, problem);
  if (phase.constants.contains(name)) constant.refuse("the phase's constants give '" + name + "' a value already");
  const Item list = table->require("values", "a list of the values it takes, one phase each");
  const std::vector<double> values = list.numbers();
  if (values.empty()) list.refuse("the list is empty");
  table->finish();
  std::vector<PhaseSpec> phases;
  for (const double value : values) {
    phases.push_back(phase);
    phases.back().constants[name] = value;
  }
  return phases;
}

}  // namespace

void read_phases(Section& root, Problem& problem) {
  const auto add = [&](PhaseSpec phase) {
    std::erase_if(phase.constants,
                  [&](const auto& entry) {  // a value that is the problem's own changes nothing
                    return entry.second == problem.constants.at(entry.first);
                  });
    if (phase.optimizer != "auto") {
      problem.phases.push_back(phase);
      return;
    }
    Recommendation recommended = recommended_training(problem);
    if (phase.epochs > 0) recommended = with_epochs(std::move(recommended), phase.epochs);
    problem.recommendation = recommended.reason;
    for (PhaseSpec& chosen : recommended.phases) {
      chosen.until = phase.until;
      chosen.constants = phase.constants;
      problem.phases.push_back(std::move(chosen));
    }
  };
  for (const Item& item : root.list_of_tables("phase")) {
    Section section = item.table();
    const PhaseSpec phase = read_phase(section, problem);
    for (const PhaseSpec& part : read_continuation(section, phase, problem)) add(part);
    section.finish();
  }
  if (problem.phases.empty()) add({.optimizer = "auto", .epochs = 0});
}

}  // namespace pecann::problem
