#pragma once
// The force fields of a World.

#include "src/fields/field_store.h"
#include "src/scene/field_rules.h"
#include "src/world/feature.h"

namespace cairn {

class FieldFeature final : public Feature {
 public:
  explicit FieldFeature(Impl& of);

  void take(std::span<const Scene* const> scenes) override;
  void forget(std::uint32_t body) override;
  void order() override;
  void show(StepContext& step, bool) override { store_.show(step); }
  void capture(snapshot::Capture& to) override;
  void become(snapshot::Restore& from) override;
  static std::uint64_t bytes(const Estimate& of);
  static void check_image(snapshot::ImageCheck& of);

  rules::FieldPlace place_in(std::uint32_t world) const;

 private:
  FieldStore store_;
};

}  // namespace cairn
