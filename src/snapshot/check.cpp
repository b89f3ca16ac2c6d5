// Whether the parts of an image fit together. Anyone may make a file: a step that used an index of it to leave an array
// would be worse than no step.

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "cairn/articulations.h"
#include "cairn/report.h"
#include "src/exec/cpu_memory.h"
#include "src/exec/journal.h"
#include "src/joints/compile_joint.h"
#include "src/particles/constraint_store.h"
#include "src/scene/field_rules.h"
#include "src/scene/joint_rules.h"
#include "src/scene/particle_rules.h"
#include "src/scene/rules.h"
#include "src/shape/shape_parts.h"
#include "src/snapshot/unread.h"
#include "src/world/frame.h"

namespace cairn::snapshot {
namespace {

using kernels::kNone;

constexpr std::uint32_t kStatusBits = kStatusNonFinite | kStatusOutOfBounds | kStatusOverflow | kStatusTooFast;
// limits of a World, with room for derived values: a shape beside its body's centre of mass, a scaled size
constexpr float kMaxLength = 1e8f;

bool finite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
bool finite(Vec3d a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }
bool within(Vec3 a, float low, float high) {
  return a.x >= low && a.x <= high && a.y >= low && a.y <= high && a.z >= low && a.z <= high;
}
bool unit(Quat q) {
  const float norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  return norm >= 0.99f && norm <= 1.01f;
}
bool positive(float a) { return a > 0 && std::isfinite(a); }
bool not_negative(float a) { return a >= 0 && std::isfinite(a); }

/// Checks one world.
class Checked {
 public:
  Checked(const Image& image, const std::vector<CompiledArticulation>& made, std::uint32_t world,
          const Image::Ranges& at, const file::Reader& reader)
      : image_(image),
        made_(made),
        part_(image.worlds[world]),
        at_(at),
        reader_(reader),
        world_(world),
        name_("world " + std::to_string(world)),
        surfaces_(part_),
        sized_(image.world_columns.view().scales[world].size == 1) {}

  void world() const {
    const std::uint32_t index = world_;
    const kernels::Worlds& w = image_.world_columns.view();
    refuse_fault(rules::find_fault(w.limits[index]), "limits");
    refuse_fault(rules::find_fault(w.scales[index]), "scales");
    refuse_fault(rules::find_fault(part_.params), "solver");
    require(rules::shared_alike(part_.params, image_.batch.params), "parameters that worlds share are not the others'");
    require(finite(part_.origin), "origin is not finite");
    require(std::isfinite(w.time[index]), "time is not finite");
    require((w.status[index] & ~kStatusBits) == 0, "an unknown status bit");
    require(w.first_bad[index] == 0 || ~w.first_bad[index] < part_.bodies, "a first bad body that isn't there");
    require(!part_.materials.empty(), "no material");
    require(part_.contact_materials.size() == part_.materials.size(), "not as many materials for contacts");
    for (const Material& material : part_.materials) refuse_fault(rules::find_fault(material), "a material");
    for (const kernels::ContactMaterial& m : part_.contact_materials) {
      require(not_negative(m.friction) && not_negative(m.restitution) && not_negative(m.rolling_friction) &&
                  not_negative(m.compliance) && not_negative(m.shear_compliance),
              "a material's coefficient is not a number of at least 0");
      require(finite(m.surface_velocity), "a material's surface velocity is not finite");
    }
  }

