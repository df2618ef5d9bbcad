#include "pecann/base/parallel.h"

#include <algorithm>

namespace pecann {
namespace {
int& threads() {
  static int count = omp_get_num_procs();
  return count;
}
}  // namespace

int thread_count() { return threads(); }
void set_thread_count(int count) { threads() = std::max(1, count); }

}  // namespace pecann
