#include "pecann/base/communicator.h"

namespace pecann {
namespace {

class SerialCommunicator final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void share(std::span<double>, std::span<const std::size_t>) override {}
  void broadcast(std::span<double>, int) override {}
  void send(std::span<const double>, int) override {}
  void receive(std::span<double>, int) override {}
  std::vector<std::string> gather(const std::string& text) override { return {text}; }
  std::string broadcast_text(const std::string& text) override { return text; }
};

thread_local Communicator* current = nullptr;

}  // namespace

void Communicator::barrier() {
  std::vector<double> arrived(static_cast<std::size_t>(size()));
  share(arrived, equal_bounds(arrived.size(), size()));
}

Communicator& serial_communicator() {
  static SerialCommunicator serial;
  return serial;
}

Communicator& communicator() { return current != nullptr ? *current : serial_communicator(); }

UseCommunicator::UseCommunicator(Communicator& own) : before_(current) { current = &own; }
UseCommunicator::~UseCommunicator() { current = before_; }

std::vector<std::size_t> equal_bounds(std::size_t count, int size) {
  std::vector<std::size_t> bounds;
  for (int rank = 0; rank <= size; ++rank)
    bounds.push_back(count * static_cast<std::size_t>(rank) / static_cast<std::size_t>(size));
  return bounds;
}

}  // namespace pecann
