// `pecann run --live`: the report of a run that is training, for a browser on the same machine.
//
// The server (loopback_server.h) serves this run's page and data and nothing else; no path of a request ever
// becomes the name of a file.
#pragma once

#include <memory>
#include <string>

namespace pecann::page {

class LiveServer {
 public:
  /// Port 0 stands for one that is free. Throws InputError when the port is taken.
  explicit LiveServer(const std::string& run_folder, int port = 0);
  /// Shows the finished run and where its report is to the browsers that follow it, and waits a few seconds at most
  /// until
  /// they have seen it.
  void finish(const std::string& report_file);
  /// Ends the server; open pages then say that the run has ended.
  ~LiveServer();
  LiveServer(const LiveServer&) = delete;

  int port() const;
  std::string address() const;  // "http://127.0.0.1:8080/"

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace pecann::page
