// Rows and trials as units of work: finished ones are kept and not done again, a killed one goes on from its checkpoint
// bit for bit, and any number of processes may work on one campaign.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pecann/reproduce/result_store.h"

namespace pecann::reproduce {

struct CampaignOptions {
  std::string results = "results";     // root of the ResultStore
  std::string out = "runs/reproduce";  // OUT/TABLE/ROW/BUDGET is the folder of a run for `pecann report` and `predict`
  Budget budget = Budget::Paper;
  int trials = 0;    // per row; 0: as many as the row says
  std::string simd;  // for the facts of a result
  double checkpoint_seconds = 30;
  std::function<std::unique_ptr<train::EpochObserver>(const problem::Problem&, const std::string& label)> progress;
  std::function<void(const std::string&)> say;  // one line for the user
};

struct CampaignOutcome {
  int done = 0, kept = 0;    // units trained now, and units found finished
  int busy = 0;              // units that other processes are training
  int not_offered = 0;       // rows without this budget
  bool interrupted = false;  // by a signal
};

CampaignOutcome run_campaign(const std::vector<Table>& tables, const CampaignOptions& options);

/// Takes over the trials of finished runs (folders of `pecann run`) whose problem trains exactly as a chosen
/// row does and whose seeds are those of the campaign. Returns the number of these trials, and says what it
/// did with each folder.
int adopt_runs(const std::vector<Table>& tables, const std::vector<std::string>& folders,
               const CampaignOptions& options);

}  // namespace pecann::reproduce
