#include "pecann/report/live_server.h"

#include <fmt/format.h>
#include <httplib.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "pecann/base/input_error.h"
#include "pecann/report/page.h"

namespace pecann::report {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kLoopback = "127.0.0.1";
constexpr std::chrono::duration<double> kShortestAge{1.0};
constexpr double kShareOfTime = 20;  // data are used for twenty times as long as it took to make them

/// What a browser sees before the first checkpoint of the run.
constexpr const char* kNothingYet = R"({"live": true, "runs": []})";

}  // namespace

struct LiveServer::State {
  std::string folder;
  int port = 0;
  httplib::Server server;
  std::thread thread;
  std::mutex mutex;  // of what follows
  std::string data;
  Clock::time_point good_until{};

  /// The run as its files are now, or as they were a moment ago.
  std::string present_data() {
    const std::lock_guard lock(mutex);
    const Clock::time_point begin = Clock::now();
    if (begin < good_until) return data;
    try {
      const RunReport report = gather_report(folder);
      data = page_data(std::span(&report, 1), Mode::Live,
                       {.history_numbers = 100'000, .field_numbers = 200'000});
    } catch (const InputError&) {  // no checkpoint yet, or one that is being replaced
      if (data.empty()) return kNothingYet;
    }
    const std::chrono::duration<double> cost = Clock::now() - begin;
    good_until = Clock::now() +
                 std::chrono::duration_cast<Clock::duration>(std::max(kShortestAge, kShareOfTime * cost));
    return data;
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
    response.set_content(page_with(state.present_data()), "text/html; charset=utf-8");
  });
  state.server.Get("/data.json", [&state](const httplib::Request&, httplib::Response& response) {
    response.set_content(state.present_data(), "application/json");
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
  state.thread = std::thread([&state] { state.server.listen_after_bind(); });
  while (!state.server.is_running()) std::this_thread::yield();  // stop() before that would be lost
}

LiveServer::~LiveServer() {
  state_->server.stop();
  state_->thread.join();
}

int LiveServer::port() const { return state_->port; }

std::string LiveServer::address() const { return fmt::format("http://{}:{}/", kLoopback, state_->port); }

}  // namespace pecann::report
