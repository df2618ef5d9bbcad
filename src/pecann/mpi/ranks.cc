#include "pecann/mpi/ranks.h"

#include <algorithm>
#include <cstdlib>

#include "pecann/base/require.h"

#ifdef PECANN_MPI
#include <mpi.h>
#endif

namespace pecann::mpi {

bool started_by_launcher() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && std::atoi(value) > 1) return true;
  }
  return false;
}

#ifndef PECANN_MPI

std::unique_ptr<Communicator> join() { return nullptr; }
void abort_all(int exit_code) { std::_Exit(exit_code); }
Traffic traffic() { return {}; }
std::string description() { return "no MPI"; }

#else

namespace {

Traffic all_traffic;  // only the thread that trains communicates

/// Counts an exchange of so many numbers, which lasts as long as the object.
class Count {
 public:
  explicit Count(std::size_t numbers) { all_traffic.megabytes += 8e-6 * static_cast<double>(numbers); }
  ~Count() { all_traffic.seconds += MPI_Wtime() - begin_; }
  Count(const Count&) = delete;
  Count& operator=(const Count&) = delete;

 private:
  double begin_ = MPI_Wtime();
};

/// The ranks of MPI. Errors end all of them with a message of the library, MPI's default.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED,
                    &provided);  // only the thread that trains communicates
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~MpiCommunicator() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void share(std::span<double> data, std::span<const std::size_t> bounds) override {
    // Counts of MPI are int: longer data go segment by segment, in pieces.
    if (data.size() > kLongest) {
      for (int r = 0; r < size_; ++r) broadcast(data.subspan(bounds[r], bounds[r + 1] - bounds[r]), r);
      return;
    }
    const Count count(data.size());
    counts_.resize(size_);
    starts_.resize(size_);
    for (int r = 0; r < size_; ++r) {
      starts_[r] = static_cast<int>(bounds[r]);
      counts_[r] = static_cast<int>(bounds[r + 1] - bounds[r]);
    }
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data.data(), counts_.data(), starts_.data(), MPI_DOUBLE,
                   MPI_COMM_WORLD);
  }

  void broadcast(std::span<double> data, int from) override {
    const Count count(data.size());
    for (std::size_t begin = 0; begin < data.size(); begin += kLongest)
      MPI_Bcast(data.data() + begin, static_cast<int>(std::min(kLongest, data.size() - begin)), MPI_DOUBLE, from,
                MPI_COMM_WORLD);
  }

  void send(std::span<const double> data, int to) override {
    require(data.size() <= kLongest, "messages are short");
    const Count count(data.size());
    MPI_Send(data.data(), static_cast<int>(data.size()), MPI_DOUBLE, to, 0, MPI_COMM_WORLD);
  }
  void receive(std::span<double> data, int from) override {
    require(data.size() <= kLongest, "messages are short");
    const Count count(data.size());
    MPI_Recv(data.data(), static_cast<int>(data.size()), MPI_DOUBLE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  std::vector<std::string> gather(const std::string& text) override {
    const int length = static_cast<int>(text.size());
    std::vector<int> lengths(size_), starts(size_);
    MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    int total = 0;
    for (int r = 0; r < size_; ++r) {
      starts[r] = total;
      total += lengths[r];
    }
    std::string all(rank_ == 0 ? total : 0, '\0');
    MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(), MPI_CHAR, 0, MPI_COMM_WORLD);
    std::vector<std::string> texts;
    for (int r = 0; rank_ == 0 && r < size_; ++r) texts.push_back(all.substr(starts[r], lengths[r]));
    return texts;
  }

  std::string broadcast_text(const std::string& text) override {
    int length = static_cast<int>(text.size());
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    std::string first = text;
    first.resize(length);
    MPI_Bcast(first.data(), length, MPI_CHAR, 0, MPI_COMM_WORLD);
    return first;
  }

 private:
  static constexpr std::size_t kLongest = std::size_t{1} << 30;

  int rank_ = 0, size_ = 1;
  std::vector<int> counts_, starts_;
};

}  // namespace

std::unique_ptr<Communicator> join() {
  if (!started_by_launcher()) return nullptr;  // a plain start does not wait for MPI
  return std::make_unique<MpiCommunicator>();
}

Traffic traffic() { return all_traffic; }

void abort_all(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

std::string description() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string version(text, length);
  return version.substr(0, version.find(','));
}

#endif

}  // namespace pecann::mpi
