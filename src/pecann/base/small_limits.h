// Limits of the process (ulimit) that would end it before main() begins, or keep it from ending.
#pragma once

namespace pecann {

/// For .preinit_array, whose functions the loader calls before any library is initialised. OpenBLAS makes its threads
/// when it is loaded: where it may not (`ulimit -u`, -v, -d, a container's limit on processes) it kills the process
/// with SIGINT, or takes a processor and waits for ever at the end for threads that never began. Our calls of it use
/// one thread, so a process starts itself again with OPENBLAS_NUM_THREADS=1, which takes 3 ms. Where the standard
/// input, output or error output is closed (`>&-`, some daemons), its number is taken, so that no file of a run gets
/// it. A stack of less than a megabyte becomes one of eight where that is allowed; where it is not, the process ends
/// with a message and exit code 2. Only system calls are made: nothing else works yet.
void meet_small_limits(int argc, char** argv, char** environment);

}  // namespace pecann
