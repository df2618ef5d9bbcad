// Trains a problem file by the C++ library on one thread, writes the trained parameters as raw doubles, and says what
// training and evaluating cost: train_in_cpp FILE OUTPUT [POINTS]
#include <pecann/pecann.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>

int main(int argc, char** argv) {
  const auto processor_seconds = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  const pecann::Problem problem = pecann::Problem::load(argv[1]);
  const double start = processor_seconds();
  const pecann::Solution solution = problem.train({.threads = 1}).solution;
  const double trained = processor_seconds();
  const std::vector<double> parameters = solution.parameters();
  std::ofstream(argv[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(parameters.data()),
             static_cast<std::streamsize>(parameters.size() * sizeof(double)));
  std::printf("%g\n", trained - start);
  if (argc < 4) return 0;
  // Points [point][coordinate] at random places of a unit box, in an array as Python has it.
  std::vector<double> points(std::strtoul(argv[3], nullptr, 10) * solution.coordinates().size());
  for (double& number : points) number = std::rand() / static_cast<double>(RAND_MAX);
  const double begin = processor_seconds();
  const std::string field = solution.fields().front();
  std::vector<pecann::Strided> columns;
  const std::size_t dimension = solution.coordinates().size();
  for (std::size_t c = 0; c < dimension; ++c)
    columns.push_back({points.data() + c, static_cast<std::ptrdiff_t>(dimension)});
  const auto values = solution.evaluate({&field, 1}, columns, points.size() / dimension, 1);
  std::printf("%g\n", processor_seconds() - begin);
  return values.front().empty();
}
