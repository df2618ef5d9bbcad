// What users get wrong: each case changes one place of a good file and must be refused with its key, line and remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pecann/base/input_error.h"
#include "pecann/problem/problem_file.h"
#include "pecann/problem/test_problem.h"

namespace pecann::problem {
namespace {

struct BadFile {
  const char* name;
  const char* from;       // text of the good file …
  const char* to;         // … and what the user wrote
  const char* key;        // key that must be named
  const char* message;    // part of the rule or hint
  const char* line = "";  // text that begins the line to be named; empty: the one of `to`
};

const BadFile kBadFiles[] = {
    {"ProfileOfNothing", "x = [3] }", "y = [3] }", "report.profiles.y", "'y' is no coordinate"},
    {"ProfileTwice", "x = [3] }", "x = [3, 3] }", "report.profiles.x", "a value comes twice"},
    {"ProfileEmpty", "x = [3] }", "x = [] }", "report.profiles.x", "the list is empty"},
    {"SnapshotsOfOneDimension", "contours = [0.25, 0.75]", "snapshots = [0]", "report.snapshots",
     "two coordinates in space and t"},
    {"ContourTimes", "contours = [0.25, 0.75]", "contours = { levels = [0.5], t = [1] }", "report.contours.t",
     "two coordinates in space and t"},
    {"ContoursWithoutLevels", "contours = [0.25, 0.75]", "contours = { level = [0.5] }", "report.contours.levels",
     "is 'level' meant to be 'levels'?"},
    {"ReportUnknownKey", "contours = [0.25, 0.75]", "contour = [0.25, 0.75]", "report.contour",
     "did you mean 'contours'?"},
    {"NotToml", "title = \"Heat\"", "title = \"Heat", "", "not valid TOML"},
    {"DuplicateKey", "trials = 3", "trials = 3\ntrials = 4", "", "not valid TOML", "trials = 4"},
    {"UnknownTopKey", "trials = 3", "trails = 3", "trails", "did you mean 'trials'?"},
    {"UnknownSection", "[penalty]", "[penalties]", "penalties", "did you mean 'penalty'?"},
    {"TableMisspelt", "[exact]", "[exakt]", "term.w-sides.equation", "is 'exakt' meant to be 'exact'?",
     "equation = \"w = exact.w\""},
    {"TitleIsNumber", "title = \"Heat\"", "title = 3", "title", "must be a text in quotes"},
    {"TrialsNotWhole", "trials = 3", "trials = 2.5", "trials", "must be a whole number"},
    {"TrialsZero", "trials = 3", "trials = 0", "trials", "of at least 1"},
    {"SeedNegative", "seed = 9007199254740991", "seed = -1", "seed", "of at least 0"},
    {"CoordinatesMissing", "coordinates = {", "coordinate = {", "coordinates",
     "is 'coordinate' meant to be 'coordinates'?", "title"},
    {"RangeReversed", "t = [0, 1] }", "t = [1, 0] }", "coordinates.t", "from a smaller to a larger"},
    {"RangeOfThree", "t = [0, 1] }", "t = [0, 1, 2] }", "coordinates.t", "two numbers"},
    {"RangeNotFinite", "t = [0, 1] }", "t = [0, inf] }", "coordinates.t", "finite number"},
    {"RangeNotNumber", "t = [0, 1] }", "t = [0, true] }", "coordinates.t", "must be a number"},
    {"RangeUnknownName", "\"2*pi\"", "\"2*pie\"", "coordinates.x", "did you mean 'pi'?"},
    {"CoordinateReserved", "{ x = [0", "{ pi = [0", "coordinates.pi", "has a meaning in equations"},
    {"CoordinateNotName", "{ x = [0", "{ 2x = [0", "coordinates.2x", "cannot name a coordinate"},
    {"ConstantCycle", "b = 3", "b = \"c + 1\"", "constants", "is defined by itself", "c ="},
    {"ConstantText", "b = 3", "b = \"three\"", "constants.b", "unknown name 'three'"},
    {"ConstantNan", "b = 3", "b = nan", "constants.b", "finite number"},
    {"ConstantTable", "b = 3", "b = { }", "constants.b", "must be a number"},
    {"NameTaken", "b = 3", "b = 3\nx = 1", "coordinates.x", "is the name of a constant already", "coordinates"},
    {"FunctionSyntax", "\"sin(x)*exp(-t)\"", "\"sin(x)*exp(-t\"", "functions.s", "column"},
    {"FunctionUnknownName", "\"a^2 + b2\"", "\"a^2 + b3\"", "functions.f(a, b2)", "unknown name 'b3'"},
    {"FunctionRecursive", "\"sin(x)*exp(-t)\"", "\"sin(x)*s\"", "functions.s", "calls itself"},
    {"FunctionSignature", "\"f(a, b2)\"", "\"f(a, b2\"", "functions.f(a, b2", "a function is written"},
    {"ExactOfNothing", "u = \"exp(-t)*sin(x)\"", "v = \"exp(-t)*sin(x)\"", "exact.v", "neither a field"},
    {"ExactOfCoordinates", "u = \"exp(-t)*sin(x)\"", "s = 1\nu = \"exp(-t)*sin(x)\"", "exact.s", "depends on no field"},
    {"ExactUnknownName", "u = \"exp(-t)*sin(x)\"", "u = \"exp(-t)*sin(y)\"", "exact.u", "unknown name 'y'"},
    {"ExactCycle", "u = \"exp(-t)*sin(x)\"", "u = \"exact.w\"", "exact", "is defined by itself"},
    {"ParameterOutOfBounds", "initial = 1,", "initial = 3,", "parameters.nu", "between the bounds"},
    {"ParameterUnknownKey", "lower = 0.1", "lowr = 0.1", "parameters.nu.lowr", "did you mean 'lower'?"},
    {"ParameterLogNegative", "initial = 2, log", "initial = -2, log", "parameters.k", "starts above 0"},
    {"NetworkMissing", "hidden = [20, 20]", "hiden = [20, 20]", "network.1.hidden", "is 'hiden' meant to be 'hidden'?",
     "[[network]]"},
    {"HiddenEmpty", "hidden = [20, 20]", "hidden = []", "network.1.hidden", "at least one hidden layer"},
    {"HiddenZero", "hidden = [20, 20]", "hidden = [20, 0]", "network.1.hidden", "of at least 1"},
    {"HiddenAbsurd", "hidden = [8]", "hidden = [100000, 100000]", "network.2.hidden", "8e+10 bytes"},
    {"FourierOdd", "hidden = [20, 20]", "hidden = [21, 20]", "network.1.hidden", "must be even"},
    {"FourierNegative", "sigma = \"c\"", "sigma = -1", "network.1.fourier.sigma", "above 0"},
    {"FourierNotTable", "fourier = { sigma = \"c\" }", "fourier = 1", "network.1.fourier", "must be a table"},
    {"ActivationUnknown", "activation = \"sin\"", "activation = \"tanhh\"", "network.1.activation",
     "did you mean 'tanh'?"},
    {"InputUnknown", "inputs = [\"x\"]", "inputs = [\"y\"]", "network.2.inputs", "'y' is no coordinate"},
    {"InputTwice", "inputs = [\"x\"]", "inputs = [\"x\", \"x\"]", "network.2.inputs", "there twice"},
    {"FieldTwice", "fields = [\"g\"]", "fields = [\"u\"]", "network.2.fields", "is the name of a field already"},
    {"FieldLikeDerivative", "fields = [\"g\"]", "fields = [\"g\", \"u_x\"]", "network.2.fields",
     "reads as a derivative"},
    {"NetworkUnused", "u_t = nu*u_xx + g", "u_t = nu*u_xx", "network.2", "no equation mentions", "[[network]]\nname"},
    {"NetworkNotList", "[[network]]\nname", "[network]\nname", "", "not valid TOML"},
    {"TermNameMistyped", "name = \"pde\"", "nam = \"pde\"", "term.term-1.nam", "did you mean 'name'?"},
    {"TermNameTwice", "name = \"data\"", "name = \"pde\"", "term.4.name", "two terms have this name",
     "name = \"pde\"\nrole = \"objective\"\nregion = {"},
    {"TermNameNumber", "name = \"data\"", "name = \"4\"", "term.4.name", "is not a number"},
    {"RoleUnknown", "role = \"objective\"\nregion = \"interior\"", "role = \"objektive\"\nregion = \"interior\"",
     "term.pde.role", "did you mean 'objective'?"},
    {"RegionUnknown", "region = \"interior\"", "region = \"interor\"", "term.pde.region", "did you mean 'interior'?"},
    {"RegionNumber", "region = \"interior\"", "region = 3", "term.pde.region", "must be a text"},
    {"RegionOutside", "\"x = 0\"", "\"x = -1\"", "term.sides.region", "outside the range of 'x'"},
    {"RegionPointOutside", "region = \"interior\"", "region = { x = 7 }", "term.pde.region.x",
     "outside the range of 'x'; it goes from"},
    {"RegionNoCoordinate", "\"x = 0\"", "\"z = 0\"", "term.sides.region", "'z' is no coordinate"},
    {"RegionEmptyList", "region = \"interior\"", "region = []", "term.pde.region", "is empty"},
    {"RegionBadValue", "\"x = 0\"", "\"x = left\"", "term.sides.region", "is not a number"},
    {"RegionKey", "closed = true }]", "close = true }]", "term.sides.region.close", "did you mean 'closed'?"},
    {"EquationMissing", "equation = \"u = 0\"", "equatoin = \"u = 0\"", "term.sides.equation", "is 'equatoin' meant",
     "[[term]]\nname = \"sides\""},
    {"EquationUnknownName", "equation = \"u = 0\"", "equation = \"uu = 0\"", "term.sides.equation",
     "unknown name 'uu'"},
    {"EquationUnknownDerivative", "equation = \"u = 0\"", "equation = \"u_y = 0\"", "term.sides.equation",
     "not a run of coordinates"},
    {"EquationSyntax", "equation = \"u = 0\"", "equation = \"u = = 0\"", "term.sides.equation", "column"},
    {"EquationWithoutField", "equation = \"u = 0\"", "equation = \"x = 0\"", "term.sides.equation",
     "mentions no field"},
    {"EquationEmptyList", "equation = \"u = 0\"", "equation = []", "term.sides.equation", "is empty"},
    {"EquationData", "equation = \"u = 0\"", "equation = \"u = data.u\"", "term.sides.equation",
     "unknown name 'data.u'"},
    {"EquationDouble", "equation = \"u = 0\"", "equation = \"u == 0\"", "term.sides.equation", "write a single ="},
    {"EquationStrict", "equation = \"u = 0\"", "equation = \"u > 0\"", "term.sides.equation", "write >="},
    {"ObjectiveInequality", "[\"u_t = nu*u_xx + g\"", "[\"u_t - nu*u_xx - g >= 0\"", "term.pde.equation",
     "make the term a constraint"},
    {"IntegralPointwise", "equation = \"u = 0\"", "equation = \"integral(u) = 0\"", "term.sides.equation",
     "leave out aggregate"},
    {"IntegralBesideField", "\"u_t = nu*u_xx + g\", \"w = f(u, k) + s\"", "\"integral(u + g + w) = u\"",
     "term.pde.equation", "write integral(u)"},
    {"IntegralOfNothing", "\"u_t = nu*u_xx + g\", \"w = f(u, k) + s\"", "\"integral(x) = 1\"", "term.pde.equation",
     "mentions no field"},
    {"IntegralAmongPoints", "\"u_t = nu*u_xx + g\"", "\"integral(u + g) = 1\"", "term.pde.equation", "make two terms"},
    {"IntegralOfWhat", "\"u_t = nu*u_xx + g\"", "\"integral(u + g, over = x) = 1\"", "term.pde.equation",
     "over = space"},
    {"SlicesOfRandomPoints", "\"u_t = nu*u_xx + g\", \"w = f(u, k) + s\"", "\"integral(u + g + w, over = space) = 1\"",
     "term.pde.points", "use gauss", "points = { sobol = 100"},
    {"FunctionIntegral", "\"sin(x)*exp(-t)\"", "\"integral(x)\"", "functions.s", "in the equation of a term"},
    {"PointsNoRule", "{ sobol = 100, redraw = true }", "{ redraw = true }", "term.pde.points", "give one of"},
    {"PointsTwoRules", "{ sobol = 100, redraw = true }", "{ sobol = 100, latin = 3 }", "term.pde.points",
     "give one of"},
    {"PointsUnknownRule", "{ sobol = 100, redraw = true }", "{ sobl = 100 }", "term.pde.points.sobl",
     "did you mean 'sobol'?"},
    {"PointsZero", "{ sobol = 100, redraw = true }", "{ sobol = 0 }", "term.pde.points.sobol", "of at least 1"},
    {"PointsNegative", "{ grid = [9, 9] }", "{ grid = [9, -9] }", "term.sides.points.grid", "of at least 1"},
    {"PointsAbsurd", "{ sobol = 100, redraw = true }", "{ sobol = 1e15 }", "term.pde.points.sobol", "1.6e+16 bytes"},
    {"GridAbsurd", "{ sobol = 100, redraw = true }", "{ grid = [31622778, 31622778] }", "term.pde.points",
     "1e+15 points need"},
    {"GridShort", "{ grid = [9, 9] }", "{ grid = [9] }", "term.sides.points.grid", "1 entries, the problem has 2"},
    {"GridEmptyRegion", "{ sobol = 100, redraw = true }", "{ grid = [2, 9] }", "term.pde.points",
     "no point lies in the region"},
    {"GridRedraw", "{ grid = [9, 9] }", "{ grid = [9, 9], redraw = 1 }", "term.sides.points.redraw",
     "nothing to redraw"},
    {"NearWithoutDensity", "{ sobol = 100, redraw = true }", "{ sobol = 100, near = 50 }", "term.pde.points",
     "near needs a density"},
    {"DensityWithoutNear", "{ sobol = 100, redraw = true }", "{ sobol = 100, density = \"residual\" }",
     "term.pde.points.density", "add near = 1000"},
    {"DensityUnknownName", "{ sobol = 100, redraw = true }", "{ sobol = 100, near = 9, density = \"residul\" }",
     "term.pde.points.density", "did you mean 'residual'?"},
    {"PointwiseNear", "{ grid = [9, 9] }", "{ grid = [9, 9], near = 9, density = \"x\" }", "term.sides.points.near",
     "belong to points that stay"},
    {"DataNear", "{ latin = 64 }", "{ latin = 64, near = 5, density = \"x\" }", "term.data", "drawn by a density",
     "[[term]]\nname = \"data\""},
    {"PointwiseRedraw", "{ grid = [9, 9] }", "{ sobol = 9, redraw = 1 }", "term.sides", "multipliers belong to points",
     "[[term]]\nname = \"sides\""},
    {"PointwiseBatch", "eta = 0.5", "batch = 4", "term.sides", "multipliers belong to points",
     "[[term]]\nname = \"sides\""},
    {"PointwiseObjective", "weight = 2", "aggregate = \"pointwise\"", "term.pde.aggregate",
     "only constraints are point-wise"},
    {"SharedUnknown", "same_as = \"sides\"", "same_as = \"side\"", "term.w-sides.points.same_as",
     "did you mean 'sides'?"},
    {"SharedItself", "same_as = \"sides\"", "same_as = \"w-sides\"", "term.w-sides.points.same_as", "its own points"},
    {"PointsFileMissing", "{ sobol = 100, redraw = true }", "{ file = \"none.csv\" }", "term.pde.region",
     "come from a file", "region = \"interior\""},
    {"EtaOfObjective", "weight = 2", "eta = 2", "term.pde.eta", "eta belongs to constraints"},
    {"WeightOfConstraint", "eta = 0.5", "weight = 0.5", "term.sides.weight", "weight belongs to objectives"},
    {"WeightNegative", "weight = 2", "weight = -2", "term.pde.weight", "above 0"},
    {"DistanceUnknown", "distance = \"absolute\"", "distance = \"abs\"", "term.w-sides.distance", "must be one of"},
    {"DataUnknown", "exact = [\"u\"]", "exact = [\"g\"]", "term.data.data.exact", "[exact] has no 'g'"},
    {"DataNoise", "noise = \"b/100\"", "noise = -1", "term.data.data.noise", "of at least 0"},
    {"DataTwoSources", "exact = [\"u\"]", "exact = [\"u\"], file = \"a.csv\"", "term.data.data", "give either"},
    {"DataRedrawn", "{ latin = 64 }", "{ latin = 64, redraw = 5 }", "term.data", "cannot be redrawn",
     "[[term]]\nname = \"data\""},
    {"DataDerivative", "\"u = data.u\"", "\"u = d(data.u*x, x)\"", "term.data.equation",
     "the values of 'data.u' are known at the points only"},
    {"DataElsewhere", "\"u = data.u\"", "\"u = at(data.u, x = 1)\"", "term.data.equation", "not where at() looks"},
    {"DataOfSharedPoints", "same_as = \"sides\" }", "same_as = \"sides\" }\ndata = { exact = [\"u\"] }", "term.w-sides",
     "the points of 'sides', which has other data or none", "[[term]]\nname = \"w-sides\""},
    {"BatchZero", "batch = 16", "batch = 0", "term.data.batch", "of at least 1"},
    {"StrategyUnknown", "strategy = \"capu\"\neta", "strategy = \"kapu\"\neta", "penalty.strategy",
     "did you mean 'capu'?"},
    {"PenaltyEta", "eta = 0.25", "eta = 0", "penalty.eta", "above 0"},
    {"OptimizerUnknown", "optimizer = \"lbfgs\"", "optimizer = \"lbfg\"", "phase.2.optimizer", "did you mean 'lbfgs'?"},
    {"EpochsMissing", "epochs = 20", "epoch = 20", "phase.2.epochs", "is 'epoch' meant to be 'epochs'?",
     "[[phase]]\noptimizer = \"lbfgs\""},
    {"EpochsTooMany", "epochs = 20", "epochs = 1e12", "phase.2.epochs", "of at most 2147483647"},
    {"ScheduleUnknown", "schedule = \"step\"", "schedule = \"steps\"", "phase.1.schedule", "did you mean 'step'?"},
    {"ScheduleKey", "schedule = \"step\"", "schedule = { kind = \"step\", patience = 3 }", "phase.1.schedule.patience",
     "unknown key"},
    {"ModeOfAdam", "schedule = \"step\"", "mode = \"compatible\"", "phase.1.mode", "only lbfgs has a mode"},
    {"OptionText", "history = 50", "history = \"many\"", "phase.2.options.history", "must be a number"},
    {"StopSeconds", "seconds = 60", "seconds = 0", "stop.seconds", "above 0"},
    {"StopUnknown", "seconds = 60", "minutes = 1", "stop.minutes", "unknown key"},
    {"EvaluateGrid", "[stop]", "[evaluate]\ngrid = [3]\n[stop]", "evaluate.grid", "1 entries", "grid = [3]"},
    {"EvaluateMeasure", "[stop]", "[evaluate]\nmeasures = [\"l3\"]\n[stop]", "evaluate.measures", "must be one of",
     "measures"},
    {"EvaluateMeasureOfTheSource", "[stop]", "[evaluate]\nmeasures = [\"projected\"]\n[stop]", "evaluate.measures",
     "needs reference = \"helmholtz-source\"", "measures"},
    {"EvaluateSite", "[stop]", "[evaluate]\nat = { q = { t = 0 } }\n[stop]", "evaluate.at.q", "'q' is no field",
     "at ="},
    {"WindowsZero", "[stop]", "[windows]\ncount = 0\n[stop]", "windows.count", "of at least 1", "count = 0"},
    {"WindowsCheckTerm", "[stop]", "[windows]\ncheck = { pdf = 1 }\n[stop]", "windows.check.pdf", "did you mean 'pde'?",
     "check ="},
    {"WindowsRetryKey", "[stop]", "[windows]\nretry = { epoch = 2 }\n[stop]", "windows.retry.epoch",
     "did you mean 'epochs'?", "retry ="},
    {"WindowsGrowZero", "[stop]", "[windows]\ngrow = 0\n[stop]", "windows.grow", "of at least 1", "grow = 0"},
    {"WindowsExtrapolateFourier", "[stop]", "[windows]\nnormalise = \"window\"\nstart = \"extrapolate\"\n[stop]",
     "windows", "is fixed (Fourier or random features)", "[windows]"},
    {"RecipeTermNoName", "stop = { epochs = 3 }", "term = [{ role = \"objective\" }]", "recipe.other.term.1.name",
     "is missing", "term = ["},
    {"Reference", "trials = 3", "reference = \"helmholz\"", "reference", "must be \"helmholtz-source\""},
    {"ReferenceMisspelt", "trials = 3", "reference = \"helmholz-source\"", "reference",
     "did you mean 'helmholtz-source'?"},
    {"RecipeUnknownKey", "stop = { epochs = 3 }", "stopp = { epochs = 3 }", "recipe.other.stopp",
     "did you mean 'stop'?"},
    {"RecipeSetNotText", "\"constants.b=1\"]", "3]", "recipe.quick.set", "must be a text"},
};

class BadFileTest : public testing::TestWithParam<BadFile> {};

TEST_P(BadFileTest, IsRefusedWithPlaceAndRemedy) {
  const BadFile& bad = GetParam();
  std::string text = kHeatText;
  const std::size_t at = text.find(bad.from);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(bad.from).size(), bad.to);
  try {
    read_problem(text, "bad.toml");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(bad.message));
    EXPECT_THAT(error.parts().key, testing::StartsWith(bad.key)) << error.what();
    EXPECT_EQ(error.parts().place.file, "bad.toml");
    const std::size_t where = *bad.line ? text.find(bad.line) : at;
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(where), '\n');
    EXPECT_EQ(error.parts().place.line, line) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Users, BadFileTest, testing::ValuesIn(kBadFiles),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(SmallestFileTest, MessageSaysWhatIsMissing) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      read_problem(text, "bad.toml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message(kSmallText), "accepted");
  EXPECT_THAT(message(""), testing::HasSubstr("coordinates: is missing"));
  EXPECT_THAT(message("coordinates = { }"), testing::HasSubstr("at least one coordinate"));
  EXPECT_THAT(message("coordinates = { x = [0, 1] }"), testing::HasSubstr("fields: is missing"));
  EXPECT_THAT(message(kSmallText.substr(0, kSmallText.find("[[term]]"))), testing::HasSubstr("term: is missing"));
  EXPECT_THAT(message(kSmallText + "closed = true\nregion = \"initial\"\n"), testing::HasSubstr("not valid TOML"));
  std::string text = kSmallText;
  text.replace(text.find("interior"), 8, "initial");
  EXPECT_THAT(message(text), testing::HasSubstr("the problem has no time"));
  EXPECT_THAT(message(kSmallText + "[windows]\ncount = 2\n"), testing::HasSubstr("no coordinate named t"));
  text = kSmallText + "[windows]\ncount = 2\n";
  text.replace(text.find("[0, 1]"), 6, "[0, 1], t = [0, 1]");
  text.replace(text.find("[11]"), 4, "[11, 11]");
  EXPECT_THAT(message(text), testing::HasSubstr("no term has the region \"initial\""));
  EXPECT_THAT(message(std::string(20'000'000, ' ')), testing::HasSubstr("at most 10 MB"));
  EXPECT_THAT(message(std::string(100'000, '[')), testing::HasSubstr("not valid TOML"));
}

TEST(StopTest, ATargetThatNothingCanBeMeasuredByIsRefused) {
  const auto refused = [](const std::string& text) {
    try {
      read_problem(text, "bad.toml");
    } catch (const InputError& error) {
      return error.parts().key + " | " + error.what();
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused(kSmallText + "[stop]\nviolation = 1e-3\n"),
              testing::AllOf(testing::StartsWith("stop.violation | bad.toml:14"),
                             testing::HasSubstr("the problem has no constraint")));
  EXPECT_THAT(refused(kSmallText + "[stop]\nerror = 1e-3\n"),
              testing::AllOf(testing::StartsWith("stop.error | bad.toml:14"),
                             testing::HasSubstr("neither [exact] nor reference")));
  EXPECT_EQ(refused(kSmallText + "[exact]\nu = \"x\"\n[stop]\nerror = 1e-3\n"), "accepted");
  EXPECT_EQ(refused(kSmallText + "[stop]\nloss = 1e-3\n"), "accepted");
  std::string constrained = kSmallText;
  constrained.replace(constrained.find("objective"), 9, "constraint");
  EXPECT_EQ(refused(constrained + "[stop]\nviolation = 1e-3\n"), "accepted");
  EXPECT_THAT(refused(kSmallText + "[parameters]\nk = { initial = 1 }\n[exact]\nk = 2\n[stop]\nerror = 1\n"),
              testing::HasSubstr("neither [exact] nor reference"))
      << "the value of a parameter is no solution";
}

// Under the sanitizers this found that toml++ computes the width of such numbers with undefined conversions.
TEST(RefusedValueTest, ListsAndTablesAreShownWithAnyNumbers) {
  const auto value = [](const std::string& title) -> std::string {
    try {
      read_problem("title = " + title + "\n" + kSmallText, "bad.toml");
    } catch (const InputError& error) {
      return error.parts().value;
    }
    return "accepted";
  };
  EXPECT_EQ(value("[0.0009765625, -9223372036854775808, inf, nan]"),
            "[ 0.0009765625, -9223372036854775808, inf, nan ]");
  EXPECT_EQ(value("{ a = \"b\", c = [[], {}, true] }"), "{ a = 'b', c = [ [], {}, true ] }");
}

}  // namespace
}  // namespace pecann::problem
