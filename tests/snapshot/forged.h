#pragma once
// Files of snapshots whose checksums are right, and whose content is not what a World wrote.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/file/container.h"
#include "src/snapshot/image.h"
#include "tests/support/refusal.h"

namespace cairn::snapshot_test {

/// The sections of a snapshot's file.
inline std::vector<std::string> unpacked(const std::string& bytes) {
  return file::unpack(snapshot::kKind, snapshot::kSections, file::input_of(bytes), "", 1 << 26);
}
/// [B] All of them.
inline std::uint64_t unpacked_size(const std::string& bytes) {
  std::uint64_t size = 0;
  for (const std::string& section : unpacked(bytes)) size += section.size();
  return size;
}

/// The reason for which the bytes are refused, or "" if they aren't.
inline std::string reason(const std::string& bytes, const SnapshotLimits& limits = {}) {
  const std::string why =
      testing_support::refusal_of<SnapshotError>([&] { Snapshot::from_bytes(bytes, "the bytes", limits); });
  EXPECT_TRUE(why.empty() || why.starts_with("the bytes: ")) << why;
  return why;
}

using Forgery = std::pair<const char*, std::function<void(snapshot::Image&)>>;

/// Each forgery of this snapshot is refused.
inline void expect_refused(const Snapshot& taken, const std::vector<Forgery>& forgeries) {
  const std::vector<std::string> sections = unpacked(taken.to_bytes());
  const auto reason_of = [&](const std::function<void(snapshot::Image&)>& forge) {
    snapshot::Image image = snapshot::image_of(sections, "the image");
    forge(image);
    return reason(file::pack(snapshot::kKind, snapshot::sections_of(image)));
  };
  EXPECT_EQ(reason_of([](snapshot::Image&) {}), "");
  for (const auto& [what, forge] : forgeries) EXPECT_NE(reason_of(forge), "") << what;
}

}  // namespace cairn::snapshot_test
