#include "pecann/report/live_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "pecann/base/input_error.h"
#include "pecann/report/page.h"

namespace pecann::report {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::chrono::duration<double> kShortestAge{0.5};
constexpr double kShareOfHistories = 5, kShareOfSolution = 20;  // what was made is used so many times as long
constexpr std::size_t kHistoryNumbers = 100'000, kFieldNumbers = 200'000;

/// What a browser sees before the first checkpoint of the run.
constexpr const char* kNothingYet = R"({"live": true, "runs": []})";

Clock::duration age(std::chrono::duration<double> cost, double share) {
  return std::chrono::duration_cast<Clock::duration>(std::max(kShortestAge, share * cost));
}

}  // namespace

/// Histories are read for every request (again after half a second); residuals and fields, which evaluate the
/// networks, are made by a thread of their own, so that the page goes on while they take their time.
struct LiveServer::State {
  std::string folder;
  int port = 0;
  httplib::Server server;
  std::thread server_thread, solution_thread;

  std::mutex mutex;  // of what follows
  std::condition_variable wake;
  bool stopping = false, wanted = false;  // wanted: somebody has looked since the last solution
  Json solution = {{"version", 0}};
  std::vector<TermResidual> residuals;
  std::string residual_note;
  std::string data, short_data;  // with the solution, and with nothing but its version
  int data_version = -1;
  Clock::time_point good_until{};

  int version() const { return solution["version"]; }

  /// The run as its files are now, or as they were a moment ago; without the solution where the browser has
  /// it.
  std::string present_data(int have) {
    const std::lock_guard lock(mutex);
    wanted = true;
    wake.notify_all();
    const Clock::time_point begin = Clock::now();
    if (begin >= good_until || data_version != version()) {
      try {
        RunReport report = gather_histories(folder);
        report.residuals = residuals;
        report.residual_note = residual_note;
        report.verdict = verdict_of(report.run.problem, report.trials, report.residuals, report.histories);
        const Json only_version = {{"version", version()}};
        data = page_data({&report, 1}, {&solution, 1}, Mode::Live, kHistoryNumbers);
        short_data = page_data({&report, 1}, {&only_version, 1}, Mode::Live, kHistoryNumbers);
        data_version = version();
      } catch (const std::exception&) {  // no checkpoint yet, or a file that is being replaced
        if (data.empty()) return kNothingYet;
      }
      good_until = Clock::now() + age(Clock::now() - begin, kShareOfHistories);
    }
    return have == data_version ? short_data : data;
  }

  void make_solutions() {
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
        report = gather_report(folder);
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

bool host_is_ours(const std::string& host, int port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

LiveServer::LiveServer(const std::string& run_folder, int port) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.folder = run_folder;
  state.server.new_task_queue = [] { return new httplib::ThreadPool(2); };
  state.server.set_keep_alive_timeout(2);
  // The library's own options share a port between programs.
  state.server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  state.server.set_pre_routing_handler(
      [&state](const httplib::Request& request, httplib::Response& response) {
        if (host_is_ours(request.get_header_value("Host"), state.port))
          return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content("This server answers to 127.0.0.1 and localhost only.\n", "text/plain");
        return httplib::Server::HandlerResponse::Handled;
      });
  state.server.Get("/", [&state](const httplib::Request&, httplib::Response& response) {
    response.set_content(page_with(state.present_data(-1)), "text/html; charset=utf-8");
  });
  state.server.Get("/data.json", [&state](const httplib::Request& request, httplib::Response& response) {
    const std::string have = request.get_param_value("have");
    int version = -1;
    std::from_chars(have.data(), have.data() + have.size(), version);
    response.set_content(state.present_data(version), "application/json");
  });
  if (port == 0)
    state.port = state.server.bind_to_any_port(kLoopback);
  else
    state.port = state.server.bind_to_port(kLoopback, port) ? port : -1;
  if (state.port <= 0)
    throw InputError({.place = {.file = "command line"},
                      .key = "--live",
                      .value = std::to_string(port),
                      .rule = "the port cannot be used: another program has it",
                      .hint = "leave the port out to get one that is free"});
  state.server_thread = std::thread([&state] { state.server.listen_after_bind(); });
  state.solution_thread = std::thread([&state] { state.make_solutions(); });
  while (!state.server.is_running()) std::this_thread::yield();  // stop() before that would be lost
}

LiveServer::~LiveServer() {
  state_->server.stop();
  state_->server_thread.join();
  {
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
  }
  state_->wake.notify_all();
  state_->solution_thread.join();
}

int LiveServer::port() const { return state_->port; }

std::string LiveServer::address() const { return fmt::format("http://{}:{}/", kLoopback, state_->port); }

}  // namespace pecann::report
