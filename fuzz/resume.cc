// A trial that resumes from a stranger's state: the blocks of real checkpoints with some replaced. Input: a
// byte for the problem, then edits (number of the block, its kind, length, bytes). Loading refuses, or the
// next epoch runs.
#include <cstring>
#include <vector>

#include "fuzz/target.h"
#include "pecann/base/parallel.h"
#include "pecann/base/state_archive.h"
#include "pecann/problem/problem_file.h"
#include "pecann/train/trainer.h"

namespace pecann::fuzz {
namespace {

constexpr std::string_view kProblem = R"toml(coordinates = { x = [0, 1], t = [0, 1] }
[exact]
u = "x*t"
[parameters]
k = 1
[[network]]
fields = ["u"]
hidden = [2]
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = k*u_xx + x"
points = { uniform = 3, redraw = true }
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
[evaluate]
grid = [3, 3]
)toml";

class StopAfter final : public train::EpochObserver {
 public:
  explicit StopAfter(long epochs) : left_(epochs) {}
  train::Directive on_epoch(const train::EpochRecord&) override {
    return --left_ <= 0 ? train::Directive::Stop : train::Directive::Continue;
  }

 private:
  long left_;
};

struct Block {
  std::string name, bytes;
};

struct Trial {
  problem::Problem problem;
  std::vector<Block> blocks;  // of a checkpoint in the middle of the training
};

std::uint64_t take_size(std::string_view& bytes) {
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  return size;
}

Trial make_trial(const std::string& training) {
  Trial trial{problem::read_problem(std::string(kProblem) + training, "resume.toml"), {}};
  train::Trainer trainer(trial.problem, 1);
  StopAfter stop(4);
  trainer.add_observer(stop);
  trainer.run();
  StateWriter writer;
  trainer.save(writer);
  const std::string archive = writer.bytes();
  std::string_view rest = archive;
  while (!rest.empty()) {
    Block block;
    for (std::string* part : {&block.name, &block.bytes}) {
      const std::uint64_t size = take_size(rest);
      *part = rest.substr(0, size);
      rest.remove_prefix(size);
    }
    trial.blocks.push_back(block);
  }
  return trial;
}

std::vector<Trial> make_trials() {
  set_thread_count(1);
  return {make_trial("[[phase]]\noptimizer = \"adam\"\nepochs = 3\n[[phase]]\noptimizer = \"lbfgs\"\nepochs "
                     "= 9\n[held_out]\nevery = 1\n"),
          make_trial("[windows]\ncount = 2\n[[phase]]\noptimizer = \"ssbroyden\"\nepochs = 3\n"),
          make_trial("[[phase]]\noptimizer = \"lm\"\nepochs = 9\n[penalty]\nstrategy = \"mpu\"\n")};
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
  static const std::vector<Trial> trials = make_trials();
  const Trial& trial = trials[take_byte(bytes) % trials.size()];
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
    train::Trainer trainer(trial.problem, 1);
    trainer.load(StateReader(archive));
    StopAfter stop(1);
    trainer.add_observer(stop);
    trainer.run();
    trainer.solution();
  });
}

}  // namespace pecann::fuzz
