// The right of one process to do a unit of work: a lock on a file, which the system takes back when the
// process ends, however it ends. Several processes on one machine (or on a file system that shares flock)
// never hold the same claim.
#pragma once

#include <optional>
#include <string>

namespace pecann::reproduce {

class Claim {
 public:
  /// Nothing when another process holds it. Throws InputError when the file cannot be made.
  static std::optional<Claim> take(const std::string& path);
  Claim(Claim&& other) noexcept;
  Claim& operator=(Claim&&) = delete;
  ~Claim();  // removes the file, then lets go

 private:
  Claim(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
};

}  // namespace pecann::reproduce
