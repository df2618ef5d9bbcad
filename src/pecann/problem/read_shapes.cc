// [shapes] and domain: the shapes by the words of a table, and what is made of them.
#include <algorithm>
#include <cmath>
#include <map>

#include "pecann/expr/program.h"
#include "pecann/problem/scope.h"
#include "pecann/problem/sections.h"
#include "pecann/sampling/level_set.h"
#include "pecann/sampling/mesh_shape.h"
#include "pecann/sampling/shape_domain.h"
#include "pecann/sampling/shapes.h"

namespace pecann::problem {
namespace {

using sampling::ShapePointer;
using sampling::SpacePoint;

/// What a shape is read with: its item, and the problem around it.
struct ShapeText {
  const Item& item;
  const Problem& problem;
  std::vector<std::string> space;                             // names of the coordinates in space
  std::vector<std::pair<std::string, ShapePointer>>& groups;  // of cells, where the shape is a mesh that has some

  int dimension() const { return static_cast<int>(space.size()); }

  SpacePoint point(const Item& given) const {
    SpacePoint point = given.numbers();
    if (static_cast<int>(point.size()) != dimension())
      given.refuse("must have " + std::to_string(dimension()) + " numbers, one for each coordinate in space");
    return point;
  }
};

ShapePointer read_ball(const ShapeText& text) {
  Section section = text.item.table();
  const SpacePoint centre = text.point(section.require("centre", "as in centre = [0, 0]"));
  const double radius = section.require("radius", "as in radius = 0.5").number(kPositive);
  section.finish();
  return sampling::ball(centre, radius);
}

/// { lower = [0, 0], upper = [1, 2] }, or ranges as of coordinates: { x = [0, 1] }, with the others as they are.
ShapePointer read_box(const ShapeText& text) {
  Section section = text.item.table();
  SpacePoint lower, upper;
  if (section.has("lower") || section.has("upper")) {
    lower = text.point(section.require("lower", "as in lower = [0, 0]"));
    upper = text.point(section.require("upper", "as in upper = [1, 1]"));
  } else {
    for (const std::string& name : text.space) {
      const int c = text.problem.box.index_of(name);
      const auto range = section.find(name);
      const std::vector<double> ends =
          range ? range->numbers() : std::vector<double>{text.problem.box.lower[c], text.problem.box.upper[c]};
      if (ends.size() != 2) range->refuse("a range has two numbers, as in [0, 1]");
      lower.push_back(ends[0]);
      upper.push_back(ends[1]);
    }
  }
  section.finish();
  for (std::size_t c = 0; c < lower.size(); ++c)
    if (!(lower[c] < upper[c])) text.item.refuse("a box goes from smaller to larger numbers");
  return sampling::box_shape(lower, upper);
}

ShapePointer read_ellipsoid(const ShapeText& text) {
  Section section = text.item.table();
  const SpacePoint centre = text.point(section.require("centre", "as in centre = [0, 0]"));
  const Item radii = section.require("radii", "as in radii = [2, 1]");
  const SpacePoint given = text.point(radii);
  if (!std::all_of(given.begin(), given.end(), [](double radius) { return radius > 0; }))
    radii.refuse("radii are above 0");
  section.finish();
  return sampling::ellipsoid(centre, given);
}

ShapePointer read_polygon(const ShapeText& text) {
  std::vector<std::array<double, 2>> corners;
  for (const Item& corner : text.item.items()) {
    const SpacePoint point = text.point(corner);
    corners.push_back({point[0], point[1]});
  }
  const std::string fault = sampling::polygon_fault(corners);
  if (!fault.empty()) text.item.refuse(fault);
  return sampling::polygon(corners);
}

ShapePointer read_cylinder(const ShapeText& text) {
  Section section = text.item.table();
  const SpacePoint from = text.point(section.require("from", "the middle of one end, as in from = [0, 0, 0]"));
  const SpacePoint to = text.point(section.require("to", "the middle of the other end, as in to = [0, 0, 1]"));
  const double radius = section.require("radius", "as in radius = 0.5").number(kPositive);
  section.finish();
  if (from == to) text.item.refuse("the ends of a cylinder are two different points");
  return sampling::cylinder(from, to, radius);
}

ShapePointer read_half_space(const ShapeText& text) {
  Section section = text.item.table();
  const SpacePoint point = text.point(section.require("point", "a point of its plane, as in point = [0, 0]"));
  const Item normal = section.require("normal", "the direction out of it, as in normal = [1, 0]");
  const SpacePoint direction = text.point(normal);
  section.finish();
  if (std::all_of(direction.begin(), direction.end(), [](double c) { return c == 0; }))
    normal.refuse("a normal is not zero");
  return sampling::half_space(point, direction);
}

sampling::Bounds ranges_in_space(const ShapeText& text) {
  sampling::Bounds around;
  for (const std::string& name : text.space) {
    const int c = text.problem.box.index_of(name);
    around.lower.push_back(text.problem.box.lower[c]);
    around.upper.push_back(text.problem.box.upper[c]);
  }
  return around;
}

/// file = "part.msh": a path that is not absolute starts in the folder of the problem's file.
ShapePointer read_mesh_file(const ShapeText& text) {
  const std::string path = resolved_path(text.item.text(), text.problem.source);
  try {
    sampling::MeshShapes shapes = sampling::mesh_shapes(mesh::read_mesh(path), ranges_in_space(text));
    text.groups = std::move(shapes.volumes);
    return shapes.whole;
  } catch (const InputError& error) {
    if (error.parts().place.line > 0) throw;  // a line of the mesh says more than the line of its name
    text.item.refuse(error.parts().rule + (error.parts().value.empty() ? "" : ": " + error.parts().value),
                     error.parts().hint);
  }
}

/// where = "x^2 + y^2 < 1": the level is the difference of the two sides.
ShapePointer read_level_set(const ShapeText& text) {
  expr::Scope scope = scope_of(text.problem);
  scope.coordinates = text.space;
  scope.fields.clear();
  scope.parameters.clear();
  scope.time.clear();
  scope.tables.clear();  // the domain has to be known to exported headers, which have no tables
  const expr::Expr condition = parse_at(text.item, text.item.text(), scope);
  if (condition->kind != expr::Kind::Less && condition->kind != expr::Kind::LessEqual)
    text.item.refuse("must be one comparison, as in \"x^2 + y^2 < 1\"", "join several shapes with &, + and -");
  std::vector<expr::Expr> parts = {condition->arguments[0] - condition->arguments[1]};
  for (const std::string& name : text.space) parts.push_back(expr::derivative(parts[0], name));
  const auto evaluate = [parts, names = text.space](const sampling::SpacePoints& points, std::vector<double>& values,
                                                    sampling::Columns& gradient) {
    values.resize(points.count);
    gradient.assign(names.size(), std::vector<double>(points.count));
    std::map<std::string, const double*> columns;
    std::vector<double*> results = {values.data()};
    for (std::size_t c = 0; c < names.size(); ++c) {
      columns[names[c]] = points.columns[c];
      results.push_back(gradient[c].data());
    }
    expr::evaluate_columns(parts, columns, points.count, results);
  };
  const auto cpp = [condition, space = text.space](std::span<const std::string> names) {
    std::map<std::string, std::string> called;
    for (std::size_t c = 0; c < space.size(); ++c) called[space[c]] = names[c];
    return expr::to_cpp(condition, called);
  };
  return sampling::level_set(evaluate, ranges_in_space(text), text.item.text(), cpp);
}

struct ShapeRow {
  const char* word;
  int least, most;  // dimensions
  ShapePointer (*read)(const ShapeText&);
  bool turns = false;  // angle, axis and about may stand beside it
};
constexpr int kAny = 1000;
constexpr ShapeRow kShapes[] = {{"disc", 2, 2, read_ball},
                                {"ball", 1, kAny, read_ball},
                                {"box", 1, kAny, read_box, true},
                                {"ellipse", 2, 2, read_ellipsoid, true},
                                {"ellipsoid", 3, 3, read_ellipsoid, true},
                                {"polygon", 2, 2, read_polygon, true},
                                {"cylinder", 3, 3, read_cylinder},
                                {"half-space", 1, kAny, read_half_space},
                                {"where", 2, 3, read_level_set},
                                {"file", 2, 3, read_mesh_file}};

constexpr const char* kTurnWords[] = {"angle", "axis", "about"};

/// { box = { … }, angle = "pi/6" }: turned about the middle of the shape or the point `about`, in space round `axis`.
ShapePointer read_turn(Section& section, const ShapeRow& row, const ShapeText& text, ShapePointer shape) {
  const auto angle = section.find("angle"), axis = section.find("axis"), about = section.find("about");
  for (const auto& item : {angle, axis, about})
    if (item && !row.turns) {
      std::string turning;
      for (const ShapeRow& other : kShapes)
        if (other.turns) turning += (turning.empty() ? "" : ", ") + std::string(other.word);
      item->refuse("a " + std::string(row.word) + " is not turned; these are: " + turning);
    }
  if (!angle) {
    if (axis) axis->refuse("is for shapes with an angle");
    if (about) about->refuse("is for shapes with an angle");
    return shape;
  }
  if (text.dimension() != 2 && text.dimension() != 3) angle->refuse("shapes are turned in two or three dimensions");
  sampling::Turn turn{.angle = angle->number()};
  const sampling::Bounds bounds = shape->bounds();
  for (std::size_t c = 0; c < bounds.lower.size(); ++c) turn.about.push_back(0.5 * (bounds.lower[c] + bounds.upper[c]));
  if (about) turn.about = text.point(*about);
  if (text.dimension() == 2) {
    if (axis)
      axis->refuse("is for three dimensions; in the plane a shape turns from the first coordinate to the second");
  } else if (axis) {
    turn.axis = text.point(*axis);
    if (std::all_of(turn.axis.begin(), turn.axis.end(), [](double c) { return c == 0; }))
      axis->refuse("an axis is not zero");
  } else {
    angle->refuse("an angle in space needs an axis", "as in axis = [0, 0, 1]");
  }
  return sampling::turned(std::move(shape), turn);
}

ShapePointer read_shape(const Item& item, const Problem& problem, const std::vector<std::string>& space,
                        std::vector<std::pair<std::string, ShapePointer>>& groups) {
  Section section = item.table();
  const auto entries = section.entries();
  std::vector<std::string> known;
  std::string listed;
  for (const ShapeRow& row : kShapes) {
    known.emplace_back(row.word);
    listed += (listed.empty() ? "" : ", ") + known.back();
  }
  std::vector<std::size_t> words;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (std::find(std::begin(kTurnWords), std::end(kTurnWords), entries[i].first) == std::end(kTurnWords))
      words.push_back(i);
  if (words.size() != 1) item.refuse("a shape is one of " + listed, "as in { disc = { centre = [0, 0], radius = 1 } }");
  const auto& [word, given] = entries[words[0]];
  for (const ShapeRow& row : kShapes) {
    if (row.word != word) continue;
    const int dimension = static_cast<int>(space.size());
    if (dimension < row.least || dimension > row.most)
      given.refuse("a " + (word == "file" ? std::string("mesh") : word) + " has " + std::to_string(row.least) +
                   (row.most == kAny       ? " or more"
                    : row.most > row.least ? " or " + std::to_string(row.most)
                                           : "") +
                   " coordinates in space; the problem has " + std::to_string(dimension));
    const ShapeText text{given, problem, space, groups};
    return read_turn(section, row, text, row.read(text));
  }
  given.refuse("is no shape: " + listed, hint_for(word, known));
}

bool is_name(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  return !name.empty() && name.size() <= 64 && letter(name[0]) && std::all_of(name.begin(), name.end(), inner);
}

bool is_taken_name(const std::string& name) {
  bool taken = name == sampling::kBoxName || name == "inside";
  for (const sampling::RegionWord& word : sampling::region_words()) taken = taken || name == word.word;
  return taken;
}

void check_name(const Item& item, const std::string& name) {
  if (!is_name(name))
    item.refuse("'" + shortened(name) + "' cannot name a shape", "names have letters, digits and _, a letter first");
  if (is_taken_name(name)) item.refuse("'" + name + "' names something of every problem and cannot name a shape");
}

using MeshGroups = std::vector<std::pair<std::string, std::vector<std::pair<std::string, ShapePointer>>>>;

/// The groups of cells of meshes are shapes too. Where the name of one cannot stand in `domain`, or is not the only
/// one, it
/// is part.NAME.
void add_groups(const MeshGroups& all, std::vector<sampling::NamedShape>& shapes) {
  std::map<std::string, int> uses;
  for (const sampling::NamedShape& shape : shapes) ++uses[shape.name];
  for (const auto& [part, groups] : all)
    for (const auto& [name, shape] : groups) ++uses[name];
  for (const auto& [part, groups] : all)
    for (const auto& [name, shape] : groups) {
      const bool plain = is_name(name) && !is_taken_name(name) && uses[name] == 1;
      shapes.push_back({plain ? name : part + "." + name, shape, part, name});
    }
}

}  // namespace

void read_shapes(Section& root, Problem& problem) {
  const auto domain = root.find("domain");
  auto section = root.section("shapes");
  if (!section && !domain) return;
  if (!problem.box.family.empty())
    (domain ? *domain : *root.find("shapes"))
        .refuse("shapes go with coordinates of space and t, not with role = \"parameter\"");
  std::vector<std::string> space;
  for (int c = 0; c < problem.box.dimension(); ++c)
    if (c != problem.box.time) space.push_back(problem.box.names[c]);
  std::vector<sampling::NamedShape> shapes;
  MeshGroups groups;
  if (section) {
    for (const auto& [name, item] : section->entries()) {
      if (space.empty()) item.refuse("the problem has no space for shapes");
      check_name(item, name);
      groups.push_back({name, {}});
      shapes.push_back({name, read_shape(item, problem, space, groups.back().second)});
    }
  }
  add_groups(groups, shapes);
  const std::string text = domain ? domain->text() : sampling::kBoxName;
  if (shapes.empty() && text == sampling::kBoxName) return;
  try {
    problem.domain = sampling::shape_domain(problem.box, text, std::move(shapes));
  } catch (const InputError& error) {
    for (const auto& [name, item] : section ? section->entries() : std::vector<std::pair<std::string, Item>>())
      if (error.parts().key == item.path()) item.refuse(error.parts().rule, error.parts().hint);
    if (domain) domain->refuse(error.parts().rule, error.parts().hint);
    root.find("shapes")->refuse(error.parts().rule, error.parts().hint);
  }
}

}  // namespace pecann::problem
