#include "pecann/train/record.h"

namespace pecann::train {

const char* name_of(Termination termination) {
  switch (termination) {
    case Termination::EpochsDone: return "epochs done";
    case Termination::TargetReached: return "target reached";
    case Termination::TimeUp: return "time up";
    case Termination::Stalled: return "stalled";
    case Termination::NotFinite: return "not finite";
    case Termination::Interrupted: return "interrupted";
  }
  return "";
}

}  // namespace pecann::train
