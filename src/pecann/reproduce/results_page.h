// The results page: every table with the published figures beside ours, from the files of a ResultStore.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/reproduce/document.h"
#include "pecann/reproduce/estimate.h"
#include "pecann/reproduce/result_store.h"

namespace pecann::reproduce {

/// The figures of a row at a budget. The errors are in the order of `measures`.
struct RowFigures {
  int trials = 0;
  std::vector<std::vector<double>> errors;          // [measure][trial]
  double epochs = 0, evaluations = 0, seconds = 0;  // means per trial
  bool wall = false;                                // the seconds are wall time for some units
  std::string seeds;                                // "1–5"
  std::string commits;
  double load = 0;  // the largest known one
  bool superseded = false;
};
RowFigures figures_of(const RowResults& results, const std::vector<std::string>& measures);

/// A figure as papers print it: "(5.42 ± 2.41)e-3", or "5.42e-3" where the spread is not a number.
std::string figure_text(double mean, double std);

/// The published mean, or the paper's words, or its bound; "–" where there is none of them.
std::string published_text(const Published& published);

/// The whole page. `figures` gives for some tables the name of a page with their histories and fields, which is linked.
Document results_page(const std::vector<Table>& tables, const std::vector<Finding>& findings, const ResultStore& store,
                      const Estimates& estimates, const std::map<std::string, std::string>& figures = {});

}  // namespace pecann::reproduce
