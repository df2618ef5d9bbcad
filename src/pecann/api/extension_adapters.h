// A user's strategy and optimiser as the trainer sees them.
#pragma once

#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"
#include "pecann/training.h"

namespace pecann::api {

/// The extensions that the options give. The functions of the options must outlive them.
train::Extensions extensions_of(const TrainOptions& options);

/// A phase in the form in which users write it.
Phase public_phase(const problem::PhaseSpec& spec);

}  // namespace pecann::api
