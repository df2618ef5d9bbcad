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

/// Reads the checkpoint of the folder, or the previous one where that is damaged. Throws InputError when
/// neither file is usable.
LoadedCheckpoint read_checkpoint(const TrialFolder& folder);

}  // namespace pecann::train
