// Problem files: TOML text in, a checked problem or a refusal with the file's name out; the written problem
// is read again as the same one.
#include "fuzz/target.h"
#include "pecann/problem/problem_file.h"

namespace pecann::fuzz {

void fuzz_one(std::string_view bytes) {
  try {
    const std::string written = problem::write_problem(problem::read_problem(bytes, "fuzz.toml"));
    std::string again;
    require(accepted([&] { again = problem::write_problem(problem::read_problem(written, "again.toml")); }),
            "a written problem is read again", written);
    require(again == written, "a written problem is read as the same one", written);
  } catch (const InputError& error) {
    require(error.parts().place.file == "fuzz.toml", "a refusal names the file", error.what());
    require(!error.parts().rule.empty(), "a refusal names the rule", error.what());
  }
}

}  // namespace pecann::fuzz
