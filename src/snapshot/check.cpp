// Whether the parts of an image fit together. Anyone may make a file: a step that used an index of it to leave an array
// would be worse than no step.

#include <algorithm>
#include <cmath>

#include "cairn/report.h"
#include "src/shape/shape_parts.h"
#include "src/snapshot/image_check.h"
#include "src/snapshot/unread.h"
#include "src/world/features.h"
#include "src/world/frame.h"

namespace cairn::snapshot {
namespace {

using kernels::kNone;

constexpr std::uint32_t kStatusBits = kStatusNonFinite | kStatusOutOfBounds | kStatusOverflow | kStatusTooFast;
// limits of a World, with room for derived values: a shape beside its body's centre of mass, a scaled size
constexpr float kMaxLength = 1e8f;

bool within(Vec3 a, float low, float high) {
  return a.x >= low && a.x <= high && a.y >= low && a.y <= high && a.z >= low && a.z <= high;
}
bool unit(Quat q) {
  const float norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return norm >= 0.99f && norm <= 1.01f;
}
bool positive(float a) { return a > 0 && std::isfinite(a); }
bool not_negative(float a) { return a >= 0 && std::isfinite(a); }

void check_world(const Image& image, const WorldCheck& of) {
  const kernels::Worlds& w = image.world_columns.view();
  of.refuse_fault(rules::find_fault(w.limits[of.index]), "limits");
  of.refuse_fault(rules::find_fault(of.part.params), "solver");
  of.require(rules::shared_alike(of.part.params, image.batch.params),
             "parameters that worlds share are not the others'");
  of.require(finite(of.part.origin), "origin is not finite");
  of.require(std::isfinite(w.time[of.index]), "time is not finite");
  of.require((w.status[of.index] & ~kStatusBits) == 0, "an unknown status bit");
  of.require(w.first_bad[of.index] == 0 || ~w.first_bad[of.index] < of.part.bodies,
             "a first bad body that isn't there");
  of.require(!of.part.materials.empty(), "no material");
  of.require(of.part.contact_materials.size() == of.part.materials.size(), "not as many materials for contacts");
  for (const Material& material : of.part.materials) of.refuse_fault(rules::find_fault(material), "a material");
  for (const kernels::ContactMaterial& m : of.part.contact_materials) {
    of.require(not_negative(m.friction) && not_negative(m.restitution) && not_negative(m.rolling_friction) &&
                   not_negative(m.compliance) && not_negative(m.shear_compliance),
               "a material's coefficient is not a number of at least 0");
    of.require(finite(m.surface_velocity), "a material's surface velocity is not finite");
  }
}

void check_bodies(WorldCheck& of) {
  std::vector<std::uint32_t> dead, planes, unowned;
  std::vector<SurfacePart> found;
  for (std::uint32_t id = 0; id < of.part.bodies; ++id) {
    const BodyPart& body = of.body(id);
    if (!body.alive) {
      of.require(body.shapes.empty(), "a body that was removed has shapes");
      dead.push_back(id);
      continue;
    }
    of.require(body.generation != 0, "a body without a generation");
    of.refuse_fault(rules::find_fault(body.body, of.part.materials), "a body");
    of.require(std::isfinite(body.mass.mass) && finite(body.mass.centre_of_mass) && finite(body.mass.moments) &&
                   finite(Vec3d{body.mass.axes.x, body.mass.axes.y, body.mass.axes.z}) &&
                   std::isfinite(body.mass.axes.w),
               "mass properties that are not finite");
    const std::vector<shape::Part> parts = shape::parts_of(body.body);
    of.require(body.shapes.size() == parts.size(), "a body has other shapes than it says");
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      const std::uint32_t shape = body.shapes[i];
      of.require(shape < of.part.shapes && of.shape_of[shape].body == kNone,
                 "a shape that isn't there, or is another's");
      of.shape_of[shape] = {id, static_cast<std::uint32_t>(kind_of(parts[i].shape.geometry))};
      if (std::holds_alternative<Plane>(parts[i].shape.geometry)) planes.push_back(shape);
      if (const std::uint32_t count = triangles_of(parts[i].shape.geometry)) found.push_back({shape, count});
    }
  }
  for (std::uint32_t shape = 0; shape < of.part.shapes; ++shape) {
    if (of.shape_of[shape].body == kNone) unowned.push_back(shape);
  }
  of.require(same(dead, of.part.free_bodies), "the list of free bodies is not that of those removed");
  of.require(same(unowned, of.part.free_shapes), "the list of free shapes is not that of those without a body");
  of.require(same(planes, of.part.planes), "the list of planes is not that of its bodies");
  of.require(same(found, of.part.surfaces), "the list of surfaces is not that of its bodies");
  of.require(of.surfaces.end < kNone, "surfaces of too many triangles");
}

void check_body_columns(const Image& image, const WorldCheck& of) {
  const kernels::Bodies& b = image.body_columns.view();
  for (std::uint32_t id = 0; id < of.part.bodies; ++id) {
    const std::size_t i = of.at.bodies.first + id;
    const BodyPart& body = of.body(id);
    if (!body.alive) {
      of.require(b.flags[i] == 0 && b.island[i] == 0, "a body that was removed has flags or an island");
      continue;
    }
    const bool link = of.owner[id] != kNone;
    const bool tumbles = !link && !body.body.fixed_rotation;
    const std::uint32_t free_bits = kernels::kBodyFrozen | kernels::kBodyAsleep | kernels::kBodyNewlyAsleep |
                                    (tumbles ? std::uint32_t{kernels::kBodyGyroscopic} : 0u);
    const std::uint32_t fixed_bits = static_cast<std::uint32_t>(body.body.type) | kernels::kBodyAlive |
                                     (of.ignores[id] ? kernels::kBodyIgnores : 0u) | (link ? kernels::kBodyLink : 0u) |
                                     (body.body.enabled ? 0u : kernels::kBodyDisabled) |
                                     (body.body.bullet ? kernels::kBodyBullet : 0u) |
                                     (body.body.fixed_rotation ? kernels::kBodyFixedRotation : 0u);
    of.require((b.flags[i] & ~free_bits) == fixed_bits, "a body's flags are not those of its type");
    const bool asleep = (b.flags[i] & kernels::kBodyAsleep) != 0;
    of.require((b.flags[i] & kernels::kBodyFrozen) == 0 || image.world_columns.view().status[of.index] != 0,
               "a body is frozen in a world that isn't");
    of.require(!asleep || (body.body.type == BodyType::kDynamic && body.body.enabled),
               "a body sleeps that isn't dynamic, or is switched off");
    of.require(!link || body.body.enabled, "a link is switched off");
    const std::uint32_t first = static_cast<std::uint32_t>(of.at.bodies.first) + (link ? of.owner[id] : id);
    of.require(asleep == ((b.flags[first] & kernels::kBodyAsleep) != 0), "an articulation of which a part sleeps");
    of.require(b.island[i] < (asleep ? of.part.bodies : 1), "an island that isn't there");
    // a pose may be anything: a world may hold it, and the next step freezes the world
    of.require(not_negative(b.inv_mass[i]) && within(b.inertia[i], 1e-38f, 1e38f) &&
                   not_negative(b.linear_damping[i]) && not_negative(b.angular_damping[i]) &&
                   std::abs(b.gravity_scale[i]) <= 1000 && positive(b.radius[i]) && positive(b.min_extent[i]) &&
                   not_negative(b.quiet_time[i]),
               "a body's mass, damping, gravity scale or size is out of range");
  }
}

void check_shape_columns(const Image& image, const WorldCheck& of) {
  const kernels::ShapeGeometry* geometry = image.shape_columns.view().geometry;
  for (std::uint32_t id = 0; id < of.part.shapes; ++id) {
    if (of.shape_of[id].body == kNone) continue;
    const kernels::ShapeGeometry& g = geometry[of.at.shapes.first + id];
    of.require(static_cast<std::uint32_t>(g.kind) == of.shape_of[id].kind, "a shape is not of the kind that it says");
    of.require(within(g.size, 0, kMaxLength) && g.round >= 0 && g.round <= kMaxLength &&
                   within(g.position, -kMaxLength, kMaxLength) && unit(g.orientation),
               "a shape's size or place is out of range");
  }
}

void check_pairs(const Image& image, const WorldCheck& of) {
  const kernels::Pairs& pairs = image.pair_columns.view();
  // colours of each body's contacts with dynamic bodies, and with others
  struct Colors {
    std::uint64_t dynamic{0}, fixed{0};
  };
  std::vector<Colors> colors(of.part.bodies);
  const auto take = [&](std::uint64_t& taken, std::uint32_t color) {
    of.require((taken >> color & 1) == 0, "two contacts of one body have one colour");
    taken |= std::uint64_t{1} << color;
  };
  for (std::size_t i = of.at.pairs.first; i < of.at.pairs.last; ++i) {
    const std::uint64_t key = pairs.key[i];
    const auto a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key);
    of.require(
        a < b && a < of.part.shapes && (b < of.part.shapes || (b >= kernels::kFirstTriangle && b < of.surfaces.end)),
        "a contact of shapes that aren't there");
    of.require(i == of.at.pairs.first || pairs.key[i - 1] < key, "contacts out of order");
    const kernels::Manifold& m = pairs.manifold[i];
    of.require(m.count <= 4, "a contact of more than four points");
    of.require(m.count == 0 || m.color <= kernels::kMaskColors || m.color == kNone, "a contact of no colour that is");
    const std::uint32_t body_a = of.shape_of[a].body,
                        body_b = of.shape_of[kernels::shapes_of(key, of.surfaces.view()).b].body;
    of.require(m.count == 0 || (body_a != kNone && body_b != kNone && body_a != body_b),
               "a contact that touches at less than two bodies");
    of.require(m.count == 0 || (of.enabled(body_a) && of.enabled(body_b)), "a contact of a body that is switched off");
    if (m.count == 0 || m.color >= kernels::kMaskColors) continue;
    const bool push_a = of.dynamic(body_a), push_b = of.dynamic(body_b);
    // links have the colours of their articulation
    const std::uint32_t end_a = of.owner[body_a] == kNone ? body_a : of.owner[body_a],
                        end_b = of.owner[body_b] == kNone ? body_b : of.owner[body_b];
    if (push_a) take(push_b ? colors[end_a].dynamic : colors[end_a].fixed, m.color);
    if (push_b && end_a != end_b) take(push_a ? colors[end_b].dynamic : colors[end_b].fixed, m.color);
  }
}

