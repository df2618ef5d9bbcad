// `pecann run --live`: the report of a run that is training, for a browser on the same machine.
//
// The server listens on the loopback interface only, serves this run's page and data and nothing else, and
// answers only requests that name it by 127.0.0.1 or localhost: a web page elsewhere that makes a browser
// look up its own name here (DNS rebinding) is refused.
#pragma once

#include <memory>
#include <string>

namespace pecann::report {

class LiveServer {
 public:
  /// Port 0: one that is free. Throws InputError when the port is taken.
  explicit LiveServer(const std::string& run_folder, int port = 0);
  /// Ends the server; open pages then say that the run has ended.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8080/"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// True for 127.0.0.1 and localhost with this port.
bool host_is_ours(const std::string& host, int port);

}  // namespace pecann::report