  void bodies() {
    shape_of_.assign(part_.shapes, {});
    std::vector<std::uint32_t> dead, planes, unowned;
    std::vector<SurfacePart> found;
    for (std::uint32_t id = 0; id < part_.bodies; ++id) {
      const BodyPart& body = image_.bodies[at_.bodies.first + id];
      if (!body.alive) {
        require(body.shapes.empty(), "a body that was removed has shapes");
        require(body.scales == BodyScales{}, "a body that was removed has scales");
        dead.push_back(id);
        continue;
      }
      require(body.generation != 0, "a body without a generation");
      refuse_fault(rules::find_fault(body.body, part_.materials), "a body");
      refuse_fault(rules::find_fault(body.scales), "a body's scales");
      require(std::isfinite(body.mass.mass) && finite(body.mass.centre_of_mass) && finite(body.mass.moments) &&
                  finite(Vec3d{body.mass.axes.x, body.mass.axes.y, body.mass.axes.z}) &&
                  std::isfinite(body.mass.axes.w),
              "mass properties that are not finite");
      const std::vector<shape::Part> parts = shape::parts_of(body.body);
      require(body.shapes.size() == parts.size(), "a body has other shapes than it says");
      for (std::size_t i = 0; i < body.shapes.size(); ++i) {
        const std::uint32_t shape = body.shapes[i];
        require(shape < part_.shapes && shape_of_[shape].body == kNone, "a shape that isn't there, or is another's");
        shape_of_[shape] = {id, static_cast<std::uint32_t>(kind_of(parts[i].shape.geometry))};
        if (std::holds_alternative<Plane>(parts[i].shape.geometry)) planes.push_back(shape);
        if (const std::uint32_t count = triangles_of(parts[i].shape.geometry)) found.push_back({shape, count});
      }
    }
    for (std::uint32_t shape = 0; shape < part_.shapes; ++shape) {
      if (shape_of_[shape].body == kNone) unowned.push_back(shape);
    }
    require(same(dead, part_.free_bodies), "the list of free bodies is not that of those removed");
    require(same(unowned, part_.free_shapes), "the list of free shapes is not that of those without a body");
    require(same(planes, part_.planes), "the list of planes is not that of its bodies");
    require(same(found, part_.surfaces), "the list of surfaces is not that of its bodies");
    require(surfaces_.end < kNone, "surfaces of too many triangles");
  }

  void joints() const {
    const rules::JointPlace place{[this](std::uint32_t id) { return id < part_.bodies && alive(id); },
                                  [this](std::uint32_t id) -> const Joint* {
                                    if (id >= part_.joints.size() || !part_.joints[id].alive) return nullptr;
                                    return &part_.joints[id].joint;
                                  }};
    std::vector<std::uint32_t> dead;
    std::set<std::string_view> names;
    for (std::uint32_t id = 0; id < part_.joints.size(); ++id) {
      const JointPart& joint = part_.joints[id];
      if (!joint.alive) {
        dead.push_back(id);
        continue;
      }
      require(joint.generation != 0, "a joint without a generation");
      refuse_fault(rules::find_fault(joint.joint, place), "a joint");
      require(joint.joint.name.empty() || names.insert(joint.joint.name).second, "two joints of one name");
      require(joint.memory.broken <= 1, "a joint that is neither whole nor broken");
      require(finite(joint.result.force) && finite(joint.result.torque) &&
                  std::ranges::all_of(joint.memory.impulse, [](float l) { return std::isfinite(l); }),
              "a joint's impulse is not finite");
    }
    require(same(dead, part_.free_joints), "the list of free joints is not that of those removed");
  }

  /// `next` is the first of Image::articulations without a world so far.
  void articulations(std::uint32_t& next) {
    owner_.assign(part_.bodies, kNone);
    std::set<std::string_view> names;
    for (const ArticulationPart& part : part_.articulations) {
      const ArticulationMotion& m = part.motion;
      const std::size_t words =
          m.q.size() + m.v.size() + m.force.size() + m.target.size() + m.target_rate.size() + m.joint.size();
      if (part.of == kNone) {
        require(words == 0, "an articulation that was removed has coordinates");
        continue;
      }
      require(part.generation != 0, "an articulation without a generation");
      require(part.of <= next && part.of < made_.size(), "an articulation that isn't there, or out of order");
      next += part.of == next ? 1 : 0;
      const SceneArticulation& of = *image_.articulations[part.of];
      const CompiledArticulation& made = made_[part.of];
      require(names.insert(of.description.name).second, "two articulations of one name");
      // state values may be anything, as poses may
      require(m.q.size() == made.coordinates && m.target.size() == made.coordinates && m.v.size() == made.dofs.size() &&
                  m.force.size() == made.dofs.size() && m.target_rate.size() == made.dofs.size(),
              "an articulation of another number of coordinates or rates");
      require(joints_are_allowed(made, m.joint), "an articulation with joints that none may have");
      std::uint32_t owner = kNone;
      for (std::size_t link = 0; link < of.bodies.size(); ++link) {
        const std::uint32_t body = of.bodies[link];
        if (body == kNoLinkBody) continue;
        require(body < part_.bodies, "a link of a body that isn't there");
        if (made.links[link].node == kNone) continue;
        require(alive(body) && dynamic(body) && owner_[body] == kNone,
                "a link of a body that can't be moved, or is another's");
        if (owner == kNone) owner = body;
        owner_[body] = owner;
      }
      require(owner != kNone, "an articulation without a body that moves");
    }
  }

