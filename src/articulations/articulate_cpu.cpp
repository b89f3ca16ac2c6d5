// Articulations on the CPU.

#include "src/articulations/articulate.inl"
#include "src/exec/cpu_exec.h"

namespace cairn {

template void articulate<exec::CpuExec>(exec::CpuExec&, const ArticulateContext&);

}  // namespace cairn
