// NumPy files: the array, written and read again with the same bits, and the table of points made from it.
#include <cstring>

#include "fuzz/target.h"
#include "pecann/base/npy.h"
#include "pecann/sampling/table.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes) {
  accepted([&] {
    const NpyArray array = parse_npy(bytes, "fuzz.npy");
    const NpyArray again = parse_npy(npy_bytes(array.shape, array.data), "again.npy");
    require(again.shape == array.shape && again.data.size() == array.data.size(), "an array keeps its shape");
    require(array.data.empty() ||
                std::memcmp(again.data.data(), array.data.data(), array.data.size() * sizeof(double)) == 0,
            "an array keeps its bits");
    const sampling::Table table = sampling::table_of(array, "fuzz.npy");
    const sampling::Box box{{"x", "t"}, {0, 0}, {1, 2}, 1};
    accepted([&] { sampling::points_of(table, box); });
  });
}

}  // namespace pecann::fuzz
