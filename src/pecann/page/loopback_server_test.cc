#include "pecann/page/loopback_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

namespace pecann::page {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

int connected(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&place), sizeof place) == 0) return socket;
  ::close(socket);
  return -1;
}

std::string all_of(int socket) {
  std::string text;
  char block[4096];
  for (ssize_t got; (got = ::recv(socket, block, sizeof block, 0)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  ::close(socket);
  return text;
}

std::string answer_to(int port, const std::string& request) {
  const int socket = connected(port);
  if (socket < 0) return "no connection";
  ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
  return all_of(socket);
}

class LoopbackServerTest : public testing::Test {
 protected:
  LoopbackServerTest()
      : server_(0, [this](const LoopbackServer::Request& request) -> LoopbackServer::Answer {
          ++asked_;
          return {.body = std::make_shared<const std::string>((request.posts ? "posted " : "") + request.path + "|" +
                                                              request.query)};
        }) {}

  std::string get(const std::string& target) {
    return answer_to(server_.port(),
                     "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server_.port()) + "\r\n\r\n");
  }

  std::atomic<int> asked_{0};
  LoopbackServer server_;
};

TEST_F(LoopbackServerTest, GivesThePathAsItWasSent) {
  EXPECT_THAT(get("/a/../b%2e?c=d"),
              testing::AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), testing::EndsWith("\r\n\r\n/a/../b%2e|c=d")));
}

TEST_F(LoopbackServerTest, TheHostHeaderMayStandAnywhereInAnyCase) {
  const std::string port = std::to_string(server_.port());
  EXPECT_THAT(answer_to(server_.port(), "GET / HTTP/1.1\r\nAccept: x\r\nhOsT:  localhost:" + port + " \r\n\r\n"),
              StartsWith("HTTP/1.1 200"));
}

TEST_F(LoopbackServerTest, RefusesWhatIsNoRequestToIt) {
  const std::string host = "Host: 127.0.0.1:" + std::to_string(server_.port()) + "\r\n\r\n";
  EXPECT_THAT(answer_to(server_.port(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(answer_to(server_.port(), "GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(answer_to(server_.port(), "PUT / HTTP/1.1\r\n" + host), StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(answer_to(server_.port(), "nonsense\r\n" + host), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer_to(server_.port(), std::string("\0\1\2\r\n", 5) + host), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer_to(server_.port(), "GET /" + std::string(20'000, 'a')), StartsWith("HTTP/1.1 431"));
  EXPECT_EQ(asked_, 0);
  EXPECT_THAT(answer_to(server_.port(), "POST / HTTP/1.1\r\n" + host), testing::EndsWith("posted /|"));
}

TEST_F(LoopbackServerTest, SlowClientsDoNotKeepOthersWaiting) {
  std::vector<int> slow;
  for (int i = 0; i < 400; ++i) {
    slow.push_back(connected(server_.port()));
    ASSERT_GE(slow.back(), 0);
    if (i % 2 == 0) ::send(slow.back(), "GET / HT", 8, MSG_NOSIGNAL);  // and never the rest
  }
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(get("/x"), HasSubstr("/x|"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  for (const int socket : slow) ::close(socket);
}

TEST_F(LoopbackServerTest, ManyConnectionsDoNotTakeTheFilesOfTheRun) {
  std::vector<int> clients;
  for (int i = 0; i < 400; ++i) clients.push_back(connected(server_.port()));
  EXPECT_THAT(get("/x"), HasSubstr("/x|"));  // those before have been taken in
  int open = 0;
  for (int number = 0; number < 4096; ++number) open += ::fcntl(number, F_GETFD) != -1;
  EXPECT_LT(open, 400 + 256 + 40) << "400 of ours, at most 256 of the server, and what a test program has";
  for (const int socket : clients) ::close(socket);
}

TEST_F(LoopbackServerTest, AReaderThatStopsReadingIsLeftBehind) {
  LoopbackServer large(0, [](const LoopbackServer::Request&) -> LoopbackServer::Answer {
    return {.body = std::make_shared<const std::string>(50'000'000, 'x')};
  });
  const int socket = connected(large.port());
  const std::string request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(large.port()) + "\r\n\r\n";
  ::send(socket, request.data(), request.size(), MSG_NOSIGNAL);
  // Others are answered, and the server ends at once though the first has most of its answer to come.
  EXPECT_GT(answer_to(large.port(), request).size(), 50'000'000u);
  ::close(socket);
}

/// A process with few files that serves, and does `work` with the port's reader when it is told to. Its exit code.
class ServerWithFewFiles {
 public:
  explicit ServerWithFewFiles(int (*work)(int told)) {
    int port[2], told[2];
    EXPECT_EQ(::pipe(port) | ::pipe(told), 0);
    child_ = ::fork();
    if (child_ == 0) {
      ::close(told[1]);
      const rlimit few{64, 64};
      ::setrlimit(RLIMIT_NOFILE, &few);
      const LoopbackServer server(0, [](const LoopbackServer::Request&) -> LoopbackServer::Answer {
        return {.body = std::make_shared<const std::string>("here")};
      });
      const int number = server.port();
      if (::write(port[1], &number, sizeof number) != sizeof number) ::_exit(99);
      ::_exit(work(told[0]));
    }
    EXPECT_EQ(::read(port[0], &port_, sizeof port_), static_cast<ssize_t>(sizeof port_));
    for (const int number : {port[0], port[1], told[0]}) ::close(number);
    tell_ = told[1];
  }
  ~ServerWithFewFiles() { ::close(tell_); }
  int port() const { return port_; }
  void tell() { EXPECT_EQ(::write(tell_, "x", 1), 1); }
  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  std::string get() {
    return answer_to(port_, "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port_) + "\r\n\r\n");
  }

 private:
  pid_t child_ = -1;
  int port_ = 0, tell_ = -1;
};

/// Opens files until `most` are open or no more can be.
std::vector<int> opened_files(std::size_t most) {
  std::vector<int> files;
  while (files.size() < most) {
    files.push_back(::open("/dev/null", O_RDONLY));
    if (files.back() >= 0) continue;
    files.pop_back();
    break;
  }
  return files;
}

void wait_for_word(int told) {
  char word = 0;
  if (::read(told, &word, 1) != 1) ::_exit(98);
}

TEST(LoopbackServerFiles, ManyClientsOfAProcessWithFewFilesLeaveItEnough) {
  ServerWithFewFiles server([](int told) {
    wait_for_word(told);
    return static_cast<int>(opened_files(16).size());  // as a training opens them
  });
  std::vector<int> clients;
  for (int i = 0; i < 300; ++i) clients.push_back(connected(server.port()));
  EXPECT_THAT(server.get(), HasSubstr("here"));  // those before have been taken in
  server.tell();
  EXPECT_EQ(server.exit_code(), 16);
  for (const int socket : clients) ::close(socket);
}

TEST(LoopbackServerFiles, WithoutAFileLeftItWaitsAtRest) {
  ServerWithFewFiles server([](int told) {
    const std::vector<int> files = opened_files(1000);  // all that there are
    wait_for_word(told);
    const std::clock_t begin = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    const double busy = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    for (const int file : files) ::close(file);
    wait_for_word(told);
    return busy < 0.2 ? 0 : 1;
  });
  const int waiting = connected(server.port());  // by the kernel, not by the server
  const std::string request = "GET / HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) + "\r\n\r\n";
  ::send(waiting, request.data(), request.size(), MSG_NOSIGNAL);
  server.tell();
  EXPECT_THAT(all_of(waiting), HasSubstr("here")) << "answered when there are files again";
  server.tell();
  EXPECT_EQ(server.exit_code(), 0) << "it did not ask the kernel again and again";
}

TEST(LoopbackServerEnd, DoesNotWaitForAnybody) {
  const auto begin = std::chrono::steady_clock::now();
  int socket = -1;
  {
    LoopbackServer server(0, [](const LoopbackServer::Request&) -> LoopbackServer::Answer { return {}; });
    socket = connected(server.port());
    ::send(socket, "GET", 3, MSG_NOSIGNAL);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  ::close(socket);
}

}  // namespace
}  // namespace pecann::page
