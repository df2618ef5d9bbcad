#include "pecann/results/npz_file.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "pecann/results/prediction.h"
#include "pecann/results/sample_runs.h"
#include "pecann/sampling/test_regions.h"

namespace pecann::results {
namespace {

TEST(NpzFileTest, ChecksumOfTheCustomaryExample) {
  EXPECT_EQ(crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(crc32(""), 0u);
}

TEST(NpzFileTest, AZipOfOneMemberHasTheBytesOfTheStandard) {
  const std::string bytes = zip_bytes({{"a", "xyz"}}, "a.zip");
  ASSERT_EQ(bytes.size(), 30u + 1 + 3 + 46 + 1 + 22);
  EXPECT_EQ(bytes.substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(bytes.substr(30, 4), "axyz");
  EXPECT_EQ(bytes.substr(34, 4), "PK\x01\x02");
  EXPECT_EQ(bytes.substr(81, 4), "PK\x05\x06");
  EXPECT_EQ(bytes[81 + 16], 34) << "where the directory begins";
}

TEST(NpzFileTest, PythonUnpacksIt) {
  const TemporaryFolder folder;
  write_text_file(folder / "a.npz",
                  zip_bytes({{"u.npy", "first"}, {"exact.u.npy", std::string(100000, 'z')}}, "a.npz"));
  const std::string script = "import zipfile; z = zipfile.ZipFile('" + (folder / "a.npz") +
                             "'); assert z.testzip() is None; assert z.namelist() == ['u.npy', 'exact.u.npy']; "
                             "assert z.read('u.npy') == b'first' and len(z.read('exact.u.npy')) == 100000";
  if (std::system("/usr/bin/python3 -c 'import zipfile' 2>/dev/null") != 0)
    GTEST_SKIP() << "/usr/bin/python3 is not installed";
  EXPECT_EQ(std::system(("/usr/bin/python3 -c \"" + script + "\"").c_str()), 0);
}

TEST(NpzFileTest, FieldsAreIndexedInTheOrderOfTheCoordinates) {
  const TemporaryFolder folder;
  const problem::Problem problem = make_run(folder / "run", kTransportText);
  write_solution_npz(problem, train::load_solution(problem, folder / "run", 1), folder / "solution.npz");
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0)
    GTEST_SKIP() << "python3-numpy is not installed";
  write_text_file(folder / "read.py", "import numpy as np\ns = np.load('" + (folder / "solution.npz") + R"py(')
assert sorted(s.files) == ['exact.phi', 'phi', 't', 'x', 'y'], s.files
x, y, t = s['x'], s['y'], s['t']
assert s['phi'].shape == (5, 4, 3) and list(t) == [0, 1, 2]
X, Y, T = np.meshgrid(x, y, t, indexing='ij')
assert np.abs(s['exact.phi'] - (0.5 + 0.4 * np.sin(X - 0.1 * T) * Y)).max() < 1e-14
)py");
  EXPECT_EQ(std::system(("/usr/bin/python3 '" + (folder / "read.py") + "'").c_str()), 0);
}

TEST(NpzFileTest, NodesOutsideTheDomainAreNaN) {
  const TemporaryFolder folder;
  problem::Problem problem = make_run(folder / "run", kTransportText);
  problem.domain = std::make_shared<sampling::HalfDomain>(problem.box);
  write_solution_npz(problem, train::load_solution(problem, folder / "run", 1), folder / "solution.npz");
  if (std::system("/usr/bin/python3 -c 'import zipfile' 2>/dev/null") != 0)
    GTEST_SKIP() << "/usr/bin/python3 is not installed";
  write_text_file(folder / "read.py",
                  "import math, struct, zipfile\nz = zipfile.ZipFile('" + (folder / "solution.npz") + R"py(')
def numbers(name):
    data = z.read(name + '.npy')
    begin = 10 + struct.unpack('<H', data[8:10])[0]
    return struct.unpack('<%dd' % ((len(data) - begin) // 8), data[begin:])
x = numbers('x')
outside = [value > 0.5 * (x[0] + x[-1]) for value in x]
assert outside == [False, False, False, True, True]
for name in ['phi', 'exact.phi']:  # 5 x 4 x 3 nodes
    values = numbers(name)
    assert len(values) == 60 and all(math.isnan(v) == outside[i // 12] for i, v in enumerate(values))
)py");
  EXPECT_EQ(std::system(("/usr/bin/python3 '" + (folder / "read.py") + "'").c_str()), 0);
}

}  // namespace
}  // namespace pecann::results
