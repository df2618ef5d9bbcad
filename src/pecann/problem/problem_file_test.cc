#include "pecann/problem/problem_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "pecann/base/input_error.h"
#include "pecann/problem/catalogue.h"
#include "pecann/problem/test_problem.h"
#include "pecann/sampling/sampler.h"

namespace pecann::problem {
namespace {

using sampling::PointRule;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST(ProblemFileTest, ReadsEveryPart) {
  const Problem problem = read_problem(kHeatText, "heat.toml");
  EXPECT_EQ(problem.title, "Heat");
  EXPECT_THAT(problem.box.names, ElementsAre("x", "t"));  // as written, not sorted
  EXPECT_EQ(problem.box.time, 1);
  EXPECT_DOUBLE_EQ(problem.box.upper[0], 2 * M_PI);
  EXPECT_EQ(problem.constants.at("c"), 6);  // 2*b, b = 3, though c is written first
  EXPECT_THAT(problem.functions.at("f").arguments, ElementsAre("a", "b2"));
  ASSERT_EQ(problem.networks.size(), 2u);
  EXPECT_THAT(problem.networks[0].inputs, ElementsAre("x", "t"));
  EXPECT_THAT(problem.networks[1].inputs, ElementsAre("x"));
  EXPECT_EQ(problem.networks[0].name, "network-1");
  EXPECT_EQ(*problem.networks[0].fourier_sigma, 6);
  EXPECT_EQ(problem.parameters[0].name, "nu");
  EXPECT_EQ(*problem.parameters[0].exact, 0.5);
  EXPECT_EQ(*problem.parameters[1].exact, 4);  // from [exact]
  ASSERT_EQ(problem.terms.size(), 4u);
  EXPECT_EQ(problem.terms[0].points.kind, PointRule::Kind::Sobol);
  EXPECT_EQ(problem.terms[0].points.redraw_every, 1);
  EXPECT_EQ(problem.terms[0].residuals.size(), 2u);
  EXPECT_EQ(problem.terms[1].regions.size(), 2u);
  EXPECT_EQ(problem.terms[1].regions[0]->name(), "x = 0");
  EXPECT_DOUBLE_EQ(problem.terms[1].regions[1]->flat_parts()[0][0].value(), 2 * M_PI);
  EXPECT_TRUE(problem.terms[1].regions[1]->choice().closed);
  EXPECT_FALSE(problem.terms[1].regions[0]->choice().closed);
  EXPECT_EQ(problem.terms[1].aggregate, Aggregate::Pointwise);
  EXPECT_EQ(*problem.terms[1].eta, 0.5);
  EXPECT_EQ(problem.terms[2].points_of, "sides");
  EXPECT_TRUE(sampling::same_regions(problem.terms[2].regions, problem.terms[1].regions));
  EXPECT_EQ(problem.terms[2].distance, Distance::Absolute);
  EXPECT_EQ(problem.terms[3].data->noise, 0.03);
  EXPECT_EQ(problem.terms[3].batch, 16u);
  EXPECT_EQ(problem.phases.size(), 2u);
  EXPECT_EQ(problem.phases[0].schedule.options.at("factor"), 0.9);
  EXPECT_EQ(problem.phases[1].options.at("history"), 50);
  EXPECT_EQ(*problem.stop.seconds, 60);
  EXPECT_THAT(problem.evaluate.grid, ElementsAre(201, 201));
  EXPECT_EQ(problem.trials, 3);
  EXPECT_EQ(problem.seed, 9007199254740991u);
}

TEST(ProblemFileTest, WrittenProblemIsTheSameProblem) {
  const Problem problem = read_problem(kHeatText, "heat.toml");
  const std::string text = write_problem(problem);
  EXPECT_EQ(write_problem(read_problem(text, "again.toml")), text);
  EXPECT_THAT(text, HasSubstr("x = [0, 6.283185307179586]"));
}

TEST(ProblemFileTest, ReadsWhatTheReportShows) {
  const Problem problem = read_problem(kHeatText, "heat.toml");
  EXPECT_THAT(problem.report.profiles.at("t"), testing::ElementsAre(0, 1.0 / 3));
  EXPECT_THAT(problem.report.profiles.at("x"), testing::ElementsAre(3));
  EXPECT_THAT(problem.report.contours, testing::ElementsAre(0.25, 0.75));
  const std::vector<std::string> shorter = {"coordinates.x=[0, 1]", "term.sides.region=\"x = 0\""};
  EXPECT_THAT(read_problem(kHeatText, "heat.toml", shorter).report.profiles.at("x"), testing::IsEmpty())
      << "a place outside of the domain is left out";
  const Problem vortex = read_problem(kSpaceTimeText, "vortex.toml");
  EXPECT_THAT(vortex.report.snapshots, testing::ElementsAre(0, 4, 8));
  EXPECT_THAT(vortex.report.contours, testing::ElementsAre(0.5));
  EXPECT_THAT(vortex.report.contour_times, testing::ElementsAre(4));
  EXPECT_EQ(write_problem(read_problem(write_problem(vortex), "again.toml")), write_problem(vortex));
}

TEST(ProblemFileTest, UnitsAreOfNamesThatPicturesShow) {
  const std::vector<std::string> units = {"units.x=mm", "units.t=s", "units.b=1/s", "units.nu=\"m²/s\""};
  const Problem problem = read_problem(kHeatText, "heat.toml", units);
  EXPECT_EQ(problem.units.at("nu"), "m²/s");
  EXPECT_EQ(problem.units.size(), 4u);
  EXPECT_EQ(write_problem(read_problem(write_problem(problem), "again.toml")), write_problem(problem));
  const auto message = [](const std::string& change) {
    try {
      read_problem(kHeatText, "heat.toml", std::vector<std::string>{change});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("units.y=mm"), HasSubstr("'y' is no coordinate, field, constant"));
  EXPECT_THAT(message("units.x=\"\""), HasSubstr("a unit is a text of at most 24 bytes"));
  EXPECT_THAT(message("units.x=3"), HasSubstr("must be"));
}

TEST(ProblemFileTest, NumbersThatAreNoIntegersOfTomlAreReadAgain) {
  for (const char* value : {"555555555555555555555+0", "2.0^63", "-2.0^63", "-2.0^64", "1e300", "1e-300", "-0.0"}) {
    const std::vector<std::string> overrides = {std::string("constants.big=") + value};
    const Problem problem = read_problem(kHeatText, "heat.toml", overrides);
    const Problem again = read_problem(write_problem(problem), "again.toml");
    EXPECT_EQ(again.constants.at("big"), problem.constants.at("big")) << value;
    EXPECT_EQ(write_problem(again), write_problem(problem)) << value;
  }
}

TEST(ProblemFileTest, AWrittenProblemKnowsWhereItCameFrom) {
  const Problem problem = read_problem(kHeatText, "heat.toml", {}, "quick");
  const Problem again = read_problem(write_problem(problem), "runs/heat/problem.toml");
  EXPECT_EQ(again.origin, "heat.toml");
  EXPECT_EQ(again.recipe, "quick");
  EXPECT_EQ(again.source, "runs/heat/problem.toml");
  EXPECT_EQ(read_problem(write_problem(again), "third.toml").origin, "heat.toml");
}

TEST(ProblemFileTest, FeaturesAndGradedPointsSurvive) {
  const std::string text = R"(title = "features"
coordinates = { x = [0, 1], y = [0, 1] }
[[network]]
fields = ["u"]
features = 300
activation = "sin"
scale = SCALE
graded = 1e-5
[[term]]
name = "pde"
role = "objective"
region = "interior"
equation = "laplacian(u) = 1"
points = { sobol = 50, graded = 1e-4 }
[[phase]]
optimizer = "solve"
epochs = 1
)";
  const auto with = [&](const std::string& scale, const std::string& more = "") {
    std::string changed = text;
    changed.replace(changed.find("SCALE"), 5, scale + more);
    return read_problem(changed, "features.toml");
  };
  const auto refusal = [&](const std::string& scale, const std::string& more = "") -> std::string {
    try {
      with(scale, more);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  const Problem problem = with("[2, 8]"), again = read_problem(write_problem(problem), "again.toml");
  ASSERT_TRUE(again.networks[0].features);
  EXPECT_EQ(*again.networks[0].features, (network::Features{{2, 8}, 1e-5}));
  EXPECT_EQ(again.networks[0].hidden, std::vector<int>{300});
  EXPECT_EQ(again.terms[0].points.graded, 1e-4);
  EXPECT_EQ(with("3").networks[0].features->scale, (std::vector<double>{3, 3}));
  EXPECT_THAT(refusal("[2, 8, 4]"), testing::HasSubstr("there are 3 scales for 2 inputs"));
  EXPECT_THAT(refusal("-1"), testing::HasSubstr("network.1.scale"));
  EXPECT_THAT(refusal("3", "\nhidden = [8]"), testing::HasSubstr("leave out either features or hidden"));
}

TEST(ProblemFileTest, TitlesWithQuotesAndControlCharactersSurvive) {
  Problem problem = read_problem(kHeatText, "heat.toml");
  problem.title = "a \"b\" \\ c\nd\te\x01 é";
  EXPECT_EQ(read_problem(write_problem(problem), "again.toml").title, problem.title);
}

TEST(ProblemFileTest, DefaultsDependOnTheOptimizer) {
  const Problem problem = read_problem(kHeatText, "heat.toml");
  EXPECT_EQ(problem.phases[0].learning_rate, 1e-3);
  EXPECT_EQ(problem.phases[1].learning_rate, 1);
}

TEST(OverrideTest, ReachesEveryKindOfPlace) {
  const std::vector<std::string> overrides = {"constants.b=4",
                                              "term.sides.points.grid=[5,7]",
                                              "network.1.hidden=[10, 20]",
                                              "network.second.hidden=[3]",
                                              "phase.2.epochs=5",
                                              "penalty.strategy=mpu",
                                              "stop.loss = 1e-6",
                                              "trials=2",
                                              "windows.start=\"previous\"",
                                              "coordinates.x=[0, 1]",
                                              "term.sides.region=[\"x = 0\", \"x = 1\"]",
                                              "parameters.nu.initial=0.25",
                                              "constants.extra=2^3*b"};
  const Problem problem = read_problem(kHeatText, "heat.toml", overrides);
  EXPECT_EQ(problem.constants.at("c"), 8);
  EXPECT_EQ(problem.constants.at("extra"), 32);
  EXPECT_THAT(problem.terms[1].points.grid, ElementsAre(5, 7));
  EXPECT_THAT(problem.networks[0].hidden, ElementsAre(10, 20));
  EXPECT_THAT(problem.networks[1].hidden, ElementsAre(3));
  EXPECT_EQ(problem.phases[1].epochs, 5);
  EXPECT_EQ(problem.penalty.strategy, "mpu");
  EXPECT_EQ(*problem.stop.loss, 1e-6);
  EXPECT_EQ(*problem.stop.seconds, 60);
  EXPECT_EQ(problem.trials, 2);
  EXPECT_EQ(problem.windows.usual.start, WindowStart::Previous);
  EXPECT_THAT(problem.box.names, ElementsAre("x", "t"));  // a new range does not move the coordinate
  EXPECT_EQ(problem.box.upper[0], 1);
  EXPECT_EQ(problem.parameters[0].initial, 0.25);
  EXPECT_EQ(*problem.parameters[0].upper, 2);
}

TEST(OverrideTest, ErrorsNameTheCommandLineAndTheKey) {
  const auto message = [](const std::string& assignment) -> std::string {
    try {
      read_problem(kHeatText, "heat.toml", std::vector{assignment});
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message("constants.b"),
              HasSubstr("command line: constants.b: its value is missing; an override is written key=value"));
  EXPECT_THAT(message("=3"), HasSubstr("empty part"));
  EXPECT_THAT(message("a..b=3"), HasSubstr("empty part"));
  EXPECT_THAT(message("constants.b="), HasSubstr("the value is empty"));
  EXPECT_THAT(message("constants.b=[1"), HasSubstr("not valid TOML"));
  EXPECT_THAT(
      message("term.pdq.points.sobol=3"),
      HasSubstr("command line: term.pdq.points.sobol = 3: no [[term]] has the name 'pdq'; did you mean 'pde'?"));
  EXPECT_THAT(message("phase.7.epochs=3"), HasSubstr("there are 2 of [[phase]], counted from 1"));
  EXPECT_THAT(message("phase.0.epochs=3"), HasSubstr("counted from 1"));
  EXPECT_THAT(message("phase.1=3"), HasSubstr("name a key of the table"));
  EXPECT_THAT(message("phase.1.epochs=many"),
              HasSubstr("command line: phase.1.epochs = 'many': must be a number, or an expression of constants"));
  EXPECT_THAT(message("term.sides.points.grid=[5]"),
              HasSubstr("command line: term.sides.points.grid = [ 5 ]: the grid has 1 entries"));
  EXPECT_THAT(message("term.sides.points.sobol=100"), HasSubstr("give one of grid, gauss, sobol"));
  EXPECT_THAT(message("penalty.stratgy=mpu"),
              HasSubstr("command line: penalty.stratgy: unknown key; did you mean 'strategy'?"));
  EXPECT_THAT(message("penalty.strategy=mpux"), HasSubstr("did you mean 'mpu'?"));
  EXPECT_THAT(message("recipe.quick.set=[]"), HasSubstr("use --recipe NAME"));
  EXPECT_THAT(message("windows.check={start=\u03e1-9}"), HasSubstr("not valid TOML"));
  EXPECT_THAT(message("title.x=3"), HasSubstr("'title' is a value, not a table"));
  EXPECT_THAT(message("term.pde.equation=u_t = u_xz"), HasSubstr("command line: term.pde.equation"));
}

TEST(RecipeTest, ChangesTrainingAndAnythingBySet) {
  const Problem own = read_problem(kHeatText, "heat.toml");
  EXPECT_EQ(own.recipe, "");  // the file has phases of its own and no recipe "best"
  EXPECT_THAT(own.recipes, ElementsAre("quick", "other"));
  const Problem quick = read_problem(kHeatText, "heat.toml", {}, "quick");
  EXPECT_EQ(quick.recipe, "quick");
  EXPECT_EQ(quick.phases.size(), 1u);
  EXPECT_EQ(quick.phases[0].epochs, 7);
  EXPECT_EQ(quick.penalty.strategy, "mpu");
  EXPECT_EQ(*quick.penalty.eta, 0.25);  // merged: the recipe does not speak of it
  EXPECT_THAT(quick.networks[0].hidden, ElementsAre(4));
  EXPECT_EQ(quick.constants.at("b"), 1);
  // The command line has the last word.
  EXPECT_EQ(
      read_problem(kHeatText, "heat.toml", std::vector<std::string>{"phase.1.epochs=9"}, "quick").phases[0].epochs, 9);
}

TEST(RecipeTest, TermsReplaceThoseOfTheirNameOrAreAdded) {
  const std::string text = kHeatText + R"toml(
[[recipe.terms.term]]
name = "pde"
role = "objective"
region = "interior"
equation = "u_t = 2*u_xx + g"
points = { sobol = 7, near = 5, density = "abs(u_x) + 2*residual", pool = 60, redraw = 4 }
[[recipe.terms.term]]
name = "hold"
role = "objective"
weight = 1e-5
equation = "w = 0"
points = { same_as = "pde" }
)toml";
  const Problem own = read_problem(text, "heat.toml"), other = read_problem(text, "heat.toml", {}, "terms");
  ASSERT_EQ(other.terms.size(), own.terms.size() + 1);
  for (std::size_t t = 0; t < own.terms.size(); ++t) EXPECT_EQ(other.terms[t].name, own.terms[t].name);
  EXPECT_EQ(other.terms.back().name, "hold");
  const auto& pde =
      *std::find_if(other.terms.begin(), other.terms.end(), [](const TermSpec& term) { return term.name == "pde"; });
  EXPECT_THAT(pde.equation_texts, ElementsAre("u_t = 2*u_xx + g"));
  ASSERT_TRUE(pde.near);
  EXPECT_EQ(pde.near->count, 5u);
  EXPECT_EQ(pde.near->pool, 60u);
  EXPECT_TRUE(pde.near->density->reads_data);
  EXPECT_EQ(write_problem(read_problem(write_problem(other), "heat.toml")), write_problem(other));
}

TEST(WindowsTest, TriesTakeOverWhatTheyDoNotSay) {
  const auto windows = [](std::vector<std::string> overrides) {
    return read_problem(kHeatText, "heat.toml", overrides).windows;
  };
  const WindowSpec plain = windows({"windows.grow=3", "windows.start=previous"});
  EXPECT_EQ(plain.first.grow, 3);
  EXPECT_EQ(plain.first.start, WindowStart::Previous);
  EXPECT_EQ(plain.retry.grow, 6) << "twice as many parts";
  EXPECT_EQ(plain.retry.epochs, 2);
  EXPECT_EQ(plain.retry.start, WindowStart::Fresh);
  const WindowSpec own = windows({"windows.grow=3", "windows.first={grow=8, epochs=1.5}",
                                  "windows.retry={start=\"previous\", grow=4}", "windows.check={pde=1e-3}"});
  EXPECT_EQ(own.usual.grow, 3);
  EXPECT_EQ(own.first.grow, 8);
  EXPECT_EQ(own.first.epochs, 1.5);
  EXPECT_EQ(own.retry.grow, 4);
  EXPECT_EQ(own.retry.start, WindowStart::Previous);
  EXPECT_EQ(own.check.at("pde"), 1e-3);
}

TEST(RecipeTest, ChoosesByNameThenBestThenOwnThenPaper) {
  const auto chosen = [](std::string text, const std::string& wanted) {
    return read_problem(text, "p.toml", {}, wanted).recipe;
  };
  const std::string recipes = "\n[recipe.paper]\n[[recipe.paper.phase]]\noptimizer = \"adam\"\nepochs = 1\n";
  EXPECT_EQ(chosen(kSmallText, ""), "");
  EXPECT_EQ(chosen(kSmallText + recipes, ""), "paper");
  EXPECT_EQ(chosen(kSmallText + recipes, "none"), "");
  EXPECT_EQ(chosen(kSmallText + recipes + "[recipe.best]\n", ""), "best");
  EXPECT_EQ(chosen(kSmallText + recipes + "[recipe.best]\n", "paper"), "paper");
  EXPECT_EQ(chosen(kSmallText + "\n[[phase]]\noptimizer = \"lbfgs\"\nepochs = 3\n" + recipes, ""), "");
  try {
    chosen(kSmallText + recipes, "papr");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("recipe = papr: the problem has no such recipe; did you mean 'paper'?"));
  }
}

TEST(RecipeTest, ErrorsInASetNameItsLine) {
  const std::string text = kSmallText + "\n[recipe.odd]\nset = [\n  \"seed=3\",\n  \"network.1.hidden=0\",\n]\n";
  try {
    read_problem(text, "p.toml", {}, "odd");
    FAIL();
  } catch (const InputError& error) {
    const int line =
        static_cast<int>(std::count(text.begin(), text.begin() + text.find("network.1.hidden=0"), '\n')) + 1;
    EXPECT_EQ(error.parts().place.file, "p.toml");
    EXPECT_EQ(error.parts().place.line, line);
    EXPECT_EQ(error.parts().key, "network.1.hidden");
  }
}

TEST(DataTest, FilesAreFoundBesideTheProblem) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "pecann_problem_file_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "obs.csv") << "x,temperature\n0.25,1\n0.5,2\n";
  const std::string term =
      "\n[[term]]\nname = \"data\"\nrole = \"objective\"\nequation = \"u = data.u\"\n"
      "data = { file = \"obs.csv\", u = \"COLUMN\" }\n";
  const auto read = [&](std::string column) {
    std::string text = kSmallText + term;
    text.replace(text.find("COLUMN"), 6, column);
    std::ofstream(folder / "p.toml") << text;
    return load_problem((folder / "p.toml").string());
  };
  const Problem problem = read("temperature");
  EXPECT_EQ(problem.terms[1].data->file, (folder / "obs.csv").string());
  EXPECT_EQ(problem.terms[1].points_file, (folder / "obs.csv").string());
  // The written file may lie anywhere: paths in it are absolute.
  const std::string text = write_problem(problem);
  EXPECT_EQ(write_problem(read_problem(text, "elsewhere/p.toml")), text);
  try {
    read("temprature");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean 'temperature'?"));
    EXPECT_EQ(error.parts().key, "term.data.data");
  }
  std::filesystem::remove_all(folder);
  EXPECT_THROW(read("temperature"), InputError);
  // What was read stays, and one file is one table.
  EXPECT_EQ(problem.terms[1].points_table->column("x"), (std::vector<double>{0.25, 0.5}));
  EXPECT_EQ(problem.terms[1].data->table->column("temperature"), (std::vector<double>{1, 2}));
  EXPECT_EQ(problem.terms[1].points_table, problem.terms[1].data->table);
  // A problem of the catalogue has no folder: files that `--set` names are looked for in the current one.
  const std::vector<std::string> overrides = {"reference=beam.csv"};
  EXPECT_EQ(load_problem("gallery/beam", overrides).reference, (std::filesystem::current_path() / "beam.csv").string());
}

}  // namespace
}  // namespace pecann::problem
