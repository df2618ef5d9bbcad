// A user's strategy and optimiser as the trainer sees them.
#pragma once

#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"
#include "pecann/training.h"

namespace pecann::api {

/// The functions of the options must outlive what is made.
train::Extensions extensions_of(const TrainOptions& options);

/// A phase as users write it.
Phase public_phase(const problem::PhaseSpec& spec);

}  // namespace pecann::api