/// Every slot has exactly one owner, and within a world slots ascend with the ids: a batch's results depend on it.
bool slots_fit(const std::vector<std::uint32_t>& slots, const std::vector<IndexRange>& worlds) {
  if (slots.size() != worlds.back().last) return false;
  std::vector<bool> taken(slots.size(), false);
  for (const IndexRange& world : worlds) {
    for (std::size_t i = world.first; i < world.last; ++i) {
      if (slots[i] >= slots.size() || taken[slots[i]] || (i > world.first && slots[i] <= slots[i - 1])) return false;
      taken[slots[i]] = true;
    }
  }
  return true;
}

}  // namespace

bool WorldCheck::sized() const {
  if (image_.world_columns.view().scales[index].size != 1) return false;
  for (std::uint32_t id = 0; id < part.bodies; ++id) {
    if (body(id).scales.size != 1) return false;
  }
  return true;
}

void ImageCheck::require_slots(const std::vector<std::uint32_t>& slots,
                               const std::vector<IndexRange>& of_worlds) const {
  if (!slots_fit(slots, of_worlds)) reader.refuse("slots that are taken twice, missing or out of order");
}

void check(const Image& image, const file::Reader& reader) {
  const BatchPart& batch = image.batch;
  if (const auto fault = rules::find_fault(batch.params)) reader.refuse("solver: " + fault->field + " " + fault->rule);
  if (!std::isfinite(batch.time) || !(batch.last_h >= 0 && batch.last_h <= 1)) reader.refuse("a clock that can't be");
  if ((batch.status & ~kStatusBits) != 0) reader.refuse("an unknown status bit");
  if (image.worlds.empty() || image.worlds.size() > kernels::kMaxWorlds) {
    reader.refuse(std::to_string(image.worlds.size()) + " worlds; there may be 1 to " +
                  std::to_string(kernels::kMaxWorlds));
  }
  const std::vector<Image::Ranges> ranges = image.ranges();
  if (ranges.back().bodies.last != image.bodies.size()) reader.refuse("not as many bodies as its worlds have");
  std::vector<IndexRange> bodies, shapes;
  for (const Image::Ranges& at : ranges) {
    bodies.push_back(at.bodies);
    shapes.push_back(at.shapes);
  }
  ImageCheck of{image, reader, {}};
  of.require_slots(image.body_slots, bodies);
  of.require_slots(image.shape_slots, shapes);
  of.worlds.reserve(ranges.size());
  for (std::uint32_t w = 0; w < ranges.size(); ++w) {
    WorldCheck& world = of.worlds.emplace_back(image, w, ranges[w], reader);
    check_world(image, world);
    check_bodies(world);
  }
#define CAIRN_CHECK(Type, name) Type::check_image(of);
  CAIRN_FEATURES(CAIRN_CHECK)
#undef CAIRN_CHECK
  for (const WorldCheck& world : of.worlds) {
    check_body_columns(image, world);
    check_shape_columns(image, world);
    check_pairs(image, world);
  }
  each_unread(image, [&](std::size_t w, const char* thing, std::size_t i, const char* part, const auto& value) {
    if (is_blank(value)) return;
    reader.refuse("world " + std::to_string(w) + ": " + thing + " " + std::to_string(i) + ": " + part +
                  ": must be zero, as nothing reads it");
  });
}

}  // namespace cairn::snapshot
