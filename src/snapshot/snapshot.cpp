#include "cairn/snapshot.h"

#include "src/file/whole_file.h"
#include "src/snapshot/image.h"

namespace cairn {
namespace {

const snapshot::WorldPart& part(const snapshot::Image& image, std::uint32_t world) {
  if (world < image.worlds.size()) return image.worlds[world];
  throw InvalidArgument("world " + std::to_string(world) + ": the snapshot has " +
                        std::to_string(image.worlds.size()));
}

}  // namespace

Snapshot::Snapshot(snapshot::Image image) : image_(std::make_shared<const snapshot::Image>(std::move(image))) {}

std::uint32_t Snapshot::world_count() const { return static_cast<std::uint32_t>(image_->worlds.size()); }

std::uint32_t Snapshot::body_count(std::uint32_t world) const {
  const snapshot::WorldPart& of = part(*image_, world);
  return of.bodies - static_cast<std::uint32_t>(of.free_bodies.size());
}

std::uint64_t Snapshot::steps(std::uint32_t world) const {
  part(*image_, world);
  return image_->world_columns.view().steps[world];
}

double Snapshot::time(std::uint32_t world) const {
  part(*image_, world);
  return image_->world_columns.view().time[world];
}

std::string Snapshot::to_bytes() const { return file::pack(snapshot::kKind, snapshot::sections_of(*image_)); }

Snapshot Snapshot::from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits) {
  const auto sections = file::unpack(snapshot::kKind, snapshot::kSections, bytes, where, limits.bytes);
  return Snapshot(snapshot::image_of(sections, where));
}

void Snapshot::save(const std::filesystem::path& path) const { write_whole_file(path, to_bytes()); }

Snapshot Snapshot::load(const std::filesystem::path& path, const SnapshotLimits& limits) {
  return from_bytes(file::read_file(path.string()), path.string(), limits);
}

}  // namespace cairn
