#include "pecann/results/accuracy_json.h"

#include <limits>

namespace pecann::results {

nlohmann::ordered_json accuracy_json(const AccuracyAnswer& answer) {
  nlohmann::ordered_json attempts = nlohmann::ordered_json::array();
  for (const AccuracyAnswer::Attempt& attempt : answer.attempts)
    attempts.push_back({{"what", attempt.what},
                        {"why", attempt.why},
                        {"estimate", attempt.error},
                        {"trusted", attempt.trusted},
                        {"seconds", attempt.seconds}});
  return {{"asked", answer.asked},
          {"reached", answer.reached},
          {"ending", answer.ending},
          {"best", answer.best},
          {"attempts", attempts}};
}

std::optional<AccuracyAnswer> get_accuracy(const nlohmann::ordered_json& summary) {
  const auto found = summary.find("accuracy");
  if (found == summary.end()) return std::nullopt;
  AccuracyAnswer answer{.asked = found->at("asked"),
                        .reached = found->at("reached"),
                        .ending = found->at("ending"),
                        .best = found->at("best"),
                        .attempts = {}};
  for (const nlohmann::ordered_json& attempt : found->at("attempts")) {
    const nlohmann::ordered_json& error = attempt.at("estimate");
    answer.attempts.push_back({attempt.at("what"), attempt.at("why"),
                               error.is_null() ? std::numeric_limits<double>::quiet_NaN() : error.get<double>(),
                               attempt.at("trusted"), attempt.at("seconds")});
  }
  return answer;
}

}  // namespace pecann::results