  bool sized() const {
    const auto first = image_.bodies.begin() + static_cast<std::ptrdiff_t>(at_.bodies.first);
    return sized_ && std::all_of(first, first + static_cast<std::ptrdiff_t>(at_.bodies.size()),
                                 [](const BodyPart& body) { return body.scales.size == 1; });
  }

  /// `next` is the first of Image::particles without a world so far.
  void particles(std::uint32_t& next) const {
    std::vector<bool> taken(part_.bodies, false);
    std::set<std::string_view> names;
    for (const ParticlesPart& part : part_.particles) {
      require(part.generation != 0, "a set of particles without a generation");
      if (part.of == kNone) {
        require(part.bodies.empty() && part.held_by.empty() && part.anchors.empty() && part.broken.empty(),
                "a set of particles that was removed has some");
        continue;
      }
      require(part.of <= next && part.of < image_.particles.size(),
              "a set of particles that isn't there, or out of order");
      next += part.of == next ? 1 : 0;
      const ParticleSet& set = *image_.particles[part.of];
      require(names.insert(set.name).second, "two sets of particles of one name");
      require(part.bodies.size() == set.positions.size() && part.held_by.size() == set.attachments.size() &&
                  part.anchors.size() == set.attachments.size(),
              "a set of particles of another size");
      const auto is_there = [&](std::uint32_t body) {
        return body < part_.bodies && alive(body) && owner_[body] == kNone;
      };
      for (const std::uint32_t body : part.bodies) {
        if (body == kNone) continue;
        require(is_there(body) && !taken[body], "a particle that isn't there, or is another's");
        require(image_.bodies[at_.bodies.first + body].body.enabled, "a particle is switched off");
        taken[body] = true;
      }
      for (const std::uint32_t body : part.held_by) {
        require(body == kNone || is_there(body), "an attachment to a body that isn't there");
      }
      for (const Vec3d& at : part.anchors) {
        require(finite(at), "an anchor that is not finite");
      }
      const bool known = std::ranges::all_of(part.broken, [](auto t) { return t <= 1; });
      require(part.broken.size() == count_constraints(set) && known,
              "constraints of particles that are neither whole nor broken");
      if (std::ranges::find(part.broken, 1) != part.broken.end()) {
        exec::CpuMemory memory;
        exec::Journal journal(memory);
        ConstraintStore constraints(journal);
        constraints.take({{0, 1, part.bodies, part.held_by, part.anchors, part.broken, image_.particles[part.of]}});
        require(constraints.broken(constraints.all()[0], constraints.read_broken()) == part.broken,
                "constraints of particles are broken that can't break, or whose particles are gone");
      }
      require(sized(), "particles in a world with scales of size");
    }
  }

  void fields() const {
    require(part_.fields.size() <= rules::kMaxFields, "too many fields");
    const rules::FieldPlace place{part_.bodies,
                                  [this](std::uint32_t id) {
                                    const BodyPart& body = image_.bodies[at_.bodies.first + id];
                                    return body.alive ? &body.body : nullptr;
                                  },
                                  [this]() -> const std::vector<Material>& { return part_.materials; },
                                  // materials may have been changed since
                                  false};
    for (const SceneField& field : part_.fields) refuse_fault(rules::find_fault(field, place), "a field");
  }

