// Reasons to end a search before its time: more work would not make the error smaller.
#pragma once

#include <span>
#include <string>

#include "pecann/accuracy/attempt.h"

namespace pecann::accuracy {

/// Where noise in measured data, and not the training, decides how well the unknowns are known: words that say by what.
/// "" where that is not so, or cannot be told. The equations have to be met better than the data (their relative
/// residuals at most a third of the data's), and then
///   a scalar has a standard error, relative to its value, above the accuracy that is asked for; or
///   N data whose relative noise is n cannot tell anything better than n/√N, which is above it; or
///   two attempts in a row miss the data alike, within 5 %: what they miss is noise.
std::string noise_decides(std::span<const Tried> tried, double asked);

/// Where the last kFruitless attempts have not halved the best residual or estimate before them: words that say so.
/// Else "".
std::string nothing_helps(std::span<const Tried> tried);
inline constexpr int kFruitless = 3;

}  // namespace pecann::accuracy
