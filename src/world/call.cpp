// Overdue work of the last call, and the World after a failed call.

#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

void World::Impl::Call::take_back() noexcept {
  world_.memory.roll_back();
  world_.tallies() = tallies_;
  for (auto feature = world_.features.rbegin(); feature != world_.features.rend(); ++feature, known_ >>= 1) {
    (*feature)->known = (known_ & 1) != 0;
  }
  // values that the host derived from the call's changes
  world_.scales.forget_derived();
  world_.masses_known = world_.query_store.known = false;
  world_.index_step = ~std::uint64_t{0};
}

void World::Impl::catch_up() {
  if (scales.due) {
    Call one(*this);
    scales.apply();
    one.commit();
  }
  if (log_due) {
    Call one(*this);
    complete_log();
    one.commit();
  }
}

void World::Impl::try_to_catch_up() {
  try {
    catch_up();
  } catch (const std::bad_alloc&) {
  } catch (const CapacityError&) {
  }
}

}  // namespace cairn
