// Allocations that fail on request, and the count of objects that weren't released. A program that must run on any
// device finds these functions by dlsym, and does without them elsewhere.

#include "options.h"
#include "runtime.h"

namespace ptxdev {
namespace {

struct Failing {
  long long left{static_cast<long long>(options().fail) - 1};  ///< [1] allocations until one fails; under 0: none
  bool stays{false};                                           ///< all after it fail, too
  unsigned long long failed{0};                                ///< [1] since the request
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

/// So many allocations succeed and the next one fails, and with `stays` all after it; under 0 none fails. Counted are
/// cudaMalloc, cudaMallocHost, and the creation of streams, events and executable graphs. Returns the rest of the count
/// of the call before.
long long ptx_device_fail_allocation(long long after, int stays) {
  const Lock lock(api_mutex());
  const long long left = failing().left;
  failing().left = after;
  failing().stays = stays != 0;
  failing().failed = 0;
  return left;
}

/// [1] Since that call.
unsigned long long ptx_device_failed_allocations() {
  const Lock lock(api_mutex());
  return failing().failed;
}

/// [1] Allocations and objects that weren't released.
unsigned long long ptx_device_alive() {
  const Lock lock(api_mutex());
  return DeviceMemory::get().alive() + alive_objects();
}
}
