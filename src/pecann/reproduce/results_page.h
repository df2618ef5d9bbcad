// The results page: every table with the published figures beside ours, from the files of a ResultStore.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "pecann/reproduce/document.h"
#include "pecann/reproduce/estimate.h"
#include "pecann/reproduce/result_store.h"

namespace pecann::reproduce {

/// A row at a budget in figures; columns of `measures` in their order.
struct RowFigures {
  int trials = 0;
  std::vector<std::vector<double>> errors;          // [measure][trial]
  double epochs = 0, evaluations = 0, seconds = 0;  // means per trial
  bool wall = false;                                // seconds hold wall time of some units
  std::string seeds;                                // "1–5"
  std::string commits;
  double load = 0;  // largest known
  bool superseded = false;
};
RowFigures figures_of(const RowResults& results, const std::vector<std::string>& measures);

/// "(5.42 ± 2.41)e-3", "5.42e-3" for a spread that is not a number.
std::string figure_text(double mean, double std);

/// The mean, or the paper's words, or its bound; "–" where there is none of them.
std::string published_text(const Published& published);

/// `figures` names for some tables a page with their histories and fields, to be linked.
Document results_page(const std::vector<Table>& tables, const std::vector<Finding>& findings, const ResultStore& store,
                      const Estimates& estimates, const std::map<std::string, std::string>& figures = {});

}  // namespace pecann::reproduce
