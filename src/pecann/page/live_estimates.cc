#include "pecann/page/live_estimates.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "pecann/base/communicator.h"
#include "pecann/base/parallel.h"
#include "pecann/base/reason.h"
#include "pecann/estimate/estimate.h"
#include "pecann/page/page_data.h"
#include "pecann/results/run.h"

namespace pecann::page {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLookAgain = 1;  // seconds, where there is nothing new

double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

double EstimateBudget::wait(double cost, double elapsed) const {
  return std::max(0.0, (cost - allowed(elapsed)) / kShareOfEstimates);
}

std::string estimate_to_come(double cost, double wait) {
  const std::string dear = fmt::format("an estimate takes about {:.2g} s of a processor", cost);
  if (cost > kLongestEstimate) return dear + ", which is too much beside the training; it follows at the end";
  return fmt::format("{}; it is made in about {:.0f} s, so that the training is hardly slowed", dear, std::ceil(wait));
}

LiveEstimates::LiveEstimates(std::string run_folder) : folder_(std::move(run_folder)), thread_([this] { work(); }) {}

LiveEstimates::~LiveEstimates() {
  end();
  thread_.join();
}

void LiveEstimates::ask() {
  {
    const std::lock_guard lock(mutex_);
    wanted_ = true;
  }
  wake_.notify_all();
}

void LiveEstimates::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  wake_.notify_all();
}

void LiveEstimates::follow(const std::string& run_folder) {
  const std::lock_guard lock(mutex_);
  folder_ = run_folder;
  known_.clear();
  note_.clear();
}

double LiveEstimates::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void LiveEstimates::work() {
  set_own_thread_count(1);
  const UseCommunicator alone(serial_communicator());  // ranks that train do not take part
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ended_ || wanted_; });
    if (ended_) return;
    wanted_ = false;
    const std::string folder = folder_;
    lock.unlock();
    double rest = kLookAgain;
    try {
      rest = make(folder);
    } catch (const std::exception&) {
      // No checkpoint yet, or a file that is being replaced: the next look will do.
    }
    lock.lock();
    wake_.wait_for(lock, std::chrono::duration<double>(rest), [this] { return ended_; });
  }
}

double LiveEstimates::make(const std::string& folder) {
  const double start = processor_seconds();
  const results::Run run = results::open_run(folder);
  if (run.trials.empty() || run.summary) return kLookAgain;
  const int trial = run.trials.back();  // the one that was begun last
  const train::Snapshot snapshot = train::load_snapshot(run.problem, run.folder, trial);
  {
    const std::lock_guard lock(mutex_);
    const bool same =
        !known_.empty() && known_.back().epochs == snapshot.epochs && known_.back().estimate.trial == trial;
    if (snapshot.epochs == 0 || same) return kLookAgain;
  }
  const double cost = estimate::likely_seconds(run.problem, snapshot.solution);
  const double wait = budget_.wait(cost, elapsed());
  if (cost > kLongestEstimate || wait > 0) {
    budget_.spend(processor_seconds() - start);
    const std::lock_guard lock(mutex_);
    if (folder == folder_ && known_.empty()) note_ = estimate_to_come(cost, wait);
    return std::clamp(wait, kLookAgain, kBetweenEstimates);
  }
  Known known{snapshot.epochs, {}};
  try {
    const double most = std::min(kLongestEstimate, budget_.allowed(elapsed()));
    known.estimate = estimate::estimate_error(run.problem, snapshot.solution, train::trial_seed(run.problem, trial),
                                              {.trial = trial, .most_seconds = most})
                         .summary();
    known.estimate.maps.clear();
  } catch (const std::exception& error) {
    known.estimate = {.trial = trial, .decided = reason_of(error)};
  }
  budget_.spend(processor_seconds() - start);
  const std::lock_guard lock(mutex_);
  if (folder != folder_) return kLookAgain;
  note_.clear();
  if (!known_.empty() && known_.back().estimate.trial != trial) known_.clear();
  if (known_.size() >= kMostEstimates)
    for (std::size_t i = 1; i < known_.size(); ++i) known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(i));
  known_.push_back(std::move(known));
  return kBetweenEstimates;
}

Json LiveEstimates::json() const {
  const std::lock_guard lock(mutex_);
  if (known_.empty()) return {{"note", note_}};
  Json series = Json::array();
  for (const Known& known : known_) {
    Json fields = Json::array();
    for (const results::FieldEstimate& field : known.estimate.fields)
      fields.push_back({{"field", field.field}, {"relative_l2", field.relative_l2}, {"trusted", field.trusted}});
    series.push_back({{"epoch", known.epochs}, {"fields", std::move(fields)}});
  }
  const Known& last = known_.back();
  return {{"trial", last.estimate.trial},
          {"epoch", last.epochs},
          {"estimate", estimate_json(last.estimate)},
          {"series", std::move(series)}};
}

}  // namespace pecann::page
