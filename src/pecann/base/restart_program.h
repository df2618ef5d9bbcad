// The program begins once more, for what has to be known before its libraries are loaded.
#pragma once

namespace pecann {

/// Starts this program again in its own place, by the path that it has, so that lists of processes show its name. Only
/// returns where that fails. Asks for no memory.
void restart_program(char** argv, char** environment);

}  // namespace pecann
