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
  struct Options {
    std::function<void()> stop = [] {};  // called, by another thread, when the page's button is pressed
    bool estimates = false;              // of the error, while the run trains (live_estimates.h)
    int port = 0;                        // 0 stands for one that is free
  };

  /// Throws InputError when the port is taken.
  explicit LiveServer(const std::string& run_folder) : LiveServer(run_folder, Options{}) {}
  LiveServer(const std::string& run_folder, Options options);

  /// Goes on with the run in another folder: the next attempt of a search, or its answer.
  void follow(const std::string& run_folder);
  /// Shows a line above the run: a decision of a search.
  void tell(const std::string& line);
  /// The training has ended, and what comes now is its report: no other estimate is begun.
  void training_ended();
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
