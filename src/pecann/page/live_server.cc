#include "pecann/page/live_server.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/parallel.h"
#include "pecann/base/read_file.h"
#include "pecann/base/require.h"
#include "pecann/page/farewell.h"
#include "pecann/page/history_follower.h"
#include "pecann/page/live_estimates.h"
#include "pecann/page/loopback_server.h"
#include "pecann/page/page.h"
#include "pecann/page/secret_token.h"

namespace pecann::page {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kShortestAge{500};
// What took some processor time to make is used for kRest times as long. There are two such things, histories and
// solution, so that the page takes less than half a hundredth of a processor: with the checkpoints that it asks for it
// stays below a hundredth of the training (tools/live_stress).
constexpr int kRest = 500;
constexpr std::chrono::seconds kPatience{2};  // how long the first request waits for the first data
// A browser that has not asked for so long is closed. On a busy machine pages need longer from one question to the
// next: one that did is given as much again.
constexpr std::chrono::seconds kFollowing{4}, kLongestFollowing{30};
constexpr double kLongestReport = 2e8;
constexpr std::size_t kHistoryNumbers = 100'000, kFieldNumbers = 200'000;
// Rows of histories that are kept in memory: of all trials together, and of one however many there are.
constexpr std::size_t kMostRows = 8192, kFewestRows = 512;
constexpr std::size_t kMostLines = 200;  // of the decisions of a search; the oldest go

/// The value of a key in "a=1&b=2"; "" where there is none.
std::string_view query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    if (pair.size() > key.size() && pair.starts_with(key) && pair[key.size()] == '=')
      return pair.substr(key.size() + 1);
  }
  return "";
}

LoopbackServer::Answer words(int status, std::string text) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text))};
}

/// Processor time of this thread.
std::chrono::nanoseconds thread_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// The time until which work that began at `begin` of the thread's time may be used.
Clock::time_point good_until(std::chrono::nanoseconds begin) {
  return Clock::now() + std::max<Clock::duration>(kShortestAge, kRest * (thread_time() - begin));
}

/// Joins the data of a page and its solution into one text. The members of the solution follow those of the only run,
/// so that its many numbers are written once and not with every history.
std::string with_solution(const std::string& data, const std::string& solution) {
  constexpr std::string_view kEnd = "}]}";
  require(data.ends_with(kEnd) && solution.starts_with('{') && solution.ends_with('}'), "texts of two objects");
  if (solution.size() == 2) return data;
  return data.substr(0, data.size() - kEnd.size()) + "," + solution.substr(1) + "]}";
}

}  // namespace

/// One thread makes the texts that the server sends: the server has the lowest priority and never waits for them
/// (but for the first), so that no client can slow the training, and a training on all processors does not keep the
/// page from being made.
struct LiveServer::State {
  using Text = std::shared_ptr<const std::string>;

  std::string token = random_token();
  std::function<void()> stop;

  // These belong to the thread that makes the texts.
  std::string folder;
  std::map<int, HistoryFollower> followers;  // by trial
  std::vector<results::TermResidual> residuals;
  std::string residual_note;
  std::string solution = "{}";  // JSON
  int solutions = 0;            // how many have been made
  std::string report_file;      // of the finished run; empty: it trains

  std::mutex mutex;  // guards what follows
  std::condition_variable wake, made;
  std::string next_folder;                // the one to follow
  std::vector<std::string> story;         // decisions of a search
  bool ended = false;                     // the data are those of the finished run
  Clock::time_point asked{};              // when a browser asked last
  Clock::duration between{};              // the longest time from a question to the next, of late
  Text whole_report;                      // null until the run has ended
  bool stopping = false, wanted = false;  // wanted: somebody has looked since the last texts
  Text data, short_data;                  // with the solution, and with nothing but its version
  Text page;                              // with the data; null until somebody asks for it
  int version = 0;                        // of the solution in data

  Farewell farewell;
  std::optional<LiveEstimates> estimates;
  std::thread maker;
  std::optional<LoopbackServer> server;  // last: its thread uses all of the above

  /// The present data, without the solution where the browser has it already.
  LoopbackServer::Answer present_data(int have) {
    std::unique_lock lock(mutex);
    ask(lock);
    return {.type = "application/json",
            .body = have == version ? short_data : data,
            .over = ended ? farewell.tells() : nullptr};
  }

