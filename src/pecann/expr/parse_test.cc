#include "pecann/expr/parse.h"

#include <gtest/gtest.h>

#include <chrono>

#include "pecann/base/input_error.h"
#include "pecann/expr/test_evaluation.h"

namespace pecann::expr {
namespace {

Scope example() {
  Scope scope;
  scope.coordinates = {"x", "y", "t"};
  scope.time = "t";
  scope.constants = {{"k", 3}, {"kappa_0", 0.5}};
  scope.fields = {"u", "v", "T_s"};
  scope.field_inputs = {{"v", {"x"}}};
  scope.parameters = {"nu"};
  scope.exact = {{"u", sin(coordinate("x")) * coordinate("t")}};
  scope.data = {"data.u"};
  scope.functions = {{"square", {{"a"}, "a*a"}},    {"flux", {{"w", "z"}, "k*d(w, z)"}},
                     {"source", {{}, "sin(pi*x)"}}, {"loop", {{"a"}, "1 + other(a)"}},
                     {"other", {{"a"}, "loop(a)"}}, {"wrong", {{"a"}, "a + bb"}},
                     {"slope", {{"w"}, "w_x"}}};
  return scope;
}

std::string read(const std::string& text) { return to_string(parse(text, example())); }

double number(const std::string& text) { return value_at(parse(text, example()), {{"x", 0.5}, {"y", 2}, {"t", 3}}); }

TEST(ParseTest, PrecedenceAndAssociation) {
  EXPECT_EQ(number("2 + 3*4 - 6/3"), 12);
  EXPECT_EQ(number("2^3^2"), 512);
  EXPECT_EQ(number("-2^2"), -4);
  EXPECT_EQ(number("2^-1"), 0.5);
  EXPECT_EQ(number("8/4/2"), 1);
  EXPECT_EQ(number("1 - 2 - 3"), -4);
  EXPECT_EQ(number("2*-3"), -6);
  EXPECT_EQ(number("--3 + +1"), 4);
  EXPECT_EQ(number("1 + 2 < 4"), 1);
  EXPECT_EQ(number("(1 > 2) + (2 >= 2) + (1 == 1) + (1 != 1) + (3 <= 2)"), 2);
  EXPECT_EQ(number("1.5e1 + .5 + 2e-1*5"), 16.5);
}

TEST(ParseTest, NamesAndFunctions) {
  EXPECT_DOUBLE_EQ(number("sin(pi*x) + log(e) + k*kappa_0 + tanh(0)"), 1 + 1 + 1.5);
  EXPECT_EQ(number("if(x < y, 10, 20) + max(1, 5, 3) + min(x, y)"), 15.5);
  EXPECT_EQ(number("and(x < y, y < t) + or(x > y, 0) + not(x > y)"), 2);
  EXPECT_EQ(number("square(x + y)"), 6.25);
  EXPECT_EQ(read("u*nu + T_s"), "u*nu + T_s");
  EXPECT_EQ(read("u - data.u"), "u - data.u");
  EXPECT_EQ(read("source"), "sin(3.141592653589793*x)");
  EXPECT_EQ(read("e"), "2.718281828459045");
  Scope scope = example();
  scope.constants["e"] = 7;
  EXPECT_TRUE(parse("e", scope).is_constant(7));
  scope.constants["pi"] = 3;
  EXPECT_THROW(parse("pi", scope), InputError);
}

TEST(ParseTest, Derivatives) {
  EXPECT_EQ(read("u_xx + u_xy + u_yx"), "u_xx + 2*u_xy");
  EXPECT_EQ(read("T_s_x"), "T_s_x");
  EXPECT_EQ(read("d(u, x, t) + d(u^2, x)"), "u_tx + 2*u*u_x");
  EXPECT_EQ(read("laplacian(u)"), "u_xx + u_yy");
  EXPECT_EQ(read("v_t + v_x"), "v_x");
  EXPECT_EQ(read("d(exact.u, x, x)"), "-sin(x)*t");
  EXPECT_EQ(read("exact.u_t"), "sin(x)");
  EXPECT_EQ(read("flux(u*x, x)"), "3*(u_x*x + u)");
  EXPECT_EQ(read("flux(u, y) + slope(u)"), "3*u_y + u_x");
  EXPECT_EQ(read("source_x"), "3.141592653589793*cos(3.141592653589793*x)");
  Scope scope;
  scope.coordinates = {"x1", "x2", "x"};
  scope.fields = {"u"};
  EXPECT_EQ(to_string(parse("u_x1x2 + u_xx", scope)), "d(u, x1, x2) + u_xx");
}

TEST(ParseTest, Sites) {
  EXPECT_EQ(read("at(u, x = 1) - at(u, x = -1)"), "at(u, x = 1) - at(u, x = -1)");
  EXPECT_EQ(read("at(u*x + y, x = 2*t)"), "2*at(u, x = 2*t)*t + y");
  EXPECT_EQ(read("at(at(u, x = x + 1), x = 2)"), "at(u, x = 3)");
  EXPECT_EQ(read("d(at(u, x = 2*x), x)"), "2*at(u_x, x = 2*x)");
  EXPECT_EQ(read("at(u_t, x = data.u)"), "at(u_t, x = data.u)");  // a measured place
}

TEST(ParseTest, EquationsAreDifferences) {
  EXPECT_EQ(to_string(parse_equation("u_t = nu*u_xx + 1", example())), "-1 + u_t - nu*u_xx");
  EXPECT_EQ(to_string(parse_equation("u - 1", example())), "-1 + u");
}

struct Refused {
  const char* text;
  int column;
  const char* rule;  // part of the message
  const char* hint;
};

TEST(ParseTest, ErrorsNameTheColumnAndTheRemedy) {
  for (const Refused& c : {
           Refused{"", 1, "empty", ""},
           Refused{"   ", 4, "empty", ""},
           Refused{"u + w", 5, "unknown name 'w'", "known: "},
           Refused{"2*kappa_1", 3, "unknown name 'kappa_1'", "did you mean 'kappa_0'"},
           Refused{"u_z", 1, "'z' in 'u_z' is not a run of coordinates", "known: "},
           Refused{"d(u, k)", 6, "'k' is not a coordinate", "known: "},
           Refused{"d(u, 2)", 6, "name of a coordinate is missing", ""},
           Refused{"d(u)", 1, "needs a coordinate", "d(expression, x)"},
           Refused{"coss(x)", 1, "unknown function 'coss'", "did you mean 'cos'"},
           Refused{"k(x + 1)", 1, "'k' is not a function", "*"},
           Refused{"2 + sin(x, y)", 5, "'sin' takes 1 argument, 2 given", ""},
           Refused{"if(x, y)", 1, "'if' takes 3 arguments, 2 given", ""},
           Refused{"min(x)", 1, "'min' takes at least 2 arguments, 1 given", ""},
           Refused{"square(x, y)", 1, "'square' takes 1 argument, 2 given", ""},
           Refused{"square + 1", 1, "needs its arguments", "square(…)"},
           Refused{"(u + 1", 7, "')' is missing for the '(' of column 1", ""},
           Refused{"sin(x", 6, "')' is missing for the '(' of column 4", ""},
           Refused{"u + 1)", 6, "unexpected ')'", "no '('"},
           Refused{"2x", 2, "unexpected 'x'", "products are written with *"},
           Refused{"(2 x)", 4, "')' is missing", "products are written with *"},
           Refused{"x ** 2", 3, "'**' has no meaning", "^"},
           Refused{"x $ 2", 3, "stray character '$'", ""},
           Refused{"x + \xC3\xBC", 5, "not ASCII", ""},
           Refused{"1e999", 1, "out of range", ""},
           Refused{"x/(1 - 1)", 10, "division by zero", ""},
           Refused{"1e300*1e300", 12, "finite", ""},
           Refused{"u_xxxxx", 1, "order above 4", "add a field"},
           Refused{"d(u_xxx, x, x)", 1, "order above 4", "add a field"},
           Refused{"u = 1 = 2", 7, "a second '='", "two equations"},
           Refused{"u == 0", 3, "'==' compares", "a single ="},
           Refused{"u = x == 0", 7, "'==' compares", "a single ="},
           Refused{"u > 0", 3, "'>' compares", "a = b"},
           Refused{"u != 0", 3, "'!=' compares", "a = b"},
           Refused{"at(u, x == 1)", 9, "'=' is missing", "at(u, x = 1)"},
           Refused{"at(u, x = v)", 11, "expression of coordinates", ""},
           Refused{"at(u, x = 1, x = 2)", 14, "replaced twice", ""},
           Refused{"at(u)", 1, "needs a coordinate", "at(u, x = 1)"},
           Refused{"(x < y < t)", 8, "do not chain", "and("},
           Refused{"u + ", 5, "missing before the end", ""},
           Refused{"u * * u", 5, "missing before '*'", ""},
           Refused{"1 + loop(x)", 5, "calls itself", "recursion"},
           Refused{"1 + wrong(x)", 5, "in the function 'wrong' = a + bb: column 5: unknown name 'bb'", "known: a, x"},
           Refused{"flux(u, 2*x)", 1, "the argument 'z' is not a coordinate", ""},
           Refused{"exact.w", 1, "unknown name 'exact.w'", "exact.u"},
           Refused{"u - d(data.u, x)", 5,
                   "the values of 'data.u' are known at the points only: they have no derivative",
                   "differentiate the field"},
           Refused{"d(u*x + sin(data.u), t)", 1, "'data.u' are known at the points only", "the field"},
           Refused{"u + data.u_x", 5, "'data.u' are known at the points only", "the field"},
           Refused{"laplacian(u - data.u)", 1, "'data.u' are known at the points only", "the field"},
           Refused{"2*slope(data.u)", 3, "in the function 'slope' = w_x: column 1: the values of 'data.u'",
                   "the field"},
           Refused{"flux(data.u^2, x)", 1, "in the function 'flux'", "the field"},
           Refused{"d(if(data.u < 1, u, v), x)", 1, "'data.u' are known at the points only", "the field"},
           Refused{"d(at(u, x = data.u), t)", 1, "'data.u' are known at the points only", "the field"},
           Refused{"u - at(data.u, x = 1)", 5, "'data.u' are known at the points only, not where at() looks",
                   "at(u, x = 1)"},
           Refused{"at(at(u, x = data.u), t = 1)", 1, "not where at() looks", "at(u, x = 1)"},
           Refused{"data.u_w", 1, "unknown name 'data.u_w'", "did you mean 'data.u'"},
       }) {
    SCOPED_TRACE(c.text);
    try {
      parse_equation(c.text, example());
      ADD_FAILURE() << "was accepted";
    } catch (const InputError& error) {
      EXPECT_EQ(error.parts().place.column, c.column) << error.what();
      EXPECT_NE(error.parts().rule.find(c.rule), std::string::npos) << error.what();
      EXPECT_NE(error.parts().hint.find(c.hint), std::string::npos) << error.what();
      EXPECT_TRUE(error.parts().key.empty());
    }
  }
  EXPECT_THROW(parse("u = 1", example()), InputError);
}

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

int column_of_refusal(const std::string& text) {
  try {
    parse(text, example());
  } catch (const InputError& error) {
    return error.parts().place.column;
  }
  return 0;
}

TEST(ParseTest, NestingAndLengthAreBounded) {
  EXPECT_EQ(read(repeated("(", 200) + "x" + repeated(")", 200)), "x");
  EXPECT_EQ(column_of_refusal(repeated("(", 201) + "x" + repeated(")", 201)), 201);
  EXPECT_EQ(column_of_refusal(repeated("(", 10'000)), 201);
  EXPECT_EQ(column_of_refusal(repeated("sin(", 10'000)), 4 * 200 + 4);
  EXPECT_GT(column_of_refusal(repeated("x^", 10'000) + "x"), 0);
  EXPECT_EQ(read(repeated("-", 10'000) + "x"), "x");
  EXPECT_GT(column_of_refusal("x" + repeated("/y", 10'000)), 0);
  EXPECT_EQ(column_of_refusal(repeated("x", std::size_t{1} << 21)), 1);
}

TEST(ParseTest, TheLongestTextsAreReadOrRefusedFast) {
  const auto begin = std::chrono::steady_clock::now();
  std::string sum, product;
  for (int i = 0; sum.size() < 99'900; ++i) sum += "+sin(" + std::to_string(i) + "*x)";
  for (int i = 0; product.size() < 99'900; ++i) product += "*(x+" + std::to_string(i) + ")";
  EXPECT_GT(parse(sum, example())->arguments.size(), 8'000u);
  EXPECT_GT(parse("1" + product, example())->arguments.size(), 10'000u);
  EXPECT_EQ(column_of_refusal(repeated("(x)+", 25'000)), 100'001);
  EXPECT_EQ(column_of_refusal(repeated("(x)+", 25'001)), 1);  // too long to begin with
  EXPECT_GT(column_of_refusal("d(1" + product + ", x)"), 0);  // a sum of 10,000 products
  EXPECT_GT(column_of_refusal(repeated("laplacian(", 100) + "exp(x*y)" + repeated(")", 100)), 0);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(seconds.count(), 20);  // on a machine with other work
}

TEST(ParseTest, FunctionsThatMultiplyAreRefusedFast) {
  Scope scope = example();
  scope.functions["f0"] = {{"a"}, "sin(a)*cos(a)"};
  for (int i = 1; i < 60; ++i) {
    const std::string inner = "f" + std::to_string(i - 1);
    scope.functions["f" + std::to_string(i)] = {{"a"}, inner + "(" + inner + "(a)) + " + inner + "(a + 1)"};
  }
  EXPECT_THROW(parse("f59(x)", scope), InputError);
}

TEST(ParseTest, MutatedTextsParseOrAreRefused) {
  const std::vector<std::string> good = {"laplacian(u) + k^2*u = laplacian(exact.u) + k^2*exact.u",
                                         "u_t + u*u_x - nu*u_xx",
                                         "at(u_x, x = 1) - at(u, x = -1, y = x*t)",
                                         "if(and(x < 0, y >= 2), 1e-3*u, max(v, square(u))) / (2 + T_s^2)",
                                         "d(k*d(u, x)*exp(-t), x, y) + 3.5e2*sin(pi*x)^3",
                                         "flux(u*v, x) - source + data.u*-2^-x"};
  const std::string alphabet = "()+-*/^=<>!,._ xytuvkdnie0123456789$\xC3";
  std::mt19937 generator(5);
  const auto below = [&](std::size_t bound) { return generator() % bound; };
  int parsed = 0, refused = 0;
  const Scope scope = example();
  for (int round = 0; round < 20'000; ++round) {
    std::string text = good[below(good.size())];
    for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
      const std::size_t place = below(text.size());
      switch (below(4)) {
        case 0:
          text.erase(place, 1 + below(3));
          break;
        case 1:
          text.insert(place, 1, alphabet[below(alphabet.size())]);
          break;
        case 2:
          text[place] = alphabet[below(alphabet.size())];
          break;
        default:
          text.insert(place, text.substr(below(text.size()), below(12)));
          break;
      }
      if (text.empty()) text = "u";
    }
    try {
      const Expr a = parse_equation(text, scope);
      ++parsed;
      ASSERT_TRUE(same(parse(to_string(a), scope), a)) << text << "\n" << to_string(a);
    } catch (const InputError& error) {
      ++refused;
      ASSERT_GT(error.parts().place.column, 0) << text << "\n" << error.what();
      ASSERT_LE(error.parts().place.column, static_cast<int>(text.size()) + 1) << text;
    }
  }
  EXPECT_GT(parsed, 1500);
  EXPECT_GT(refused, 1500);
}

/// Components of a text in x, y (and z) and t, as texts.
std::vector<std::string> components(const std::string& text, std::vector<std::string> space = {"x", "y"}) {
  Scope scope{.coordinates = std::move(space), .time = "t"};
  scope.coordinates.emplace_back("t");
  scope.coordinates.emplace_back("k");
  scope.family = {"k"};
  scope.fields = {"u", "v", "w", "p"};
  scope.functions = {{"velocity", {{}, "[u, v]"}}, {"twice", {{"a"}, "2*a"}}};
  scope.data = {"normal.x", "normal.y"};
  std::vector<std::string> texts;
  for (const Expr& component : parse_equations(text, scope)) texts.push_back(to_string(component));
  return texts;
}

TEST(VectorTest, WordsAreTheirComponents) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(components("grad(p)"), (Texts{"p_x", "p_y"}));
  EXPECT_EQ(components("div([u, v]) = 0"), (Texts{"u_x + v_y"}));
  EXPECT_EQ(components("div(x*grad(u))"), components("d(x*u_x, x) + d(x*u_y, y)"));
  EXPECT_EQ(components("dot([u, v], grad(u))"), (Texts{"u*u_x + v*u_y"}));
  EXPECT_EQ(components("curl([u, v])"), (Texts{"v_x - u_y"}));
  EXPECT_EQ(components("curl(p)"), (Texts{"p_y", "-p_x"}));
  EXPECT_EQ(components("curl([u, v, w])", {"x", "y", "z"}), (Texts{"w_y - v_z", "u_z - w_x", "v_x - u_y"}));
  EXPECT_EQ(components("laplacian([u, v])"), (Texts{"u_xx + u_yy", "v_xx + v_yy"}));
  EXPECT_EQ(components("dn([u, v])"), (Texts{"normal.x*u_x + normal.y*u_y", "normal.x*v_x + normal.y*v_y"}));
  EXPECT_EQ(components("d([u, v], t) = -grad(p) + 2*laplacian(velocity)"),
            (Texts{"u_t + p_x - 2*(u_xx + u_yy)", "v_t + p_y - 2*(v_xx + v_yy)"}));
  EXPECT_EQ(components("velocity_t/2 = 0"), (Texts{"0.5*u_t", "0.5*v_t"}));
  EXPECT_EQ(components("at([u, v], x = 1) = twice(velocity)"), (Texts{"at(u, x = 1) - 2*u", "at(v, x = 1) - 2*v"}));
  EXPECT_EQ(components("sqrt(dot(velocity, velocity))"), (Texts{"sqrt(u^2 + v^2)"}));
}

std::string vector_refusal(const std::string& text) {
  try {
    components(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(VectorTest, MistakesAreNamedWithTheFormThatWorks) {
  const auto expect = [](const std::string& text, const std::string& rule) {
    EXPECT_NE(vector_refusal(text).find(rule), std::string::npos) << vector_refusal(text);
  };
  expect("[u, v]*[u, v]", "write dot(a, b)");
  expect("[u, v] + 1", "a sum of a vector of 2 and a number");
  expect("[u, v] = [u, v, p]", "a sum of a vector of 2 and a vector of 3");
  expect("sin([u, v])", "a vector where a number is needed");
  expect("[u, v]^2", "a vector where a number is needed");
  expect("1/[u, v]", "a vector where a number is needed");
  expect("[u, v] <= 1", "a vector where a number is needed");
  expect("div(u)", "'div' takes a vector of 2, one component for each of x, y; given is a number");
  expect("div([u, v, w])", "given is a vector of 3");
  expect("grad([u, v])", "the gradient of a vector is a matrix");
  expect("[[u, v], p]", "a vector inside a vector");
  expect("dot(u, v)", "'dot' takes two vectors of the same size; given are a number and a number");
  expect("dot([u, v])", "'dot' takes 2 arguments, 1 given");
  expect("[u, v", "a ']' is missing for the '[' of column 1");
  expect("u]", "unexpected ']'");
  EXPECT_THROW(parse("[1, 2]", Scope{}), InputError);
}

}  // namespace
}  // namespace pecann::expr
