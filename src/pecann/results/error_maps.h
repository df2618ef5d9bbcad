// estimated-error.json of a run folder: the maps of an estimate, for the page and for programs.
//
//   { "format": 1, "trial": 1, "fields": [ { "field": "u", "relative_l2": 0.01, "coordinates": ["x", "y"],
//     "axes": [[…], […]], "slider": "t", "frames": […], "fixed": { "z": 0.5 }, "values": […] } ] }
//
// values are trained − corrected solution as [frame][second][first], null outside of the domain.
#pragma once

#include "pecann/results/estimate.h"
#include "pecann/train/run_folder.h"

namespace pecann::results {

/// Throws InputError when the file cannot be written.
void write_error_maps(const train::RunFolder& folder, const RunEstimate& estimate);

/// Adds the maps of a folder to its estimate: those of fields that it trusts, and whose numbers are those that the maps
/// were made with. A file that is not there, belongs to an earlier estimate or cannot be read gives none; the page then
/// says how to make them.
void read_error_maps(const train::RunFolder& folder, RunEstimate& estimate);
/// The same from the text of the file.
std::vector<ErrorMap> parse_error_maps(const std::string& text, const RunEstimate& estimate);

}  // namespace pecann::results
