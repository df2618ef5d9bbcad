// The means of a search for an accuracy, one function each: what it would try next, or nothing. And what they share:
// looks at what was tried.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "pecann/accuracy/attempt.h"
#include "pecann/accuracy/next_attempt.h"

namespace pecann::accuracy {

using TriedSpan = std::span<const Tried>;

// Solves of random features (feature_means.cc).
std::optional<Attempt> features(Planner& planner, TriedSpan tried);
std::optional<Attempt> parts_features(Planner& planner, TriedSpan tried);
std::optional<Attempt> windows_features(Planner& planner, TriedSpan tried);

// Trainings of networks (network_means.cc).
std::optional<Attempt> network(Planner& planner, TriedSpan tried);
std::optional<Attempt> continuation(Planner& planner, TriedSpan tried);
std::optional<Attempt> fresh_points(Planner& planner, TriedSpan tried);
std::optional<Attempt> larger_network(Planner& planner, TriedSpan tried);
std::optional<Attempt> windows_network(Planner& planner, TriedSpan tried);
std::optional<Attempt> other_start(Planner& planner, TriedSpan tried);

/// An attempt of a kind, with its place among all.
struct Own {
  int place;
  const Tried* tried;
};
/// The attempts of a kind, in their order.
std::vector<Own> of_means(TriedSpan all, Means means);

/// An attempt helps when its estimate, or where none is trusted its residual, is at most this share of the best before.
inline constexpr double kHelps = 0.5;
/// True when the last attempt of a kind helped, or made an estimate trusted.
bool helped(TriedSpan all, const std::vector<Own>& own);

/// The attempts with networks that others can go on from: one time window.
std::vector<Own> trained_whole(TriedSpan tried);
/// The best of them; null where all failed.
const Own* best_network(const std::vector<Own>& own);

/// True where the file leaves the training of networks to the search: all of it, or all but a continuation.
bool networks_open(const problem::Problem& problem);

}  // namespace pecann::accuracy
