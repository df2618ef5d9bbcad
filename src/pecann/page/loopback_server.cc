#include "pecann/page/loopback_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "pecann/base/reason.h"

namespace pecann::page {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostConnections = 256;          // a quarter of the files that a process may usually have open
constexpr std::size_t kFilesOfTheRun = 32;             // that connections leave to the rest of the program
constexpr std::size_t kLongestRequest = 16'384;        // bytes
constexpr std::chrono::seconds kDeadline{10};          // for the request, and again for taking a piece of the answer
constexpr std::chrono::milliseconds kAcceptRest{200};  // before the next connection is taken where one could not be

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor& operator=(Descriptor&&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Internal Server Error";
  }
}

LoopbackServer::Answer refusal(int status, std::string text) {
  return {.status = status, .body = std::make_shared<const std::string>(std::move(text))};
}

/// The value of a header, without blanks around it; names do not care for case.
std::string header_value(const std::string& request, const std::string& name) {
  for (std::size_t at = request.find("\r\n"); at != std::string::npos; at = request.find("\r\n", at + 2)) {
    const std::size_t begin = at + 2, end = std::min(request.find("\r\n", begin), request.size());
    const std::string line = request.substr(begin, end - begin);
    if (line.size() <= name.size() || line[name.size()] != ':') continue;
    if (!std::equal(name.begin(), name.end(), line.begin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); }))
      continue;
    const std::size_t first = line.find_first_not_of(" \t", name.size() + 1);
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of(" \t") - first + 1);
  }
  return "";
}

/// At most half of the files that this process may have open, and kFilesOfTheRun less than all.
std::size_t most_connections() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kMostConnections;
  const std::size_t files = static_cast<std::size_t>(limit.rlim_cur);
  const std::size_t left = files > kFilesOfTheRun ? files - kFilesOfTheRun : 0;
  return std::clamp<std::size_t>(std::min(left, files / 2), 1, kMostConnections);
}

void lower_priority_of_this_thread() {
  // On Linux the number of a thread stands for that thread alone. Where this fails, the thread keeps its priority.
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), 19);
}

}  // namespace

bool host_is_ours(const std::string& host, int port) {
  return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
}

class LoopbackServer::Loop {
 public:
  Loop(int port, Handler handler);
  ~Loop();
  int port() const { return port_; }

 private:
  struct Connection {
    explicit Connection(int number) : socket(number) {}
    ~Connection() {
      if (over) over();
    }
    Descriptor socket;
    std::string request, head;
    std::shared_ptr<const std::string> body;  // null: the request is not complete
    std::function<void()> over;               // of the answer
    std::size_t sent = 0;
    Clock::time_point deadline = Clock::now() + kDeadline;
  };

  void run();
  void accept_all();
  void drop_one();
  /// Reads or writes what is ready; false when the connection is over.
  bool serve(Connection& connection);
  bool read_request(Connection& connection);
  bool send_answer(Connection& connection);
  void answer(Connection& connection, Answer given);
  Answer answer_to(const std::string& request);

  Handler handler_;
  Descriptor listener_, wake_;
  int port_ = 0;
  std::list<Connection> connections_;  // the oldest first
  const std::size_t most_ = most_connections();
  Clock::time_point rests_until_{};  // nobody is taken in before
  std::thread thread_;
};

LoopbackServer::Loop::Loop(int port, Handler handler)
    : handler_(std::move(handler)),
      listener_(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)),
      wake_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (listener_.get() < 0 || wake_.get() < 0) fail("socket");
  const int yes = 1;
  ::setsockopt(listener_.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<std::uint16_t>(port));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof place;
  if (::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0) fail("bind");
  if (::listen(listener_.get(), 64) != 0) fail("listen");
  if (::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&place), &length) != 0) fail("getsockname");
  port_ = ntohs(place.sin_port);
  thread_ = std::thread([this] { run(); });
}

LoopbackServer::Loop::~Loop() {
  const std::uint64_t one = 1;
  while (::write(wake_.get(), &one, sizeof one) < 0 && errno == EINTR) continue;
  thread_.join();
}

void LoopbackServer::Loop::run() {
  lower_priority_of_this_thread();
  std::vector<pollfd> ready;
  while (true) {
    const Clock::time_point now = Clock::now();
    const bool resting = now < rests_until_;
    ready = {{wake_.get(), POLLIN, 0}, {listener_.get(), static_cast<short>(resting ? 0 : POLLIN), 0}};
    int wait = -1;  // milliseconds; for ever
    const auto wake_at = [&](Clock::time_point time) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(time - now).count() + 1;
      wait = static_cast<int>(std::clamp<long>(left, 0, wait < 0 ? kDeadline.count() * 1000 : wait));
    };
    if (resting) wake_at(rests_until_);
    for (const Connection& connection : connections_) {
      ready.push_back({connection.socket.get(), static_cast<short>(connection.body ? POLLOUT : POLLIN), 0});
      wake_at(connection.deadline);
    }
    if (::poll(ready.data(), ready.size(), wait) < 0 && errno != EINTR) return;
    if (ready[0].revents != 0) return;
    const Clock::time_point begin = Clock::now();
    std::size_t i = 2;
    for (auto at = connections_.begin(); at != connections_.end(); ++i) {
      const bool over = (ready[i].revents != 0 && !serve(*at)) || begin >= at->deadline;
      at = over ? connections_.erase(at) : std::next(at);
    }
    // The time that a client waits for us does not count.
    const Clock::duration busy = Clock::now() - begin;
    for (Connection& connection : connections_) connection.deadline += busy;
    if (ready[1].revents != 0) accept_all();
  }
}

