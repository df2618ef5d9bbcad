// Checkpoint files. A checkpoint is written to a temporary file, synced and renamed; the one before is kept. A file
// that is cut short, damaged or not ours is recognised by its header and checksum.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pecann/train/run_folder.h"

namespace pecann::train {

/// The header that stands before the payload in the file.
std::string checkpoint_header(std::string_view payload);

/// The payload of a whole file's bytes, or nothing with the reason in `why`.
std::optional<std::string_view> checkpoint_payload(std::string_view bytes, std::string& why);

/// Replaces the checkpoint of the folder; what was there becomes the previous one. Throws std::runtime_error with the
/// system's reason when the file cannot be written (the old files are then untouched).
void write_checkpoint(const TrialFolder& folder, std::string_view payload);

struct LoadedCheckpoint {
  std::string payload;
  std::string warning;  // empty, or why the checkpoint was refused and the previous one taken
};

/// What a training goes on from: the checkpoint of the folder, or the previous one where that is damaged. Throws
/// InputError when neither file is usable.
LoadedCheckpoint read_checkpoint(const TrialFolder& folder);

/// What the results of a trial are made of: its last state, and no other. The previous checkpoint is read only where a
/// kill between two renames has left no other one; where the last one is damaged, InputError says so.
std::string read_last_checkpoint(const TrialFolder& folder);
bool last_checkpoint_is_whole(const TrialFolder& folder);

}  // namespace pecann::train
