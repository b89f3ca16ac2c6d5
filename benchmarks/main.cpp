// Names of benchmarks name their device `cuda:0`; the GPU's name is above the figures and in the JSON's `context`.

#include <benchmark/benchmark.h>

#include "benchmarks/step.h"
#include "cairn/device.h"

int main(int argc, char** argv) {
  for (const cairn::DeviceInfo& info : cairn::devices())
    benchmark::AddCustomContext(info.device.name(), info.description);
  cairn::add_steps();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
