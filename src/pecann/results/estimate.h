// How large the error of a trained solution is, as far as that can be told without the exact one: what `estimate`
// computes (estimate/estimate.h), summary.json carries and the verdict judges by.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pecann::results {

struct FieldEstimate {
  std::string field;
  double relative_l2 = 0;    // of the error, over the norm of the field
  double low = 0, high = 0;  // between which it lies where it is trusted
  bool trusted = false;
  bool good = false;    // trusted within a fourth; else within a factor of two
  std::string decided;  // in words: by what it is trusted or not
};

struct ScalarEstimate {  // of a trainable scalar
  std::string name;
  double value = 0;
  double standard_error = 0;  // of the noise in the data, from the Gauss–Newton matrix; NaN where there is none
};

/// Where the estimated error of a field is large: trained − corrected solution on the nodes of a picture
/// (picture_grid.h), NaN outside of the domain.
struct ErrorMap {
  std::string field;
  std::vector<std::string> coordinates;
  std::vector<std::vector<double>> axes;
  std::string slider;
  std::vector<double> frames;
  std::map<std::string, double> fixed;
  std::vector<float> values;  // [frame][second][first]
};

/// Of one trial, the best one of a run.
struct RunEstimate {
  int trial = 1;
  std::vector<FieldEstimate> fields;  // empty where none could be made; `decided` says why
  std::vector<ScalarEstimate> scalars;
  std::string decided;
  double seconds = 0;          // that it took, apart from training
  std::vector<ErrorMap> maps;  // of trusted fields whose error has a shape; in a file of their own (error_maps.h)
};

}  // namespace pecann::results
