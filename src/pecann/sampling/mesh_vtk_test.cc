// Meshes against VTK: which points a surface encloses, and files that VTK writes in all its ways.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

#include "pecann/base/read_file.h"
#include "pecann/base/text_file.h"
#include "pecann/mesh/body.h"
#include "pecann/sampling/mesh_shape.h"
#include "pecann/sampling/shapes.h"
#include "pecann/sampling/table.h"
#include "pecann/sampling/unit_points.h"
#include "support/temporary_folder.h"

namespace pecann::sampling {
namespace {

/// Runs a script with python3-vtk9; false where that is not installed.
bool run_with_vtk(const test::TemporaryFolder& folder, const std::string& script) {
  if (std::system("/usr/bin/python3 -c 'import vtk, numpy' 2>/dev/null") != 0) return false;
  write_text_file(folder / "script.py",
                  "import vtk, numpy\nfrom vtkmodules.util.numpy_support import vtk_to_numpy, numpy_to_vtk\n" + script);
  EXPECT_EQ(std::system(("/usr/bin/python3 " + (folder / "script.py")).c_str()), 0);
  return true;
}

TEST(MeshAgainstVtk, SurfacesEncloseTheSamePoints) {
  const test::TemporaryFolder folder;
  const std::string file = "tests/meshes/bracket-binary.stl";
  constexpr std::size_t kCount = 100'000;
  RandomStream stream(7, "vtk");
  Columns points = unit_points(PointRule::Kind::Uniform, 3, kCount, stream);
  const double lower[3] = {-0.05, -0.05, -0.05}, upper[3] = {2.05, 1.05, 0.55};
  std::vector<double> rows;
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t c = 0; c < 3; ++c) rows.push_back(points[c][i] = lower[c] + points[c][i] * (upper[c] - lower[c]));
  std::ofstream(folder / "points", std::ios::binary)
      .write(reinterpret_cast<const char*>(rows.data()), static_cast<std::streamsize>(rows.size() * sizeof(double)));
  if (!run_with_vtk(folder, "folder = '" + (folder / "") + "'\nname = '" + file + R"py('
r = vtk.vtkSTLReader()
r.SetFileName(name)
r.Update()
rows = numpy.fromfile(folder + 'points').reshape(-1, 3)
points = vtk.vtkPoints()
points.SetDataTypeToDouble()
points.SetData(numpy_to_vtk(rows))
cloud = vtk.vtkPolyData()
cloud.SetPoints(points)
s = vtk.vtkSelectEnclosedPoints()
s.SetInputData(cloud)
s.SetSurfaceData(r.GetOutput())
s.SetTolerance(1e-12)
s.Update()
vtk_to_numpy(s.GetOutput().GetPointData().GetArray('SelectedPoints')).astype('u1').tofile(folder + 'inside')
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
  const std::string theirs = read_file(folder / "inside", 1e7);
  ASSERT_EQ(theirs.size(), kCount);
  // A box far away: nothing is moved onto its faces.
  const ShapePointer shape = mesh_shapes(mesh::read_mesh(file), {{-9, -9, -9}, {9, 9, 9}}).whole;
  std::vector<double> levels(kCount);
  shape->levels(points, levels);
  std::size_t different = 0, inside = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    inside += levels[i] < 0;
    different += (levels[i] < 0) != (theirs[i] != 0) && std::abs(levels[i]) > 1e-9;
  }
  EXPECT_EQ(different, 0u);
  EXPECT_GT(inside, kCount / 3);
}

TEST(MeshAgainstVtk, FilesOfVtkAreRead) {
  const test::TemporaryFolder folder;
  if (!run_with_vtk(folder, "folder = '" + (folder / "") + R"py('
r = vtk.vtkUnstructuredGridReader()
r.SetFileName('tests/meshes/block.vtk')
r.ReadAllScalarsOn()
r.Update()
grid = r.GetOutput()
places = vtk_to_numpy(grid.GetPoints().GetData()).astype(float)
for name, values in (('u', places[:, 0] + 2 * places[:, 1]), ('flow', -places)):
    array = numpy_to_vtk(values, deep=1)
    array.SetName(name)
    grid.GetPointData().AddArray(array)
for mode in ('ascii', 'binary', 'appended', 'raw'):
    for packed in (False, True):
        for wide in (False, True):
            w = vtk.vtkXMLUnstructuredGridWriter()
            w.SetFileName(folder + '%s-%d-%d.vtu' % (mode, packed, wide))
            w.SetInputData(grid)
            modes = {'ascii': w.SetDataModeToAscii, 'binary': w.SetDataModeToBinary}
            modes.get(mode, w.SetDataModeToAppended)()
            w.SetEncodeAppendedData(mode == 'appended')
            w.SetCompressorTypeToZLib() if packed else w.SetCompressorTypeToNone()
            w.SetBlockSize(1024)
            w.SetHeaderTypeToUInt64() if wide else w.SetHeaderTypeToUInt32()
            assert w.Write() == 1
for mode in (1, 2):
    w = vtk.vtkUnstructuredGridWriter()
    w.SetFileName(folder + 'legacy-%d.vtk' % mode)
    w.SetInputData(grid)
    w.SetFileType(mode)
    assert w.Write() == 1
    s = vtk.vtkSTLReader()
    s.SetFileName('tests/meshes/bracket-binary.stl')
    s.Update()
    p = vtk.vtkPolyDataWriter()
    p.SetFileName(folder + 'surface-%d.vtk' % mode)
    p.SetInputConnection(s.GetOutputPort())
    p.SetFileType(mode)
    assert p.Write() == 1
    w = vtk.vtkSTLWriter()
    w.SetFileName(folder + 'surface-%d.stl' % mode)
    w.SetInputConnection(s.GetOutputPort())
    w.SetFileType(mode)
    assert w.Write() == 1
)py"))
    GTEST_SKIP() << "python3-vtk9 is not installed";
  const auto volume = [](const std::string& path) {
    const mesh::Body body = mesh::body_of(mesh::read_mesh(path), 3);
    return mesh::enclosed_measure(body.points, body.whole, 3);
  };
  const double block = volume("tests/meshes/block-msh41-text.msh"), surface = volume("tests/meshes/bracket-binary.stl");
  for (const std::string mode : {"ascii", "binary", "appended", "raw"})
    for (const std::string packed : {"-0-0", "-0-1", "-1-0", "-1-1"}) {
      SCOPED_TRACE(mode + packed);
      const std::string path = folder / (mode + packed + ".vtu");
      EXPECT_NEAR(volume(path), block, 1e-9);
      EXPECT_EQ(mesh::read_mesh(path).groups.size(), mesh::read_mesh("tests/meshes/block.vtk").groups.size());
      const Table values = read_table(path);
      ASSERT_EQ(values.rows(), mesh::read_mesh(path).points.size());
      for (std::size_t i = 0; i < values.rows(); ++i) {
        EXPECT_NEAR(values.column("u")[i], values.column("x")[i] + 2 * values.column("y")[i], 1e-5);
        EXPECT_NEAR(values.column("flow.3")[i], -values.column("z")[i], 1e-5);
      }
    }
  for (const std::string mode : {"1", "2"}) {
    EXPECT_NEAR(volume(folder / ("legacy-" + mode + ".vtk")), block, 1e-9);
    EXPECT_NEAR(volume(folder / ("surface-" + mode + ".vtk")), surface, 1e-6);
    EXPECT_NEAR(volume(folder / ("surface-" + mode + ".stl")), surface, 1e-5);
  }
}

}  // namespace
}  // namespace pecann::sampling
