#pragma once

#include "cairn/report.h"

namespace cairn::exec {

/// Called when a stage is over and its results can be read. For timings and traces; without one, nothing waits.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  virtual void after(Stage stage) = 0;
};

}  // namespace cairn::exec
