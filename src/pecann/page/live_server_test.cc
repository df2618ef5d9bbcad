#include "pecann/page/live_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <tuple>

#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/text_file.h"
#include "pecann/estimate/estimate.h"
#include "pecann/results/sample_runs.h"
#include "support/resident_memory.h"

namespace pecann::page {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

int connected(const char* address, int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, address, &place.sin_addr);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return socket;
  ::close(socket);
  return -1;
}

/// What comes from a connection until it is closed.
std::string rest_of(int socket) {
  std::string text, block(1 << 16, '\0');
  for (ssize_t got; (got = ::recv(socket, block.data(), block.size(), 0)) > 0;)
    text.append(block, 0, static_cast<std::size_t>(got));
  ::close(socket);
  return text;
}

/// The whole answer to a request, headers included.
std::string answer(int port, const std::string& path, const std::string& host, const std::string& method = "GET") {
  const int socket = connected("127.0.0.1", port);
  if (socket < 0) return "no connection";
  const std::string request = method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
  EXPECT_EQ(::send(socket, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  return rest_of(socket);
}

/// "?token=…", of the server's address.
std::string token_of(const LiveServer& server) { return server.address().substr(server.address().find('?')); }

TEST(LiveServerTest, ServesThePageAndTheDataOfTheRun) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  const std::string page = answer(server.port(), "/" + token_of(server), host);
  EXPECT_THAT(page, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(page, HasSubstr("\"live\":true"));
  EXPECT_THAT(page, HasSubstr("Poisson on an interval"));
  EXPECT_THAT(answer(server.port(), "/data.json" + token_of(server), "localhost:" + std::to_string(server.port())),
              HasSubstr("\"history\""));
  EXPECT_EQ(server.address(), "http://" + host + "/" + token_of(server));
}

TEST(LiveServerTest, SendsTheSolutionOnceAndTheHistoryEveryTime) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  std::string data;
  for (int i = 0; i < 600 && data.find("\"version\":1") == std::string::npos; ++i) {
    data = answer(server.port(), "/data.json" + token_of(server) + "&have=0", host);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(data, HasSubstr("\"prediction\""));
  const std::string again = answer(server.port(), "/data.json" + token_of(server) + "&have=1", host);
  EXPECT_THAT(again, HasSubstr("\"history\""));
  EXPECT_THAT(again, testing::Not(HasSubstr("\"prediction\"")));
}

TEST(LiveServerTest, TellsBrowsersThatTheRunHasEnded) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  const std::string token = token_of(server);
  EXPECT_THAT(answer(server.port(), "/data.json" + token, host), testing::Not(HasSubstr("\"report\"")));
  EXPECT_THAT(answer(server.port(), "/report" + token, host), StartsWith("HTTP/1.1 404"));
  write_text_file(folder / "run/report.html", "<p>the report</p>");
  std::string last, report;
  std::thread browser([&] {
    for (int i = 0; i < 200 && last.find("\"report\"") == std::string::npos; ++i) {
      last = answer(server.port(), "/data.json" + token, host);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    report = answer(server.port(), "/report" + token, host);
  });
  server.finish(folder / "run/report.html");
  browser.join();
  EXPECT_THAT(last, HasSubstr("\"report\":\"" + (folder / "run/report.html") + "\""));
  EXPECT_THAT(report, HasSubstr("<p>the report</p>"));
}

TEST(LiveServerTest, WaitsLongerForABrowserThatIsSlow) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port()), token = token_of(server);
  write_text_file(folder / "run/report.html", "<p>the report</p>");
  const auto wait = [](double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); };
  std::ignore = answer(server.port(), "/data.json" + token, host);
  wait(3);  // a machine that is busy
  std::ignore = answer(server.port(), "/data.json" + token, host);
  wait(4.5);
  std::string last, report;
  std::thread browser([&] {
    wait(0.5);
    last = answer(server.port(), "/data.json" + token, host);
    report = answer(server.port(), "/report" + token, host);
  });
  server.finish(folder / "run/report.html");
  browser.join();
  EXPECT_THAT(last, HasSubstr("\"report\""));
  EXPECT_THAT(report, HasSubstr("<p>the report</p>"));
}

