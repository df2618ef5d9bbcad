#include "pecann/results/vtk_files.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "pecann/base/input_error.h"
#include "pecann/mesh/mesh.h"
#include "pecann/results/base64.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/grid.h"

namespace pecann::results {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// f(x, y, t) = x + 10 y + 100 t on a small grid, twice under odd names.
Prediction sample(std::vector<std::string> names, std::vector<double> upper, int time, std::vector<int> grid) {
  Prediction prediction;
  prediction.box = {std::move(names), std::vector<double>(grid.size(), 0.0), std::move(upper), time};
  prediction.grid = std::move(grid);
  prediction.points = sampling::grid_points(prediction.box, prediction.grid);
  prediction.names = {"u", "<\"u\"> & d(u, x)"};
  prediction.values.assign(2, std::vector<double>(prediction.points.count));
  for (std::size_t i = 0; i < prediction.points.count; ++i) {
    double value = 0, weight = 1;
    for (std::size_t c = 0; c < prediction.grid.size(); ++c, weight *= 10)
      value += weight * prediction.points.coordinates[c][i];
    prediction.values[0][i] = value;
    prediction.values[1][i] = -value;
  }
  return prediction;
}

/// Runs a script with python3-vtk9; false where that is not installed.
bool run_vtk(const TemporaryFolder& folder, const std::string& script) {
  if (std::system("/usr/bin/python3 -c 'import vtkmodules.vtkIOXML' 2>/dev/null") != 0) return false;
  write_text_file(folder / "read.py",
                  "import vtk\nfrom vtkmodules.util.numpy_support import vtk_to_numpy as array\n" + script);
  const int status =
      std::system(("/usr/bin/python3 '" + (folder / "read.py") + "' >'" + (folder / "out") + "' 2>&1").c_str());
  EXPECT_EQ(status, 0) << read_text_file(folder / "out");
  return true;
}

TEST(VtkFilesTest, Base64OfTheStandardsExamples) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string_view("\xff\x00\x80", 3)), "/wCA");
}

