// The right of one process to do a piece of work: a lock on a file, which the system takes back when the process ends,
// however it ends. Several processes on one machine (or on a file system that shares flock) never hold the same lock,
// nor do two threads of one process.
#pragma once

#include <optional>
#include <string>

namespace pecann {

class FileLock {
 public:
  enum class AtEnd { KeepFile, RemoveFile };

  /// Takes the lock; returns nothing when another holder has it. Throws std::system_error when the file cannot be made,
  /// InputError when what is there is no plain file.
  static std::optional<FileLock> take(const std::string& path, AtEnd at_end);
  /// The number of the process that holds the lock at `path`, as the file says it; empty where it does not say it, or
  /// says one that is not alive: the holder may not have written it yet.
  static std::string holder(const std::string& path);
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  FileLock(std::string path, AtEnd at_end, int file, int folder)
      : path_(std::move(path)), at_end_(at_end), file_(file), folder_(folder) {}
  std::string path_;
  AtEnd at_end_;
  int file_;
  int folder_;  // locked too where the file is kept: whoever removes the file lets nobody in; -1: none
};

}  // namespace pecann
