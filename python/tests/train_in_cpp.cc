// Trains a problem file by the C++ library and writes the trained parameters as raw doubles: train_in_cpp FILE OUTPUT
#include <pecann/pecann.h>

#include <fstream>

int main(int, char** argv) {
  const std::vector<double> parameters = pecann::Problem::load(argv[1]).train({.threads = 1}).solution.parameters();
  std::ofstream(argv[2], std::ios::binary)
      .write(reinterpret_cast<const char*>(parameters.data()),
             static_cast<std::streamsize>(parameters.size() * sizeof(double)));
}