void LoopbackServer::Loop::accept_all() {
  for (int i = 0; i < 16; ++i) {  // then the others have their turn again
    const int socket = ::accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) {
      if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
      // The process or the machine has no file or memory left: the run needs what there is. The client stays in the
      // queue, which poll would report at once and again.
      if (!connections_.empty()) drop_one();
      rests_until_ = Clock::now() + kAcceptRest;
      return;
    }
    if (connections_.size() >= most_) drop_one();
    connections_.emplace_back(socket);
  }
}

/// Closes the oldest connection that has not asked yet; those that are being answered are in order.
void LoopbackServer::Loop::drop_one() {
  const auto silent =
      std::find_if(connections_.begin(), connections_.end(), [](const Connection& c) { return !c.body; });
  connections_.erase(silent == connections_.end() ? connections_.begin() : silent);
}

bool LoopbackServer::Loop::serve(Connection& connection) {
  return connection.body ? send_answer(connection) : read_request(connection);
}

bool LoopbackServer::Loop::read_request(Connection& connection) {
  char block[4096];
  const ssize_t got = ::recv(connection.socket.get(), block, sizeof block, 0);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  connection.request.append(block, static_cast<std::size_t>(got));
  const std::size_t end = connection.request.find("\r\n\r\n");
  if (end != std::string::npos) {
    answer(connection, answer_to(connection.request.substr(0, end + 2)));
  } else if (connection.request.size() > kLongestRequest) {
    answer(connection, refusal(431, "The request is too long.\n"));
  }
  return true;
}

LoopbackServer::Answer LoopbackServer::Loop::answer_to(const std::string& request) {
  if (!host_is_ours(header_value(request, "host"), port_))
    return refusal(403, "This server answers to 127.0.0.1 and localhost only.\n");
  const std::string line = request.substr(0, request.find("\r\n"));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string::npos || last == first || line.compare(last, 6, " HTTP/") != 0)
    return refusal(400, "Not HTTP.\n");
  const std::string method = line.substr(0, first);
  if (method != "GET" && method != "POST") return refusal(405, "GET or POST only.\n");
  const std::string target = line.substr(first + 1, last - first - 1);
  const std::size_t question = std::min(target.find('?'), target.size());
  try {
    return handler_({.posts = method == "POST",
                     .path = target.substr(0, question),
                     .query = target.substr(std::min(question + 1, target.size()))});
  } catch (const std::exception& error) {
    return refusal(500, reason_of(error) + "\n");
  }
}

void LoopbackServer::Loop::answer(Connection& connection, Answer given) {
  connection.request.clear();
  connection.head = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: "
      "no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\r\n",
      given.status, reason(given.status), given.type, given.body->size());
  connection.body = std::move(given.body);
  connection.over = std::move(given.over);
  connection.deadline = Clock::now() + kDeadline;
}

bool LoopbackServer::Loop::send_answer(Connection& connection) {
  const bool in_head = connection.sent < connection.head.size();
  const std::string& text = in_head ? connection.head : *connection.body;
  const std::size_t at = in_head ? connection.sent : connection.sent - connection.head.size();
  const ssize_t gone = ::send(connection.socket.get(), text.data() + at, text.size() - at, MSG_NOSIGNAL);
  if (gone < 0) return errno == EAGAIN || errno == EINTR;
  connection.sent += static_cast<std::size_t>(gone);
  connection.deadline = Clock::now() + kDeadline;
  if (connection.sent < connection.head.size() + connection.body->size()) return true;
  // What the client may still be sending is read before the socket is closed, or the answer could be lost to a reset.
  ::shutdown(connection.socket.get(), SHUT_WR);
  char rest[4096];
  for (int i = 0; i < 16 && ::recv(connection.socket.get(), rest, sizeof rest, 0) > 0; ++i) continue;
  return false;
}

LoopbackServer::LoopbackServer(int port, Handler handler) : loop_(std::make_unique<Loop>(port, std::move(handler))) {}
LoopbackServer::~LoopbackServer() = default;
int LoopbackServer::port() const { return loop_->port(); }

}  // namespace pecann::page
