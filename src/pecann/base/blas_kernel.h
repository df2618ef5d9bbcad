// The choice of the kernels that OpenBLAS runs. A library built for run-time choice reads the processor's model number;
// for a processor that is newer than the library, or hidden by a virtual machine, it falls back to the kernels of 2004
// ("Prescott", SSE3): Gram matrices then take five to seven times as long. The instruction sets themselves are known
// from CPUID, so the right kernels can be named in OPENBLAS_CORETYPE. The library reads that variable when it is
// loaded, before main(), so the program restarts itself to change it.
#pragma once

#include <string>
#include <string_view>

namespace pecann {

enum class VectorUnit { Baseline, Avx2, Avx512 };

/// The widest vector unit that the processor and the operating system offer to OpenBLAS kernels.
VectorUnit vector_unit();

/// The value OPENBLAS_CORETYPE should have when OpenBLAS has chosen the kernels `loaded` on a machine with
/// `unit`; empty when the choice uses the vector unit already.
std::string better_blas_core(std::string_view loaded, VectorUnit unit);

/// The same for the OpenBLAS of this process; empty when it holds none, or when the user has set the variable.
std::string better_blas_core_here();

/// Must be called first in main(): restarts the program with OPENBLAS_CORETYPE set when OpenBLAS chose poorer
/// kernels than the machine has; does nothing when the user has set the variable, or when the program holds
/// no OpenBLAS. A second restart cannot happen: the variable is set then.
void ensure_blas_kernel(char** argv);

}  // namespace pecann