  /// The report of the ended run; null before.
  Text present_report() {
    const std::lock_guard lock(mutex);
    return whole_report;
  }

  LoopbackServer::Answer answer(const LoopbackServer::Request& request);

  Text present_page() {
    std::unique_lock lock(mutex);
    ask(lock);
    if (!page) page = std::make_shared<const std::string>(page_with(*data));
    return page;
  }

  void ask(std::unique_lock<std::mutex>& lock) {
    wanted = true;
    const Clock::time_point now = Clock::now();
    // The longest time is forgotten by and by; a gap beyond kLongestFollowing is that of a page which was closed.
    if (asked != Clock::time_point{} && now - asked < kLongestFollowing)
      between = std::max<Clock::duration>(now - asked, between * 3 / 4);
    asked = now;
    wake.notify_all();
    if (estimates) estimates->ask();
    if (data) return;
    made.wait_for(lock, kPatience, [this] { return data || stopping; });
    if (!data) data = short_data = nothing_yet();
  }

  /// How long a browser that is there may stay silent.
  Clock::duration patience() const { return std::clamp<Clock::duration>(2 * between, kFollowing, kLongestFollowing); }

  /// What a browser sees before the first checkpoint of a run.
  Text nothing_yet() const {
    return std::make_shared<const std::string>(Json{{"live", true}, {"story", story}, {"runs", Json::array()}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
  }

  /// Forgets the run before where another one is to be followed, and shows what is known of the new one: nothing.
  /// True where there was one.
  bool follow_next() {
    const std::lock_guard lock(mutex);
    if (folder == next_folder) return false;
    folder = next_folder;
    followers.clear();
    residuals.clear();
    residual_note.clear();
    solution = "{}";
    version = ++solutions;
    if (data) data = short_data = nothing_yet();
    page.reset();
    return true;
  }

  /// Ends the thread that makes the texts.
  void stop_maker() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    if (maker.joinable()) maker.join();
  }

  void make_texts();
  Clock::time_point make_histories();
  Clock::time_point make_solution();
};

void LiveServer::State::make_texts() {
  set_own_thread_count(1);
  Clock::time_point solution_until{};
  std::unique_lock lock(mutex);
  while (true) {
    wake.wait(lock, [this] { return stopping || wanted; });
    if (stopping) return;
    wanted = false;
    lock.unlock();
    const std::chrono::nanoseconds begin = thread_time();
    Clock::time_point until;
    if (follow_next()) solution_until = {};
    try {
      until = make_histories();
      if (Clock::now() >= solution_until) solution_until = make_solution();
    } catch (const std::exception&) {
      // No checkpoint yet, or a file that is being replaced: the next will do, after the same rest.
      until = good_until(begin);
    }
    const std::chrono::nanoseconds made_at = thread_time();
    return_freed_memory();
    until = std::max(until, good_until(made_at));
    lock.lock();
    wake.wait_until(lock, until, [this] { return stopping || folder != next_folder; });
  }
}

Clock::time_point LiveServer::State::make_histories() {
  const std::chrono::nanoseconds begin = thread_time();
  verdict::RunReport report = verdict::open_report(folder);
  const std::vector<int>& trials = report.run.trials;
  std::vector<results::HistoryTable> histories;
  for (const int trial : trials) {
    const auto [follower, added] = followers.try_emplace(trial, report.run.folder.trial(trial).history_file(),
                                                         std::max(kFewestRows, kMostRows / trials.size()));
    histories.push_back(follower->second.update());
  }
  verdict::add_histories(report, std::move(histories));
  report.residuals = residuals;
  report.residual_note = residual_note;
  verdict::add_verdict(report);
  Json only_version = {{"version", solutions}};
  if (estimates && !report.run.summary) only_version["so_far"] = estimates->json();
  Json more = report_file.empty() ? Json::object() : Json{{"report", report_file}};
  {
    const std::lock_guard lock(mutex);
    if (!story.empty()) more["story"] = story;
  }
  const Text shorter = std::make_shared<const std::string>(
      page_data({&report, 1}, {&only_version, 1}, Mode::Live, kHistoryNumbers, more));
  const Text whole = std::make_shared<const std::string>(with_solution(*shorter, solution));
  {
    const std::lock_guard lock(mutex);
    data = whole;
    short_data = shorter;
    version = solutions;
    page.reset();
    ended = !report_file.empty();
  }
  made.notify_all();
  return good_until(begin);
}

Clock::time_point LiveServer::State::make_solution() {
  const std::chrono::nanoseconds begin = thread_time();
  verdict::RunReport report = verdict::open_report(folder);
  verdict::add_residuals(report);
  solution = solution_data(report, kFieldNumbers).dump(-1, ' ', false, Json::error_handler_t::replace);
  residuals = std::move(report.residuals);
  residual_note = std::move(report.residual_note);
  ++solutions;
  return good_until(begin);
}

LoopbackServer::Answer LiveServer::State::answer(const LoopbackServer::Request& request) {
  if (!same_secret(query_value(request.query, "token"), token))
    return words(403,
                 "This page is for the user who began the run: its whole address, with the token, is in the "
                 "terminal of the run.\n");
  const std::string& path = request.path;
  if (path == "/stop") {
    if (!request.posts) return words(405, "POST only.\n");
    stop();
    return words(200, "The run ends after its epoch.\n");
  }
  if (request.posts) return words(405, "GET only.\n");
  if (path == "/") return {.type = "text/html; charset=utf-8", .body = present_page()};
  if (path == "/data.json") {
    const std::string_view have = query_value(request.query, "have");
    int known = -1;
    std::from_chars(have.data(), have.data() + have.size(), known);
    return present_data(known);
  }
  if (path == "/report")
    if (Text whole = present_report())
      return {.type = "text/html; charset=utf-8", .body = std::move(whole), .over = farewell.gives()};
  return words(404, "There is no such page.\n");
}

LiveServer::LiveServer(const std::string& run_folder, Options options) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.folder = state.next_folder = run_folder;
  state.stop = std::move(options.stop);
  if (options.estimates) state.estimates.emplace(run_folder);
  try {
    state.server.emplace(options.port,
                         [&state](const LoopbackServer::Request& request) { return state.answer(request); });
  } catch (const std::system_error& error) {
    throw InputError({.place = {.file = "command line"},
                      .key = "--live",
                      .value = std::to_string(options.port),
                      .rule = std::string("the port cannot be used: ") + error.code().message(),
                      .hint = "leave the port out to get one that is free"});
  }
  state.maker = std::thread([&state] { state.make_texts(); });
}

