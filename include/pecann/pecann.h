/// \file
/// pecann: PDEs solved by neural networks as equality-constrained optimisation. This header is the whole public
/// interface; begin with examples/01_poisson.cc and docs/library.md.
#pragma once

#include "pecann/errors.h"            // IWYU pragma: export
#include "pecann/expression.h"        // IWYU pragma: export
#include "pecann/optimizer.h"         // IWYU pragma: export
#include "pecann/options.h"           // IWYU pragma: export
#include "pecann/penalty_strategy.h"  // IWYU pragma: export
#include "pecann/problem.h"           // IWYU pragma: export
#include "pecann/regions.h"           // IWYU pragma: export
#include "pecann/shapes.h"            // IWYU pragma: export
#include "pecann/solution.h"          // IWYU pragma: export
#include "pecann/table.h"             // IWYU pragma: export
#include "pecann/training.h"          // IWYU pragma: export
#include "pecann/training_points.h"   // IWYU pragma: export
#include "pecann/vectors.h"           // IWYU pragma: export
#include "pecann/version.h"           // IWYU pragma: export
