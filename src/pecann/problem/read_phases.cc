#include <algorithm>

#include "pecann/optim/registry.h"
#include "pecann/optim/schedule.h"
#include "pecann/problem/recommended.h"
#include "pecann/problem/sections.h"

namespace pecann::problem {
namespace {

/// Reads numbers by name, as a row describes them; a name that it does not know is refused with the nearest
/// that it does.
void read_options(Section& section, std::span<const OptionDescription> options, const std::string& owner,
                  std::map<std::string, double>& values) {
  for (const auto& [name, item] : section.entries()) {
    const OptionDescription* const option = find_option(options, name);
    if (option == nullptr) item.refuse("no such option of " + owner, option_hint(options, name));
    values[name] = item.number(option->limits);
  }
}

/// schedule = "plateau" or schedule = { kind = "plateau", factor = 0.98, patience = 100 }
ScheduleSpec read_schedule(const Item& item, double learning_rate) {
  ScheduleSpec schedule;
  if (item.is_table()) {
    Section section = item.table();
    std::string kinds;
    for (const std::string& name : optim::schedule_names()) kinds += (kinds.empty() ? "" : ", ") + name;
    schedule.kind = section.require("kind", "one of " + kinds).word(optim::schedule_names());
    for (const OptionDescription& option : optim::schedule_row(schedule.kind).options)
      if (const auto value = section.find(option.name)) schedule.options[option.name] = value->number(option.limits);
    section.finish();
  } else {
    schedule.kind = item.word(optim::schedule_names());
  }
  for (const OptionDescription& option : optim::schedule_row(schedule.kind).options)
    schedule.options.try_emplace(option.name, option.usual);
  try {
    optim::make_schedule({schedule.kind, schedule.options}, learning_rate);
  } catch (const InputError& error) {
    item.refuse(error.parts().key + " = " + error.parts().value + ": " + error.parts().rule, error.parts().hint);
  }
  return schedule;
}

void require_constant(const Item& item, const std::string& name, const Problem& problem) {
  if (problem.constants.contains(name)) return;
  std::vector<std::string> known;
  for (const auto& [other, value] : problem.constants) known.push_back(other);
  item.refuse("'" + shortened(name) + "' is no constant", hint_for(name, known));
}

std::string read_mode(const Item& item, const std::string& optimizer) {
  std::vector<std::string> modes;
  std::string with_modes;  // the optimisers that have modes
  for (const std::string& name : optim::optimizer_names()) {
    const std::vector<std::string> own = optim::optimizer_modes(name);
    modes.insert(modes.end(), own.begin(), own.end());
    if (!own.empty()) with_modes += (with_modes.empty() ? "" : ", ") + name;
  }
  modes.insert(modes.begin(), "");
  const std::string mode = item.word(modes);
  const std::vector<std::string> own = optim::optimizer_modes(optimizer);
  if (!mode.empty() && std::ranges::find(own, mode) == own.end()) item.refuse("only " + with_modes + " has a mode");
  return mode;
}

/// What a phase says beside its optimiser.
PhaseSpec read_phase(Section& section, const Problem& problem) {
  std::vector<std::string> words = optim::optimizer_names();
  words.insert(words.begin(), {kAuto, kTrain});
  PhaseSpec phase;
  phase.optimizer = section.require("optimizer", "as in optimizer = \"adam\"").word(words);
  if (phase.optimizer == kAuto || phase.optimizer == kTrain) {
    phase.epochs = 0;
    section.read("epochs", phase.epochs, {.low = 1});
    for (const char* key : {"learning_rate", "schedule", "mode", "options"})
      if (const auto item = section.find(key))
        item->refuse("optimizer = \"" + phase.optimizer + "\" chooses this itself");
  } else {
    phase.epochs = section.require("epochs", "how many epochs the phase lasts").integer({.low = 1});
    if (const auto mode = section.find("mode")) phase.mode = read_mode(*mode, phase.optimizer);
    const optim::OptimizerRow& row = optim::optimizer_row(phase.optimizer, phase.mode);
    phase.learning_rate = row.learning_rate;
    section.read("learning_rate", phase.learning_rate, kPositive);
    if (const auto schedule = section.find("schedule")) phase.schedule = read_schedule(*schedule, phase.learning_rate);
    if (auto options = section.section("options"))
      read_options(*options, row.options, "optimizer " + phase.optimizer, phase.options);
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
    if (phase.optimizer != kAuto && phase.optimizer != kTrain) {
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
  const std::vector<Item> items = root.list_of_tables("phase");
  for (const Item& item : items) {
    Section section = item.table();
    const PhaseSpec phase = read_phase(section, problem);
    problem.training_open = items.size() == 1 && phase.optimizer == kAuto && phase.epochs == 0 && !phase.until &&
                            phase.constants.empty() && !section.has("continue");
    for (const PhaseSpec& part : read_continuation(section, phase, problem)) add(part);
    section.finish();
  }
  if (!problem.phases.empty()) return;
  problem.training_open = true;
  add({.optimizer = kAuto, .epochs = 0});
}

}  // namespace pecann::problem
