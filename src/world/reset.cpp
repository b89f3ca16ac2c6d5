// Resetting worlds of a batch to their start.

#include <bit>

#include "kernels/collide/cold.h"
#include "src/recording/record.h"
#include "src/world/impl.h"

namespace cairn {

void World::Impl::upload_starts() {
  arrays.starts.reserve(arrays.bodies.capacity());
  std::vector<BodyRecord> records(slots.size());
  each_body([&](std::uint32_t at) { records[at] = record_of(slots[at], slots[at].start(), 1); });
  put_motions(arrays.starts.view(), [&](auto* field, auto member) { put_each(field, records, member); });
  has(starts_known);
}

void World::Impl::check_mask(const char* call, std::span<const std::uint8_t> chosen) const {
  if (chosen.size() == worlds.size()) return;
  throw InvalidArgument(std::string(call) + ": the mask has " + std::to_string(chosen.size()) +
                        " elements, there are " + std::to_string(worlds.size()) + " worlds");
}

std::uint32_t World::Impl::keep_mask(std::span<const std::uint8_t> chosen) {
  const std::size_t n = worlds.size();
  arrays.masks.reserve(std::bit_ceil(std::size_t{pending_masks} + 1) * n);
  memory.post(arrays.masks.data() + pending_masks * n, chosen.data(), n);
  return pending_masks++;
}

void World::Impl::enqueue(const ResetJob& job) {
  arrays.expected = {.cold_steps = kernels::kColdSteps};
  const StepContext s = context(params.dt);
  const std::uint8_t* const chosen = arrays.masks.data() + job.mask * worlds.size();
  launch().run(s, ResetContext{arrays.starts.view(), chosen, job.contacts_alone});
}

void World::Impl::reset(std::span<const std::uint8_t> chosen, bool contacts_alone) {
  if (!starts_known && !contacts_alone) upload_starts();
  take(ResetJob{keep_mask(chosen), contacts_alone});
}

void World::reset() {
  impl_->call([&] { reset(std::vector<std::uint8_t>(impl_->worlds.size(), 1)); });
}

void World::reset(std::uint32_t world) {
  impl_->call([&] {
    impl_->world_at(world);
    std::vector<std::uint8_t> chosen(impl_->worlds.size(), 0);
    chosen[world] = 1;
    reset(chosen);
  });
}

void World::reset(std::span<const std::uint8_t> chosen) {
  impl_->call([&] {
    impl_->check_mask("reset", chosen);
    impl_->note<recording::kReset>(chosen);
    impl_->reset(chosen, false);
  });
}

}  // namespace cairn
