// Allocations that find no room because somebody asked for that, and what wasn't given back. A program that is to run
// on any device finds these functions by dlsym, and does without where they aren't there.

#include "options.h"
#include "runtime.h"

namespace ptxdev {
namespace {

struct Failing {
  long long left{static_cast<long long>(options().fail) - 1};  ///< [1] allocations until one fails; under 0: none does
  bool stays{false};                                           ///< so do all after it
  unsigned long long failed{0};                                ///< [1] since it was asked for
};

Failing& failing() {
  static Failing state;
  return state;
}

}  // namespace

bool finds_no_room() {
  Failing& f = failing();
  if (f.left < 0) return false;
  if (f.left != 0) {
    --f.left;
    return false;
  }
  if (!f.stays) f.left = -1;
  ++f.failed;
  return true;
}

}  // namespace ptxdev

using namespace ptxdev;

extern "C" {

/// So many allocations go well and the next one fails, and with `stays` all after it; under 0 none does. What takes
/// memory counts: cudaMalloc, cudaMallocHost, and making streams, events and executable graphs. Gives what was left of
/// the allocations of the call before.
long long ptx_device_fail_allocation(long long after, int stays) {
  const Lock lock(api_mutex());
  const long long left = failing().left;
  failing().left = after;
  failing().stays = stays != 0;
  failing().failed = 0;
  return left;
}

/// [1] Since that was asked for.
unsigned long long ptx_device_failed_allocations() {
  const Lock lock(api_mutex());
  return failing().failed;
}

/// [1] What wasn't given back of all that was taken or made.
unsigned long long ptx_device_alive() {
  const Lock lock(api_mutex());
  return DeviceMemory::get().alive() + alive_objects();
}
}