  void body_columns() const {
    const kernels::Bodies& b = image_.body_columns.view();
    std::vector<bool> ignores(part_.bodies, false);
    for (const JointPart& joint : part_.joints) {
      if (joint.alive && keeps_apart(joint.joint)) ignores[joint.joint.body_a] = ignores[joint.joint.body_b] = true;
    }
    for (std::size_t i = 0; i < part_.ignored.size(); ++i) {
      const auto low = static_cast<std::uint32_t>(part_.ignored[i] >> 32),
                 high = static_cast<std::uint32_t>(part_.ignored[i]);
      require(low < high && high < part_.bodies && alive(low) && alive(high),
              "bodies ignore each other that aren't there");
      require(i == 0 || part_.ignored[i - 1] < part_.ignored[i], "bodies that ignore each other out of order");
      ignores[low] = ignores[high] = true;
    }
    for (std::uint32_t id = 0; id < part_.bodies; ++id) {
      const std::size_t i = at_.bodies.first + id;
      const BodyPart& body = image_.bodies[i];
      if (!body.alive) {
        require(b.flags[i] == 0 && b.island[i] == 0, "a body that was removed has flags or an island");
        continue;
      }
      const BodyScales by = kernels::total_scales(image_.world_columns.view().scales[world_], body.scales);
      if (body.body.type == BodyType::kDynamic && !(by == BodyScales{})) {
        BodySlot slot;
        slot.body = body.body;
        slot.mass = body.mass;
        const BodyRecord r = record_of(slot, {}, 1);
        require(kernels::bears(by, r.inv_mass, r.inertia, r.radius, r.min_extent), "scales that a body can't bear");
      }
      const bool link = owner_[id] != kNone;
      const bool tumbles = !link && !body.body.fixed_rotation;
      const std::uint32_t free_bits = kernels::kBodyFrozen | kernels::kBodyAsleep | kernels::kBodyNewlyAsleep |
                                      (tumbles ? std::uint32_t{kernels::kBodyGyroscopic} : 0u);
      const std::uint32_t fixed_bits = static_cast<std::uint32_t>(body.body.type) | kernels::kBodyAlive |
                                       (ignores[id] ? kernels::kBodyIgnores : 0u) | (link ? kernels::kBodyLink : 0u) |
                                       (body.body.enabled ? 0u : kernels::kBodyDisabled) |
                                       (body.body.bullet ? kernels::kBodyBullet : 0u) |
                                       (body.body.fixed_rotation ? kernels::kBodyFixedRotation : 0u);
      require((b.flags[i] & ~free_bits) == fixed_bits, "a body's flags are not those of its type");
      const bool asleep = (b.flags[i] & kernels::kBodyAsleep) != 0;
      require((b.flags[i] & kernels::kBodyFrozen) == 0 || image_.world_columns.view().status[world_] != 0,
              "a body is frozen in a world that isn't");
      require(!asleep || (body.body.type == BodyType::kDynamic && body.body.enabled),
              "a body sleeps that isn't dynamic, or is switched off");
      require(!link || body.body.enabled, "a link is switched off");
      const std::uint32_t first = static_cast<std::uint32_t>(at_.bodies.first) + (link ? owner_[id] : id);
      require(asleep == ((b.flags[first] & kernels::kBodyAsleep) != 0), "an articulation of which a part sleeps");
      require(b.island[i] < (asleep ? part_.bodies : 1), "an island that isn't there");
      require(!part_.fields.empty() || b.field_force[i] == Vec3{}, "a force of fields where there are none");
      // a pose may be anything: a world may hold it, and the next step freezes the world
      require(not_negative(b.inv_mass[i]) && within(b.inertia[i], 1e-38f, 1e38f) && not_negative(b.linear_damping[i]) &&
                  not_negative(b.angular_damping[i]) && std::abs(b.gravity_scale[i]) <= 1000 && positive(b.radius[i]) &&
                  positive(b.min_extent[i]) && not_negative(b.quiet_time[i]),
              "a body's mass, damping, gravity scale or size is out of range");
    }
  }

