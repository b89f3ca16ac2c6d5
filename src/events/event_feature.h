#pragma once
// Contact events of a World, where they are recorded (WorldOptions::contact_events).

#include <optional>
#include <vector>

#include "src/events/event_rows.h"
#include "src/world/feature.h"

namespace cairn {

class EventFeature final : public Feature {
 public:
  using Feature::Feature;

  void capture(snapshot::Capture& to) override;
  void plan(snapshot::Restore& from) override;
  void become(snapshot::Restore& from) override;
  static void check_image(snapshot::ImageCheck& of);

  ContactEvents of(std::optional<std::uint32_t> world) const;  ///< empty: of all worlds

 private:
  std::vector<EventRow> read() const;  ///< of the last step; there must be tables
  void write(const std::vector<EventRow>& rows);
  void forget_ended(const std::vector<bool>& of_worlds);  ///< (worlds)

  std::vector<EventRow> planned_;  ///< as of `plan`
};

}  // namespace cairn
