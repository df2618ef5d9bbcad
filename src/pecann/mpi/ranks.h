// The ranks that mpirun starts. This is the one place that knows MPI; a build without it (PECANN_MPI=OFF) has one rank.
#pragma once

#include <memory>
#include <string>

#include "pecann/base/communicator.h"

namespace pecann::mpi {

/// The communicator of all processes of the launcher (mpirun, srun) that started this one; null when there is none, or
/// in a build without MPI. MPI ends with the object.
std::unique_ptr<Communicator> join();

/// True when a launcher has started this process as one of several, also in a build that cannot join them.
bool started_by_launcher();

/// Ends all ranks with this exit code, when one of them cannot go on.
[[noreturn]] void abort_all(int exit_code);

/// What this rank has exchanged since it joined.
struct Traffic {
  double megabytes = 0;  // handed over or received
  double seconds = 0;    // waiting for slower ranks included
};
Traffic traffic();

/// "Open MPI v4.1.4", or "no MPI".
std::string description();

}  // namespace pecann::mpi
