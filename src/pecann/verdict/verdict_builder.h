// A verdict in the making: findings lower the grade, advice is given once.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "pecann/verdict/advice.h"
#include "pecann/verdict/verdict.h"

namespace pecann::verdict {

struct VerdictBuilder {
  Verdict verdict;
  void cap(Grade grade) { verdict.grade = std::max(verdict.grade, grade); }
  void find(Level level, std::string text) {
    if (level == Level::Warning) cap(Grade::Doubtful);
    if (level == Level::Bad) cap(Grade::Bad);
    verdict.findings.push_back({level, std::move(text)});
  }
  void advise(std::string text) {
    if (std::ranges::find(verdict.advice, text) == verdict.advice.end()) verdict.advice.push_back(std::move(text));
  }
  void advise(const Advice& advice) { advise(std::string(advice.text)); }
};

}  // namespace pecann::verdict