  void shape_columns() const {
    const kernels::ShapeGeometry* geometry = image_.shape_columns.view().geometry;
    for (std::uint32_t id = 0; id < part_.shapes; ++id) {
      if (shape_of_[id].body == kNone) continue;
      const kernels::ShapeGeometry& g = geometry[at_.shapes.first + id];
      require(static_cast<std::uint32_t>(g.kind) == shape_of_[id].kind, "a shape is not of the kind that it says");
      require(within(g.size, 0, kMaxLength) && g.round >= 0 && g.round <= kMaxLength &&
                  within(g.position, -kMaxLength, kMaxLength) && unit(g.orientation),
              "a shape's size or place is out of range");
    }
  }

  void events() const {
    for (std::size_t i = 0; i < part_.events.size(); ++i) {
      const EventPart& t = part_.events[i];
      const auto a = static_cast<std::uint32_t>(t.key >> 32), b = static_cast<std::uint32_t>(t.key);
      const kernels::Surfaces& numbers = surfaces_.view();
      const bool first_triangle = std::binary_search(numbers.first, numbers.first + numbers.count, b);
      require(a < b && a < part_.shapes && (b < part_.shapes || first_triangle) && t.body_a < part_.bodies &&
                  t.body_b < part_.bodies && t.body_a != t.body_b,
              "shapes touched that aren't there");
      require(i == 0 || part_.events[i - 1].key < t.key, "shapes that touched out of order");
    }
  }

  void pairs() const {
    const kernels::Pairs& pairs = image_.pair_columns.view();
    // colours of each body's contacts with dynamic bodies, and with others
    struct Colors {
      std::uint64_t dynamic{0}, fixed{0};
    };
    std::vector<Colors> colors(part_.bodies);
    const auto take = [this](std::uint64_t& taken, std::uint32_t color) {
      require((taken >> color & 1) == 0, "two contacts of one body have one colour");
      taken |= std::uint64_t{1} << color;
    };
    for (std::size_t i = at_.pairs.first; i < at_.pairs.last; ++i) {
      const std::uint64_t key = pairs.key[i];
      const auto a = static_cast<std::uint32_t>(key >> 32), b = static_cast<std::uint32_t>(key);
      require(a < b && a < part_.shapes && (b < part_.shapes || (b >= kernels::kFirstTriangle && b < surfaces_.end)),
              "a contact of shapes that aren't there");
      require(i == at_.pairs.first || pairs.key[i - 1] < key, "contacts out of order");
      const kernels::Manifold& m = pairs.manifold[i];
      require(m.count <= 4, "a contact of more than four points");
      require(m.count == 0 || m.color <= kernels::kMaskColors || m.color == kNone, "a contact of no colour that is");
      const std::uint32_t body_a = shape_of_[a].body,
                          body_b = shape_of_[kernels::shapes_of(key, surfaces_.view()).b].body;
      require(m.count == 0 || (body_a != kNone && body_b != kNone && body_a != body_b),
              "a contact that touches at less than two bodies");
      require(m.count == 0 || (enabled(body_a) && enabled(body_b)), "a contact of a body that is switched off");
      if (m.count == 0 || m.color >= kernels::kMaskColors) continue;
      const bool push_a = dynamic(body_a), push_b = dynamic(body_b);
      // links have the colours of their articulation
      const std::uint32_t end_a = owner_[body_a] == kNone ? body_a : owner_[body_a],
                          end_b = owner_[body_b] == kNone ? body_b : owner_[body_b];
      if (push_a) take(push_b ? colors[end_a].dynamic : colors[end_a].fixed, m.color);
      if (push_b && end_a != end_b) take(push_a ? colors[end_b].dynamic : colors[end_b].fixed, m.color);
    }
  }

 private:
  bool alive(std::uint32_t id) const { return image_.bodies[at_.bodies.first + id].alive; }
  bool enabled(std::uint32_t id) const { return image_.bodies[at_.bodies.first + id].body.enabled; }
  bool dynamic(std::uint32_t id) const { return image_.bodies[at_.bodies.first + id].body.type == BodyType::kDynamic; }

