// A user's strategy and optimiser as the trainer sees them.
#pragma once

#include <exception>

#include "pecann/problem/problem.h"
#include "pecann/train/extensions.h"
#include "pecann/training.h"

namespace pecann::api {

/// The extensions that the options give. The functions of the options must outlive them. What change_points throws is
/// kept in `failure`, for the training to end in order; where it is null, it is thrown on.
train::Extensions extensions_of(const TrainOptions& options, std::exception_ptr* failure = nullptr);

/// A phase in the form in which users write it.
Phase public_phase(const problem::PhaseSpec& spec);

}  // namespace pecann::api
