// `pecann run --live`: the report of a run that is training, for a browser on the same machine.
//
// The server (loopback_server.h) serves this run's page and data and nothing else; no path of a request ever
// becomes the name of a file. 127.0.0.1 belongs to all users of a machine, so that the address carries a token that
// only the user sees who began the run; requests without it are refused.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace pecann::page {

class LiveServer {
 public:
  /// Port 0 stands for one that is free. `stop` is called, by another thread, when the page's button is pressed. Throws
  /// InputError when the port is taken.
  explicit LiveServer(
      const std::string& run_folder, std::function<void()> stop = [] {}, int port = 0);
  /// Shows the finished run to the browsers that follow it and gives them its report, and waits a few seconds at most
  /// until they have both.
  void finish(const std::string& report_file);
  /// Ends the server; open pages then say that the run has ended.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8080/?token=…"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pecann::page