TEST(VtkFilesTest, VtkReadsAnImageWithTheSameValues) {
  const TemporaryFolder folder;
  EXPECT_THAT(write_vti(sample({"x", "y"}, {1, 3}, -1, {3, 4}), folder / "u.vti"), ElementsAre(folder / "u.vti"));
  if (!run_vtk(folder, "r = vtk.vtkXMLImageDataReader()\nr.SetFileName('" + (folder / "u.vti") + R"py(')
r.Update()
image = r.GetOutput()
assert image.GetDimensions() == (3, 4, 1), image.GetDimensions()
assert image.GetSpacing()[:2] == (0.5, 1.0), image.GetSpacing()
data = image.GetPointData()
assert data.GetNumberOfArrays() == 2
assert data.GetScalars().GetName() == data.GetArrayName(0), 'the first array is active'
assert data.GetArrayName(1) == '<"u"> & d(u, x)', data.GetArrayName(1)
for k in range(2):
    values = array(data.GetArray(k))
    for i in range(image.GetNumberOfPoints()):
        x, y, z = image.GetPoint(i)
        assert abs(values[i] - (x + 10 * y) * (1, -1)[k]) < 1e-12
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
}

TEST(VtkFilesTest, ATimeSeriesIsACollectionOfImages) {
  const TemporaryFolder folder;
  const auto files = write_vti(sample({"x", "y", "t"}, {1, 3, 2}, 2, {3, 4, 5}), folder / "u.vti");
  ASSERT_EQ(files.size(), 6u);
  EXPECT_EQ(files[0], folder / "u.pvd");
  EXPECT_EQ(files[5], folder / "u-0005.vti");
  const std::string list = read_text_file(files[0]);
  EXPECT_THAT(list, HasSubstr("<DataSet timestep=\"0.5\" part=\"0\" file=\"u-0002.vti\"/>"));
  if (!run_vtk(folder, "r = vtk.vtkXMLImageDataReader()\nr.SetFileName('" + files[2] + R"py(')
r.Update()
values = array(r.GetOutput().GetPointData().GetArray('u'))
for i in range(12):
    x, y, z = r.GetOutput().GetPoint(i)
    assert abs(values[i] - (x + 10 * y + 100 * 0.5)) < 1e-12, (i, values[i])
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
}

TEST(VtkFilesTest, TimeInTheMiddleOfTheCoordinatesIsTakenOutOfTheImage) {
  const TemporaryFolder folder;
  const auto files = write_vti(sample({"x", "t", "y"}, {1, 2, 3}, 1, {3, 2, 4}), folder / "u.vti");
  ASSERT_EQ(files.size(), 3u);
  if (!run_vtk(folder, "r = vtk.vtkXMLImageDataReader()\nr.SetFileName('" + files[2] + R"py(')
r.Update()
values = array(r.GetOutput().GetPointData().GetArray('u'))
for i in range(12):
    x, y, z = r.GetOutput().GetPoint(i)
    assert abs(values[i] - (x + 10 * 2 + 100 * y)) < 1e-12, (i, values[i])
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
}

TEST(VtkFilesTest, VtkReadsPointsWithTheirTimes) {
  const TemporaryFolder folder;
  Prediction prediction = sample({"x", "t"}, {1, 3}, 1, {3, 4});
  prediction.grid.clear();
  write_text_file(folder / "u.vtu", vtu_text(prediction));
  if (!run_vtk(folder, "r = vtk.vtkXMLUnstructuredGridReader()\nr.SetFileName('" + (folder / "u.vtu") + R"py(')
r.Update()
grid = r.GetOutput()
assert grid.GetNumberOfPoints() == 12 and grid.GetNumberOfCells() == 12
values, times = array(grid.GetPointData().GetArray('u')), array(grid.GetPointData().GetArray('t'))
for i in range(12):
    assert abs(values[i] - grid.GetPoint(i)[0] - 10 * times[i]) < 1e-12
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
}

TEST(VtkFilesTest, VtkReadsTheCellsOfAMesh) {
  const TemporaryFolder folder;
  const auto mesh = std::make_shared<mesh::Mesh>(mesh::read_mesh("tests/meshes/plate-msh41-text.msh"));
  for (const int time : {-1, 2}) {
    Prediction prediction;
    prediction.box = {{"x", "y"}, {-1, -1}, {1, 1}, -1};
    if (time >= 0) prediction.box = {{"x", "y", "t"}, {-1, -1, 0}, {1, 1, 1}, 2};
    prediction.mesh = mesh;
    std::vector<std::vector<double>> columns(prediction.box.names.size());
    for (std::size_t i = 0; i < mesh->points.size(); ++i)
      prediction.mesh_nodes.push_back(static_cast<std::uint32_t>(i));
    prediction.names = {"u"};
    prediction.values.resize(1);
    for (int step = 0; step < (time < 0 ? 1 : 3); ++step)
      for (const auto& point : mesh->points) {
        columns[0].push_back(point[0]);
        columns[1].push_back(point[1]);
        if (time >= 0) columns[2].push_back(0.5 * step);
        prediction.values[0].push_back(point[0] + 10 * point[1] + 100 * 0.5 * step);
      }
    prediction.points.count = columns[0].size();
    for (const auto& column : columns) prediction.points.coordinates.push_back(sampling::padded_column(column));
    const auto files = write_mesh_vtu(prediction, folder / "u.vtu");
    ASSERT_EQ(files.size(), time < 0 ? 1u : 4u);
    const mesh::Mesh again = mesh::read_mesh(files.back());
    EXPECT_EQ(again.points.size(), mesh->points.size());
    if (!run_vtk(folder, "last = " + std::string(time < 0 ? "0" : "100") +
                             "\nr = vtk.vtkXMLUnstructuredGridReader()\nr.SetFileName('" + files.back() + R"py(')
r.Update()
grid = r.GetOutput()
assert grid.GetNumberOfCells() > 100 and grid.GetCellType(0) == 5
values = array(grid.GetPointData().GetArray('u'))
area = 0
for i in range(grid.GetNumberOfPoints()):
    x, y, z = grid.GetPoint(i)
    assert abs(values[i] - (x + 10 * y + last)) < 1e-12
for i in range(grid.GetNumberOfCells()):
    area += grid.GetCell(i).ComputeArea()
assert 3.6 < area < 3.8, area
)py"))
      GTEST_SKIP() << "python3-vtk9 is not installed";
  }
}

TEST(VtkFilesTest, RefusesFourCoordinatesInSpace) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_vti(sample({"a", "b", "c", "d"}, {1, 1, 1, 1}, -1, {2, 2, 2, 2}), folder / "u.vti"), InputError);
}

}  // namespace
}  // namespace pecann::results
