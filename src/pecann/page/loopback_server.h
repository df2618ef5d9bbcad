// HTTP for one page and its data, for browsers on the same machine, beside a training that must not notice.
//
// One thread of the lowest priority serves all connections as they become ready, so that nobody waits for a
// slow client; a connection has one request, a deadline for all of it and for every piece of its answer, and little
// memory; of too many (256, or half of the files that the process may have open) the oldest one goes. (Libraries with
// a thread for each connection let slow clients hold the threads, and the end of the run with them.)
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace pecann::page {

class LoopbackServer {
 public:
  struct Answer {
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::shared_ptr<const std::string> body;  // shared: a page of megabytes is not copied for each reader
    std::function<void()> over = {};          // called when it has been sent, or its connection is closed
  };
  struct Request {
    bool posts = false;  // POST; else GET
    std::string path;    // as it was sent
    std::string query;   // what follows its '?'
  };
  /// Called by the server's thread.
  using Handler = std::function<Answer(const Request& request)>;

  /// Listens on 127.0.0.1; port 0 stands for one that is free. Throws std::system_error when it cannot listen.
  LoopbackServer(int port, Handler handler);
  /// Closes all connections at once.
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;

  int port() const;

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

/// True for the hosts 127.0.0.1 and localhost with this port. A web page elsewhere whose own name resolves to this
/// machine (DNS rebinding) makes the browser send another host.
bool host_is_ours(const std::string& host, int port);

}  // namespace pecann::page
