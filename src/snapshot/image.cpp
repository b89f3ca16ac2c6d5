#include "src/snapshot/image.h"

#include <algorithm>
#include <numeric>

#include "kernels/color/color.h"

namespace cairn::snapshot {
namespace {

std::vector<std::uint32_t> counting(std::size_t n) {
  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

/// Counts of the last step in these worlds, as `color` counts.
void count_last_step(Image& image) {
  BatchPart& batch = image.batch;
  const kernels::Bodies& bodies = image.body_columns.view();
  for (std::size_t i = 0; i < image.body_columns.count(); ++i) {
    batch.counts.asleep += (bodies.flags[i] & kernels::kBodyAsleep) != 0 ? 1 : 0;
  }
  std::vector<std::uint32_t> owner;
  const std::vector<Image::Ranges> ranges = image.ranges();
  for (std::size_t w = 0; w < ranges.size(); ++w) {
    const Image::Ranges& at = ranges[w];
    owner.assign(at.shapes.size(), kernels::kNone);
    const ImageSurfaces surfaces(image.worlds[w]);
    std::uint32_t overflow_rows = 0;
    for (std::size_t b = at.bodies.first; b < at.bodies.last; ++b) {
      for (const std::uint32_t shape : image.bodies[b].shapes) owner[shape] = static_cast<std::uint32_t>(b);
    }
    for (std::size_t p = at.pairs.first; p < at.pairs.last; ++p) {
      const kernels::Manifold& m = image.pair_columns.view().manifold[p];
      const std::uint64_t key = image.pair_columns.view().key[p];
      const kernels::PairShapes pair = kernels::shapes_of(key, surfaces.view());
      const std::uint32_t a = owner[pair.a], b = owner[pair.b];
      const bool dead = a == kernels::kNone || b == kernels::kNone || m.count == 0;
      if (dead || (m.flags & kernels::kManifoldActive) == 0 || m.color > kernels::kMaskColors) continue;
      batch.counts.manifolds += 1;
      batch.counts.points += m.count;
      batch.counts.recycled += (m.flags & kernels::kManifoldRecycled) != 0 ? 1 : 0;
      if (!kernels::is_dynamic(bodies.flags[a]) || !kernels::is_dynamic(bodies.flags[b])) continue;
      if (m.color < kernels::kMaskColors) {
        batch.counts.colors |= std::uint64_t{1} << m.color;
      } else {
        overflow_rows += 1;
      }
    }
    batch.counts.overflow_rows = std::max(batch.counts.overflow_rows, overflow_rows);
  }
}

template <class View>
void repeat(const Columns<View>& from, IndexRange range, std::uint32_t copies, Columns<View>& to) {
  to.resize(range.size() * copies);
  Columns<View>::each_pair(to.view(), from.view(), [&](auto& into, auto& of) {
    auto* at = &into[0];
    for (std::uint32_t c = 0; c < copies; ++c) at = std::copy(&of[range.first], &of[0] + range.last, at);
  });
}

}  // namespace

ImageSurfaces::ImageSurfaces(const WorldPart& world) {
  for (const SurfacePart& surface : world.surfaces) {
    add(static_cast<std::uint32_t>(end), surface.shape);
    end += surface.triangles;
  }
}

std::uint64_t KeyMap::operator()(std::uint64_t key) const {
  const kernels::PairShapes pair = kernels::shapes_of(key, surfaces.view());
  const bool on_triangle = (key & 0xffffffffu) >= kernels::kFirstTriangle;
  const std::uint64_t a = shape[pair.a], b = on_triangle ? first[pair.b] + pair.triangle : shape[pair.b];
  return a << 32 | b;
}

std::vector<Image::Ranges> Image::ranges() const {
  std::vector<Ranges> all;
  all.reserve(worlds.size());
  Ranges at{};
  const auto next = [](IndexRange& range, std::size_t n) { range = {range.last, range.last + n}; };
  for (const WorldPart& world : worlds) {
    next(at.bodies, world.bodies);
    next(at.shapes, world.shapes);
    next(at.pairs, world.pairs);
    all.push_back(at);
  }
  return all;
}

Image copies_of(const Image& image, std::uint32_t world, std::uint32_t copies) {
  const Image::Ranges at = image.ranges()[world];
  check_slots("bodies", at.bodies.size() * copies);
  check_slots("shapes", at.shapes.size() * copies);
  check_slots("joints", image.worlds[world].joints.size() * copies);
  Image made;
  made.worlds.assign(copies, image.worlds[world]);
  made.bodies.reserve(at.bodies.size() * copies);
  for (std::uint32_t c = 0; c < copies; ++c) {
    made.bodies.insert(made.bodies.end(), image.bodies.begin() + static_cast<std::ptrdiff_t>(at.bodies.first),
                       image.bodies.begin() + static_cast<std::ptrdiff_t>(at.bodies.last));
  }
  made.articulations = image.articulations;
  made.particles = image.particles;
  std::uint32_t joint_slot = 0, articulation_slot = 0, particles_slot = 0;
  for (WorldPart& part : made.worlds) {
    for (JointPart& joint : part.joints) joint.slot = joint_slot++;
    for (ArticulationPart& articulation : part.articulations) articulation.slot = articulation_slot++;
    for (ParticlesPart& set : part.particles) set.slot = particles_slot++;
  }
  made.body_slots = counting(at.bodies.size() * copies);
  made.shape_slots = counting(at.shapes.size() * copies);
  repeat(image.world_columns, {world, std::size_t{world} + 1}, copies, made.world_columns);
  repeat(image.body_columns, at.bodies, copies, made.body_columns);
  repeat(image.shape_columns, at.shapes, copies, made.shape_columns);
  repeat(image.pair_columns, at.pairs, copies, made.pair_columns);

  // the batch has the age of its worlds
  BatchPart& batch = made.batch;
  batch.params = image.batch.params;
  batch.steps = image.world_columns.view().steps[world];
  batch.time = image.world_columns.view().time[world];
  batch.status = image.world_columns.view().status[world];
  batch.last_h = image.batch.last_h;
  count_last_step(made);
  for (const BodyPart& body : made.bodies) {
    batch.high_water.bodies += body.alive ? 1 : 0;
    batch.high_water.shapes += static_cast<std::uint32_t>(body.shapes.size());
  }
  batch.high_water.pairs = static_cast<std::uint32_t>(made.pair_columns.count());
  return made;
}

std::vector<std::string> sections_of(const Image& image) {
  file::Writer batch, host, device;
  batch(image.batch);
  host(image.worlds, image.bodies, image.body_slots, image.shape_slots, std::uint64_t{image.articulations.size()});
  for (const auto& articulation : image.articulations) host(*articulation);
  host(std::uint64_t{image.particles.size()});
  for (const auto& set : image.particles) host(*set);
  image.world_columns.write(device);
  image.body_columns.write(device);
  image.shape_columns.write(device);
  image.pair_columns.write(device);
  return {batch.take(), host.take(), device.take()};
}

Image read_image(std::span<const std::string> sections, const std::string& where) {
  Image image;
  file::Reader batch(sections[0], where), host(sections[1], where), device(sections[2], where);
  batch(image.batch);
  batch.end();
  std::vector<SceneArticulation> articulations;
  std::vector<ParticleSet> particles;
  host(image.worlds, image.bodies, image.body_slots, image.shape_slots, articulations, particles);
  host.end();
  for (SceneArticulation& articulation : articulations) {
    image.articulations.push_back(std::make_shared<const SceneArticulation>(std::move(articulation)));
  }
  for (ParticleSet& set : particles) image.particles.push_back(std::make_shared<const ParticleSet>(std::move(set)));
  std::size_t shapes = 0, pairs = 0;
  for (const WorldPart& world : image.worlds) {
    shapes += world.shapes;
    pairs += world.pairs;
  }
  image.world_columns.read(device, image.worlds.size());
  image.body_columns.read(device, image.bodies.size());
  image.shape_columns.read(device, shapes);
  image.pair_columns.read(device, pairs);
  device.end();
  return image;
}

Image image_of(std::span<const std::string> sections, const std::string& where) {
  Image image = read_image(sections, where);
  check(image, file::Reader({}, where));
  return image;
}

}  // namespace cairn::snapshot
