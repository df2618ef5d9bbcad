// There is no heap allocation after the first evaluation. This test is a program of its own because it replaces the
// global operator new by one that counts.
#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "pecann/base/parallel.h"
#include "support/catalogue_engine.h"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* const memory = alignment == 0 ? std::malloc(size)
                                      : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size, 0); }
void* operator new[](std::size_t size) { return counted(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace pecann {
namespace {

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const AlignedVector<double> aligned(100);
  const std::vector<double> plain(100);
  EXPECT_EQ(allocations - before, 2);
}

class Allocation : public testing::TestWithParam<std::string> {};

void expect_none(problem::Problem problem) {
  test::CatalogueEngine engine(std::move(problem));
  evaluate::Evaluator& evaluator = engine.evaluator();
  std::vector<double> theta = test::random_parameters(engine.assembly.model(), 31), gradient(theta.size());
  test::RandomDuals duals(evaluator.num_constraint_entries(), 6);
  evaluator.gradient(theta, duals.view(), gradient);
  evaluator.values(theta);
  const long before = allocations;
  for (int repeat = 0; repeat < 3; ++repeat) {
    theta[0] += 1e-3;
    evaluator.gradient(theta, duals.view(), gradient);
    if (!duals.multiplier.empty()) duals.multiplier[0] += 1e-3;  // some problems have objectives only
    evaluator.gradient(theta, duals.view(), gradient);
    theta[0] += 1e-3;
    evaluator.values(theta);
    theta[0] += 1e-3;
    evaluator.values(theta, evaluate::Evaluator::Next::Gradient);
    evaluator.gradient(theta, duals.view(), gradient);
  }
  EXPECT_EQ(allocations - before, 0);
}

TEST_P(Allocation, NoneAfterTheFirstEvaluation) {
  const int before = thread_count();
  for (const int threads : {1, 2}) {
    SCOPED_TRACE(threads);
    set_thread_count(threads);
    expect_none(test::reduced(GetParam(), 400));
    expect_none(test::pointwise(test::reduced(GetParam(), 400)));
  }
  set_thread_count(before);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Allocation,
                         testing::Values("heat-composite", "helmholtz-6-6", "helmholtz-source-l5",
                                         "heat-source-inverse", "vortex-fine", "gallery/taylor-green",
                                         "gallery/inverse-coefficient", "gallery/diffusion-coefficient",
                                         "gallery/beam"),
                         test::test_name);

}  // namespace
}  // namespace pecann
