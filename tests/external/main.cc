// What another project does with an installed pecann: defines, trains, watches, evaluates, and meets an
// error.
#include <pecann/pecann.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>

class Nothing final : public pecann::PenaltyStrategy {
  bool update(const pecann::DualInput&, pecann::Duals) override { return false; }
};

int main() {
  const pecann::Coordinate x("x", 0, 1);
  const pecann::Field u("u", {x});
  pecann::Problem problem("u' = u", {x});
  problem.network({u}, {.hidden = {8}})
      .objective("ode", d(u, x) == u, pecann::interior(), pecann::grid({21}))
      .constraint("start", u == 1, pecann::face(x, 0), pecann::grid({21}))
      .phase({.optimizer = "lm", .epochs = 20});
  int epochs = 0;
  const pecann::Result result = problem.train({.observer =
                                                   [&](const pecann::Epoch&) {
                                                     ++epochs;
                                                     return pecann::Directive::Continue;
                                                   },
                                               .penalty_strategy = [] { return std::make_unique<Nothing>(); }});
  const double error = std::abs(result.solution.value(u, {1}) - std::exp(1.0));
  std::printf("%s\nu(1) - e = %.1e after %d epochs\n", pecann::version().c_str(), error, epochs);
  try {
    problem.phase({.optimizer = "lbgfs"}).text();
    return 1;
  } catch (const std::runtime_error& mistake) {
    std::printf("refused: %s\n", mistake.what());
    if (std::string(mistake.what()).find("\"lbfgs\"") == std::string::npos) return 1;
  }
  return epochs == 20 && error < 1e-2 ? 0 : 1;
}
