// The folder of a run: made so that nothing is ever overwritten, and used by one process at a time.
#pragma once

#include <string>

namespace pecann::cli {

/// A new folder: `wanted` when it is given (must not exist or be empty, else InputError), or runs/NAME, runs/NAME-2, …
std::string make_run_folder(const std::string& wanted, const std::string& problem_name);

/// Holds folder/lock while it lives. Throws InputError naming the other process when the folder is in use.
class FolderLock {
 public:
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;

 private:
  int file_;
};

}  // namespace pecann::cli
