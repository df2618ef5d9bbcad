// Records and summaries of trainings in the form in which users see them.
#pragma once

#include <string>

#include "pecann/problem/problem.h"
#include "pecann/results/estimate.h"
#include "pecann/results/history_table.h"
#include "pecann/results/summary_json.h"
#include "pecann/train/trial.h"
#include "pecann/training.h"
#include "pecann/verdict/verdict.h"

namespace pecann::api {

Epoch public_epoch(const train::EpochRecord& record, const problem::Problem& problem);

/// All but history, verdict, estimate and the like, which take more than the trial to know.
Summary public_summary(const train::TrialSummary& trial, const problem::Problem& problem);
History public_history(results::HistoryTable table);
Verdict public_verdict(const verdict::Verdict& verdict);
Estimate public_estimate(const results::RunEstimate& estimate);
AccuracyAnswer public_accuracy(const results::AccuracyAnswer& answer);

}  // namespace pecann::api