void LiveServer::follow(const std::string& run_folder) {
  State& state = *state_;
  if (state.estimates) state.estimates->follow(run_folder);
  {
    const std::lock_guard lock(state.mutex);
    state.next_folder = run_folder;
  }
  state.wake.notify_all();
}

void LiveServer::tell(const std::string& line) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  state.story.push_back(line);
  if (state.story.size() > kMostLines) state.story.erase(state.story.begin());
}

void LiveServer::training_ended() {
  if (state_->estimates) state_->estimates->end();
}

void LiveServer::finish(const std::string& report_file) {
  State& state = *state_;
  {
    const std::lock_guard lock(state.mutex);
    if (Clock::now() - state.asked > state.patience()) return;  // nobody looks
  }
  state.stop_maker();
  state.follow_next();
  state.report_file = report_file;
  try {
    const auto report = std::make_shared<const std::string>(read_file(report_file, kLongestReport));
    {
      const std::lock_guard lock(state.mutex);
      state.whole_report = report;  // first: a browser that is told of the end asks for it at once
    }
    state.make_solution();
    state.make_histories();
  } catch (const std::exception&) {  // the last texts stay
    return;
  }
  std::unique_lock lock(state.mutex);
  const Clock::duration patience = state.patience();
  lock.unlock();
  state.farewell.wait(patience, kLongestFollowing);
}

LiveServer::~LiveServer() {
  state_->server.reset();
  state_->stop_maker();
}

int LiveServer::port() const { return state_->server->port(); }

std::string LiveServer::address() const { return fmt::format("http://127.0.0.1:{}/?token={}", port(), state_->token); }

}  // namespace pecann::page
