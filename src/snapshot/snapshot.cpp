#include "cairn/snapshot.h"

#include "src/exec/out_of_memory.h"
#include "src/file/whole_file.h"
#include "src/snapshot/image.h"

namespace cairn {
namespace {

snapshot::Image read_image(const file::Input& input, const std::string& where, const SnapshotLimits& limits) {
  return snapshot::image_of(file::unpack(snapshot::kKind, snapshot::kSections, input, where, limits.bytes), where);
}

const snapshot::WorldPart& part(const snapshot::Image& image, std::uint32_t world) {
  if (world < image.worlds.size()) return image.worlds[world];
  throw InvalidArgument("world " + std::to_string(world) + ": the snapshot has " + std::to_string(image.worlds.size()));
}

}  // namespace

Snapshot::Snapshot(snapshot::Image image) : image_(std::make_shared<const snapshot::Image>(std::move(image))) {}

std::uint32_t Snapshot::world_count() const {
  return with_heap([&]() -> std::uint32_t { return static_cast<std::uint32_t>(image_->worlds.size()); });
}

std::uint32_t Snapshot::body_count(std::uint32_t world) const {
  return with_heap([&]() -> std::uint32_t {
    const snapshot::WorldPart& of = part(*image_, world);
    return of.bodies - static_cast<std::uint32_t>(of.free_bodies.size());
  });
}

std::uint64_t Snapshot::steps(std::uint32_t world) const {
  return with_heap([&]() -> std::uint64_t {
    part(*image_, world);
    return image_->world_columns.view().steps[world];
  });
}

double Snapshot::time(std::uint32_t world) const {
  return with_heap([&]() -> double {
    part(*image_, world);
    return image_->world_columns.view().time[world];
  });
}

std::string Snapshot::to_bytes() const {
  return with_heap([&]() -> std::string { return file::pack(snapshot::kKind, snapshot::sections_of(*image_)); });
}

Snapshot Snapshot::from_bytes(std::string_view bytes, const std::string& where, const SnapshotLimits& limits) {
  return with_heap([&]() -> Snapshot { return Snapshot(read_image(file::input_of(bytes), where, limits)); });
}

void Snapshot::save(const std::filesystem::path& path) const {
  with_heap([&] { write_whole_file(path, to_bytes()); });
}

Snapshot Snapshot::load(const std::filesystem::path& path, const SnapshotLimits& limits) {
  return with_heap(
      [&]() -> Snapshot { return Snapshot(read_image(file::input_of_file(path.string()), path.string(), limits)); });
}

}  // namespace cairn