  struct Owner {
    std::uint32_t body{kNone}, kind{0};
  };

  void require(bool holds, const char* what) const {
    if (!holds) reader_.refuse(name_ + ": " + what);
  }
  void refuse_fault(const std::optional<rules::Fault>& fault, const std::string& what) const {
    if (fault) reader_.refuse(name_ + ": " + what + fault->part + ": " + fault->field + " " + fault->rule);
  }
  template <class T>
  static bool same(std::vector<T> wanted, std::vector<T> found) {
    std::ranges::sort(wanted);
    std::ranges::sort(found);
    return wanted == found;
  }

  const Image& image_;
  const std::vector<CompiledArticulation>& made_;
  const WorldPart& part_;
  const Image::Ranges& at_;
  const file::Reader& reader_;
  std::uint32_t world_;
  std::string name_;
  std::vector<Owner> shape_of_;       ///< (shapes)
  std::vector<std::uint32_t> owner_;  ///< [1] (bodies) of links: the first body of their articulation; kNone
  ImageSurfaces surfaces_;
  bool sized_;  ///< the world has a scale of size of 1
};

/// The image's articulations, compiled.
std::vector<CompiledArticulation> compiled(const Image& image, const file::Reader& reader) {
  std::vector<CompiledArticulation> made;
  for (const auto& of : image.articulations) {
    try {
      Articulations(of->description, 1, Device::cpu(1)).set_state(of->start.q, of->start.v);
    } catch (const InvalidArgument& error) {
      reader.refuse(error.what());
    }
    made.push_back(compile(of->description));
    if (of->bodies.size() != made.back().links.size()) reader.refuse("an articulation of other links than it says");
  }
  return made;
}

/// Every slot has exactly one owner, and within a world slots ascend with the ids: a batch's results depend on it.
bool slots_fit(const std::vector<std::uint32_t>& slots, const std::vector<IndexRange>& worlds) {
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
  const auto parts_fit = [&](const auto& parts_of) {
    std::vector<IndexRange> of_worlds;
    std::vector<std::uint32_t> slots;
    for (const WorldPart& world : image.worlds) {
      const auto& parts = std::invoke(parts_of, world);
      of_worlds.push_back({slots.size(), slots.size() + parts.size()});
      for (const auto& part : parts) slots.push_back(part.slot);
    }
    return slots_fit(slots, of_worlds);
  };
  if (image.body_slots.size() != image.bodies.size() || !slots_fit(image.body_slots, bodies) ||
      image.shape_slots.size() != ranges.back().shapes.last || !slots_fit(image.shape_slots, shapes) ||
      !parts_fit(&WorldPart::joints) || !parts_fit(&WorldPart::articulations) || !parts_fit(&WorldPart::particles)) {
    reader.refuse("slots that are taken twice, missing or out of order");
  }
  const std::vector<CompiledArticulation> made = compiled(image, reader);
  std::uint32_t next_articulation = 0, next_particles = 0;
  for (const auto& set : image.particles) {
    if (const auto fault = rules::find_fault(*set)) reader.refuse("particles: " + fault->field + " " + fault->rule);
  }
  for (std::uint32_t w = 0; w < ranges.size(); ++w) {
    Checked world(image, made, w, ranges[w], reader);
    world.world();
    world.bodies();
    world.joints();
    world.articulations(next_articulation);
    world.particles(next_particles);
    world.fields();
    world.body_columns();
    world.shape_columns();
    world.events();
    world.pairs();
  }
  if (next_articulation != made.size()) reader.refuse("an articulation that no world has");
  if (next_particles != image.particles.size()) reader.refuse("particles that no world has");
  each_unread(image, [&](std::size_t w, const char* thing, std::size_t i, const char* part, const auto& value) {
    if (is_blank(value)) return;
    reader.refuse("world " + std::to_string(w) + ": " + thing + " " + std::to_string(i) + ": " + part +
                  ": must be zero, as nothing reads it");
  });
}

}  // namespace cairn::snapshot
