// How much memory there is. Work that would not fit is refused before it takes any: a machine that runs out of memory
// ends some process, not always the one that asked for too much.
#pragma once

#include <string>

namespace pecann {

/// Bytes that this process can still take: the least of what the machine has free or can free at once
/// (MemAvailable), what its control groups leave, and what its own limit on address space leaves. Infinite
/// where none of them can be read.
double available_memory();

/// Gives what was freed back to the machine. The C library keeps the places of large texts and trees that one thread
/// makes again and again; in between lie small ones, so that no hole fits the next text and the process grows.
void return_freed_memory();

/// A number of bytes as text, three digits, in kilobytes or larger units: "812 kB", "1.6 GB".
std::string memory_text(double bytes);

/// The same with the exact number: "1.6 GB (1600000000 bytes)".
std::string exact_memory_text(double bytes);

}  // namespace pecann
