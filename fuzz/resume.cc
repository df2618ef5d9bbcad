// A trial that resumes from a stranger's state: the blocks of real checkpoints with some replaced. Input: a
// byte for the problem, then edits (number of the block, its kind, length, bytes). Loading refuses, or the
// next epoch runs.
#include <cstring>
#include <memory>
#include <vector>

#include "fuzz/small_problem.h"
#include "fuzz/target.h"
#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/trainer.h"

namespace pecann::fuzz {
namespace {

/// Points drawn anew, and a constraint of its own multipliers at every point.
constexpr std::string_view kTerms = R"toml(points = { uniform = 3, redraw = true }
[[term]]
name = "sides"
role = "constraint"
region = "boundary"
equation = "u = exact.u"
points = { grid = [3, 3] }
aggregate = "pointwise"
[[term]]
name = "start"
role = "constraint"
region = "initial"
equation = "u = exact.u"
points = { grid = [3, 3] }
)toml";

class StopAfter final : public train::EpochObserver {
 public:
  void set(long epochs) { left_ = epochs; }
  train::Directive on_epoch(const train::EpochRecord&) override {
    return --left_ <= 0 ? train::Directive::Stop : train::Directive::Continue;
  }

 private:
  long left_ = 0;
};

struct Block {
  std::string name, bytes;
};

/// A training that every input loads its state into: to make another one would take half of the time.
struct Trial {
  explicit Trial(const std::string& training)
      : problem(problem::read_problem(std::string(kSmallProblem) + std::string(kTerms) + training, "resume.toml")),
        trainer(problem, 1) {
    trainer.add_observer(stop);
  }

  problem::Problem problem;
  train::Trainer trainer;
  StopAfter stop;
  std::vector<Block> blocks;  // of a checkpoint in the middle of the training
};

std::uint64_t take_size(std::string_view& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  return size;
}

std::unique_ptr<Trial> make_trial(const std::string& training) {
  auto trial = std::make_unique<Trial>(training);
  trial->stop.set(4);
  trial->trainer.run();
  StateWriter writer;
  trial->trainer.save(writer);
  const std::string archive = writer.bytes();
  std::string_view rest = archive;
  while (!rest.empty()) {
    Block block;
    for (std::string* part : {&block.name, &block.bytes}) {
      const std::uint64_t size = take_size(rest);
      *part = rest.substr(0, size);
      rest.remove_prefix(size);
    }
    trial->blocks.push_back(block);
  }
  return trial;
}

std::vector<std::unique_ptr<Trial>> make_trials() {
  set_thread_count(1);
  std::vector<std::unique_ptr<Trial>> trials;
  for (const char* const training : {"[[phase]]\noptimizer = \"adam\"\nepochs = 3\n[[phase]]\noptimizer = \"lbfgs\"\n"
                                     "epochs = 9\n[held_out]\nevery = 1\n",
                                     "[windows]\ncount = 2\n[[phase]]\noptimizer = \"ssbroyden\"\nepochs = 3\n",
                                     "[[phase]]\noptimizer = \"lm\"\nepochs = 9\n[penalty]\nstrategy = \"mpu\"\n"})
    trials.push_back(make_trial(training));
  return trials;
}

void append(std::string& archive, const std::string& part) {
  const std::uint64_t size = part.size();
  archive.append(reinterpret_cast<const char*>(&size), sizeof size);
  archive += part;
}

std::uint8_t take_byte(std::string_view& bytes) {
  if (bytes.empty()) return 0;
  const auto byte = static_cast<std::uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  return byte;
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  static const std::vector<std::unique_ptr<Trial>> trials = make_trials();
  Trial& trial = *trials[take_byte(bytes) % trials.size()];
  std::vector<Block> blocks = trial.blocks;
  while (!bytes.empty()) {
    Block& block = blocks[take_byte(bytes) % blocks.size()];
    const std::size_t kind = take_byte(bytes) % 8;  // mostly the kind it had
    const std::size_t wanted = take_byte(bytes), length = std::min(wanted, bytes.size());
    block.bytes = std::string(1, kind < 3 ? "dit"[kind] : block.bytes[0]) + std::string(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  std::string archive;
  for (const Block& block : blocks) {
    append(archive, block.name);
    append(archive, block.bytes);
  }
  accepted([&] {
    trial.trainer.load(StateReader(archive));
    trial.stop.set(1);
    trial.trainer.run();
    trial.trainer.solution();
  });
}

}  // namespace pecann::fuzz
