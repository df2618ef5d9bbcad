#include "pecann/train/checkpoint.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "pecann/base/checksum.h"
#include "pecann/base/input_error.h"
#include "pecann/base/memory.h"
#include "pecann/base/plain_file.h"
#include "pecann/base/read_file.h"

namespace pecann::train {
namespace {

// The header of a file: magic, version, payload length, checksum of the payload.
struct Header {
  char magic[8] = {'P', 'E', 'C', 'A', 'N', 'N', 'C', 'P'};
  std::uint64_t version = 1;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};

[[noreturn]] void cannot_write(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

/// Removes a new file that could not be brought to the disk or get its name, `named`; the old ones stay.
[[noreturn]] void give_up(const std::string& path, const std::string& named) {
  const int reason = errno;
  ::unlink(path.c_str());
  errno = reason;
  cannot_write(named);
}

void sync_folder(const std::string& folder) {
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

/// The reason why a file of `size` bytes that begins like this is no whole checkpoint; empty when it is.
std::string header_fault(std::string_view beginning, std::uint64_t size) {
  Header header;
  const Header ours;
  if (beginning.empty()) return "it is empty";
  if (std::memcmp(beginning.data(), ours.magic, std::min(beginning.size(), sizeof ours.magic)) != 0)
    return "it is not a checkpoint of pecann";
  if (beginning.size() < sizeof header) return "it is cut short";
  std::memcpy(&header, beginning.data(), sizeof header);
  if (header.version != ours.version) {
    return "it has version " + std::to_string(header.version) + ", this program reads version " +
           std::to_string(ours.version);
  }
  const std::uint64_t behind = size - sizeof header;
  return header.length > behind ? "it is cut short" : header.length < behind ? "it is longer than it says" : "";
}

/// The same of a file, of which no more than a header is read: a large file that is no checkpoint takes no memory.
std::string header_fault_of_file(int file) {
  char beginning[sizeof(Header)];
  struct stat facts {};
  const ssize_t count = ::pread(file, beginning, sizeof beginning, 0);
  if (count < 0 || ::fstat(file, &facts) != 0) return std::string("it cannot be read: ") + std::strerror(errno);
  return header_fault({beginning, static_cast<std::size_t>(count)}, static_cast<std::uint64_t>(facts.st_size));
}

/// Reads one file: true with the payload, or false with the reason in `why`.
bool read_one(const std::string& path, std::string& payload, std::string& why) {
  std::string bytes;
  try {
    const Descriptor file(open_plain_file(path, O_RDONLY));
    why = file.number() < 0 ? "it does not exist or cannot be read" : header_fault_of_file(file.number());
    if (!why.empty()) return false;
    bytes = read_open_file(file.number(), path, available_memory() / 2);
  } catch (const InputError& error) {
    why = "it " + error.parts().rule;
    return false;
  }
  if (!checkpoint_payload(bytes, why)) return false;
  payload = std::move(bytes);
  payload.erase(0, sizeof(Header));
  return true;
}

}  // namespace

std::string checkpoint_header(std::string_view payload) {
  Header header;
  header.length = payload.size();
  header.checksum = checksum(payload);
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::optional<std::string_view> checkpoint_payload(std::string_view bytes, std::string& why) {
  why = header_fault(bytes, bytes.size());
  if (!why.empty()) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view payload = bytes.substr(sizeof header);
  if (checksum(payload) == header.checksum) return payload;
  why = "its checksum is wrong: the file is damaged";
  return std::nullopt;
}

void write_checkpoint(const TrialFolder& folder, std::string_view payload) {
  const std::string path = folder.checkpoint_file(), previous = folder.previous_checkpoint_file(),
                    temporary = folder.new_checkpoint_file();
  Descriptor file(open_new_file(temporary));
  if (file.number() < 0) cannot_write(temporary);
  if (!write_bytes(file.number(), checkpoint_header(payload)) || !write_bytes(file.number(), payload) ||
      ::fsync(file.number()) != 0 || ::close(file.release()) != 0)
    give_up(temporary, temporary);
  if (::rename(path.c_str(), previous.c_str()) != 0 && errno != ENOENT) give_up(temporary, previous);
  if (::rename(temporary.c_str(), path.c_str()) != 0) give_up(temporary, path);
  sync_folder(folder.path());
}

LoadedCheckpoint read_checkpoint(const TrialFolder& folder) {
  const std::string path = folder.checkpoint_file();
  refuse_link(folder.path());
  LoadedCheckpoint loaded;
  std::string why, why_previous;
  if (read_one(path, loaded.payload, why)) return loaded;
  if (read_one(folder.previous_checkpoint_file(), loaded.payload, why_previous)) {
    loaded.warning = path + " is not usable (" + why + "); going on from the one before";
    return loaded;
  }
  throw InputError({.place = {.file = path},
                    .rule = "no usable checkpoint: " + why + "; the one before it: " + why_previous,
                    .hint = "start anew with `pecann run`"});
}

bool last_checkpoint_is_whole(const TrialFolder& folder) {
  std::string payload, why;
  return read_one(folder.checkpoint_file(), payload, why);
}

std::string read_last_checkpoint(const TrialFolder& folder) {
  LoadedCheckpoint loaded = read_checkpoint(folder);
  if (loaded.warning.empty() || !run_file_exists(folder.checkpoint_file())) return std::move(loaded.payload);
  throw InputError({.place = {.file = folder.checkpoint_file()},
                    .rule = "the last checkpoint is damaged, and the one before it is of an earlier epoch",
                    .hint = "`pecann resume` goes on from there to the same end"});
}

}  // namespace pecann::train
