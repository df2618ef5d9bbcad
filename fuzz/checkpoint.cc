// Checkpoint files: as they come, and with a header that fits (no mutation finds a checksum). What the
// archive holds is asked for by the names of a real one.
#include "pecann/train/checkpoint.h"
#include "fuzz/target.h"
#include "pecann/base/state_archive.h"

namespace pecann::fuzz {
namespace {

void read_archive(std::string_view payload) {
  accepted([&] {
    const StateReader reader(payload);
    for (const char* name : {"parameters", "record", "seed", "phase.method"}) {
      if (!reader.has(name)) continue;
      accepted([&] { reader.get(name); });
      accepted([&] { reader.get_number(name); });
      accepted([&] { reader.get_integer(name); });
      accepted([&] { reader.get_text(name); });
      double three[3];
      accepted([&] { reader.get(name, three); });
    }
  });
}

}  // namespace

void fuzz_one(std::string_view bytes) {
  std::string why;
  if (const auto payload = train::checkpoint_payload(bytes, why)) {
    read_archive(*payload);
  } else {
    require(!why.empty(), "a refusal says why");
  }
  const std::string sealed = train::checkpoint_header(bytes) + std::string(bytes);
  const auto payload = train::checkpoint_payload(sealed, why);
  require(payload && *payload == bytes, "what was written is read", why);
  read_archive(bytes);
}

}  // namespace pecann::fuzz
