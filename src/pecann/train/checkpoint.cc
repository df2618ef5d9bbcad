#include "pecann/train/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include "pecann/base/input_error.h"

namespace pecann::train {
namespace {

// The header of a file: magic, version, payload length, checksum of the payload.
struct Header {
  char magic[8] = {'P', 'E', 'C', 'A', 'N', 'N', 'C', 'P'};
  std::uint64_t version = 1;
  std::uint64_t length = 0;
  std::uint64_t checksum = 0;
};

std::uint64_t checksum(std::string_view bytes) {  // FNV-1a over eight-byte words, then the rest
  std::uint64_t hash = 0xCBF29CE484222325u;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof word);
    hash = (hash ^ word) * 0x100000001B3u;
    hash ^= hash >> 32;
    bytes.remove_prefix(sizeof word);
  }
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

[[noreturn]] void cannot_write(const std::string& path) {
  throw std::runtime_error("cannot write " + path + ": " + std::strerror(errno));
}

/// Removes a new file that could not be written to the disk; the old ones stay.
[[noreturn]] void give_up(int file, const std::string& path) {
  const int reason = errno;
  ::close(file);
  ::unlink(path.c_str());
  errno = reason;
  cannot_write(path);
}

void write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) give_up(file, path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::string& folder) {
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

/// Reads one file: true with the payload, or false with the reason in `why`.
bool read_one(const std::string& path, std::string& payload, std::string& why) {
  std::string bytes;
  try {
    bytes = read_run_file(path);
  } catch (const InputError&) {
    why = "it does not exist or cannot be read";
    return false;
  }
  const std::optional<std::string_view> found = checkpoint_payload(bytes, why);
  if (found) payload = *found;
  return found.has_value();
}

}  // namespace

std::string checkpoint_header(std::string_view payload) {
  Header header;
  header.length = payload.size();
  header.checksum = checksum(payload);
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

std::optional<std::string_view> checkpoint_payload(std::string_view bytes, std::string& why) {
  Header header;
  const Header ours;
  const auto refused = [&why](std::string reason) {
    why = std::move(reason);
    return std::nullopt;
  };
  if (bytes.empty()) return refused("it is empty");
  if (std::memcmp(bytes.data(), ours.magic, std::min(bytes.size(), sizeof ours.magic)) != 0)
    return refused("it is not a checkpoint of pecann");
  if (bytes.size() < sizeof header) return refused("it is cut short");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != ours.version) {
    return refused("it has version " + std::to_string(header.version) + ", this program reads version " +
                   std::to_string(ours.version));
  }
  const std::string_view payload = bytes.substr(sizeof header);
  if (header.length > payload.size()) return refused("it is cut short");
  if (header.length < payload.size()) return refused("it is longer than it says");
  if (checksum(payload) != header.checksum) return refused("its checksum is wrong: the file is damaged");
  return payload;
}

void write_checkpoint(const TrialFolder& folder, std::string_view payload) {
  const std::string path = folder.checkpoint_file(), previous = folder.previous_checkpoint_file(),
                    temporary = path + ".new";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) cannot_write(temporary);
  write_all(file, checkpoint_header(payload), temporary);
  write_all(file, payload, temporary);
  if (::fsync(file) != 0) give_up(file, temporary);
  if (::close(file) != 0) cannot_write(temporary);
  if (::rename(path.c_str(), previous.c_str()) != 0 && errno != ENOENT) cannot_write(previous);
  if (::rename(temporary.c_str(), path.c_str()) != 0) cannot_write(path);
  sync_folder(folder.path());
}

LoadedCheckpoint read_checkpoint(const TrialFolder& folder) {
  const std::string path = folder.checkpoint_file();
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

}  // namespace pecann::train