TEST(LiveServerTest, StaysUntilTheReportIsSentToItsEnd) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  std::optional<LiveServer> server(folder / "run");
  const int port = server->port();
  const std::string host = "127.0.0.1:" + std::to_string(port), token = token_of(*server);
  const std::string whole(30'000'000, 'x');  // more than fits between the two ends of a connection
  write_text_file(folder / "run/report.html", whole);
  std::ignore = answer(port, "/data.json" + token, host);
  std::string report;
  std::thread browser([&] {
    for (std::string last; last.find("\"report\"") == std::string::npos;)
      last = answer(port, "/data.json" + token, host);
    const int socket = connected("127.0.0.1", port);
    const std::string request = "GET /report" + token + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    EXPECT_EQ(::send(socket, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    std::this_thread::sleep_for(std::chrono::seconds(2));  // a machine that is busy
    report = rest_of(socket);
  });
  server->finish(folder / "run/report.html");
  server.reset();
  browser.join();
  EXPECT_TRUE(report.ends_with("\r\n\r\n" + whole)) << report.size() << " bytes";
}

TEST(LiveServerTest, DoesNotWaitWhereNobodyLooks) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  LiveServer server(folder / "run");
  const auto begin = std::chrono::steady_clock::now();
  server.finish("/somewhere/report.html");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST(LiveServerTest, ServesNothingElse) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  for (const char* path :
       {"/problem.toml", "/../problem.toml", "/run/summary.json", "/data.json/", "/%2e%2e/etc/passwd"})
    EXPECT_THAT(answer(server.port(), path + token_of(server), host), StartsWith("HTTP/1.1 404")) << path;
}

TEST(LiveServerTest, AnswersNobodyWithoutItsToken) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  std::atomic<bool> stopped = false;
  const LiveServer server(folder / "run", {.stop = [&] { stopped = true; }});
  const LiveServer another(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port()), token = token_of(server);
  ASSERT_EQ(token.size(), std::string("?token=").size() + 32);
  std::string wrong = token;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  for (const std::string& query : {std::string(), std::string("?"), std::string("?token="), wrong, token + "0",
                                   token.substr(0, token.size() - 1), token_of(another), "?have=0&x" + token.substr(1)})
    for (const std::string path : {"/", "/data.json", "/report", "/stop", "/nothing"})
      for (const char* method : {"GET", "POST"}) {
        const std::string refused = answer(server.port(), path + query, host, method);
        EXPECT_THAT(refused, StartsWith("HTTP/1.1 403")) << method << path << query;
        EXPECT_THAT(refused, testing::Not(HasSubstr("Poisson")));
        EXPECT_THAT(refused, testing::Not(HasSubstr(token.substr(7))));
      }
  EXPECT_FALSE(stopped);
  EXPECT_THAT(answer(server.port(), "/data.json?have=0&" + token.substr(1), host), StartsWith("HTTP/1.1 200"));
}

TEST(LiveServerTest, StopsTheRunWhenItIsAskedInEarnest) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  std::atomic<int> stops = 0;
  const LiveServer server(folder / "run", {.stop = [&] { ++stops; }});
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  EXPECT_THAT(answer(server.port(), "/stop" + token_of(server), host), StartsWith("HTTP/1.1 405")) << "a link";
  EXPECT_EQ(stops, 0);
  EXPECT_THAT(answer(server.port(), "/stop" + token_of(server), host, "POST"), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(stops, 1);
}

TEST(LiveServerTest, RefusesOtherNamesForThisMachine) {
  const results::TemporaryFolder folder;
  results::make_run(folder / "run", results::kPoissonText);
  const LiveServer server(folder / "run");
  for (const std::string& host :
       {std::string("evil.example:") + std::to_string(server.port()), std::string("127.0.0.1"), std::string()})
    EXPECT_THAT(answer(server.port(), "/data.json" + token_of(server), host), StartsWith("HTTP/1.1 403")) << host;
}

TEST(LiveServerTest, WaitsForARunThatHasNoCheckpointYet) {
  const results::TemporaryFolder folder;
  const LiveServer server(folder / "not-yet");
  EXPECT_THAT(answer(server.port(), "/data.json" + token_of(server), "127.0.0.1:" + std::to_string(server.port())),
              HasSubstr("\"runs\":[]"));
}

