// Processes ("ranks") that train one problem together. Every rank holds the whole problem and goes through
// the same epochs; the work items are divided among the ranks, and the results are exchanged so that every rank
// goes on with the same bits as one process would.
//
// A collective function must be called by all ranks in the same order. The serial communicator does
// nothing, at the cost of a virtual call.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pecann {

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  // rank 0 writes files and talks to people
  virtual int size() const = 0;

  /// `data` has size() segments, segment r from bounds[r] to bounds[r + 1], and rank r has filled its own:
  /// afterwards every rank has all of them. Collective.
  virtual void share(std::span<double> data, std::span<const std::size_t> bounds) = 0;
  /// Copies the numbers of rank `from` to all ranks. Collective.
  virtual void broadcast(std::span<double> data, int from) = 0;
  /// These two pass a message from one rank to another.
  virtual void send(std::span<const double> data, int to) = 0;
  virtual void receive(std::span<double> data, int from) = 0;
  /// Returns the texts of all ranks, in rank order, at rank 0 and nothing elsewhere. Collective.
  virtual std::vector<std::string> gather(const std::string& text) = 0;
  /// Returns the text of rank 0 at every rank. Collective.
  virtual std::string broadcast_text(const std::string& text) = 0;
  /// Returns when all ranks have called it. Collective.
  void barrier();
};

/// The communicator of a single rank, which exchanges nothing.
Communicator& serial_communicator();

/// The communicator of the calling thread; serial unless one was set. (It belongs to the thread, so that tests can run
/// ranks as threads of one process; threads that only work on items never ask for it.)
Communicator& communicator();

/// Makes `own` the communicator of the calling thread while the object lives; `own` must outlive the object.
class UseCommunicator {
 public:
  explicit UseCommunicator(Communicator& own);
  ~UseCommunicator();
  UseCommunicator(const UseCommunicator&) = delete;
  UseCommunicator& operator=(const UseCommunicator&) = delete;

 private:
  Communicator* before_;
};

/// Bounds of size() segments of [0, count) whose lengths differ by at most one.
std::vector<std::size_t> equal_bounds(std::size_t count, int size);

/// Adds to `sum` in the order of the ranks: rank 0's numbers first. Every rank calls add(begin, end), which adds its
/// own numbers to sum[begin, end), and has the whole sum afterwards. The sum goes from rank to rank in blocks, so that
/// ranks work at the same time.
template <class Add>
void sum_in_rank_order(Communicator& ranks, std::span<double> sum, const Add& add) {
  constexpr std::size_t kBlock = 8192;  // 64 kB: a message whose latency is small against its length
  for (std::size_t begin = 0; begin < sum.size(); begin += kBlock) {
    const std::size_t end = begin + kBlock < sum.size() ? begin + kBlock : sum.size();
    const std::span<double> block = sum.subspan(begin, end - begin);
    if (ranks.rank() > 0) {
      ranks.receive(block, ranks.rank() - 1);
    } else {
      for (double& number : block) number = 0;
    }
    add(begin, end);
    if (ranks.rank() + 1 < ranks.size()) ranks.send(block, ranks.rank() + 1);
  }
  ranks.broadcast(sum, ranks.size() - 1);
}

}  // namespace pecann
