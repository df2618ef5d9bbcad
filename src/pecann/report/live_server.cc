#include "pecann/report/live_server.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <thread>

#include "pecann/base/input_error.h"
#include "pecann/base/parallel.h"
#include "pecann/report/history_follower.h"
#include "pecann/report/loopback_server.h"
#include "pecann/report/page.h"

namespace pecann::report {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::chrono::duration<double> kShortestAge{0.5};
// What was made is used so many times as long as it took. The threads have the lowest priority, too.
constexpr double kShareOfHistories = 20, kShareOfSolution = 50;
constexpr std::size_t kHistoryNumbers = 100'000, kFieldNumbers = 200'000;
// Rows of histories that are kept in memory: of all trials together, and of one however many there are.
constexpr std::size_t kMostRows = 8192, kFewestRows = 512;

/// What a browser sees before the first checkpoint of the run.
constexpr const char* kNothingYet = R"({"live": true, "runs": []})";

Clock::duration age(std::chrono::duration<double> cost, double share) {
  return std::chrono::duration_cast<Clock::duration>(std::max(kShortestAge, share * cost));
}

}  // namespace

/// Histories are followed with every request (again after half a second); residuals and fields, which
/// evaluate the networks, are made by a thread of their own, so that the page goes on while they take their
/// time.
struct LiveServer::State {
  std::string folder;
  std::thread solution_thread;

  std::mutex mutex;  // of what follows
  std::condition_variable wake;
  bool stopping = false, wanted = false;  // wanted: somebody has looked since the last solution
  Json solution = {{"version", 0}};
  std::vector<TermResidual> residuals;
  std::string residual_note;
  std::map<int, HistoryFollower> followers;  // by trial
  using Text = std::shared_ptr<const std::string>;
  Text data, short_data;  // with the solution, and with nothing but its version
  Text page;              // with the data; null until somebody asks for it
  int data_version = -1;
  Clock::time_point good_until{};
  std::optional<LoopbackServer> server;  // last: its thread uses all of the above

  int version() const { return solution["version"]; }

  /// The run as its files are now, or as they were a moment ago; without the solution where the browser has
  /// it.
  Text present_data(int have) {
    const std::lock_guard lock(mutex);
    refresh();
    return have == data_version ? short_data : data;
  }

  Text present_page() {
    const std::lock_guard lock(mutex);
    refresh();
    if (!page) page = std::make_shared<const std::string>(page_with(*data));
    return page;
  }

  std::vector<HistoryTable> present_histories(const std::vector<int>& trials) {
    std::vector<HistoryTable> histories;
    for (const int trial : trials) {
      const auto [at, fresh] =
          followers.try_emplace(trial, train::trial_folder(folder, trial) + "/history.csv",
                                std::max<std::size_t>(kFewestRows, kMostRows / trials.size()));
      histories.push_back(at->second.update());
    }
    return histories;
  }

  void refresh() {
    wanted = true;
    wake.notify_all();
    const Clock::time_point begin = Clock::now();
    if (begin < good_until && data_version == version()) return;
    try {
      RunReport report = open_report(folder);
      add_histories(report, present_histories(report.run.trials));
      report.residuals = residuals;
      report.residual_note = residual_note;
      report.verdict = verdict_of(report.run.problem, report.trials, report.residuals, report.histories);
      const Json only_version = {{"version", version()}};
      data = std::make_shared<const std::string>(
          page_data({&report, 1}, {&solution, 1}, Mode::Live, kHistoryNumbers));
      short_data = std::make_shared<const std::string>(
          page_data({&report, 1}, {&only_version, 1}, Mode::Live, kHistoryNumbers));
      data_version = version();
      page.reset();
    } catch (const std::exception&) {  // no checkpoint yet, or a file that is being replaced
      if (!data) data = short_data = std::make_shared<const std::string>(kNothingYet);
    }
    good_until = Clock::now() + age(Clock::now() - begin, kShareOfHistories);
  }

  void make_solutions() {
    lower_priority_of_this_thread();
    set_own_thread_count(1);
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [this] { return stopping || wanted; });
      if (stopping) return;
      wanted = false;
      lock.unlock();
      const Clock::time_point begin = Clock::now();
      std::optional<RunReport> report;
      Json made;
      try {
        report = open_report(folder);
        add_residuals(*report);
        made = solution_data(*report, kFieldNumbers);
      } catch (const std::exception&) {  // as above; the next one will do
        report.reset();
      }
      const Clock::duration cost = Clock::now() - begin;
      lock.lock();
      if (report) {
        made["version"] = version() + 1;
        solution = std::move(made);
        residuals = std::move(report->residuals);
        residual_note = std::move(report->residual_note);
      }
      wake.wait_for(lock, age(cost, kShareOfSolution), [this] { return stopping; });
      if (stopping) return;
    }
  }
};

LiveServer::LiveServer(const std::string& run_folder, int port) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.folder = run_folder;
  try {
    state.server.emplace(
        port, [&state](const std::string& path, const std::string& query) -> LoopbackServer::Answer {
          if (path == "/") return {.type = "text/html; charset=utf-8", .body = state.present_page()};
          if (path != "/data.json")
            return {.status = 404, .body = std::make_shared<const std::string>("There is no such page.\n")};
          constexpr std::string_view kHave = "have=";
          int version = -1;
          if (query.starts_with(kHave))
            std::from_chars(query.data() + kHave.size(), query.data() + query.size(), version);
          return {.type = "application/json", .body = state.present_data(version)};
        });
  } catch (const std::system_error& error) {
    throw InputError({.place = {.file = "command line"},
                      .key = "--live",
                      .value = std::to_string(port),
                      .rule = std::string("the port cannot be used: ") + error.code().message(),
                      .hint = "leave the port out to get one that is free"});
  }
  state.solution_thread = std::thread([&state] { state.make_solutions(); });
}

LiveServer::~LiveServer() {
  state_->server.reset();
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->solution_thread.join();
}

int LiveServer::port() const { return state_->server->port(); }

std::string LiveServer::address() const { return fmt::format("http://127.0.0.1:{}/", port()); }

}  // namespace pecann::report
