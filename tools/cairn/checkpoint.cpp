#include "tools/cairn/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "src/file/archive.h"
#include "src/file/container.h"
#include "src/file/whole_file.h"

namespace cairn::cli {
namespace {

constexpr file::Kind kKind{"CAIRNRUN", "checkpoint", 2};
constexpr std::size_t kSections = 2;

void members(Is<RunState> auto& s, const auto& f) {
  auto& [scene, seed, steps, every, rules, excursions, cameras] = s;
  f(scene, seed, steps, every, rules, excursions, cameras);
}

bool sound(const RunState& state, const Snapshot& snapshot) {
  if (state.rules.size() != snapshot.world_count() || state.excursions.size() != snapshot.world_count()) return false;
  if (state.every == 0 || state.steps < snapshot.steps()) return false;
  for (std::uint32_t w = 0; w < snapshot.world_count(); ++w) {
    const QualityRules& rules = state.rules[w];
    if (static_cast<unsigned>(rules.fallen) > static_cast<unsigned>(FallenRule::kNever)) return false;
    if (rules.fallen == FallenRule::kLayer && rules.layer_height.size() != snapshot.body_count(w)) return false;
    if (!(state.excursions[w] >= 0)) return false;
  }
  return true;
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Snapshot& snapshot, const RunState& state) {
  file::Writer writer;
  members(state, [&](const auto&... field) { writer(field...); });
  const std::string sections[kSections] = {snapshot.to_bytes(), writer.take()};
  write_whole_file(path, file::pack(kKind, sections));
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const std::string where = path.string();
  const SnapshotLimits limits;
  const auto sections = file::unpack(kKind, kSections, file::input_of_file(where), where, limits.bytes);
  Checkpoint checkpoint{Snapshot::from_bytes(sections[0], where, limits), {}};
  file::Reader reader(sections[1], where);
  members(checkpoint.state, [&](auto&... field) { reader(field...); });
  reader.end();
  if (!sound(checkpoint.state, checkpoint.snapshot)) reader.refuse("its run and its snapshot don't fit together");
  return checkpoint;
}

std::vector<Source> sources_of(const World& world, const RunState& state) {
  std::vector<Source> sources;
  for (std::uint32_t w = 0; w < world.world_count(); ++w) {
    Source source{state.scene, {}, state.rules[w]};
    for (const Material& material : world.materials(w)) source.scene.add_material(material);
    source.scene.set_gravity(world.gravity(w));
    source.scene.set_params(world.params());
    source.scene.set_limits(world.limits(w));
    for (const BodyHandle body : world.bodies(w)) source.scene.add_body(world.description(body));
    for (const SceneCamera& camera : state.cameras) source.scene.add_camera(camera);
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace cairn::cli
