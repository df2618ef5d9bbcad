#include "pecann/results/accuracy_json.h"

#include "pecann/results/json_numbers.h"

namespace pecann::results {

nlohmann::ordered_json accuracy_json(const AccuracyAnswer& answer) {
  nlohmann::ordered_json attempts = nlohmann::ordered_json::array();
  for (const AccuracyAnswer::Attempt& attempt : answer.attempts)
    attempts.push_back({{"what", attempt.what},
                        {"why", attempt.why},
                        {"estimate", attempt.error},
                        {"trusted", attempt.trusted},
                        {"seconds", attempt.seconds}});
  return {{"asked", answer.asked},     {"reached", answer.reached},       {"ending", answer.ending},
          {"seconds", answer.seconds}, {"stopped_by", answer.stopped_by}, {"best", answer.best},
          {"attempts", attempts}};
}

std::optional<AccuracyAnswer> get_accuracy(const nlohmann::ordered_json& summary) {
  const auto found = summary.find("accuracy");
  if (found == summary.end()) return std::nullopt;
  AccuracyAnswer answer{.asked = number(found->at("asked")),
                        .reached = found->at("reached"),
                        .ending = found->at("ending"),
                        .seconds = found->value("seconds", 0.0),  // older summaries do not tell
                        .stopped_by = found->value("stopped_by", ""),
                        .best = whole<int>(found->at("best")),
                        .attempts = {}};
  for (const nlohmann::ordered_json& attempt : found->at("attempts")) {
    answer.attempts.push_back({attempt.at("what"), attempt.at("why"), number(attempt.at("estimate")),
                               attempt.at("trusted"), number(attempt.at("seconds"))});
  }
  return answer;
}

}  // namespace pecann::results
