// What stands for networks and points that a problem file leaves out: a start that suits small and middling problems,
// which the training, or the search for an accuracy, may change. Both are functions of the problem alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pecann/problem/problem.h"

namespace pecann::problem {

/// A network for fields with the same inputs: two hidden layers of 20 units on a line, of 30 for one field of two
/// coordinates, of 40 else. Levenberg–Marquardt takes all of them.
NetworkSpec automatic_network(std::string name, std::vector<std::string> fields, std::vector<std::string> inputs);

/// Points inside for a problem of so many coordinates: about two for every parameter of its automatic network.
std::size_t automatic_points_inside(int coordinates);

/// Sobol points for each piece of a term's regions, where one that fills the domain has `inside`. Parts of the boundary
/// get four times as many as lie at the distances of the points inside, since conditions carry the data of a problem,
/// but not more than those inside together.
std::size_t points_for_piece(const Problem& problem, const TermSpec& term, double inside);

/// True where points may be drawn near the residual: the term fills the domain with points of a rule, and nothing
/// belongs to single points of them (measured data, multipliers, quadrature).
bool can_follow_residual(const Problem& problem, const TermSpec& term);

/// Makes a term draw so many points besides its own where its residual is large, and all of them anew every
/// kEpochsOfDraw epochs: second-order steps use one draw for a while, and what a network hides between its points is
/// seen by the next one.
void draw_near_residual(TermSpec& term, std::size_t count);
inline constexpr int kEpochsOfDraw = 20;

/// Terms whose points the file leaves open get three quarters of them, and as many near the residual, where that is
/// possible. Fronts are missed without: viscous Burgers with 2,000 fixed points fits them to 1e-6 and has a residual of
/// 0.1 between them.
void follow_residual(Problem& problem);

/// False where windows cannot hand the state over: no condition at the first time, one at a single later time, or
/// points that belong to the whole of time; and where there are windows already.
bool can_be_cut(const Problem& problem);

/// The problem in so many time windows of equal length, each with inputs that run over its own time and begun where the
/// one before it ends.
Problem cut_into_windows(Problem problem, int count);

}  // namespace pecann::problem