/// Waits until this process has used no processor for a while.
void wait_for_rest() {
  const auto used = [] { return std::clock() / (CLOCKS_PER_SEC / 1000); };
  for (auto before = used() - 1000; used() - before > 2;) {
    before = used();
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  }
}

TEST(LiveServerTest, KeepsNoMemoryOfWhatItMadeTextsFrom) {
  if (!test::kOwnAllocator) GTEST_SKIP() << "a sanitizer keeps what was freed, by its nature";
  const results::TemporaryFolder folder;
  std::string problem = results::kPoissonText;
  problem.replace(problem.find("grid = [101]"), 12, "grid = [40001]");  // a solution of many numbers
  results::make_run(folder / "run", problem);
  const LiveServer server(folder / "run");
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  EXPECT_THAT(answer(server.port(), "/data.json" + token_of(server), host), HasSubstr("\"history\""));
  wait_for_rest();
  const double before = test::resident_memory();
  return_freed_memory();
  EXPECT_LT(before - test::resident_memory(), 1e6) << "could be given back";
}

TEST(LiveServerTest, ATakenPortIsRefused) {
  const results::TemporaryFolder folder;
  const LiveServer first(folder / "run");
  EXPECT_THROW(LiveServer(folder / "run", {.port = first.port()}), InputError);
}

/// The data of the page, asked for until they hold a text or ten seconds have passed.
std::string data_with(const LiveServer& server, const std::string& text) {
  const std::string host = "127.0.0.1:" + std::to_string(server.port());
  std::string data;
  for (int i = 0; i < 200 && data.find(text) == std::string::npos; ++i) {
    data = answer(server.port(), "/data.json" + token_of(server), host);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return data;
}

/// A run that has begun and has no summary, as while it trains.
void begin_run(const results::TemporaryFolder& folder, const std::string& name, const std::string& title = "") {
  results::make_run(folder / name, title + results::kPoissonText);
  std::filesystem::remove(train::RunFolder(folder / name).summary_file());
}

TEST(LiveServerTest, EstimatesTheErrorOfARunThatTrains) {
  const results::TemporaryFolder folder;
  begin_run(folder, "run");
  const LiveServer server(folder / "run", {.estimates = true});
  const std::string data = data_with(server, "\"series\"");
  const auto json = nlohmann::ordered_json::parse(data.substr(data.find("\r\n\r\n") + 4));
  const auto& known = json["runs"][0]["so_far"];
  EXPECT_EQ(known["epoch"], 30);
  const auto& field = known["estimate"]["fields"][0];
  EXPECT_EQ(field["field"], "u");
  EXPECT_TRUE(field["trusted"]);
  // The same estimate as after the run.
  const problem::Problem problem = problem::read_problem(results::kPoissonText, "sample");
  const train::Solution solution = train::load_solution(problem, train::RunFolder(folder / "run"), 1);
  EXPECT_EQ(field["relative_l2"].get<double>(),
            estimate::estimate_error(problem, solution, problem.seed).summary().fields[0].relative_l2);
}

TEST(LiveServerTest, EstimatesNothingUnlessAsked) {
  const results::TemporaryFolder folder;
  begin_run(folder, "run");
  const LiveServer server(folder / "run");
  EXPECT_THAT(data_with(server, "\"version\":1"), testing::Not(HasSubstr("so_far")));
}

TEST(LiveServerTest, GoesOnWithTheNextAttemptAndTellsWhy) {
  const results::TemporaryFolder folder;
  begin_run(folder, "second");
  LiveServer server(folder / "first");
  server.tell("attempt 1: features");
  EXPECT_THAT(data_with(server, "attempt 1: features"), HasSubstr("\"runs\":[]"));
  server.follow(folder / "second");
  server.tell("attempt 2: a network");
  const std::string data = data_with(server, "attempt 2: a network");
  EXPECT_THAT(data, HasSubstr("second"));
  EXPECT_THAT(data, HasSubstr("Poisson on an interval"));
}

TEST(LiveServerTest, IsGoneWhenItEnds) {
  const results::TemporaryFolder folder;
  int port = 0;
  {
    const LiveServer server(folder / "run");
    port = server.port();
  }
  EXPECT_LT(connected("127.0.0.1", port), 0);
}

}  // namespace
}  // namespace pecann::page
