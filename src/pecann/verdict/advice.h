// What to try when a run is not good enough, besides the one remedy that fits the problem (verdict/remedy.h). Every
// text that names a key of the problem file carries a `--set` that does it; a test gives them all to a problem.
#pragma once

#include <array>

namespace pecann::verdict {

struct Advice {
  const char* text;     // keys and commands between backticks
  const char* example;  // for a problem with a term "pde"; empty where the text names no key
};

namespace advice {
inline constexpr Advice kSmallerRate{
    "Lower the `learning_rate` of the phase that broke, or put a phase of adam before it.",
    "phase.1.learning_rate=1e-4"};
inline constexpr Advice kGuard{
    "The equation itself fails at this point: guard the division, root or logarithm, or leave the point out; "
    "`pecann check` names such terms before training.",
    ""};
inline constexpr Advice kMoreTrials{
    "Results depend on the random start: run more `trials` and keep the one with the smallest loss, or take "
    "a recipe with a "
    "second-order phase.",
    "trials=5"};
inline constexpr Advice kLargerEta{
    "A violation that grows again is traded against the objective: more epochs, or a larger `penalty.eta`.",
    "penalty.eta=10"};
inline constexpr Advice kCapu{
    "`strategy = \"capu\"` gives every constraint a penalty of its own and does not need a bound.",
    "penalty.strategy=capu"};
inline constexpr Advice kKeepBest{
    "`held_out.keep = \"best\"` reports the iterate that is best on points that training never sees.",
    "held_out.keep=best"};

inline constexpr std::array kAll = {kSmallerRate, kGuard, kMoreTrials, kLargerEta, kCapu, kKeepBest};
}  // namespace advice

}  // namespace pecann::verdict
