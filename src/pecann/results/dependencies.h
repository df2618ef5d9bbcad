// What a run depends on besides its seed: the problem, the files it was given, the program and the instructions that
// it computes with. The folder of a run keeps a record of it, DIR/depends.json, so that whoever resumes the run is told
// what has changed since. Digests are checksums: they notice change, and no forgery.
#pragma once

#include <string>
#include <vector>

#include "pecann/results/run_facts.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/run_inputs.h"

namespace pecann::results {

/// Writes the record of the problem that the folder has now. Where an input does not know its original, the record
/// before says it; one that was changed is forgotten, for the run has gone on without it.
void record_dependencies(const train::RunFolder& folder, const RunFacts& facts, std::vector<train::RunInput> inputs);

/// One sentence for everything that is not as the record says; none where there is no record (runs of earlier
/// versions). An original that is gone is no change: the run has its copy.
std::vector<std::string> changed_dependencies(const train::RunFolder& folder, const RunFacts& facts);

}  // namespace pecann::results
