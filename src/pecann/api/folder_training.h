// Trainings whose results a folder keeps, as `pecann run` makes them: one trial, or the search for an accuracy.
#pragma once

#include <exception>
#include <memory>
#include <string>

#include "pecann/api/public_results.h"
#include "pecann/problem/problem.h"
#include "pecann/results/run_facts.h"
#include "pecann/train/head_start.h"
#include "pecann/train/run_folder.h"
#include "pecann/train/trainer.h"
#include "pecann/training.h"

namespace pecann::api {

/// The observer and the interrupt of a program. What they throw is kept until the training has ended in order; so is a
/// failure of change_points before them.
class Watcher final : public train::EpochObserver {
 public:
  Watcher(const TrainOptions& options, const problem::Problem& problem, std::exception_ptr& failure)
      : options_(options), problem_(problem), failure_(failure) {}

  train::Directive on_epoch(const train::EpochRecord& record) override {
    if (failure_) return train::Directive::Stop;
    try {
      return stops(record) ? train::Directive::Stop : train::Directive::Continue;
    } catch (...) {
      failure_ = std::current_exception();
      return train::Directive::Stop;
    }
  }

 private:
  bool stops(const train::EpochRecord& record) const {
    if (options_.interrupt && options_.interrupt()) return true;
    return options_.observer && options_.observer(api::public_epoch(record, problem_)) == Directive::Stop;
  }

  const TrainOptions& options_;
  const problem::Problem& problem_;
  std::exception_ptr& failure_;
};

/// A folder among the temporary files, which ends with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();  // throws InputError where none can be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

results::RunFacts facts_of_a_training();

/// Both leave a folder whose summary has the verdict. `failure` is what observer or interrupt threw, `head_start` what
/// the choice of the training has of it already.
void train_in_folder(const problem::Problem& problem, const train::RunFolder& folder, const TrainOptions& options,
                     std::shared_ptr<const train::HeadStart> head_start, std::exception_ptr& failure);
/// `problem` asks for an accuracy. Throws InputError where no attempt has ended.
void search_in_folder(problem::Problem problem, const train::RunFolder& folder, const TrainOptions& options,
                      std::exception_ptr& failure);

}  // namespace pecann::api
