// Checkpoint files: written to a temporary file, synced, renamed; the one before is kept. A file that is cut short,
// damaged or not ours is recognised by its header and checksum.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pecann::train {

/// What stands before the payload in the file.
std::string checkpoint_header(std::string_view payload);

/// The payload of a whole file's bytes, or nothing with the reason in `why`.
std::optional<std::string_view> checkpoint_payload(std::string_view bytes, std::string& why);

/// Replaces `folder/checkpoint`; what was there becomes `folder/checkpoint.previous`. Throws std::runtime_error with
/// the system's reason when the disk does not take it (the old files are then untouched).
void write_checkpoint(const std::string& folder, std::string_view payload);

/// True when the folder holds a checkpoint, usable or not.
bool has_checkpoint(const std::string& folder);

struct LoadedCheckpoint {
  std::string payload;
  std::string warning;  // empty, or why `checkpoint` was refused and `checkpoint.previous` taken
};

/// Throws InputError when neither file is usable.
LoadedCheckpoint read_checkpoint(const std::string& folder);

}  // namespace pecann::train
